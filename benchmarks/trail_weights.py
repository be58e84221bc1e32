"""Fit the weights of dr.retrievers.trails: python -m benchmarks.trail_weights QUESTIONS KG CORPUS….

A logistic regression tells the supporting Chunks from the others that were looked at. It is fitted
on one half of the questions, drawn at random, and the recall of that fit is told for the other
half, and the same with the halves exchanged; ``weights`` are those of all questions. Several sets
are fitted together where ``--also QUESTIONS KG CORPUS…`` names more; each weighs the same. The
links that are looked at, and which of them is the best, rest on the weights that are there: run it
again with the new ones until they stay. ``--quick`` takes 20 questions a set. The last line is
JSON.
"""

import argparse
import json
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dr.evaluate.datasets import read_examples
from dr.evaluate.documents import documents_of
from dr.evaluate.metrics import recall_at
from dr.resolve import Resolver
from dr.retrievers.dr import resolved
from dr.retrievers.trails import Look, Trails
from dr.retrievers.weights import ALONE, LINKED, Weights
from mder.embedders import open_embedder
from mder.library import open_graph
from mder.reasoners.syntax import SyntaxReasoner

QUICK = 20
LOOKED_AT = 150  # Chunks a question, the best by the weights that are there
FIRST = 5
RIDGE = 3.0
STEPS = 30
PACKAGES = ("mder-dr", "numpy", "onnxruntime", "spacy")
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """A question: the Documents and features of the Chunks looked at, and what supports it.

    :param weight: so that all sets of questions weigh the same.
    """

    sources: list[str]
    features: Array
    support: tuple[frozenset[str], ...]
    weight: float

    @property
    def right(self) -> Array:
        """1 for each Chunk of a supporting Document."""
        wanted = frozenset().union(*self.support)
        return np.array([source in wanted for source in self.sources], dtype=np.float64)

    def recall(self, weights: Array) -> float:
        """Return the recall of the first Documents."""
        order = np.argsort(-(self.features @ weights), kind="stable")
        return recall_at(FIRST, list(dict.fromkeys(self.sources[at] for at in order)), self.support)


def cases(questions: Path, kg: Path, corpora: Sequence[Path], limit: int | None) -> Iterator[Case]:
    """Yield the questions of a set."""
    graph, embedder = open_graph(kg), open_embedder()
    reasoner = SyntaxReasoner(lambda text: bool(graph.find(text)))
    resolver, trails = Resolver(graph, embedder, reasoner), Trails(graph)
    examples = read_examples(questions.read_bytes(), questions.name, limit)
    documents = documents_of(graph, corpora, counted=any(e.rows for e in examples))
    for example in examples:
        support = documents.support(example)
        if support:
            question = reasoner.decompose(example.question)
            vector = embedder.encode([example.question])[0]
            hops = resolver.resolve(question, vector)
            look = Look(question, vector, trails.chunks.products(vector), dict(resolved(hops)))
            found = trails.found(look, LOOKED_AT)
            sources = [graph.chunk(trail.chunk).source for trail in found]
            features = np.array([trail.features for trail in found])
            yield Case(sources, features, tuple(support), 1 / len(examples))


def fit(chosen: Sequence[Case]) -> Array:
    """Return the weights of a logistic regression, by Newton's method."""
    table = np.concatenate([case.features for case in chosen])
    right = np.concatenate([case.right for case in chosen])
    weight = np.repeat([c.weight for c in chosen], [len(c.sources) for c in chosen]) * 1000
    scale = table.std(axis=0) + 1e-9
    table = np.column_stack([table / scale, np.ones(len(table))])
    found = np.zeros(table.shape[1])
    ridge = np.diag([RIDGE] * (table.shape[1] - 1) + [0.0])
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-(table @ found)))
        slope = table.T @ (weight * (right - expected)) - ridge @ found
        spread = weight * expected * (1 - expected)
        found += np.linalg.solve((table * spread[:, None]).T @ table + ridge, slope)
    return np.asarray(found[:-1] / scale)


def main() -> None:
    """Fit, and print the JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", type=Path)
    parser.add_argument("kg", type=Path)
    parser.add_argument("corpora", type=Path, nargs="+", metavar="corpus")
    parser.add_argument("--also", type=Path, nargs="+", action="append", default=[])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK} questions a set")
    options = parser.parse_args()
    named = [[options.questions, options.kg, *options.corpora], *options.also]
    limit = QUICK if options.quick else None
    sets = {q.name: list(cases(q, kg, corpora, limit)) for q, kg, *corpora in named}
    everything = [case for found in sets.values() for case in found]
    half = np.random.default_rng(options.seed).integers(0, 2, len(everything))
    fits = [fit([c for c, h in zip(everything, half, strict=True) if h == one]) for one in (0, 1)]
    folds = dict(zip(map(id, everything), half.tolist(), strict=True))
    held_out = {
        name: np.mean([case.recall(fits[1 - folds[id(case)]]) for case in found])
        for name, found in sets.items()
    }
    names = (*ALONE, *LINKED)
    now = np.array([getattr(Weights(), name) for name in names])
    told = {
        "benchmark": "trail_weights",
        "questions": {name: len(found) for name, found in sets.items()},
        "weights": dict(zip(names, fit(everything).round(2).tolist(), strict=True)),
        "halves": [one.round(2).tolist() for one in fits],
        "recall_held_out": {name: round(float(one), 3) for name, one in held_out.items()},
        "recall_now": {
            name: round(float(np.mean([case.recall(now) for case in found])), 3)
            for name, found in sets.items()
        },
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
