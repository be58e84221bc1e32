"""The tables of a state."""

from pathlib import Path

from mder.graph.tables import Tables

_TABLES = {
    "documents": "(source TEXT PRIMARY KEY, folded TEXT) WITHOUT ROWID",
    "senses": "(id INTEGER PRIMARY KEY, source TEXT, data BLOB, entity TEXT)",
    "keys": "(key INTEGER, sense INTEGER, near INTEGER, PRIMARY KEY (key, sense)) WITHOUT ROWID",
    "labels": "(sense INTEGER, label TEXT, vector BLOB, PRIMARY KEY (sense, label)) WITHOUT ROWID",
    "entities": "(name TEXT PRIMARY KEY, iri TEXT, data BLOB) WITHOUT ROWID",
    "spellings": (
        "(key TEXT, entity TEXT, head TEXT, about INTEGER, PRIMARY KEY (key, entity)) WITHOUT ROWID"
    ),
    "facts": (
        "(entity TEXT, source TEXT, place INTEGER, text TEXT, PRIMARY KEY (entity, source, place)) "
        "WITHOUT ROWID"
    ),
    "words": "(chunk TEXT PRIMARY KEY, source TEXT, words TEXT) WITHOUT ROWID",
    "links": (
        "(source TEXT, chunk INTEGER, entity TEXT, PRIMARY KEY (source, chunk, entity)) "
        "WITHOUT ROWID"
    ),
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


class Base(Tables):
    """A connection to a state that one process uses alone."""

    def __init__(self, path: Path | None) -> None:
        """Open a file, made where it is missing; None is one in memory.

        :raises GraphError: when the file is no state or cannot be written.
        """
        super().__init__(path, _TABLES, _INDEXES)
