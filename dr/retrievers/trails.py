"""Which Chunks answer a question: those like it or about its names, and those that these lead to.

Each Chunk is scored as it stands. From the best, Entities named in their sentences lead on to the
Chunks about them or mentioning them, which are scored by what the question still lacks. So the
evidence of two hops is found in one look, and that of more where the hops are alike.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import log

import numpy as np
from numpy.typing import NDArray

from dr.retrievers.bridges import Bridge, bridges
from dr.retrievers.lexicon import Lexicon
from dr.retrievers.names import Named, names_in
from dr.retrievers.weights import ALONE, LINKED, Weights, values
from mder.embedders.base import Vectors
from mder.graph.products import Products
from mder.graph.store import Graph
from mder.names import bare_title, normalise
from mder.records import Question

_HITS = 20  # Chunks found by vector, and as many by words
_FEW = 30  # a name that no more Chunks hold leads to all of them
_SEEDS = 12  # Chunks gone on from
_ALIKE = 3  # of them with one title
_AGAIN = 0.5  # what each better Chunk of the same title takes
# How good a Chunk is to go on from, by ALONE.
_WORTH = np.array([0.5, 0.0, 0.5, 1.0, 0.3, 0.3])
_COSINE = ALONE.index("cosine")


@dataclass(frozen=True, slots=True)
class Trail:
    """A Chunk found, by IRI.

    :param bridge: what led to it, where that speaks for it.
    :param features: by :data:`ALONE`, then by :data:`LINKED`.
    """

    chunk: str
    score: float
    features: tuple[float, ...]
    bridge: Bridge | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """What Chunks are ranked by.

    :param vector: of the question, unit length.
    :param products: of that with all Chunks.
    :param resolved: the Chunks that hops went on from, with the scores of what they found.
    """

    question: Question
    vector: Vectors
    products: Products
    resolved: Mapping[str, float]


class Trails:
    """Ranks the Chunks of a graph by questions."""

    def __init__(self, graph: Graph, weights: Weights | None = None) -> None:
        self.graph = graph
        weights = weights or Weights()
        self.alone = np.array(values(weights, ALONE))
        self.linked = np.array(values(weights, LINKED))
        # Opened now, they stay readable when this Generation is pruned.
        self.words, self.passages = graph.words, graph.passages
        self.chunks, self.triples = graph.vectors("chunks"), graph.vectors("triples")

    def rank(self, look: Look, most: int) -> list[Trail]:
        """Return the best Chunks, best first; each more of one title counts less."""
        found, ranked = self.found(look, 4 * most), list[Trail]()
        taken: defaultdict[str, int] = defaultdict(int)
        # What each counts at most, for few titles are looked up: those of what is shown anyway.
        left = [(-trail.score, place) for place, trail in enumerate(found)]
        # At least these are, and reading them at once takes less.
        self.passages.passages(trail.chunk for trail in found[:most])
        while left and len(ranked) < most:
            bound, place = heappop(left)
            title = self.passages.passage(found[place].chunk).title
            less = _AGAIN * taken[title] - found[place].score
            if less > bound:
                heappush(left, (less, place))
            else:
                taken[title] += 1
                ranked.append(found[place])
        return ranked

    def found(self, look: Look, most: int) -> list[Trail]:
        """Return the best Chunks, best first, each as it scores alone."""
        search = _Search(self, look)
        seeds = search.seeds()
        ways = _Ways(self, search, bridges(self, seeds, look.vector, search.lexicon, search.names))
        alone = ways.alone
        scores = alone @ self.alone + ways.adds
        best = sorted(zip((-scores).tolist(), range(len(scores)), strict=True))[:most]
        return [
            Trail(ways.iris[at], -score, (*alone[at].tolist(), *ways.features(at)), ways.bridge(at))
            for score, at in best
        ]


class _Search:
    """One question, and the Chunks that it leads to itself."""

    def __init__(self, trails: Trails, look: Look) -> None:
        self._trails, self._look = trails, look
        self.lexicon = Lexicon(trails.words, look.question.text)
        self.names = list(names_in(look.question.text, trails.graph))
        options = set(map(normalise, look.question.options))
        self._options = [normalise(name.text) in options for name in self.names]
        self._pages = [self._pages_of(name) for name in self.names]
        most = len(trails.words.ids)
        self._holding = [set(self.lexicon.holding(name.text, most)) for name in self.names]
        self._rarities = [self.lexicon.rarity(name.text) for name in self.names]
        self.iris = self._led_to()
        found = trails.passages.passages(self.iris)
        self._titles = {iri: passage.title for iri, passage in found.items()}

    def _led_to(self) -> list[str]:
        hits = {*self.lexicon.search(_HITS), *self._look.resolved}
        few = (holding for holding in self._holding if len(holding) <= _FEW)
        self._cosines = self._look.products.all()
        near = (iri for iri, _ in self._trails.chunks.best(self._cosines, _HITS))
        return sorted(hits.union(*self._pages, *few, near))

    def _pages_of(self, name: Named) -> set[str]:
        return set[str]().union(*self._trails.passages.about(name.entities).values())

    def features(self, iris: Sequence[str]) -> NDArray[np.float64]:
        """Return what speaks for Chunks as they stand: a row each, by :data:`ALONE`."""
        cosines = self._trails.chunks.of(self._cosines, iris)
        ranks = self._ranked(dict(zip(iris, cosines.tolist(), strict=True)))
        columns = (
            self._named(iris, ranks),
            self._named(iris, [r for r, o in zip(ranks, self._options, strict=True) if o]),
            self.lexicon.shares(iris),
            cosines,
            self._mentions(iris),
            [self._look.resolved.get(iri, 0.0) for iri in iris],
        )
        return np.stack([np.asarray(c, dtype=np.float64) for c in columns], axis=1)

    def _ranked(self, cosines: Mapping[str, float]) -> list[list[str]]:
        """Return for each name the Chunks about it, best first: those of that very title."""
        about = {chunk for pages in self._pages for chunk in pages if chunk in cosines}
        bare = {chunk: normalise(bare_title(self._titles[chunk])) for chunk in about}
        return [
            sorted(pages & about, key=lambda c: (bare[c] != normalise(name.text), -cosines[c], c))
            for name, pages in zip(self.names, self._pages, strict=True)
        ]

    def _named(self, iris: Sequence[str], ranks: Sequence[Sequence[str]]) -> list[float]:
        """Return 1 for the first Chunks, for others the inverse of their rank."""
        found: dict[str, float] = {}
        for ranked in ranks:
            for rank, iri in enumerate(ranked, start=1):
                found[iri] = max(found.get(iri, 0.0), 1 / rank)
        return [found.get(iri, 0.0) for iri in iris]

    def _mentions(self, iris: Sequence[str]) -> list[float]:
        named = list(zip(self._rarities, self._holding, strict=True))
        total = sum(self._rarities) or 1.0
        return [sum(rarity for rarity, held in named if iri in held) / total for iri in iris]

    def seeds(self) -> dict[str, float]:
        """Return the Chunks to go on from, with how good they are for that."""
        worth = self.features(self.iris) @ _WORTH
        seeds: dict[str, float] = {}
        taken: defaultdict[str, int] = defaultdict(int)
        for at in np.argsort(-worth, kind="stable").tolist():
            chunk = self.iris[at]
            taken[self._titles[chunk]] += 1
            if taken[self._titles[chunk]] <= _ALIKE:
                seeds[chunk] = float(worth[at])
            if len(seeds) == _SEEDS:
                break
        return seeds


class _Ways:
    """The best link to each Chunk.

    :ivar iris: of all Chunks looked at, sorted.
    :ivar alone: what speaks for each as it stands.
    :ivar adds: what the best link to each adds to its score, 0 for none.
    """

    def __init__(self, trails: Trails, search: _Search, found: Sequence[Bridge]) -> None:
        self._search, self._found = search, found
        targets = {iri for bridge in found for iri in bridge.targets}
        self.iris = sorted(targets.union(search.iris))
        self._place = {iri: at for at, iri in enumerate(self.iris)}
        self.alone = search.features(self.iris)
        reached = (sorted(self._place[iri] for iri in bridge.targets) for bridge in found)
        # The row of a Chunk, and the number of a Bridge that leads there.
        self._links = [(row, number) for number, rows in enumerate(reached) for row in rows]
        self._features = self._linked()
        adds = self._features @ trails.linked
        order = np.argsort(-adds, kind="stable")
        self._best: dict[int, int] = {}
        for link in order[adds[order] > 0].tolist():
            self._best.setdefault(self._links[link][0], link)
        self.adds = np.zeros(len(self.iris))
        self.adds[list(self._best)] = adds[list(self._best.values())]

    def _linked(self) -> NDArray[np.float64]:
        """Return what speaks for each link, by :data:`LINKED`."""
        rows, numbers = np.array(self._links, dtype=np.int64).reshape(-1, 2).T
        each = [(1.0, b.worth, 1 / log(2 + len(b.targets)), float(b.first)) for b in self._found]
        about = [self._about(bridge) for bridge in self._found]
        origins = sorted({bridge.origin for bridge in self._found})
        origin = [origins.index(bridge.origin) for bridge in self._found]
        columns = (
            *np.array(each).reshape(-1, 4)[numbers].T,
            [about[number].get(row, 0.0) for row, number in self._links],
            self._lacked(origins)[np.array(origin, dtype=np.int64)[numbers], rows],
        )
        return np.stack([np.asarray(c, dtype=np.float64) for c in columns], axis=1)

    def _lacked(self, origins: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each origin: how much of what that lacks each Chunk has."""
        lexicon = self._search.lexicon
        parts, held = lexicon.parts(self.iris), lexicon.parts(origins) > 0
        return (~held).T.astype(np.float32) @ parts / lexicon.best

    def _about(self, bridge: Bridge) -> dict[int, float]:
        """Return the inverse rank of Chunks among those about an Entity, by their likeness."""
        rows = sorted(self._place[iri] for iri in bridge.pages if iri in self._place)
        ranked = sorted(rows, key=lambda row: -self.alone[row, _COSINE])
        return {row: 1 / rank for rank, row in enumerate(ranked, start=1)}

    def bridge(self, row: int) -> Bridge | None:
        """Return what leads to a Chunk, where that adds to its score."""
        return self._found[self._links[self._best[row]][1]] if row in self._best else None

    def features(self, row: int) -> tuple[float, ...]:
        """Return what speaks for the best link to a Chunk, by :data:`LINKED`."""
        link = self._best.get(row)
        return (0.0,) * len(LINKED) if link is None else tuple(self._features[link].tolist())
