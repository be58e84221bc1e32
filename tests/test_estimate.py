import pytest

from mder.estimate import Estimate, Line, priced
from mder.models.ledger import Spent
from mder.settings import Settings

STAGES = {"map": Spent(calls=10, tokens_in=2000, tokens_out=300, cached=2)}
SETTINGS = Settings(llm="a/1")


def line(
    settings: Settings = SETTINGS,
    before: dict[tuple[str, str], Spent] | None = None,
    share: float = 1.0,
    jobs: int = 1,
) -> Line:
    return priced(STAGES, settings, settings.models, before or {}, share, jobs)["map"]


def test_what_was_rehearsed_is_what_will_be_asked() -> None:
    found = line()
    assert (found.model, found.calls, found.cached) == ("a/1", 10, 2)
    assert (found.tokens_in, found.tokens_out) == (2000, 300)


def test_a_part_stands_for_the_whole() -> None:
    found = line(share=0.25)
    assert (found.calls, found.tokens_in, found.tokens_out) == (40, 8000, 1200)


def test_each_stage_is_told_with_its_model() -> None:
    made = Settings(llm_small="a/small", llm_large="a/large")
    found = priced({"map": Spent(), "enrich": Spent()}, made, made.models, {}, 1.0, 1)
    assert {stage: told.model for stage, told in found.items()} == {
        "map": "a/large",
        "enrich": "a/small",
    }


def test_without_prices_nobody_knows_the_cost() -> None:
    assert line().cost is None


def test_the_cost_is_by_the_prices_for_a_million_tokens() -> None:
    assert line(Settings(llm="a/1", price_in=1, price_out=10)).cost == pytest.approx(0.005)
    assert line(Settings(llm="a/1", price_out=10)).cost == pytest.approx(0.003)


def test_without_speeds_or_earlier_runs_nobody_knows_the_time() -> None:
    assert line().seconds is None
    assert line(before={("b/1", "map"): Spent(tokens_in=9, seconds=9)}).seconds is None
    assert line(Settings(llm="a/1", speed_in=100)).seconds is None


def test_the_time_is_by_the_speeds_that_were_told() -> None:
    told = Settings(llm="a/1", speed_in=100, speed_out=10)
    assert line(told).seconds == pytest.approx(50)
    assert line(told, jobs=4).seconds == pytest.approx(12.5)


def test_else_the_time_is_by_what_this_model_has_taken_so_far() -> None:
    before = {
        ("a/1", "map"): Spent(tokens_in=1000, tokens_out=150, seconds=20),
        ("a/1", "enrich"): Spent(tokens_in=1000, tokens_out=150, seconds=20),
        ("b/1", "map"): Spent(tokens_in=1, tokens_out=1, seconds=1000),
    }
    assert line(before=before).seconds == pytest.approx(40)


def test_the_total_is_known_where_all_of_it_is() -> None:
    one = Line("a/1", 1, 10, 2, 0, seconds=3.0, cost=0.5)
    two = Line("a/2", 2, 20, 4, 1, seconds=None, cost=0.25)
    both = Estimate({"map": one, "reduce": two}, 1.0).total
    assert (both.calls, both.tokens_in, both.tokens_out, both.cached) == (3, 30, 6, 1)
    assert (both.seconds, both.cost) == (None, 0.75)
    assert Estimate({"map": one, "reduce": one}, 1.0).total.seconds == 6.0


def test_nothing_to_ask_costs_nothing() -> None:
    total = Estimate({}, 1.0).total
    assert (total.calls, total.seconds, total.cost) == (0, 0.0, 0.0)
