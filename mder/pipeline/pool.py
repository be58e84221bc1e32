"""The threads of a run: of all the program, only these do things at once."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")
Each = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
Stop = Callable[[], None]


@contextmanager
def requests(jobs: int) -> Iterator[Each]:
    """Give a function like ``map`` for requests to servers, so many at once.

    What it calls must not call it again.
    """
    if jobs < 2:
        yield map
        return
    with ThreadPoolExecutor(jobs) as pool:
        yield pool.map


def spread(
    function: Callable[[A], B], items: Iterable[A], jobs: int, stop: Stop = lambda: None
) -> Iterator[B]:
    """Yield results in the order of the items, so many made at once and few made ahead.

    :param stop: called when an error ends it, before what is being made is waited for; it may see
        to it that this does not take long.
    """
    if jobs < 2:
        yield from map(function, items)
        return
    remaining = iter(items)
    with ThreadPoolExecutor(jobs) as pool:
        running: deque[Future[B]] = deque()
        try:
            running.extend(pool.submit(function, i) for i in islice(remaining, 4 * jobs))
            while running:
                result = running.popleft().result()
                running.extend(pool.submit(function, i) for i in islice(remaining, 1))
                yield result
        except BaseException:
            stop()
            raise
        finally:
            for future in running:
                future.cancel()
