"""What Documents say of Entities and where they mention them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from mder.pipeline.state.base import Base
from mder.records import Link

Fact = tuple[str, int, str]
"""Entity, place of the Triple in its Document, description."""


class Facts:
    """The facts and Links of all Documents."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def put(self, source: str, facts: Iterable[Fact]) -> set[str]:
        """Replace the facts of a Document; return the Entities of which others are stated now."""
        query = "SELECT entity, place, text FROM facts WHERE source = ?"
        before, after = set(self._base.rows(query, source)), set(facts)
        query = "DELETE FROM facts WHERE entity = ? AND source = ? AND place = ?"
        self._base.change_each(query, ((e, source, place) for e, place, _ in before - after))
        query = "INSERT INTO facts VALUES (?, ?, ?, ?)"
        self._base.change_each(query, ((e, source, place, t) for e, place, t in after - before))
        return {entity for entity, _, _ in before ^ after}

    def link(self, source: str, links: Iterable[Link]) -> set[str]:
        """Replace the Links of a Document; return the Entities mentioned elsewhere than before."""
        query = "SELECT chunk, entity FROM links WHERE source = ?"
        before = set(self._base.rows(query, source))
        after = {(link.chunk, link.entity) for link in links}
        query = "DELETE FROM links WHERE source = ? AND chunk = ? AND entity = ?"
        self._base.change_each(query, ((source, *row) for row in before - after))
        query = "INSERT INTO links VALUES (?, ?, ?)"
        self._base.change_each(query, ((source, *row) for row in after - before))
        return {entity for _, entity in before ^ after}

    def mentioned(self, source: str) -> set[str]:
        """Return the Entities that a Document mentions."""
        rows = self._base.rows("SELECT DISTINCT entity FROM links WHERE source = ?", source)
        return {entity for (entity,) in rows}

    def of(self, entity: str) -> list[str]:
        """Return what is stated of an Entity, each once, in the order of the places."""
        query = "SELECT text FROM facts WHERE entity = ? ORDER BY source, place"
        return list(dict.fromkeys(text for (text,) in self._base.rows(query, entity)))

    def count(self, entity: str) -> int:
        """Return how many facts there are of an Entity."""
        return int(self._base.rows("SELECT count(*) FROM facts WHERE entity = ?", entity)[0][0])

    def links(self, entities: Collection[str]) -> Iterator[Link]:
        """Yield the Links to these Entities in the order of the places."""
        self._base.change("CREATE TEMP TABLE wanted (entity TEXT PRIMARY KEY) WITHOUT ROWID")
        self._base.change_each("INSERT INTO wanted VALUES (?)", ((e,) for e in entities))
        query = "SELECT source, chunk, entity FROM wanted JOIN links USING (entity)"
        for row in self._base.each(f"{query} ORDER BY source, chunk, entity"):
            yield Link(*row)
        self._base.change("DROP TABLE wanted")

    def fold(self, source: str, folded: str | None) -> None:
        """Replace the words of a Document, folded; None removes them."""
        if folded is None:
            self._base.change("DELETE FROM documents WHERE source = ?", source)
        else:
            self._base.change("INSERT OR REPLACE INTO documents VALUES (?, ?)", source, folded)

    def holding(self, parts: Collection[tuple[str, str]]) -> set[str]:
        """Return the sources of the Documents whose words, folded, hold one of these parts.

        :param parts: each with a whole word of it, ``""`` where there is none.
        """
        if not parts:
            return set()
        by_head: dict[str, list[str]] = defaultdict(list)
        for word, part in parts:
            by_head[word].append(part)
        anywhere = by_head.pop("", [])
        found: set[str] = set()
        for source, folded in self._base.each("SELECT source, folded FROM documents"):
            begun = by_head.keys() & folded.split() if by_head else ()
            likely = chain(anywhere, *(by_head[word] for word in begun))
            if any(words in folded for words in likely):
                found.add(source)
        return found
