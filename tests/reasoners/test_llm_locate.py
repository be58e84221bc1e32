import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.llm.locate import cut, fold, holding, widened
from mder.sentences import sentences


@pytest.mark.parametrize(
    ("text", "passage", "found"),
    [
        ("Marie Curie left.", "marie curie", "Marie Curie"),
        ("Beyoncé sang.", "Beyonce", "Beyoncé"),
        ("He lived\n  in  Łódź.", "in Łódź", "in  Łódź"),
        (
            "It\u2019s \u201cso\u201d \u2013 so.",
            'It\'s "so" - so',
            "It\u2019s \u201cso\u201d \u2013 so",
        ),
        ("東京は首都です。", "東京", "東京"),
        ("Curie's work", "Curie", "Curie"),
        ("STRASSE", "straße", "STRASSE"),
        ("The Annual of Ann", "Ann", "Ann"),
    ],
)
def test_passage_is_found_as_it_was_written(text: str, passage: str, found: str) -> None:
    span = fold(text).find(passage)
    assert span is not None
    assert text[span[0] : span[1]] == found


@pytest.mark.parametrize(
    ("text", "passage"),
    [("The Annual", "Ann"), ("in 18675", "1867"), ("nothing", ""), ("short", "a short one")],
)
def test_passage_within_a_word_or_absent_is_not_found(text: str, passage: str) -> None:
    assert fold(text).find(passage) is None


@given(st.text(), st.text(), st.text(min_size=1))
def test_span_of_a_passage_is_within_the_text(before: str, after: str, passage: str) -> None:
    text = f"{before} {passage} {after}"
    span = fold(text).find(passage)
    if fold(passage).text:
        assert span is not None
        assert fold(text[span[0] : span[1]]).text.startswith(fold(passage).text)


def test_sentence_that_holds_both_names() -> None:
    text = "Curie won. She was from Warsaw. Curie left Warsaw early."
    span = holding(text, sentences(text), ["Curie", "Warsaw"])
    assert span is not None
    assert text[span[0] : span[1]] == "Curie left Warsaw early."
    assert holding(text, sentences(text), ["Curie", "Paris"]) is None


def test_passage_grows_to_its_sentences() -> None:
    text = "One. Two and three. Four."
    assert widened(sentences(text), (9, 12)) == (5, 19)
    assert widened((), (9, 12)) == (9, 12)


@given(st.text(), st.integers(1, 50))
def test_cut_keeps_to_the_limit_and_to_the_text(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert len(short) <= limit
    assert text.startswith(short)


def test_cut_keeps_whole_sentences() -> None:
    assert cut("One two. Three four. Five six.", 22) == "One two. Three four."
