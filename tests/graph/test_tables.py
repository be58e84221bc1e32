from pathlib import Path

import pytest

from mder.errors import GraphError
from mder.graph.tables import Tables

ROWS = {"rows": "(key TEXT PRIMARY KEY, value INTEGER)"}


def test_what_was_written_is_read(tmp_path: Path) -> None:
    tables = Tables(tmp_path / "a b%20c.sqlite", ROWS, [("rows", "value")])
    tables.change_each("INSERT INTO rows VALUES (?, ?)", [("a", 1), ("b", 2)])
    tables.change("DELETE FROM rows WHERE key = ?", "a")
    tables.close()
    found = Tables.reading(tmp_path / "a b%20c.sqlite")
    assert found.rows("SELECT * FROM rows") == [("b", 2)]
    assert list(found.each("SELECT key FROM rows WHERE value = ?", 2)) == [("b",)]


def test_what_is_read_is_not_changed(tmp_path: Path) -> None:
    Tables(tmp_path / "rows", ROWS).close()
    with pytest.raises(GraphError, match="readonly"):
        Tables.reading(tmp_path / "rows").change("DELETE FROM rows")
    with pytest.raises(GraphError, match=r"missing: unable to open.*; run mder index again"):
        Tables.reading(tmp_path / "missing")
    assert not (tmp_path / "missing").exists()


def test_a_file_that_holds_something_else_is_told(tmp_path: Path) -> None:
    (tmp_path / "rows").write_text("no database " * 100, encoding="utf-8")
    with pytest.raises(GraphError, match=r"rows: file is not a database; free some space"):
        Tables(tmp_path / "rows", ROWS)
    with pytest.raises(GraphError, match=r"rows: file is not a database; run mder index again"):
        Tables.reading(tmp_path / "rows").rows("SELECT * FROM rows")
