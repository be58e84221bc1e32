import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mder.reasoners.syntax.brackets import alias, facts, is_acronym

MONTHS = (
    "January February March April May June July August September October November December"
).split()
_DATES = st.builds(
    lambda day, month, year, american: (
        f"{month} {day}, {year}" if american else f"{day} {month} {year}"
    ),
    st.integers(1, 31),
    st.sampled_from(MONTHS),
    st.integers(1000, 2030),
    st.booleans(),
)


def told(aside: str, *, years: bool = True) -> dict[str, str]:
    return {predicate: value for predicate, value, _ in facts(aside, years)}


@given(_DATES | st.integers(100, 2030).map(str), _DATES, st.sampled_from([" – ", "–", "-", " — "]))
def test_two_dates_with_a_dash_are_a_life(born: str, died: str, dash: str) -> None:
    assert told(f"{born}{dash}{died}") == {"WAS_BORN_ON": born, "DIED_ON": died}


@given(_DATES, st.sampled_from(["born {}", "born on {}", "b. {}", "born in Halden, {}"]))
def test_born_with_a_date_is_a_birth(date: str, form: str) -> None:
    assert told(form.format(date))["WAS_BORN_ON"] == date


@given(_DATES, st.sampled_from(["died {}", "died on {}", "d. {}"]))
def test_died_with_a_date_is_a_death(date: str, form: str) -> None:
    assert told(form.format(date)) == {"DIED_ON": date}


@pytest.mark.parametrize(
    ("aside", "expected"),
    [
        ("c. 1881 – 1950", {"WAS_BORN_ON": "1881", "DIED_ON": "1950"}),
        ("384–322 BC", {"WAS_BORN_ON": "384 BC", "DIED_ON": "322 BC"}),
        ("born in Halden", {"WAS_BORN_IN": "Halden"}),
        ("born 3 May 1881 in Halden", {"WAS_BORN_ON": "3 May 1881", "WAS_BORN_IN": "Halden"}),
        ("born in Halden on 3 May 1881", {"WAS_BORN_ON": "3 May 1881", "WAS_BORN_IN": "Halden"}),
        (
            "born in Halden, 3 May 1881; died in Odder, 1950",
            {
                "WAS_BORN_ON": "3 May 1881",
                "WAS_BORN_IN": "Halden",
                "DIED_ON": "1950",
                "DIED_IN": "Odder",
            },
        ),
        ("born Klara Holm, 3 May 1881", {"WAS_BORN_ON": "3 May 1881"}),
        ("born Klara Holm; 3 May 1881", {"WAS_BORN_ON": "3 May 1881"}),
        (
            "3 May 1881, Halden – 7 June 1950, Odder",
            {
                "WAS_BORN_ON": "3 May 1881",
                "WAS_BORN_IN": "Halden",
                "DIED_ON": "7 June 1950",
                "DIED_IN": "Odder",
            },
        ),
        ("1994", {"HAS_YEAR": "1994"}),
    ],
)
def test_dates_and_places_of_a_life(aside: str, expected: dict[str, str]) -> None:
    assert told(aside) == expected


@pytest.mark.parametrize("aside", ["see below", "12 km", "", "chemist", "bornite", "the 1994 film"])
def test_other_brackets_tell_no_facts(aside: str) -> None:
    assert told(aside) == {}


def test_two_years_are_a_life_only_of_a_person() -> None:
    assert told("1881–1950", years=False) == {}
    assert told("509–270 BC", years=False) == {}
    assert told("3 May 1881 – 7 June 1950", years=False)


@given(st.text(max_size=80))
@example("born on")
@example("born in ")
def test_facts_stand_in_the_bracket(aside: str) -> None:
    for predicate, value, kind in facts(aside, years=True):
        assert value
        assert value in " ".join(aside.split())
        assert kind in {"date", "place"}
        assert predicate.isupper()


@pytest.mark.parametrize(
    ("aside", "name", "expected"),
    [
        ("WGU", "World Glass Union", "WGU"),
        ("EU", "European Union", "EU"),
        ("also known as Norrail", "Northern Rail Authority", "Norrail"),
        ("formerly Halden Four", "Vega Quartet", "Halden Four"),
        ("born Klara Holm", "Clara Venn", "Klara Holm"),
        ("born Klara Holm; 3 May 1881", "Clara Venn", "Klara Holm"),
        ('"Kit"', "Clara Venn", "Kit"),
        ("or Old Mill", "Watermill", "Old Mill"),
    ],
)
def test_other_names_are_aliases(aside: str, name: str, expected: str) -> None:
    assert alias(aside, name) == (name, expected)


def test_an_acronym_may_stand_for_the_end_of_a_name() -> None:
    assert alias("WGU", "Old World Glass Union") == ("World Glass Union", "WGU")


@pytest.mark.parametrize(
    "aside",
    [
        "born 1901",
        "born in Halden",
        "1994",
        "see below",
        "12 km",
        "XYZ",
        "a chemist",
        "",
        "as of 2001",
    ],
)
def test_what_is_no_other_name_is_no_alias(aside: str) -> None:
    assert alias(aside, "World Glass Union")[1] == ""


@given(st.text(max_size=60), st.text(max_size=20))
def test_an_alias_stands_in_its_bracket(aside: str, name: str) -> None:
    called, other = alias(aside, name)
    assert other in aside
    assert called in name or called == " ".join(name.split())


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("WGU", "World Glass Union"),
        ("W.G.U.", "World Glass Union"),
        ("BoN", "Bank of Norr"),
        ("BN", "Bank of Norr"),
    ],
)
def test_initials_in_order_are_an_acronym(short: str, name: str) -> None:
    assert is_acronym(short, name)


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("WUG", "World Glass Union"),
        ("W", "World"),
        ("wgu", "World Glass Union"),
        ("W G U", "World Glass Union"),
        ("", ""),
    ],
)
def test_other_letters_are_none(short: str, name: str) -> None:
    assert not is_acronym(short, name)


@given(st.lists(st.from_regex(r"[A-Z][a-z]{1,8}", fullmatch=True), min_size=2, max_size=8))
def test_first_letters_are_always_an_acronym(names: list[str]) -> None:
    assert is_acronym("".join(word[0] for word in names), " ".join(names))
