"""What stands behind a stub server."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mder.models.tokens import estimate

Answer = Callable[[Sequence[Mapping[str, str]], Mapping[str, Any] | None], str]
Embed = Callable[[str], list[float]]

_FEW = 400


def echo(messages: Sequence[Mapping[str, str]], _schema: Mapping[str, Any] | None) -> str:
    """Answer with the last message, as a default that tests can recognise."""
    return messages[-1]["content"]


def letters(text: str) -> list[float]:
    """Embed as counts of letters and a constant, so that like texts are near each other."""
    lowered = text.lower()
    return [*(float(lowered.count(chr(code))) for code in range(97, 123)), 1.0]


def tokens(text: str) -> int:
    """Count the words of a few, so that tests can foresee it, and more as a tokenizer would."""
    return len(text.split()) if len(text) < _FEW else estimate(text)


def prompt_tokens(messages: Sequence[Mapping[str, str]]) -> int:
    return sum(tokens(message["content"]) for message in messages)
