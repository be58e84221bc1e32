"""What questions read: a row for each Chunk with all that it states, and one for each name.

The store says the same in many small pieces, of which one question would need hundreds. Both are
made of the same quads, in one go.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from pyoxigraph import NamedNode, Quad

from mder.errors import GraphError
from mder.graph import vocabulary as v
from mder.graph.node import Node
from mder.graph.tables import Tables
from mder.records import Mention

PASSAGES = "passages.sqlite"
"""The file of a Generation that holds them."""

_TABLES = {
    "chunks": "(iri TEXT PRIMARY KEY, document TEXT, about TEXT, data BLOB)",
    "ends": "(entity TEXT, chunk TEXT, PRIMARY KEY (entity, chunk)) WITHOUT ROWID",
    "entries": "(iri TEXT PRIMARY KEY, data BLOB)",
}
_INDEXES = (("chunks", "document"), ("chunks", "about"))
_CHUNKS = "SELECT iri, data FROM chunks WHERE iri IN (SELECT value FROM json_each(?))"
_ENTRIES = "SELECT iri, data FROM entries WHERE iri IN (SELECT value FROM json_each(?))"
_PAGES = "SELECT about, iri FROM chunks WHERE about IN (SELECT value FROM json_each(?))"
_STATING = "SELECT data FROM ends JOIN chunks ON iri = chunk WHERE entity = ? ORDER BY chunk"
_REMEMBERED = 8192  # rows of a kind

T = TypeVar("T")


class Statement(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a Triple states, with the IRIs of its two ends and of what is between."""

    iri: str
    source: str
    relation: str
    target: str
    start: int
    end: int
    verified: bool
    negated: bool
    description: str

    @property
    def ends(self) -> tuple[str, str]:
        """The IRIs of its two Entities."""
        return self.source, self.target


class Passage(msgspec.Struct, frozen=True, array_like=True):
    """A Chunk, and what it states.

    :param source: of its Document, as is the title.
    :param about: the IRI of the Entity that the Document is about.
    :param english: ``""`` where that is the text itself.
    :param statements: in the order of their places.
    """

    iri: str
    source: str
    title: str
    about: str
    start: int
    end: int
    text: str
    english: str
    statements: tuple[Statement, ...]

    @property
    def entities(self) -> set[str]:
        """The IRIs of the Entities at the ends of what it states."""
        return {end for stated in self.statements for end in stated.ends}

    @property
    def sentences(self) -> list[tuple[Statement, ...]]:
        """What is stated in one place each, in the order of the places."""
        return [tuple(some) for _, some in groupby(self.statements, key=attrgetter("start"))]


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """An Entity, an EntityType or a Relationship.

    :param main: the IRI of an Entity's main type, ``""`` where it has none.
    :param types: the IRIs of all its types.
    """

    name: str
    main: str = ""
    types: tuple[str, ...] = ()
    summary: str = ""


_ENCODER = msgspec.msgpack.Encoder()
_PASSAGE = msgspec.msgpack.Decoder(Passage)
_ENTRY = msgspec.msgpack.Decoder(Entry)


class Passages:
    """The rows of a finished Generation, by IRIs; those of many are read at once."""

    def __init__(self, path: Path) -> None:
        """Open them.

        :raises GraphError: when the file is missing, for an earlier version made none, or broken.
        """
        self._tables = Tables.reading(path)
        self._passages = _Rows(self._tables, _CHUNKS, _passage)
        self._entries = _Rows(self._tables, _ENTRIES, _entry)
        self._about = _Rows(self._tables, _PAGES, _ordered)

    def passages(self, chunks: Iterable[str]) -> dict[str, Passage]:
        """Return Chunks.

        :raises GraphError: when the graph has no such Chunk.
        """
        return self._found(self._passages, "Chunk", chunks)

    def passage(self, chunk: str) -> Passage:
        """Return one Chunk."""
        return self.passages([chunk])[chunk]

    def about(self, entities: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the IRIs of the Chunks of the Documents about Entities that have some, sorted."""
        return self._about.read(entities)

    def stating(self, entity: str) -> Iterator[tuple[Passage, Statement]]:
        """Yield what is stated of an Entity, in the order of the IRIs of the Chunks."""
        # One at a time, for there may be many, and sometimes the first is enough.
        for (data,) in self._tables.each(_STATING, entity):
            passage = _PASSAGE.decode(data)
            for statement in passage.statements:
                if entity in statement.ends:
                    yield passage, statement

    def entries(self, iris: Iterable[str]) -> dict[str, Entry]:
        """Return those of these nodes that are Entities, EntityTypes or Relationships."""
        return self._entries.read(iris)

    def entry(self, iri: str) -> Entry:
        """Return one of them.

        :raises GraphError: when the graph has no such node.
        """
        return self._found(self._entries, "Entity", [iri])[iri]

    def mentions(self, entities: Iterable[str]) -> dict[str, Mention]:
        """Return the names of Entities with their types, the main ones first.

        :raises GraphError: when the graph has no such Entity.
        """
        found = self._found(self._entries, "Entity", entities)
        types = {kind for entry in found.values() for kind in entry.types}
        kinds = self._found(self._entries, "EntityType", types)
        return {iri: Mention(entry.name, _types(entry, kinds)) for iri, entry in found.items()}

    def _found(self, rows: "_Rows[T]", what: str, iris: Iterable[str]) -> dict[str, T]:
        wanted = list(iris)
        found = rows.read(wanted)
        if missing := [iri for iri in wanted if iri not in found]:
            raise GraphError(f"no {what} in this graph: {missing[0]}")
        return found


def _types(entry: Entry, kinds: Mapping[str, Entry]) -> tuple[str, ...]:
    others = sorted(kinds[kind].name for kind in entry.types if kind != entry.main)
    return (kinds[entry.main].name, *others) if entry.main else tuple(others)


class _Rows(Generic[T]):
    """What there is for IRIs, read for many at a time, and remembered for a while.

    :param query: gives the IRI and a value, once for each that there is, of those in a JSON array.
    :param made: gives what is made of the values.
    """

    def __init__(self, tables: Tables, query: str, made: Callable[[list[Any]], T]) -> None:
        self._tables, self._query, self._made = tables, query, made
        self._known: dict[str, T | None] = {}

    def read(self, iris: Iterable[str]) -> dict[str, T]:
        """Return what there is, by IRI, in the order given."""
        wanted = list(iris)
        if len(self._known) > _REMEMBERED:
            self._known = {}
        # Another thread may put another one in its place meanwhile.
        known = self._known
        if new := [iri for iri in wanted if iri not in known]:
            values: defaultdict[str, list[Any]] = defaultdict(list)
            for iri, value in self._tables.rows(self._query, msgspec.json.encode(new).decode()):
                values[iri].append(value)
            made = {iri: self._made(some) for iri, some in values.items()}
            known.update({**dict.fromkeys(new), **made})
        return {iri: row for iri in wanted if (row := known[iri]) is not None}


def _passage(values: list[bytes]) -> Passage:
    return _PASSAGE.decode(values[0])


def _entry(values: list[bytes]) -> Entry:
    return _ENTRY.decode(values[0])


def _ordered(values: list[str]) -> tuple[str, ...]:
    return tuple(sorted(values))


class PassageWriter:
    """Changes the rows of a Generation in the making by the quads that it gets."""

    def __init__(self, path: Path) -> None:
        self._tables = Tables(path, _TABLES, _INDEXES)
        self.close = self._tables.close

    def __len__(self) -> int:
        """Count the Chunks."""
        return int(self._tables.rows("SELECT count(*) FROM chunks")[0][0])

    def document(self, graph: NamedNode, quads: Iterable[Quad]) -> None:
        """Replace the rows of the Chunks of a Document by what its named graph holds now."""
        rows = self._tables.rows("SELECT data FROM chunks WHERE document = ?", graph.value)
        old = [_PASSAGE.decode(data) for (data,) in rows]
        ends = ((entity, passage.iri) for passage in old for entity in passage.entities)
        self._tables.change_each("DELETE FROM ends WHERE entity = ? AND chunk = ?", ends)
        self._tables.change("DELETE FROM chunks WHERE document = ?", graph.value)
        new: list[Passage] = []
        with suppress(GraphError):
            # What breaks a rule is told by who checks that, in the words of the ontology.
            new += _passages(graph, quads)
        chunks = ((p.iri, graph.value, p.about, _ENCODER.encode(p)) for p in new)
        self._tables.change_each("INSERT INTO chunks VALUES (?, ?, ?, ?)", chunks)
        ends = ((entity, passage.iri) for passage in new for entity in passage.entities)
        self._tables.change_each("INSERT INTO ends VALUES (?, ?)", ends)

    def entry(self, iri: NamedNode, quads: Iterable[Quad]) -> None:
        """Replace the row of a node by what the graph of the Entities says of it now."""
        node = Node(iri, quads)
        if name := node.text(v.HAS_NAME, ""):
            main = next((kind.value for kind in node.links(v.HAS_MAIN_TYPE)), "")
            types = tuple(kind.value for kind in node.links(v.HAS_TYPE))
            entry = Entry(name, main, types, node.text(v.HAS_SUMMARY, ""))
            query = "INSERT OR REPLACE INTO entries VALUES (?, ?)"
            self._tables.change(query, iri.value, _ENCODER.encode(entry))
        else:
            self._tables.change("DELETE FROM entries WHERE iri = ?", iri.value)


def _passages(graph: NamedNode, quads: Iterable[Quad]) -> Iterator[Passage]:
    """Yield the Chunks of the named graph of a Document."""
    said: defaultdict[NamedNode, list[Quad]] = defaultdict(list)
    for quad in quads:
        if isinstance(quad.subject, NamedNode):
            said[quad.subject].append(quad)
    nodes = [Node(iri, some) for iri, some in said.items()]
    stated: defaultdict[NamedNode, list[Statement]] = defaultdict(list)
    for node in nodes:
        if node.is_a(v.TRIPLE, v.RDF_TYPE):
            stated[node.link(v.BELONGS_TO_CHUNK)].append(_statement(node))
    document = Node(graph, said[graph])
    about = next((topic.value for topic in document.links(v.SUBJECT)), "")
    for node in nodes:
        if node.is_a(v.CHUNK, v.RDF_TYPE):
            text = node.text(v.HAS_CONTENT)
            english = node.text(v.HAS_TRANSLATION, node.text(v.HAS_SUMMARY, ""))
            yield Passage(
                node.iri.value,
                document.text(v.HAS_URI),
                document.text(v.TITLE),
                about,
                node.integer(v.HAS_START),
                node.integer(v.HAS_END),
                text,
                english,
                tuple(sorted(stated[node.iri], key=lambda s: (s.start, s.iri))),
            )


def _statement(node: Node) -> Statement:
    return Statement(
        node.iri.value,
        node.link(v.HAS_SOURCE).value,
        node.link(v.HAS_RELATIONSHIP).value,
        node.link(v.HAS_TARGET).value,
        node.integer(v.HAS_START),
        node.integer(v.HAS_END),
        node.flag(v.IS_VERIFIED),
        node.flag(v.IS_NEGATED),
        node.text(v.HAS_DESCRIPTION, ""),
    )
