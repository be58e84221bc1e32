"""All Entities, and the spellings that texts may mean them by."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby

import msgspec

from mder.pipeline.state.base import Base
from mder.records import Entity


@dataclass(frozen=True, slots=True, order=True)
class Spelling:
    """A normalised name that texts may mean an Entity by.

    :param head: its first word, or ``""`` where its script puts no spaces between words.
    :param about: whether a Document is about the Entity.
    """

    key: str
    entity: str
    head: str
    about: bool


class Entities:
    """Entities by name, without their summaries."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def get(self, name: str) -> Entity | None:
        """Return an Entity."""
        for (data,) in self._base.rows("SELECT data FROM entities WHERE name = ?", name):
            return msgspec.msgpack.decode(data, type=Entity)
        return None

    def put(self, entity: Entity, iri: str) -> None:
        """Add or replace an Entity."""
        data = msgspec.msgpack.encode(entity)
        query = "INSERT OR REPLACE INTO entities VALUES (?, ?, ?)"
        self._base.change(query, entity.name, iri, data)

    def remove(self, name: str) -> None:
        """Remove an Entity."""
        self._base.change("DELETE FROM entities WHERE name = ?", name)

    def spell(self, entity: str, spellings: Collection[Spelling]) -> set[Spelling]:
        """Replace the spellings of an Entity; return those that go or come."""
        query = "SELECT key, entity, head, about FROM spellings WHERE entity = ?"
        before = {Spelling(k, e, h, bool(a)) for k, e, h, a in self._base.rows(query, entity)}
        gone, come = before.difference(spellings), set(spellings) - before
        query = "DELETE FROM spellings WHERE key = ? AND entity = ?"
        self._base.change_each(query, ((s.key, s.entity) for s in gone))
        query = "INSERT INTO spellings VALUES (?, ?, ?, ?)"
        self._base.change_each(query, ((s.key, s.entity, s.head, s.about) for s in come))
        return gone | come

    def meant(self, key: str) -> dict[str, bool]:
        """Return the Entities that a spelling may mean, and whether a Document is about each."""
        rows = self._base.rows("SELECT entity, about FROM spellings WHERE key = ?", key)
        return {entity: bool(about) for entity, about in rows}

    def spellings(
        self, heads: Collection[str] | None = None
    ) -> Iterator[tuple[str, list[str], bool]]:
        """Yield spellings, the Entities that they may mean, and whether one has a Document.

        :param heads: the first words of the spellings that are wanted; None is all.
        """
        query = "SELECT key, entity, about FROM spellings"
        values: tuple[str, ...] = ()
        if heads is not None:
            query += " WHERE head IN (SELECT value FROM json_each(?))"
            values = (json.dumps(sorted(heads)),)
        rows = self._base.each(f"{query} ORDER BY key, entity", *values)
        for key, group in groupby(rows, lambda row: str(row[0])):
            found = [(str(entity), bool(about)) for _, entity, about in group]
            yield key, [entity for entity, _ in found], any(about for _, about in found)
