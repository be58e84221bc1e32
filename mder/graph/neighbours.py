"""What stands next to an Entity: the Chunks that mention it, and others by Triples."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from mder.graph import vocabulary as v
from mder.graph.quads import as_iri, named, quads

if TYPE_CHECKING:
    from mder.graph.store import Graph

_CHUNKS, _ENTITIES = v.PREFIXES["chunk"], v.PREFIXES["ent"]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The IRIs next to an Entity, sorted.

    :param chunks: that mention it.
    :param entities: at the other ends of the Triples that its Documents state.
    :param pages: Chunks of the Documents about it.
    """

    chunks: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


def mentioned_in(graph: "Graph", chunk: str) -> tuple[str, ...]:
    """Return the IRIs of the Entities that a Chunk mentions, sorted."""
    found = quads(graph.store, as_iri(chunk), v.HAS_ENTITY, None, None)
    return tuple(sorted(node.value for node in named(quad.object for quad in found)))


def neighbours(graph: "Graph", entity: str, most: int) -> Neighbours | None:
    """Return what stands next to an Entity.

    None for a hub: more than ``most`` Chunks and Entities, its own pages not counted.
    """
    node = as_iri(entity)
    found: set[str] = set()
    about: set[NamedNode] = set()
    for quad in quads(graph.store, None, None, node, None):
        for other in named([quad.subject]):
            # A Merge has an Entity as well, but is neither a Chunk nor an Entity.
            if other.value.startswith((_CHUNKS, _ENTITIES)):
                found.add(other.value)
            elif quad.predicate == v.SUBJECT:
                about.add(other)
        if len(found - {entity}) > most:
            return None
    targets = named(quad.object for quad in quads(graph.store, node, None, None, None))
    found.update(other.value for other in targets if other.value.startswith(_ENTITIES))
    found.discard(entity)
    if len(found) > most:
        return None
    return Neighbours(
        tuple(sorted(iri for iri in found if iri.startswith(_CHUNKS))),
        tuple(sorted(iri for iri in found if iri.startswith(_ENTITIES))),
        tuple(sorted(chunk for document in about for chunk in _chunks(graph, document))),
    )


def _chunks(graph: "Graph", document: NamedNode) -> list[str]:
    found = quads(graph.store, None, v.BELONGS_TO_DOCUMENT, document, None)
    nodes = named(quad.subject for quad in found)
    return [node.value for node in nodes if node.value.startswith(_CHUNKS)]
