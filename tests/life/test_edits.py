"""After any sequence of edits, a graph is the one from scratch."""

from contextlib import ExitStack

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.life.corpora import Pages, as_rows, corpora, pages
from tests.life.place import Place, passing
from tests.life.state import State, difference

ROWS = "rows.jsonl"
_JOBS = st.sampled_from([1, 2, 8])


def from_scratch(corpus: Pages) -> State:
    with passing() as folder:
        place = Place(folder)
        place.write(corpus)
        place.index()
        return place.state()


class Edits(RuleBasedStateMachine):
    """Files and rows that come and change, one at a time and several at once."""

    def __init__(self) -> None:
        super().__init__()
        self.open = ExitStack()
        self.place = Place(self.open.enter_context(passing()))
        self.corpus: Pages = {}
        self.rows: list[str] = []

    def teardown(self) -> None:
        self.open.close()

    @initialize(corpus=corpora(most=4))
    def begin(self, corpus: Pages) -> None:
        self._written(corpus)

    @rule(more=corpora(most=3), jobs=_JOBS)
    def write(self, more: Pages, jobs: int) -> None:
        self._written(more, jobs)

    @rule(data=st.data(), page=pages)
    def rewrite(self, data: st.DataObject, page: str) -> None:
        self._written({data.draw(st.sampled_from(self._files)): page})

    @rule(data=st.data())
    def swap(self, data: st.DataObject) -> None:
        one, two = (data.draw(st.sampled_from(self._files)) for _ in range(2))
        self._written({one: self.corpus[two], two: self.corpus[one]}, 2)

    @rule(more=st.lists(pages, min_size=1, max_size=2))
    def add_rows(self, more: list[str]) -> None:
        self.rows = [*more, *self.rows]
        self._written({ROWS: as_rows(self.rows)})

    @precondition(lambda self: len(self.rows) > 1)
    @rule(data=st.data())
    def drop_a_row(self, data: st.DataObject) -> None:
        gone = data.draw(st.sampled_from(self.rows))
        self.rows = [row for row in self.rows if row != gone] or self.rows
        self._written({ROWS: as_rows(self.rows)})

    @invariant()
    def it_is_as_from_scratch(self) -> None:
        if self.corpus:
            assert difference(from_scratch(self.corpus), self.place.state()) == []

    @property
    def _files(self) -> list[str]:
        return sorted(self.corpus.keys() - {ROWS})

    def _written(self, new: Pages, jobs: int = 1) -> None:
        self.corpus |= new
        self.place.write(new)
        self.place.index(*new, jobs=jobs)


class EditsAndRemovals(Edits):
    """The same, and files that go."""

    @precondition(lambda self: len(self.corpus) > 1)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        gone = data.draw(st.sampled_from(self._files))
        if len(self.corpus) > 1:
            del self.corpus[gone]
            self.place.remove([gone])

    @precondition(lambda self: len(self.corpus) > 2)
    @rule(data=st.data(), more=corpora(most=1))
    def prune(self, data: st.DataObject, more: Pages) -> None:
        self.corpus |= more
        self.place.write(more)
        one, two = (data.draw(st.sampled_from(self._files)) for _ in range(2))
        gone = {one, two}
        self.corpus = {name: page for name, page in self.corpus.items() if name not in gone}
        self.place.delete(gone)
        self.place.index(more=["--prune"])


STEADY = settings(max_examples=max(settings().max_examples // 16, 4), stateful_step_count=6)
TestEdits = Edits.TestCase
TestEdits.settings = STEADY
TestEditsAndRemovals = EditsAndRemovals.TestCase
TestEditsAndRemovals.settings = STEADY
