"""What a graph of small English passages costs: a bound that later changes must keep."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from mder.choice import Models
from mder.estimate import Estimate
from mder.library import estimate
from tests.doubles import HashingEmbedder

PEOPLE = "Anna Lindqvist", "Bruno Feld", "Clara Osei", "Dario Vento", "Edith Marsh", "Farid Noor"
TOWNS = "Kestrel Bay", "Lower Wick", "Marrow Hill", "Northgate", "Oldenford", "Pine Hollow"
BOOKS = "The Salt Road", "Nine Lanterns", "A Quiet Mill", "Ash and Iron", "Low Tide", "The Weir"


def passages() -> list[tuple[str, str]]:
    """Return titles and texts of 18 pages that speak of each other, as an encyclopedia does."""
    things = list(zip(PEOPLE, TOWNS, BOOKS, strict=True))
    pages = []
    for place, ((person, town, book), (friend, other, _)) in enumerate(
        pairwise([*things, things[0]])
    ):
        pages += [
            (
                person,
                f"{person} (born {3 + place} May {1901 + place} in {town}) was a novelist who "
                f"lived in {other}. The family of {friend} moved to {town} in {1920 + place}, "
                f"where the two founded a small press. {person} wrote {book}, which won the "
                f"Harbour Prize in {1930 + place}, and taught at the University of {other} until "
                f"{1950 + place}. The writer married {friend} in {1925 + place} and died in "
                f"{1970 + place}.",
            ),
            (
                town,
                f"{town} is a town on the river Arl, {12 + place} kilometres from {other}. It was "
                f"founded in {1300 + 10 * place} and has {4000 + 100 * place} inhabitants. The "
                f"museum of {town} shows letters of {person}, who was born there. A railway has "
                f"joined the town with {other} since {1880 + place}.",
            ),
            (
                book,
                f"{book} is a novel by {person}, published in {1929 + place} by the Arl Press. It "
                f"is set in {town} and tells of a miller who leaves for {other}. The novel was "
                f"made into a film by {friend} in {1960 + place}, and it has been translated into "
                f"{5 + place} languages.",
            ),
        ]
    return pages


def foreseen(folder: Path, pages: Sequence[tuple[str, str]], *settings: str) -> Estimate:
    rows = [json.dumps({"title": title, "text": text}) for title, text in pages]
    corpus = folder / "pages.jsonl"
    corpus.write_text("\n".join(rows), encoding="utf-8")
    models = Models(llm="ollama/tiny")
    return estimate([corpus], folder / ".mder", models=models, assignments=settings)


@pytest.fixture(autouse=True)
def _cheap_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mder.embedders.open_embedder", lambda _name="": HashingEmbedder())


def test_small_passage_takes_at_most_three_requests(tmp_path: Path) -> None:
    pages = passages()
    cost = foreseen(tmp_path, pages)
    assert cost.share == 1.0
    assert cost.stages["map"].calls == len(pages)
    assert cost.total.calls <= 3 * len(pages)
    assert {"summarize", "translate"}.isdisjoint(cost.stages)


def test_small_passage_takes_few_tokens(tmp_path: Path) -> None:
    pages = passages()
    cost = foreseen(tmp_path, pages)
    assert 0 < cost.total.tokens_out <= 600 * len(pages)
    assert 0 < cost.total.tokens_in <= 1500 * len(pages)


def test_asking_one_by_one_takes_many_times_as_much(tmp_path: Path) -> None:
    pages = passages()[:6]
    (tmp_path / "paper").mkdir()
    together = foreseen(tmp_path, pages)
    apart = foreseen(tmp_path / "paper", pages, "llm_batch=1")
    assert apart.stages["summarize"].calls == apart.stages["map"].calls == len(pages)
    assert apart.total.calls > 4 * together.total.calls
    assert apart.total.tokens_in > 2 * together.total.tokens_in
