"""What is durable before it is used: the results of each Document, and validated model replies."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import msgspec

from mder.errors import GraphError
from mder.records import Reading

_SCHEMA = """
CREATE TABLE IF NOT EXISTS readings (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


class Journal:
    """An SQLite file, safe to use from several threads; a commit survives a power cut."""

    def __init__(self, path: Path) -> None:
        """Open the journal, made where it is missing.

        :raises GraphError: when the file is no journal or cannot be written.
        """
        self._lock = threading.Lock()
        self._path = path
        try:
            self._base = sqlite3.connect(path, check_same_thread=False)
            with _closed_on_error(self._base):
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute("PRAGMA synchronous = FULL")
                self._base.executescript(_SCHEMA)
        except sqlite3.Error as error:
            raise GraphError(
                f"{path}: cannot use the journal: {error}; move it away to begin a new one"
            ) from error

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._base.close()

    def get(self, key: str) -> str | None:
        """Return the model reply kept under a key."""
        row = self._first("SELECT value FROM replies WHERE key = ?", key)
        return None if row is None else str(row)

    def put(self, key: str, value: str) -> None:
        """Keep a model reply; it is durable when this returns."""
        with self._write() as base:
            base.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, value))

    def reading(self, key: str) -> Reading | None:
        """Return the results of a Document kept under a key."""
        row = self._first("SELECT value FROM readings WHERE key = ?", key)
        try:
            return None if row is None else msgspec.msgpack.decode(row, type=Reading)
        except msgspec.MsgspecError:
            # Written by another version; the Document is read again.
            return None

    def documents(self) -> dict[str, str]:
        """Return the key of each Document's results, by its source."""
        with self._lock, self._translated():
            rows = self._base.execute("SELECT key FROM readings ORDER BY key").fetchall()
        found = ((key, self.reading(key)) for (key,) in rows)
        return {reading.document.source: key for key, reading in found if reading is not None}

    def keep(self, readings: Iterable[tuple[str, Reading]]) -> None:
        """Keep the results of Documents; they are durable when this returns."""
        rows = [(key, msgspec.msgpack.encode(reading)) for key, reading in readings]
        with self._write() as base:
            base.executemany("INSERT OR REPLACE INTO readings VALUES (?, ?)", rows)

    def forget(self, kept: Iterable[str]) -> None:
        """Drop the results of all Documents but those kept under these keys."""
        with self._write() as base:
            base.execute("CREATE TEMP TABLE current (key TEXT PRIMARY KEY)")
            base.executemany("INSERT OR IGNORE INTO current VALUES (?)", ((k,) for k in kept))
            base.execute("DELETE FROM readings WHERE key NOT IN (SELECT key FROM current)")
            base.execute("DROP TABLE current")

    def _first(self, query: str, key: str) -> bytes | None:
        with self._lock, self._translated():
            row = self._base.execute(query, (key,)).fetchone()
        return None if row is None else row[0]

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._translated(), self._base:
            yield self._base

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise GraphError(f"{self._path}: {error}; free some space, or mend the disk") from error


@contextmanager
def _closed_on_error(base: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error:
        base.close()
        raise
