import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.names import bare_title, canonical, escaped, normalise, qualifier, said, storable

ANY_TEXT = st.text(st.characters())
PLAIN_TEXT = st.text("abcXYZ059 ").filter(str.strip)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("U.S.", "US"),
        ("J. R. R. Tolkien", "J.R.R. Tolkien"),
        ("Jean-Paul Sartre", "jean paul sartre"),
        ("O\N{RIGHT SINGLE QUOTATION MARK}Brien", "O'Brien"),
        ("Paris, Texas", "Paris  Texas"),
        ("Straße", "STRASSE"),
        ("МОСКВА", "Москва"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER A}BC", "abc"),
        ("Ire\N{COMBINING GRAVE ACCENT}ne", "Ir\N{LATIN SMALL LETTER E WITH GRAVE}ne"),
    ],
)
def test_spellings_of_one_name_agree(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C", "C#"),
        ("3.14", "314"),
        ("1,000", "1 000"),
        ("-5", "5"),
        ("resume", "résumé"),
        ("!!!", "???"),
        ("東京", "京都"),
    ],
)
def test_names_of_different_things_stay_apart(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(ANY_TEXT)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    assert canonical(canonical(text)) == canonical(text)
    assert escaped(escaped(text)) == escaped(text)


@given(PLAIN_TEXT)
def test_a_plain_name_is_folded_as_one_with_a_character_nobody_sees(text: str) -> None:
    assert normalise(text) == normalise(f"{text}\N{SOFT HYPHEN}")


@given(ANY_TEXT)
def test_names_that_are_stored_alike_look_alike(text: str) -> None:
    assert normalise(canonical(text)) == normalise(storable(text))


@given(ANY_TEXT)
def test_what_cannot_be_stored_is_replaced_one_for_one(text: str) -> None:
    assert len(storable(text)) == len(text)
    assert storable(text).encode().decode() == storable(text)


def test_odd_file_names_stay_two() -> None:
    assert escaped("a\udc80") != escaped("a\udc81")


def test_a_title_is_parted_from_its_qualifier() -> None:
    assert (bare_title("Mercury (planet)"), qualifier("Mercury (planet)")) == ("Mercury", "planet")
    assert (bare_title("Paris, Texas"), qualifier("Paris, Texas")) == ("Paris, Texas", "")
    assert (bare_title("(untitled)"), qualifier("(untitled)")) == ("(untitled)", "")


def test_triple_is_said_in_plain_words() -> None:
    assert said("Curie", "WAS_BORN_IN", "Warsaw") == "Curie was born in Warsaw."
