import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[Sequence[Mapping[str, str]], Mapping[str, Any] | None], str]
Embed = Callable[[str], list[float]]
Response = tuple[int, dict[str, Any]]
Failure = Callable[[int], dict[str, Any]]


def echo(messages: Sequence[Mapping[str, str]], _schema: Mapping[str, Any] | None) -> str:
    """Answer with the last message, as a default that tests can recognise."""
    return messages[-1]["content"]


def letters(text: str) -> list[float]:
    """Embed as counts of letters and a constant, so that like texts are near each other."""
    lowered = text.lower()
    return [*(float(lowered.count(chr(code))) for code in range(97, 123)), 1.0]


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


class _Handler(BaseHTTPRequestHandler):
    requests: list[Recorded]
    respond: Callable[[Recorded], Response]

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Recorded(self.command, self.path, json.loads(raw) if raw else {}, headers)
        self.requests.append(request)
        status, body = self.respond(request)
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = _serve  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Stay silent: test output is for tests."""


@contextmanager
def serve(
    respond: Callable[[Recorded], Response],
    *,
    root: str = "",
    faults: Iterable[int] = (),
    failure: Failure,
) -> Iterator[StubUrl]:
    """Run a server whose replies come from ``respond``.

    :param root: path under which the API lives, added to the address.
    :param failure: makes the body of an injected fault from its status.
    """
    pending = iter(tuple(faults))

    def reply(request: Recorded) -> Response:
        status = next(pending, None) if request.method == "POST" else None
        return respond(request) if status is None else (status, failure(status))

    requests: list[Recorded] = []
    handler = type("Handler", (_Handler,), {"requests": requests, "respond": staticmethod(reply)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.005,), daemon=True)
    thread.start()
    url = StubUrl(f"http://127.0.0.1:{server.server_address[1]}{root}")
    url.requests = requests
    try:
        yield url
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
