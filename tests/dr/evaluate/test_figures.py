import pytest

from dr.evaluate.asking import Outcome
from dr.evaluate.figures import Figures, figures_of
from tests.dr.evaluate.stand_in import answer


def outcome(**scores: float) -> Outcome:
    return Outcome(answer("x"), {"seconds": 1.0, **scores})


FAILED = Outcome(error="no use")
GOOD = [outcome(em=1), outcome(em=1), outcome(em=0), outcome(declined=1, seconds=4)]
POOR = [outcome(em=0), outcome(em=1), FAILED, outcome(declined=0)]
TYPES = ["x", "y", "x", ""]


@pytest.fixture(scope="module")
def figures() -> dict[str, Figures]:
    return figures_of({"good": GOOD, "poor": POOR}, TYPES)


def test_each_metric_is_a_mean_over_the_questions_that_it_is_about(
    figures: dict[str, Figures],
) -> None:
    good = figures["good"]
    assert (good.asked, good.failed) == (4, 0)
    assert good.means["em"].mean == pytest.approx(2 / 3)
    assert (good.means["em"].base, good.means["declined"].base) == (3, 1)
    assert "judge" not in good.means
    assert (good.means["seconds"].mean, good.median) == (1.75, 1.0)


def test_what_failed_is_counted_and_in_no_mean(figures: dict[str, Figures]) -> None:
    poor = figures["poor"]
    assert (poor.asked, poor.failed) == (3, 1)
    assert (poor.means["em"].mean, poor.means["em"].base) == (0.5, 2)


def test_all_of_it_is_there_by_type(figures: dict[str, Figures]) -> None:
    assert list(figures["good"].by_type) == ["(none)", "x", "y"]
    assert figures["good"].by_type["x"].means["em"].mean == 0.5
    assert figures["good"].by_type["y"].means["em"].error is None
    assert figures["poor"].by_type["x"].failed == 1
    assert figures_of({"good": GOOD}, [""] * 4)["good"].by_type == {}


def test_retrievers_are_compared_over_the_questions_that_both_answered(
    figures: dict[str, Figures],
) -> None:
    assert figures["good"].paired == {}
    compared = figures["poor"].paired["good"]
    assert (compared["em"].mean, compared["em"].base) == (-0.5, 2)
    assert compared["em"].above == 0
    assert compared["declined"].mean == -1


def test_nothing_answered_gives_no_figures() -> None:
    found = figures_of({"dr": [FAILED] * 2}, ["", ""])["dr"]
    assert (found.asked, found.failed, found.means, found.median) == (0, 2, {}, None)
