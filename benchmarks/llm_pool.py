"""How well requests fill the time: python -m benchmarks.llm_pool CORPUS.jsonl [--quick].

The pipeline runs against a server of fixed latency (200 ms and 5 ms a token, see
``benchmarks.server``) with 1, 8 and 64 requests in flight, over more rows the more are in flight.
Printed is wall time over the ideal. That is the time of the same run with a server that replies at
once and, for each stage, since it must end before the next begins, its latencies divided by the
requests in flight (or its mean request, where that is more). ``waiting_*`` leaves out the time of
the run with the instant server on both sides. An embedder that costs nothing stands in for the real
one, so that the pool is measured and not the encoder. ``--quick`` takes fewer rows. The last line
is JSON.
"""

import argparse
import json
import os
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.pace import first_rows
from benchmarks.server import INSTANT, serving
from mder.embedders.base import Vectors
from mder.graph.generations import Home
from mder.journal import Journal
from mder.models.ledger import Ledger, Spent
from mder.pipeline import index, pool
from mder.reasoners import Terms, open_cast
from mder.settings import Settings

LATENCY, PER_TOKEN = 0.2, 0.005
ROWS = {1: 30, 8: 240, 64: 1000}
QUICK = 4
PACKAGES = ("mder-dr", "openai", "spacy", "numpy")


class Hashed:
    """Embeds a text by its words, at hardly any cost."""

    name = "benchmark/hashed"
    dimension = 64

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.split():
                vectors[row, sum(word.encode()) % self.dimension] += 1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = vectors / np.maximum(lengths, 1e-9)
        return unit


@dataclass(frozen=True)
class Run:
    """One run of the pipeline.

    :param seconds: from its beginning to its end.
    """

    seconds: float
    stages: dict[str, Spent]

    def ideal(self, in_flight: int) -> float:
        """Return the least time that these requests take, so many at once."""
        return sum(_least(spent, in_flight) for spent in self.stages.values())


def _least(spent: Spent, in_flight: int) -> float:
    latency = LATENCY * spent.calls + PER_TOKEN * spent.tokens_out
    mean = latency / max(spent.calls, 1)
    return max(latency / in_flight, mean) if spent.calls else 0.0


def run(rows: Path, folder: Path, model: str, in_flight: int) -> Run:
    """Index into a new graph."""
    settings = Settings(llm=f"openai/{model}")
    home, ledger = Home.create(folder / f"{model}-{in_flight}"), Ledger()
    began = time.perf_counter()
    with Journal(home.journal) as journal, pool.requests(in_flight) as each:
        terms = Terms(ledger, journal, each, in_flight)
        cast = open_cast(settings.models, settings.language, terms)
        index([rows], home, journal, settings, cast, Hashed(), jobs=in_flight, ledger=ledger)
    return Run(time.perf_counter() - began, dict(ledger.stages))


def main() -> None:
    """Run each number in flight, and print the JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--quick", action="store_true", help=f"a {QUICK}th of the rows")
    options = parser.parse_args()
    figures: dict[str, object] = {"benchmark": "llm_pool"}
    with TemporaryDirectory() as temporary, serving(LATENCY, PER_TOKEN) as address:
        os.environ["OPENAI_BASE_URL"] = address
        for in_flight, count in ROWS.items():
            folder = Path(temporary) / str(in_flight)
            folder.mkdir()
            rows = first_rows(options.corpus, folder, count // QUICK if options.quick else count)
            run(rows, folder / "first", INSTANT, in_flight)
            instant = run(rows, folder, INSTANT, in_flight).seconds
            slow = run(rows, folder, "slow", in_flight)
            ideal = slow.ideal(in_flight)
            figures |= {
                f"ratio_{in_flight}": round(slow.seconds / (ideal + instant), 3),
                f"waiting_{in_flight}": round((slow.seconds - instant) / ideal, 3),
                f"seconds_{in_flight}": round(slow.seconds, 1),
                f"ideal_{in_flight}": round(ideal, 1),
                f"instant_{in_flight}": round(instant, 1),
            }
    figures |= {"python": platform.python_version()}
    figures |= {name: version(name) for name in PACKAGES}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
