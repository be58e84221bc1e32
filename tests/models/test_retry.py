import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest

from mder.errors import BudgetError, ModelError, ReplyError, TooLongError
from mder.models.base import CallableModel, Completion, Message
from mder.models.pace import Pace
from mder.models.retry import Breaker, RetryingModel
from tests.models.doubles import ASKED


def busy(text: str = "busy", after: float | None = None) -> ModelError:
    return ModelError(text, retryable=True, retry_after=after)


def failing(*errors: ModelError | None) -> CallableModel:
    """Fail with each error in turn, where there is one, then answer."""
    pending: Iterator[ModelError | None] = iter(errors)

    def answer(_messages: Sequence[Message], _schema: Mapping[str, object] | None) -> str:
        error = next(pending, None)
        if error:
            raise error
        return "at last"

    return CallableModel(answer)


def patient(
    model: CallableModel, waits: list[float] | None = None, tries: int = 5
) -> RetryingModel:
    sleep: Callable[[float], None] = (lambda _seconds: None) if waits is None else waits.append
    return RetryingModel(model, tries=tries, sleep=sleep, breaker=Breaker(after=3))


def test_passing_failure_is_tried_again_after_longer_waits() -> None:
    waits: list[float] = []
    assert patient(failing(busy(), busy(), busy()), waits).complete(ASKED).text == "at last"
    assert 1.0 <= waits[0] <= 3.0
    assert 2.0 <= waits[1] <= 6.0
    assert 4.0 <= waits[2] <= 12.0


def test_lasting_failure_is_not_tried_again() -> None:
    waits: list[float] = []
    with pytest.raises(ModelError, match="no key"):
        patient(failing(ModelError("no key")), waits).complete(ASKED)
    assert waits == []


def test_tries_are_bounded() -> None:
    waits: list[float] = []
    model = failing(*(busy(f"busy {n}") for n in range(9)))
    with pytest.raises(ModelError, match="busy 2") as caught:
        patient(model, waits, tries=3).complete(ASKED)
    assert caught.value.retryable
    assert len(waits) == 2


def test_five_tries_are_the_default() -> None:
    model = RetryingModel(failing(*[busy()] * 4), sleep=lambda _seconds: None)
    assert model.complete(ASKED).text == "at last"
    model = RetryingModel(failing(*[busy()] * 5), sleep=lambda _seconds: None)
    with pytest.raises(ModelError):
        model.complete(ASKED)


def test_server_is_left_alone_as_long_as_it_asks() -> None:
    waits: list[float] = []
    model = RetryingModel(
        failing(busy(after=40.0)),
        sleep=waits.append,
        pace=Pace(clock=lambda: sum(waits), sleep=waits.append),
    )
    model.complete(ASKED)
    assert len(waits) == 1
    assert 40 < waits[0] < 42


@pytest.mark.parametrize(("seconds", "tries"), [(1500.0, 2), (400.0, 2), (250.0, 3), (60.0, 5)])
def test_time_for_all_tries_is_bounded_and_allows_a_second(seconds: float, tries: int) -> None:
    now = [0.0]

    def slow(_messages: Sequence[Message], _schema: Mapping[str, object] | None) -> str:
        now[0] += seconds
        raise busy("timed out")

    model = RetryingModel(CallableModel(slow), clock=lambda: now[0], sleep=lambda _: None)
    with pytest.raises(ModelError, match="timed out"):
        model.complete(ASKED)
    assert now[0] == tries * seconds


def test_waiting_does_not_count_against_the_time_for_all_tries() -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    pace = Pace(clock=lambda: now[0], sleep=sleep)
    model = RetryingModel(
        failing(*[busy(after=300.0)] * 4), clock=lambda: now[0], sleep=sleep, pace=pace
    )
    assert model.complete(ASKED).text == "at last"
    assert now[0] > 1200


def test_stopped_run_tries_nothing_again() -> None:
    stopped, asked = threading.Event(), threading.Event()
    errors: list[BudgetError] = []

    def busy_for_long(_messages: Sequence[Message], _schema: Mapping[str, object] | None) -> str:
        asked.set()
        raise busy(after=60.0)

    model = RetryingModel(CallableModel(busy_for_long), pace=Pace(stopped=stopped))

    def ask() -> None:
        with pytest.raises(BudgetError, match="the run was stopped") as caught:
            model.complete(ASKED)
        errors.append(caught.value)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    assert asked.wait(5)
    stopped.set()
    thread.join(5)
    assert len(errors) == 1


def test_cause_of_the_last_failure_is_kept() -> None:
    error = busy()
    error.__cause__ = TimeoutError("socket")
    with pytest.raises(ModelError) as caught:
        patient(failing(error, error), tries=1).complete(ASKED)
    assert isinstance(caught.value.__cause__, TimeoutError)


def test_dead_server_stops_the_run_after_requests_in_a_row() -> None:
    model = patient(failing(*[busy("503")] * 9), tries=1)
    for _ in range(2):
        with pytest.raises(ModelError) as caught:
            model.complete(ASKED)
        assert caught.value.retryable
    with pytest.raises(ModelError) as caught:
        model.complete(ASKED)
    assert not caught.value.retryable
    assert str(caught.value) == (
        "callable/function: 3 requests in a row failed at every try; mend the server and run the "
        "same command again. The last one: 503"
    )
    assert str(caught.value.__cause__) == "503"


def test_refusals_in_a_row_stop_the_run() -> None:
    model = patient(failing(*[ReplyError("refused tiny (403)")] * 9))
    for _ in range(2):
        with pytest.raises(ReplyError):
            model.complete(ASKED)
    with pytest.raises(ModelError, match="3 requests in a row") as caught:
        model.complete(ASKED)
    assert not isinstance(caught.value, ReplyError)


@pytest.mark.parametrize("sign_of_life", [None, TooLongError("too long"), ModelError("no model")])
def test_any_answer_between_failures_shows_a_living_server(
    sign_of_life: ModelError | None,
) -> None:
    model = patient(failing(busy(), busy(), sign_of_life, busy(), busy()), tries=1)
    retryable = []
    for _ in range(5):
        try:
            model.complete(ASKED)
        except ModelError as error:
            retryable.append(error.retryable)
    assert retryable.count(True) == 4


def test_failures_in_a_row_are_counted_over_all_threads() -> None:
    model = patient(failing(*[busy()] * 3), tries=1)
    errors: list[ModelError] = []

    def ask() -> None:
        try:
            model.complete(ASKED)
        except ModelError as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert sorted(error.retryable for error in errors) == [False, True, True]


def test_seconds_are_those_of_the_request_that_succeeded() -> None:
    now = [0.0]
    errors = iter([busy()])

    def slow(_messages: Sequence[Message], _schema: Mapping[str, object] | None) -> str:
        now[0] += 3.0
        for error in errors:
            raise error
        return "at last"

    def sleep(seconds: float) -> None:
        now[0] += seconds

    model = RetryingModel(CallableModel(slow), clock=lambda: now[0], sleep=sleep)
    assert model.complete(ASKED).seconds == pytest.approx(3.0)


def test_seconds_that_the_backend_measured_are_kept() -> None:
    class Measuring:
        name, options = "measuring/model", {}  # type: ignore[var-annotated]

        def complete(
            self, _messages: Sequence[Message], _schema: Mapping[str, object] | None = None
        ) -> Completion:
            return Completion("yes", 1, 1, seconds=7.5)

    assert RetryingModel(Measuring()).complete(ASKED).seconds == 7.5


def test_each_try_is_a_request_to_the_pace() -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    pace = Pace(requests_per_minute=2, clock=lambda: now[0], sleep=sleep)
    model = RetryingModel(failing(busy(), busy()), pace=pace, sleep=sleep, clock=lambda: now[0])
    model.complete(ASKED)
    assert now[0] >= 60
