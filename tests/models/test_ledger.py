from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import add
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.errors import BudgetError
from mder.models.ledger import Budget, Ledger, Prices, Spent

COUNTS = st.integers(0, 10**9)
# Eighths, for which sums of floats are exact in any order.
SECONDS = st.integers(0, 10**6).map(lambda eighths: eighths / 8)
SPENT = st.builds(Spent, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS, SECONDS)


def begun(budget: Budget) -> Ledger:
    """Return a ledger that expects the next reply to be empty, as the first one was."""
    ledger = Ledger(budget)
    ledger.add("map", Spent(calls=1))
    return ledger


def fits(ledger: Ledger, tokens: int) -> bool:
    """Say whether a request of so many tokens would be let through, and leave no trace."""
    try:
        ledger.release(ledger.reserve("map", tokens))
    except BudgetError:
        return False
    return True


def room(ledger: Ledger, most: int) -> int:
    """Return how many tokens of a prompt are let through."""
    return next(tokens for tokens in range(most, -1, -1) if fits(ledger, tokens))


@given(SPENT, SPENT, SPENT)
def test_spending_adds_up_in_any_order(a: Spent, b: Spent, c: Spent) -> None:
    assert a + Spent() == a
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@given(SPENT, st.integers(1, 9))
def test_so_many_times_as_much_is_that_many_added(spent: Spent, times: int) -> None:
    assert spent.scaled(times) == reduce(add, [spent] * times)
    assert spent + spent.scaled(-1) == Spent()


def test_parts_of_calls_and_tokens_are_rounded() -> None:
    assert Spent(calls=3, tokens_in=10, seconds=1.0).scaled(0.5) == Spent(
        calls=2, tokens_in=5, seconds=0.5
    )


@given(SPENT)
def test_share_of_failures_is_of_what_was_asked(spent: Spent) -> None:
    assert spent.failed_share * spent.asked == pytest.approx(spent.failed if spent.asked else 0)


def test_nothing_asked_is_nothing_failed() -> None:
    assert Spent().failed_share == 0.0


def test_prices_are_for_a_million_tokens() -> None:
    assert Prices(2.0, 10.0).of(Spent(tokens_in=500_000, tokens_out=100_000)) == 2.0


@given(st.lists(st.tuples(st.sampled_from("abc"), SPENT)))
def test_total_is_the_sum_of_the_stages(entries: Iterable[tuple[str, Spent]]) -> None:
    ledger = Ledger()
    entries = list(entries)
    for stage, spent in entries:
        ledger.add(stage, spent)
    assert ledger.total == sum((spent for _, spent in entries), Spent())
    assert list(ledger.stages) == list(dict.fromkeys(stage for stage, _ in entries))


def test_stages_read_before_do_not_change() -> None:
    ledger = Ledger()
    before = ledger.stages
    ledger.add("map", Spent(calls=1))
    assert before == {}


def test_threads_lose_no_count() -> None:
    ledger = Ledger()

    def count(_: int) -> None:
        held = ledger.reserve("map", 5)
        ledger.add("map", Spent(calls=1, tokens_in=5), held)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(count, range(400)))
    assert ledger.total == Spent(calls=400, tokens_in=2000)


def test_no_budget_is_no_limit() -> None:
    ledger = Ledger()
    ledger.add("map", Spent(calls=1, tokens_in=10**12))
    assert fits(ledger, 10**12)


def test_budget_is_met_to_the_last_token() -> None:
    ledger = begun(Budget(max_tokens=100))
    ledger.add("same", Spent(tokens_in=60, tokens_out=10))
    assert room(ledger, 200) == 30
    with pytest.raises(BudgetError, match="the budget of 100 tokens is used up in map"):
        ledger.reserve("map", 31)


def test_budget_counts_what_other_threads_hold() -> None:
    ledger = begun(Budget(max_tokens=100))
    held = ledger.reserve("map", 70)
    assert not fits(ledger, 40)
    ledger.release(held)
    assert fits(ledger, 40)


def test_what_was_held_is_counted_in_its_place() -> None:
    ledger = begun(Budget(max_tokens=100))
    held = ledger.reserve("map", 70)
    ledger.add("map", Spent(calls=1, tokens_in=60), held)
    assert room(ledger, 200) == 40


def test_replies_are_expected_to_be_as_long_as_those_before() -> None:
    ledger = begun(Budget(max_tokens=100))
    ledger.add("map", Spent(calls=1, tokens_out=20))
    assert room(ledger, 200) == 70
    held = ledger.reserve("map", 10)
    assert room(ledger, 200) == 50
    ledger.release(held)


def test_replies_of_other_stages_tell_nothing() -> None:
    ledger = begun(Budget(max_tokens=1000))
    held = ledger.reserve("reduce", 0)
    assert 200 < held.tokens_out < 300
    ledger.add("reduce", Spent(calls=1, tokens_out=400), held)
    assert ledger.reserve("reduce", 0).tokens_out == 400
    assert room(ledger, 400) == 200


def test_many_requests_that_begin_at_once_have_room_for_their_replies() -> None:
    ledger, begun_at_once = Ledger(Budget(max_tokens=3000)), 0
    while fits(ledger, 100):
        ledger.reserve("map", 100)
        begun_at_once += 1
    assert begun_at_once * (100 + 200) <= 3000


def test_budget_in_money_needs_prices_and_goes_by_them() -> None:
    ledger = begun(Budget(max_cost=1.5, prices=Prices(1.0, 10.0)))
    ledger.add("map", Spent(tokens_in=500_000))
    assert fits(ledger, 1_000_000)
    with pytest.raises(BudgetError, match=r"the budget of 1\.5 is used up in map"):
        ledger.reserve("map", 1_000_001)


def test_stopped_run_lets_nothing_begin_and_still_counts_what_is_under_way() -> None:
    ledger = Ledger()
    held = ledger.reserve("map", 5)
    ledger.stop()
    with pytest.raises(BudgetError, match="the run was stopped"):
        ledger.reserve("map", 0)
    ledger.add("map", Spent(calls=1))
    ledger.release(held)
    assert ledger.total.calls == 1


def test_refused_request_holds_nothing() -> None:
    ledger = begun(Budget(max_tokens=100))
    assert not fits(ledger, 101)
    assert fits(ledger, 100)


@given(st.integers(1, 300), st.lists(st.integers(0, 120), max_size=8), st.randoms())
def test_what_is_held_and_given_back_leaves_the_budget_as_it_was(
    most: int, requests: list[int], chance: Random
) -> None:
    ledger = begun(Budget(max_tokens=most))
    held: list[Spent] = []
    for tokens in requests:
        free = most - sum(spent.tokens_in for spent in held)
        try:
            held.append(ledger.reserve("map", tokens))
            assert tokens <= free
        except BudgetError:
            assert tokens > free
    chance.shuffle(held)
    for spent in held:
        ledger.release(spent)
    assert room(ledger, most) == most
    assert ledger.total == Spent(calls=1)
