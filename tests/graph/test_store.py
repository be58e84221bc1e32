import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from pyoxigraph import RdfFormat, Store

from mder.errors import GraphError, UsageError
from mder.graph import vocabulary as v
from mder.graph.export import dump
from mder.graph.store import Graph, Which
from mder.records import Entity, EvidenceKind
from tests.graph.sample import (
    BORN,
    CHUNKS,
    CURIE,
    DAUGHTER,
    ENTITIES,
    KNOWLEDGE,
    MERGES,
    MOSCOW,
    MOSCOW_CHUNK,
    STAYED,
)
from tests.graphs import MANIFEST, Knowledge, vector_of

Build = Callable[[Knowledge], Graph]
FIRST = v.chunk_iri(CURIE, 0).value


def test_what_was_written_is_read(graph: Graph) -> None:
    made = structs.replace(graph.manifest, counts=MANIFEST.counts, files=MANIFEST.files)
    assert made == MANIFEST
    for entity in ENTITIES:
        assert graph.entity(entity.name) == entity
    assert graph.triples("Marie Curie") == (BORN, STAYED, DAUGHTER)
    assert graph.triple(v.triple_iri(BORN).value) == BORN
    assert graph.chunk(FIRST) == CHUNKS[0]
    for reading in KNOWLEDGE.readings:
        document = replace(reading.document, text="")
        assert graph.document(document.source) == document
    assert graph.merges() == MERGES


def test_what_is_not_there_is_said_so(graph: Graph) -> None:
    assert graph.entity("Nobody") is None
    assert not graph.find("Nobody")
    assert not graph.triples("Nobody")
    assert not graph.chunks_of("Nobody")
    with pytest.raises(GraphError, match="no Triple"):
        graph.triple(FIRST)
    with pytest.raises(GraphError, match="no Document"):
        graph.document("nowhere.txt")
    with pytest.raises(GraphError, match="not an IRI"):
        graph.chunk("<script> {")
    with pytest.raises(GraphError, match="no Entity"):
        graph.evidence("https://example.org/nothing")


def test_names_are_found_by_any_spelling_and_alias(graph: Graph) -> None:
    assert graph.find("MARIE CURIE") == ("Marie Curie",)
    assert graph.find("m curie") == ("Marie Curie",)
    assert graph.find("москва") == graph.find("Moscow") == ("Москва",)
    assert graph.lookup["warszawa"] == ("Warsaw",)


def test_the_name_as_it_stands_comes_first(build: Build) -> None:
    names = [Entity("MERCURY"), Entity("Mercury"), Entity("Hg", aliases=("Mercury",))]
    graph = build(Knowledge(entities=tuple(names)))
    assert graph.find("Mercury") == ("Mercury", "MERCURY", "Hg")
    assert graph.find("mercury") == ("MERCURY", "Mercury", "Hg")


def test_chunks_entities_and_documents_are_linked(graph: Graph) -> None:
    assert graph.chunks_of("Marie Curie") == (FIRST,)
    assert graph.chunks_of("Warsaw") == (FIRST,)
    assert graph.documents_about("Москва") == (MOSCOW,)
    assert graph.name_of(v.entity_iri("Москва").value) == "Москва"


def test_a_triple_is_evidence_with_its_passage(graph: Graph) -> None:
    evidence = graph.evidence(v.triple_iri(DAUGHTER).value)
    assert (evidence.kind, evidence.text) == (EvidenceKind.TRIPLE, DAUGHTER.description)
    assert (evidence.quote, evidence.title) == ("Her daughter is Irène.", "Marie Curie")
    assert (evidence.source, evidence.start, evidence.end) == (CURIE, 56, 78)
    assert evidence.triple == DAUGHTER


def test_a_chunk_is_evidence_in_the_index_language_with_the_original(graph: Graph) -> None:
    evidence = graph.evidence(v.chunk_iri(MOSCOW, 0).value)
    assert evidence.kind is EvidenceKind.CHUNK
    assert (evidence.text, evidence.quote) == (MOSCOW_CHUNK.english, MOSCOW_CHUNK.text)


def test_a_summary_is_evidence_with_a_passage_of_the_document_about_it(graph: Graph) -> None:
    evidence = graph.evidence(v.entity_iri("Marie Curie").value)
    assert (evidence.kind, evidence.text) == (EvidenceKind.SUMMARY, "A chemist.")
    assert (evidence.source, evidence.quote) == (CURIE, "Marie Curie was born in Warsaw.")
    moscow = graph.evidence(v.entity_iri("Москва").value)
    assert (moscow.source, moscow.quote) == (MOSCOW, MOSCOW_CHUNK.text)


def test_an_entity_without_text_is_evidence_of_nothing(build: Build) -> None:
    evidence = build(Knowledge(entities=(Entity("Lone"),))).evidence(v.entity_iri("Lone").value)
    assert (evidence.text, evidence.source, evidence.quote) == ("", "", "")


def test_vectors_are_searched_in_their_set(graph: Graph) -> None:
    marie = v.entity_iri("Marie Curie").value
    nearest: tuple[tuple[Which, str, str], ...] = (
        ("names", "Marie Curie", marie),
        ("summaries", "A chemist.", marie),
        ("triples", BORN.description, v.triple_iri(BORN).value),
    )
    for which, text, iri in nearest:
        [(found, score)] = graph.search(which, vector_of(text), 1)
        assert found == iri
        assert score == pytest.approx(1)
    chunk = vector_of(MOSCOW_CHUNK.english)
    assert Graph.open(graph.path).search("chunks", chunk, 1)[0][0] == v.chunk_iri(MOSCOW, 0).value
    (graph.path / "vectors" / "chunks.0.npy").unlink()
    with pytest.raises(GraphError, match=r"chunks\.0\.npy: cannot read"):
        graph.search("chunks", chunk, 1)


def test_everything_is_counted(graph: Graph) -> None:
    assert graph.statistics() == {
        "documents": 2,
        "chunks": 3,
        "triples": 3,
        "verified": 2,
        "unverified": 1,
        "entities": 4,
        "types": 3,
        "relationships": 3,
        "merges": 2,
        "languages": {"en": 1, "ru": 1},
    }


def test_a_missing_or_broken_generation_is_named(graph: Graph, tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="generation nowhere is missing"):
        Graph.open(tmp_path / "nowhere")
    (graph.path / "manifest.json").write_text("{}")
    with pytest.raises(GraphError, match=r"is damaged: manifest\.json"):
        Graph.open(graph.path)


def test_a_graph_that_is_gone_is_closed_at_once(graph: Graph) -> None:
    descriptors = Path("/proc/self/fd")
    if not descriptors.is_dir():
        pytest.skip("the system does not tell what is open")

    def files() -> set[Path]:
        found = (link.resolve() for link in descriptors.iterdir())
        return {path for path in found if path.is_relative_to(graph.path)}

    before = files()
    opened = Graph.open(graph.path)
    assert opened.entity("Warsaw")
    assert len(list(descriptors.iterdir())) > len(before)
    del opened
    assert files() == before


def test_the_store_can_be_opened_by_many_at_once(graph: Graph) -> None:
    assert Graph.open(graph.path).entity("Warsaw") == graph.entity("Warsaw")


@pytest.mark.parametrize("form", ["nquads", "trig"])
def test_an_export_holds_every_quad(graph: Graph, form: str) -> None:
    output = io.BytesIO()
    dump(graph, form, output)  # type: ignore[arg-type]
    again = Store()
    again.load(output.getvalue(), {"nquads": RdfFormat.N_QUADS, "trig": RdfFormat.TRIG}[form])
    assert set(again) == set(graph.store)


def test_an_export_as_ntriples_is_the_union(graph: Graph) -> None:
    output = io.BytesIO()
    dump(graph, "ntriples", output)
    lines = output.getvalue().splitlines()
    assert len(lines) == len(set(lines)) == len({quad.triple for quad in graph.store})


def test_an_unknown_export_format_is_refused(graph: Graph) -> None:
    with pytest.raises(UsageError, match="known: nquads, trig, ntriples"):
        dump(graph, "xml", io.BytesIO())  # type: ignore[arg-type]
