"""Hybrid: Chunks by vector and by words, and what the graph leads to from there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from dr.retrievers.base import Means, Retrieved
from dr.retrievers.walk import Path, Walk
from mder.embedders.base import Vectors
from mder.graph.store import Graph
from mder.records import Evidence, Question


class Hybrid:
    """Finds Chunks by likeness, and those that the Entities in them lead to.

    :param hits: Chunks found by vector, and as many by words, from which the walk begins.
    :param hops: see :class:`dr.retrievers.walk.Walk`, as for ``hub`` and ``most``.
    :param reached: Chunks that the walk came to and that are scored, the strongest.
    :param weight: of the graph in the score of a Chunk, 0 to 1; the rest is likeness.
    """

    name = "hybrid"

    def __init__(
        self,
        means: Means,
        *,
        hits: int = 5,
        hops: int = 2,
        hub: int = 50,
        most: int = 50,
        reached: int = 200,
        weight: float = 0.4,
    ) -> None:
        self._means, self._graph = means, means.graph
        # Opened now, they stay readable when this Generation is pruned.
        self._words, self._vectors = means.graph.words, means.graph.vectors("chunks")
        self._walk = Walk(means.graph, hops, hub, most)
        self._hits, self._reached, self._weight = hits, reached, weight

    def retrieve(self, text: str) -> Retrieved:
        """Return Chunks by ``(1 - weight) · likeness + weight · graph``, each part 0 to 1.

        The ``path`` of what the graph led to tells the way; a hit has none.
        """
        vector = self._means.embedder.encode([text])[0]
        found = (self._vectors.search(vector, self._hits), self._words.search(text, self._hits))
        hits = {iri for part in found for iri, _ in part}
        likeness = _Likeness(self._graph, vector, text)
        # Squared, for the many that are a little like the question outweigh the few otherwise.
        walked = self._walk.begun({iri: like**2 for iri, like in likeness.of(hits).items()})
        linked = _scaled(walked.strongest(self._reached))
        like = likeness.of(hits | linked.keys())
        scores = {
            iri: (1 - self._weight) * like[iri] + self._weight * linked.get(iri, 0.0)
            for iri in like
        }
        best = sorted(scores, key=lambda iri: (-scores[iri], iri))[: self._means.max_evidence]
        paths = {iri: () if iri in hits else walked.paths[iri] for iri in best}
        evidence = (self._evidence(iri, scores[iri], paths[iri]) for iri in best)
        return Retrieved(Question(text, ()), tuple(evidence))

    def _evidence(self, iri: str, score: float, path: Path) -> Evidence:
        names = [self._graph.name_of(entity) for entity in path[1:]]
        titles = [self._graph.evidence(hit).title for hit in path[:1]]
        return replace(self._graph.evidence(iri), score=score, path=(*titles, *names))


@dataclass(frozen=True, slots=True)
class _Likeness:
    """How like a question Chunks are: by cosine and by BM25, each as a share of the best."""

    graph: Graph
    vector: Vectors
    text: str

    def of(self, iris: Collection[str]) -> dict[str, float]:
        ids = sorted(iris)
        cosines = self.graph.vectors("chunks").vectors(ids) @ self.vector
        near = _scaled(dict(zip(ids, cosines.tolist(), strict=True)))
        worded = _scaled(self.graph.words.scores_of(self.text, ids))
        return {iri: (near[iri] + worded[iri]) / 2 for iri in ids}


def _scaled(scores: Mapping[str, float]) -> dict[str, float]:
    """Return scores as shares of the best; what is below 0 counts nothing."""
    best = max(scores.values(), default=0.0)
    return {key: max(score, 0.0) / best if best > 0 else 0.0 for key, score in scores.items()}
