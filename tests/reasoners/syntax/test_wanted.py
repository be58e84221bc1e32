import pytest

from mder.reasoners.syntax.passages import key
from mder.reasoners.syntax.wanted import wanted
from mder.records import QueryTriple, Question


@pytest.mark.parametrize(
    ("question", "kind", "noun"),
    [
        ("Who wrote Glass Meadow?", "person", ""),
        ("When was Ida Holm born?", "date", ""),
        ("In what year did Ida Holm die?", "year", "year"),
        ("Where does Ida Holm live?", "place", ""),
        ("On which river does Halden stand?", "place", "river"),
        ("Halden stands on the bank of which long river?", "place", "river"),
        ("What is the birthplace of the author of Glass Meadow?", "place", "birthplace"),
        ("How many people live in Halden?", "number", "people"),
        ("How many steam boats did Ida Holm build?", "number", "boats"),
        ("What nationality is Ida Holm?", "group", "nationality"),
        ("Which company, known for its boats, built the Petrel?", "organization", "company"),
        ("What kind of bread is made in Halden?", "", "bread"),
        ("Who is the employer of Ida Holm?", "", ""),
        ("how does a water mill work", "text", ""),
        ("what is a tide table?", "text", ""),
    ],
)
def test_the_question_word_and_its_noun_tell_what_is_wanted(
    question: str, kind: str, noun: str
) -> None:
    found = wanted(Question(question, ()))
    assert (found.kind, found.noun) == (kind, key(noun) if noun else "")


@pytest.mark.parametrize(
    ("question", "counted"),
    [
        ("How many boats did Ida Holm build?", True),
        ("How many people live in Halden?", False),
        ("How many live in Halden?", False),
        ("How old is Halden?", False),
    ],
)
def test_things_are_counted_by_their_noun(question: str, *, counted: bool) -> None:
    assert wanted(Question(question, ())).counted == counted


@pytest.mark.parametrize(
    ("question", "happened"),
    [
        ("how did Ida Holm die", True),
        ("how has Halden been built", True),
        ("how does a water mill work", False),
        ("what is a tide table?", False),
    ],
)
def test_what_happened_is_told_from_what_is_so(question: str, *, happened: bool) -> None:
    assert wanted(Question(question, ())).happened == happened


def test_a_relative_pronoun_asks_for_nothing() -> None:
    found = wanted(Question("Ida Holm wrote a play which she staged in which town?", ()))
    assert found.noun == key("town")


def test_what_is_asked_of_something_not_named_is_indirect() -> None:
    triples = (QueryTriple("Glass Meadow", "HAS_AUTHOR", "X"), QueryTriple("X", "DIED_IN", "Y"))
    found = wanted(Question("Where did the author of Glass Meadow die?", triples, "Y"))
    assert (found.indirect, found.steps, found.near) == (True, 2, ())
    assert found.focus == frozenset({key("died")})


def test_what_is_asked_of_something_named_is_not() -> None:
    question = Question("Where was Ida born?", (QueryTriple("Ida", "WAS_BORN_IN", "X"),), "X")
    assert (wanted(question).indirect, wanted(question).near) == (False, ("ida",))
