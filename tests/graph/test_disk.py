import os
from pathlib import Path

import pytest

from mder.errors import GraphError
from mder.graph.disk import hold, remove_unused, share, sync_new, writing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("content")
    return tmp_path / "folder"


def test_a_disk_that_fails_is_told_in_one_line(folder: Path) -> None:
    told = rf"^{folder}: cannot write the graph: .*; free some space, or mend its rights$"
    with pytest.raises(GraphError, match=told), writing(folder):
        folder.write_text("")


def test_what_is_shared_is_one_file_at_two_places(folder: Path) -> None:
    share(folder / "file", folder / "other")
    assert (folder / "other").samefile(folder / "file")


def test_what_cannot_be_shared_is_copied_with_its_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    os.utime(folder / "file", ns=(1, 1))
    share(folder / "file", folder / "other")
    assert not (folder / "other").samefile(folder / "file")
    assert (folder / "other").read_text() == "content"
    assert (folder / "other").stat().st_mtime_ns == 1


def test_a_folder_is_removed_when_nobody_holds_it(folder: Path, tmp_path: Path) -> None:
    holders = [hold(folder / "file") for _ in range(2)]
    for descriptor in holders:
        remove_unused(folder, folder / "file", tmp_path / "aside")
        assert (folder / "file").read_text() == "content"
        os.close(descriptor)
    remove_unused(folder, folder / "file", tmp_path / "aside")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_whose_file_is_gone_is_held_by_nobody(folder: Path, tmp_path: Path) -> None:
    remove_unused(folder, folder / "missing", tmp_path / "aside")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError):
        hold(folder / "file")


def test_new_files_are_made_durable_and_shared_ones_are_so_already(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "staged").mkdir()
    share(folder / "file", tmp_path / "staged" / "shared")
    (tmp_path / "staged" / "new").write_text("")
    synced: list[Path] = []
    monkeypatch.setattr("mder.graph.disk.sync", synced.append)
    sync_new(tmp_path / "staged")
    assert {path.name for path in synced} == {"staged", "new"}
