"""A folder of documents with its graph, worked on by the commands, in this process."""

import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import dr.cli
import mder.cli
from mder.embedders.base import Embedder
from mder.library import open_graph
from tests.doubles import Done, HashingEmbedder
from tests.life.state import State, state
from tests.samples import save

DOCS = "docs"
# Each run waits for the disk many times; one in memory does not let it wait.
_MEMORY = "/dev/shm"
# So many pairs are put to the Reasoner that there is something to judge.
NEAR = ("--set", "merge_threshold=0.7")
_HASHING = HashingEmbedder()


@contextmanager
def passing() -> Iterator[Path]:
    """Give a folder that is gone afterwards."""
    quick = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    with TemporaryDirectory(dir=quick) as folder:
        yield Path(folder)


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that holds ``docs`` and, beside it, the graph.

    :param options: for each run of ``mder index``.
    """

    folder: Path
    options: Sequence[str] = NEAR
    embedder: Embedder = _HASHING

    def run(self, *arguments: object, main: Callable[[], None] = mder.cli.main) -> Done:
        """Run the command ``mder`` here, or another one."""
        out, err = io.StringIO(), io.StringIO()
        self.folder.mkdir(parents=True, exist_ok=True)
        with (
            chdir(self.folder),
            patch("sys.argv", ["command", *map(str, arguments)]),
            patch("mder.embedders.open_embedder", lambda _name="": self.embedder),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            try:
                main()
            except SystemExit as stop:
                return Done(int(stop.code or 0), out.getvalue(), err.getvalue())
        return Done(0, out.getvalue(), err.getvalue())

    def done(self, *arguments: object) -> str:
        """Run the command, which has to do all that it should, and return what it printed."""
        done = self.run(*arguments)
        assert done.code == 0, f"mder {' '.join(map(str, arguments))}: {done.err}{done.out}"
        return done.out

    def write(self, pages: Mapping[str, str]) -> None:
        save(self.folder / DOCS, dict(pages))

    def delete(self, names: Iterable[str]) -> None:
        for name in names:
            (self.folder / DOCS / name).unlink()

    def index(self, *names: str, jobs: int = 1, more: Sequence[str] = ()) -> dict[str, Any]:
        """Index all documents, or those named, and return what the run tells."""
        paths = [f"{DOCS}/{name}" for name in names] or [DOCS]
        told: dict[str, Any] = json.loads(
            self.done("index", *paths, "--jobs", jobs, *self.options, *more, "--json")
        )
        return told

    def remove(self, names: Iterable[str]) -> None:
        """Remove documents from the graph, and from the folder."""
        self.done("remove", *(f"{DOCS}/{name}" for name in names))
        self.delete(names)

    def ask(self, question: str) -> Done:
        """Run ``dr ask``."""
        return self.run("ask", question, main=dr.cli.main)

    @property
    def kg(self) -> Path:
        return self.folder / ".mder"

    def state(self) -> State:
        return state(open_graph(self.kg))
