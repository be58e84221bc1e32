"""One Generation: written once, then read, lazily and by many at a time."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import cached_property, lru_cache, partial
from itertools import chain
from os import close
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, get_args
from typing import Literal as OneOf
from weakref import finalize

from msgspec import structs
from pyoxigraph import NamedNode, Quad, Store

from mder.errors import GraphError, QueryError
from mder.graph import convert, evidence, guard
from mder.graph import vocabulary as v
from mder.graph.disk import hold
from mder.graph.generations import Home
from mder.graph.manifest import Manifest, read_manifest
from mder.graph.passages import PASSAGES, Passages
from mder.graph.quads import as_iri, named, quads, rows
from mder.graph.quads import node as node_of
from mder.graph.results import Results
from mder.graph.seal import SEAL, check
from mder.names import canonical, normalise
from mder.records import Chunk, Document, Entity, Evidence, Merge, Triple

if TYPE_CHECKING:
    from mder.embedders.base import Vectors
    from mder.graph.vectors import VectorSet
    from mder.graph.words import WordIndex

# One question is looked through for names several times.
_key = lru_cache(maxsize=4096)(normalise)
Which: TypeAlias = OneOf["names", "summaries", "triples", "chunks", "relations"]
SETS: tuple[Which, ...] = get_args(Which)


class Graph:
    """A finished Generation, open for reading."""

    def __init__(self, path: Path, store: Store, manifest: Manifest) -> None:
        self.path = path
        self.store = store
        self.manifest = manifest
        # Bound to the store alone: a cycle would keep that open when the graph is gone.
        self._look = lru_cache(maxsize=8192)(partial(node_of, store))
        self._triple = lru_cache(maxsize=4096)(partial(_triple_of, self._look))
        self._sets: dict[Which, VectorSet] = {}

    @classmethod
    def open(cls, generation: Path) -> "Graph":
        """Open a finished Generation, which is not removed while it is open.

        :raises GraphError: when it is missing or damaged.
        """
        return cls._open(generation, check(generation))

    @classmethod
    def _open(cls, generation: Path, manifest: Manifest) -> "Graph":
        try:
            with ExitStack() as at_end:
                at_end.callback(close, hold(generation / SEAL))
                graph = cls(generation, Store.read_only(str(generation / "oxigraph")), manifest)
                finalize(graph, at_end.pop_all().close)
        except (OSError, RuntimeError) as error:
            raise GraphError(f"{generation}: cannot open: {error}; run mder index again") from error
        return graph

    @classmethod
    def of(cls, home: Home) -> "tuple[Graph, str]":
        """Open the Generation that readers open now, with what is to be told about it.

        :returns: the graph, and ``""`` or a line for the user.
        :raises GraphError: when none is whole.
        """
        while True:
            said = home.said()
            try:
                generation, note = home.readable()
                graph = cls._open(generation, read_manifest(generation))
            except GraphError:
                if home.said() == said:
                    raise
            else:
                if not note or home.said() == said:
                    return graph, note
            # A writer has published in between, and pruned what was to be opened.

    def entity(self, name: str) -> Entity | None:
        """Return the Entity with this canonical name."""
        node = self._look(v.entity_iri(name))
        documents = (quad.subject for quad in self._into(v.SUBJECT, node.iri))
        return convert.to_entity(node, named(documents), self._look) if node else None

    def find(self, text: str) -> tuple[str, ...]:
        """Return the Entities of which this is a name or alias; a name as it stands comes first."""
        found = self.lookup.get(_key(text), ())
        if len(found) > 1:
            exact = canonical(text)
            found = tuple(sorted(found, key=lambda name: name != exact))
        return found

    @cached_property
    def lookup(self) -> Mapping[str, tuple[str, ...]]:
        """Normalised names and aliases to names of Entities, by their own name first."""
        names = dict(self._strings(v.HAS_NAME))
        aliases = sorted((alias, names[iri]) for iri, alias in self._strings(v.ALT_LABEL))
        table: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for text, name in chain(zip(*[sorted(names.values())] * 2, strict=True), aliases):
            table[normalise(text)][name] = None
        return {key: tuple(found) for key, found in table.items() if key}

    def name_of(self, iri: str) -> str:
        """Return the name of an Entity.

        :raises GraphError: when the graph has no such Entity.
        """
        return self.passages.entry(iri).name

    def triple_iris(self, entity: str) -> tuple[str, ...]:
        """Return the IRIs of the Triples with this Entity as source or target, sorted."""
        iri = v.entity_iri(entity)
        found = {q.subject for p in (v.HAS_SOURCE, v.HAS_TARGET) for q in self._into(p, iri)}
        return tuple(sorted(node.value for node in named(found)))

    def triples(self, entity: str) -> tuple[Triple, ...]:
        """Return the Triples with this Entity as source or target, in the order of their places."""
        return tuple(sorted(map(self.triple, self.triple_iris(entity)), key=_place))

    def triple(self, iri: str) -> Triple:
        """Return a Triple.

        :raises GraphError: when the graph has no such Triple.
        """
        return self._triple(iri)

    def chunk(self, iri: str) -> Chunk:
        """Return a Chunk.

        :raises GraphError: when the graph has no such Chunk.
        """
        return convert.to_chunk(self._look(as_iri(iri)), self._look)

    def document(self, source: str) -> Document:
        """Return a Document without its text, which its Chunks hold.

        :raises GraphError: when the graph has no such Document.
        """
        return convert.to_document(self._look(v.document_iri(source)), self._look)

    def merges(self, entity: str | None = None) -> tuple[Merge, ...]:
        """Return every Merge, or those into one Entity, by the Entity kept and the name merged."""
        pattern = (v.RDF_TYPE, v.MERGE) if entity is None else (v.HAS_ENTITY, v.entity_iri(entity))
        found = self._into(*pattern, v.ENTITIES)
        nodes = (node_of(self.store, subject) for subject in named(quad.subject for quad in found))
        merges = (convert.to_merge(node, self._look) for node in nodes)
        return tuple(sorted(merges, key=lambda m: (m.entity, m.name, m.sources)))

    def chunks_of(self, entity: str) -> tuple[str, ...]:
        """Return the IRIs of the Chunks that mention an Entity, sorted."""
        found = self._into(v.HAS_ENTITY, v.entity_iri(entity))
        # A Merge has an Entity as well, but in the graph of the Entities.
        mentions = (quad for quad in found if quad.graph_name != v.ENTITIES)
        return tuple(sorted(node.value for node in named(q.subject for q in mentions)))

    def documents_about(self, entity: str) -> tuple[str, ...]:
        """Return the sources of the Documents whose title names an Entity, sorted."""
        found = self.entity(entity)
        return found.documents if found else ()

    def evidence(self, iri: str) -> Evidence:
        """Return what an Entity, a Triple or a Chunk is evidence of, with a score of 0.

        :raises GraphError: when the graph has no such node.
        """
        if iri.startswith(v.PREFIXES["chunk"]):
            return evidence.of_passage(self.passages.passage(iri))
        node = None if iri.startswith(v.PREFIXES["ent"]) else self._look(as_iri(iri))
        if node is None or not node.is_a(v.TRIPLE, v.RDF_TYPE):
            return evidence.of_entity(self, iri)
        passage = self.passages.passage(node.link(v.BELONGS_TO_CHUNK).value)
        stated = next(stated for stated in passage.statements if stated.iri == iri)
        return evidence.of_statement(self.passages, passage, stated)

    def search(self, which: Which, vector: "Vectors", k: int) -> list[tuple[str, float]]:
        """Return the IRIs nearest to a unit vector with their cosines, best first.

        :raises GraphError: when the set is missing, or the vector is of another dimension.
        """
        return self.vectors(which).search(vector, k)

    def vectors(self, which: Which) -> "VectorSet":
        """Return one of the sets of vectors, with IRIs as ids.

        :raises GraphError: when it is missing or broken.
        """
        from mder.graph.vectors import VectorSet

        if which not in self._sets:
            self._sets[which] = VectorSet(self.path / "vectors", which)
        return self._sets[which]

    @cached_property
    def passages(self) -> Passages:
        """The Chunks and names as questions read them, by IRIs.

        :raises GraphError: when they are missing, for an earlier version made none, or broken.
        """
        return Passages(self.path / PASSAGES)

    @cached_property
    def words(self) -> "WordIndex":
        """The lexical index of the Chunks, with IRIs as ids.

        :raises GraphError: when it is missing, for an earlier version made none, or broken.
        """
        from mder.graph.words import WORDS, WordIndex

        return WordIndex(self.path / WORDS)

    def query(self, sparql: str) -> Results:
        """Answer SPARQL over the union of all named graphs; the usual prefixes are known.

        :raises QueryError: for bad syntax, an update, or a SERVICE clause.
        """
        guard.refuse_service(sparql)
        try:
            raw = self.store.query(
                sparql, use_default_graph_as_union=True, prefixes=dict(v.PREFIXES)
            )
        except SyntaxError as error:
            if guard.is_update(sparql):
                message = "updates are refused; the graph changes by mder index alone"
            else:
                message = f"not a SPARQL query: {str(error).splitlines()[0][:200]}"
            raise QueryError(message) from error
        except (OSError, RuntimeError, ValueError) as error:
            raise QueryError(f"the query failed: {error}") from error
        return Results(raw)

    def statistics(self) -> dict[str, int | dict[str, int]]:
        """Count what the graph holds; ``languages`` counts Documents by language."""
        return structs.asdict(self.manifest.counts)

    def _strings(self, predicate: NamedNode) -> Iterator[tuple[str, str]]:
        """Yield (IRI of an Entity, string)."""
        query = f"SELECT ?node ?text {{ GRAPH {v.ENTITIES} {{ ?node {predicate} ?text }} }}"
        for node, text in rows(self.store, query):
            if node.startswith(v.PREFIXES["ent"]):
                yield node, text

    def _into(
        self, predicate: NamedNode, node: NamedNode, graph: NamedNode | None = None
    ) -> Iterator[Quad]:
        return quads(self.store, None, predicate, node, graph)


def _triple_of(look: convert.Look, iri: str) -> Triple:
    return convert.to_triple(look(as_iri(iri)), look)


def _place(triple: Triple) -> tuple[str, int, int, str, str]:
    return triple.source, triple.start, triple.end, triple.predicate, triple.object.name
