"""What stands in for Generations where thousands are wanted: all of it in memory."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from pyoxigraph import NamedNode, Quad

from mder.embedders.base import Embedder, Vectors
from mder.embedders.memory import RememberingEmbedder
from mder.graph import vocabulary as v
from mder.graph.draft import Draft
from mder.graph.store import SETS, Graph
from mder.graph.words import Chunks
from mder.pipeline.clock import Clock
from mder.pipeline.state import State
from mder.pipeline.whole import Work, update
from mder.reasoners.base import Reasoner
from mder.reasoners.cast import Cast
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Reading
from mder.settings import Settings
from tests.doubles import HashingEmbedder


@dataclass
class Rows:
    """A set of vectors by id."""

    rows: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)

    def put(self, ids: Sequence[str], digests: Sequence[bytes], vectors: Vectors) -> None:
        rows = zip(digests, (vector.tobytes() for vector in vectors), strict=True)
        self.rows |= dict(zip(ids, rows, strict=True))

    def above(self, vectors: Vectors, threshold: float) -> Iterator[tuple[int, str, float]]:
        for place, vector in enumerate(vectors):
            for key, (_, data) in self.rows.items():
                score = float(np.einsum("i,i->", vector, np.frombuffer(data, dtype=np.float32)))
                if score >= threshold:
                    yield place, key, score


@dataclass
class Sketch:
    """Stands in for a Draft, and for the Graph that it becomes."""

    nodes: dict[NamedNode, frozenset[Quad]] = field(default_factory=dict)
    documents: dict[str, frozenset[Quad]] = field(default_factory=dict)
    sets: dict[str, Rows] = field(default_factory=lambda: {which: Rows() for which in SETS})
    words: list[tuple[str, str]] = field(default_factory=list)
    state: State = field(default_factory=State)

    @property
    def draft(self) -> Draft:
        return cast(Draft, _Draft(self))

    @property
    def graph(self) -> Graph:
        return cast(Graph, _Graph(self))

    def quads(self) -> set[Quad]:
        return set[Quad]().union(*self.nodes.values(), *self.documents.values())

    def finish(self) -> None:
        """Let go what nothing has any more, as a Draft does."""
        quads = self.quads()
        used = {quad.object for quad in quads if quad.predicate in {v.HAS_TYPE, v.HAS_RELATIONSHIP}}
        for node, found in list(self.nodes.items()):
            kinds = {quad.object for quad in found if quad.predicate == v.RDF_TYPE}
            if kinds & {v.ENTITY_TYPE, v.RELATIONSHIP} and node not in used:
                del self.nodes[node]
        there = {q.subject.value for q in self.quads() if isinstance(q.subject, NamedNode)}
        for rows in self.sets.values():
            rows.rows = {key: row for key, row in rows.rows.items() if key in there}


@dataclass
class _Draft:
    sketch: Sketch

    @property
    def vectors(self) -> Mapping[str, Rows]:
        return self.sketch.sets

    def document(self, source: str, quads: Iterable[Quad]) -> None:
        self.sketch.documents[source] = frozenset(quads)
        if not self.sketch.documents[source]:
            del self.sketch.documents[source]

    def node(self, iri: NamedNode, quads: Iterable[Quad]) -> None:
        self.sketch.nodes[iri] = frozenset(quads)
        if not self.sketch.nodes[iri]:
            del self.sketch.nodes[iri]

    def declare(self, iri: NamedNode, quads: Iterable[Quad]) -> None:
        self.node(iri, quads)

    def index(self, chunks: Chunks) -> None:
        self.sketch.words = list(chunks())

    def merges(self, entity: NamedNode) -> set[NamedNode]:
        quads = set[Quad]().union(*self.sketch.nodes.values())
        found = {q.subject for q in quads if (q.predicate, q.object) == (v.HAS_ENTITY, entity)}
        return {node for node in found if isinstance(node, NamedNode)}


@dataclass
class _Graph:
    sketch: Sketch

    def vectors(self, which: str) -> Rows:
        return self.sketch.sets[which]


@dataclass
class Sketches:
    """Makes them, each of the one before or from nothing."""

    reasoner: Reasoner = field(default_factory=SyntaxReasoner)
    settings: Settings = field(default_factory=Settings)
    embedder: Embedder = field(default_factory=lambda: RememberingEmbedder(HashingEmbedder()))

    def scratch(self, pages: Mapping[str, Reading]) -> Sketch:
        """Make one of Documents from nothing."""
        sketch = Sketch()
        self._update(sketch, None, set(pages), pages)
        return sketch

    def change(
        self, sketch: Sketch, before: Mapping[str, Reading], pages: Mapping[str, Reading]
    ) -> None:
        """Make of one the one of other Documents."""
        changed = {s for s in {*before, *pages} if before.get(s) != pages.get(s)}
        base = Sketch(sets={w: Rows(dict(rows.rows)) for w, rows in sketch.sets.items()})
        self._update(sketch, base.graph, changed, pages)

    def _update(
        self, sketch: Sketch, base: Graph | None, changed: set[str], pages: Mapping[str, Reading]
    ) -> None:
        work = Work(
            sketch.draft,
            base,
            sketch.state,
            pages.__getitem__,
            self.settings,
            Cast.of(self.reasoner),
            self.embedder,
            1,
            lambda: None,
            Clock(),
            lambda *_: None,
        )
        update(work, changed, {source: page.document.digest for source, page in pages.items()})
        sketch.finish()
