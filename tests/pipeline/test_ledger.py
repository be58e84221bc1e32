"""What is counted, what it may come to, and what is told of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.errors import BudgetError
from mder.models.ledger import Budget, Ledger, Prices, Spent
from mder.pipeline.report import Report, costs

ONE = Spent(asked=3, calls=1, tokens_in=100, tokens_out=20, cached=1, failed=1, seconds=0.5)
NUMBERS = st.integers(0, 10**9)
SPENT = st.builds(Spent, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS)


@given(SPENT, SPENT, SPENT)
def test_spending_adds_up_in_any_order(a: Spent, b: Spent, c: Spent) -> None:
    assert a + b + c == c + (b + a)
    assert a + Spent() == a
    assert a + a.scaled(-1) == Spent()


def test_a_part_is_scaled_to_the_whole_in_whole_tokens() -> None:
    found = Spent(calls=1, tokens_in=10, seconds=1.5).scaled(1.3)
    assert found == Spent(calls=1, tokens_in=13, seconds=1.5 * 1.3)


def test_the_share_that_failed_is_of_what_was_asked() -> None:
    assert ONE.failed_share == pytest.approx(1 / 3)
    assert Spent().failed_share == 0


def test_prices_are_for_a_million_tokens() -> None:
    assert Prices(2.0, 10.0).of(ONE) == pytest.approx(0.0004)
    assert Prices().of(ONE) == 0


def test_stages_are_told_in_the_order_of_their_beginning() -> None:
    ledger = Ledger()
    for stage in ("map", "reduce", "map"):
        ledger.add(stage, ONE)
    assert list(ledger.stages) == ["map", "reduce"]
    assert ledger.stages["map"] == ONE + ONE
    assert ledger.total == ONE + ONE + ONE


def test_without_a_budget_all_is_let_through() -> None:
    ledger = Ledger()
    ledger.add("map", ONE.scaled(10**9))
    assert ledger.reserve("map", 10**9).tokens_in == 10**9


def test_a_budget_of_tokens_counts_both_ways_and_what_is_under_way() -> None:
    ledger = Ledger(Budget(max_tokens=300))
    ledger.add("map", ONE)
    held = ledger.reserve("map", 50)
    assert held == Spent(tokens_in=50, tokens_out=20)  # a reply as long as they were so far
    with pytest.raises(BudgetError, match="the budget of 300 tokens is used up in map"):
        ledger.reserve("map", 91)
    assert ledger.reserve("map", 90)
    ledger.release(held)
    assert ledger.reserve("map", 50)


def test_a_budget_of_money_goes_by_the_prices() -> None:
    ledger = Ledger(Budget(max_cost=0.5, prices=Prices(1000.0, 5000.0)))
    ledger.add("map", ONE)
    assert ledger.reserve("map", 200)
    with pytest.raises(BudgetError, match=r"the budget of 0\.5 is used up in map"):
        ledger.reserve("map", 1)


def test_what_is_kept_from_before_costs_nothing() -> None:
    ledger = Ledger(Budget(max_tokens=10))
    ledger.add("map", Spent(asked=500, cached=500))
    assert ledger.reserve("map", 10)


def test_nothing_is_let_through_once_the_run_is_ending() -> None:
    ledger = Ledger()
    ledger.stop()
    with pytest.raises(BudgetError, match="stopped"):
        ledger.reserve("map", 1)


def test_the_worst_stage_decides_whether_a_run_did_its_job() -> None:
    good, bad = Spent(asked=100), Spent(asked=4, failed=1)
    assert Report(1, True, 0, 0, spent={"map": good, "reduce": bad}).failed_share == 0.25
    assert Report(1, True, 0, 0).failed_share == 0


NAMES = {"map": "a/1", "reduce": "a/1"}


def test_costs_are_those_of_all_runs_with_what_the_last_one_kept_and_lost() -> None:
    before = {("a/1", "map"): Spent(calls=9, tokens_in=900, tokens_out=90, seconds=1.23456)}
    (cost,) = costs(before, {"map": ONE}, NAMES)
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
    found = {cost.model: cost for cost in costs(before, {"map": ONE}, NAMES)}
    assert (found["b/1"].failed, found["b/1"].cached) == (0, 0)
    assert (found["a/1"].failed, found["a/1"].cached) == (1, 1)


def test_a_stage_without_any_reply_is_told_as_well() -> None:
    (cost,) = costs({}, {"reduce": Spent(asked=2, failed=2)}, NAMES)
    assert (cost.stage, cost.model, cost.calls, cost.failed) == ("reduce", "a/1", 0, 2)
