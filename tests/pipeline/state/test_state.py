from pathlib import Path

import pytest

from mder.disambiguate import senses
from mder.errors import GraphError
from mder.pipeline.state import State
from mder.records import Entity, Link
from tests.samples import reading


def test_a_state_is_there_when_its_file_is_opened_again(tmp_path: Path) -> None:
    state = State(tmp_path / "state.sqlite")
    ids = state.senses.add("a", senses(reading("A", "x", source="a")))
    state.senses.mean([(ids[0], "A")], ())
    state.entities.put(Entity("A"), "iri:a")
    state.facts.put("a", [("A", 0, "A is.")])
    state.facts.link("a", [Link("a", 0, "A")])
    state.facts.fold("a", " a")
    state.close()
    again = State(tmp_path / "state.sqlite")
    assert again.senses.names("a") == {"A": "A"}
    assert again.entities.get("A") == Entity("A")
    assert (again.facts.of("A"), again.facts.mentioned("a")) == (["A is."], {"A"})
    assert again.facts.holding([("a", " a")]) == {"a"}


def test_a_file_that_is_no_state_is_named(tmp_path: Path) -> None:
    file = tmp_path / "state.sqlite"
    file.write_text("This is no database at all, though it is long enough to be taken for one.")
    with pytest.raises(GraphError, match=r"state\.sqlite: file is not a database"):
        State(file)


def test_a_state_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"state\.sqlite: unable to open"):
        State(tmp_path / "missing" / "state.sqlite")
