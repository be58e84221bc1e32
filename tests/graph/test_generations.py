import multiprocessing
import os
from pathlib import Path

import pytest

from mder.errors import GraphError
from mder.graph.generations import Home
from mder.graph.seal import seal
from tests.graphs import MANIFEST


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MDER_KG", raising=False)
    monkeypatch.chdir(tmp_path)


def _publish(home: Home, content: str) -> int:
    staged = home.begin()
    (staged / "oxigraph").mkdir()
    (staged / "oxigraph" / "data").write_text(content)
    seal(staged, MANIFEST)
    return home.publish(staged)


def _read(home: Home) -> str:
    return (home.current() / "oxigraph" / "data").read_text()


def test_a_graph_is_found_upwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home.create()
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert Home.find() == home == Home(tmp_path / ".mder")


def test_a_named_graph_goes_before_the_environment_and_that_before_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Home.create()
    monkeypatch.setenv("MDER_KG", str(tmp_path / "env"))
    assert Home.create().path == tmp_path / "env"
    assert Home.find().path == tmp_path / "env"
    assert Home.create(tmp_path / "named").path == tmp_path / "named"
    assert Home.find(tmp_path / "named").path == tmp_path / "named"


def test_without_a_graph_the_command_that_makes_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="run: mder index PATH"):
        Home.find()
    with pytest.raises(GraphError, match="run: mder index PATH --kg"):
        Home.find(tmp_path / "nowhere")
    with pytest.raises(GraphError, match="holds no finished graph"):
        Home.create().current()


def test_a_place_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GraphError, match="name another place"):
        Home.create(tmp_path / "file")


def test_a_reader_keeps_the_generation_that_it_opened() -> None:
    home = Home.create()
    assert _publish(home, "old") == 1
    opened = home.current()
    assert _publish(home, "new") == 2
    home.prune()
    assert (opened / "oxigraph" / "data").read_text() == "old"
    assert _read(home) == "new"


def test_pruning_keeps_the_current_and_the_one_before() -> None:
    home = Home.create()
    for number in range(4):
        _publish(home, str(number))
    home.prune(keep=2)
    assert sorted(path.name for path in home.generations.iterdir()) == ["3", "4"]
    home.prune(keep=0)
    assert _read(home) == "3"


def test_a_run_killed_before_the_switch_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home.create()
    _publish(home, "good")

    def fail(_: Path, text: str, encoding: str) -> int:
        raise OSError(28, f"No space left for {text!r} in {encoding}")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", fail, raising=True)
        staged = home.begin()
        with pytest.raises(OSError, match="No space"):
            home.publish(staged)
    assert home.current().name == "1"
    assert _publish(home, "next") == 3
    assert _read(home) == "next"


def test_what_killed_runs_left_is_cleaned_at_the_next_begin() -> None:
    home = Home.create()
    leftover = home.begin()
    (leftover / "half").write_text("")
    staged = home.begin()
    assert not leftover.exists()
    assert staged.parent == home.generations


def test_a_directory_can_be_moved(tmp_path: Path) -> None:
    home = Home.create()
    _publish(home, "all")
    home.path.rename(tmp_path / "moved")
    assert _read(Home.find(tmp_path / "moved")) == "all"


def test_a_second_writer_is_told_who_is_first() -> None:
    home = Home.create()
    told = f"by process {os.getpid()} since 20"
    with home.lock(), pytest.raises(GraphError, match=told), home.lock():
        pass
    with home.lock():
        pass


def _die_with_the_lock(path: Path) -> None:
    lock = Home(path).lock()
    lock.__enter__()
    os._exit(9)


def test_the_lock_of_a_dead_process_is_free() -> None:
    home = Home.create()
    process = multiprocessing.get_context("spawn").Process(
        target=_die_with_the_lock, args=(home.path,)
    )
    process.start()
    process.join()
    assert process.exitcode == 9
    with home.lock():
        pass


def test_what_a_dead_writer_left_is_no_obstacle() -> None:
    home = Home.create()
    (home.path / "writer.json").write_text('{"pid": 1, "since": "1999"}')
    (home.path / "lock").write_text("")
    with home.lock():
        assert str(os.getpid()) in (home.path / "writer.json").read_text()
    assert not (home.path / "writer.json").exists()


def test_a_broken_pointer_is_named() -> None:
    home = Home.create()
    (home.path / "CURRENT").write_text("seven")
    with pytest.raises(GraphError, match="CURRENT names no generation"):
        home.current()
    (home.path / "CURRENT").write_text("7\n")
    with pytest.raises(GraphError, match="7 is missing"):
        home.current()
