import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from pyoxigraph import Literal, Quad

from mder.errors import GraphError
from mder.graph import changes, convert
from mder.graph import draft as module
from mder.graph import vocabulary as v
from mder.graph.draft import STATE, Draft
from mder.graph.passages import PASSAGES
from mder.graph.seal import check
from mder.graph.store import SETS, Graph
from mder.graph.tables import Tables
from mder.graph.validate import violations
from mder.records import Chunk, Document, Entity, Link, Mention, Merge, Reading, Triple
from tests.graph.sample import CURIE, ENTITIES, KNOWLEDGE, MERGES, MOSCOW
from tests.graph.test_passages import agrees
from tests.graphs import MANIFEST, NOTHING, Knowledge, change, quads, texts, write

MARIE = v.entity_iri("Marie Curie")
DOCUMENT = v.document_iri(CURIE)
ROWS = ("chunks", "ends", "entries")
TITLE = Quad(DOCUMENT, v.TITLE, Literal("Another"), DOCUMENT)


def part(sources: frozenset[str], summary: str, *, verified: bool) -> Knowledge:
    """Return what some of the Documents of the sample say."""
    triples = (replace(t, verified=verified) for t in KNOWLEDGE.triples if t.source in sources)
    of = {e.name: tuple(s for s in e.documents if s in sources) for e in ENTITIES}
    return Knowledge(
        tuple(r for r in KNOWLEDGE.readings if r.document.source in sources),
        tuple(replace(e, summary=f"{e.name}{summary}", documents=of[e.name]) for e in ENTITIES),
        tuple(triples),
        tuple(link for link in KNOWLEDGE.links if link.source in sources),
        tuple(merge for merge in MERGES if sources.issuperset(merge.sources)),
    )


Statement = tuple[str, str, str, bool]


def told(
    pages: dict[str, list[Statement]], types: dict[str, list[str]], merged: set[str]
) -> Knowledge:
    """Return what pages say that are called by their Entities, a statement a Chunk."""
    readings, triples = list[Reading](), list[Triple]()
    for title, statements in pages.items():
        chunks = []
        for start, (one, predicate, other, verified) in enumerate(statements):
            text = f"{one} {predicate} {other}"
            chunks.append(Chunk(title, start, start + 1, text, "en", text, text))
            left, right = Mention(one), Mention(other)
            place = (title, start, start, start + 1)
            triples.append(Triple(left, predicate, right, *place, verified, description=text))
        language = "en" if chunks else ""
        document = Document(title, title, "", str(statements), language)
        readings.append(Reading(document, tuple(chunks)))
    names = {*pages, *(name for t in triples for name in (t.subject.name, t.object.name))}
    return Knowledge(
        tuple(readings),
        tuple(
            Entity(
                name,
                tuple(types.get(name, ())),
                (f"{name[:1]}.",) if name in merged else (),
                "; ".join(t.description for t in triples if t.subject.name == name),
                (name,) if name in pages else (),
            )
            for name in names
        ),
        tuple(triples),
        tuple(Link(t.source, t.chunk, t.subject.name) for t in triples),
        tuple(Merge(name, f"{name[:1]}.", 1.0, "syntax", "") for name in names & merged),
    )


NAMES = st.sampled_from(["Ann", "Bob", "Oslo"])
STATEMENTS = st.tuples(NAMES, st.sampled_from(["MET", "LIKES"]), NAMES, st.booleans())
TYPES = st.lists(st.sampled_from(["person", "city"]), unique=True)
STATES = st.builds(
    told,
    st.dictionaries(NAMES, st.lists(STATEMENTS, max_size=3, unique_by=str)),
    st.dictionaries(NAMES, TYPES),
    st.sets(NAMES),
) | st.builds(
    part,
    st.frozensets(st.sampled_from([CURIE, MOSCOW])),
    st.sampled_from(["", " one", " two"]),
    verified=st.booleans(),
)


def said(graph: Graph) -> dict[str, object]:
    """Return all that a graph says, however it is stored."""
    vectors: dict[str, object] = {
        which: sorted((key, row.tolist()) for key, row in graph.vectors(which).items())
        for which in SETS
    }
    graphs = set(graph.store.named_graphs())
    tables = Tables.reading(graph.path / PASSAGES)
    rows = {name: sorted(tables.rows(f"SELECT * FROM {name}")) for name in ROWS}
    return {"graphs": graphs, "counts": graph.manifest.counts, **vectors, **rows}


@settings(max_examples=6)
@given(st.lists(st.lists(STATES, min_size=1, max_size=3), min_size=2, max_size=4))
def test_a_generation_that_was_changed_is_the_one_that_would_have_been_written(
    tmp_path_factory: pytest.TempPathFactory, runs: list[list[Knowledge]]
) -> None:
    folder, path, before = tmp_path_factory.mktemp("generations"), None, NOTHING
    for number, (*on_the_way, after) in enumerate(runs):
        # From nothing, all is given once.
        steps = [before, *on_the_way] if path else [NOTHING]
        path = write(folder / f"{number}", after, base=path, before=steps)
        changed = Graph.open(path)
        assert set(changed.store) == set(quads(after))
        ids = {which: sorted(rows) for which, rows in texts(after).items()}
        assert {which: sorted(changed.vectors(which).ids) for which in SETS} == ids
        agrees(changed)
        before = after
    once = Graph.open(write(folder / "at once", before))
    assert said(changed) == said(once)
    assert violations(changed) == []


def test_what_nothing_has_any_more_is_let_go(tmp_path: Path) -> None:
    base = write(tmp_path / "1", KNOWLEDGE)
    staged = tmp_path / "2"
    staged.mkdir()
    draft = Draft.begin(staged, base)
    draft.document(CURIE, ())
    for gone in (MARIE, v.merge_iri(MERGES[0])):
        draft.node(gone, ())
    draft.finish(MANIFEST)
    graph = Graph.open(staged)
    left = {v.entity_iri(name).value for name in ("Irène", "Warsaw", "Москва")}
    assert set(graph.vectors("names").ids) == set(graph.vectors("summaries").ids) == left
    assert graph.vectors("triples").ids == []
    assert graph.vectors("chunks").ids == [v.chunk_iri(MOSCOW, 0).value]
    # Irène is a person still, and nobody is a chemist.
    kinds = graph.store.quads_for_pattern(None, v.RDF_TYPE, v.ENTITY_TYPE)
    assert {quad.subject for quad in kinds} == {v.type_iri("person"), v.type_iri("city")}
    assert not list(graph.store.quads_for_pattern(None, v.RDF_TYPE, v.RELATIONSHIP))
    kinds_left = [v.type_iri(kind).value for kind in ("city", "person")]
    assert sorted(graph.vectors("relations").ids) == kinds_left
    assert (graph.manifest.counts.types, graph.manifest.counts.relationships) == (2, 0)


def test_what_comes_and_goes_in_one_draft_leaves_nothing(tmp_path: Path) -> None:
    base = write(tmp_path / "1", KNOWLEDGE)
    guest = told({"Ann": [("Ann", "MET", "Bob", True)]}, {"Ann": ["guest"]}, {"Ann"})
    new = write(tmp_path / "2", KNOWLEDGE, base=base, before=[KNOWLEDGE, guest])
    assert set(Graph.open(new).store) == set(Graph.open(base).store)
    assert said(Graph.open(new)) == said(Graph.open(base))


def test_readers_of_the_one_before_are_not_disturbed(tmp_path: Path) -> None:
    base = write(tmp_path / "1", KNOWLEDGE)
    graph = Graph.open(base)
    before = set(graph.store)
    write(
        tmp_path / "2", part(frozenset({MOSCOW}), "", verified=True), base=base, before=[KNOWLEDGE]
    )
    assert set(graph.store) == set(Graph.open(base).store) == before
    assert check(base, thorough=True) == graph.manifest


def test_what_does_not_change_is_shared_with_the_one_before(tmp_path: Path) -> None:
    base = write(tmp_path / "1", KNOWLEDGE)
    (tmp_path / "2").mkdir()
    draft = Draft.begin(tmp_path / "2", base)
    draft.node(MARIE, convert.entity_quads(replace(ENTITIES[1], summary="She.")))
    draft.finish(MANIFEST)
    shared = {path.name for path in (tmp_path / "2").rglob("*") if path.stat().st_nlink == 2}
    assert {f"{which}.0.npy" for which in SETS} < shared
    assert any(name.endswith(".sst") for name in shared)


def test_without_hard_links_there_are_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    base = write(tmp_path / "1", KNOWLEDGE)
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    after = part(frozenset({CURIE}), "", verified=True)
    new = Graph.open(write(tmp_path / "2", after, base=base, before=[KNOWLEDGE]))
    assert set(new.store) == set(quads(after))
    assert check(base, thorough=True)


def test_another_disk_gets_copies(tmp_path: Path) -> None:
    other = Path("/dev/shm")
    if not other.is_dir() or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is one disk only")
    base = write(tmp_path / "1", KNOWLEDGE)
    staged = other / tmp_path.name
    try:
        graph = Graph.open(write(staged, KNOWLEDGE, base=base, before=[KNOWLEDGE]))
        assert set(graph.store) == set(quads(KNOWLEDGE))
    finally:
        shutil.rmtree(staged, ignore_errors=True)


@pytest.mark.parametrize("based", [False, True])
def test_what_is_written_in_slices_is_all_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, based: bool
) -> None:
    base = write(tmp_path / "0", NOTHING) if based else None
    monkeypatch.setattr(module, "_SLICE", 10)
    monkeypatch.setattr(module, "_BUFFERED", 10)
    graph = Graph.open(write(tmp_path / "1", KNOWLEDGE, base=base))
    assert set(graph.store) == set(quads(KNOWLEDGE))
    assert graph.statistics()["triples"] == 3


@pytest.mark.parametrize("based", [False, True])
def test_a_draft_knows_the_merges_that_it_was_given(tmp_path: Path, *, based: bool) -> None:
    base = write(tmp_path / "1", KNOWLEDGE) if based else None
    (tmp_path / "2").mkdir()
    draft = Draft.begin(tmp_path / "2", base)
    if not based:
        change(draft, NOTHING, KNOWLEDGE)
    assert draft.merges(MARIE) == {v.merge_iri(MERGES[0])}
    if based:
        draft.node(v.merge_iri(MERGES[0]), [])
        assert not draft.merges(MARIE)


def test_quads_of_another_place_are_refused(tmp_path: Path) -> None:
    draft = Draft.begin(tmp_path, None)
    with pytest.raises(ValueError, match="not of"):
        draft.document(MOSCOW, [TITLE])
    with pytest.raises(ValueError, match="not of"):
        draft.node(MARIE, [Quad(DOCUMENT, v.TITLE, Literal("Another"), v.ENTITIES)])


@pytest.mark.parametrize(("based", "remembered"), [(False, 9), (True, 9), (True, 0)])
def test_a_graph_that_breaks_a_rule_is_not_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, based: bool, remembered: int
) -> None:
    monkeypatch.setattr(changes, "_MOST", remembered)
    base = write(tmp_path / "1", KNOWLEDGE) if based else None
    (tmp_path / "2").mkdir()
    draft = Draft.begin(tmp_path / "2", base)
    titled = [q for q in quads(KNOWLEDGE) if q.graph_name == DOCUMENT]
    if not based:
        change(draft, NOTHING, replace(KNOWLEDGE, readings=()))
    draft.graph(DOCUMENT, [*titled, TITLE])
    with pytest.raises(GraphError, match=r"the old one stays: .*dcterms:title"):
        draft.finish(MANIFEST)
    assert not (tmp_path / "2" / "seal").exists()


def test_vectors_of_two_embedders_are_not_mixed(tmp_path: Path) -> None:
    base = write(tmp_path / "1", KNOWLEDGE)
    (tmp_path / "2").mkdir()
    with pytest.raises(ValueError, match="other over vectors of test"):
        Draft.begin(tmp_path / "2", base).finish(structs.replace(MANIFEST, embedder="other"))


def test_the_state_of_the_one_before_comes_along(tmp_path: Path) -> None:
    base = write(tmp_path / "1", KNOWLEDGE)
    (base / STATE).write_text("what the pipeline knows")
    (tmp_path / "2").mkdir()
    draft = Draft.begin(tmp_path / "2", base)
    (tmp_path / "2" / STATE).write_text("what it knows now")
    draft.finish(MANIFEST)
    assert (base / STATE).read_text() == "what the pipeline knows"
    assert STATE in Graph.open(tmp_path / "2").manifest.files


def test_a_disk_that_fails_is_told_with_what_mends_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GraphError, match=r"file: cannot write the graph.*mend its rights"):
        Draft.begin(tmp_path / "file", None)
    with pytest.raises(GraphError, match="cannot write the graph"):
        Draft.begin(tmp_path, tmp_path / "nowhere")
