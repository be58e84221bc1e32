"""Replies as models really give them, read into the forms that were asked for."""

import json
import re
from collections.abc import Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.inspect import ListType, StructType, Type, type_info

from mder.reasoners.llm.prompt import legible, restored
from mder.reasoners.llm.shapes import list_field

T = TypeVar("T", bound=Struct)

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|^.*?</think(?:ing)?>", re.DOTALL)
_FENCE = re.compile(r"```(?:\w+)?\s*\n?(.*?)```", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_DECODER = json.JSONDecoder(strict=False)
_MOST_STARTS = 40
_DEEPEST = 3


def parse(text: str, kind: type[T], source: str = "") -> T:
    """Read a reply: bare, fenced, wrapped in prose or in another object, or as a bare list.

    Items of a list that do not fit are left out, as long as one does.

    :param source: the data that the prompt showed; what was copied from it becomes as it is there.
    :raises ValueError: what is wrong with the reply, in words that its author can act on.
    """
    try:
        return _first(text, kind, source)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _first(text: str, kind: type[T], source: str) -> T:
    problem = "it holds no complete JSON"
    for value in _values(text):
        for candidate in _candidates(_told(value, source), list_field(kind), _DEEPEST):
            try:
                return msgspec.convert(_sifted(candidate, type_info(kind)), kind, strict=False)
            except msgspec.ValidationError as error:
                problem = str(error) if problem == "it holds no complete JSON" else problem
    raise ValueError(problem)


def _told(value: object, source: str) -> object:
    """Return a value with all strings in it legible and true to their source."""
    if isinstance(value, dict):
        return {key: _told(part, source) for key, part in value.items()}
    if isinstance(value, list):
        return [_told(part, source) for part in value]
    return restored(legible(value), source) if isinstance(value, str) else value


def _values(text: str) -> Iterator[object]:
    """Yield the JSON values in a text: the whole of it first, then what is fenced or embedded."""
    said = _THOUGHTS.sub("", text)
    spoken = _TRAILING_COMMA.sub("", said).strip()
    # What is JSON as it stands holds no thoughts, but may speak of their marks.
    for source in (text, said, spoken, *_FENCE.findall(spoken)):
        try:
            value = _DECODER.decode(source.strip())
            # Some wrap their JSON into a JSON string.
            yield _DECODER.decode(value) if isinstance(value, str) else value
        except ValueError:
            continue
    # Of a text that breaks off, a piece would pass for the whole.
    if _closed(spoken):
        # An empty list amid other text says nothing about the whole.
        yield from filter(None, _embedded(spoken))
        yield from _repaired(spoken)


def _repaired(text: str) -> Iterator[object]:
    """Yield what is meant by JSON with faults in its quotes, commas or escapes."""
    from json_repair import loads

    start = min((at for at in map(text.find, "{[") if at >= 0), default=-1)
    body = text[start:].rstrip("`\n ") if start >= 0 else ""
    if body.endswith(("}", "]")):
        value = loads(body, skip_json_loads=True)
        if isinstance(value, dict | list):
            yield value


def _closed(text: str) -> bool:
    """Say whether as many brackets close as open, those in strings counted too."""
    return all(text.count(a) <= text.count(b) for a, b in ("{}", "[]"))


def _embedded(text: str) -> Iterator[object]:
    end = 0
    for start in [match.start() for match in re.finditer(r"[{\[]", text)][:_MOST_STARTS]:
        if start < end:
            continue
        try:
            value, end = _DECODER.raw_decode(text, start)
        except ValueError:
            continue
        yield value


def _candidates(value: object, items: str, depth: int) -> Iterator[object]:
    """Yield a value and what is wrapped in it, outermost first.

    :param items: the field that a bare list stands for.
    """
    if isinstance(value, list):
        if items:
            yield {items: value}
        inner = value if len(value) == 1 else []
    elif isinstance(value, dict):
        yield value
        # What has the field already is no wrapping: the fault is its own.
        inner = [] if isinstance(value.get(items), list) else list(value.values())
    else:
        return
    for part in inner if depth else ():
        yield from _candidates(part, items, depth - 1)


def _sifted(value: object, kind: Type) -> object:
    """Return a value without the items of its lists that do not fit, unless none does."""
    if isinstance(kind, StructType) and isinstance(value, dict):
        known = {field.name: field.type for field in kind.fields}
        given = {k: part for k, part in value.items() if k in known and part is not None}
        return {k: _sifted(part, known[k]) for k, part in given.items()}
    if not isinstance(kind, ListType):
        return value
    if kind.max_length is not None:
        return _filled(value, kind.max_length)
    if not isinstance(value, list):
        return value
    items = [_sifted(item, kind.item_type) for item in value]
    return [item for item in items if _fits(item, kind.item_type)] or items


def _filled(value: object, length: int) -> object:
    """Return a row of so many strings: an object's values in its stead, what is missing empty."""
    row = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(row, list) or len(row) < length - 1:
        return value
    texts = (str(part) if isinstance(part, int | float) else part for part in [*row, ""])
    return ["" if part is None else part for part in texts][:length]


def _fits(item: object, kind: Type) -> bool:
    try:
        if isinstance(kind, StructType):
            msgspec.convert(item, kind.cls, strict=False)
    except msgspec.ValidationError:
        return False
    if isinstance(kind, ListType):
        row = item if isinstance(item, list) else []
        return len(row) >= (kind.min_length or 0) and all(isinstance(part, str) for part in row)
    return True
