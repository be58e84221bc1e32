"""A process that has loaded what takes seconds to load, and forks one child a command.

A child is a command from its first line to its end, and can be killed at any of them.
"""

import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tests.doubles import Done

CRASHED = 70


@dataclass(slots=True)
class Running:
    """A command that was started."""

    pid: int
    answers: IO[str]

    def kill(self) -> None:
        """Kill it and all that it started, as ``kill -9`` does; it may have ended by now."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    def wait(self) -> Done:
        """Wait for its end; a code below zero is the signal that ended it."""
        return Done(**json.loads(self.answers.readline()))


@dataclass(slots=True)
class Worker:
    """Starts commands, one after the other.

    :param hashing: commands use the Embedder of the tests, not the packaged one.
    """

    process: subprocess.Popen[str]
    hashing: bool
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, folder: Path, *arguments: object, size: int | None = None) -> Running:
        """Start a command in a folder.

        :param arguments: the first is ``mder`` or ``dr``.
        :param size: the most bytes that a file may have.
        """
        assert self.process.stdin
        assert self.process.stdout
        command = {
            "folder": str(folder),
            "arguments": [str(argument) for argument in arguments],
            "hashing": self.hashing,
            "environment": self.environment,
            "size": size,
        }
        self.process.stdin.write(f"{json.dumps(command)}\n")
        self.process.stdin.flush()
        return Running(int(self.process.stdout.readline()), self.process.stdout)

    def run(self, folder: Path, *arguments: object, size: int | None = None) -> Done:
        """Run a command to its end."""
        return self.start(folder, *arguments, size=size).wait()

    def timed(self, folder: Path, *arguments: object) -> float:
        """Run a command, which has to do all that it should, and return the seconds it took."""
        began = time.perf_counter()
        done = self.run(folder, *arguments)
        assert done.code == 0, done.err
        return time.perf_counter() - began


@contextmanager
def working(*, hashing: bool = True) -> Iterator[Worker]:
    """Give a Worker."""
    command = [sys.executable, "-m", "tests.life.worker"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as process:
        yield Worker(process, hashing)


def main() -> None:
    """Fork a child for each line of standard input; print its process id, and how it ended."""
    _warm()
    for line in sys.stdin:
        # Pipes, for files may be limited in size.
        pipes = [os.pipe(), os.pipe()]
        pid = os.fork()
        if pid == 0:
            _become(json.loads(line), [end for _, end in pipes])
        _answer(pid)
        for _, end in pipes:
            os.close(end)
        out, err = (_drained(end) for end, _ in pipes)
        _, status = os.waitpid(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        _answer({"code": code, "out": out, "err": err})


def _warm() -> None:
    """Load what a run loads when it is first needed; no store, for its threads do not fork."""
    import dr.engine
    import mder.models.ollama
    import mder.pipeline
    from mder.languages import detect
    from mder.reasoners.syntax.parser import parse
    from mder.sentences import sentences

    text = "Anna Holt was born in Halden, which is a town in Norway."
    assert detect(text)
    assert list(sentences(text))
    assert list(parse([text]))
    assert dr.engine
    assert mder.models.ollama
    assert mder.pipeline


def _answer(value: object) -> None:
    sys.stdout.write(f"{json.dumps(value)}\n")
    sys.stdout.flush()


def _drained(end: int) -> str:
    with os.fdopen(end, encoding="utf-8", errors="replace") as pipe:
        return pipe.read()


def _become(command: Mapping[str, Any], outputs: Sequence[int]) -> None:
    """Be the command, and end with it."""
    code: object = CRASHED
    try:
        os.setsid()
        os.chdir(command["folder"])
        os.environ.update(command["environment"])
        for descriptor, output in enumerate(outputs, start=1):
            os.dup2(output, descriptor)
        if command["size"] is not None:
            _limit(command["size"])
        code = _run(command["arguments"], hashing=command["hashing"])
    finally:
        if sys.exception():
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)


def _limit(size: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def _run(arguments: Sequence[str], *, hashing: bool) -> object:
    from dr import cli as dr
    from mder import cli as mder
    from mder import embedders
    from tests.doubles import HashingEmbedder

    if hashing:
        setattr(embedders, "open_embedder", lambda _name="": HashingEmbedder())  # noqa: B010
    sys.argv = list(arguments)
    try:
        (dr if arguments[0] == "dr" else mder).main()
    except SystemExit as stop:
        return stop.code or 0
    return 0


if __name__ == "__main__":
    main()
