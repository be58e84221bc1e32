"""How fast questions are answered: python -m benchmarks.ask [--kg DIR] [--quick].

:mod:`benchmarks.synthetic` writes a graph of ``--entities`` Entities and as many Chunks; in
``--kg`` it stays, and is written once. Its Retrievers are asked ``--questions`` questions each,
about names that are there, after a few to warm up; ``ms`` has the medians. Of ``dr``,
``decompose`` is what the Reasoner takes to take the question apart, ``encode`` the Embedder for
all that it encodes, and ``rest`` what is left; it encodes the question while that is taken apart.

The ``floor`` is measured before each question: a ``product`` of its vector with those of all Chunks
and one with those of all summaries (as BLAS does it or in one thread, whichever is faster), which
are the sets that ``dr`` searches, and a SPARQL ``query`` for the Triples of an Entity.
``over_floor`` is how many times that ``dr`` takes, ``over_floor_search`` its ``rest``.

``cold`` has the seconds of ``dr ask`` as a command on the graph of ``examples/`` (``demo``) and on
the large one, and of ``import sentence_transformers``; the best of ``--repeats``. ``cold_ratio`` is
that of the demo over the import, null where sentence-transformers is not installed. ``--quick``
makes it 2000 Entities. The last line is JSON.
"""

import argparse
import json
import platform
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.synthetic import World, build
from dr.engine import Engine, open_engine
from dr.retrievers import Means, open_retriever
from mder.embedders.base import Vectors
from mder.graph.segments import segments_of
from mder.graph.store import Graph
from mder.graph.vocabulary import entity_iri
from mder.library import open_graph

QUICK = 2000
WARM = 5
# Seconds: the threads of BLAS wait busily for a while, on the cores that are to answer next.
CALM = 0.15
ASKED = ("dr", "hybrid", "vector", "bm25")
SEARCHED = ("chunks", "summaries")
PACKAGES = ("mder-dr", "numpy", "onnxruntime", "pyoxigraph", "spacy")
OPTIONAL = ("sentence-transformers", "torch")
EXAMPLES = Path(__file__).parents[1] / "examples" / "documents"
DEMO = "On which river does the birthplace of the mother of Irène Joliot-Curie stand?"
MDER = (sys.executable, "-c", "from mder.cli import main; main()")
DR = (sys.executable, "-c", "from dr.cli import main; main()")
THEIRS = (sys.executable, "-c", "import sentence_transformers")
Times = defaultdict[str, list[float]]


class Stopwatch:
    """Seconds spent in some functions since it was last read."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def clocked(self, function: Callable[..., Any], part: str) -> Callable[..., Any]:
        """Return a function that is clocked as a part."""

        def timed(*arguments: object) -> object:
            began = time.perf_counter()
            found = function(*arguments)
            self.seconds[part] += time.perf_counter() - began
            return found

        return timed

    def read(self) -> dict[str, float]:
        """Return the seconds by part, and begin anew."""
        seconds = dict(self.seconds)
        self.seconds.clear()
        return seconds


class Floor:
    """What asking takes at the least."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        files = (segments_of(graph.path / "vectors", name) for name in SEARCHED)
        self._matrices = [file.matrix() for segments in files for file in segments]

    def measured(self, vector: Vectors, name: str) -> dict[str, float]:
        """Return the seconds of the products and of the query."""
        blas = _seconds(lambda: [matrix @ vector for matrix in self._matrices])
        single = _seconds(lambda: [np.einsum("ij,j->i", m, vector) for m in self._matrices])
        node = entity_iri(name)
        query = (
            f"SELECT ?t ?p ?o {{ ?t mder:hasSource {node} ; mder:hasRelationship ?p ; "
            "mder:hasTarget ?o }"
        )
        asked = _seconds(lambda: list(self._graph.query(query)))
        return {"product": min(blas, single), "query": asked}


def warm(engine: Engine, world: World, count: int) -> dict[str, Any]:
    """Ask each Retriever other questions, in turns, with the floor before each."""
    graph, clock, times = engine.graph, Stopwatch(), Times(list)
    retrievers = {
        name: open_retriever(name, Means(graph, engine.embedder, engine.reasoner)) for name in ASKED
    }
    floor, questions = Floor(graph), world.questions((WARM + count) * len(ASKED))
    with ExitStack() as patched:
        for thing, part in ((engine.reasoner, "decompose"), (engine.embedder, "encode")):
            clocked = clock.clocked(getattr(type(thing), part), part)
            patched.enter_context(patch.object(type(thing), part, clocked))
        for number, (text, name) in enumerate(questions):
            asked = ASKED[number % len(ASKED)]
            least = floor.measured(engine.embedder.encode([text])[0], name)
            time.sleep(CALM)
            clock.read()
            took = _seconds(lambda: retrievers[asked].retrieve(text))  # noqa: B023
            parts = clock.read()
            if number < WARM * len(ASKED):
                continue
            for part, seconds in least.items():
                times[part].append(seconds)
            times["floor"].append(sum(least.values()))
            times[asked].append(took)
            if asked == "dr":
                for part in ("decompose", "encode"):
                    times[part].append(parts.get(part, 0.0))
                times["rest"].append(took - sum(parts.values()))
    return _figures({name: median(found) for name, found in times.items()})


def _figures(middle: dict[str, float]) -> dict[str, Any]:
    floor = middle["floor"]
    return {
        "over_floor": round(middle["dr"] / floor, 2),
        "over_floor_search": round(middle["rest"] / floor, 2),
        "ms": {name: round(1000 * seconds, 2) for name, seconds in middle.items()},
    }


def cold(kg: Path, question: str, repeats: int) -> dict[str, Any]:
    """Time the commands from nothing, in turns."""
    times = Times(list)
    with TemporaryDirectory() as folder:
        demo = Path(folder) / "kg"
        _run([*MDER, "index", str(EXAMPLES), "--kg", str(demo)])
        for _ in range(repeats):
            times["demo"].append(_run([*DR, "ask", DEMO, "--kg", str(demo)]))
            if find_spec("sentence_transformers"):
                times["import"].append(_run([*THEIRS]))
            times["large"].append(_run([*DR, "ask", question, "--kg", str(kg)]))
    best = {name: min(found) for name, found in times.items()}
    ratio = round(best["demo"] / best["import"], 3) if "import" in best else None
    return {"cold_ratio": ratio, "cold": {n: round(seconds, 2) for n, seconds in best.items()}}


def _run(command: list[str]) -> float:
    return _seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))  # noqa: S603


def _seconds(function: Callable[[], object]) -> float:
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def _versions() -> Iterator[tuple[str, str | None]]:
    for name in (*PACKAGES, *OPTIONAL):
        there = name in PACKAGES or find_spec(name.replace("-", "_"))
        yield name, version(name) if there else None


def main() -> None:
    """Make the graph where it is missing, ask, and print the JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--kg", type=Path, help="where the graph is kept")
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK} Entities")
    options = parser.parse_args()
    world = World(QUICK if options.quick else options.entities)
    with TemporaryDirectory() as folder:
        kg = options.kg or Path(folder) / "kg"
        built = 0.0 if (kg / "CURRENT").exists() else _seconds(lambda: build(world, kg))
        print(f"built in {built:.1f} s", file=sys.stderr)
        graph = open_graph(kg)
        statistics = graph.statistics()
        figures = {
            "benchmark": "ask",
            **{name: statistics[name] for name in ("entities", "chunks", "triples")},
            "questions": options.questions,
            **warm(open_engine(graph), world, options.questions),
            **cold(kg, world.questions(1)[0][0], options.repeats),
        }
    print(json.dumps(figures | {"python": platform.python_version(), **dict(_versions())}))


if __name__ == "__main__":
    main()
