"""All that a Generation is written from, as quads."""

from collections.abc import Iterator
from itertools import chain, pairwise

from pyoxigraph import Quad

from mder.graph import convert
from mder.graph.vocabulary import agent_iri, merge_iri, triple_iri
from mder.records import Knowledge, Reading


def quads(knowledge: Knowledge, reasoner: str = "") -> Iterator[Quad]:
    """Yield the quads of a whole graph; of Triples or Merges with one IRI, the first counts.

    :param reasoner: whom Triples and Entities are attributed to; ``""`` for nobody.
    """
    agent = agent_iri(reasoner) if reasoner else None
    if reasoner:
        yield from convert.agent_quads(reasoner)
    yield from chain.from_iterable(map(_reading, knowledge.readings))
    yield from map(convert.link_quad, knowledge.links)
    for iri, triple in {triple_iri(t): t for t in reversed(knowledge.triples)}.items():
        yield from convert.triple_quads(iri, triple, agent)
    for predicate in {triple.predicate for triple in knowledge.triples}:
        yield from convert.relationship_quads(predicate)
    for entity in knowledge.entities:
        yield from convert.entity_quads(entity, agent)
    for kind in {kind for entity in knowledge.entities for kind in entity.types}:
        yield from convert.type_quads(kind)
    for merge in {merge_iri(m): m for m in reversed(knowledge.merges)}.values():
        yield from convert.merge_quads(merge)


def _reading(reading: Reading) -> Iterator[Quad]:
    yield from convert.document_quads(reading.document)
    for chunk in reading.chunks:
        yield from convert.chunk_quads(chunk)
    starts = sorted(chunk.start for chunk in reading.chunks)
    for start, following in pairwise(starts):
        yield convert.next_quad(reading.document.source, start, following)
