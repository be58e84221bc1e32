from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from mder.disambiguate.meanings import Meanings, told_apart
from mder.disambiguate.names import Name, Use

TITLES = ["Mercury (planet)", "Mercury (element)", "Mercury", "Venus"]
NAMES: list[Name] = [("a", t) for t in TITLES] + [("b", n) for n in ("Hermes", "quicksilver")]


def meanings() -> Meanings:
    return Meanings({name: Use(titles=name[1] in TITLES) for name in NAMES})


def test_a_third_name_does_not_join_two_homonyms() -> None:
    made = meanings()
    assert made.join(("a", "Mercury (planet)"), ("b", "Hermes"))
    assert not made.join(("b", "Hermes"), ("a", "Mercury (element)"))


def test_two_pages_on_one_thing_may_be_joined() -> None:
    assert meanings().join(("a", "Mercury (planet)"), ("a", "Venus"))
    assert not told_apart(["USA"], ["United States"])


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))))
def test_homonyms_are_never_one(joins: list[tuple[Name, Name]]) -> None:
    made = meanings()
    for left, right in joins:
        made.join(left, right)
    for group in made.groups():
        titles = [name for _, name in group if name in TITLES]
        assert not any(told_apart([a], [b]) for a, b in combinations(titles, 2))


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))))
def test_every_name_stays_in_one_group(joins: list[tuple[Name, Name]]) -> None:
    made = meanings()
    for left, right in joins:
        made.join(left, right)
    assert sorted(name for group in made.groups() for name in group) == sorted(NAMES)
