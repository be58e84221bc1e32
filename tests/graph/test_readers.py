"""Readers and writers of one graph at a time."""

import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mder.errors import GraphError
from mder.graph import disk
from mder.graph.draft import Draft
from mder.graph.generations import Home
from mder.graph.store import SETS, Graph
from tests.graph.sample import KNOWLEDGE
from tests.graphs import MANIFEST, write

READER = """
import sys
from pathlib import Path
from mder.graph.store import Graph
graph = Graph.open(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.readline()
print(graph.entity("Warsaw").name, len(graph.store), flush=True)
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.create(tmp_path / "kg")


def publish(home: Home) -> int:
    """Publish the sample, over the Generation before where there is one."""
    staged = home.begin()
    base = home.current() if home.published else None
    if base is None:
        write(staged, KNOWLEDGE)
    else:
        Draft.begin(staged, base).finish(MANIFEST)
    return home.publish(staged)


def numbers(home: Home) -> list[int]:
    return [number for number, _ in home.kept()]


def damage(home: Home, number: int) -> None:
    (home.generations / str(number) / "vectors" / "names.0.npy").unlink()


def test_what_is_kept_is_told_oldest_first(home: Home) -> None:
    assert home.kept() == []
    for _ in range(11):
        publish(home)
    assert home.kept()[1:] == [(n, home.generations / str(n)) for n in range(2, 12)]


def test_a_rollback_goes_to_the_newest_whole_generation_before(home: Home) -> None:
    for _ in range(4):
        publish(home)
    damage(home, 3)
    assert home.rollback() == 2
    assert home.current().name == "2"
    assert home.rollback() == 1
    with pytest.raises(GraphError, match="no older generation that is whole"):
        home.rollback()
    assert home.current().name == "1"


def test_no_number_comes_again_after_a_rollback(home: Home) -> None:
    for _ in range(3):
        publish(home)
    home.rollback()
    home.begin()
    # What was turned away is gone, and never gone back to.
    assert numbers(home) == [1, 2]
    assert publish(home) == 4
    home.prune()
    assert numbers(home) == [2, 4]
    home.rollback()
    home.prune(keep=1)
    assert numbers(home) == [2]
    assert publish(home) == 5


def test_a_damaged_generation_is_answered_for_by_the_one_before(home: Home) -> None:
    for _ in range(3):
        publish(home)
    assert home.readable() == (home.generations / "3", "")
    damage(home, 3)
    damage(home, 2)
    path, note = home.readable()
    assert path.name == "1"
    assert note == (
        "generation 3 is damaged (vectors/names.0.npy: missing): answering from generation 1; "
        "run mder index to mend it"
    )
    graph, told = Graph.of(home)
    assert (graph.path, told) == (path, note)
    damage(home, 1)
    with pytest.raises(GraphError, match=r"^generation 3 is damaged.*; run mder index again$"):
        home.readable()


def test_pruning_keeps_one_that_is_whole_rather_than_one_that_is_damaged(home: Home) -> None:
    for _ in range(4):
        publish(home)
    damage(home, 3)
    home.prune()
    assert numbers(home) == [2, 4]


@pytest.mark.parametrize("pointer", ["", "seven", "9\n"])
def test_a_pointer_to_nothing_is_answered_for_as_well(home: Home, pointer: str) -> None:
    for _ in range(2):
        publish(home)
    (home.path / "CURRENT").write_text(pointer)
    graph, note = Graph.of(home)
    assert (graph.path.name, "answering from generation 2" in note) == ("2", True)
    assert publish_anew(home) == (10 if pointer.startswith("9") else 3)


def publish_anew(home: Home) -> int:
    return home.publish(write(home.begin(), KNOWLEDGE))


def test_without_a_generation_the_command_that_makes_one_is_told(home: Home) -> None:
    with pytest.raises(GraphError, match="run: mder index PATH"):
        Graph.of(home)


def test_a_generation_that_is_read_is_not_removed(home: Home) -> None:
    publish(home)
    graph, _ = Graph.of(home)
    for _ in range(3):
        publish(home)
        home.prune()
    assert numbers(home) == [1, 3, 4]
    assert graph.entity("Warsaw")
    assert all(len(graph.vectors(which)) for which in SETS)
    del graph
    gc.collect()
    home.prune()
    assert numbers(home) == [3, 4]


def test_a_generation_that_another_process_reads_is_not_removed(home: Home) -> None:
    publish(home)
    command = [sys.executable, "-c", READER, str(home.current())]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as reader:
        assert reader.stdin
        assert reader.stdout
        assert reader.stdout.readline() == "open\n"
        for _ in range(2):
            publish(home)
        home.prune()
        assert numbers(home) == [1, 2, 3]
        size = len(Graph.open(home.current()).store)
        reader.stdin.write("\n")
        reader.stdin.flush()
        assert reader.stdout.readline() == f"Warsaw {size}\n"
    home.prune()
    assert numbers(home) == [2, 3]


def test_a_generation_is_gone_as_a_whole_or_not_at_all(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        publish(home)
    # As if killed while removing.
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)
    home.prune()
    assert numbers(home) == [2, 3]
    monkeypatch.undo()
    publish(home)
    assert not list(home.generations.glob("staging-*"))


def test_a_reader_that_comes_too_late_opens_what_is_current_now(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(home)
    readable, late = Home.readable, [True]

    def _slow(self: Home) -> tuple[Path, str]:
        found = readable(self)
        if late.pop() if late else False:
            for _ in range(2):
                publish(self)
            self.prune()
        return found

    monkeypatch.setattr(Home, "readable", _slow)
    graph, note = Graph.of(home)
    assert (graph.path.name, note) == ("3", "")


def test_a_reader_that_finds_its_generation_being_removed_opens_the_next(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(home)
    current, late = Home.current, [True]

    def _slow(self: Home) -> Path:
        found = current(self)
        if late:
            late.pop()
            for _ in range(2):
                publish(self)
            self.prune()
        return found

    monkeypatch.setattr(Home, "current", _slow)
    graph, note = Graph.of(home)
    # It would have been told of an older one than there is.
    assert (graph.path.name, note) == ("3", "")


def test_only_what_is_new_is_made_durable(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(home)
    synced: list[str] = []
    sync = disk.sync

    def _note(path: Path) -> None:
        synced.append(path.name)
        sync(path)

    monkeypatch.setattr(disk, "sync", _note)
    publish(home)
    shared = {p.name for p in home.current().rglob("*") if p.is_file() and p.stat().st_nlink > 1}
    new = {p.name for p in home.current().rglob("*") if p.is_file()} - shared
    assert "names.0.npy" in shared
    assert {"manifest.json", "seal"} < new <= set(synced)
    assert not shared.intersection(synced)


def test_a_graph_on_a_disk_without_locks_is_read_all_the_same(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.name == "nt":
        pytest.skip("no locks are used there")

    def _refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fcntl.flock", _refuse)
    publish(home)
    assert Graph.of(home)[0].entity("Warsaw")
    home.prune()
