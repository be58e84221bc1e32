import socket
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request as it came in; header names are in lower case."""

    method: str
    path: str
    body: dict[str, Any]
    headers: dict[str, str]


class StubUrl(str):
    """The address of a stub server, which remembers what was asked of it."""

    __slots__ = ("requests",)

    requests: list[Recorded]

    def count(self, path: str) -> int:  # type: ignore[override]
        """Count the requests to a path such as ``/api/chat``."""
        return sum(request.path == path for request in self.requests)


def refused() -> str:
    """Return the address of a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"
