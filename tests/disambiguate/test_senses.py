from collections.abc import Iterable, Sequence
from itertools import chain

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mder.disambiguate import Resolved, Sense, disambiguate, keys, senses
from mder.disambiguate.components import Components
from mder.disambiguate.names import Name
from mder.reasoners.base import Reasoner
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Mention, Reading
from tests.disambiguate.readings import Judge, Lot, some_readings
from tests.doubles import HashingEmbedder
from tests.samples import date, names_in, person, place, reading

EMBEDDER = HashingEmbedder()
REASONERS = (SyntaxReasoner(), Judge(same_=True), Lot())


def all_senses(readings: Iterable[Reading]) -> list[Sense]:
    return [sense for page in readings for sense in senses(page)]


def parted(found: Sequence[Sense], near: Iterable[tuple[Name, Name]]) -> list[list[Sense]]:
    """Return the Senses that share keys, directly or through others, or are near each other."""
    places = {(s.source, name): i for i, s in enumerate(found) for name in s.uses}
    parts: Components[int | str] = Components(range(len(found)))
    for at, sense in enumerate(found):
        for key in keys(sense):
            parts.join(at, key)
    for left, right in near:
        parts.join(places[left], places[right])
    groups = ([m for m in group if isinstance(m, int)] for group in parts.groups().values())
    return [[found[at] for at in group] for group in groups]


def resolved(found: Iterable[Sense], reasoner: Reasoner, threshold: float) -> Resolved:
    return disambiguate(found, reasoner, EMBEDDER, threshold=threshold)


JURY = (Mention("jury", ("jury",), local=True), "SAT_IN", "Oslo")
TRIALS = [reading("A trial", "x", JURY, source=source) for source in "12"]
WIDE = (person("W" * 85, local=True), "MET", person("Bob Lee"))
SHERIFF = (Mention("Sheriff", ("place",), local=True), "MET", "Oslo")


@given(some_readings(), st.sampled_from(REASONERS), st.sampled_from([0.5, 0.8, 0.95]))
# Two juries are told apart by the title that both have, then by a number; a third is called so.
@example([*TRIALS, reading("Q", "x", ("jury (A trial) 2", "IS", "Oslo"))], REASONERS[0], 0.95)
@example([*TRIALS, reading("jury (A trial) 2", "x")], REASONERS[0], 0.95)
# Of names that are all too long, any may be the one that a thing is known by.
@example(
    [reading("A", "x", WIDE), reading("B", "x", WIDE, aliases=[("W" * 85, "Abcde " * 15)])],
    REASONERS[1],
    0.95,
)
# A title in brackets that has brackets itself.
@example(
    [reading(title, "x", SHERIFF) for title in ("A", "Foo (a) (b)", "Sheriff (Foo (a))")],
    REASONERS[0],
    0.95,
)
# What is no date in a page on "date", and a date of the same name.
@example(
    [
        reading("date", "x", (Mention("palm", local=True), "IS", "Oslo")),
        reading("Palm", "x", (Mention("palm", ("date", "fruit"), local=True), "IS", "Oslo")),
    ],
    REASONERS[0],
    0.95,
)
def test_senses_that_share_nothing_do_not_bear_on_each_other(
    readings: list[Reading], reasoner: Reasoner, threshold: float
) -> None:
    found = all_senses(readings)
    whole = resolved(found, reasoner, threshold)
    apart = [resolved(part, reasoner, threshold) for part in parted(found, whole.near)]
    assert {n: e for one in apart for n, e in one.names.items()} == whole.names
    entities = sorted(chain.from_iterable(one.entities for one in apart), key=lambda e: e.name)
    assert tuple(entities) == whole.entities
    merges = [merge for one in apart for merge in one.merges]
    assert sorted(map(repr, merges)) == sorted(map(repr, whole.merges))
    assert frozenset().union(*(one.labels for one in apart)) == whole.labels
    assert frozenset().union(*(one.near for one in apart)) == whole.near


@given(some_readings(1))
def test_every_name_of_a_document_is_in_one_sense(readings: list[Reading]) -> None:
    (page,) = readings
    found = [name for sense in senses(page) for name in sense.uses]
    assert sorted(found) == sorted(names_in(page) | {page.document.title.partition(" (")[0]})


def test_names_of_one_thing_in_a_document_are_one_sense_which_tells_why() -> None:
    page = reading(
        "Trade",
        "x",
        (person("Marie Curie"), "MET", person("Curie")),
        aliases=[("World Trade Organization", "WTO")],
    )
    found = {tuple(sense.uses): sense.joins for sense in senses(page)}
    assert found == {
        ("Curie", "Marie Curie"): (("Marie Curie", "Curie", "shortened name"),),
        ("Trade",): (),
        ("WTO", "World Trade Organization"): (("World Trade Organization", "WTO", "stated alias"),),
    }


def test_only_given_names_keep_company() -> None:
    anna, bob = person("Anna", local=True), person("Bob Lee")
    found = senses(reading("A page", "x", (anna, "MET", bob)))
    assert {min(s.uses): s.company for s in found} == {
        "A page": (),
        "Anna": ("a page", "bob lee"),
        "Bob Lee": (),
    }


def keys_of(name: Mention | str, title: str = "A page") -> set[str]:
    page = reading(title, "x", (name, "MET", "Q"))
    text = name.name if isinstance(name, Mention) else name
    return next(keys(sense) for sense in senses(page) if text in sense.uses)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Marie Curie", "MARIE CURIE"),
        ("Zoë Ray", "Ray Zoe"),
        ("World Trade Organization", "WTO"),
        ("Mercury (planet)", "Mercury"),
        ("Requests", "requests"),
        (date("1990"), "1990"),
        (person("Anna", local=True), person("Anna", local=True)),
    ],
)
def test_names_that_may_be_one_share_a_key(one: Mention | str, other: Mention | str) -> None:
    assert keys_of(one) & keys_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Marie Curie", "Pierre Curie"),
        (date("May 1990"), date("May 1991")),
        (place("Paris"), person("Paris Hilton")),
    ],
)
def test_names_that_cannot_be_one_share_none(one: Mention | str, other: Mention | str) -> None:
    assert not keys_of(one) & keys_of(other)


def test_a_phrase_shares_no_key_with_that_of_another_title() -> None:
    jury = Mention("the jury", ("jury",), local=True)
    assert not keys_of(jury, "A trial") & keys_of(jury, "A murder")
    assert keys_of(jury, "A trial") & keys_of(jury, "A trial (1990)")
