"""The life of an index of real documents; skipped where the shared collection is absent."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.life.place import Place, passing
from tests.life.state import State, difference

ROWS = "rows.jsonl"


@pytest.mark.parametrize("corpus", ["hotpotqa_dev300", "musique_200"])
def test_real_rows_that_come_change_and_go_leave_the_graph_from_scratch(
    data: Path, corpus: str
) -> None:
    random = Random(corpus)
    with (data / "qa" / f"{corpus}.corpus.jsonl").open(encoding="utf-8") as lines:
        rows = list(islice(lines, 60))
    random.shuffle(rows)
    with passing() as folder:
        place = Place(folder / "one", options=())
        for step in range(1, 4):
            # Some that will not stay are there each time, and some that were are there no more.
            here = rows[: step * 12] + random.sample(rows[40:], 4)
            indexed(place, here)
        place.write({"extra.jsonl": "".join(rows[40:])})
        place.index("extra.jsonl", jobs=2)
        indexed(place, rows[:34])
        place.delete(["extra.jsonl"])
        place.index(more=["--prune"])
        assert (
            difference(indexed(Place(folder / "two", options=()), rows[:34]), place.state()) == []
        )


def indexed(place: Place, rows: list[str]) -> State:
    place.write({ROWS: "".join(rows)})
    place.index(ROWS)
    return place.state()
