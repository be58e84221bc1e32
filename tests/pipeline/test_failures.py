"""What a run does where something is broken, lost or killed."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mder.errors import GraphError
from mder.graph import draft
from mder.graph.draft import Draft
from mder.graph.generations import Home
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk, Document, Extraction
from tests.pipeline.look import opened, sources
from tests.samples import CURIE, PAGES, TRADE, WARSAW, run_index, save


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_killed_run_changes_nothing_loses_nothing_and_leaves_nothing(
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, {"warsaw.md": WARSAW})
    run_index(home, folder)
    save(folder, PAGES)
    with monkeypatch.context() as patch:
        patch.setattr(Draft, "finish", _stop)
        with pytest.raises(KeyboardInterrupt):
            run_index(home, folder)
    assert sources(home) == {"warsaw.md"}
    assert len(list(home.generations.iterdir())) == 1
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
    for check in ("violations", "changed_violations"):
        monkeypatch.setattr(draft, check, lambda *_: ["domain mder:hasName: x"])
    with pytest.raises(GraphError, match="the old one stays: domain mder:hasName"):
        run_index(home, folder)
    assert sources(home) == {"warsaw.md"}


@pytest.mark.parametrize("name", ["\u200b.txt", "\x01.txt", "#.txt", ".. .txt"])
def test_a_file_whose_name_says_nothing_is_indexed(home: Home, folder: Path, name: str) -> None:
    save(folder, {name: "It rained in Rome."})
    assert run_index(home, folder / name).read == 1
    assert all(found for (found,) in opened(home).query("SELECT ?n { ?e mder:hasName ?n }"))


def _lose_journal(home: Home) -> None:
    for file in home.path.glob("journal.sqlite*"):
        file.unlink()


def test_a_lost_journal_costs_a_reading_and_no_document(home: Home, folder: Path) -> None:
    save(folder, {"warsaw.md": WARSAW, "trade.txt": TRADE})
    run_index(home, folder)
    _lose_journal(home)
    save(folder, {"curie.md": CURIE})
    assert run_index(home, folder).read == 3
    assert sources(home) == set(PAGES)


def test_what_only_a_lost_journal_knew_is_asked_for_and_the_graph_stays(
    home: Home, folder: Path
) -> None:
    save(folder, PAGES)
    run_index(home, folder / "warsaw.md")
    _lose_journal(home)
    with pytest.raises(GraphError, match=r"no longer holds .* 1 documents .* warsaw\.md"):
        run_index(home, folder / "curie.md")
    assert sources(home) == {"warsaw.md"}
    run_index(home, folder)
    assert set(opened(home).manifest.documents) == sources(home) == set(PAGES)


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
