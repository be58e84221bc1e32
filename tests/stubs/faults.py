"""What may go wrong with one request to a stub server."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from tests.stubs.recorded import Recorded

Schema = Mapping[str, Any] | None
# What a model says, and the schema that was asked for; None is a content of null.
Twist = Callable[[str, Schema], str | None]

# Stands in a content where bytes go that are no UTF-8.
BROKEN = "\ue000"


@dataclass(frozen=True, slots=True)
class Status:
    """The server answers with a status, and an error of its API that says ``message``."""

    code: int
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


class RetryAfter(Status):
    """The server wants to be left alone for some seconds, or until an HTTP date."""

    def __init__(self, wait: float | str, code: int = 429) -> None:
        super().__init__(code, headers={"Retry-After": str(wait)})


@dataclass(frozen=True, slots=True)
class Reply:
    """The server answers 200 with something of its own."""

    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Slow:
    """The reply is a good one, and late."""

    seconds: float


class Broken(Enum):
    """The connection is at fault."""

    HANG = auto()
    CLOSE = auto()
    CUT_BODY = auto()


@dataclass(frozen=True, slots=True)
class Said:
    """The reply is well formed, and its content is not what was asked for."""

    twist: Twist


HANG, CLOSE, CUT_BODY = Broken.HANG, Broken.CLOSE, Broken.CUT_BODY
CUT = Said(lambda text, _: text[: len(text) * 2 // 3])
PROSE = Said(
    lambda text, _: f"Sure! Here is the JSON that you asked for:\n```json\n{text}\n```\nBye."
)
THINK = Said(lambda text, _: f'<think>\nWell, {{"this": is hard}}.\n</think>\n\n{text}')
SCHEMA = Said(lambda text, schema: json.dumps(schema) if schema else text)
EMPTY = Said(lambda _, __: "")
NULL = Said(lambda _, __: None)
BAD_UTF8 = Said(lambda text, _: f"{text[:2]}{BROKEN}{text[2:]}")

Fault = Status | Reply | Slow | Broken | Said
Faults = Iterable[Fault | int | str | None] | Callable[[Recorded], Fault | int | str | None]


def decided(faults: Faults) -> Callable[[Recorded], Fault | None]:
    """Return a function from the requests, as they come, to what goes wrong with each."""
    if callable(faults):
        choose = faults
        return lambda request: _named(choose(request))
    pending = iter(tuple(faults))
    return lambda _request: _named(next(pending, None))


def _named(fault: Fault | int | str | None) -> Fault | None:
    return Status(int(fault)) if isinstance(fault, int | str) else fault
