"""Runs over a few tiny pages, with the syntax Reasoner and the Embedder of the tests."""

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mder.errors import GraphError, UsageError
from mder.graph import export
from mder.graph.generations import Home
from mder.graph.store import Graph
from mder.graph.validate import violations
from mder.pipeline import generation, index
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk, Document, Extraction
from mder.settings import Settings, load
from tests.doubles import HashingEmbedder
from tests.samples import CURIE, MOSCOW, PAGES, TRADE, WARSAW, run_index, save


def quads(home: Home) -> str:
    """Return a whole graph as canonical N-Quads; it has no blank nodes."""
    output = io.BytesIO()
    export.dump(Graph.open(home.current()), "nquads", output)
    return "\n".join(sorted(output.getvalue().decode().splitlines()))


def opened(home: Home) -> Graph:
    return Graph.open(home.current())


def facts(home: Home) -> set[tuple[str, str, str]]:
    graph = opened(home)
    names = [name for (name,) in graph.query("SELECT ?n { ?e mder:hasName ?n ; a mder:Entity }")]
    triples = [triple for name in names for triple in graph.triples(name)]
    return {(t.subject.name, t.predicate, t.object.name) for t in triples}


def sources(home: Home) -> set[str]:
    rows = opened(home).query("SELECT ?s { ?d a mder:Document ; mder:hasUri ?s }")
    return {source for (source,) in rows}


def at(folder: Path) -> Home:
    return Home.create(folder / ".mder")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The quads of all pages, indexed at once."""
    folder = save(tmp_path_factory.mktemp("whole"), PAGES)
    run_index(at(folder), folder)
    return quads(at(folder))


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


def test_the_manifest_tells_what_the_graph_was_made_with(indexed: Home) -> None:
    made = opened(indexed).manifest
    assert (made.embedder, made.dimension, made.reasoner) == ("test/hashing", 64, "syntax")
    assert made.settings["merge_threshold"] == Settings().merge_threshold
    assert set(made.documents) == {*PAGES, "moscow.txt"}
    assert load(indexed.settings) == Settings()


def test_indexing_twice_does_nothing(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    first = run_index(home, folder)
    assert (first.generation, first.changed, first.read, first.kept) == (1, True, 3, 0)
    second = run_index(home, folder)
    assert (second.generation, second.changed, second.read, second.kept) == (1, False, 0, 3)
    assert [path.name for path in home.generations.iterdir()] == ["1"]


def test_a_changed_file_is_replaced_exactly(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    save(folder, {"warsaw.md": "# Warsaw\n\nWarsaw is the capital of Norway.\n"})
    report = run_index(home, folder)
    assert (report.generation, report.changed, report.read, report.kept) == (2, True, 1, 2)
    assert ("Warsaw", "IS_CAPITAL_OF", "Norway") in facts(home)
    assert "Poland" not in quads(home)
    save(folder, {"warsaw.md": WARSAW})
    run_index(home, folder)
    assert "Norway" not in quads(home)


def test_a_file_changed_back_gives_the_graph_that_was(home: Home, folder: Path, whole: str) -> None:
    save(folder, {**PAGES, "warsaw.md": "# Warsaw\n\nWarsaw burnt down.\n"})
    run_index(home, folder)
    save(folder, PAGES)
    run_index(home, folder)
    assert quads(home) == whole


def test_a_change_of_front_matter_alone_is_seen(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    save(folder, {"curie.md": CURIE.replace("2024-05-01", "2025-06-02")})
    assert run_index(home, folder).changed
    assert ("date", "2025-06-02") in opened(home).document("curie.md").metadata


def test_documents_that_are_not_named_stay(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder / "warsaw.md")
    report = run_index(home, folder / "curie.md")
    assert (report.read, report.kept) == (1, 0)
    assert sources(home) == {"warsaw.md", "curie.md"}


@pytest.mark.parametrize("jobs", [1, 2])
def test_neither_order_nor_jobs_change_the_graph(
    home: Home, folder: Path, whole: str, jobs: int
) -> None:
    save(folder, PAGES)
    paths = [folder / name for name in sorted(PAGES, reverse=True)]
    run_index(home, *paths, jobs=jobs)
    assert quads(home) == whole


def test_one_run_a_file_gives_the_graph_of_one_run(home: Home, folder: Path, whole: str) -> None:
    save(folder, PAGES)
    for name in sorted(PAGES, reverse=True):
        run_index(home, folder / name)
    assert quads(home) == whole


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


def test_the_generation_before_stays_readable(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    old = opened(home)
    save(folder, {"warsaw.md": "# Warsaw\n\nWarsaw is the capital of Norway.\n"})
    run_index(home, folder)
    assert old.find("Poland") == ("Poland",)
    assert Graph.open(home.generations / "1").entity("Norway") is None
    assert opened(home).entity("Poland") is None


def test_few_generations_are_kept(home: Home, folder: Path) -> None:
    for number in range(4):
        save(folder, {"page.txt": f"It rained {number} times.\n"})
        run_index(home, folder)
    assert sorted(path.name for path in home.generations.iterdir()) == ["3", "4"]


def test_other_settings_make_a_new_generation(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    report = run_index(home, folder, settings=Settings(summary_characters=60))
    assert (report.changed, report.read, report.kept) == (True, 0, 3)
    summaries = [s for (s,) in opened(home).query("SELECT ?s { ?e mder:hasSummary ?s }")]
    assert summaries
    entities = opened(home).query("SELECT ?s { ?e a mder:Entity ; mder:hasSummary ?s }")
    assert max(len(summary) for (summary,) in entities) <= 60
    assert load(home.settings).summary_characters == 60


def test_other_bounds_of_chunks_read_everything_anew(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    assert run_index(home, folder, settings=Settings(chunk_characters=80)).read == 3


Break = Callable[[pytest.MonkeyPatch], None]


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_killed_run_changes_nothing_loses_nothing_and_leaves_nothing(
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, {"warsaw.md": WARSAW})
    run_index(home, folder)
    save(folder, PAGES)
    with monkeypatch.context() as patch:
        patch.setattr(generation.store, "write", _stop)
        with pytest.raises(KeyboardInterrupt):
            run_index(home, folder)
    assert sources(home) == {"warsaw.md"}
    assert len(list(home.generations.iterdir())) == 2
    report = run_index(home, folder)
    assert (report.read, report.kept) == (0, 3)
    assert sorted(path.name for path in home.generations.iterdir()) == ["1", "2"]
    assert sources(home) == set(PAGES)


def test_a_run_whose_graph_breaks_a_rule_leaves_the_old_one(
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, {"warsaw.md": WARSAW})
    run_index(home, folder)
    save(folder, PAGES)
    monkeypatch.setattr(generation, "violations", lambda _graph: ["domain mder:hasName: x"])
    with pytest.raises(GraphError, match="breaks 1 rules .* the old one stays: domain"):
        run_index(home, folder)
    assert sources(home) == {"warsaw.md"}


def test_a_lost_journal_loses_no_document(home: Home, folder: Path) -> None:
    save(folder, {"warsaw.md": WARSAW, "trade.txt": TRADE})
    run_index(home, folder)
    for file in folder.glob(".mder/journal.sqlite*"):
        file.unlink()
    save(folder, {"curie.md": CURIE})
    run_index(home, folder)
    assert sources(home) == set(PAGES)


def test_the_manifest_names_the_documents_that_the_graph_holds(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder / "warsaw.md")
    for file in folder.glob(".mder/journal.sqlite*"):
        file.unlink()
    run_index(home, folder / "curie.md")
    assert set(opened(home).manifest.documents) == sources(home)


def test_a_graph_that_is_damaged_is_made_anew(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    (home.current() / "manifest.json").write_text("{")
    assert run_index(home, folder).changed
    assert sources(home) == set(PAGES)


class Lost(SyntaxReasoner):
    """Says where its triples stand, but points at no Chunk."""

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        found = super().extract(document, chunks)
        return replace(found, triples=tuple(replace(t, chunk=t.chunk + 1) for t in found.triples))


def test_a_reasoner_that_points_at_no_chunk_does_not_stop_the_run(home: Home, folder: Path) -> None:
    save(folder, {"warsaw.md": WARSAW})
    run_index(home, folder, reasoner=Lost())
    assert opened(home).statistics()["verified"] == 0


def test_progress_is_told_stage_by_stage_and_reaches_its_end(home: Home, folder: Path) -> None:
    from mder.journal import Journal

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
            SyntaxReasoner(),
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
    assert {"sources", "map", "disambiguate", "write", "validate", "encode"} <= set(seconds)
    assert all(value >= 0 for value in seconds.values())
