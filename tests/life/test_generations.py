"""Generations are kept, listed and gone back to."""

from pathlib import Path

import pytest

from tests.life.corpora import written
from tests.life.killing import AFTER, BEFORE, MAYOR, QUESTION
from tests.life.place import Place
from tests.life.state import difference


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A graph that says BEFORE."""
    place = Place(tmp_path / "one")
    place.write({**written(4), "mayor.md": MAYOR.format(name=BEFORE)})
    place.index()
    return place


def change(place: Place, name: str = AFTER) -> int:
    place.write({"mayor.md": MAYOR.format(name=name)})
    return int(place.index()["generation"])


def numbers(place: Place) -> list[int]:
    return sorted(int(path.name) for path in (place.kg / "generations").iterdir())


def test_a_rollback_gives_the_graph_that_was_and_an_index_the_one_that_should_be(
    place: Place,
) -> None:
    before = place.state()
    newest = change(place)
    after = place.state()
    place.done("rollback")
    assert difference(before, place.state()) == []
    assert BEFORE in place.ask(QUESTION).out
    told = place.index()
    assert difference(after, place.state()) == []
    # A number never comes again, so that what was read from one is not taken for another.
    assert told["generation"] > newest
    assert AFTER in place.ask(QUESTION).out


def test_after_a_rollback_another_change_is_as_if_there_had_been_none(
    place: Place, tmp_path: Path
) -> None:
    change(place)
    place.done("rollback")
    change(place, "Sofia Dahl")
    other = Place(tmp_path / "two")
    other.write({**written(4), "mayor.md": MAYOR.format(name="Sofia Dahl")})
    other.index()
    assert difference(other.state(), place.state()) == []


def test_there_is_nothing_before_the_first_generation(place: Place) -> None:
    done = place.run("rollback")
    assert (done.code, done.out, len(done.err.splitlines())) == (1, "", 1)
    assert BEFORE in place.ask(QUESTION).out


@pytest.mark.parametrize("keep", [1, 3])
def test_as_many_generations_stay_as_are_meant_to(place: Place, keep: int) -> None:
    for number in range(4):
        place.write({"new.md": f"# Odder\n\nOdder has {number} schools.\n"})
        place.index(more=["--keep", str(keep)])
    assert numbers(place) == list(range(1, 6))[-keep:]


def test_generations_are_listed_with_the_current_one_marked(place: Place) -> None:
    change(place)
    lines = place.done("generations").splitlines()
    told = [line for line in lines if set(line.replace("*", " ").split()) & {"1", "2"}]
    assert len(told) == 2


def test_a_removal_is_undone_by_a_rollback(place: Place) -> None:
    before = place.state()
    place.remove(["page-001.txt"])
    assert difference(before, place.state()) != []
    place.done("rollback")
    assert difference(before, place.state()) == []


def test_what_is_not_there_cannot_be_removed(place: Place) -> None:
    before = place.state()
    done = place.run("remove", "docs/nothing.md")
    assert done.code != 0
    assert "docs/nothing.md" in done.err
    assert difference(before, place.state()) == []
