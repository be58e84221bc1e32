"""A Generation that was damaged on disk: who asks is answered from one that is whole."""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.doubles import Done
from tests.life.corpora import written
from tests.life.killing import AFTER, BEFORE, MAYOR, QUESTION
from tests.life.place import Place
from tests.life.state import State, difference

Damage = Callable[[Path], None]


def flip(path: Path) -> None:
    """Turn one bit over in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def rot(path: Path) -> None:
    """Turn one bit over as a disk does, which says nothing of it."""
    times = path.stat()
    flip(path)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def remove(path: Path) -> None:
    path.unlink()


DAMAGES: Mapping[str, Damage] = {"flipped": flip, "cut": cut, "missing": remove}


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, State]:
    """A graph of two Generations, of which one says AFTER, the one before it BEFORE."""
    place = Place(tmp_path_factory.mktemp("damage"))
    place.write({**written(6), "mayor.md": MAYOR.format(name=BEFORE)})
    place.index()
    place.write({"mayor.md": MAYOR.format(name=AFTER)})
    place.index()
    return place, place.state()


@pytest.fixture
def place(grown: tuple[Place, State], tmp_path: Path) -> Place:
    """A copy of it, to be damaged. Its two Generations share no file."""
    shutil.copytree(grown[0].folder, tmp_path / "copy")
    return Place(tmp_path / "copy")


def current(place: Place) -> Path:
    return place.kg / "generations" / (place.kg / "CURRENT").read_text().split()[0]


def files(generation: Path) -> list[Path]:
    """Return what a Generation is made of; RocksDB's logs are for people."""
    found = sorted(path for path in generation.rglob("*") if path.is_file())
    return [p for p in found if p.stat().st_size and not p.name.startswith(("LOG", "LOCK"))]


@contextmanager
def damaged(path: Path, damage: Damage) -> Iterator[None]:
    kept = path.read_bytes()
    times = path.stat()
    damage(path)
    yield
    path.write_bytes(kept)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def told(done: Done) -> str:
    """Return the one line that a command wrote to standard error."""
    lines = done.err.splitlines()
    assert len(lines) == 1, done.err
    assert not lines[0].startswith(("Traceback", " "))
    return lines[0]


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_generation_before_answers_for_one_with_a_damaged_file(
    place: Place, damage: str
) -> None:
    assert AFTER in place.ask(QUESTION).out
    generation = current(place)
    assert {"manifest.json"} < {path.name for path in files(generation)}
    for path in files(generation):
        with damaged(path, DAMAGES[damage]):
            done = place.ask(QUESTION)
            assert (done.code, BEFORE in done.out) == (0, True), (path, done)
            assert f"generation {generation.name} is damaged" in told(done)
            told(place.run("stats"))
    assert (AFTER in place.ask(QUESTION).out, place.ask(QUESTION).err) == (True, "")


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_index_mends_a_damaged_generation(
    grown: tuple[Place, State], place: Place, damage: str
) -> None:
    kinds = {path.suffix or path.name: path for path in files(current(place))}
    assert {".json", ".sst", ".npy"} <= kinds.keys()
    for kind in kinds:
        found = files(current(place))
        path = next((path for path in found if (path.suffix or path.name) == kind), None)
        if path is None:
            continue
        DAMAGES[damage](path)
        assert place.index()["changed"], path
        assert difference(grown[1], place.state()) == [], path
        assert (AFTER in place.ask(QUESTION).out, place.ask(QUESTION).err) == (True, "")


@pytest.mark.parametrize("damage", DAMAGES)
def test_where_no_generation_is_whole_one_line_says_so_and_an_index_mends_it(
    grown: tuple[Place, State], place: Place, damage: str
) -> None:
    for generation in (place.kg / "generations").iterdir():
        DAMAGES[damage](next(p for p in files(generation) if p.suffix == ".sst"))
    done = place.ask(QUESTION)
    assert (done.code, done.out) == (1, "")
    assert "mder index" in told(done)
    place.index()
    assert difference(grown[1], place.state()) == []


@pytest.mark.parametrize("text", ["", "x\n", "99\n", "-1\n"])
def test_a_pointer_that_points_at_nothing_is_told_and_mended(
    grown: tuple[Place, State], place: Place, text: str
) -> None:
    (place.kg / "CURRENT").write_text(text)
    done = place.ask(QUESTION)
    assert told(done)
    assert done.code == 1 or BEFORE in done.out or AFTER in done.out
    place.index()
    assert difference(grown[1], place.state()) == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_journal_keeps_nobody_from_asking(place: Place, damage: str) -> None:
    path = place.kg / "journal.sqlite"
    with damaged(path, DAMAGES[damage]):
        assert AFTER in place.ask(QUESTION).out
        done = place.run("index", "docs", "--json", *place.options)
        if done.code:
            assert (done.code, done.out) == (1, "")
            assert str(path.name) in told(done)
        assert AFTER in place.ask(QUESTION).out


def test_a_bit_that_turned_over_unseen_gives_one_line_or_the_truth(place: Place) -> None:
    wrong: dict[str, str] = {}
    for path in files(current(place)):
        if path.suffix != ".npy":
            # A cosine that is a little off shows in no answer, and no check looks at each number.
            with damaged(path, rot):
                wrong[path.name] = "; ".join(_problems(place))
    assert {name: problem for name, problem in wrong.items() if problem} == {}


def _problems(place: Place) -> Iterator[str]:
    try:
        done = place.ask(QUESTION)
    except RuntimeError as error:
        yield f"{type(error).__name__}: {error}"
        return
    if done.code == 0 and AFTER not in done.out and BEFORE not in done.out:
        yield done.out
    if done.code and (done.code, done.out, len(done.err.splitlines())) != (1, "", 1):
        yield str(done)


@pytest.mark.parametrize("suffix", [".sst", ".npy", ".ids", ".sqlite"])
def test_a_bit_that_turned_over_unseen_is_not_built_upon(
    place: Place, tmp_path: Path, suffix: str
) -> None:
    new = {"new.md": "# Odder\n\nOdder has 5 schools. Nils Berg lives in Odder.\n"}
    found = [path for path in files(current(place)) if path.suffix == suffix]
    if not found:
        pytest.skip(f"a Generation has no {suffix}")
    for path in found:
        rot(path)
    place.write(new)
    place.index()
    other = Place(tmp_path / "other")
    shutil.copytree(place.folder / "docs", other.folder / "docs")
    other.index()
    assert difference(other.state(), place.state()) == []


def test_what_is_told_of_damage_is_one_object_in_json(place: Place) -> None:
    flip(next(p for p in files(current(place)) if p.suffix == ".npy"))
    done = place.run("stats", "--json")
    assert json.loads(done.out)["documents"] == 7
    assert "damaged" in told(done)
