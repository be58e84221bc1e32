"""What the replies of all servers have in common once they have arrived."""

import json
from collections.abc import Mapping
from typing import Any

# Statuses that are about one request alone, such as one that a filter of contents stops, where the
# server has answered others.
ABOUT_ONE = frozenset({400, 403, 422})
_LONGEST_LINE = 300


def decoded(body: bytes) -> Mapping[str, Any]:
    """Read a JSON object; bytes that are no UTF-8 become U+FFFD instead of losing the reply.

    :raises ValueError: when it is anything else.
    """
    value = json.loads(body.decode("utf-8", "replace"))
    if not isinstance(value, dict):
        raise ValueError(f"not a JSON object: {one_line(str(value))}")
    return value


def complaint(body: bytes) -> str:
    """Find the words of an error in a reply, in one line; all of it where it has no known form."""
    try:
        said = decoded(body)
    except ValueError:
        return one_line(body.decode("utf-8", "replace"))
    error = said.get("error", said.get("message", said.get("detail", said)))
    if isinstance(error, dict):
        error = error.get("message", error)
    return one_line(str(error))


def one_line(text: str) -> str:
    """Make a text fit for a message."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"


def spoken(content: str, thoughts: str, *, json_wanted: bool) -> tuple[str, bool]:
    """Tell what a model said from what it thought.

    Some servers put constrained output where a model's thoughts go.

    :returns: its text, and whether it came to nothing because the thoughts took all the room.
    """
    if content.strip() or not thoughts.strip():
        return content, False
    if json_wanted and thoughts.lstrip().startswith(("{", "[")):
        return thoughts, False
    return "", True
