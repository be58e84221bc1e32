"""What the benchmarks of an index's life make of what they measure."""

from collections import Counter
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from benchmarks.crash import figures
from benchmarks.lifecycle import Corpus
from benchmarks.memory import slopes
from mder.sources import read
from tests.life.killing import AFTER, BEFORE, Trial


def test_trials_are_summed_up() -> None:
    good = Trial(killed=2, answers=Counter({BEFORE: 3, AFTER: 1}))
    bad = Trial(killed=0, asked_twice=1, wrong=["- a"], answers=Counter({"GraphError: no": 1}))
    assert (good.sound, bad.sound) == (True, False)
    assert figures([good, bad, good]) == {
        "equal": 2,
        "of": 3,
        "killed": 2,
        "asked_twice": 1,
        "answered": 8,
        "unanswered": 1,
    }


def test_memory_that_grows_with_entities_alone_is_told_from_documents() -> None:
    half = {"documents": 100, "entities": 1000, "mb": 500.0}
    full = {"documents": 200, "entities": 3000, "mb": 520.0}
    again = {"documents": 200, "entities": 1000, "mb": 500.0}
    assert slopes(half, full, again) == (0.0, 10.0)
    assert slopes(half, full, again | {"mb": 510.0}) == (100.0, 5.0)


def test_a_row_that_changes_is_another_document_and_all_others_stay(tmp_path: Path) -> None:
    rows = [{"title": "Oslo", "text": f"Oslo has {n} rivers."} for n in range(3)]
    corpus = Corpus(rows, tmp_path / "rows")
    before = [corpus.source(number) for number in range(3)]
    corpus.change(1)
    after = [corpus.source(number) for number in range(3)]
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, False, True]
    assert len(list(read(corpus.file, "rows.jsonl"))) == 3


def test_a_command_that_fails_ends_the_measurement(tmp_path: Path) -> None:
    corpus = Corpus([{"title": "Oslo", "text": "Oslo is old."}], tmp_path / "rows")
    with pytest.raises(CalledProcessError):
        corpus.timed("remove", "rows.jsonl#0000000000000000")
