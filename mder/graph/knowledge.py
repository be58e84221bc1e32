"""All that a Generation is written from, as quads."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from pyoxigraph import NamedNode, Quad

from mder.graph import convert, provenance
from mder.graph.manifest import Manifest
from mder.graph.vocabulary import ENTITIES, agent_iri, document_iri, merge_iri, triple_iri
from mder.records import Entity, Knowledge, Link, Reading, Triple

T = TypeVar("T")


def quads(knowledge: Knowledge, manifest: Manifest) -> Iterator[Quad]:
    """Yield the quads of a whole graph; of Triples or Merges with one IRI, the first counts.

    Triples are attributed to the Reasoner that mapped them, Entities to the one that reduced them.
    """
    stating, reducing = (agent(manifest, stage) for stage in ("map", "reduce"))
    yield from provenance.agent_quads(manifest.reasoners.values())
    yield from provenance.activity_quads(manifest.costs)
    triples = _by_source(knowledge.triples, lambda triple: [triple.source])
    links = _by_source(knowledge.links, lambda link: [link.source])
    about = _by_source(knowledge.entities, lambda entity: entity.documents)
    for reading in knowledge.readings:
        of = reading.document.source
        yield from document_graph(reading, triples[of], links[of], about[of], stating)
    for entity in knowledge.entities:
        yield from entity_node(entity, reducing)
    for predicate in {triple.predicate for triple in knowledge.triples}:
        yield from convert.relationship_quads(predicate)
    for kind in {kind for entity in knowledge.entities for kind in entity.types}:
        yield from convert.type_quads(kind)
    for merge in {merge_iri(m): m for m in reversed(knowledge.merges)}.values():
        yield from convert.merge_quads(merge)


def document_graph(
    reading: Reading,
    triples: Sequence[Triple],
    links: Iterable[Link],
    about: Iterable[Entity],
    by: NamedNode | None,
) -> Iterator[Quad]:
    """Yield all that the graph of a Document holds.

    :param triples: those of the Document; of several with one IRI, the first counts.
    :param links: from its Chunks.
    :param about: the Entities that its title names.
    :param by: who stated the Triples, see :func:`agent`.
    """
    graph = document_iri(reading.document.source)
    yield from convert.document_quads(reading.document)
    for chunk in reading.chunks:
        yield from convert.chunk_quads(chunk)
    for start, following in pairwise(sorted(chunk.start for chunk in reading.chunks)):
        yield convert.next_quad(reading.document.source, start, following)
    yield from map(convert.link_quad, links)
    for iri, triple in {triple_iri(t): t for t in reversed(triples)}.items():
        yield from convert.triple_quads(iri, triple, by)
    for entity in about:
        yield from (quad for quad in convert.entity_quads(entity) if quad.graph_name == graph)


def entity_node(entity: Entity, by: NamedNode | None) -> Iterator[Quad]:
    """Yield what the graph of the Entities says of one.

    :param by: who wrote its summary, see :func:`agent`.
    """
    found = convert.entity_quads(entity, by)
    return (quad for quad in found if quad.graph_name == ENTITIES)


def agent(manifest: Manifest, stage: str) -> NamedNode | None:
    """Return who did a stage."""
    name = manifest.reasoners.get(stage)
    return agent_iri(name) if name else None


def _by_source(
    records: Iterable[T], sources: Callable[[T], Iterable[str]]
) -> Mapping[str, list[T]]:
    table: defaultdict[str, list[T]] = defaultdict(list)
    for record in records:
        for source in sources(record):
            table[source].append(record)
    return table
