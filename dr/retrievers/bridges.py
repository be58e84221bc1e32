"""Entities that lead from one Chunk to others."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dr.retrievers.lexicon import Lexicon
from dr.retrievers.names import Named
from mder.embedders.base import Vectors
from mder.graph.quads import as_iri
from mder.graph.sentences import Sentence, sentences_of, topics
from mder.graph.store import Graph
from mder.graph.vocabulary import HAS_NAME, HAS_START, HAS_TYPE, entity_iri, type_iri
from mder.graph.words import words
from mder.names import bare_title, normalise
from mder.records import VALUES

if TYPE_CHECKING:
    from dr.retrievers.trails import Trails

_MOST = 60  # Entities gone on to
_ORIGINS = 2  # Chunks from which one of them is reached
_HUB = 150  # Chunks that hold a name, above which only those about it count
_FIRST = 0.1
_VALUES = frozenset(map(type_iri, VALUES))


@dataclass(frozen=True, slots=True)
class Bridge:
    """An Entity named in a sentence of a Chunk, and where it leads.

    :param origin: the Chunk.
    :param worth: of the Chunk, to go on from.
    :param likeness: of the sentence to the question.
    :param first: whether that is the first sentence of its Document.
    :param targets: Chunks about the Entity or mentioning it; ``pages`` are those about it.
    """

    entity: str
    name: str
    origin: str
    worth: float
    likeness: float
    first: bool
    targets: tuple[str, ...] = ()
    pages: frozenset[str] = frozenset()


def bridges(
    trails: "Trails",
    seeds: Mapping[str, float],
    vector: Vectors,
    lexicon: Lexicon,
    names: Sequence[Named],
) -> list[Bridge]:
    """Return the Entities that the sentences of Chunks lead to, with where they lead.

    :param seeds: Chunks by IRI, with what they are worth.
    """
    graph = trails.graph
    asked = {entity_iri(entity.name).value for name in names for entity in name.entities}
    found: defaultdict[str, list[Bridge]] = defaultdict(list)
    for seed, worth in seeds.items():
        own = topics(graph, seed)
        for place, (sentence, likeness) in enumerate(_alike(trails, seed, vector)):
            first = place == 0 and graph.node(as_iri(seed)).integer(HAS_START) == 0
            for iri in sentence.entities:
                if iri in asked:
                    continue
                name = _leading(graph, iri, own)
                if name and not set(words(name)) <= set(lexicon.words):
                    bridge = Bridge(iri, name, seed, worth, likeness, first)
                    found[normalise(name)].append(bridge)
    best = sorted(found.items(), key=lambda item: (-max(map(_strength, item[1])), item[0]))
    return [b for key, places in best[:_MOST] for b in _led(graph, lexicon, key, places)]


def _alike(trails: "Trails", chunk: str, vector: Vectors) -> Iterator[tuple[Sentence, float]]:
    """Yield the sentences of a Chunk with their cosines to the question."""
    for sentence in sentences_of(trails.graph, chunk):
        cosines = trails.triples.vectors(sentence.triples) @ vector
        yield sentence, float(cosines.max())


def _leading(graph: Graph, iri: str, own: Collection[str]) -> str:
    """Return the bare name of an Entity that may lead on from a Chunk, else nothing.

    :param own: the IRIs of what the Chunk's Document is about.
    """
    node = graph.node(as_iri(iri))
    name = node.text(HAS_NAME)
    # "American author" is no name, though it has a capital.
    proper = not (name[:1].islower() or bare_title(name).split()[-1][:1].islower())
    if iri in own or not proper or _VALUES.intersection(node.links(HAS_TYPE)):
        return ""
    return bare_title(name)


def _strength(bridge: Bridge) -> float:
    return bridge.worth + bridge.likeness + _FIRST * bridge.first


def _led(graph: Graph, lexicon: Lexicon, key: str, places: Sequence[Bridge]) -> Iterator[Bridge]:
    """Yield a bridge once for each of its best origins, with its targets."""
    alike = (graph.entity(name) for name in graph.find(key))
    documents = {d for entity in alike if entity for d in entity.documents}
    pages = {chunk for document in documents for chunk in graph.chunks_in(document)}
    targets = pages | set(lexicon.holding(key, _HUB))
    origins: set[str] = set()
    for bridge in sorted(places, key=lambda b: (-_strength(b), b.origin)):
        if bridge.origin not in origins and len(origins) < _ORIGINS:
            origins.add(bridge.origin)
            reached = tuple(sorted(targets - {bridge.origin}))
            if reached:
                yield replace(bridge, targets=reached, pages=frozenset(pages))
