"""How much memory an index takes: python -m benchmarks.memory CORPUS… [--rows 10000] [--quick].

python -m benchmarks.memory --check KG

The rows of all JSONL files are taken as one corpus, and ``mder index`` runs as a command over the
first quarter of ``--rows``, the first half, and all. ``peaks`` has for each the Documents, the
Entities, the seconds, and the peak of its resident memory in MB. ``again`` is the half once more,
with every row a second time under another file: twice the Documents of the half, hardly more
Entities. ``kb_per_document`` and ``kb_per_entity`` are what fits the growth from the half to both.
``--quick`` takes 400 rows. The store keeps what it read last, up to a limit: ``--check`` tells the
peak of reading all of a graph that is there, by which every run ends. The last line is JSON.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from importlib.metadata import version
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from mder.graph.validate import violations
from mder.library import open_graph

QUICK = 400
PACKAGES = ("mder-dr", "numpy", "onnxruntime", "pyoxigraph", "spacy")
MDER = (sys.executable, "-c", "from mder.cli import main; main()")
# What getrusage counts in: bytes on macOS, KB elsewhere.
UNIT = 1 if sys.platform == "darwin" else 1024
Peak = dict[str, float]


def peak(rows: list[str], folder: Path, files: int = 1) -> Peak:
    """Index rows, as many times as there are to be files, into a new graph.

    :returns: Documents, Entities, seconds, and the peak of memory in MB.
    """
    (folder / "rows").mkdir(parents=True)
    for number in range(files):
        (folder / "rows" / f"{number}.jsonl").write_text("".join(rows), encoding="utf-8")
    command = [*MDER, "index", str(folder / "rows"), "--kg", str(folder / "kg")]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:  # noqa: S603
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - began
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}")
    counts = open_graph(folder / "kg").statistics()
    return {
        "documents": int(str(counts["documents"])),
        "entities": int(str(counts["entities"])),
        "seconds": round(seconds, 1),
        "mb": round(usage.ru_maxrss * UNIT / 1e6, 1),
    }


def slopes(half: Peak, full: Peak, again: Peak) -> tuple[float, float]:
    """Return KB a Document and KB an Entity, by which memory grew from the half to the two."""
    grown = [[more[key] - half[key] for key in ("documents", "entities")] for more in (full, again)]
    peaks = [1000 * (more["mb"] - half["mb"]) for more in (full, again)]
    document, entity = np.linalg.solve(grown, peaks)
    return float(document), float(entity)


def checked(kg: Path) -> dict[str, float]:
    """Return the Documents of a graph, and the peak of memory, in MB, of checking all it states."""
    graph = open_graph(kg)
    if found := violations(graph):
        raise SystemExit(f"{kg}: {found[0]}")
    mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT / 1e6
    return {"documents": int(str(graph.statistics()["documents"])), "check_mb": round(mb, 1)}


def indexed(options: argparse.Namespace) -> dict[str, object]:
    """Return the figures of indexing some rows at each size."""
    lines = chain.from_iterable(path.open(encoding="utf-8") for path in options.corpora)
    wanted = QUICK if options.quick else options.rows
    rows = list(islice(dict.fromkeys(f"{line.rstrip()}\n" for line in lines), wanted))
    peaks = []
    with TemporaryDirectory() as temporary:
        for size in (len(rows) // 4, len(rows) // 2, len(rows)):
            peaks.append(peak(rows[:size], Path(temporary) / str(size)))
            print(json.dumps(peaks[-1]), file=sys.stderr)
        again = peak(rows[: len(rows) // 2], Path(temporary) / "again", files=2)
    document, entity = slopes(peaks[1], peaks[2], again)
    return {
        "rows": len(rows),
        "peak_mb": peaks[-1]["mb"],
        "peaks": peaks,
        "again": again,
        "kb_per_document": round(document, 2),
        "kb_per_entity": round(entity, 2),
    }


def main() -> None:
    """Index at each size, and print the JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="*", metavar="CORPUS")
    parser.add_argument("--check", type=Path, metavar="KG", help="only check this graph")
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK} rows")
    options = parser.parse_args()
    if not options.corpora and not options.check:
        parser.error("name a corpus, or --check KG")
    measured = checked(options.check) if options.check else indexed(options)
    versions = {name: version(name) for name in PACKAGES}
    python = platform.python_version()
    print(json.dumps({"benchmark": "memory", **measured, "python": python, **versions}))


if __name__ == "__main__":
    main()
