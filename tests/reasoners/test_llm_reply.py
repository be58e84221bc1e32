import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.llm.reply import parse
from mder.reasoners.llm.shapes import Answered, Decomposed, Extracted, Verdicts, Written

TRIPLE = {"subject": "Curie", "predicate": "DISCOVERED", "object": "radium"}
WHOLE = json.dumps({"triples": [TRIPLE], "aliases": []})
BARE = json.dumps([TRIPLE])


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        BARE,
        f"```json\n{WHOLE}\n```",
        f"Here you are:\n```\n{BARE}\n```\nAnything else?",
        f"Of course! {WHOLE} I hope that this helps.",
        f"<think>The list [1, 2] and {{this}} are thoughts.</think>{WHOLE}",
        f"thoughts without a beginning</think>\n{WHOLE}",
        f"<think>thoughts without an end {WHOLE}",
        json.dumps({"result": {"triples": [TRIPLE]}}),
        json.dumps({"type": "object", "properties": {"triples": [TRIPLE]}}),
        json.dumps({"relations": [TRIPLE]}),
        json.dumps([{"triples": [TRIPLE]}]),
        json.dumps({"triples": [TRIPLE | {"confidence": 0.9}], "note": "none"}),
        json.dumps({"triples": [TRIPLE, {"subject": "alone"}, None]}),
        WHOLE.replace("]", ",]", 1),
        json.dumps(WHOLE),
    ],
)
def test_reply_is_found_in_whatever_it_is_wrapped_in(text: str) -> None:
    reply = parse(text, Extracted)
    assert [(t.subject, t.predicate, t.object) for t in reply.triples] == [
        ("Curie", "DISCOVERED", "radium")
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no complete JSON"),
        ("I cannot do that.", "no complete JSON"),
        ('{"triples": [], "aliases": [], and so on', "no complete JSON"),
        (WHOLE[:-20], "no complete JSON"),
        ('{"triples": [{"subject": "Curie"}]}', "missing required field `predicate`"),
        ('{"triples": "none"}', "Expected `array`"),
        ('{"text": "a summary"}', "missing required field `triples`"),
    ],
)
def test_unusable_reply_is_refused_with_what_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse(text, Extracted)


def test_numbers_and_truths_may_come_as_words() -> None:
    reply = parse('{"verdicts": [{"pair": "1", "same": "true"}]}', Verdicts)
    assert (reply.verdicts[0].pair, reply.verdicts[0].same) == (1, True)


def test_unknown_kind_is_refused() -> None:
    triple = '{"subject": "X", "predicate": "P", "object": "O"}'
    with pytest.raises(ValueError, match="Invalid enum value"):
        parse(f'{{"triples": [{triple}], "kind": "riddle"}}', Decomposed)


def test_lines_within_strings_are_kept() -> None:
    assert parse('{"text": "one\ntwo"}', Written).text == "one\ntwo"


@given(st.text(), st.booleans(), st.lists(st.integers(-(2**60), 2**60)))
def test_what_was_written_as_json_is_read(text: str, answered: bool, numbers: list[int]) -> None:
    value: dict[str, Any] = {"answered": answered, "text": text, "citations": numbers}
    wholes = [json.dumps(value), f"```json\n{json.dumps(value)}\n```", json.dumps({"a": value})]
    for whole in wholes:
        assert parse(whole, Answered) == Answered(answered, text, numbers)


@given(st.text(alphabet='{}[]",:`\n <>/think1a'))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ValueError):
        assert isinstance(parse(text, Written), Written)
