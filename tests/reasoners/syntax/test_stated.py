import pytest

from mder.reasoners.syntax.passages import passages
from mder.reasoners.syntax.stated import stated
from mder.records import Kind, QueryTriple, Question
from tests.reasoners.syntax.pages import chunk

FOUND = passages(
    (
        chunk("Ida Holm", "Ida Holm was a Norwegian poet. She sailed to Bergen on the Petrel."),
        chunk("Karl Ott", "Karl Ott was a Danish poet and sailor."),
    )
)


def both(thing: str) -> Question:
    triples = (QueryTriple("Ida Holm", "IS_A", thing), QueryTriple("Karl Ott", "IS_A", thing))
    return Question(f"Were Ida Holm and Karl Ott both {thing}s?", triples, kind=Kind.YES_NO)


@pytest.mark.parametrize(("thing", "said"), [("poet", "Yes"), ("Norwegian poet", "No")])
def test_both_are_something_if_each_is_said_to_be(thing: str, said: str) -> None:
    found = stated(both(thing), FOUND)
    assert found is not None
    assert found.outcome == said
    assert {b.evidence for b in found.bindings} == {("chunk:Ida Holm",), ("chunk:Karl Ott",)}


def test_the_option_is_chosen_of_which_more_is_said() -> None:
    triples = (
        QueryTriple("Ida Holm", "IS_FROM", "Denmark"),
        QueryTriple("Karl Ott", "IS_FROM", "Denmark"),
    )
    asked = Question(
        "Which poet was a sailor, Ida Holm or Karl Ott?",
        tuple(QueryTriple(t.subject, "WAS_A", "sailor") for t in triples),
        kind=Kind.COMPARISON,
        options=("Ida Holm", "Karl Ott"),
    )
    found = stated(asked, FOUND)
    assert found is not None
    assert found.outcome == "Karl Ott"


def test_a_short_question_is_affirmed_by_one_sentence() -> None:
    asked = Question("Was Ida Holm a Norwegian poet?", (), kind=Kind.YES_NO)
    found = stated(asked, FOUND)
    assert found is not None
    assert found.outcome == "Yes"


@pytest.mark.parametrize("text", ["Was Ida Holm a painter?", "Did Karl Ott sail to Bergen?", "?"])
def test_what_no_sentence_says_is_neither_yes_nor_no(text: str) -> None:
    assert stated(Question(text, (), kind=Kind.YES_NO), FOUND) is None


def test_nothing_is_said_by_nothing() -> None:
    assert stated(both("poet"), ()) is None
