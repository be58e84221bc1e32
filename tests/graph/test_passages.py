import pytest

from mder.errors import GraphError
from mder.graph.passages import PASSAGES, Entry, Passage, Passages
from mder.graph.store import Graph
from mder.graph.vocabulary import chunk_iri, entity_iri, relation_iri, triple_iri, type_iri
from mder.records import Mention
from tests.graph.sample import BORN, CHUNKS, CURIE, DAUGHTER, MOSCOW, STAYED

FIRST, SECOND = (chunk_iri(CURIE, chunk.start).value for chunk in CHUNKS)
CAPITAL = chunk_iri(MOSCOW, 0).value
MARIE, WARSAW, IRENE = (entity_iri(n).value for n in ("Marie Curie", "Warsaw", "Irène"))
BIRTH, STAY, CHILD = (triple_iri(triple).value for triple in (BORN, STAYED, DAUGHTER))


def agrees(graph: Graph) -> None:
    """Assert that the passages of a graph say what its store does."""
    passages = graph.passages
    chunks = passages.passages(graph.vectors("chunks").ids)
    for iri, passage in chunks.items():
        chunk = graph.chunk(iri)
        place = (passage.source, passage.start, passage.end, passage.text)
        assert place == (chunk.source, chunk.start, chunk.end, chunk.text)
        assert passage.english == ("" if chunk.english == chunk.text else chunk.english)
        assert passage.title == graph.document(chunk.source).title
    stated = {s.iri for passage in chunks.values() for s in passage.statements}
    assert stated == set(graph.vectors("triples").ids)
    for iri in stated:
        assert graph.evidence(iri).triple == graph.triple(iri)
    for iri in graph.vectors("names").ids:
        entity = graph.entity(graph.name_of(iri))
        assert entity is not None
        assert passages.mentions([iri]) == {iri: Mention(entity.name, entity.types)}
        assert passages.entry(iri).summary == entity.summary
        assert sorted(s.iri for _, s in passages.stating(iri)) == list(
            graph.triple_iris(entity.name)
        )
        pages = passages.about([iri]).get(iri, ())
        assert set(pages) == {c for c, p in chunks.items() if p.source in entity.documents}


def test_they_say_what_the_store_does(graph: Graph) -> None:
    agrees(graph)


def test_a_chunk_comes_with_its_document_and_what_it_states(graph: Graph) -> None:
    passage = graph.passages.passage(FIRST)
    assert (passage.source, passage.title, passage.about) == (CURIE, "Marie Curie", MARIE)
    assert (passage.start, passage.end) == (0, CHUNKS[0].end)
    assert (passage.text, passage.english) == (CHUNKS[0].text, "Curie was born.")
    assert [stated.iri for stated in passage.statements] == [BIRTH, STAY]
    assert passage.entities == {MARIE, WARSAW}
    born = passage.statements[0]
    assert (born.ends, born.relation) == ((MARIE, WARSAW), relation_iri("WAS_BORN_IN").value)
    assert (born.verified, born.negated) == (True, False)


def test_what_is_stated_in_one_place_is_a_sentence(graph: Graph) -> None:
    found = graph.passages.passages([CAPITAL, FIRST])
    assert list(found) == [CAPITAL, FIRST]
    assert found[CAPITAL].sentences == []
    assert [[s.iri for s in some] for some in found[FIRST].sentences] == [[BIRTH], [STAY]]


def test_the_pages_of_an_entity_are_the_chunks_of_the_documents_about_it(graph: Graph) -> None:
    assert graph.passages.about([MARIE, WARSAW]) == {MARIE: tuple(sorted((FIRST, SECOND)))}


def test_what_is_stated_of_an_entity_is_found_from_both_ends(graph: Graph) -> None:
    found = [(passage.iri, stated.iri) for passage, stated in graph.passages.stating(MARIE)]
    assert sorted(found) == sorted([(FIRST, BIRTH), (FIRST, STAY), (SECOND, CHILD)])
    assert not list(graph.passages.stating("https://example.org/nobody"))


def test_names_are_those_of_entities_types_and_relationships(graph: Graph) -> None:
    person, chemist = type_iri("person").value, type_iri("chemist").value
    found = graph.passages.entries([MARIE, person, relation_iri("WAS_BORN_IN").value, FIRST])
    assert [entry.name for entry in found.values()] == ["Marie Curie", "person", "WAS_BORN_IN"]
    entry = found[MARIE]
    assert entry == Entry("Marie Curie", person, tuple(sorted((chemist, person))), "A chemist.")
    assert graph.passages.mentions([MARIE]) == {
        MARIE: Mention("Marie Curie", ("person", "chemist"))
    }


def test_what_is_read_again_is_the_same_row(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mder.graph.passages._REMEMBERED", 1)
    first = graph.passages.passage(FIRST)
    assert graph.passages.passage(FIRST) is first
    assert graph.passages.passages([FIRST, SECOND])[FIRST] is first
    assert graph.passages.passage(FIRST) is not first


@pytest.mark.parametrize("iri", ["https://example.org/nothing", "a' OR 'a' = 'a", '"],["', ""])
def test_what_is_not_there_is_said_so(graph: Graph, iri: str) -> None:
    with pytest.raises(GraphError, match="no Chunk in this graph"):
        graph.passages.passages([FIRST, iri])
    with pytest.raises(GraphError, match="no Entity in this graph"):
        graph.passages.mentions([iri])
    assert not graph.passages.about([iri])
    assert not graph.passages.entries([iri])


def test_they_are_read_from_several_threads(graph: Graph) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def read(_: int) -> Passage:
        return Passages(graph.path / PASSAGES).passage(FIRST) and graph.passages.passage(FIRST)

    with ThreadPoolExecutor(4) as pool:
        assert len({passage.iri for passage in pool.map(read, range(40))}) == 1


def test_a_graph_of_an_earlier_version_has_none(graph: Graph) -> None:
    (graph.path / PASSAGES).unlink()
    with pytest.raises(GraphError, match=r"passages\.sqlite: .*; run mder index again"):
        graph.passages  # noqa: B018


def test_a_broken_file_is_told(graph: Graph) -> None:
    (graph.path / PASSAGES).write_bytes(b"no tables")
    with pytest.raises(GraphError, match=r"passages\.sqlite: .*; run mder index again"):
        graph.passages.passage(FIRST)
