from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mder.journal import Journal
from mder.pipeline.clock import Clock
from mder.pipeline.documents import read_all, reading_key
from mder.records import Document, Reading
from mder.settings import Settings
from tests.samples import reading

DOCUMENT = reading("A page", "It rains.").document


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.sqlite") as opened:
        yield opened


def key(
    document: Document = DOCUMENT,
    settings: Settings | None = None,
    reasoner: str = "syntax",
    embedder: str = "test",
) -> str:
    return reading_key(document, settings or Settings(), reasoner, embedder)


def test_the_key_of_results_is_that_of_what_they_depend_on() -> None:
    assert key() == key()
    others = [
        key(replace(DOCUMENT, digest="1" * 64)),
        key(replace(DOCUMENT, source="elsewhere.md")),
        key(settings=Settings(chunk_threshold=0.5)),
        key(settings=Settings(chunk_characters=999)),
        key(settings=Settings(language="de")),
        key(reasoner="ollama/tiny"),
        key(embedder="ollama/tiny-embed"),
    ]
    assert len({key(), *others}) == len(others) + 1


def test_what_only_the_whole_graph_depends_on_reads_nothing_anew() -> None:
    made = Settings(merge_threshold=0.5, summary_characters=9, merge_rounds=1, top_k=1, extra=0)
    assert key(settings=made) == key()


@pytest.mark.parametrize("jobs", [1, 2, 40])
def test_results_come_in_order_and_are_durable_by_then(journal: Journal, jobs: int) -> None:
    pairs = [(str(n), replace(DOCUMENT, source=str(n))) for n in range(100)]
    seen = 0
    for number, (name, found) in enumerate(read_all(pairs, Reading, journal, jobs)):
        assert name == str(number) == found.document.source
        assert journal.reading(name) == found
        seen += 1
    assert seen == 100


def test_what_was_read_before_a_failure_is_kept(journal: Journal) -> None:
    def read(document: Document) -> Reading:
        if document.source == "90":
            raise KeyboardInterrupt
        return Reading(document)

    pairs = [(str(n), replace(DOCUMENT, source=str(n))) for n in range(100)]
    with pytest.raises(KeyboardInterrupt):
        list(read_all(pairs, read, journal, 2))
    assert journal.reading("0")
    assert journal.reading("50")


def test_a_clock_sums_what_has_one_name() -> None:
    clock = Clock()
    for _ in range(2):
        with clock.time("a"), clock.time("b"):
            pass
    assert set(clock.seconds) == {"a", "b"}
    assert clock.seconds["a"] >= clock.seconds["b"] >= 0


def test_a_clock_counts_what_fails() -> None:
    clock = Clock()
    with pytest.raises(ValueError, match="x"), clock.time("a"):
        raise ValueError("x")
    assert "a" in clock.seconds
