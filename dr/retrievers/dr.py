"""Decompose-Resolve: the Evidence of a chain of query triples, in the order of its use."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dr.records import Hop
from dr.resolve import Resolver
from dr.retrievers.base import Means, Retrieved
from mder.embedders.base import Vectors
from mder.graph.vocabulary import entity_iri
from mder.records import Evidence, Question

_FUSION = 60  # constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)


class DecomposeResolve:
    """Takes a question apart, resolves its Placeholders, and tells what that rests on."""

    name = "dr"

    def __init__(self, means: Means) -> None:
        self._means = means
        self._graph = means.graph
        self._resolver = Resolver(
            means.graph, means.embedder, means.reasoner, means.top_k, means.max_evidence
        )

    def retrieve(self, text: str) -> Retrieved:
        """Return the chain with its pages, then what is like the question."""
        question = self._means.reasoner.decompose(text)
        hops = self._resolver.resolve(question)
        found: dict[str, Evidence] = {}
        for evidence in (*self._chain(hops), *self._alike(question)):
            found.setdefault(evidence.id, evidence)
        return Retrieved(question, tuple(found.values())[: self._means.max_evidence], hops)

    def _chain(self, hops: Sequence[Hop]) -> Iterator[Evidence]:
        for hop in hops:
            by_id = {e.id: e for e in hop.evidence}
            if hop.chosen is not None:
                yield from (by_id[i] for i in hop.chosen.evidence if i in by_id)
            names = [a.entity for a in hop.anchors[:1]]
            names += [hop.chosen.value] if hop.chosen else []
            for name in names:
                yield from self._page(name)

    def _page(self, name: str) -> Iterator[Evidence]:
        """Yield the summary of an Entity that a Document is about."""
        if self._graph.documents_about(name):
            yield replace(self._graph.evidence(entity_iri(name).value), score=1.0)

    def _alike(self, question: Question) -> Iterator[Evidence]:
        """Yield summaries and Chunks by likeness to the question, their ranks fused."""
        if not self._means.extra:
            return
        vector = self._means.embedder.encode([question.text])[0]
        for iri, score in self._fused(vector)[: self._means.extra]:
            yield replace(self._graph.evidence(iri), score=score)

    def _fused(self, vector: Vectors) -> list[tuple[str, float]]:
        found: dict[str, float] = {}
        for which in ("summaries", "chunks"):
            for rank, (iri, _) in enumerate(self._graph.search(which, vector, self._means.extra)):
                found[iri] = found.get(iri, 0.0) + 1 / (_FUSION + rank)
        return sorted(found.items(), key=lambda item: (-item[1], item[0]))
