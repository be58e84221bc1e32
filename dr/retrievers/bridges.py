"""Entities that lead from one Chunk to others."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dr.retrievers.lexicon import Lexicon
from dr.retrievers.names import Named
from mder.embedders.base import Vectors
from mder.graph.passages import Passage, Passages
from mder.graph.store import Graph
from mder.graph.vocabulary import entity_iri
from mder.graph.words import words
from mder.names import bare_title, normalise
from mder.records import VALUES

if TYPE_CHECKING:
    from dr.retrievers.trails import Trails

_MOST = 60  # Entities gone on to
_ORIGINS = 2  # Chunks from which one of them is reached
_HUB = 150  # Chunks that hold a name, above which only those about it count
_FIRST = 0.1


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
    targets: frozenset[str] = frozenset()
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
    asked = {entity for name in names for entity in name.entities}
    found: defaultdict[str, list[Bridge]] = defaultdict(list)
    for bridge in _named(trails, seeds, vector, set(lexicon.words)):
        if bridge.entity not in asked:
            found[normalise(bridge.name)].append(bridge)
    best = sorted(found.items(), key=lambda item: (-max(map(_strength, item[1])), item[0]))
    return list(_led(trails.graph, lexicon, dict(best[:_MOST])))


def _named(
    trails: "Trails", seeds: Mapping[str, float], vector: Vectors, said: set[str]
) -> Iterator[Bridge]:
    """Yield the Entities in the sentences of Chunks that are not what their Documents are about.

    :param said: the words of the question.
    """
    found = trails.passages.passages(seeds).values()
    triples = [stated.iri for passage in found for stated in passage.statements]
    likeness = dict(zip(triples, (trails.triples.vectors(triples) @ vector).tolist(), strict=True))
    names = _leading(trails.passages, found, said)
    for passage in found:
        for place, sentence in enumerate(passage.sentences):
            alike = max(likeness[stated.iri] for stated in sentence)
            first = place == 0 and passage.start == 0
            for iri in sorted({end for stated in sentence for end in stated.ends}):
                if iri in names and iri != passage.about:
                    yield Bridge(iri, names[iri], passage.iri, seeds[passage.iri], alike, first)


def _leading(passages: Passages, found: Iterable[Passage], said: set[str]) -> dict[str, str]:
    """Return the bare names of the Entities in Passages that may lead on from there."""
    names: dict[str, str] = {}
    iris = set[str]().union(*(passage.entities for passage in found))
    for iri, mention in passages.mentions(iris).items():
        name = bare_title(mention.name)
        proper = _proper(name) and not VALUES.intersection(mention.types)
        if proper and not said.issuperset(words(name)):
            names[iri] = name
    return names


def _proper(name: str) -> bool:
    """Say whether a phrase is a name: "American author" is none, though it has a capital."""
    return name[:1].isupper() and not name.split()[-1][:1].islower()


def _strength(bridge: Bridge) -> float:
    return bridge.worth + bridge.likeness + _FIRST * bridge.first


def _led(graph: Graph, lexicon: Lexicon, found: Mapping[str, Sequence[Bridge]]) -> Iterator[Bridge]:
    """Yield bridges by normalised name once for each of their best origins, with their targets."""
    alike = {key: [entity_iri(name).value for name in graph.find(key)] for key in found}
    about = graph.passages.about({iri for iris in alike.values() for iri in iris})
    for key, places in found.items():
        pages = frozenset(chunk for iri in alike[key] for chunk in about.get(iri, ()))
        targets = pages.union(lexicon.holding(key, _HUB))
        origins: set[str] = set()
        for bridge in sorted(places, key=lambda b: (-_strength(b), b.origin)):
            if bridge.origin not in origins and len(origins) < _ORIGINS:
                origins.add(bridge.origin)
                if reached := targets - {bridge.origin}:
                    yield replace(bridge, targets=reached, pages=pages)
