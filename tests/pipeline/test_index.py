"""Runs over a few tiny pages, with the syntax Reasoner and the Embedder of the tests."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from mder.errors import UsageError
from mder.graph.generations import Home
from mder.graph.manifest import read_manifest
from mder.graph.seal import seal
from mder.graph.validate import violations
from mder.graph.vocabulary import relation_iri, type_iri
from mder.journal import Journal
from mder.pipeline import index
from mder.reasoners.cast import Cast
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk, Document, Extraction
from mder.settings import STAGES, Settings, load
from tests.doubles import HashingEmbedder
from tests.pipeline.look import facts, opened, sources
from tests.samples import MOSCOW, PAGES, TRADE, WARSAW, run_index, save


def test_documents_become_a_graph(indexed: Home) -> None:
    assert sources(indexed) == {*PAGES, "moscow.txt"}
    assert ("Marie Curie", "WAS_BORN_IN", "Warsaw") in facts(indexed)
    assert ("Warsaw", "IS_CAPITAL_OF", "Poland") in facts(indexed)


def test_titles_and_mentions_in_several_documents_are_one_entity(indexed: Home) -> None:
    graph = opened(indexed)
    assert graph.documents_about("Warsaw") == ("warsaw.md",)
    mentioning = {graph.chunk(iri).source for iri in graph.chunks_of("Warsaw")}
    assert mentioning == {"warsaw.md", "curie.md"}


def test_the_graph_keeps_every_rule_of_its_ontology(indexed: Home) -> None:
    assert violations(opened(indexed)) == []


def test_everything_has_its_vector(indexed: Home) -> None:
    graph = opened(indexed)
    counts = graph.statistics()
    for which, of in (("names", "entities"), ("triples", "triples"), ("chunks", "chunks")):
        vector = HashingEmbedder().encode(["Warsaw"])[0]
        assert len(graph.search(which, vector, 10_000)) == counts[of]  # type: ignore[arg-type]


def test_relations_and_types_have_the_vectors_of_their_words(indexed: Home) -> None:
    graph = opened(indexed)
    vectors = graph.vectors("relations")
    nodes = graph.query("SELECT ?s { ?s a ?c FILTER(?c IN (mder:Relationship, mder:EntityType)) }")
    assert sorted(vectors.ids) == sorted(iri for (iri,) in nodes)
    iris = [relation_iri("WAS_BORN_IN").value, type_iri("person").value]
    words = HashingEmbedder().encode(["was born in", "person"])
    assert vectors.vectors(iris).tolist() == words.tolist()


def test_a_graph_of_an_earlier_version_without_their_vectors_is_worked_out_anew(
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, PAGES)
    with monkeypatch.context() as earlier:
        earlier.setattr("mder.pipeline.run.STAGES", 2)
        run_index(home, folder)
    path = home.current()
    for file in (path / "vectors").glob("relations.*"):
        file.unlink()
    made = read_manifest(path)
    files = {name: f for name, f in made.files.items() if "relations" not in name}
    seal(path, structs.replace(made, files=files))
    report = run_index(home, folder)
    assert (report.changed, report.read) == (True, 0)
    assert len(opened(home).vectors("relations"))


def test_the_manifest_tells_what_the_graph_was_made_with(indexed: Home) -> None:
    made = opened(indexed).manifest
    assert (made.embedder, made.dimension) == ("test/hashing", 64)
    assert made.reasoners == dict.fromkeys(STAGES, "syntax")
    assert made.costs == []
    assert made.settings["merge_threshold"] == Settings().merge_threshold
    assert set(made.documents) == {*PAGES, "moscow.txt"}
    assert load(indexed.settings) == Settings()


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_indexed(
    home: Home, folder: Path
) -> None:
    save(folder, {"trade.txt": TRADE, "empty.txt": ""})
    (folder / "paper.pdf").write_bytes(b"%PDF-1.7\n")
    report = run_index(home, folder)
    assert report.read == 1
    assert len(report.skipped) == 2
    assert any("empty.txt: empty" in reason for reason in report.skipped)
    assert any("paper.pdf" in reason for reason in report.skipped)
    assert sources(home) == {"trade.txt"}


def test_a_document_that_can_no_longer_be_read_stays(home: Home, folder: Path) -> None:
    save(folder, {"trade.txt": TRADE, "warsaw.md": WARSAW})
    run_index(home, folder)
    save(folder, {"trade.txt": ""})
    report = run_index(home, folder)
    assert len(report.skipped) == 1
    assert sources(home) == {"trade.txt", "warsaw.md"}


def test_a_language_that_is_not_read_is_reported_once_and_its_text_can_be_found(
    home: Home, folder: Path
) -> None:
    save(folder, {"moscow.txt": MOSCOW * 30, "warsaw.md": WARSAW})
    report = run_index(home, folder)
    assert report.unread == (("moscow.txt", "ru"),)
    graph = opened(home)
    (vector,) = HashingEmbedder().encode(["Москва является столицей России"])
    best, _ = graph.search("chunks", vector, 1)[0]
    assert graph.chunk(best).source == "moscow.txt"
    assert graph.documents_about("Москва") == ("moscow.txt",)
    assert not graph.triples("Москва")


def test_no_document_at_all_gives_an_empty_graph(home: Home, folder: Path) -> None:
    (folder / "docs").mkdir()
    assert run_index(home, folder / "docs").read == 0
    assert opened(home).statistics()["documents"] == 0
    assert violations(opened(home)) == []


def test_a_path_that_does_not_exist_is_refused_and_changes_nothing(
    home: Home, folder: Path
) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        run_index(home, folder / "nowhere")
    assert not list(home.generations.iterdir())


def test_progress_is_told_stage_by_stage_and_reaches_its_end(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    told: dict[str, list[tuple[int, int]]] = {}

    def note(stage: str, done: int, total: int) -> None:
        told.setdefault(stage, []).append((done, total))

    with home.lock(), Journal(home.journal) as journal:
        index(
            [folder],
            home,
            journal,
            Settings(),
            Cast.of(SyntaxReasoner()),
            HashingEmbedder(),
            progress=note,
        )
    assert list(told) == ["sources", "read", "disambiguate", "enrich", "reduce"]
    for steps in told.values():
        assert steps == sorted(steps)
        done, total = steps[-1]
        assert done == total > 0


def test_the_report_says_how_long_each_part_took(home: Home, folder: Path) -> None:
    save(folder, {"warsaw.md": WARSAW})
    seconds = run_index(home, folder).seconds
    stages = {"sources", "map", "disambiguate", "enrich", "link", "reduce"}
    assert stages | {"write", "vectors", "encode"} <= set(seconds)
    assert all(value >= 0 for value in seconds.values())


class Doubting(SyntaxReasoner):
    """Is sure of nothing that it reads."""

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        found = super().extract(document, chunks)
        return replace(found, triples=tuple(replace(t, verified=False) for t in found.triples))


def test_what_is_not_verified_is_kept_and_feeds_neither_edges_nor_summaries(
    home: Home, folder: Path
) -> None:
    save(folder, PAGES)
    run_index(home, folder, reasoner=Doubting())
    graph = opened(home)
    assert graph.statistics()["unverified"] == graph.statistics()["triples"] != 0
    assert all(t.description for t in graph.triples("Marie Curie"))
    assert not list(graph.query("SELECT ?s { ?r a mder:Relationship . ?s ?r ?o }"))
    assert graph.triples("Pierre Curie")
    rows = graph.query("SELECT ?e ?n { ?e a mder:Entity ; mder:hasName ?n }")
    for iri, name in rows:
        entity = graph.entity(name)
        assert entity is not None
        vector = HashingEmbedder().encode([entity.summary])[0]
        likest = [found for found, score in graph.search("summaries", vector, 99) if score > 0.999]
        assert iri in likest, name
