import json
from typing import Any

import pytest
from msgspec import Struct

from mder.reasoners.llm import acts
from mder.reasoners.llm.acts import Act
from mder.reasoners.llm.shapes import Extracted, Verdicts, Written, list_field, schema_of

ALL: list[Act[Struct]] = [act for act in vars(acts).values() if isinstance(act, Act)]


def schema(kind: type[Struct]) -> Any:  # noqa: ANN401
    return schema_of(kind)


@pytest.mark.parametrize("act", ALL, ids=lambda act: act.prompt)
def test_schema_is_flat_and_requires_everything(act: Act[Struct]) -> None:
    text = json.dumps(schema(act.kind))
    assert "$" not in text
    assert "null" not in text
    assert text.count('"properties"') == text.count('"additionalProperties": false')
    assert text.count('"properties"') == text.count('"required"')
    assert schema(act.kind)["required"] == list(act.kind.__struct_fields__)


def test_fact_is_a_row_of_three_strings() -> None:
    thing = schema(Extracted)["properties"]["things"]["items"]
    assert thing["properties"]["facts"] == {
        "type": "array",
        "items": {"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 3},
    }


@pytest.mark.parametrize(
    ("kind", "field"), [(Extracted, "things"), (Verdicts, "verdicts"), (Written, "")]
)
def test_bare_list_stands_for_the_first_field(kind: type[Struct], field: str) -> None:
    assert list_field(kind) == field


def test_acts_of_indexing_are_counted_under_their_stages() -> None:
    stages = list(dict.fromkeys(act.stage for act in ALL))
    assert stages[:6] == ["summarize", "translate", "map", "disambiguate", "enrich", "reduce"]
