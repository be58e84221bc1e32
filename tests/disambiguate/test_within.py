from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.disambiguate.names import collect
from mder.disambiguate.within import HONORIFICS, within
from mder.names import normalise
from mder.records import Mention, Reading
from tests.samples import names_in, person, place, reading


def found(page: Reading) -> dict[frozenset[str], str]:
    """Return the rule by the pair of names that it found to be one."""
    pairs = within(page, collect([page]))
    return {frozenset((left[1], right[1])): rule for left, right, rule in pairs if left != right}


def persons(*names: str, title: str = "A visit") -> Reading:
    return reading(title, " ".join(names), mentions=[person(name) for name in names])


def one(page: Reading, left: str, right: str) -> bool:
    return frozenset((left, right)) in found(page)


def test_a_title_and_its_bare_form_are_one() -> None:
    page = reading("Mercury (planet)", "Mercury is small.")
    assert found(page) == {frozenset({"Mercury (planet)", "Mercury"}): "title"}


def test_a_stated_alias_is_one_with_its_name() -> None:
    page = reading("Trade", "x", aliases=[("World Trade Organization", "WTO")])
    assert found(page) == {frozenset({"World Trade Organization", "WTO"}): "stated alias"}


def test_spellings_of_one_name_are_one() -> None:
    page = reading(
        "Books", "x", ("J. R. R. Tolkien", "WROTE", "It"), ("J.R.R. Tolkien", "DIED", "1")
    )
    assert found(page)[frozenset({"J. R. R. Tolkien", "J.R.R. Tolkien"})] == "same normalised name"


def test_a_local_phrase_is_not_one_with_a_name_that_it_spells() -> None:
    page = reading("Court", "x", mentions=[Mention("the Jury", local=True), Mention("The Jury")])
    assert not found(page)


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("Curie", "Marie Curie"),
        ("Marie", "Marie Curie"),
        ("Madame Curie", "Madame Marie Curie"),
        ("Dr. Curie", "Marie Curie"),
        ("Marie Curie", "Marie Sklodowska Curie"),
        ("Ann Lee", "Ann Mary Lee, Duchess of Kent"),
    ],
)
def test_shortened_names_of_persons_are_one_with_the_full_name(short: str, full: str) -> None:
    assert one(persons(short, full), short, full)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Sklodowska", "Marie Sklodowska Curie"),  # neither the first nor the last name
        ("Marie Paris", "Marie Curie"),
        ("Pierre Curie", "Marie Curie"),
        ("M", "M Curie"),
    ],
)
def test_other_names_of_persons_are_not(left: str, right: str) -> None:
    assert not one(persons(left, right), left, right)


def test_only_persons_have_names_that_are_shortened() -> None:
    page = reading("Trip", "x", mentions=[place("York"), place("New York")])
    assert not found(page)


def test_a_short_name_that_may_mean_two_means_neither() -> None:
    page = persons("Marie Curie", "Marie Bell", "Marie")
    assert not found(page)


def test_a_surname_goes_before_a_given_name() -> None:
    page = persons("James Stewart", "Stewart Lee", "Stewart")
    assert one(page, "Stewart", "James Stewart")
    assert not one(page, "Stewart", "Stewart Lee")


def test_of_several_the_topic_of_the_document_is_meant() -> None:
    page = persons("Marie Curie", "Pierre Curie", "Curie", title="Marie Curie")
    assert one(page, "Curie", "Marie Curie")
    assert not one(page, "Curie", "Pierre Curie")


def test_fuller_forms_of_one_name_are_no_several() -> None:
    page = persons("Marie Curie", "Marie Sklodowska Curie", "Curie")
    assert one(page, "Curie", "Marie Sklodowska Curie")


NAMES = st.lists(
    st.lists(
        st.sampled_from(["Marie", "Curie", "Bell", "Lee", *sorted(HONORIFICS)[:3]]),
        min_size=1,
        max_size=3,
    ).map(" ".join),
    min_size=1,
    max_size=6,
    unique=True,
)


@given(NAMES)
def test_pairs_join_names_of_the_document_that_share_a_word(names: list[str]) -> None:
    page = persons(*names)
    for pair in found(page):
        assert pair <= names_in(page)
        left, right = (set(normalise(name).split()) for name in pair)
        assert left & right


@given(NAMES, st.randoms(use_true_random=False))
def test_the_order_of_mentions_does_not_matter(names: list[str], random: Random) -> None:
    shuffled = list(names)
    random.shuffle(shuffled)
    assert found(persons(*names)) == found(persons(*shuffled))
