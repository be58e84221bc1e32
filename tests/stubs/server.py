import json
import select
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.stubs.faults import (
    BROKEN,
    Broken,
    Fault,
    Faults,
    Reply,
    Said,
    Slow,
    Status,
    Twist,
    decided,
)
from tests.stubs.recorded import Recorded, StubUrl

Response = tuple[int, dict[str, Any]]
Respond = Callable[[Recorded, Twist], Response]
Failure = Callable[[int, str], dict[str, Any]]

_AS_IT_IS = Said(lambda text, _: text)


class _Handler(BaseHTTPRequestHandler):
    requests: list[Recorded]
    respond: Respond
    fault: Callable[[Recorded], Fault | None]
    failure: Failure
    stopped: threading.Event

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Recorded(self.command, self.path, json.loads(raw) if raw else {}, headers)
        self.requests.append(request)
        fault = self.fault(request) if request.method == "POST" else None
        if isinstance(fault, Status):
            message = fault.message or f"injected {fault.code}"
            self._send(fault.code, self.failure(fault.code, message), fault.headers)
        elif isinstance(fault, Reply):
            self._send(200, fault.body)
        elif fault is Broken.HANG:
            self._wait_for_the_client_to_leave()
        elif fault is not Broken.CLOSE:
            if isinstance(fault, Slow):
                self.stopped.wait(fault.seconds)
            twist = (fault if isinstance(fault, Said) else _AS_IT_IS).twist
            self._send(*self.respond(request, twist), cut=fault is Broken.CUT_BODY)
        self.close_connection = isinstance(fault, Broken) or self.close_connection

    def _send(
        self,
        status: int,
        body: Mapping[str, Any],
        headers: Mapping[str, str] | None = None,
        *,
        cut: bool = False,
    ) -> None:
        data = json.dumps(body).encode()
        data = data.replace(json.dumps(BROKEN).strip('"').encode(), b"\xff\xfe")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if cut else data)

    def _wait_for_the_client_to_leave(self) -> None:
        while not self.stopped.wait(0.01):
            readable, _, _ = select.select([self.connection], [], [], 0)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                return

    do_GET = do_POST = _serve  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Stay silent: test output is for tests."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent about clients that have left, which they do on purpose."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextmanager
def serve(
    respond: Respond, *, root: str = "", faults: Faults = (), failure: Failure
) -> Iterator[StubUrl]:
    """Run a server whose replies come from ``respond``.

    :param root: path under which the API lives, added to the address.
    :param failure: makes the body of an injected error from its status and message.
    """
    stopped = threading.Event()
    recorded: list[Recorded] = []
    state = {
        "requests": recorded,
        "respond": staticmethod(respond),
        "fault": staticmethod(decided(faults)),
        "failure": staticmethod(failure),
        "stopped": stopped,
    }
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), state))
    thread = threading.Thread(target=server.serve_forever, args=(0.005,), daemon=True)
    thread.start()
    url = StubUrl(f"http://127.0.0.1:{server.server_address[1]}{root}")
    url.requests = recorded
    try:
        yield url
    finally:
        stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()
