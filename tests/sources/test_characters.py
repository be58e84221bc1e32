import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.sources.characters import clean, one_line

ANY_CODE_POINT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("a\r\nb\rc\u0085d\u2028e", "a\nb\nc\nd\ne"),
        ("one\u2029two", "one\n\ntwo"),
        ("Marie\u00a0Curie\u3000in\u202fParis\tthen", "Marie Curie in Paris then"),
        ("\ufeffLove\u200blace\u2060 Ba\u00adbbage", "Lovelace Babbage"),
        ("nul\0 and bell\x07", "nul and bell"),
        ("\u202b\u0645\u0635\u0631\u202c", "\u0645\u0635\u0631"),
        ("wo\u200drk\u200ced", "worked"),
        ("e\u0301", "\u00e9"),
        ("\ud800", "\ufffd"),
    ],
)
def test_each_kind_of_character_takes_one_form(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned


def test_joiners_stay_where_they_mean_something() -> None:
    family, persian = (
        "\U0001f469\u200d\U0001f467",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    )
    assert clean(family) == family
    assert clean(persian) == persian


@given(ANY_CODE_POINT)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(ANY_CODE_POINT)
def test_cleaned_text_can_be_stored_and_compared(text: str) -> None:
    cleaned = clean(text)
    assert cleaned.encode().decode() == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert not any(unicodedata.category(c) == "Cc" and c != "\n" for c in cleaned)


@given(ANY_CODE_POINT)
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1
