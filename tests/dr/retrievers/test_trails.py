"""How Chunks are ranked by what leads to them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import mder
from dr.retrievers.trails import Look, Trail, Trails
from dr.retrievers.weights import ALONE, LINKED, Weights
from mder.embedders.base import Embedder
from mder.graph.store import Graph
from mder.records import Question

# What is asked stands in a page that shares no word with the question but through a name.
PAGES = {
    "gate.md": "# Silver Gate\n\nSilver Gate is a film directed by Clara Venn.\n",
    "venn.md": "# Clara Venn\n\nClara Venn was born in Halden.\n",
    "letter.md": "# Letters\n\nA letter of 1981 was sent from Odder to Clara Venn.\n",
    **{
        f"other-{n}.md": f"# Film {n}\n\nFilm {n} is a film directed by Person {n} of Paris.\n"
        for n in range(30)
    },
}
QUESTION = "Where was the director of Silver Gate born?"


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("trails")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return mder.build(folder, folder / "kg")


def ranked(
    graph: Graph, embedder: Embedder, weights: Weights | None = None, question: str = QUESTION
) -> list[Trail]:
    vector = embedder.encode([question])[0]
    trails = Trails(graph, weights)
    return trails.rank(Look(Question(question, ()), vector, trails.chunks.products(vector), {}), 5)


def test_what_a_good_chunk_leads_to_comes_next(linked: Graph, embedder: Embedder) -> None:
    first, second = ranked(linked, embedder)[:2]
    assert linked.passages.passage(first.chunk).title == "Silver Gate"
    assert linked.passages.passage(second.chunk).title == "Clara Venn"
    assert second.bridge is not None
    assert (second.bridge.origin, second.bridge.name) == (first.chunk, "Clara Venn")
    assert second.bridge.first


def test_without_links_only_what_is_like_the_question_is_found(
    linked: Graph, embedder: Embedder
) -> None:
    found = ranked(linked, embedder, replace(Weights(), link=-100.0))
    assert all(trail.bridge is None for trail in found)
    assert all(trail.features[len(ALONE) :] == (0.0,) * len(LINKED) for trail in found)


def test_a_score_is_the_sum_of_what_speaks_for_it(linked: Graph, embedder: Embedder) -> None:
    weights = Weights()
    for trail in ranked(linked, embedder):
        terms = zip((*ALONE, *LINKED), trail.features, strict=True)
        assert trail.score == pytest.approx(sum(getattr(weights, n) * v for n, v in terms))


def test_what_hops_found_counts(linked: Graph, embedder: Embedder) -> None:
    vector = embedder.encode([QUESTION])[0]
    ids = linked.vectors("chunks").ids
    (letter,) = (iri for iri in ids if linked.passages.passage(iri).title == "Letters")
    trails = Trails(linked)
    look = Look(Question(QUESTION, ()), vector, trails.chunks.products(vector), {})
    without = {t.chunk: t.score for t in trails.found(look, 50)}
    led = replace(look, resolved={letter: 1.0})
    found = {t.chunk: t.score for t in trails.found(led, 50)}
    assert found[letter] > without[letter]
    assert found[letter] - without[letter] == pytest.approx(Weights().resolved, abs=0.5)


def test_of_one_title_not_all_come_first(tmp_path: Path, embedder: Embedder) -> None:
    rows = [{"title": "Silver Gate", "text": f"Silver Gate {n} is a film."} for n in range(6)]
    rows.append({"title": "Clara Venn", "text": "Clara Venn directed the film Silver Gate."})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "rows.jsonl").write_text(lines, encoding="utf-8")
    graph = mder.build(tmp_path / "rows.jsonl", tmp_path / "kg")
    titles = [graph.passages.passage(trail.chunk).title for trail in ranked(graph, embedder)]
    assert "Clara Venn" in titles[:3]
