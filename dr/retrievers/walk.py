"""A walk over the graph from Chunks that were hit: to their Entities, and on to others."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from mder.graph.neighbours import Neighbours, mentioned_in, neighbours
from mder.graph.store import Graph
from mder.records import VALUES

Path = tuple[str, ...]
"""IRIs from a Chunk that was hit, over Entities."""

_OWN = 0.8  # of what comes to an Entity goes to its own page, where it has one
_FURTHER = 0.5  # of it goes on to other Entities


@dataclass(frozen=True, slots=True)
class Reached:
    """What a walk came to, by IRI.

    :ivar came: how much came from each hit. Nothing comes back to where it began.
    :ivar paths: the way by which most came.
    """

    came: dict[str, dict[str, float]] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)
    _most: dict[str, float] = field(default_factory=dict)

    def spread(
        self, iris: Collection[str], came: Mapping[str, float], path: Path, share: float = 1.0
    ) -> None:
        """Pass on a share of what came to the end of a path, to some nodes in equal parts."""
        for iri in iris:
            parts = {h: share * c / len(iris) for h, c in came.items() if h != iri}
            if parts:
                here = self.came.setdefault(iri, {})
                here.update({hit: here.get(hit, 0.0) + part for hit, part in parts.items()})
                if (whole := sum(parts.values())) > self._most.get(iri, -1.0):
                    self._most[iri], self.paths[iri] = whole, path

    def strongest(self, most: int, but: Collection[str] = ()) -> dict[str, float]:
        """Return the nodes to which most came, with that; equal ones by IRI."""
        sums = {iri: sum(came.values()) for iri, came in self.came.items() if iri not in but}
        return dict(sorted(sums.items(), key=lambda found: (-found[1], found[0]))[:most])


@dataclass(frozen=True, slots=True)
class Walk:
    """Spreads the scores of hits over the graph; each node passes on what came to it.

    :param hops: from an Entity in a hit to another one, by a Triple or a common Chunk.
    :param hub: an Entity with more neighbours than this leads nowhere.
    :param most: Entities gone on from at each hop, the strongest.
    """

    graph: Graph
    hops: int
    hub: int
    most: int

    def begun(self, hits: Mapping[str, float]) -> Reached:
        """Return the Chunks that Entities lead to, from Chunks with their scores."""
        chunks, front = Reached(), Reached()
        for hit, score in hits.items():
            front.spread(mentioned_in(self.graph, hit), {hit: score}, (hit,))
        seen: set[str] = set()
        for hop in range(self.hops + 1):
            here, front = front, Reached()
            for iri in here.strongest(self.most, seen):
                seen.add(iri)
                around = neighbours(self.graph, iri, self.hub)
                if around is None or not self._leads(iri, around):
                    continue
                came, path = here.came[iri], (*here.paths[iri], iri)
                own = _OWN if around.pages else 0.0
                chunks.spread(around.pages, came, path, own)
                chunks.spread(around.chunks, came, path, 1 - own)
                if hop < self.hops:
                    front.spread(self._next(around), came, path, _FURTHER)
        return chunks

    def _leads(self, iri: str, around: Neighbours) -> bool:
        """Say whether an Entity is more than a value or a common word: it may be two things."""
        entity = self.graph.entity(self.graph.name_of(iri))
        if around.pages or entity is None:
            return bool(around.pages)
        return not entity.name[:1].islower() and not VALUES.intersection(entity.types)

    def _next(self, around: Neighbours) -> set[str]:
        """Return the Entities that are linked to one by a Triple or a common Chunk."""
        mentioned = (mentioned_in(self.graph, chunk) for chunk in around.chunks)
        return set(around.entities).union(*mentioned)
