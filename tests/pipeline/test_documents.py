from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mder.journal import Journal
from mder.pipeline.clock import Clock
from mder.pipeline.documents import FAILED, read_all, reader, reading_key
from mder.reasoners.cast import Cast
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk, Document, Extraction, Reading
from mder.settings import STAGES, Settings
from tests.doubles import HashingEmbedder
from tests.samples import reading

DOCUMENT = reading("A page", "It rains.").document


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.sqlite") as opened:
        yield opened


MAPPED = {"map": "a/1"}


class Named(SyntaxReasoner):
    """The syntax Reasoner under any name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


def key(
    document: Document = DOCUMENT,
    settings: Settings | None = None,
    embedder: str = "test",
    others: Mapping[str, str] = {},
) -> str:
    """Return the key of what is read by ``syntax``, but for the stages of others."""
    names = dict.fromkeys(STAGES, "syntax") | dict(others)
    cast = Cast(**{stage: Named(name) for stage, name in names.items()})
    return reading_key(document, settings or Settings(), cast, embedder)


def test_the_key_of_results_is_that_of_what_they_depend_on() -> None:
    assert key() == key()
    others = [
        key(replace(DOCUMENT, digest="1" * 64)),
        key(replace(DOCUMENT, source="elsewhere.md")),
        key(settings=Settings(chunk_threshold=0.5)),
        key(settings=Settings(chunk_characters=999)),
        key(settings=Settings(language="de")),
        *(key(others={stage: "ollama/tiny"}) for stage in ("summarize", "translate", "map")),
        key(embedder="ollama/tiny-embed"),
    ]
    assert len({key(), *others}) == len(others) + 1


def test_what_only_the_whole_graph_depends_on_reads_nothing_anew() -> None:
    made = Settings(merge_threshold=0.5, summary_characters=9, merge_rounds=1, top_k=1, extra=0)
    assert key(settings=made) == key()
    whole = dict.fromkeys(("disambiguate", "enrich", "reduce"), "a/1")
    assert key(others=whole) == key()


def test_how_a_model_is_asked_shapes_only_what_models_read() -> None:
    made = Settings(own_summary_characters=9, llm_batch=1)
    assert key(settings=made) == key()
    read = {key(settings=s, others=MAPPED) for s in (Settings(), made, Settings(llm_batch=1))}
    assert len(read) == 3
    assert key(settings=Settings(llm_batch=5), others=MAPPED) in read


def test_what_is_asked_for_or_spent_reads_nothing_anew() -> None:
    made = Settings(price_in=1, speed_in=9, requests_per_minute=3, failed_share=0)
    assert key(settings=made, others=MAPPED) == key(others=MAPPED)


@pytest.mark.parametrize("jobs", [1, 2, 40])
def test_results_come_in_order_and_are_durable_by_then(journal: Journal, jobs: int) -> None:
    pairs = [(str(n), replace(DOCUMENT, source=str(n))) for n in range(100)]
    seen = 0
    for number, (name, found) in enumerate(read_all(pairs, Reading, journal, jobs)):
        assert name == str(number) == found.document.source
        assert journal.reading(name) == found
        seen += 1
    assert seen == 100


def test_results_of_which_a_part_failed_have_a_key_of_their_own(journal: Journal) -> None:
    pairs = [(name, replace(DOCUMENT, source=name)) for name in ("good", "bad")]

    def read(document: Document) -> Reading:
        return Reading(document, (), Extraction(failed=(0,) if document.source == "bad" else ()))

    found = read_all(pairs, read, journal, 1)
    assert [(name, r.document.source) for name, r in found] == [
        ("good", "good"),
        (f"bad{FAILED}", "bad"),
    ]
    assert journal.has(f"bad{FAILED}")
    assert not journal.has("bad")


class Stating(Named):
    """Says in summaries and translations who made them."""

    def summarize(self, chunks: Sequence[Chunk], to: str) -> tuple[Chunk, ...]:
        english = f"{self.name} in {to}" if to else ""
        return tuple(replace(c, summary=self.name, english=english) for c in chunks)

    def translate(self, text: str, language: str, to: str, source: str = "") -> str:  # noqa: ARG002
        return f"{text}, then {self.name}"


@pytest.mark.parametrize(("other", "english"), [("a", "a in en"), ("b", "a, then b")])
def test_who_does_both_summarizes_and_translates_at_once(other: str, english: str) -> None:
    one, two = Stating("a"), Stating("b")
    cast = replace(Cast.of(one), translate=one if other == "a" else two)
    page = replace(DOCUMENT, text="Es regnet in der Stadt, und es regnet auch auf dem Land. " * 9)
    read = reader(Settings(), cast, HashingEmbedder(), Clock())(page)
    assert {chunk.language for chunk in read.chunks} == {"de"}
    assert {chunk.english for chunk in read.chunks} == {english}


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
