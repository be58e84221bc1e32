from collections.abc import Iterator
from pathlib import Path

import pytest

from mder.errors import SourceError
from mder.pipeline.clock import Clock
from mder.pipeline.found import Found
from mder.records import Document
from mder.sources import reading
from tests.samples import TRADE, WARSAW, save

ROWS = '{"title": "A", "text": "It rains."}\n{"title": "B", "text": "It snows."}\n'
ROW = f"rows.jsonl#{1:016x}"


def found_in(folder: Path, *names: str) -> Found:
    return Found([folder / name for name in names], folder, Clock(), lambda *_: None)


def title(document: Document) -> str:
    return document.title


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save(tmp_path.resolve(), {"warsaw.md": WARSAW, "trade.txt": TRADE, "rows.jsonl": ROWS})


def test_each_document_has_its_key_and_each_row_is_one(folder: Path) -> None:
    keys = found_in(folder, "warsaw.md", "rows.jsonl").keys(title)
    assert keys.pop("warsaw.md") == "Warsaw"
    assert sorted(keys.values()) == ["A", "B"]
    assert all(source.startswith("rows.jsonl#") for source in keys)


def test_documents_are_read_again_by_their_sources(folder: Path) -> None:
    found = found_in(folder, "warsaw.md", "trade.txt", "rows.jsonl")
    keys = found.keys(title)
    wanted = frozenset(s for s, name in keys.items() if name in {"B", "Warsaw"})
    assert sorted(d.title for d in found.documents(wanted)) == ["B", "Warsaw"]
    assert {d.source for d in found.documents(wanted)} == wanted
    assert list(found.documents(frozenset())) == []


def test_a_document_that_changes_in_between_is_as_it_is_then(folder: Path) -> None:
    found = found_in(folder, "warsaw.md")
    found.keys(title)
    save(folder, {"warsaw.md": "# Oslo\n\nOslo is a city.\n"})
    (document,) = found.documents(frozenset({"warsaw.md"}))
    assert document.title == "Oslo"


def test_a_file_that_cannot_be_read_is_told_once(folder: Path) -> None:
    (folder / "empty.md").write_text("")
    found = found_in(folder, "empty.md", "warsaw.md")
    assert set(found.keys(title)) == {"warsaw.md"}
    assert len(list(found.documents(frozenset({"empty.md", "warsaw.md"})))) == 1
    (told,) = found.skipped
    assert "empty.md" in told


def test_sources_without_a_file_are_missing(folder: Path) -> None:
    found = found_in(folder, "warsaw.md")
    assert found.missing(["warsaw.md", "gone.md", ROW, f"gone-{ROW}"]) == [
        f"gone-{ROW}",
        "gone.md",
    ]


def test_a_file_that_fails_in_the_middle_is_known_for_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows(_path: Path, key: str) -> Iterator[Document | SourceError]:
        yield Document(f"{key}#1", "A", "It rains.", "digest")
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(reading, "_read", rows)
    found = found_in(folder, "rows.jsonl")
    assert found.keys(title) == {"rows.jsonl#1": "A"}
    assert found.cut == {"rows.jsonl"}
    assert found.skipped[0].endswith("rows.jsonl: Input/output error")


def test_a_row_that_is_none_cuts_no_file(folder: Path) -> None:
    save(folder, {"rows.jsonl": ROWS + "no row"})
    found = found_in(folder, "rows.jsonl")
    assert len(found.keys(title)) == 2
    assert (len(found.skipped), found.cut) == (1, set())
