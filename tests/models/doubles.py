from collections.abc import Mapping, Sequence

from mder.models.base import Message

ASKED = [Message("user", "Where is Tokyo?")]


class Counting:
    """Answers with the number of the call."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, _messages: Sequence[Message], _schema: Mapping[str, object] | None) -> str:
        self.calls += 1
        return f"reply {self.calls}"
