from pathlib import Path

import pytest

from dr.retrievers.lexicon import Lexicon
from mder.graph.words import WORDS, WordIndex, words, write_words

TEXTS = {"a": "Ida sang in Oslo", "b": "Karl sang", "c": "Nobody came"}


@pytest.fixture
def index(tmp_path: Path) -> WordIndex:
    rows = [(iri, " ".join(words(text))) for iri, text in TEXTS.items()]
    write_words(tmp_path / WORDS, lambda: rows)
    return WordIndex(tmp_path / WORDS)


def test_the_best_chunk_has_the_whole_of_the_score(index: WordIndex) -> None:
    shares = Lexicon(index, "Who sang in Oslo?").shares(["a", "b", "c"])
    assert shares[0] == pytest.approx(1.0)
    assert 0 < shares[1] < 1
    assert shares[2] == 0


def test_each_word_has_its_part(index: WordIndex) -> None:
    lexicon = Lexicon(index, "Oslo sang sang")
    assert lexicon.words == ("oslo", "sang")
    assert (lexicon.parts(["b", "a"]) > 0).tolist() == [[False, True], [True, True]]


@pytest.mark.parametrize("text", ["", "?", "zinc"])
def test_a_question_of_no_known_word_is_like_nothing(index: WordIndex, text: str) -> None:
    lexicon = Lexicon(index, text)
    assert lexicon.shares(["a", "b"]).tolist() == [0.0, 0.0]
    assert not lexicon.parts(["a", "b"]).any()


def test_names_are_held_and_rare(index: WordIndex) -> None:
    lexicon = Lexicon(index, "")
    assert lexicon.holding("Karl sang", 5) == ("b",)
    assert lexicon.rarity("Ida") > lexicon.rarity("sang") > 0
