"""The same algebra where a model is asked, and what is asked of it."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mder.graph.vocabulary import HAS_DESCRIPTION, HAS_SUMMARY
from tests import stubs
from tests.life.corpora import LATER, Pages, as_rows, corpora, pages
from tests.life.place import Place, passing
from tests.life.state import State, difference
from tests.pipeline.served import ASKING, CHAT, STAGES, act, answer, shown
from tests.stubs import Recorded, StubUrl

few = settings(max_examples=max(settings().max_examples // 12, 5))
# One thing a request, so that a reply depends on nothing else that it is asked beside.
SINGLY = ("--llm", "ollama/tiny", *ASKING, "--set", "llm_batch=1")
SMALL = ("--set", "chunk_max_sentences=3", "--set", "chunk_min_characters=10")
BATCHED = ("--llm", "ollama/tiny", *ASKING)


@pytest.fixture(scope="module")
def server() -> Iterator[StubUrl]:
    with stubs.ollama(answer) as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OLLAMA_HOST", url)
        yield url


@pytest.fixture(autouse=True)
def _found(server: StubUrl, monkeypatch: pytest.MonkeyPatch) -> None:
    """Name the server after whoever took all servers out of the environment."""
    monkeypatch.setenv("OLLAMA_HOST", server)


def prompts(requests: list[Recorded]) -> Counter[str]:
    """Return what was asked since this was called, and forget it."""
    found = Counter(str(r.body["messages"]) for r in requests if r.path in CHAT.values())
    requests.clear()
    return found


def from_scratch(folder: Path, corpus: Pages, options: tuple[str, ...] = SINGLY) -> State:
    place = Place(folder, options)
    place.write(corpus)
    place.index()
    return place.state()


def unworded(found: State) -> State:
    """Return a graph without what a model put into words."""
    wording = (f" {HAS_DESCRIPTION} ", f" {HAS_SUMMARY} ")
    told = frozenset(quad for quad in found.quads if not any(w in quad for w in wording))
    vectors = {"names": found.vectors["names"], "chunks": found.vectors["chunks"]}
    return State(told, vectors, found.words)


@few
@given(corpus=corpora(most=3), more=corpora(LATER, most=2), jobs=st.sampled_from([1, 4]))
def test_what_came_later_is_as_if_it_had_been_there_and_nothing_is_asked_twice(
    server: StubUrl, corpus: Pages, more: Pages, jobs: int
) -> None:
    with passing() as folder:
        place = Place(folder / "one", SINGLY)
        prompts(server.requests)
        place.write(corpus)
        place.index(jobs=jobs)
        place.write(more)
        place.index(*more, jobs=jobs)
        assert [prompt for prompt, times in prompts(server.requests).items() if times > 1] == []
        again = place.index()
        assert (again["changed"], again["spent"], prompts(server.requests)) == (False, {}, {})
        whole = from_scratch(folder / "two", corpus | more)
        assert difference(whole, place.state()) == []


@few
@given(corpus=corpora(most=3), more=corpora(LATER, most=2))
def test_in_batches_it_is_the_same_but_for_the_wording(
    server: StubUrl, corpus: Pages, more: Pages
) -> None:
    with passing() as folder:
        place = Place(folder / "one", BATCHED)
        place.write(corpus)
        place.index()
        place.write(more)
        place.index()
        whole = from_scratch(folder / "two", corpus | more, BATCHED)
        assert difference(unworded(whole), unworded(place.state())) == []
        assert prompts(server.requests)


@few
@given(rows=st.lists(pages, min_size=1, max_size=3), more=st.lists(pages, min_size=1, max_size=2))
def test_rows_that_come_and_go_leave_no_trace_and_cost_nothing_to_remove(
    server: StubUrl, rows: list[str], more: list[str]
) -> None:
    with passing() as folder:
        place = Place(folder, SINGLY)
        before = from_scratch(place.folder, {"rows.jsonl": as_rows(rows)})
        place.write({"rows.jsonl": as_rows([*rows, *more])})
        place.index()
        prompts(server.requests)
        place.write({"rows.jsonl": as_rows(rows)})
        place.index()
        assert prompts(server.requests) == {}
        assert difference(before, place.state()) == []


@few
@given(corpus=corpora(most=3), data=st.data())
def test_a_change_is_as_if_it_had_been_written_so_and_undone_for_nothing(
    server: StubUrl, corpus: Pages, data: st.DataObject
) -> None:
    changed = data.draw(st.sampled_from(sorted(corpus)))
    new = {changed: data.draw(pages)}
    with passing() as folder:
        place = Place(folder / "one", SINGLY)
        before = from_scratch(place.folder, corpus)
        place.write(new)
        place.index()
        whole = from_scratch(folder / "two", corpus | new)
        assert difference(whole, place.state()) == []
        prompts(server.requests)
        place.write(corpus)
        place.index()
        assert prompts(server.requests) == {}
        assert difference(before, place.state()) == []


def test_a_change_in_one_place_asks_for_that_place_alone(server: StubUrl, tmp_path: Path) -> None:
    parts = [f"## Part {n}\n\n{text}\n" for n, text in enumerate(PARTS)]
    place = Place(tmp_path, (*SINGLY, *SMALL))
    place.write({"long.md": "\n".join(["# Halden\n", *parts])})
    place.index()
    assert len(place.state().vectors["chunks"]) >= len(parts)
    server.requests.clear()
    parts[2] = parts[2].replace("Karl Ott", "Ida Lund")
    place.write({"long.md": "\n".join(["# Halden\n", *parts])})
    place.index()
    found = [r for r in server.requests if r.path in CHAT.values()]
    read = [shown(r) for r in found if STAGES[act(r)] in ("summarize", "map")]
    # The passages beside it are read with it in view, all others stay as they were read.
    assert 0 < len(read) <= 2 * 3
    assert all("Ida Lund" in text for text in read)


PARTS = (
    "Halden is a town in Norway. The town was founded in 1105 by the river Tista.",
    "Anna Holt was born in Odder on 7 May 1931. She directed the film Glass Meadow there.",
    "Karl Ott composed the music of Glass Meadow. He lived in Skagen from 1960 to 1977.",
    "The museum of the town was built in 1880. Ida Holm is the keeper of its pictures.",
    "The harbour was opened by Nils Berg in 1902. Ships from Odder come to it each week.",
)
