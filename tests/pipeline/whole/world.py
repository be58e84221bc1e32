"""Graphs made of readings alone: no files, no parser, no journal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mder.embedders.base import Embedder
from mder.embedders.memory import RememberingEmbedder
from mder.graph import provenance
from mder.graph.draft import STATE, Draft
from mder.graph.manifest import Manifest
from mder.graph.store import SETS, Graph
from mder.graph.vocabulary import agent_iri
from mder.graph.words import WORDS
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
class World:
    """Generations in a folder, each made of the one before or from nothing."""

    folder: Path
    reasoner: Reasoner = field(default_factory=SyntaxReasoner)
    settings: Settings = field(default_factory=Settings)
    embedder: Embedder = field(default_factory=lambda: RememberingEmbedder(HashingEmbedder()))
    made: int = 0

    def scratch(self, pages: Mapping[str, Reading]) -> Graph:
        """Make a graph of Documents from nothing."""
        return self._made(None, set(pages), pages)

    def changed(
        self, base: Graph, before: Mapping[str, Reading], pages: Mapping[str, Reading]
    ) -> Graph:
        """Make a graph of Documents from one that was made of others."""
        sources = {*before, *pages}
        return self._made(base, {s for s in sources if before.get(s) != pages.get(s)}, pages)

    def _made(self, base: Graph | None, changed: set[str], pages: Mapping[str, Reading]) -> Graph:
        self.made += 1
        path = self.folder / str(self.made)
        path.mkdir(parents=True)
        draft = Draft.begin(path, base.path if base else None)
        draft.node(agent_iri(self.reasoner.name), provenance.agent_quads([self.reasoner.name]))
        state = State(path / STATE)
        work = Work(
            draft,
            base,
            state,
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
        state.close()
        manifest = Manifest(
            version="0",
            embedder=self.embedder.name,
            dimension=self.embedder.dimension,
            created="2000-01-01T00:00:00+00:00",
        )
        draft.finish(manifest)
        return Graph.open(path)


def lines(graph: Graph) -> set[str]:
    """Return a whole graph as N-Quads."""
    return {str(quad) for quad in graph.store}


def vectors(graph: Graph) -> dict[tuple[str, str], bytes]:
    return {(w, i): v.tobytes() for w in SETS for i, v in graph.vectors(w).items()}


def words(graph: Graph) -> dict[str, bytes]:
    """Return the files of the lexical index."""
    return {path.name: path.read_bytes() for path in (graph.path / WORDS).iterdir()}
