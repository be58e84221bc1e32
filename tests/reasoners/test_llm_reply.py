import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from mder.reasoners.llm import acts, shapes
from mder.reasoners.llm.acts import Act
from mder.reasoners.llm.reply import parse
from mder.reasoners.llm.shapes import (
    Answered,
    Decomposed,
    Descriptions,
    Extracted,
    Verdicts,
    Written,
    schema_of,
)

FACT = ["discovered", "radium", "element"]
THING: dict[str, Any] = {"name": "Curie", "type": "person", "facts": [FACT]}
WHOLE = json.dumps({"things": [THING]})
SINGLE = WHOLE.replace('"', "'")
BARE = json.dumps([THING])
ALL: list[Act[Struct]] = [act for act in vars(acts).values() if isinstance(act, Act)]


def facts(text: str) -> list[tuple[str, str, list[str]]]:
    things = parse(text, Extracted).things
    return [(thing.name, thing.type, fact) for thing in things for fact in thing.facts]


def refused(text: str, kind: type[Struct]) -> bool:
    try:
        parse(text, kind)
    except ValueError:
        return True
    return False


def thing(**fields: object) -> str:
    return json.dumps({"things": [THING | fields]})


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        BARE,
        f"```json\n{WHOLE}\n```",
        f"Here you are:\n```\n{BARE}\n```\nAnything else?",
        f"Of course! {WHOLE} I hope that this helps.",
        f"<think>The list [1, 2] and {{this}} are thoughts.</think>{WHOLE}",
        f"<thinking>{WHOLE[:30]}</thinking>\n{WHOLE}",
        f"thoughts without a beginning</think>\n{WHOLE}",
        f"{WHOLE}\n<think>thoughts without an end {{",
        json.dumps({"result": {"things": [THING]}}),
        json.dumps({"type": "object", "properties": {"things": [THING]}}),
        json.dumps({"entities": [THING]}),
        json.dumps([{"things": [THING]}]),
        json.dumps({"things": [THING | {"confidence": 0.9}], "note": "none"}),
        json.dumps({"things": [THING, {"type": "alone"}, None, "Curie"]}),
        json.dumps(WHOLE),
        f"\ufeff{WHOLE}",
    ],
)
def test_reply_is_found_in_whatever_it_is_wrapped_in(text: str) -> None:
    assert facts(text) == [("Curie", "person", FACT)]


@pytest.mark.parametrize(
    "text",
    [
        WHOLE.replace("]", ",]"),
        WHOLE.replace("}", ",}"),
        SINGLE,
        f"```json\n{SINGLE}\n```",
        WHOLE.replace('"things"', "things").replace('"name"', "name"),
        WHOLE.replace('"radium", ', '"radium" '),
        f"Here you are: {SINGLE}",
        WHOLE.replace("{", "{ // a remark\n", 1),
    ],
)
def test_faults_in_quotes_commas_and_keys_are_mended(text: str) -> None:
    assert facts(text) == [("Curie", "person", FACT)]


@pytest.mark.parametrize(
    "fact",
    [
        {"relation": "discovered", "value": "radium", "type": "element"},
        {"relation": "discovered", "value": "radium", "type of the value": "element"},
        ["discovered", "radium", "element", "surely"],
    ],
)
def test_fact_may_come_as_an_object_or_with_more_than_it_needs(fact: object) -> None:
    assert facts(thing(facts=[fact])) == [("Curie", "person", FACT)]


@pytest.mark.parametrize(
    "fact",
    [["discovered", "radium"], ["discovered", "radium", None], {"a": "discovered", "b": "radium"}],
)
def test_type_of_a_value_may_be_missing(fact: object) -> None:
    assert facts(thing(facts=[fact])) == [("Curie", "person", ["discovered", "radium", ""])]


@pytest.mark.parametrize(("value", "read"), [(1898, "1898"), (3.5, "3.5"), (-2, "-2")])
def test_value_may_be_a_bare_number(value: object, read: str) -> None:
    assert facts(thing(facts=[["did it in", value, "date"]])) == [
        ("Curie", "person", ["did it in", read, "date"])
    ]


@pytest.mark.parametrize("broken", ["alone", [], ["discovered"], None, [["deep"], "radium", ""], 7])
def test_fact_that_is_none_costs_only_itself(broken: object) -> None:
    assert facts(thing(facts=[broken, FACT])) == [("Curie", "person", FACT)]


def test_what_is_optional_may_be_null() -> None:
    assert facts(thing(type=None)) == [("Curie", "", FACT)]
    assert facts(json.dumps({"things": [{"name": "Poe", "facts": None}, THING]})) == [
        ("Curie", "person", FACT)
    ]


def test_no_thing_at_all_is_a_reply() -> None:
    assert parse('{"things": []}', Extracted).things == []
    assert parse("```json\n[]\n```", Extracted).things == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no complete JSON"),
        ("I cannot do that.", "no complete JSON"),
        (f"<think>maybe {WHOLE} or not", "no complete JSON"),
        (f"<thinking>\n```json\n{WHOLE}\n```", "no complete JSON"),
        ("Nothing is stated: [].", "no complete JSON"),
        ('{"things": [], and so on', "no complete JSON"),
        (WHOLE[:-20], "no complete JSON"),
        (WHOLE[:-1], "no complete JSON"),
        ('{"things": [{"type": "person"}]}', "missing required field `name`"),
        ('{"things": "none"}', "Expected `array`"),
        ('{"text": "a summary"}', "missing required field `things`"),
        ("7", "no complete JSON"),
        ('"Curie"', "no complete JSON"),
    ],
)
def test_unusable_reply_is_refused_with_what_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse(text, Extracted)


@pytest.mark.parametrize("act", ALL, ids=lambda act: act.prompt)
def test_schema_said_back_is_no_reply(act: Act[Struct]) -> None:
    schema = json.dumps(schema_of(act.kind))
    assert refused(schema, act.kind)
    assert refused(f"Here you are:\n```json\n{schema}\n```", act.kind)


MANY: dict[type[Struct], dict[str, Any]] = {
    shapes.Written: {"text": "a [1] {b}"},
    shapes.Shortened: {"summary": "a [1] {b}", "translation": "c"},
    shapes.Extracted: {"things": [THING, {"name": "Poe", "type": "", "facts": []}, THING]},
    shapes.Verdicts: {
        "verdicts": [{"number": n, "same": n > 1, "reason": "so"} for n in (1, 2, 3)]
    },
    shapes.Descriptions: {"descriptions": [{"number": n, "text": f"[{n}] x"} for n in (1, 2)]},
    shapes.Entries: {"entries": [{"number": n, "text": f"an {{entry}} {n}"} for n in (1, 2)]},
    shapes.Decomposed: {
        "triples": [{"subject": "X", "predicate": "WROTE", "object": "It"}] * 2,
        "asks": "",
        "kind": "comparison",
        "expects": "person",
        "options": ["A", "B"],
        "order": "least",
    },
    shapes.Grounded: {
        "values": [{"value": "a", "evidence": [1, 2]}, {"value": "b", "evidence": []}]
    },
    shapes.Answered: {"answered": True, "text": "a [1]", "citations": [1, 2]},
    shapes.Recalled: {"answered": True, "text": "a {b}"},
    shapes.Correct: {"correct": True},
}


def test_every_form_is_tried() -> None:
    assert set(MANY) == {act.kind for act in ALL}


@pytest.mark.parametrize("kind", MANY, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("start", ["", "```json\n", "Here you are: "])
def test_reply_that_breaks_off_is_refused_wherever_it_does(kind: type[Struct], start: str) -> None:
    whole = json.dumps(MANY[kind])
    assert parse(start + whole, kind)
    read = [whole[:n] for n in range(len(whole)) if not refused(start + whole[:n], kind)]
    assert read == []


def test_numbers_and_truths_may_come_as_words() -> None:
    reply = parse('{"verdicts": [{"number": "1", "same": "true"}]}', Verdicts)
    assert (reply.verdicts[0].number, reply.verdicts[0].same) == (1, True)


def test_single_item_without_its_list_is_refused() -> None:
    with pytest.raises(ValueError, match="missing required field"):
        parse('{"number": 1, "text": "It glows."}', Descriptions)


def test_unknown_kind_is_refused() -> None:
    triple = '{"subject": "X", "predicate": "P", "object": "O"}'
    with pytest.raises(ValueError, match="Invalid enum value"):
        parse(f'{{"triples": [{triple}], "kind": "riddle"}}', Decomposed)


def test_marks_of_thoughts_within_strings_are_kept() -> None:
    assert parse('{"text": "open <think> and {"}', Written).text == "open <think> and {"
    assert parse('{"text": "</think> shuts"}', Written).text == "</think> shuts"


@pytest.mark.parametrize("half", ["\\ud83d", "\\udc00", "\ud83d"])
def test_half_a_character_is_marked(half: str) -> None:
    reply = parse(f'{{"things": [{{"name": "Curie {half}"}}]}}', Extracted)
    assert reply.things[0].name == "Curie \ufffd"
    assert parse(f"{{'things': [{{'name': 'Curie {half}'}}]}}", Extracted) == reply


def test_two_halves_are_a_character() -> None:
    assert parse('{"text": "\\ud83d\\ude00"}', Written).text == "\U0001f600"


def test_what_was_copied_from_the_source_is_as_it_is_there() -> None:
    fact = ["has a", "Box\u2039Item>", "\u2039b>"]
    read = parse(
        json.dumps({"things": [{"name": "\u2039b>", "facts": [fact]}]}),
        Extracted,
        "<b> has a Box<Item>.",
    )
    assert read.things[0].name == "<b>"
    assert read.things[0].facts == [["has a", "Box<Item>", "<b>"]]


def test_lines_within_strings_are_kept() -> None:
    assert parse('{"text": "one\ntwo"}', Written).text == "one\ntwo"


@given(st.text(), st.booleans(), st.lists(st.integers(-(2**60), 2**60)))
def test_what_was_written_as_json_is_read(text: str, answered: bool, numbers: list[int]) -> None:
    value: dict[str, Any] = {"answered": answered, "text": text, "citations": numbers}
    wholes = [json.dumps(value), f"```json\n{json.dumps(value)}\n```", json.dumps({"a": value})]
    for whole in wholes:
        assert parse(whole, Answered) == Answered(answered, text, numbers)


WORDS = st.text(alphabet="ab\"'\\{}[]:, \n\u00e9<")
FACTS = st.lists(st.lists(WORDS, min_size=3, max_size=3), max_size=3)


@given(st.lists(st.tuples(WORDS, WORDS, FACTS), max_size=3))
def test_things_written_as_json_are_read(made: list[tuple[str, str, list[list[str]]]]) -> None:
    whole = json.dumps({"things": [{"name": n, "type": k, "facts": f} for n, k, f in made]})
    read = parse(whole, Extracted)
    assert [(thing.name, thing.type, thing.facts) for thing in read.things] == made


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["things", "name", "type", "facts", "text", "number"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("kind", MANY, ids=lambda kind: kind.__name__)
@given(value=JSON)
def test_any_json_is_read_or_refused(kind: type[Struct], value: object) -> None:
    with suppress(ValueError):
        assert isinstance(parse(json.dumps(value), kind), kind)


@given(st.text(alphabet='{}[]",:`\n <>/think1a') | st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for kind in (Written, Extracted, Verdicts):
        with suppress(ValueError):
            assert isinstance(parse(text, kind), kind)


@pytest.mark.parametrize("depth", [50, 5000, 100_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    for text in ("[" * depth, "[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        assert refused(text, Extracted)
