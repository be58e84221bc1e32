from collections.abc import Sequence

import pytest

from mder.errors import ModelError, ReplyError
from mder.models.base import CallableModel, Message
from mder.models.doctor import examine
from tests.models.patients import Patient, Schema, advised, examined, right


def test_a_good_model_has_no_findings() -> None:
    found = examined(Patient())
    assert (found.unusable, found.absent, found.thoughtful) == ("", "", 0)
    assert found.obedience
    assert (found.obedience.obeyed, found.obedience.wrapped, found.obedience.right) == (3, 0, 3)
    assert found.context
    assert (found.context.accepted, found.context.recalled) == (8192, 8192)
    assert (found.context.limited, found.context.ended) == (False, "")
    assert found.requests == found.replies == 9
    values = {what: advice.value for what, advice in advised(found).items()}
    assert values == {"jobs": 1, "llm_batch": 10, "context": 8192}


def test_a_model_made_of_a_function_can_be_examined() -> None:
    assert not examine(CallableModel(right)).unusable


def test_no_server_is_told_as_the_model_tells_it() -> None:
    def dead(*_: object) -> str:
        raise ModelError("no server at there; start it")

    found = examine(CallableModel(dead))
    assert found.absent == found.unusable == "no server at there; start it"
    assert (found.requests, found.replies, found.advice) == (1, 0, ())
    assert found.obedience is None


def test_one_bad_reply_is_no_absent_server() -> None:
    replies = iter([ReplyError("nothing came")])

    def stumbles(messages: Sequence[Message], schema: Schema) -> str:
        for error in replies:
            raise error
        return right(messages, schema)

    found = examine(CallableModel(stumbles))
    assert not found.unusable
    assert found.context
    assert not found.context.counted


@pytest.mark.parametrize(
    "leak",
    ["<think>Hm.</think>{}", "Hm.</think>\n{}", "<|channel|>analysis {}", "<Reasoning>{}"],
)
def test_leaked_thoughts_are_counted(leak: str) -> None:
    def thinks(text: str, schema: Schema) -> str:
        return leak.format(text) if schema and "verdict" in schema["properties"] else text

    found = examined(Patient(thinks))
    assert (found.thoughtful, found.replies) == (1, 9)
    assert found.obedience
    assert found.obedience.wrapped == 1


@pytest.mark.parametrize(("name", "jobs"), [("ollama/x", 1), ("gguf/x", 1), ("openai/x", 4)])
def test_where_no_crowd_was_tried_the_kind_of_server_decides(name: str, jobs: int) -> None:
    advice = advised(examined(Patient(name=name)))
    assert advice["jobs"].value == jobs
    assert advice["jobs"].reason.startswith("not measured")


@pytest.mark.parametrize(
    ("name", "value", "knob"),
    [
        ("ollama/x", 4096, "each request asks for what it needs"),
        ("openai/x", 8192, "start with llama-server -c 32768 -np 4"),
        ("other/x", 4096, "nothing is to be set"),
    ],
)
def test_a_small_context_is_raised_where_that_can_be(name: str, value: int, knob: str) -> None:
    advice = advised(examined(Patient(name=name, refuses=5000)))["context"]
    assert advice.value == value
    assert advice.reason.startswith(f"more than 4096 is refused or cut; {knob}")


def test_no_context_is_recommended_where_nobody_can_set_it() -> None:
    assert advised(examined(Patient(name="gguf/x", refuses=5000))).keys() == {"jobs", "llm_batch"}


def test_every_step_is_told() -> None:
    told: list[str] = []
    examined(Patient(), 2048, progress=told.append)
    assert told == [
        "asks whether anyone is there",
        "asks for JSON, 1 of 3",
        "asks for JSON, 2 of 3",
        "asks for JSON, 3 of 3",
        "sends 1024 tokens",
        "sends 2048 tokens",
    ]
