"""Replies as models really give them, read into the forms that were asked for."""

import json
import re
from collections.abc import Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct

from mder.reasoners.llm.shapes import list_field

T = TypeVar("T", bound=Struct)

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>|^.*?</think(?:ing)?>", re.DOTALL)
_FENCE = re.compile(r"```(?:\w+)?\s*\n?(.*?)```", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_DECODER = json.JSONDecoder(strict=False)
_MOST_STARTS = 40
_DEEPEST = 3


def parse(text: str, kind: type[T]) -> T:
    """Read a reply: bare, fenced, wrapped in prose or in another object, or as a bare list.

    Items of a list that do not fit are left out, as long as one does.

    :raises ValueError: what is wrong with the reply, in words that its author can act on.
    """
    problem = "it holds no complete JSON"
    for value in _values(text):
        for candidate in _candidates(value, list_field(kind), _DEEPEST):
            try:
                return msgspec.convert(_sifted(candidate, kind), kind, strict=False)
            except msgspec.ValidationError as error:
                problem = str(error) if problem == "it holds no complete JSON" else problem
    raise ValueError(problem)


def _values(text: str) -> Iterator[object]:
    """Yield the JSON values in a text: the whole of it first, then what is fenced or embedded."""
    spoken = _TRAILING_COMMA.sub("", _THOUGHTS.sub("", text)).strip()
    for source in (_THOUGHTS.sub("", text), spoken, *_FENCE.findall(spoken)):
        try:
            value = _DECODER.decode(source.strip())
            # Some wrap their JSON into a JSON string.
            yield _DECODER.decode(value) if isinstance(value, str) else value
        except ValueError:
            continue
    # An empty list amid other text says nothing about the whole.
    yield from filter(None, _embedded(spoken))


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


def _sifted(value: object, kind: type[Struct]) -> object:
    """Return an object without the items of its list that do not fit, unless none does."""
    items = list_field(kind)
    given = value.get(items) if isinstance(value, dict) and items else None
    if not isinstance(value, dict) or not isinstance(given, list):
        return value
    item_kind = msgspec.structs.fields(kind)[0].type.__args__[0]
    fitting = [item for item in given if _fits(item, item_kind)]
    return value | {items: fitting or given}


def _fits(item: object, kind: type[Struct]) -> bool:
    try:
        msgspec.convert(item, kind, strict=False)
    except msgspec.ValidationError:
        return False
    return True
