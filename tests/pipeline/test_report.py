from mder.models.ledger import Spent
from mder.models.replies import Failure
from mder.pipeline.report import Report, costs

ONE = Spent(asked=3, calls=1, tokens_in=100, tokens_out=20, cached=1, failed=1, seconds=0.5)


def test_the_worst_stage_decides_whether_a_run_did_its_job() -> None:
    good, bad = Spent(asked=100), Spent(asked=4, failed=1)
    assert Report(1, True, 0, 0, spent={"map": good, "reduce": bad}).failed_share == 0.25
    assert Report(1, True, 0, 0).failed_share == 0


LOST = [Failure("key", "map", "a.md", "triples of a.md", "it is empty")]
NAMES = {"map": "a/1", "reduce": "a/1"}


def test_costs_are_those_of_all_runs_with_what_the_last_one_kept_and_what_is_missing() -> None:
    before = {("a/1", "map"): Spent(calls=9, tokens_in=900, tokens_out=90, seconds=1.23456)}
    (cost,) = costs(before, LOST, {"map": ONE}, NAMES)
    assert (cost.stage, cost.model) == ("map", "a/1")
    assert cost.figures == {
        "calls": 9,
        "tokens_in": 900,
        "tokens_out": 90,
        "cached": 1,
        "failed": 1,
        "seconds": 1.235,
    }


def test_what_this_run_lost_is_not_laid_to_a_model_before() -> None:
    before = {("b/1", "map"): Spent(calls=9), ("a/1", "map"): Spent(calls=1)}
    found = {cost.model: cost for cost in costs(before, LOST, {"map": ONE}, NAMES)}
    assert (found["b/1"].failed, found["b/1"].cached) == (0, 0)
    assert (found["a/1"].failed, found["a/1"].cached) == (1, 1)


def test_a_stage_that_was_asked_nothing_costs_nothing() -> None:
    assert list(costs({}, [], {"reduce": Spent()}, NAMES)) == []


def test_costs_are_told_in_one_order_whatever_came_first() -> None:
    spent = {("b/1", "map"): ONE, ("a/1", "reduce"): ONE, ("a/1", "map"): ONE}
    told = [(cost.model, cost.stage) for cost in costs(spent, [], {}, NAMES)]
    assert told == sorted(spent)


def test_a_stage_without_any_reply_is_told_as_well() -> None:
    lost = [Failure(key, "reduce", "", "", "") for key in "ab"]
    (cost,) = costs({}, lost, {"reduce": Spent(asked=2, failed=2)}, NAMES)
    assert (cost.stage, cost.model, cost.calls, cost.failed) == ("reduce", "a/1", 0, 2)
