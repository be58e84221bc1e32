import doctest
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dr.evaluate import metrics
from dr.evaluate.metrics import best, exact_match, f1, folded, recall_at, soft_match, squad

words = st.lists(st.sampled_from(["a", "the", "Rome", "no", "Élan", "1.5", "—", "!"])).map(" ".join)


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(metrics).failed == 0


@pytest.mark.parametrize("form", [squad, folded])
@given(text=st.text() | words)
def test_a_normal_form_is_its_own(form: Callable[[str], str], text: str) -> None:
    normal = form(text)
    assert form(normal) == normal
    assert normal == " ".join(normal.split())
    assert not {"a", "an", "the"} & set(normal.split())


@given(words)
def test_case_and_punctuation_around_words_do_not_matter(text: str) -> None:
    assert squad(f"  {text.upper()}!") == squad(text)
    assert folded(f"«{text.upper()}…»") == folded(text)


@given(words, words)
def test_f1_is_between_none_and_all_whichever_way_round(one: str, other: str) -> None:
    assert 0 <= f1(one, other) <= 1
    assert f1(one, other) == f1(other, one)
    assert f1(one, one) == exact_match(one, one) == 1
    assert f1(one, other) >= exact_match(one, other)


def test_f1_counts_a_repeated_word_as_often_as_it_is_expected() -> None:
    assert f1("rome rome", "rome") == pytest.approx(2 / 3)


def test_nothing_matches_nothing_but_an_empty_expectation() -> None:
    assert f1("", "Rome") == f1("Rome", "") == 0
    assert soft_match("anything", "the") == 0


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("She was born in Warsaw, Poland.", "warsaw", True),
        ("It is in Norway.", "no", False),
        ("Renée said: no!", "NO", True),
        ("Renee", "Renée", False),
        ("Rene\u0301e", "Ren\u00e9e", True),
        ("He lived in New York City.", "the New York", True),
        ("他出生于华沙。", "华沙", True),
        ("ワルシャワで生まれた", "ワルシャワ", True),
        ("５．５ million", "5.5 million", True),
        ("C++ (language)", "C++", True),
    ],
)
def test_an_answer_occurs_as_whole_words_in_any_script(
    text: str, expected: str, *, found: bool
) -> None:
    assert soft_match(text, expected) == float(found)


def test_the_best_of_several_right_answers_counts() -> None:
    assert best(f1, "Marie Curie", ["Curie", "Marie Curie", "x"]) == 1
    assert best(f1, "Marie Curie", []) == 0


def test_recall_counts_each_wanted_document_once_whichever_of_its_copies_is_found() -> None:
    support = [frozenset({"a", "b"}), frozenset({"c"})]
    assert recall_at(2, ["a", "b", "c"], support) == 0.5
    assert recall_at(3, ["a", "b", "c"], support) == 1
    assert recall_at(9, [], support) == 0
    assert recall_at(9, ["c"], [frozenset()]) == 0
