"""A Generation in the making: the one before and what changes, or one from nothing."""

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from pyoxigraph import NamedNode, Quad, Store

from mder.errors import GraphError
from mder.graph import vocabulary as v
from mder.graph.changes import Changes
from mder.graph.counts import Tally
from mder.graph.disk import share, writing
from mder.graph.manifest import Counts, Manifest, read_manifest
from mder.graph.node import Term
from mder.graph.passages import PASSAGES, PassageWriter
from mder.graph.seal import seal
from mder.graph.store import SETS, Which
from mder.graph.validate import changed_violations, violations
from mder.graph.vectors import VectorWriter
from mder.graph.words import WORDS, Chunks, write_words

_SLICE = 50_000  # quads written at a time: 30 MB
_SLICES = 12  # the most that are left as they were written
# Quads changed between two flushes: 100 MB. RocksDB itself would let its buffers grow to over 1 GB.
_BUFFERED = 100_000
_SHOWN = 5
STATE = "state.sqlite"
_SETS_OF: Mapping[object, tuple[Which, ...]] = {
    v.ENTITY: ("names", "summaries"),
    v.TRIPLE: ("triples",),
    v.CHUNK: ("chunks",),
    v.RELATIONSHIP: ("relations",),
    v.ENTITY_TYPE: ("relations",),
}


class Draft:
    """A staged Generation; see :meth:`begin`.

    Over one that is there, each change is written at once, and only what it changes. From nothing,
    quads are written in bulk, so that a Document, a node and a graph may be given once each.

    :ivar vectors: what the sets of vectors are changed by.
    :ivar store: what is written so far.
    """

    def __init__(self, path: Path, base: Manifest | None) -> None:
        self.path = path
        self.vectors: Mapping[Which, VectorWriter] = {
            which: VectorWriter(path / "vectors", which) for which in SETS
        }
        self._passages = PassageWriter(path / PASSAGES)
        self._base = base
        self.store = Store(path / "oxigraph")
        self._tally = Tally(base.counts if base else Counts())
        self._declared: set[NamedNode] = set()
        self._waiting: list[Quad] = []
        self._spilt = self._buffered = 0
        self._changes = Changes()

    @classmethod
    def begin(cls, staged: Path, base: Path | None) -> "Draft":
        """Begin in an empty directory.

        :param base: a finished Generation; readers of it are not disturbed.
        :raises GraphError: when the disk fails, or the base has no record.
        """
        with writing(staged):
            (staged / "vectors").mkdir(exist_ok=True)
            if base is None:
                return cls(staged, None)
            # Hard links, or copies where the disk has none.
            Store.read_only(str(base / "oxigraph")).backup(str(staged / "oxigraph"))
            for file in (base / "vectors").iterdir():
                share(file, staged / "vectors" / file.name)
            for name in (STATE, PASSAGES):
                if (base / name).exists():
                    shutil.copy2(base / name, staged / name)
            return cls(staged, read_manifest(base))

    def document(self, source: str, quads: Iterable[Quad]) -> None:
        """Replace all that the graph of a Document holds; nothing removes it.

        :raises ValueError: for a quad of another graph, as in the other two.
        :raises GraphError: when the disk fails, as in the other two.
        """
        self.graph(v.document_iri(source), quads)

    def graph(self, name: NamedNode, quads: Iterable[Quad]) -> None:
        """Replace all that a named graph holds; nothing removes it."""
        self._replace((None, None, None, name), quads)

    def node(self, iri: NamedNode, quads: Iterable[Quad]) -> None:
        """Replace all that the graph of the Entities says of a node; nothing removes it."""
        self._replace((iri, None, None, v.ENTITIES), quads)

    def declare(self, iri: NamedNode, quads: Iterable[Quad]) -> None:
        """Say of a node once what many give it for: an EntityType or a Relationship."""
        if iri not in self._declared:
            self._declared.add(iri)
            self.node(iri, quads)

    def merges(self, entity: NamedNode) -> set[NamedNode]:
        """Return the Merges into an Entity."""
        with writing(self.path):
            self._spill()
            found = self.store.quads_for_pattern(None, v.HAS_ENTITY, entity, v.ENTITIES)
            return {quad.subject for quad in found if isinstance(quad.subject, NamedNode)}

    def index(self, chunks: Chunks) -> None:
        """Write the lexical index anew, once, of the words of all Chunks.

        :raises GraphError: when the disk fails.
        """
        write_words(self.path / WORDS, chunks)

    def finish(self, manifest: Manifest) -> None:
        """Write, check and seal the Generation; the Draft is of no more use then.

        :raises ValueError: when the vectors of the base are of another Embedder.
        :raises GraphError: when the disk fails, or the graph breaks a rule of the ontology.
        """
        if self._base and self._base.embedder != manifest.embedder:
            raise ValueError(f"{manifest.embedder} over vectors of {self._base.embedder}")
        with writing(self.path):
            self._spill()
            self._tidy()
            for writer in self.vectors.values():
                writer.close(manifest.dimension)
            if self._spilt > _SLICES:
                # Now, or RocksDB does it while the next change waits.
                self.store.optimize()
            self.store.flush()
            self._check()
            if len(self._passages) != self._tally.counts.chunks:
                raise GraphError(f"{self.path}: not a passage for each of the Chunks")
            self._passages.close()
            # Closed when nothing refers to it, and only then do its files stay as they are.
            del self.store
        counted = msgspec.structs.replace(manifest, counts=self._tally.counts)
        seal(self.path, counted, self._base.files if self._base else {})

    def _replace(
        self, pattern: tuple[NamedNode | None, None, None, NamedNode], quads: Iterable[Quad]
    ) -> None:
        new = set(quads)
        for quad in new:
            if quad.graph_name != pattern[3] or pattern[0] not in {None, quad.subject}:
                raise ValueError(f"not of {pattern[0] or pattern[3]}: {quad}")
        with writing(self.path):
            if pattern[0] is None:
                self._passages.document(pattern[3], new)
            else:
                self._passages.entry(pattern[0], new)
            if self._base is None:
                self._tally.add(new)
                self._waiting.extend(new)
                if len(self._waiting) >= _SLICE:
                    self._spill()
            else:
                self._change(set(self.store.quads_for_pattern(*pattern)), new)
                if pattern[0] is None and not new:
                    # Its name would stay, and be found by whoever asks for graphs.
                    self.store.remove_graph(pattern[3])

    def _change(self, old: set[Quad], new: set[Quad]) -> None:
        more, fewer = new - old, old - new
        for quad in fewer:
            self.store.remove(quad)
        self.store.extend(more)
        self._tally.add(more)
        self._tally.add(fewer, -1)
        self._changes.note(more, fewer)
        self._buffered += len(more) + len(fewer)
        if self._buffered >= _BUFFERED:
            self.store.flush()
            self._buffered = 0

    def _tidy(self) -> None:
        """Let go what nothing has any more: EntityTypes, Relationships, and vectors of nodes."""
        for predicate, node in tuple(self._changes.left):
            if not self._said(None, predicate, node):
                self.node(node, ())
        for node, kinds in self._changes.lost.items():
            for kind in (kind for kind in kinds if not self._said(node, v.RDF_TYPE, kind)):
                for which in _SETS_OF.get(kind, ()):
                    self.vectors[which].drop([node.value])

    def _said(self, subject: NamedNode | None, predicate: NamedNode, value: Term) -> bool:
        return any(True for _ in self.store.quads_for_pattern(subject, predicate, value, None))

    def _spill(self) -> None:
        if self._waiting:
            self.store.bulk_extend(self._waiting)
            self._waiting.clear()
            self._spilt += 1

    def _check(self) -> None:
        if self._base is None or self._changes.too_many:
            found = violations(self)
        else:
            found = changed_violations(self, self._changes)
        if found:
            shown = "; ".join(str(violation) for violation in found[:_SHOWN])
            raise GraphError(
                f"the new graph breaks {len(found)} rules of the ontology; the old one stays: "
                f"{shown}"
            )
