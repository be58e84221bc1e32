import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from mder.errors import BudgetError, ModelError
from mder.models.pace import Pace

SECONDS = 5.0


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds


def paced(
    in_flight: int = 1, requests: int = 0, tokens: int = 0, *, time: Time | None = None
) -> Pace:
    time = time or Time()
    return Pace(in_flight, requests, tokens, clock=time, sleep=time.sleep)


def fail(pace: Pace, *, retryable: bool = True, after: float | None = None) -> None:
    error = ModelError("busy", retryable=retryable, retry_after=after)
    with pytest.raises(ModelError), pace.turn(1):
        raise error


def succeed(pace: Pace, times: int = 1) -> None:
    for _ in range(times):
        with pace.turn(1):
            pass


@contextmanager
def elsewhere(pace: Pace) -> Iterator[threading.Event]:
    """Take a turn in another thread; the event is set when it has begun."""
    begun = threading.Event()

    def ask() -> None:
        with pace.turn(1):
            begun.set()

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    yield begun
    thread.join(SECONDS)
    assert not thread.is_alive()


def test_no_more_requests_than_allowed_are_under_way() -> None:
    pace = paced(in_flight=2)
    with ExitStack() as others:
        with pace.turn(1), pace.turn(1):
            begun = others.enter_context(elsewhere(pace))
            assert not begun.wait(0.05)
        assert begun.wait(SECONDS)


def test_failure_gives_the_place_back() -> None:
    pace = paced()
    with pytest.raises(ZeroDivisionError), pace.turn(1):
        raise ZeroDivisionError
    succeed(pace)


@pytest.mark.parametrize(("at_first", "then"), [(8, 4), (5, 2), (2, 1), (1, 1)])
def test_failure_that_may_pass_halves_what_is_allowed(at_first: int, then: int) -> None:
    pace = paced(in_flight=at_first)
    fail(pace)
    assert pace.allowed == then


def test_failures_of_requests_that_were_under_way_together_are_one() -> None:
    pace = paced(in_flight=8)
    with pytest.raises(ModelError), pace.turn(1), pace.turn(1), pace.turn(1):  # noqa: PT012
        fail(pace)
        raise ModelError("busy", retryable=True)
    assert pace.allowed == 4


def test_refusal_for_good_does_not_slow_down() -> None:
    pace = paced(in_flight=8)
    fail(pace, retryable=False)
    assert pace.allowed == 8


def test_as_many_successes_as_are_allowed_allow_one_more() -> None:
    pace = paced(in_flight=4)
    fail(pace)
    succeed(pace, 1)
    assert pace.allowed == 2
    succeed(pace, 1)
    assert pace.allowed == 3
    succeed(pace, 3)
    assert pace.allowed == 4
    succeed(pace, 9)
    assert pace.allowed == 4


def test_request_waits_until_the_minute_has_room_for_it() -> None:
    time = Time()
    pace = paced(requests=2, time=time)
    begins = []
    for _ in range(5):
        with pace.turn(1):
            begins.append(time.now - 1000)
    assert begins == [0, 0, 60, 60, 120]


def test_failed_requests_count() -> None:
    time = Time()
    pace = paced(requests=1, time=time)
    fail(pace)
    succeed(pace)
    assert time.now == 1060


def test_tokens_wait_until_the_minute_has_room_for_them() -> None:
    time = Time()
    pace = paced(tokens=1000, time=time)
    with pace.turn(600) as turn:
        turn.settle(600, 100)
    with pace.turn(500):
        assert time.now == 1060


def test_what_a_request_has_cost_takes_the_place_of_the_estimate() -> None:
    time = Time()
    pace = paced(tokens=1000, time=time)
    with pace.turn(700) as turn:
        turn.settle(90, 10)
    with pace.turn(500):
        assert time.now == 1000


def test_replies_are_reserved_for_as_they_have_been() -> None:
    time = Time()
    pace = paced(tokens=10_000, time=time)
    for _ in range(30):
        with pace.turn(0) as turn:
            turn.settle(1, 200)
    time.sleep(61)
    for _ in range(10):
        with pace.turn(790):
            pass
    assert time.now == 1061
    with pace.turn(790):
        assert time.now > 1061


def test_uncounted_reply_keeps_the_estimate() -> None:
    time = Time()
    pace = paced(tokens=1000, time=time)
    with pace.turn(600) as turn:
        turn.settle(0, 0)
    with pace.turn(600):
        assert time.now == 1060


def test_request_that_is_larger_than_the_minute_goes_alone() -> None:
    time = Time()
    pace = paced(tokens=100, time=time)
    succeed(pace)
    with pace.turn(5000):
        assert time.now == 1060
    with pace.turn(1):
        assert time.now == 1120


def test_everybody_waits_when_the_server_asks_for_it() -> None:
    time = Time()
    pace = paced(in_flight=4, time=time)
    fail(pace, after=20.0)
    with pace.turn(1):
        assert time.now == 1020


def test_shorter_wait_does_not_end_a_longer_one() -> None:
    time = Time()
    pace = paced(in_flight=4, time=time)
    with pytest.raises(ModelError), pace.turn(1):  # noqa: PT012
        with pytest.raises(ModelError), pace.turn(1):
            raise ModelError("busy", retryable=True, retry_after=30.0)
        raise ModelError("busy", retryable=True, retry_after=5.0)
    with pace.turn(1):
        assert time.now == 1030


def test_pace_without_limits_never_waits() -> None:
    time = Time()
    succeed(paced(in_flight=3, time=time), 1000)
    assert time.now == 1000


def test_in_flight_is_kept_among_many_threads() -> None:
    pace, lock = Pace(in_flight=3), threading.Lock()
    now, most = 0, 0

    def ask() -> None:
        nonlocal now, most
        with pace.turn(1):
            with lock:
                now += 1
                most = max(most, now)
            threading.Event().wait(0.002)
            with lock:
                now -= 1

    threads = [threading.Thread(target=ask) for _ in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert (now, most) == (0, 3)


def test_nobody_waits_for_a_turn_once_the_run_is_stopped() -> None:
    stopped = threading.Event()
    pace = Pace(in_flight=2, stopped=stopped)
    fail(pace, after=60.0)
    errors: list[BudgetError] = []

    def ask() -> None:
        try:
            with pace.turn(1):
                pass
        except BudgetError as error:
            errors.append(error)

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(6)]
    for thread in threads:
        thread.start()
    stopped.set()
    for thread in threads:
        thread.join(SECONDS)
    assert [str(error) for error in errors] == ["the run was stopped"] * 6
