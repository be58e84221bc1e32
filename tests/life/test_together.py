"""Indexing and asking at once."""

import os
from pathlib import Path

import pytest

from tests.life.together import MAYORS, together
from tests.life.worker import working

# A minute and more are for the benchmark, which asks for more.
SECONDS = float(os.environ.get("MDER_TEST_SECONDS", "8"))


@pytest.mark.skipif(os.name == "nt", reason="commands are forked")
def test_every_answer_comes_from_one_whole_generation(tmp_path: Path) -> None:
    with working() as worker:
        seen = together(worker, tmp_path, SECONDS)
    assert (seen.torn, seen.failed) == ([], [])
    assert seen.answers.keys() <= set(MAYORS.values())
    assert len(seen.generations) > 2
    assert len(seen.answers) > 1
