import json

import pytest

from dr.evaluate.figures import METRICS, figures_of
from dr.evaluate.report import as_record, markdown
from tests.dr.evaluate.test_figures import FAILED, GOOD, POOR, TYPES

FIGURES = figures_of({"good": GOOD, "poor": POOR}, TYPES)


def test_a_figure_without_a_base_is_null_and_not_nought() -> None:
    record = as_record(FIGURES["good"])
    assert record["recall@5"] is None
    assert record["judge"] is None
    assert record["tokens"] == {"in": None, "out": None}
    assert record["em"] == pytest.approx(2 / 3, abs=1e-6)
    assert set(METRICS) <= {*record, "tokens_in", "tokens_out"}


def test_errors_types_and_comparisons_stand_beside_the_figures() -> None:
    record = json.loads(json.dumps(as_record(FIGURES["poor"])))
    assert record["standard_errors"]["em"] == pytest.approx(0.35, abs=0.02)
    assert record["standard_errors"]["declined"] is None
    assert record["by_type"]["y"]["em"] == 1
    assert record["bases"]["em"] == 2
    assert record["paired"]["good"]["em"] == {
        "difference": -0.5,
        "standard_error": pytest.approx(0.35, abs=0.02),
        "share_above_0": 0.0,
        "questions": 2,
    }
    assert "paired" not in as_record(FIGURES["good"])


def test_the_tables_are_aligned_and_tell_what_has_a_base_alone() -> None:
    text = markdown(FIGURES, 0)
    tables = [part for part in text.split("\n\n") if part.startswith("|")]
    assert len(tables) == 3
    for table in tables:
        assert len({len(line) for line in table.splitlines()}) == 1
    whole, by_type, compared = tables
    rows = {line.split("|")[1].strip(): line for line in whole.splitlines()}
    assert "0.667 ± 0.2" in rows["em"]
    assert [cell.strip() for cell in rows["failed"].split("|")[2:4]] == ["0", "1"]
    assert "recall@5" not in text
    assert by_type.splitlines()[2].split("|")[1:4] == [" (none) ", "      good ", "         1 "]
    assert "poor − good" in compared
    assert "-0.500 ± 0.3" in compared


def test_one_retriever_is_compared_with_nothing() -> None:
    assert "Compared" not in markdown(figures_of({"dr": GOOD}, [""] * 4), 0)


def test_where_everything_failed_the_table_says_so() -> None:
    text = markdown(figures_of({"dr": [FAILED]}, ["x"]), 0)
    assert "failed" in text
    assert "–" in text
