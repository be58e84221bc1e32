"""Whether a model gives the JSON that it is asked for, and whether that says what it should."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mder.errors import ModelError
from mder.models.base import Completion
from mder.models.doctor.interview import Interview

_SYSTEM = "You read texts and answer in JSON of the form that you are given, with nothing else."
_START = re.compile(r"[{\[]")
_KINDS: dict[str, type] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "object": dict,
    "string": str,
}


@dataclass(frozen=True, slots=True)
class Ask:
    """A request, the form of its reply, and words that a right reply has."""

    prompt: str
    schema: Mapping[str, Any]
    right: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Obedience:
    """How many replies had the form that was asked for.

    :param obeyed: the form is right, also where there is something around the JSON.
    :param wrapped: so many of these have prose, fences or thoughts around the JSON.
    :param right: so many of these say what the text says.
    :param faults: what was wrong with the others.
    """

    asked: int
    obeyed: int
    wrapped: int
    right: int
    faults: tuple[str, ...]


def _form(**properties: object) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _each(**properties: object) -> dict[str, object]:
    # Small models begin one item after another for ever where nothing stops them.
    return {"type": "array", "items": _form(**properties), "maxItems": _MOST}


_MOST = 8
_TEXT = {"type": "string"}
ASKS = (
    Ask(
        "Text: Lise Meitner was born in Vienna. In Berlin she worked with Otto Hahn. In 1938 she "
        "fled to Stockholm. She died in Cambridge.\n\n"
        'Write each statement of the text as a triple: a JSON object with the key "triples", a '
        'list of objects with the keys "subject", "predicate" and "object".',
        _form(triples=_each(subject=_TEXT, predicate=_TEXT, object=_TEXT)),
        ("Vienna", "Stockholm"),
    ),
    Ask(
        "Do these two names stand for the same thing?\nA: IBM, a maker of computers\nB: "
        "International Business Machines, founded in 1911\n\n"
        'Answer with a JSON object whose key "verdict" is SAME or DIFFERENT.',
        _form(verdict={"type": "string", "enum": ["SAME", "DIFFERENT"]}),
        ('"SAME"',),
    ),
    Ask(
        "1. Oslo — CAPITAL_OF — Norway\n2. tea — GROWS_IN — Assam\n\nWrite a sentence for each "
        'numbered line: a JSON object with the key "sentences", a list of objects with the keys '
        '"number" and "sentence".',
        _form(sentences=_each(number={"type": "integer"}, sentence=_TEXT)),
        ("Norway", "Assam"),
    ),
)


def examine_obedience(interview: Interview, progress: Callable[[str], None]) -> Obedience:
    """Ask for JSON of several forms."""
    obeyed = wrapped = right = 0
    faults: list[str] = []
    for number, ask in enumerate(ASKS, 1):
        progress(f"asks for JSON, {number} of {len(ASKS)}")
        try:
            reply = interview.ask(ask.prompt, ask.schema, _SYSTEM)
            value, around = _read(reply, ask.schema)
        except (ModelError, ValueError) as error:
            faults.append(str(error))
            continue
        obeyed += 1
        wrapped += around
        right += _says(value, ask.right)
    return Obedience(len(ASKS), obeyed, wrapped, right, tuple(faults))


def _read(reply: Completion, schema: Mapping[str, Any]) -> tuple[object, bool]:
    """Return the JSON of a reply, and whether there is anything around it.

    :raises ValueError: when there is none of this form, with the reason.
    """
    text = reply.text.strip()
    if not text:
        raise ValueError("the reply is empty")
    found = list(_values(text))
    for value, length in found:
        if not misfit(value, schema):
            return value, length < len(text)
    if reply.finish_reason == "length":
        raise ValueError("the reply is longer than a reply may be")
    raise ValueError(misfit(found[0][0], schema) if found else f"no JSON: {text[:60]!r}")


def _values(text: str) -> Iterator[tuple[object, int]]:
    """Yield what can be read as JSON, from wherever it starts, with its length."""
    decoder = json.JSONDecoder()
    for start in _START.finditer(text):
        try:
            value, end = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        yield value, end - start.start()


def misfit(value: object, schema: Mapping[str, Any], where: str = "the JSON") -> str:
    """Say where a value departs from a schema; ``""`` when it does not.

    Knows types, enum, items, maxItems, and objects that have all properties and no others.
    """
    kind = schema["type"]
    if not isinstance(value, _KINDS[kind]) or (kind == "integer" and isinstance(value, bool)):
        return f"{where} is {json.dumps(value, ensure_ascii=False)[:40]}, not of type {kind}"
    if value not in schema.get("enum", [value]):
        return f"{where} is {value!r}, not one of {', '.join(schema['enum'])}"
    parts: Iterator[str] = iter(())
    if isinstance(value, dict):
        parts = _properties(value, schema["properties"], where)
    elif isinstance(value, list):
        parts = _items(value, schema, where)
    return next(filter(None, parts), "")


def _items(value: list[object], schema: Mapping[str, Any], where: str) -> Iterator[str]:
    if len(value) > schema.get("maxItems", len(value)):
        yield f"{where} has {len(value)} items, more than {schema['maxItems']}"
    for item in value:
        yield misfit(item, schema["items"], f"an item of {where}")


def _properties(value: dict[str, object], known: Mapping[str, Any], where: str) -> Iterator[str]:
    for name in value.keys() ^ known.keys():
        yield f"{where} {'lacks' if name in known else 'has an unknown'} {name!r}"
    for name, schema in known.items():
        yield misfit(value[name], schema, repr(name))


def _says(value: object, words: tuple[str, ...]) -> bool:
    text = json.dumps(value, ensure_ascii=False)
    return all(word in text for word in words)
