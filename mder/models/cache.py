"""Replies that proved fit for use, kept so that nobody pays for them twice."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Protocol

from mder.models.base import Completion, LanguageModel, Message


class Replies(Protocol):
    """Where replies are kept; the journal is one, and so is any thing with these two methods."""

    def get(self, key: str) -> str | None:
        """Return the reply kept under a key."""

    def put(self, key: str, value: str) -> None:
        """Keep a reply; it is durable when this returns."""


@dataclass(frozen=True, slots=True)
class CachedModel:
    """A LanguageModel that looks among the kept replies before it asks another.

    A new reply is kept when its reader confirms it: ``completion.keep(text)``.
    """

    model: LanguageModel
    replies: Replies

    @property
    def name(self) -> str:
        """Name of the model that answers."""
        return self.model.name

    @property
    def options(self) -> Mapping[str, object]:
        """Options of the model that answers."""
        return self.model.options

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Answer from what was kept, else from the model.

        :raises ModelError: when the model does.
        """
        key = request_key(self.model, messages, schema)
        kept = self.replies.get(key)
        if kept is not None:
            return Completion(kept, 0, 0, cached=True)
        completion = self.model.complete(messages, schema)
        return replace(completion, keep=partial(self.replies.put, key))


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
