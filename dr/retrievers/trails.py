"""Which Chunks answer a question: those like it or about its names, and those that these lead to.

Each Chunk is scored as it stands. From the best, Entities named in their sentences lead on to the
Chunks about them or mentioning them, which are scored by what the question still lacks. So the
evidence of two hops is found in one look, and that of more where the hops are alike.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from dr.retrievers.bridges import Bridge, bridges
from dr.retrievers.lexicon import Lexicon
from dr.retrievers.names import Named, names_in
from dr.retrievers.weights import Features, Weights
from mder.embedders.base import Vectors
from mder.graph.store import Graph

_HITS = 20  # Chunks found by vector, and as many by words
_FEW = 30  # a name that no more Chunks hold leads to all of them
_SEEDS = 12  # Chunks gone on from
_ALIKE = 3  # of them with one title


@dataclass(frozen=True, slots=True)
class Trail:
    """A Chunk found, by IRI.

    :param path: the Chunk and the Entity that led to it, by IRI; empty where it was found itself.
    """

    chunk: str
    score: float
    features: Features
    path: tuple[str, ...] = ()


class Trails:
    """Ranks the Chunks of a graph by questions."""

    def __init__(self, graph: Graph, weights: Weights | None = None) -> None:
        self.graph = graph
        self.weights = weights or Weights()
        # Opened now, they stay readable when this Generation is pruned.
        self.words = graph.words
        self.chunks, self.triples = graph.vectors("chunks"), graph.vectors("triples")

    def rank(
        self, text: str, vector: Vectors, resolved: Mapping[str, float], most: int
    ) -> list[Trail]:
        """Return the best Chunks, best first.

        :param vector: of the question, unit length.
        :param resolved: the Chunks that hops went on from, with the scores of what they found.
        """
        return self.spread(self.found(text, vector, resolved), most)

    def found(self, text: str, vector: Vectors, resolved: Mapping[str, float]) -> list[Trail]:
        """Return all Chunks that were looked at, each as it scores alone."""
        search = _Search(self, text, vector, resolved)
        direct = search.direct()
        links = search.links(direct)
        iris = sorted({*direct, *links})
        alone = dict(zip(iris, search.features(iris), strict=True))
        return [self._trail(iri, alone[iri], links.get(iri, [])) for iri in iris]

    def _trail(self, iri: str, alone: Features, links: Sequence[tuple[Features, Bridge]]) -> Trail:
        """Score a Chunk with the best of its links, where one adds something."""
        best, path = alone, tuple[str, ...]()
        score = self.weights.score(alone)
        for link, bridge in links:
            both = alone.reached(link)
            if (reached := self.weights.score(both)) > score:
                best, score, path = both, reached, (bridge.origin, bridge.entity)
        return Trail(iri, score, best, path)

    def spread(self, trails: Sequence[Trail], most: int) -> list[Trail]:
        """Take the best in turn; each more of one title counts less."""
        left = sorted(trails, key=lambda t: (-t.score, t.chunk))[: 4 * most]
        titles = {t.chunk: self.graph.title_of(t.chunk) for t in left}
        taken: defaultdict[str, int] = defaultdict(int)
        ranked: list[Trail] = []
        while left and len(ranked) < most:
            best = max(left, key=lambda t: t.score + self.weights.again * taken[titles[t.chunk]])
            left.remove(best)
            taken[titles[best.chunk]] += 1
            ranked.append(best)
        return ranked


class _Search:
    """One question on its way through the graph."""

    def __init__(
        self, trails: Trails, text: str, vector: Vectors, resolved: Mapping[str, float]
    ) -> None:
        self._resolved = resolved
        self._trails, self._graph, self._vector = trails, trails.graph, vector
        self._lexicon = Lexicon(trails.words, text)
        self._hits = [iri for iri, _ in trails.chunks.search(vector, _HITS)]
        self._hits += [iri for iri, _ in trails.words.search(text, _HITS)]
        self._names = list(names_in(text, trails.graph))
        self._pages = [self._pages_of(name) for name in self._names]
        self._holding = [
            set(self._lexicon.holding(n.text, len(trails.words.ids))) for n in self._names
        ]
        self._rarities = [self._lexicon.rarity(name.text) for name in self._names]

    def direct(self) -> dict[str, float]:
        """Return the Chunks that the question leads to, with what they are worth as origins."""
        few = (holding for holding in self._holding if len(holding) <= _FEW)
        iris = sorted({*self._hits, *self._resolved}.union(*self._pages, *few))
        return {i: f.direct for i, f in zip(iris, self.features(iris), strict=True)}

    def features(self, iris: Sequence[str]) -> list[Features]:
        """Return what is to be said of Chunks as they stand."""
        cosines = self._trails.chunks.vectors(iris) @ self._vector
        shares = self._lexicon.shares(iris)
        named = self._named(dict(zip(iris, cosines.tolist(), strict=True)))
        return [
            Features(
                named.get(iri, 0.0),
                float(words),
                float(cosine),
                self._mentions(iri),
                self._resolved.get(iri, 0.0),
            )
            for iri, words, cosine in zip(iris, shares, cosines, strict=True)
        ]

    def _pages_of(self, name: Named) -> set[str]:
        return {c for e in name.entities for d in e.documents for c in self._graph.chunks_in(d)}

    def _named(self, cosines: Mapping[str, float]) -> dict[str, float]:
        """Return 1 for the Chunk most like the question of those about a name, for others less."""
        found: dict[str, float] = {}
        for pages in self._pages:
            ranked = sorted(pages & cosines.keys(), key=lambda iri: (-cosines[iri], iri))
            for rank, iri in enumerate(ranked, start=1):
                found[iri] = max(found.get(iri, 0.0), 1 / rank)
        return found

    def _mentions(self, iri: str) -> float:
        total = sum(self._rarities)
        held = (r for r, h in zip(self._rarities, self._holding, strict=True) if iri in h)
        return sum(held) / total if total else 0.0

    def links(self, direct: Mapping[str, float]) -> dict[str, list[tuple[Features, Bridge]]]:
        """Return the Chunks that the best lead on to, with what is to be said of each link."""
        found = bridges(self._trails, self._seeds(direct), self._vector, self._lexicon, self._names)
        iris = sorted({iri for bridge in found for iri in bridge.targets})
        if not iris:
            return {}
        place = {iri: at for at, iri in enumerate(iris)}
        origins = sorted({bridge.origin for bridge in found})
        held = dict(zip(origins, (self._lexicon.parts(origins) > 0).T, strict=True))
        parts = self._lexicon.parts(iris)
        links: defaultdict[str, list[tuple[Features, Bridge]]] = defaultdict(list)
        for bridge in found:
            lacking = parts[~held[bridge.origin]].sum(axis=0) / self._lexicon.best
            rarity = 1 / log(2 + len(bridge.targets))
            for iri in bridge.targets:
                at = place[iri]
                link = Features(
                    link=1.0,
                    origin=bridge.worth,
                    rarity=rarity,
                    first=float(bridge.first),
                    about=float(iri in bridge.pages),
                    lacking=float(lacking[at]),
                )
                links[iri].append((link, bridge))
        return links

    def _seeds(self, direct: Mapping[str, float]) -> dict[str, float]:
        seeds: dict[str, float] = {}
        taken: defaultdict[str, int] = defaultdict(int)
        for iri in sorted(direct, key=lambda i: (-direct[i], i)):
            title = self._graph.title_of(iri)
            taken[title] += 1
            if taken[title] <= _ALIKE:
                seeds[iri] = direct[iri]
            if len(seeds) == _SEEDS:
                break
        return seeds
