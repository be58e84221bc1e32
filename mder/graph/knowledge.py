"""All that a Generation is written from, as quads."""

from collections.abc import Iterator
from itertools import chain, pairwise

from pyoxigraph import NamedNode, Quad

from mder.graph import convert, provenance
from mder.graph.manifest import Manifest
from mder.graph.vocabulary import agent_iri, merge_iri, triple_iri
from mder.records import Knowledge, Reading


def quads(knowledge: Knowledge, manifest: Manifest) -> Iterator[Quad]:
    """Yield the quads of a whole graph; of Triples or Merges with one IRI, the first counts.

    Triples are attributed to the Reasoner that mapped them, Entities to the one that reduced them.
    """
    stating, reducing = (_agent(manifest, stage) for stage in ("map", "reduce"))
    yield from provenance.agent_quads(manifest.reasoners.values())
    yield from provenance.activity_quads(manifest.costs)
    yield from chain.from_iterable(map(_reading, knowledge.readings))
    yield from map(convert.link_quad, knowledge.links)
    for iri, triple in {triple_iri(t): t for t in reversed(knowledge.triples)}.items():
        yield from convert.triple_quads(iri, triple, stating)
    for predicate in {triple.predicate for triple in knowledge.triples}:
        yield from convert.relationship_quads(predicate)
    for entity in knowledge.entities:
        yield from convert.entity_quads(entity, reducing)
    for kind in {kind for entity in knowledge.entities for kind in entity.types}:
        yield from convert.type_quads(kind)
    for merge in {merge_iri(m): m for m in reversed(knowledge.merges)}.values():
        yield from convert.merge_quads(merge)


def _agent(manifest: Manifest, stage: str) -> NamedNode | None:
    name = manifest.reasoners.get(stage)
    return agent_iri(name) if name else None


def _reading(reading: Reading) -> Iterator[Quad]:
    yield from convert.document_quads(reading.document)
    for chunk in reading.chunks:
        yield from convert.chunk_quads(chunk)
    starts = sorted(chunk.start for chunk in reading.chunks)
    for start, following in pairwise(starts):
        yield convert.next_quad(reading.document.source, start, following)
