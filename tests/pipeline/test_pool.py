import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.pipeline.pool import requests, spread

ITEMS = st.lists(st.integers(), max_size=30)
JOBS = st.integers(1, 9)


class Watched:
    """Doubles numbers, and knows how many were being doubled at once and how many in all."""

    def __init__(self, pause: float = 0.0) -> None:
        self.pause = pause
        self.running = self.most = self.begun = 0
        self._lock = threading.Lock()

    def __call__(self, number: int) -> int:
        with self._lock:
            self.running, self.begun = self.running + 1, self.begun + 1
            self.most = max(self.most, self.running)
        time.sleep(self.pause)
        with self._lock:
            self.running -= 1
        return 2 * number


class BrokenError(Exception):
    """What goes wrong in these tests."""


def breaking_at(bad: int) -> Callable[[int], int]:
    def work(number: int) -> int:
        if number == bad:
            raise BrokenError(number)
        return number

    return work


def until_broken(results: Iterable[int]) -> list[int]:
    """Return what comes before the error."""
    seen: list[int] = []
    remaining = iter(results)
    try:
        while True:
            seen.append(next(remaining))
    except BrokenError:
        return seen


@given(items=ITEMS, jobs=JOBS)
def test_spreading_is_mapping(items: list[int], jobs: int) -> None:
    assert list(spread(str, items, jobs)) == [str(item) for item in items]
    assert list(spread(str, iter(items), jobs)) == [str(item) for item in items]


@given(items=ITEMS, jobs=JOBS)
def test_requests_are_mapped_too(items: list[int], jobs: int) -> None:
    with requests(jobs) as each:
        assert list(each(str, items)) == [str(item) for item in items]
        assert list(each(str, iter(items))) == [str(item) for item in items]


@given(count=st.integers(1, 40), jobs=JOBS, data=st.data())
def test_an_error_comes_where_it_belongs_and_ends_it(
    count: int, jobs: int, data: st.DataObject
) -> None:
    bad = data.draw(st.integers(0, count - 1))
    assert until_broken(spread(breaking_at(bad), range(count), jobs)) == list(range(bad))
    with requests(jobs) as each:
        assert until_broken(each(breaking_at(bad), range(count))) == list(range(bad))
        assert list(each(str, [1])) == ["1"]


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_no_more_are_at_work_than_asked_for(jobs: int) -> None:
    work = Watched(0.002)
    assert list(spread(work, range(40), jobs)) == list(range(0, 80, 2))
    assert work.most == jobs


@pytest.mark.parametrize("jobs", [1, 3])
def test_requests_of_all_callers_together_are_bounded(jobs: int) -> None:
    work = Watched(0.002)
    with requests(jobs) as each, ThreadPoolExecutor(jobs) as callers:
        found = list(callers.map(lambda n: list(each(work, range(n))), range(10)))
    assert found == [[2 * number for number in range(n)] for n in range(10)]
    assert work.most == jobs


def test_few_are_made_ahead_of_their_use() -> None:
    work = Watched()
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(10_000):
            taken.append(number)
            yield number

    results = spread(work, items(), 3)
    assert [next(results) for _ in range(5)] == [0, 2, 4, 6, 8]
    assert len(taken) <= 5 + 4 * 3
    results.close()  # type: ignore[attr-defined]
    assert work.begun <= 5 + 4 * 3


def test_nothing_is_begun_before_a_result_is_wanted() -> None:
    work = Watched()
    spread(work, range(9), 4)
    assert work.begun == 0


def test_an_error_cancels_what_was_not_begun() -> None:
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        time.sleep(0.01 if number else 0.001)
        return breaking_at(0)(number)

    assert until_broken(spread(work, range(100), 2)) == []
    assert len(begun) <= 4


def test_an_interruption_is_an_error_as_well() -> None:
    def work(number: int) -> int:
        if number == 3:
            raise KeyboardInterrupt
        return number

    results = spread(work, range(9), 2)
    with pytest.raises(KeyboardInterrupt):
        list(results)


@pytest.mark.parametrize("error", [KeyboardInterrupt, BrokenError])
def test_what_ends_it_is_told_before_what_is_at_work_is_waited_for(
    error: type[BaseException],
) -> None:
    stopped = threading.Event()
    waited: list[bool] = []

    def work(number: int) -> None:
        if number == 1:
            raise error
        waited.append(stopped.wait(5))

    with pytest.raises(error):
        list(spread(work, [1, 2], 2, stopped.set))
    assert waited in ([True], [])


def test_what_goes_well_is_not_stopped() -> None:
    stopped = threading.Event()
    assert list(spread(str, range(3), 2, stopped.set)) == ["0", "1", "2"]
    assert not stopped.is_set()
