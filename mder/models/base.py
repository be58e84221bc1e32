"""The seam to chat models."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; ``role`` is ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply with its cost in tokens; ``finish_reason`` is ``stop`` or ``length``.

    :param seconds: from sending the request that succeeded to its reply; 0.0 where nobody measured.
    """

    text: str
    tokens_in: int
    tokens_out: int
    finish_reason: str = "stop"
    seconds: float = 0.0


class LanguageModel(Protocol):
    """One chat model behind one method."""

    @property
    def name(self) -> str:
        """``provider/model``."""

    @property
    def options(self) -> Mapping[str, object]:
        """What shapes replies besides the messages; the keys of kept replies hold it."""

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Answer; the text is JSON of the schema where one is given.

        Several threads may call this at once.

        :raises TooLongError: when the prompt does not fit the context of the model.
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
