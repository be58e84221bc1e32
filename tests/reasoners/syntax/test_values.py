import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.syntax.values import date_of, number_of, ordinal

_DATES = st.dates(min_value=dt.date(1000, 1, 1), max_value=dt.date(2100, 12, 31))
_MONTHS = (
    "January February March April May June July August September October November December"
).split()


def spelled(date: dt.date, form: str) -> str:
    return form.format(day=date.day, month=_MONTHS[date.month - 1], year=date.year)


FORMS = st.sampled_from(
    [
        "{day} {month} {year}",
        "{month} {day}, {year}",
        "on the {day}th of {month} {year}",
        "{day} {month}, {year}",
    ]
)


@given(_DATES, FORMS)
def test_a_date_is_read_in_any_order(date: dt.date, form: str) -> None:
    assert date_of(spelled(date, form)) == (date.year, date.month, date.day)


@given(_DATES, _DATES, FORMS, FORMS)
def test_dates_sort_as_they_follow_one_another(
    one: dt.date, other: dt.date, form: str, another: str
) -> None:
    left, right = ordinal(spelled(one, form)), ordinal(spelled(other, another))
    assert left is not None
    assert right is not None
    assert (left < right) == (one < other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1911", (1911, 0, 0)),
        ("May 1911", (1911, 5, 0)),
        ("in the spring of 1911", (1911, 0, 0)),
        ("the 1980s", (1980, 0, 0)),
        ("120 BC", (-120, 0, 0)),
        ("3 may 1911", (1911, 5, 3)),
        ("soon", None),
        ("May", None),
        ("", None),
    ],
)
def test_what_a_date_does_not_say_is_zero(text: str, expected: tuple[int, int, int] | None) -> None:
    assert date_of(text) == expected


@given(st.integers(-(10**9), 10**9))
def test_whole_numbers_are_read_with_their_commas(number: int) -> None:
    assert number_of(f"about {number:,} people") == number


@given(st.integers(0, 10**6), st.integers(0, 99))
def test_fractions_are_read(whole: int, hundredths: int) -> None:
    assert number_of(f"{whole:,}.{hundredths:02} m") == float(f"{whole}.{hundredths:02}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$4 million", 4e6),
        ("3.5 billion, or so", 3.5e9),
        ("2 thousand", 2e3),
        ("1 trillion.", 1e12),
        ("12 members", 12.0),
        ("none", None),
    ],
)
def test_scales_count(text: str, expected: float | None) -> None:
    assert number_of(text) == expected


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("93 metres", "120 metres"),
        ("30,000", "200,000"),
        ("850 inhabitants", "1,200 inhabitants"),
        ("849 metres", "1,200 metres"),
        ("900 thousand", "1 million"),
        ("120 BC", "17 AD"),
        ("1911", "3 May 1911"),
        ("3 May 1911", "4 May 1911"),
    ],
)
def test_values_sort_by_what_they_say(less: str, more: str) -> None:
    left, right = ordinal(less), ordinal(more)
    assert left is not None
    assert right is not None
    assert left < right


@given(st.text(max_size=40))
def test_any_text_has_an_order_or_none(text: str) -> None:
    found = ordinal(text)
    assert found is None or all(isinstance(part, float) for part in found)
