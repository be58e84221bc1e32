"""How fast documents are indexed: python -m benchmarks.pace PATH… [--limit N] [--quick].

Documents a second without a language model, and the share of the time that goes into parsing (with
the rules over the parse), into encoding, and into everything else. ``--quick`` takes the first 50
rows of a JSONL file. The last line is JSON.
"""

import argparse
import json
import platform
import time
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from mder.library import index

QUICK = 50
PACKAGES = ("mder-dr", "numpy", "onnxruntime", "pyoxigraph", "spacy")


def first_rows(path: Path, folder: Path, limit: int) -> Path:
    """Copy the first rows of a JSONL file."""
    copy = folder / path.name
    with path.open(encoding="utf-8") as lines:
        copy.write_text("".join(islice(lines, limit)), encoding="utf-8")
    return copy


def main() -> None:
    """Index once, and print the JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--limit", type=int, help="rows of each JSONL file")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK} rows")
    options = parser.parse_args()
    limit = QUICK if options.quick else options.limit
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        paths = [
            first_rows(p, folder, limit) if limit and p.suffix == ".jsonl" else p
            for p in options.paths
        ]
        began = time.perf_counter()
        _, report = index(paths, folder / "graph", jobs=options.jobs)
        seconds = time.perf_counter() - began
    parse, encode = report.seconds["map"], report.seconds["encode"]
    figures = {
        "benchmark": "pace",
        "documents": report.read,
        "seconds": round(seconds, 1),
        "documents_per_second": round(report.read / seconds, 2),
        "parse": round(parse / seconds, 3),
        "encode": round(encode / seconds, 3),
        "else": round(max(seconds - parse - encode, 0) / seconds, 3),
        "jobs": options.jobs,
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
