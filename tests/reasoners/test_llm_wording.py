import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.llm.wording import (
    EXAMPLES,
    is_alias,
    is_example,
    is_local,
    is_negated,
    settled,
    tidy_name,
    tidy_predicate,
    tidy_types,
    without_examples,
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
        ("isA", "IS_A"),
        ("is 20th of", "IS_20TH_OF"),
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


@pytest.mark.parametrize("relation", ["also called", "Also known as", "is also called"])
def test_another_name_is_no_relation(relation: str) -> None:
    assert is_alias(tidy_predicate(relation))


@pytest.mark.parametrize("relation", ["called", "was called for", "is a"])
def test_other_relations_are_no_names(relation: str) -> None:
    assert not is_alias(tidy_predicate(relation))


@pytest.mark.parametrize("name", EXAMPLES)
def test_text_that_speaks_of_the_examples_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is a name of the examples"):
        without_examples(f"It was {name}.", "It was somebody.")
    assert without_examples(f"It was {name}.", f"So {name} it was.") == f"It was {name}."


@given(st.text(), st.text())
def test_any_name_is_made_tidy_and_stays_so(name: str, text: str) -> None:
    tidy = tidy_name(name, text)
    assert tidy == tidy.strip()
    assert not set(tidy) & set("\n\t")
    assert isinstance(is_local(tidy, text), bool)


@given(st.text())
def test_any_types_are_made_tidy(kind: str) -> None:
    types = tidy_types(kind)
    assert all(part == part.strip().lower() and part for part in types)
    assert len(set(types)) == len(types)


@pytest.mark.parametrize(
    ("fact", "meant"),
    [
        (("was born in", "Paris", "city"), ("was born in", "Paris", "city")),
        (("died", "in Paris", "city"), ("died in", "Paris", "city")),
        (("married Ann Lee", "in", "1895"), ("married Ann Lee in", "1895", "")),
        (("sang", "In Rainbows", "album"), ("sang", "In Rainbows", "album")),
        (("died", "in", ""), None),
        (("named after him", "he", ""), None),
        (("gave up research", "and joined her work", ""), None),
        (("all of its many isotopes are said to be radioactive", "fact", ""), None),
    ],
)
def test_words_of_a_fact_come_to_their_places(
    fact: tuple[str, str, str], meant: tuple[str, str, str] | None
) -> None:
    assert settled(*fact) == meant
