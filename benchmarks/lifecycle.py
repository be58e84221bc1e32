"""What it costs to keep an index up to date: python -m benchmarks.lifecycle CORPUS [--rows 2000].

``mder index`` runs as a command over the first rows of a JSONL file: for the first time
(``first_seconds``), with nothing changed, and with one row changed; then ``mder remove`` takes one
Document away. ``unchanged``, ``changed`` and ``removed`` are shares of the first run's time, as
medians of ``--repeats``. ``switch_ms`` is how long it takes to make a finished Generation the
current one after a change of one row, ``switch_tenth_ms`` the same in a graph of a tenth of the
rows. ``--check`` compares what all this leads to with a graph from scratch (``differences``, which
should be 0). ``--quick`` takes 100 rows. The last line is JSON.
"""

import argparse
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from mder.errors import SourceError
from mder.graph.generations import Home
from mder.library import index, open_graph
from mder.sources import read
from tests.life.state import difference, state

QUICK = 100
SHOWN = 20
PACKAGES = ("mder-dr", "numpy", "onnxruntime", "pyoxigraph", "spacy")
MDER = (sys.executable, "-c", "from mder.cli import main; main()")


class Corpus:
    """Rows of a JSONL file, with a graph beside it."""

    def __init__(self, rows: list[dict[str, Any]], folder: Path) -> None:
        folder.mkdir()
        self.rows = rows
        self.file, self.kg = folder / "rows.jsonl", folder / ".mder"
        self.write()

    def write(self) -> None:
        """Write the rows as they are now."""
        text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in self.rows)
        self.file.write_text(text, encoding="utf-8")

    def change(self, number: int) -> None:
        """Let a row say one thing more."""
        told = f"The reader {number} of this page was born in Halden in {1900 + number}."
        self.rows[number]["text"] += f" {told}"
        self.write()

    def source(self, number: int) -> str:
        """Return what the Document of a row is called; all rows are Documents, each another one."""
        document = list(read(self.file, self.file.name))[number]
        if isinstance(document, SourceError):
            raise document
        return document.source

    def timed(self, command: str, *arguments: object) -> float:
        """Run a command as a user does, and return its seconds."""
        began = time.perf_counter()
        line = [*MDER, command, *map(str, arguments), "--kg", str(self.kg)]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL, cwd=self.file.parent)  # noqa: S603
        return time.perf_counter() - began

    def switch(self, number: int) -> float:
        """Change a row, and return the milliseconds of the switch to the new Generation."""
        self.change(number)
        took: list[float] = []
        with patch.object(Home, "publish", _clocked(Home.publish, took)):
            index([self.file], self.kg)
        return 1000 * took[0]


def _clocked(publish: Callable[..., int], took: list[float]) -> Callable[..., int]:
    def clocked(home: Home, staged: Path) -> int:
        began = time.perf_counter()
        number = publish(home, staged)
        took.append(time.perf_counter() - began)
        return number

    return clocked


def differences(corpus: Corpus, gone: set[int], folder: Path) -> int:
    """Return in how many lines a graph differs from the one from scratch; some are shown."""
    kept = [row for number, row in enumerate(corpus.rows) if number not in gone]
    fresh = Corpus(kept, folder)
    fresh.timed("index", fresh.file)
    lines = difference(state(open_graph(fresh.kg)), state(open_graph(corpus.kg)))
    for line in lines[:SHOWN]:
        print(line, file=sys.stderr)
    return len(lines)


def main() -> None:
    """Run it all, and print the JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--check", action="store_true", help="compare with a graph from scratch")
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK} rows")
    options = parser.parse_args()
    count = QUICK if options.quick else options.rows
    with options.corpus.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in islice(dict.fromkeys(lines), count)]
    with TemporaryDirectory() as temporary:
        figures = _measured(rows, Path(temporary), options.repeats, check=options.check)
    figures |= {"python": platform.python_version()}
    print(json.dumps(figures | {name: version(name) for name in PACKAGES}))


def _measured(
    rows: list[dict[str, Any]], folder: Path, repeats: int, *, check: bool
) -> dict[str, object]:
    corpus = Corpus(rows, folder / "full")
    first = corpus.timed("index", corpus.file)
    unchanged = [corpus.timed("index", corpus.file) for _ in range(repeats)]
    changed = []
    for number in range(repeats):
        corpus.change(number)
        changed.append(corpus.timed("index", corpus.file))
    switch = [corpus.switch(repeats + number) for number in range(repeats)]
    gone = {2 * repeats + number for number in range(repeats)}
    removed = [corpus.timed("remove", corpus.source(number)) for number in sorted(gone)]
    found = {"differences": differences(corpus, gone, folder / "fresh")} if check else {}
    tenth = Corpus(rows[: max(len(rows) // 10, 3 * repeats)], folder / "tenth")
    tenth.timed("index", tenth.file)
    small = [tenth.switch(number) for number in range(repeats)]
    statistics = open_graph(corpus.kg).statistics()
    return {
        "benchmark": "lifecycle",
        "documents": len(rows),
        "entities": statistics["entities"],
        "first_seconds": round(first, 1),
        "unchanged": round(median(unchanged) / first, 4),
        "changed": round(median(changed) / first, 4),
        "removed": round(median(removed) / first, 4),
        "unchanged_seconds": round(median(unchanged), 2),
        "changed_seconds": round(median(changed), 2),
        "removed_seconds": round(median(removed), 2),
        "switch_ms": round(median(switch), 1),
        "switch_tenth_ms": round(median(small), 1),
        **found,
    }


if __name__ == "__main__":
    main()
