"""What is left of a run that was killed, and what it costs to go on."""

import os
from collections.abc import Iterator

import pytest

from tests.life.killing import AFTER, BEFORE, Killer, staged, trials
from tests.life.worker import Worker, working

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with working() as found:
        yield found


@pytest.fixture(scope="module", params=[False, True], ids=["syntax", "llm"])
def killer(
    request: pytest.FixtureRequest, worker: Worker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Killer]:
    with staged(worker, tmp_path_factory.mktemp("kill"), llm=request.param) as found:
        yield found


def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(killer: Killer) -> None:
    found = list(trials(killer, 6))
    assert [trial.wrong for trial in found] == [[]] * 6
    assert [trial.asked_twice for trial in found] == [0] * 6
    assert all(trial.sound for trial in found), [trial.answers for trial in found]
    # Else nothing was tried: neither a kill in the middle, nor an answer before and after.
    assert sum(trial.killed for trial in found) > 3
    assert {BEFORE, AFTER} <= {text for trial in found for text in trial.answers}
