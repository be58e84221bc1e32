"""Senses are worked out in batches, and what comes of it tells nothing of them."""

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mder.disambiguate import disambiguate
from mder.pipeline.whole import region
from mder.reasoners.base import Reasoner
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Reading
from mder.settings import Settings
from tests.disambiguate.readings import Judge, Lot, some_readings
from tests.pipeline.whole.sketch import Sketch, Sketches
from tests.samples import reading

ALL = 10**9


@dataclass(frozen=True)
class Batches:
    """Makes sketches in batches of any size."""

    patch: pytest.MonkeyPatch

    def sketch(self, size: int, pages: list[Reading], sketches: Sketches) -> Sketch:
        self.patch.setattr(region, "_BATCH", size)
        return sketches.scratch({page.document.source: page for page in pages})


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> Batches:
    return Batches(monkeypatch)


def everything(sketch: Sketch) -> dict[str, object]:
    """Return all rows of a state, and all that was written beside it."""
    base = sketch.state.senses._base
    tables = ("senses", "keys", "labels", "entities", "spellings", "facts", "links")
    rows: dict[str, object] = {name: sorted(base.rows(f"SELECT * FROM {name}")) for name in tables}
    return rows | {"nodes": sketch.nodes, "documents": sketch.documents, "sets": sketch.sets}


@settings(
    max_examples=max(settings().max_examples // 8, 10),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    some_readings(),
    st.integers(1, 12),
    st.sampled_from([SyntaxReasoner(), Judge(same_=True), Lot()]),
    st.sampled_from([0.5, 0.7, 0.95]),
)
def test_their_size_does_not_show(
    batches: Batches, pages: list[Reading], size: int, reasoner: Reasoner, threshold: float
) -> None:
    sketches = Sketches(reasoner, Settings(merge_threshold=threshold))
    whole = batches.sketch(ALL, pages, sketches)
    assert everything(batches.sketch(size, pages, sketches)) == everything(whole)


def chain(*titles: str) -> list[Reading]:
    return [reading(title, "x", source=f"{title}.md") for title in titles]


# Each is near the next by its label, but not near the one after, and shares no key with any.
WORDS = "Ash Birch Cedar Dogwood Elm Fir Gum Hazel".split()
LIKE = chain(*(" ".join(WORDS[at : at + 5]) for at in range(4)), "Warsaw", "Cracow")


def test_labels_that_are_near_bring_batches_together(batches: Batches) -> None:
    sketches = Sketches(Judge(same_=True), Settings(merge_threshold=0.7))
    sketch = batches.sketch(1, LIKE, sketches)
    means = [list(sketch.state.senses.names(page.document.source).values()) for page in LIKE]
    assert means == [["Ash Birch Cedar Dogwood Elm"]] * 4 + [["Warsaw"], ["Cracow"]]
    assert everything(sketch) == everything(batches.sketch(ALL, LIKE, sketches))


def test_a_pair_is_not_asked_about_before_both_are_in_one_batch(batches: Batches) -> None:
    judge = Judge()
    batches.sketch(1, LIKE, Sketches(judge, Settings(merge_threshold=0.7)))
    asked, judge.asked = judge.asked, []
    batches.sketch(ALL, LIKE, Sketches(judge, Settings(merge_threshold=0.7)))
    assert len(judge.asked) == 3
    assert sorted(map(sorted, asked)) == sorted(map(sorted, judge.asked))


def test_what_is_near_a_batch_is_worked_out_with_all_that_is_near_in_it(batches: Batches) -> None:
    judge = Judge()
    batches.sketch(2, LIKE, Sketches(judge, Settings(merge_threshold=0.7)))
    # Ash and Birch by themselves; then those two and Cedar and Dogwood, of two other batches.
    assert [min(pair).split()[0] for pair in judge.asked] == ["Ash", "Ash", "Birch", "Cedar"]


def test_the_senses_of_a_batch_share_keys_or_are_few(batches: Batches) -> None:
    sizes: list[int] = []
    whole = disambiguate

    def counted(*args: object, **named: object) -> object:
        senses = list(args[0])  # type: ignore[call-overload]
        sizes.append(len(senses))
        return whole(senses, *args[1:], **named)  # type: ignore[arg-type]

    batches.patch.setattr("mder.pipeline.whole.region.disambiguate", counted)
    pages = [reading(f"{a}{b}", "x", source=f"{a}{b}.md") for a, b in pairwise("ABCDEFGHIJKLM")]
    batches.sketch(3, pages, Sketches(settings=Settings(merge_threshold=1.0)))
    assert max(sizes) <= 3
    assert sum(sizes) == len(pages)
