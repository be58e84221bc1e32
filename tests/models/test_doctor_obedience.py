import re
from collections.abc import Callable, Sequence

import pytest

from mder.errors import ModelError
from mder.models.base import Completion, Message
from mder.models.doctor.advice import Advice
from mder.models.doctor.obedience import ASKS, misfit
from tests.models.patients import FACTS, Patient, Schema, advised, examined

WRAPPERS: list[Callable[[str, Schema], str]] = [
    lambda text, _: f"Sure! Here is your JSON:\n{text}\nAnything else?",
    lambda text, _: f"```json\n{text}\n```",
    lambda text, _: f"[I think so.] {{maybe}} {text}",
]


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_json_in_prose_or_fences_is_obeyed_but_noted(wrapper: Callable[..., str]) -> None:
    found = examined(Patient(wrapper))
    assert found.obedience
    assert (found.obedience.obeyed, found.obedience.wrapped) == (3, 3)
    assert not found.unusable
    assert advised(found)["llm_batch"] == Advice("llm_batch", 4, "adds something around the JSON")


def test_prose_is_never_obedient() -> None:
    found = examined(Patient(lambda _text, _schema: "I would rather not."))
    assert found.obedience
    assert found.obedience.obeyed == 0
    assert found.unusable == (
        "ollama/tiny never keeps to a JSON schema: no JSON: 'I would rather not.'"
    )
    assert found.advice == ()


def test_a_share_of_replies_may_obey() -> None:
    def mostly(text: str, schema: Schema) -> str:
        return "{}" if schema and "verdict" in schema["properties"] else text

    found = examined(Patient(mostly))
    assert found.obedience
    assert (found.obedience.obeyed, found.obedience.faults) == (2, ("the JSON lacks 'verdict'",))
    assert not found.unusable
    assert advised(found)["llm_batch"].value == 1
    assert advised(found)["llm_batch"].reason == "broke the form in 1 of 3 replies"


def test_the_form_may_be_right_and_what_it_says_wrong() -> None:
    found = examined(Patient(lambda text, _: text.replace("Stockholm", "Rome")))
    assert found.obedience
    assert (found.obedience.obeyed, found.obedience.right) == (3, 2)
    assert advised(found)["llm_batch"].value == 4
    empty = Patient(lambda text, _: re.sub(r"\[.*\]", "[]", text).replace("SAME", "DIFFERENT"))
    assert advised(examined(empty))["llm_batch"].reason == "misread every easy text"


def test_a_refused_schema_and_an_empty_reply_are_disobedience() -> None:
    def refuses(text: str, schema: Schema) -> str:
        if schema and "triples" in schema["properties"]:
            raise ModelError("no schemas here")
        return "" if schema and "verdict" in schema["properties"] else text

    found = examined(Patient(refuses))
    assert found.obedience
    assert found.obedience.faults == ("no schemas here", "the reply is empty")


def test_a_reply_that_never_ends_is_told() -> None:
    class Rambling(Patient):
        def complete(self, messages: Sequence[Message], schema: Schema = None) -> Completion:
            super().complete(messages, schema)
            return Completion('{"triples": [{"subject": "a', 1, 1, "length")

    found = examined(Rambling())
    assert found.obedience
    assert set(found.obedience.faults) == {"the reply is longer than a reply may be"}


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({"triples": FACTS["triples"]}, ""),
        ({"triples": []}, ""),
        ([], "the JSON is [], not of type object"),
        ({}, "the JSON lacks 'triples'"),
        ({"triples": [], "more": 1}, "the JSON has an unknown 'more'"),
        ({"triples": {}}, "'triples' is {}, not of type array"),
        ({"triples": ["a"]}, "an item of 'triples' is \"a\", not of type object"),
        ({"triples": [{}] * 9}, "'triples' has 9 items, more than 8"),
    ],
)
def test_a_misfit_is_named(value: object, fault: str) -> None:
    assert misfit(value, ASKS[0].schema) == fault


def test_values_are_of_their_type_and_among_those_allowed() -> None:
    assert misfit({"verdict": "MAYBE"}, ASKS[1].schema) == (
        "'verdict' is 'MAYBE', not one of SAME, DIFFERENT"
    )
    numbered = {"sentences": [{"number": True, "sentence": "a"}]}
    assert misfit(numbered, ASKS[2].schema) == "'number' is true, not of type integer"
