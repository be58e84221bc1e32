"""Resolve: the Placeholders of query triples one by one, each from what is known by then.

MDER-DR paper, Resolve: the Entity named in a triple is found by embedding search over names (here
the name itself comes first), what is known of it is scored against the relation, and the value
found is carried into the next triple. Where a later triple finds nothing, the second-best value is
tried.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from dr.decompose import substitute
from dr.records import Anchor, Hop
from mder.embedders.base import Embedder, Vectors
from mder.embedders.distinct import unit
from mder.graph.evidence import Found, of_statements
from mder.graph.passages import Passage, Statement
from mder.graph.store import Graph
from mder.graph.vocabulary import entity_iri, relation_iri, type_iri
from mder.names import normalise, spoken
from mder.reasoners.base import Reasoner
from mder.records import Evidence, QueryTriple, Question, is_placeholder

_LIKE = 0.6  # cosine of names from which one may be meant by the other
_OWN_PAGE = 0.05  # what a Document says of its own subject counts a little more
_TRIED = 2  # values tried for a Placeholder
_MOST_TRIPLES = 12  # of a question; no question that people ask has more
_MOST_HOPS = 48  # resolved for one question, all values tried
_HUB = 400  # triples of one Entity that are scored
# Parts of a name and of a relation in the vector of both: by least squares over the cosines of that
# with 8,000 descriptions, the name weighs twice what the relation does (a correlation of 0.92).
_NAMED, _SAID = np.float32(2 / 3), np.float32(1 / 3)
_RELATION = 0.6  # weight of the relation against the description, in the score of a triple


@dataclass(frozen=True, slots=True)
class _Stated:
    """What a verified triple says of an anchor.

    :param described: cosine of its description to what is asked of the anchor.
    """

    anchor: Anchor
    passage: Passage
    stated: Statement
    described: float

    @property
    def near(self) -> str:
        """The IRI of the anchor."""
        return entity_iri(self.anchor.entity).value

    @property
    def far(self) -> str:
        """The IRI of the Entity at the other end."""
        source, target = self.stated.ends
        return target if source == self.near else source


@dataclass(slots=True)
class Resolver:
    """Resolves the query triples of one question after another over one graph.

    :param top_k: Entities tried as the known end of a triple.
    :param max_evidence: pieces of Evidence shown to the Reasoner for a triple.
    """

    graph: Graph
    embedder: Embedder
    reasoner: Reasoner
    top_k: int = 5
    max_evidence: int = 30

    def resolve(self, question: Question, vector: Vectors) -> tuple[Hop, ...]:
        """Return one hop a query triple; those behind a failed one may be missing a known end.

        :param vector: of the question, unit length.
        """
        triples = question.triples[:_MOST_TRIPLES]
        hop = partial(self._hop, question, vector)
        return self._chain(hop, triples, {}, {})

    def _chain(
        self,
        made: Callable[[QueryTriple, QueryTriple], Hop],
        triples: Sequence[QueryTriple],
        values: dict[str, str],
        done: dict[QueryTriple, Hop],
    ) -> tuple[Hop, ...]:
        """Resolve triples one after another; ``done`` holds the hops already made."""
        if not triples:
            return ()
        index = _next(triples, values)
        asked, rest = triples[index], [*triples[:index], *triples[index + 1 :]]
        filled = substitute(asked, values)
        if filled not in done:
            done[filled] = made(asked, filled)
        hop = replace(done[filled], asked=asked)
        slot = next(iter(filled.placeholders), "")
        best: tuple[Hop, ...] = ()
        for binding in hop.bindings[: _TRIED if slot else 1]:
            known = {**values, slot: binding.value} if slot else values
            hops = (replace(hop, chosen=binding), *self._chain(made, rest, known, done))
            if not best or _failures(hops) < _failures(best):
                best = hops
            # Another value can only mend what depends on it, and not for ever.
            if not _depending(hops, slot) or len(done) > _MOST_HOPS:
                break
        return best or (hop, *self._chain(made, rest, values, done))

    def _hop(
        self, question: Question, vector: Vectors, asked: QueryTriple, triple: QueryTriple
    ) -> Hop:
        known = next((n for n in (triple.subject, triple.object) if not is_placeholder(n)), "")
        if not known:
            return Hop(asked, triple)
        anchors = tuple(self.anchors(known, vector))
        evidence = tuple(self._evidence(triple, question, anchors))
        if not triple.placeholders:
            evidence = tuple(self._between(triple, evidence))
        bindings = self.reasoner.ground(triple, question, evidence) if evidence else ()
        return Hop(asked, triple, anchors, bindings, None, evidence)

    def anchors(self, name: str, question: Vectors) -> Iterator[Anchor]:
        """Yield the Entities that a name may mean: by the name itself, else by likeness.

        Of several with one name, the one whose summary is most like the question comes first.

        :param question: its vector, unit length.
        """
        exact = self.graph.find(name)[: 4 * self.top_k]
        if len(exact) > 1:
            summaries = self.graph.vectors("summaries")
            likeness = summaries.vectors([entity_iri(e).value for e in exact]) @ question
            exact = tuple(exact[i] for i in np.argsort(-likeness, kind="stable"))
        if exact:
            yield from (Anchor(entity, 1.0) for entity in exact[: self.top_k])
            return
        vector = self.embedder.encode([name])[0]
        for iri, score in self.graph.search("names", vector, self.top_k):
            if score >= _LIKE:
                yield Anchor(self.graph.name_of(iri), score)

    def _evidence(
        self, triple: QueryTriple, question: Question, anchors: Sequence[Anchor]
    ) -> Iterator[Evidence]:
        """Yield what is known of the anchors, scored against the relation asked for, best first."""
        if not anchors:
            return
        said = wanted = self._meant(relation_iri(triple.predicate).value, spoken(triple.predicate))
        if question.expects and question.asks in triple.placeholders:
            wanted = unit(said + self._meant(type_iri(question.expects).value, question.expects))
        stated = list(self._stated(zip(anchors, self._abouts(anchors, said), strict=True)))
        found: dict[str, tuple[float, _Stated]] = {}
        for one, score in zip(stated, self._scores(wanted[0], stated), strict=True):
            iri = one.stated.iri
            if iri not in found or score > found[iri][0]:
                found[iri] = (score, one)
        best = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))
        shown = [
            Found(one.passage, one.stated, score, one.anchor.entity)
            for _, (score, one) in best[: self.max_evidence]
        ]
        yield from of_statements(self.graph.passages, shown)

    def _meant(self, iri: str, text: str) -> Vectors:
        """Return the vector of a Relationship or type, of shape (1, dimension)."""
        if self.graph.passages.entries([iri]):
            return self.graph.vectors("relations").vectors([iri])
        return self.embedder.encode([text])

    def _abouts(self, anchors: Sequence[Anchor], said: Vectors) -> Vectors:
        """Return what is asked of each anchor: nearly the vector of its name and the relation.

        To encode these together would take longer than all else that a hop does.
        """
        iris = [entity_iri(anchor.entity).value for anchor in anchors]
        return _NAMED * self.graph.vectors("names").vectors(iris) + _SAID * said

    def _stated(self, abouts: Iterable[tuple[Anchor, Vectors]]) -> Iterator[_Stated]:
        """Yield the verified triples of Entities, of a hub those nearest to what is asked of it."""
        for anchor, about in abouts:
            found = self.graph.passages.stating(entity_iri(anchor.entity).value)
            verified = [(passage, stated) for passage, stated in found if stated.verified]
            iris = [stated.iri for _, stated in verified]
            cosines = self.graph.vectors("triples").vectors(iris) @ about
            for place in np.argsort(-cosines, kind="stable")[:_HUB].tolist():
                passage, stated = verified[place]
                yield _Stated(anchor, passage, stated, float(cosines[place]))

    def _scores(self, wanted: Vectors, stated: Sequence[_Stated]) -> list[float]:
        if not stated:
            return []
        alike = self._relations(stated) @ wanted
        described = np.array([one.described for one in stated], dtype=np.float32)
        scores = _RELATION * alike + (1 - _RELATION) * described
        return [
            score * one.anchor.score + _OWN_PAGE * (one.passage.about == one.near)
            for one, score in zip(stated, scores.tolist(), strict=True)
        ]

    def _relations(self, stated: Sequence[_Stated]) -> Vectors:
        """Return what each relation, and what kind of thing it leads to, mean together."""
        known = self.graph.vectors("relations")
        entries = self.graph.passages.entries({one.far for one in stated})
        mains = ((place, entries[one.far].main) for place, one in enumerate(stated))
        types = {place: main for place, main in mains if main}
        vectors = known.vectors([one.stated.relation for one in stated])
        vectors[list(types)] += known.vectors(list(types.values()))
        return unit(vectors)

    def _between(self, triple: QueryTriple, evidence: Sequence[Evidence]) -> Iterator[Evidence]:
        """Yield the Evidence that relates the two ends of a complete triple.

        A class may be named as an end: "a deciduous shrub" is a shrub.
        """
        ends = {*self.graph.find(triple.object), *self.graph.find(triple.subject)}
        classes = {normalise(triple.object), normalise(triple.object).removesuffix("s")}
        for found in evidence:
            stated = found.triple
            if stated is None or not ends & {stated.subject.name, stated.object.name}:
                continue
            both = {stated.subject.name, stated.object.name} <= ends
            if both or classes.intersection(stated.object.types):
                yield found


def _next(triples: Sequence[QueryTriple], values: dict[str, str]) -> int:
    """Return the place of the first triple with a known end, else of the first."""
    for index, triple in enumerate(triples):
        filled = substitute(triple, values)
        if len(filled.placeholders) < 2:
            return index
    return 0


def _depending(hops: Sequence[Hop], slot: str) -> bool:
    """Say whether a hop failed that a Placeholder leads to."""
    reached = {slot} if slot else set()
    for hop in hops:
        if reached.intersection(hop.asked.placeholders):
            reached.update(hop.asked.placeholders)
    return any(hop.failed and reached.intersection(hop.asked.placeholders) for hop in hops)


def _failures(hops: Sequence[Hop]) -> int:
    return sum(hop.failed for hop in hops)
