import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mder.errors import GraphError
from mder.graph import seal as module
from mder.graph.manifest import File
from mder.graph.seal import check, seal
from mder.graph.store import Graph
from tests.graph.sample import KNOWLEDGE
from tests.graphs import MANIFEST, write

NAMES = "vectors/names.0.npy"


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    return write(tmp_path / "7", KNOWLEDGE)


def _shorten(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def _change(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(0, 0))


def _replace(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGE: dict[str, Callable[[Path], None]] = {
    "missing": Path.unlink,
    r"\d+ bytes, where \d+ were written": _shorten,
    "not as it was written": _change,
    r"\d+ bytes|cannot read": _replace,
}


@pytest.mark.parametrize("name", [NAMES, "oxigraph/CURRENT"])
@pytest.mark.parametrize("problem", DAMAGE)
def test_a_damaged_file_is_named_in_one_line(whole: Path, name: str, problem: str) -> None:
    DAMAGE[problem](whole / name)
    told = rf"^generation 7 is damaged: {name}: ({problem}).*; run mder index again$"
    with pytest.raises(GraphError, match=told):
        check(whole)
    with pytest.raises(GraphError, match="generation 7 is damaged"):
        Graph.open(whole)


@pytest.mark.parametrize("name", ["manifest.json", "seal"])
@pytest.mark.parametrize("damage", [Path.unlink, _shorten, _change])
def test_a_damaged_record_is_found(whole: Path, name: str, damage: Callable[[Path], None]) -> None:
    damage(whole / name)
    with pytest.raises(GraphError, match=r"^generation 7 is damaged: .*(manifest\.json|seal)"):
        check(whole)


def test_what_only_reading_shows_is_found_when_asked_for(whole: Path) -> None:
    path = whole / NAMES
    found = path.stat()
    _change(path)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    check(whole)
    with pytest.raises(GraphError, match=rf"{NAMES}: not as it was written"):
        check(whole, thorough=True)


def test_a_generation_that_nobody_touched_is_not_read(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_checksum", None)
    check(whole)


def test_a_copy_with_other_times_is_as_good(whole: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(whole, tmp_path / "copy", copy_function=shutil.copyfile)
    for path in copy.rglob("*"):
        os.utime(path, ns=(1, 1))
    assert check(copy, thorough=True) == check(whole)


def test_what_readers_leave_does_not_matter(whole: Path) -> None:
    for name in ("LOG", "LOG.old.1", "LOCK"):
        (whole / "oxigraph" / name).write_text("read")
    (whole / "oxigraph" / "000999.sst").write_text("left behind")
    check(whole, thorough=True)


def test_what_is_shared_with_the_one_before_is_not_read_again(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    checksum = module._checksum

    def _note(path: Path) -> int:
        read.append(path.name)
        return checksum(path)

    monkeypatch.setattr(module, "_checksum", _note)
    write(tmp_path / "8", KNOWLEDGE, base=whole, before=[KNOWLEDGE])
    tables = {path.name for path in (whole / "oxigraph").glob("*.sst")}
    shared = {p.name for p in (tmp_path / "8").rglob("*") if p.stat().st_nlink == 2}
    assert tables & shared
    assert not shared.intersection(read)
    monkeypatch.undo()
    check(tmp_path / "8", thorough=True)


def test_a_file_of_the_same_name_but_another_time_is_read(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("new")
    seal(tmp_path, MANIFEST, {"data": File(3, 0, 0)})
    assert check(tmp_path, thorough=True).files["data"].checksum != 0


def test_a_generation_of_an_earlier_version_says_so(whole: Path) -> None:
    (whole / "seal").unlink()
    with pytest.raises(GraphError, match="made by an earlier version"):
        check(whole)


def test_a_generation_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"^generation 9 is missing; run mder index again$"):
        check(tmp_path / "9")
