"""The Senses of all Documents, what they mean, and which of them bear on which."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import islice

import msgspec

from mder.disambiguate import Sense, keys
from mder.pipeline.state.base import Base

_PART = 4096  # rows written together


class Senses:
    """Senses by id, with the keys that lead from one to others."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def add(self, source: str, senses: Iterable[Sense]) -> list[int]:
        """Add the Senses of a Document that has none; return their ids."""
        ids = []
        for sense in senses:
            data = msgspec.msgpack.encode(sense)
            query = "INSERT INTO senses (source, data) VALUES (?, ?)"
            ids.append(self._base.change(query, source, data))
            self._base.change_each(
                "INSERT OR IGNORE INTO keys VALUES (?, ?, 0)",
                ((_number(key), ids[-1]) for key in keys(sense)),
            )
        return ids

    def drop(self, source: str) -> tuple[set[int], set[str]]:
        """Remove the Senses of a Document; return the keys they had and the Entities they meant."""
        rows = self._base.rows("SELECT id, entity FROM senses WHERE source = ?", source)
        ids = [(key,) for key, _ in rows]
        query = "SELECT key FROM keys WHERE sense = ?"
        left = {key for (i,) in ids for (key,) in self._base.rows(query, i)}
        self._base.change_each("DELETE FROM keys WHERE sense = ?", ids)
        self._base.change_each("DELETE FROM labels WHERE sense = ?", ids)
        self._base.change_each("DELETE FROM senses WHERE id = ?", ids)
        return left, {entity for _, entity in rows if entity}

    def reach(self, ids: Iterable[int], keys: Iterable[int] = ()) -> set[int]:
        """Return these Senses, those with these keys, and all that share a key with one found."""
        found: set[int] = set()
        seen: set[int] = set()
        fresh, open_keys = set(ids), set(keys)
        while fresh or open_keys:
            seen |= open_keys
            query = "SELECT sense FROM keys WHERE key = ?"
            fresh |= {s for key in open_keys for (s,) in self._base.rows(query, key)}
            fresh -= found
            found |= fresh
            query = "SELECT key FROM keys WHERE sense = ?"
            open_keys = {k for sense in fresh for (k,) in self._base.rows(query, sense)} - seen
            fresh = set()
        return found

    def alike(self, ids: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yield pairs of these Senses that share a key: so many that all that do are linked."""
        self._base.change("CREATE TEMP TABLE alike (sense INTEGER PRIMARY KEY)")
        self._base.change_each("INSERT INTO alike VALUES (?)", ((i,) for i in ids))
        query = "SELECT key, sense FROM alike JOIN keys USING (sense) ORDER BY key"
        last, first = None, 0
        for key, sense in self._base.each(query):
            if key == last:
                yield first, sense
            else:
                last, first = key, sense
        self._base.change("DROP TABLE alike")

    def last(self) -> int:
        """Return the highest id of a Sense, 0 where there is none."""
        return int(self._base.rows("SELECT coalesce(max(id), 0) FROM senses")[0][0])

    def count(self) -> int:
        """Return how many Senses there are."""
        return int(self._base.rows("SELECT count(*) FROM senses")[0][0])

    def of(self, ids: Iterable[int]) -> Iterator[tuple[int, Sense]]:
        """Yield Senses with their ids."""
        for i in ids:
            for (data,) in self._base.rows("SELECT data FROM senses WHERE id = ?", i):
                yield i, msgspec.msgpack.decode(data, type=Sense)

    def mean(
        self, meanings: Iterable[tuple[int, str]], near: Iterable[tuple[int, int]]
    ) -> tuple[set[str], set[str]]:
        """Note which Entities Senses mean, and which Senses were near each other.

        :returns: the Entities that they meant before, and the Documents in which one means another.
        """
        before: set[str] = set()
        sources: set[str] = set()
        rows = iter(meanings)
        while part := [(entity, i) for i, entity in islice(rows, _PART)]:
            query = "SELECT source, coalesce(entity, '') FROM senses WHERE id = ?"
            for entity, i in part:
                for source, meant in self._base.rows(query, i):
                    before.add(meant)
                    if meant != entity:
                        sources.add(source)
            self._base.change_each("UPDATE senses SET entity = ? WHERE id = ?", part)
            query = "DELETE FROM keys WHERE sense = ? AND near"
            self._base.change_each(query, ((i,) for _, i in part))
        pairs = ((_number(f"{min(p)} near {max(p)}"), sense) for p in near for sense in p)
        self._base.change_each("INSERT OR IGNORE INTO keys VALUES (?, ?, 1)", pairs)
        return before - {""}, sources

    def names(self, source: str) -> dict[str, str]:
        """Return the Entity that each name of a Document means."""
        rows = self._base.rows("SELECT data, entity FROM senses WHERE source = ?", source)
        decoded = ((msgspec.msgpack.decode(data, type=Sense), entity) for data, entity in rows)
        return {name: entity for sense, entity in decoded for name in sense.uses}

    def sense_of(self, iri: str) -> int | None:
        """Return one of the Senses that mean the Entity with this IRI."""
        query = "SELECT id FROM entities JOIN senses ON entity = name WHERE iri = ? LIMIT 1"
        return next((key for (key,) in self._base.rows(query, iri)), None)

    def label(self, ids: Iterable[int], labels: Iterable[tuple[int, str, bytes]]) -> None:
        """Replace the labels that Senses were compared by, with their vectors.

        Left out are those that are the labels of Entities now, whose vectors are known anyway.
        """
        self._base.change_each("DELETE FROM labels WHERE sense = ?", ((i,) for i in ids))
        self._base.change_each("INSERT OR IGNORE INTO labels VALUES (?, ?, ?)", labels)

    def labels(self) -> Iterator[tuple[int, bytes]]:
        """Yield the Senses and vectors of all these labels."""
        yield from self._base.each("SELECT sense, vector FROM labels")


def _number(key: str) -> int:
    # Two keys that meet by chance only mean a look too many.
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), signed=True)
