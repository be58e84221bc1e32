import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dr.evaluate.bootstrap import estimates, resampled

NAN = np.nan
FEW = np.array([0.0, 0.0, 1.0, 1.0, 1.0, NAN])


def test_the_mean_is_that_of_the_numbers_and_the_error_that_of_theory() -> None:
    (found,) = estimates({"x": FEW}).values()
    assert (found.mean, found.base) == (0.6, 5)
    # The standard deviation of a mean of n draws is that of the numbers over the root of n.
    assert found.error == pytest.approx(np.sqrt(0.6 * 0.4 / 5), rel=0.03)
    # Only the resample of nothing but zeros is not above 0.
    assert found.above == pytest.approx(1 - 0.4**5, abs=0.003)


def test_the_same_seed_gives_the_same_and_another_one_does_not() -> None:
    def error(seed: int) -> float | None:
        return estimates({"x": FEW}, seed, 500)["x"].error

    assert error(3) == error(3)
    assert error(3) != error(4)


def test_what_is_estimated_beside_it_does_not_matter() -> None:
    alone = estimates({"x": FEW}, resamples=200)["x"]
    columns = {"y": FEW * 2, "other": np.arange(6.0), "x": FEW}
    beside = estimates(columns, resamples=200)["x"]
    assert beside.error == pytest.approx(alone.error)
    assert beside.mean == alone.mean


def test_columns_over_the_same_questions_are_drawn_together() -> None:
    means = {key: drawn for key, _, drawn in resampled({"x": FEW, "y": 1 - FEW}, resamples=100)}
    assert means["x"].shape == (100,)
    np.testing.assert_allclose(means["x"] + means["y"], 1)


def test_pairs_that_differ_alike_differ_for_sure() -> None:
    better, worse = np.array([0.9, 0.5, 0.1]), np.array([0.8, 0.4, 0.0])
    found = estimates({"d": better - worse}, resamples=100)["d"]
    assert found.mean == pytest.approx(0.1)
    assert found.error == pytest.approx(0, abs=1e-12)
    assert found.above == 1
    assert estimates({"d": worse - worse}, resamples=100)["d"].above == 0


def test_without_numbers_there_is_no_estimate_and_of_one_there_is_no_error() -> None:
    found = estimates({"none": np.array([NAN, NAN]), "one": np.array([NAN, 2.0])}, resamples=10)
    assert list(found) == ["one"]
    assert (found["one"].mean, found["one"].error) == (2.0, None)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.integers(1, 30))
def test_means_stay_within_the_numbers(numbers: list[float], resamples: int) -> None:
    ((_, _, means),) = resampled({"x": np.array(numbers)}, 0, resamples)
    assert len(means) == resamples
    assert min(numbers) - 1e-9 <= means.min() <= means.max() <= max(numbers) + 1e-9


def test_many_questions_are_drawn_in_blocks_of_bounded_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = estimates({"x": FEW}, resamples=101)["x"]
    monkeypatch.setattr("dr.evaluate.bootstrap._BLOCK", 17)
    blocks = estimates({"x": FEW}, resamples=101)["x"]
    assert blocks.error == pytest.approx(whole.error)
