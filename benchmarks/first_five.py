"""Whether the right documents come first: python -m benchmarks.first_five QUESTIONS CORPUS.

Indexes a corpus (JSONL with ``title`` and ``text``) and asks questions (JSONL with ``question``,
``answers`` and ``supporting_titles``) without a language model. ``--kg DIR`` asks a graph that is
there already; ``--quick`` asks ten questions; ``--trace`` shows each. The last line is JSON.
"""

import argparse
import json
import platform
import time
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from dr.engine import Engine, open_engine
from dr.records import Answer
from dr.trace import lines
from mder.graph.store import Graph
from mder.library import build, open_graph
from mder.names import normalise

QUICK = 10
FIRST = 5
PACKAGES = ("mder-dr", "numpy", "onnxruntime", "spacy")


def titles(graph: Graph, answer: Answer) -> list[str]:
    """Return the titles of the first documents that an answer looked at."""
    found = dict.fromkeys(graph.document(source).title for source in answer.sources)
    return list(found)[:FIRST]


class Row(msgspec.Struct):
    """One question with what is expected."""

    question: str
    answers: list[str]
    supporting_titles: list[str]


def result(graph: Graph, engine: Engine, row: Row, *, shown: bool) -> dict[str, float]:
    """Ask one question and compare."""
    answer = engine.ask(row.question)
    if shown:
        print("\n".join(lines(answer, trace=True)), "\nexpected:", *row.answers, "\n")
    wanted = set(row.supporting_titles)
    hits = wanted & set(titles(graph, answer))
    said = normalise(answer.text.split(". ")[0]) if answer.answered else ""
    return {
        "any": float(bool(hits)),
        "recall": len(hits) / len(wanted),
        "all": float(hits == wanted),
        "answered": float(answer.answered),
        "right": float(any(f" {normalise(e)} " in f" {said} " for e in row.answers)),
    }


def main() -> None:
    """Print the JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--kg", type=Path)
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK} questions")
    parser.add_argument("--trace", action="store_true")
    options = parser.parse_args()
    limit = QUICK if options.quick else options.limit
    with options.questions.open("rb") as rows:
        asked = [msgspec.json.decode(row, type=Row) for row in islice(rows, limit)]
    with TemporaryDirectory() as temporary:
        kept = Path(temporary) / "graph"
        graph = open_graph(options.kg) if options.kg else build(options.corpus, kept)
        engine = open_engine(graph)
        began = time.perf_counter()
        found = [result(graph, engine, row, shown=options.trace) for row in asked]
        seconds = time.perf_counter() - began
    figures = {name: round(sum(r[name] for r in found) / len(found), 3) for name in found[0]}
    figures["seconds_per_question"] = round(seconds / len(found), 3)
    versions = {name: version(name) for name in PACKAGES}
    about = {"benchmark": "first_five", "questions": len(found), "corpus": options.corpus.name}
    print(json.dumps({**about, **figures, "python": platform.python_version(), **versions}))


if __name__ == "__main__":
    main()
