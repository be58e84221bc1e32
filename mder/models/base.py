"""The seam to chat models."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; ``role`` is ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


def _forget(_text: str) -> None:
    """Keep nothing: what a reply does that no cache stands behind."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply with its cost in tokens; ``finish_reason`` is ``stop`` or ``length``.

    :param cached: it was kept from an earlier run and cost nothing.
    :param keep: called with the text that proved fit for use, so that a cache stores it for this
        request; a reply that nobody confirms is never stored.
    """

    text: str
    tokens_in: int
    tokens_out: int
    finish_reason: str = "stop"
    cached: bool = False
    keep: Callable[[str], None] = field(default=_forget, repr=False, compare=False)


class LanguageModel(Protocol):
    """One chat model behind one method."""

    @property
    def name(self) -> str:
        """``provider/model``."""

    @property
    def options(self) -> Mapping[str, object]:
        """What shapes replies besides the messages; a cache takes it into its keys."""

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Answer; the text is JSON of the schema where one is given.

        :raises ModelError: when the server, the model or the reply fails.
        """


@dataclass(frozen=True, slots=True)
class CallableModel:
    """A LanguageModel made of a function, for tests and for models that nobody foresaw."""

    function: Callable[[Sequence[Message], Mapping[str, object] | None], str]
    name: str = "callable/function"
    options: Mapping[str, object] = field(default_factory=dict)

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Call the function; tokens are counted as words."""
        text = self.function(messages, schema)
        return Completion(text, sum(len(m.content.split()) for m in messages), len(text.split()))
