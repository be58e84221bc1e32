"""Decompose-Resolve: the Evidence of a chain of query triples, and of what it leads to.

The question is taken apart and its Placeholders are resolved one by one. What was found on the way
counts among what speaks for a Chunk; so a chain that holds comes first, and one that broke leaves
the Chunks that the question and its names lead to.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from dr.records import Hop
from dr.resolve import Resolver
from dr.retrievers.base import Means, Retrieved
from dr.retrievers.trails import Look, Trail, Trails
from dr.retrievers.weights import ALONE
from mder.embedders.base import Vectors
from mder.graph.evidence import Found, of_passage, of_statements
from mder.graph.passages import Passage
from mder.graph.vocabulary import chunk_iri, entity_iri
from mder.records import Evidence

_CHUNKS = 12  # of the Evidence, the best
_STATING = 5  # of them, whose Triples are Evidence as well
_STATED = 4  # of their sentences, the most like the question


class DecomposeResolve:
    """Takes a question apart, resolves its Placeholders, and ranks what they lead to."""

    name = "dr"

    def __init__(self, means: Means) -> None:
        self._means, self._graph = means, means.graph
        self._resolver = Resolver(
            means.graph, means.embedder, means.reasoner, means.top_k, means.max_evidence
        )
        self._trails, self._passages = Trails(means.graph), means.graph.passages
        self._beside = ThreadPoolExecutor(1)

    def retrieve(self, text: str) -> Retrieved:
        """Return the best Chunks, what they state, and the summaries of what was resolved."""
        vector = self._means.embedder.encode([text])[0]
        # In a large graph they take as long as resolving does, and hold up no Python.
        products = self._trails.chunks.products(vector)
        self._beside.submit(products.work)
        products.begun.wait()
        question = self._means.reasoner.decompose(text)
        hops = self._resolver.resolve(question, vector)
        look = Look(question, vector, products, dict(resolved(hops)))
        trails = self._trails.rank(look, _CHUNKS)
        found: dict[str, Evidence] = {}
        for evidence in self._evidence(trails, hops, vector):
            found.setdefault(evidence.id, evidence)
            if len(found) >= self._means.max_evidence:
                break
        return Retrieved(question, tuple(found.values()), hops)

    def _evidence(
        self, trails: Sequence[Trail], hops: Sequence[Hop], vector: Vectors
    ) -> Iterator[Evidence]:
        used = list(_used(hops))
        for trail in trails:
            chunk = self._chunk(trail)
            yield from (e for e in used if e.source == chunk.source)
            yield chunk
        yield from used
        stating = self._passages.passages(trail.chunk for trail in trails[:_STATING]).values()
        iris = [stated.iri for passage in stating for stated in passage.statements]
        cosines = self._trails.triples.vectors(iris) @ vector
        alike = dict(zip(iris, cosines.tolist(), strict=True))
        stated = [found for passage in stating for found in _best(passage, alike)]
        yield from of_statements(self._passages, stated)
        yield from self._summaries(hops, vector)

    def _chunk(self, trail: Trail) -> Evidence:
        # Its likeness to the question tells a Reasoner more than its rank does.
        bridge, score = trail.bridge, trail.features[ALONE.index("cosine")]
        way = (self._passages.passage(bridge.origin).title, bridge.name) if bridge else ()
        return of_passage(self._passages.passage(trail.chunk), score, way)

    def _summaries(self, hops: Sequence[Hop], vector: Vectors) -> Iterator[Evidence]:
        """Yield the summaries of what hops led to, then those that are like the question."""
        for hop in hops:
            names = [anchor.entity for anchor in hop.anchors[:1]]
            names += [hop.chosen.value] if hop.chosen else []
            for name in names:
                iri = entity_iri(name).value
                if self._passages.about([iri]):
                    yield replace(self._graph.evidence(iri), score=1.0)
        for iri, score in self._graph.search("summaries", vector, self._means.extra):
            yield replace(self._graph.evidence(iri), score=score)


def _best(passage: Passage, alike: Mapping[str, float]) -> Iterator[Found]:
    """Yield a Triple of each of the sentences of a Chunk that are most like the question."""
    best = [max(some, key=lambda one: (alike[one.iri], one.iri)) for some in passage.sentences]
    for one in sorted(best, key=lambda one: (-alike[one.iri], one.iri))[:_STATED]:
        yield Found(passage, one, alike[one.iri])


def _used(hops: Sequence[Hop]) -> Iterator[Evidence]:
    """Yield the Evidence that hops went on with."""
    for hop in hops:
        chosen = hop.chosen.evidence if hop.chosen else ()
        yield from (evidence for evidence in hop.evidence if evidence.id in chosen)


def resolved(hops: Sequence[Hop]) -> Iterator[tuple[str, float]]:
    """Yield the Chunks that hops went on from, with the score of what was found there."""
    for hop in sorted(hops, key=lambda h: h.chosen.score if h.chosen else 0.0):
        used = hop.chosen.evidence[:1] if hop.chosen else ()
        for evidence in hop.evidence:
            if evidence.id in used and evidence.triple and hop.chosen:
                yield chunk_iri(evidence.source, evidence.triple.chunk).value, hop.chosen.score
