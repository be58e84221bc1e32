from pathlib import Path
from string import Template

import pytest
from pyoxigraph import RdfFormat, parse

from mder.resources import read_text, resource

ROOT = Path(__file__).parents[1]
PROMPTS = sorted(path.name for path in (ROOT / "prompts").glob("*.txt"))


def test_the_ontology_is_shipped() -> None:
    assert list(parse(read_text("ontology", "mder.ttl"), RdfFormat.TURTLE))


@pytest.mark.parametrize("name", PROMPTS)
def test_every_prompt_is_shipped_as_it_stands_in_the_repository(name: str) -> None:
    assert read_text("prompts", name) == (ROOT / "prompts" / name).read_text(encoding="utf-8")
    assert Template(read_text("prompts", name)).is_valid()


def test_what_is_not_shipped_is_no_file() -> None:
    assert not resource("prompts", "no_such_act.txt").is_file()
