"""The SQLite file under a state, and what its errors mean."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mder.errors import GraphError

_TABLES = {
    "documents": "source TEXT PRIMARY KEY, folded TEXT",
    "senses": "id INTEGER PRIMARY KEY, source TEXT, data BLOB, entity TEXT",
    "keys": "key INTEGER, sense INTEGER, near INTEGER, PRIMARY KEY (key, sense)",
    "labels": "sense INTEGER, label TEXT, vector BLOB, PRIMARY KEY (sense, label)",
    "entities": "name TEXT PRIMARY KEY, iri TEXT, data BLOB",
    "spellings": "key TEXT, entity TEXT, head TEXT, about INTEGER, PRIMARY KEY (key, entity)",
    "facts": (
        "entity TEXT, source TEXT, place INTEGER, text TEXT, PRIMARY KEY (entity, source, place)"
    ),
    "words": "chunk TEXT PRIMARY KEY, source TEXT, words TEXT",
    "links": "source TEXT, chunk INTEGER, entity TEXT, PRIMARY KEY (source, chunk, entity)",
}
_INDEXES = (
    ("senses", "source"),
    ("senses", "entity"),
    ("keys", "sense"),
    ("entities", "iri"),
    ("spellings", "entity"),
    ("spellings", "head"),
    ("facts", "source"),
    ("links", "entity"),
    ("words", "source"),
)


class Base:
    """A connection to a file that one process uses alone, and that counts once it is published."""

    def __init__(self, path: Path | None) -> None:
        """Open a file, made where it is missing; None is one in memory.

        :raises GraphError: when the file is no state or cannot be written.
        """
        self._path = path
        with self._translated():
            self._base = sqlite3.connect(path or ":memory:")
            # What a killed run leaves counts for nothing; publishing syncs this with the rest.
            self._base.execute("PRAGMA journal_mode = OFF")
            self._base.execute("PRAGMA synchronous = OFF")
            for name, columns in _TABLES.items():
                rowid = "" if name == "senses" else " WITHOUT ROWID"
                self._base.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns}){rowid}")
            for name, column in _INDEXES:
                index = f"CREATE INDEX IF NOT EXISTS {name}_{column} ON {name} ({column})"
                self._base.execute(index)

    def close(self) -> None:
        """Write what is left, and close the file."""
        with self._translated():
            self._base.commit()
            self._base.close()

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows that a query finds."""
        with self._translated():
            return self._base.execute(query, values).fetchall()

    def each(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield such rows one at a time, for they may be many."""
        with self._translated():
            yield from self._base.execute(query, values)

    def change(self, query: str, *values: object) -> int:
        """Carry out a change; return the id of the row that it added."""
        with self._translated():
            return self._base.execute(query, values).lastrowid or 0

    def change_each(self, query: str, rows: Iterable[tuple[object, ...]]) -> None:
        """Carry out a change for each of these rows of values."""
        with self._translated():
            self._base.executemany(query, rows)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise GraphError(f"{self._path}: {error}; free some space, or mend the disk") from error
