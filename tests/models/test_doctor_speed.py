from collections.abc import Callable, Iterable

import pytest

from mder.errors import ModelError
from mder.models.base import Completion
from mder.models.doctor import examine
from tests.models.patients import Patient, advised, examined


@pytest.mark.parametrize("measures", [True, False])
@pytest.mark.parametrize(("reads", "writes"), [(800.0, 20.0), (300.0, 60.0)])
def test_both_speeds_are_solved_for(reads: float, writes: float, measures: bool) -> None:
    patient = Patient(reads=reads, writes=writes, measures=measures)
    found = examine(patient, clock=lambda: 0.0) if measures else examined(patient)
    assert found.speed
    assert found.speed.reading == pytest.approx(reads)
    assert found.speed.writing == pytest.approx(writes)


def test_without_time_or_counts_there_is_no_speed() -> None:
    timeless = examine(Patient(), clock=lambda: 0.0)
    assert timeless.speed
    assert (timeless.speed.reading, timeless.speed.writing) == (None, None)
    uncounted = examined(Patient(counts=False))
    assert uncounted.speed
    assert uncounted.speed.reading is None


def crowded(patient: Patient, slots: int) -> Callable[..., Iterable[Completion]]:
    """Return a map that calls so many times at once, by the clock of the model."""

    def together(
        function: Callable[[int], Completion], numbers: Iterable[int]
    ) -> Iterable[Completion]:
        began, replies = patient.now, []
        busy = [began] * slots
        for number in numbers:
            patient.now = busy[0]
            replies.append(function(number))
            busy = sorted([*busy[1:], patient.now])
        patient.now = busy[-1]
        return replies

    return together


@pytest.mark.parametrize(("slots", "jobs"), [(1, 1), (2, 2), (4, 4)])
def test_as_many_at_once_are_recommended_as_help(slots: int, jobs: int) -> None:
    patient = Patient(reads=100, writes=10)
    found = examined(patient, together=crowded(patient, slots))
    assert found.crowd
    assert [number for number, _ in found.crowd.rates] == [1, 2, 4]
    assert found.crowd.best == jobs
    assert found.crowd.gain == pytest.approx(jobs)
    assert advised(found)["jobs"].value == jobs


def test_a_server_that_refuses_a_crowd_ends_it() -> None:
    patient = Patient(reads=100, writes=10)

    def together(function: Callable[[int], Completion], numbers: Iterable[int]) -> list[Completion]:
        if len(list(numbers)) > 1:
            raise ModelError("too many requests")
        return [function(0)]

    found = examined(patient, together=together)
    assert found.crowd
    assert (found.crowd.best, found.crowd.ended) == (1, "2: too many requests")


def test_a_slow_model_is_not_asked_by_a_crowd() -> None:
    patient = Patient(reads=100, writes=0.1)
    found = examined(patient, together=map)
    assert found.crowd
    assert found.crowd.ended == "2: not tried, for the model is slow"
