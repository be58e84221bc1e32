"""The forms of the replies, and the flat JSON schemas that servers hold models to."""

from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

Fact = Annotated[list[str], Meta(min_length=3, max_length=3)]


class Written(Struct):
    """A text: summarize, translate."""

    text: str


def written(reply: Written) -> str:
    """Return the text of a reply.

    :raises ValueError: when it is empty.
    """
    text = reply.text.strip()
    if not text:
        raise ValueError("the text is empty")
    return text


class Shortened(Struct):
    """summarize_and_translate."""

    summary: str
    translation: str


class Thing(Struct):
    """A thing that a text speaks of; each fact is [relation, value, type of the value]."""

    name: str
    type: str = ""
    facts: list[Fact] = []


class Extracted(Struct):
    """extract."""

    things: list[Thing]


class Judged(Struct):
    """Whether one numbered pair is the same thing."""

    number: int
    same: bool
    reason: str = ""


class Verdicts(Struct):
    """same."""

    verdicts: list[Judged]


class NumberedText(Struct):
    """The text for one numbered item."""

    number: int
    text: str


class Descriptions(Struct):
    """describe."""

    descriptions: list[NumberedText]


class Entries(Struct):
    """reduce."""

    entries: list[NumberedText]


class Asked(Struct):
    """One triple of a question."""

    subject: str
    predicate: str
    object: str


class Decomposed(Struct):
    """decompose."""

    triples: list[Asked]
    asks: str = ""
    kind: Literal["entity", "yes_no", "comparison"] = "entity"
    expects: str = ""
    options: list[str] = []
    order: Literal["", "least", "most", "same"] = ""


class Value(Struct):
    """One value for a placeholder, with the numbers of its evidence."""

    value: str
    evidence: list[int]


class Grounded(Struct):
    """ground."""

    values: list[Value]


class Answered(Struct):
    """answer."""

    answered: bool
    text: str
    citations: list[int] = []


class Recalled(Struct):
    """recall."""

    answered: bool
    text: str


class Correct(Struct):
    """judge."""

    correct: bool


@cache
def schema_of(kind: type[Struct]) -> dict[str, object]:
    """Return the JSON schema of a reply without references, every property required.

    Servers with a strict mode want both; defaults serve replies of servers without one.
    """
    return _schema(msgspec.inspect.type_info(kind))


def list_field(kind: type[Struct]) -> str:
    """Return the name of the field that holds the things asked for, or ``""``."""
    first = msgspec.structs.fields(kind)[0]
    return first.name if isinstance(msgspec.inspect.type_info(first.type), _LIST) else ""


_LIST = msgspec.inspect.ListType
_PLAIN: dict[type[msgspec.inspect.Type], str] = {
    msgspec.inspect.StrType: "string",
    msgspec.inspect.IntType: "integer",
    msgspec.inspect.BoolType: "boolean",
}


def _schema(kind: msgspec.inspect.Type) -> dict[str, Any]:
    if isinstance(kind, msgspec.inspect.StructType):
        properties = {field.name: _schema(field.type) for field in kind.fields}
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
    if isinstance(kind, _LIST):
        bounds = {"minItems": kind.min_length, "maxItems": kind.max_length}
        given = {name: bound for name, bound in bounds.items() if bound is not None}
        return {"type": "array", "items": _schema(kind.item_type), **given}
    if isinstance(kind, msgspec.inspect.LiteralType):
        return {"type": "string", "enum": list(kind.values)}
    return {"type": _PLAIN[type(kind)]}
