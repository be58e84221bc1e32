"""Tables in an SQLite file, and what its errors mean."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import finalize

from mder.errors import GraphError

_PAGE = 1 << 14  # bytes; in smaller ones long rows would leave much room between them
_MAPPED = 1 << 31  # bytes of a file that are read without copying


class Tables:
    """A connection to a file that one process writes alone and that counts once it is published.

    Any number may read it then, from any thread.
    """

    def __init__(
        self,
        path: Path | None,
        tables: Mapping[str, str],
        indexes: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Open a file to change it, made where it is missing; None is one in memory.

        :param tables: what follows the name of each, from its columns on.
        :param indexes: table and column.
        :raises GraphError: when the file holds something else or cannot be written.
        """
        self._path, self._mend = path, "free some space, or mend the disk"
        with self._translated():
            self._base = sqlite3.connect(path or ":memory:")
            self._base.execute(f"PRAGMA page_size = {_PAGE}")
            # What a killed run leaves counts for nothing; publishing syncs this with the rest.
            self._base.execute("PRAGMA journal_mode = OFF")
            self._base.execute("PRAGMA synchronous = OFF")
            for name, columns in tables.items():
                self._base.execute(f"CREATE TABLE IF NOT EXISTS {name} {columns}")
            for name, column in indexes:
                index = f"CREATE INDEX IF NOT EXISTS {name}_{column} ON {name} ({column})"
                self._base.execute(index)

    @classmethod
    def reading(cls, path: Path) -> "Tables":
        """Open a file that is written no more.

        :raises GraphError: when it is missing or broken.
        """
        tables = cls.__new__(cls)
        tables._path, tables._mend = path, "run mder index again"
        with tables._translated():
            address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
            tables._base = sqlite3.connect(address, uri=True, check_same_thread=False)
            finalize(tables, tables._base.close)
            tables._base.execute(f"PRAGMA mmap_size = {_MAPPED}")
        return tables

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
            raise GraphError(f"{self._path}: {error}; {self._mend}") from error
