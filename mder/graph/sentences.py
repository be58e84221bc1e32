"""What a Chunk states, sentence by sentence."""

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mder.graph import vocabulary as v
from mder.graph.quads import as_iri, named, quads

if TYPE_CHECKING:
    from mder.graph.store import Graph


@dataclass(frozen=True, slots=True)
class Sentence:
    """A passage that states Triples.

    :param start: where it begins in its Document.
    :param triples: their IRIs.
    :param entities: the IRIs of the Entities at their ends, sorted.
    """

    start: int
    triples: tuple[str, ...]
    entities: tuple[str, ...]


def sentences_of(graph: "Graph", chunk: str) -> list[Sentence]:
    """Return the sentences of a Chunk that state something, in order."""
    found: defaultdict[int, tuple[list[str], set[str]]] = defaultdict(lambda: ([], set()))
    for quad in quads(graph.store, None, v.BELONGS_TO_CHUNK, as_iri(chunk), None):
        for triple in named([quad.subject]):
            node = graph.node(triple)
            triples, entities = found[node.integer(v.HAS_START)]
            triples.append(triple.value)
            entities |= {node.link(v.HAS_SOURCE).value, node.link(v.HAS_TARGET).value}
    return [
        Sentence(start, tuple(sorted(triples)), tuple(sorted(entities)))
        for start, (triples, entities) in sorted(found.items())
    ]


def topics(graph: "Graph", chunk: str) -> frozenset[str]:
    """Return the IRIs of the Entities that the Document of a Chunk is about."""
    document = graph.node(as_iri(chunk)).link(v.BELONGS_TO_DOCUMENT)
    found = quads(graph.store, document, v.SUBJECT, None, None)
    return frozenset(node.value for node in named(quad.object for quad in found))
