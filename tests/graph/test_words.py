from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from bm25s import BM25
from hypothesis import given, settings
from hypothesis import strategies as st

from mder.errors import GraphError
from mder.graph import words as module
from mder.graph.words import WORDS, WordIndex, words, write_words

TEXTS = {
    "chunk:a": "Warsaw Marie Curie was born in Warsaw",
    "chunk:b": "Marie Curie Marie Curie studied in Paris",
    "chunk:c": "Paris The capital of France",
    "chunk:d": "—",
    "chunk:e": "Paris The capital of France",
}


def made(folder: Path, texts: Mapping[str, str]) -> WordIndex:
    rows = sorted((iri, " ".join(words(text))) for iri, text in texts.items())
    write_words(folder / WORDS, lambda: rows)
    return WordIndex(folder / WORDS)


@pytest.fixture
def index(tmp_path: Path) -> WordIndex:
    return made(tmp_path, TEXTS)


def test_the_best_chunk_comes_first_and_equal_ones_by_iri(index: WordIndex) -> None:
    found = index.search("the capital, PARIS!", 10)
    assert [iri for iri, _ in found] == ["chunk:c", "chunk:e", "chunk:b"]
    assert found[0][1] == found[1][1] > found[2][1] > 0
    assert index.search("the capital, PARIS!", 1) == found[:1]
    assert index.search("paris", 0) == index.search("paris", -1) == []


def test_what_has_no_word_in_common_is_not_found(index: WordIndex) -> None:
    assert index.search("zinc", 5) == index.search("", 5) == index.search("?!", 5) == []
    assert index.scores("zinc").tolist() == [0.0] * len(index.ids)


def test_scores_stand_in_the_order_of_the_ids(index: WordIndex) -> None:
    scores = dict(zip(index.ids, index.scores("Warsaw Curie").tolist(), strict=True))
    assert {iri: score for iri, score in scores.items() if score} == dict(
        index.search("curie warsaw curie", 9)
    )


def test_scores_of_some_chunks_are_those_of_all(index: WordIndex) -> None:
    found = index.scores_of("Warsaw Curie", ["chunk:a", "chunk:c", "chunk:zzz"])
    assert found == {"chunk:a": index.scores("Warsaw Curie")[0], "chunk:c": 0.0, "chunk:zzz": 0.0}


TOKENS = st.lists(st.lists(st.sampled_from("a b c d e".split()), max_size=6), min_size=1)


@settings(max_examples=20)
@given(TOKENS, st.sets(st.sampled_from("a b c d e f".split()), min_size=1))
def test_scores_are_those_of_bm25s(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]], asked: set[str]
) -> None:
    model = BM25(method="lucene")
    model.index([*texts, ["a", "b", "c", "d", "e"]], show_progress=False)
    told = {f"chunk:{n:03}": " ".join(text) for n, text in enumerate([*texts, list("abcde")])}
    index = made(tmp_path_factory.mktemp("words"), told)
    expected = model.get_scores(sorted(asked - {"f"})) if asked - {"f"} else np.zeros(len(told))
    np.testing.assert_allclose(index.scores(" ".join(asked)), expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Tolkien’s J.R.R. TOLKIEN'S", ["tolkien", "jrr", "tolkien"]),
        ("C++ -- 3.14, U.S. & 1939–1945", ["c++", "3.14", "us", "1939", "1945"]),
        ("東京都 in 水", ["東京", "京都", "in", "水"]),
        ("iPhone用ケース", ["iphone", "用ケ", "ケー", "ース"]),
        ("Москва — столица", ["москва", "столица"]),
        ('\ud800 \x00 *:* (NOT "a") ?x . } UNION {', ["not", "a", "x", "union"]),
    ],
)
def test_a_text_is_words_whatever_it_says(text: str, found: list[str]) -> None:
    assert list(words(text)) == found


def test_a_text_without_spaces_is_found_by_a_part_of_it(tmp_path: Path) -> None:
    index = made(tmp_path, {"chunk:1": "玛丽·居里出生于华沙。", "chunk:2": "巴黎是法国的首都。"})
    assert [iri for iri, _ in index.search("居里在哪里出生?", 2)] == ["chunk:1"]
    assert [iri for iri, _ in index.search("法国首都", 2)] == ["chunk:2"]


def test_a_word_that_very_many_chunks_have_counts_only_where_it_is_alone(
    index: WordIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_COMMON", 1)
    assert [iri for iri, _ in index.search("Paris Warsaw", 5)] == ["chunk:a"]
    assert len(index.search("Paris", 5)) == 3


@pytest.mark.parametrize("texts", [{}, {"chunk:d": "—"}])
def test_an_index_without_words_finds_nothing(tmp_path: Path, texts: dict[str, str]) -> None:
    index = made(tmp_path, texts)
    assert index.ids == list(texts)
    assert index.search("Paris", 3) == []


def test_the_same_chunks_give_the_same_files(tmp_path: Path) -> None:
    for number, texts in (("1", TEXTS), ("2", dict(reversed(TEXTS.items())))):
        (tmp_path / number).mkdir()
        made(tmp_path / number, texts)
    files = [
        {path.name: path.read_bytes() for path in (tmp_path / n / WORDS).iterdir()} for n in "12"
    ]
    assert all(one == other for one, other in pairwise(files))


def test_an_index_that_is_missing_is_told_with_what_mends_it(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"no index of words.*run mder index again"):
        WordIndex(tmp_path / WORDS)


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    made(tmp_path, TEXTS)
    (tmp_path / WORDS / "vocabulary").write_text("paris\n")
    with pytest.raises(GraphError, match="do not fit together"):
        WordIndex(tmp_path / WORDS)


def test_what_each_word_adds_makes_up_the_score(index: WordIndex) -> None:
    rows = index.places(["chunk:b", "chunk:a"])
    parts = sum(index.part(word, rows) for word in ("curie", "warsaw", "zinc"))
    np.testing.assert_allclose(parts, index.scores("Curie Warsaw zinc")[rows])
    assert index.part("zinc", rows).tolist() == [0.0, 0.0]


def test_chunks_that_hold_all_words_are_found_unless_they_are_too_many(index: WordIndex) -> None:
    held = index.holding(words("Marie Curie"), 2)
    assert [index.ids[row] for row in held] == ["chunk:a", "chunk:b"]
    assert not len(index.holding(words("Marie Curie"), 1))
    assert not len(index.holding(words("Marie zinc"), 9))
    assert not len(index.holding(words("?"), 9))


def test_a_word_of_few_chunks_is_rare(index: WordIndex) -> None:
    assert index.rarity("warsaw") > index.rarity("paris") > 0


def test_a_chunk_that_is_not_there_has_no_place(index: WordIndex) -> None:
    with pytest.raises(GraphError, match="no words of chunk:zzz; run mder index again"):
        index.places(["chunk:zzz"])
