"""A model server for benchmarks: python -m benchmarks.server [--latency S] [--per-token S].

It speaks the OpenAI API on the loopback interface and prints its address. To prompts of indexing it
replies what the syntax Reasoner finds, in the form that the prompt asks for. Tokens are counted by
the tokenizer of the packaged embedding model (WordPiece), not by the program's own estimate. The
model ``instant`` replies at once; any other one after ``--latency`` seconds and ``--per-token``
seconds for each token of the reply. A reply is worked out once.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar

from mder.embedders import PACKAGE
from mder.models.base import Message
from mder.reasoners.llm.rehearsal import rehearsed
from mder.reasoners.syntax import SyntaxReasoner

INSTANT = "instant"


@cache
def count(text: str) -> int:
    """Count the tokens of a text."""
    return len(_tokenizer().encode(text, add_special_tokens=False).ids)


@cache
def _tokenizer() -> Any:  # noqa: ANN401
    from tokenizers import Tokenizer

    folder = Path(str(files(PACKAGE))) / "model"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


class Handler(BaseHTTPRequestHandler):
    """Replies to chat completions."""

    protocol_version = "HTTP/1.1"
    # Headers and body go out together; else the second waits for the first to be acknowledged.
    disable_nagle_algorithm = True
    wbufsize = -1
    latency = 0.0
    per_token = 0.0
    reasoner = SyntaxReasoner()
    replies: ClassVar[dict[str, str]] = {}
    lock = Lock()

    def do_POST(self) -> None:
        """Reply."""
        began = time.perf_counter()
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = self.reply(body["messages"])
        sent = sum(count(m["content"]) for m in body["messages"])
        got = count(text)
        if body["model"] != INSTANT:
            due = began + self.latency + self.per_token * got
            time.sleep(max(0.0, due - time.perf_counter()))
        message = {"role": "assistant", "content": text}
        data = json.dumps(
            {
                "id": "reply",
                "object": "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {
                    "prompt_tokens": sent,
                    "completion_tokens": got,
                    "total_tokens": sent + got,
                },
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def reply(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Return the reply to a prompt, from memory where it came before."""
        key = json.dumps(messages)
        with self.lock:
            if key not in self.replies:
                asked = [Message(m["role"], m["content"]) for m in messages]
                self.replies[key] = rehearsed(self.reasoner, asked)
            return self.replies[key]

    def log_message(self, *_: object) -> None:
        """Stay silent."""


class Server(ThreadingHTTPServer):
    """One thread a connection; as many may wait as ask."""

    daemon_threads = True
    request_queue_size = 256


@contextmanager
def serving(latency: float = 0.0, per_token: float = 0.0) -> Iterator[str]:
    """Run the server as a process of its own, and give its address."""
    command = [sys.executable, "-m", "benchmarks.server"]
    command += ["--latency", str(latency), "--per-token", str(per_token)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            yield process.stdout.readline().strip() if process.stdout else ""
        finally:
            process.terminate()


def main() -> None:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--per-token", type=float, default=0.0)
    options = parser.parse_args()
    Handler.latency, Handler.per_token = options.latency, options.per_token
    with Server(("127.0.0.1", 0), Handler) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
