from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mder.sentences import LONGEST, sentences

SIGNS = ".!?\u3002\uff01\uff1f\u061f«»\"'“”()"
SPACES = " \n\r\t\u00a0\u2029\u3000"
ALPHABET = st.sampled_from([*"abAZé東", *SIGNS, *SPACES, "Dr. ", "\n\n"])
TEXTS = st.text() | st.lists(ALPHABET).map("".join)


def split(text: str, language: str = "") -> list[str]:
    return [text[start:end] for start, end in sentences(text, language)]


@settings(deadline=None)
@given(TEXTS)
@example("A\u2029B. c")
@example("lone \ud800 surrogate. Next")
@example("\x1c\x1f\x85")
def test_spans_are_ordered_trimmed_and_cover_everything_but_white_space(text: str) -> None:
    spans = sentences(text)
    assert all(start < end for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert all(part == part.strip() for part in split(text))
    assert "".join("".join(split(text)).split()) == "".join(text.split())


@settings(deadline=None)
@given(TEXTS, st.sampled_from(["", "en", "de", "zh", "ar", "xx"]))
def test_every_language_has_an_answer(text: str, language: str) -> None:
    assert sentences(text, language) == sentences(text, language)


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith met Mrs. Jones, Prof. Plum and Ms. Doe.",
        "The U.S. Senate met, e.g. on Monday.",
        "J. R. R. Tolkien and J.R.R. Martin wrote.",
        "He moved to St. Petersburg in 1703.",
        "It was No. 5 on the list and cost $3.50.",
        "Acme Inc. makes anvils.",
        "At 9 a.m. on Jan. 5 it rained.",
        "See vol. 2 of the work.",
        "John F. Kennedy was shot.",
        "He has a Ph.D. in law.",
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("He moved to the U.S. In 1999 he left.", ["He moved to the U.S.", "In 1999 he left."]),
        ('He said "I am here." Then he left.', ['He said "I am here."', "Then he left."]),
        ("東京は首都です。人口は多い。本当か。", ["東京は首都です。", "人口は多い。", "本当か。"]),
        ("هل أنت بخير؟ نعم.", ["هل أنت بخير؟", "نعم."]),
        ("A title\n\nThe text begins", ["A title", "The text begins"]),
        ("A title\r\n \t\r\nThe text", ["A title", "The text"]),
        ("One sentence\nover two lines.", ["One sentence\nover two lines."]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, parts: list[str]) -> None:
    assert split(text) == parts


def test_the_language_tells_the_abbreviations() -> None:
    text = "Der 3. Oktober ist ein Feiertag."
    assert split(text, "de") == [text]


@pytest.mark.parametrize("unit", ["x", "“", "`", "word ", "。", "\n ", "“a. "])
def test_a_line_without_end_is_cut_into_bounded_pieces(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert all(end - start <= LONGEST for start, end in sentences(text))
    assert sum(end - start for start, end in sentences(text)) <= len(text)


def test_a_long_sentence_is_cut_between_words() -> None:
    assert {word for part in split("word " * 1000) for word in part.split()} == {"word"}


def test_a_paragraph_longer_than_the_window_is_split_as_a_short_one() -> None:
    sentence = "Dr. Smith, who lived in the U.S. then, went home."
    assert split(" ".join([sentence] * 1000)) == [sentence] * 1000
