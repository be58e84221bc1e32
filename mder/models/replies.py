"""Replies that proved fit for use, kept so that nobody pays for them twice."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from mder.models.base import LanguageModel, Message
from mder.models.ledger import Spent


@dataclass(frozen=True, slots=True)
class Failure:
    """Something asked for that no reply could be used for.

    :param key: of the request, see :func:`request_key`.
    :param about: what is missing now: "triples of notes.md, characters 0 to 900".
    :param source: the Document that it belongs to, or ``""``.
    :param reply: the last reply, as it came.
    """

    key: str
    stage: str
    source: str
    about: str
    problem: str
    reply: str = ""


class Replies(Protocol):
    """Where replies are kept, with what they cost; the journal is one."""

    def get(self, key: str) -> str | None:
        """Return the reply kept under a key."""

    def keep(self, replies: Mapping[str, str], model: str, stage: str, spent: Spent) -> None:
        """Keep what was of use in one reply of a model, and its cost; durable when this returns."""

    def fail(self, failures: Sequence[Failure]) -> None:
        """Keep what failed, until something is kept under its key."""


class NoReplies:
    """Keeps nothing: for questions, which are asked once."""

    def get(self, key: str) -> str | None:  # noqa: ARG002
        """Know nothing."""
        return None

    def keep(self, replies: Mapping[str, str], model: str, stage: str, spent: Spent) -> None:
        """Keep nothing."""

    def fail(self, failures: Sequence[Failure]) -> None:
        """Keep nothing."""


def request_key(
    model: LanguageModel, messages: Sequence[Message], schema: Mapping[str, object] | None
) -> str:
    """Return the SHA-256 (hex) of everything that a reply depends on."""
    request = {
        "model": model.name,
        "options": dict(model.options),
        "messages": [asdict(message) for message in messages],
        "schema": None if schema is None else dict(schema),
    }
    canonical = json.dumps(request, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
