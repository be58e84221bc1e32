import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.llm.wording import (
    is_example,
    is_local,
    is_negated,
    tidy_name,
    tidy_predicate,
    tidy_types,
)


@pytest.mark.parametrize(
    ("name", "text", "tidy"),
    [
        ("the European Union", "", "European Union"),
        ("The European Union", "It joined the European Union.", "European Union"),
        ("The Hague", "He lived in The Hague.", "The Hague"),
        ("The company", "The company grew.", "company"),
        (" “Radium”, ", "", "Radium"),
        ("a chemist", "", "chemist"),
        ("Theodor", "", "Theodor"),
        ("The", "", "The"),
        ("", "", ""),
    ],
)
def test_name_loses_what_is_not_its_own(name: str, text: str, tidy: str) -> None:
    assert tidy_name(name, text) == tidy


@pytest.mark.parametrize(
    ("predicate", "tidy"),
    [
        ("was born in", "WAS_BORN_IN"),
        ("bornIn", "BORN_IN"),
        ("BORN-IN ", "BORN_IN"),
        ("est né à", "EST_NÉ_À"),
        ("_", ""),
    ],
)
def test_predicate_is_upper_snake_case(predicate: str, tidy: str) -> None:
    assert tidy_predicate(predicate) == tidy


@given(st.text())
def test_tidy_predicate_stays_as_it_is(predicate: str) -> None:
    tidy = tidy_predicate(predicate)
    assert re.fullmatch(r"(?:[^\W_]+(?:_[^\W_]+)*)?", tidy) or not predicate.isascii()
    assert tidy_predicate(tidy) == tidy or not predicate.isascii()


def test_types_are_lower_case_nouns_that_say_something() -> None:
    assert tidy_types("Person, Film_Director / person") == ("person", "film director")
    assert tidy_types("Entity") == ()


def test_denial_is_a_word_of_its_own() -> None:
    assert is_negated("DID_NOT_WIN")
    assert not is_negated("WAS_NOTED_BY")


def test_example_names_are_told_in_any_spelling() -> None:
    assert is_example("zorblax  QUIMBY")
    assert is_example("Quimby")
    assert not is_example("Marie Curie")


def test_definite_common_noun_is_local() -> None:
    assert is_local("jury", "The jury left.")
    assert not is_local("Jury", "The Jury left.")
    assert not is_local("radium", "She found radium.")
