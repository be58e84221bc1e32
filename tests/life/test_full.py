"""A disk that is full, and places that may not be written to."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mder.library import open_graph
from tests.doubles import Done
from tests.life.killing import AFTER, BEFORE, QUESTION, Stage, staged
from tests.life.state import difference, state
from tests.life.worker import Worker, working

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and mounts are Linux's")

INDEX = ("mder", "index", "docs")
ASK = ("dr", "ask", QUESTION)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with working() as found:
        yield found


@pytest.fixture(scope="module")
def stage(worker: Worker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(worker, tmp_path_factory.mktemp("full"), llm=False) as killer:
        yield killer.stage


@pytest.fixture
def folder(stage: Stage, tmp_path: Path) -> Path:
    """A copy of the stage."""
    return Path(shutil.copytree(stage.folder, tmp_path / "copy"))


def failed(done: Done) -> str:
    """Return the one line that says why a command failed."""
    assert done.code == 1, done
    assert done.out == ""
    assert len(done.err.splitlines()) == 1, done.err
    assert done.err.startswith(("mder: ", "dr: "))
    return done.err


def goes_on(worker: Worker, folder: Path, stage: Stage) -> None:
    """Assert that the old graph answers, and that the next run makes the one that was meant."""
    done = worker.run(folder, *ASK)
    assert (done.code, done.err) == (0, "")
    assert BEFORE in done.out or AFTER in done.out
    worker.timed(folder, *INDEX)
    assert difference(stage.goal, state(open_graph(folder / ".mder"))) == []


@pytest.mark.parametrize("size", [0, 1_000, 16_000, 40_000, 60_000, 70_000])
def test_files_that_cannot_grow_cost_the_run_and_nothing_else(
    worker: Worker, folder: Path, stage: Stage, size: int
) -> None:
    done = worker.run(folder, *INDEX, size=size)
    if done.code:
        assert "free some space" in failed(done)
    goes_on(worker, folder, stage)


def test_the_sizes_tried_are_such_that_runs_fail(worker: Worker, folder: Path) -> None:
    assert worker.run(folder, *INDEX, size=4_000).code == 1


@pytest.mark.parametrize("room", [8_192, 60_000, 200_000, 500_000, 1_000_000])
def test_a_disk_that_is_full_costs_the_run_and_nothing_else(
    worker: Worker, folder: Path, stage: Stage, tmp_path: Path, room: int
) -> None:
    used = sum(-(-path.stat().st_size // 4096) * 4096 for path in folder.rglob("*"))
    disk = tmp_path / "disk"
    disk.mkdir()
    with mounted("-t", "tmpfs", "-o", f"size={used + room}", "tmpfs", disk):
        copy = Path(shutil.copytree(folder, disk / "copy"))
        done = worker.run(copy, *INDEX)
        if done.code:
            assert "free some space" in failed(done)
        _mount("-o", "remount,size=100m", disk)
        goes_on(worker, copy, stage)


def test_a_graph_that_may_not_be_written_to_can_be_asked(
    worker: Worker, folder: Path, stage: Stage
) -> None:
    with unwritable(folder):
        assert "rights" in failed(worker.run(folder, *INDEX))
        done = worker.run(folder, *ASK)
        assert (done.code, BEFORE in done.out, done.err) == (0, True, "")
        assert worker.run(folder, "mder", "stats").code == 0
    goes_on(worker, folder, stage)


def test_a_place_that_may_not_be_written_to_is_told_where_there_is_no_graph(
    worker: Worker, folder: Path
) -> None:
    shutil.rmtree(folder / ".mder")
    with unwritable(folder):
        assert "--kg" in failed(worker.run(folder, *INDEX))


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """Let nobody write to a folder; root, whom no rights stop, sees it mounted read-only."""
    if os.geteuid() == 0:
        with mounted("--bind", folder, folder):
            _mount("-o", "remount,ro,bind", folder)
            yield
        return
    paths = [folder, *folder.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield
    for path in paths:
        path.chmod(0o755 if path.is_dir() else 0o644)


@contextmanager
def mounted(*arguments: object) -> Iterator[None]:
    """Mount something; the last argument is where."""
    if os.geteuid() or _mount(*arguments):
        pytest.skip("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(arguments[-1])], check=True)


def _mount(*arguments: object) -> int:
    command = ["mount", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False).returncode
