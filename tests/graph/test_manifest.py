from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec import json, structs

from mder.errors import GraphError
from mder.graph.manifest import Basis, differences, read_manifest
from tests.graphs import COST, MANIFEST

BASIS = Basis(
    version="1.0",
    stages=1,
    embedder="mini",
    reasoners={"map": "syntax", "reduce": "ollama/tiny"},
    prompts={"reduce": "a1"},
    settings={"top_k": 5, "embedder": "mini", "jobs": 1},
)


@dataclass(frozen=True)
class Case:
    changes: dict[str, object]
    phrases: list[str]


CASES = {
    "nothing": Case({}, []),
    "version": Case({"version": "1.1"}, ["mder-dr 1.0 → 1.1"]),
    "stages": Case({"stages": 2}, ["another state of mder-dr 1.0"]),
    "embedder": Case(
        {"embedder": "maxi", "settings": BASIS.settings | {"embedder": "maxi"}},
        ["embedder mini → maxi"],
    ),
    "setting": Case({"settings": BASIS.settings | {"top_k": 7}}, ["top_k 5 → 7"]),
    "setting that is new": Case(
        {"settings": BASIS.settings | {"target": "en"}}, ["target None → 'en'"]
    ),
    "setting apart": Case({"settings": BASIS.settings | {"jobs": 4}}, []),
    "reasoner": Case(
        {"reasoners": BASIS.reasoners | {"map": "ollama/tiny"}}, ["map 'syntax' → 'ollama/tiny'"]
    ),
    "reasoner by a setting": Case(
        {
            "reasoners": BASIS.reasoners | {"map": "ollama/tiny"},
            "settings": BASIS.settings | {"llm_small": "ollama/tiny"},
        },
        ["llm_small None → 'ollama/tiny'"],
    ),
    "prompt": Case({"prompts": {"reduce": "b2"}}, ["another prompt to reduce"]),
    "prompt of another reasoner": Case(
        {"reasoners": {"map": "syntax", "reduce": "ollama/big"}, "prompts": {"reduce": "b2"}},
        ["reduce 'ollama/tiny' → 'ollama/big'"],
    ),
    "prompt no longer used": Case({"prompts": {}}, []),
    "several": Case(
        {"version": "1.1", "embedder": "maxi", "prompts": {"reduce": "b2", "map": "c3"}},
        [
            "mder-dr 1.0 → 1.1",
            "embedder mini → maxi",
            "another prompt to map",
            "another prompt to reduce",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_in_what_a_graph_was_made_otherwise_is_told_a_phrase_each(name: str) -> None:
    case = CASES[name]
    wanted = structs.replace(BASIS, **case.changes)
    assert differences(BASIS, wanted, {"jobs"}) == case.phrases


def test_what_a_generation_was_made_of_makes_no_difference() -> None:
    more = structs.replace(MANIFEST, created="later", documents={"a.md": "key"}, costs=[])
    assert differences(MANIFEST, more) == []


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(json.encode(MANIFEST))
    assert read_manifest(tmp_path) == MANIFEST


@pytest.mark.parametrize("text", [None, "", "{}", '{"version": 1}'])
def test_a_record_that_cannot_be_read_is_named(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(GraphError, match=r"cannot open: .*run mder index again"):
        read_manifest(tmp_path)


def test_the_figures_of_a_cost_are_its_numbers() -> None:
    told = structs.asdict(COST)
    assert COST.figures == {name: told[name] for name in told if name not in {"stage", "model"}}
