"""The baselines: Chunks by the words of the question, or by its vector."""

from collections.abc import Iterable
from dataclasses import replace

from dr.retrievers.base import Means, Retrieved
from mder.graph.store import Graph
from mder.records import Evidence, Question


class Bm25:
    """Finds the Chunks whose words are most like those of the question."""

    name = "bm25"

    def __init__(self, means: Means) -> None:
        self._graph, self._most = means.graph, means.max_evidence
        self._words = means.graph.words

    def retrieve(self, text: str) -> Retrieved:
        """Return Chunks that have a word in common with the question, by BM25."""
        found = self._words.search(text, self._most)
        return Retrieved(Question(text, ()), _ranked(self._graph, found))


class Vector:
    """Finds the Chunks whose vectors are nearest to that of the question."""

    name = "vector"

    def __init__(self, means: Means) -> None:
        self._graph, self._most = means.graph, means.max_evidence
        self._embedder = means.embedder

    def retrieve(self, text: str) -> Retrieved:
        """Return Chunks by cosine."""
        found = self._graph.search("chunks", self._embedder.encode([text])[0], self._most)
        return Retrieved(Question(text, ()), _ranked(self._graph, found))


def _ranked(graph: Graph, found: Iterable[tuple[str, float]]) -> tuple[Evidence, ...]:
    return tuple(replace(graph.evidence(iri), score=score) for iri, score in found)
