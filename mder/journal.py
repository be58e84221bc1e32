"""What is durable before it is used: the results of each Document, and validated model replies."""

import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from mder.errors import GraphError
from mder.models.ledger import Spent
from mder.models.replies import Failure
from mder.records import Reading

_TABLES = {
    "readings": "key TEXT PRIMARY KEY, value BLOB NOT NULL, source TEXT",
    "documents": "source TEXT PRIMARY KEY, key TEXT NOT NULL",
    "parses": "source TEXT PRIMARY KEY, version TEXT NOT NULL, value BLOB NOT NULL",
    "replies": "key TEXT PRIMARY KEY, value TEXT NOT NULL",
    "failures": (
        "key TEXT PRIMARY KEY, stage TEXT, source TEXT, about TEXT, problem TEXT, reply TEXT, "
        "at REAL"
    ),
    "spending": (
        "model TEXT, stage TEXT, calls INTEGER, tokens_in INTEGER, tokens_out INTEGER, "
        "seconds REAL, PRIMARY KEY (model, stage)"
    ),
}
_SPEND = """
INSERT INTO spending VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (model, stage) DO UPDATE SET
    calls = calls + excluded.calls, tokens_in = tokens_in + excluded.tokens_in,
    tokens_out = tokens_out + excluded.tokens_out, seconds = seconds + excluded.seconds
"""
_ROOM = "free some space, or mend the disk or its rights"


class Journal:
    """An SQLite file, safe to use from several threads; a commit survives a power cut."""

    def __init__(self, path: Path, *, writes: bool = True) -> None:
        """Open the journal, made where it is missing.

        :param writes: whether what is kept lasts; else it stays in memory until this is closed, and
            a journal that is missing is an empty one.
        :raises GraphError: when the file is no journal or cannot be written.
        """
        self._lock = threading.Lock()
        self._path = path
        try:
            self._base = _opened(path) if writes else _looked_at(path)
        except sqlite3.Error as error:
            mend = "move it away to begin a new one" if _is_broken(error) else _ROOM
            raise GraphError(f"{path}: cannot use the journal: {error}; {mend}") from error
        self._kept = self._base if writes else _in_memory()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._base.close()
        self._kept.close()

    def get(self, key: str) -> str | None:
        """Return the model reply kept under a key."""
        row = self._first("SELECT value FROM replies WHERE key = ?", key)
        return None if row is None else str(row)

    def keep(self, replies: Mapping[str, str], model: str, stage: str, spent: Spent) -> None:
        """Keep what was of use in one reply, and its cost; they are durable when this returns."""
        cost = (spent.calls, spent.tokens_in, spent.tokens_out, spent.seconds)
        with self._write() as base:
            base.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?)", replies.items())
            base.executemany("DELETE FROM failures WHERE key = ?", ((key,) for key in replies))
            base.execute(_SPEND, (model, stage, *cost))

    def fail(self, failures: Sequence[Failure]) -> None:
        """Keep what no reply could be used for, with the last reply."""
        with self._write() as base:
            base.executemany(
                "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?, ?, ?)",
                ((*astuple(failure), time.time()) for failure in failures),
            )

    def failures(self) -> tuple[Failure, ...]:
        """Return what is missing because no reply could be used, by stage and Document."""
        rows = self._all("SELECT * FROM failures ORDER BY stage, source, about, key")
        return tuple(Failure(*row) for *row, _ in rows)

    def pardon(self, before: float, sources: Iterable[str], stages: Iterable[str]) -> None:
        """Drop the failures of Documents and stages that were done anew, but not the new ones.

        :param before: seconds since 1970, when that began.
        """
        with self._write() as base:
            for column, values in (("source", sources), ("stage", stages)):
                base.executemany(
                    f"DELETE FROM failures WHERE {column} = ? AND at < ?",  # noqa: S608
                    ((value, before) for value in values),
                )

    def spending(self) -> dict[tuple[str, str], Spent]:
        """Return what every run so far spent, by model and stage."""
        rows = self._all("SELECT * FROM spending ORDER BY model, stage")
        return {
            (model, stage): Spent(calls=calls, tokens_in=sent, tokens_out=got, seconds=seconds)
            for model, stage, calls, sent, got, seconds in rows
        }

    def reading(self, key: str) -> Reading | None:
        """Return the results of a Document kept under a key."""
        row = self._first("SELECT value FROM readings WHERE key = ?", key)
        try:
            return None if row is None else msgspec.msgpack.decode(row, type=Reading)
        except msgspec.MsgspecError:
            # Written by another version, or damaged; the next run reads the Document again.
            with self._write() as base:
                base.execute("DELETE FROM readings WHERE key = ?", (key,))
            return None

    def has(self, key: str) -> bool:
        """Say whether there are results of a Document under a key."""
        return self._first("SELECT 1 FROM readings WHERE key = ?", key) is not None

    def documents(self) -> dict[str, str]:
        """Return the key of each Document's results, by its source, as of the last run.

        Where that is not known, of all Documents of which there are results.
        """
        current = dict(self._all("SELECT source, key FROM documents"))
        if current:
            return current
        rows = self._all("SELECT key FROM readings ORDER BY key")
        found = ((key, self.reading(key)) for (key,) in rows)
        return {reading.document.source: key for key, reading in found if reading is not None}

    def record(self, readings: Iterable[tuple[str, Reading]]) -> None:
        """Keep the results of Documents; they are durable when this returns."""
        rows = [(k, msgspec.msgpack.encode(r), r.document.source) for k, r in readings]
        with self._write() as base:
            base.executemany(
                "INSERT OR REPLACE INTO readings (key, value, source) VALUES (?, ?, ?)", rows
            )

    def rename(self, keys: Iterable[tuple[str, str]]) -> None:
        """Keep results of Documents under other keys as well: pairs of the old and the new one."""
        with self._write() as base:
            base.executemany(
                "INSERT OR IGNORE INTO readings (key, value, source) "
                "SELECT ?2, value, source FROM readings WHERE key = ?1",
                keys,
            )

    def parses(self, source: str, version: str) -> bytes | None:
        """Return the parses kept of a Document, if this version of the parser made them."""
        return self._first(
            "SELECT value FROM parses WHERE source = ? AND version = ?", source, version
        )

    def keep_parses(self, source: str, version: str, parses: bytes) -> None:
        """Keep the parses of a Document in place of those before; durable when this returns."""
        with self._write() as base:
            base.execute(
                "INSERT OR REPLACE INTO parses VALUES (?, ?, ?)", (source, version, parses)
            )

    def forget(
        self, kept: Mapping[str, str], also: Iterable[str] = (), removed: Iterable[str] = ()
    ) -> None:
        """Drop what was known of these Documents before, and of those that were removed.

        What a run read of others before it was killed stays.

        :param kept: the key of each Document's results, by its source.
        :param also: keys of other results to be kept, for the Generations that are still there.
        """
        with self._write() as base:
            base.execute("CREATE TEMP TABLE current (source TEXT, key TEXT)")
            base.executemany("INSERT INTO current VALUES (?, ?)", kept.items())
            base.executemany("INSERT INTO current VALUES ('', ?)", ((key,) for key in also))
            base.execute("DELETE FROM documents")
            base.executemany("INSERT INTO documents VALUES (?, ?)", kept.items())
            base.execute("CREATE TEMP TABLE removed (source TEXT)")
            base.executemany("INSERT INTO removed VALUES (?)", ((s,) for s in removed))
            base.execute(
                "DELETE FROM readings WHERE key NOT IN (SELECT key FROM current) AND (source IS "
                "NULL OR source IN (SELECT source FROM current UNION SELECT source FROM removed))"
            )
            base.execute("DELETE FROM parses WHERE source IN (SELECT source FROM removed)")
            base.execute(
                "DELETE FROM failures WHERE source NOT IN (SELECT source FROM current UNION "
                "SELECT '')"
            )
            base.execute("DROP TABLE current")
            base.execute("DROP TABLE removed")

    def _all(self, query: str) -> list[tuple[Any, ...]]:
        with self._lock, self._translated():
            return self._base.execute(query).fetchall()

    def _first(self, query: str, *values: str) -> bytes | None:
        with self._lock, self._translated():
            row = self._base.execute(query, values).fetchone()
            if row is None and self._kept is not self._base:
                row = self._kept.execute(query, values).fetchone()
        return None if row is None else row[0]

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._translated(), self._kept:
            yield self._kept

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise GraphError(f"{self._path}: {error}; {_ROOM}") from error


def _is_broken(error: sqlite3.Error) -> bool:
    """Say whether the file itself is at fault: any other error may pass, and nothing be lost."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _opened(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(path, check_same_thread=False)
    try:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = FULL")
        return _with_tables(base)
    except sqlite3.Error:
        base.close()
        raise


def _looked_at(path: Path) -> sqlite3.Connection:
    """Open a file that is left as it is; one that is missing is empty."""
    if not path.exists():
        return _in_memory()
    # Where no log lies beside it, nobody writes it, and nothing has to be made to read it.
    how = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "immutable=1"
    return _with_tables(_connected(f"{path.resolve().as_uri()}?{how}"), "TEMP TABLE")


def _in_memory() -> sqlite3.Connection:
    return _with_tables(_connected(":memory:"))


def _connected(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=True, check_same_thread=False)


def _with_tables(base: sqlite3.Connection, kind: str = "TABLE") -> sqlite3.Connection:
    """Make the tables that are missing."""
    known = {name for (name,) in base.execute("SELECT name FROM sqlite_master")}
    for name, columns in _TABLES.items():
        if name not in known:
            base.execute(f"CREATE {kind} {name} ({columns}) WITHOUT ROWID")
        elif name == "readings" and kind == "TABLE" and "source" not in _columns(base, name):
            # Of an earlier version.
            base.execute("ALTER TABLE readings ADD COLUMN source TEXT")
    base.commit()
    return base


def _columns(base: sqlite3.Connection, table: str) -> set[str]:
    return {name for (name,) in base.execute("SELECT name FROM pragma_table_info(?)", (table,))}
