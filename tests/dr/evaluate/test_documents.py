from pathlib import Path
from shutil import copytree

import pytest

from dr.evaluate.datasets import Example
from dr.evaluate.documents import documents_of
from mder.errors import SourceError, UsageError
from mder.graph.generations import Home
from mder.graph.store import Graph


def example(*rows: int, titles: tuple[str, ...] = (), kind: str = "") -> Example:
    return Example("q.jsonl, line 1", "0", "?", kind, ("x",), titles, rows)


def titles(graph: Graph, wanted: frozenset[str]) -> set[tuple[str, str]]:
    """Return what is wanted as (file, title)."""
    return {(source.partition("#")[0], graph.document(source).title) for source in wanted}


def test_rows_are_counted_over_all_corpora_in_their_order(
    graph: Graph, corpora: list[Path]
) -> None:
    documents = documents_of(graph, corpora, counted=True)
    planet, metal, other = documents.support(example(1, 4, 5))
    assert titles(graph, planet) == {("corpus.jsonl", "Mercury")}
    assert titles(graph, metal) == {("distractors.jsonl", "Mercury")}
    # The same row in two files is two Documents.
    assert titles(graph, other) == {("distractors.jsonl", "Mercury")}
    assert len({planet, metal, other}) == 3

    turned = documents_of(graph, corpora[::-1], counted=True)
    assert turned.support(example(0, 3)) == (metal, planet)


def test_a_row_that_repeats_another_is_the_same_document(graph: Graph, corpora: list[Path]) -> None:
    documents = documents_of(graph, corpora, counted=True)
    assert documents.support(example(2)) == documents.support(example(0))
    assert len(documents.support(example(0, 2))) == 1


def test_any_document_of_a_title_counts_for_it(graph: Graph, corpora: list[Path]) -> None:
    documents = documents_of(graph, corpora, counted=False)
    mercury, town = documents.support(example(titles=("Mercury", " Halden", "Halden")))
    assert len(mercury) == 3
    assert titles(graph, town) == {("corpus.jsonl", "Halden")}


def test_rows_come_before_titles(graph: Graph, corpora: list[Path]) -> None:
    documents = documents_of(graph, corpora, counted=True)
    assert documents.support(example(1, titles=("Halden",))) == documents.support(example(1))


def test_nothing_supports_what_has_no_answer(graph: Graph, corpora: list[Path]) -> None:
    documents = documents_of(graph, corpora, counted=True)
    assert documents.support(example(0, kind="null_query")) == ()


def test_what_the_graph_does_not_hold_is_counted(graph: Graph, corpora: list[Path]) -> None:
    documents = documents_of(graph, corpora, counted=True)
    found = documents.support(example(0)), documents.support(example(titles=("Nobody",)))
    bad_row = documents.support(example(3))
    assert documents.missing([*found, bad_row]) == 2


def test_a_row_beyond_the_last_is_named_with_its_question(
    graph: Graph, corpora: list[Path]
) -> None:
    documents = documents_of(graph, corpora, counted=True)
    with pytest.raises(UsageError, match=r"q.jsonl, line 1: no row 6 in corpora of 6 rows"):
        documents.support(example(6))


def test_rows_without_a_corpus_are_refused(graph: Graph) -> None:
    documents = documents_of(graph, (), counted=True)
    with pytest.raises(UsageError, match=r"--corpus FILE\.jsonl"):
        documents.support(example(0))


def test_a_corpus_that_the_graph_was_not_built_from_is_refused(
    graph: Graph, tmp_path: Path, corpora: list[Path]
) -> None:
    copy = tmp_path / "corpus.jsonl"
    copy.write_bytes(corpora[0].read_bytes())
    with pytest.raises(UsageError, match="was not built from this file"):
        documents_of(graph, [copy], counted=True)


def test_a_corpus_without_rows_will_do_where_none_are_counted(graph: Graph, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Halden\n\nText.\n", encoding="utf-8")
    assert documents_of(graph, [page], counted=False).rows is None
    with pytest.raises((UsageError, SourceError)):
        documents_of(graph, [page], counted=True)


def test_graph_and_corpora_may_be_moved_together(tmp_path: Path, kg: Path) -> None:
    moved = copytree(kg.parent, tmp_path / "moved")
    graph = Graph.open(Home.at(moved / "kg").current())
    documents = documents_of(graph, [moved / "corpus.jsonl"], counted=True)
    assert documents.missing([documents.support(example(0, 1))]) == 0
