"""What is the same, whatever way a graph came about."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mder.embedders import open_embedder
from tests.life.corpora import FILES, LATER, Pages, as_rows, corpora, pages, written
from tests.life.place import Place, passing
from tests.life.state import State, difference

few = settings(max_examples=max(settings().max_examples // 10, 8))
very_few = settings(max_examples=max(settings().max_examples // 20, 5))


@contextmanager
def places() -> Iterator[tuple[Place, Place]]:
    """Give two places that know nothing of each other."""
    with passing() as folder:
        yield Place(folder / "one"), Place(folder / "two")


def from_scratch(place: Place, corpus: Pages) -> State:
    place.write(corpus)
    place.index()
    return place.state()


@few
@given(corpora(), corpora(LATER, most=3))
def test_what_was_added_and_removed_leaves_no_trace(corpus: Pages, more: Pages) -> None:
    with places() as (place, _):
        before = from_scratch(place, corpus)
        place.write(more)
        place.index(*more)
        place.remove(more)
        assert difference(before, place.state()) == []


@few
@given(corpora(), corpora(LATER, most=3))
def test_files_that_are_gone_are_pruned_without_a_trace(corpus: Pages, more: Pages) -> None:
    with places() as (place, _):
        before = from_scratch(place, corpus)
        place.write(more)
        place.index()
        place.delete(more)
        place.index(more=["--prune"])
        assert difference(before, place.state()) == []


@few
@given(st.lists(pages, min_size=1, max_size=5), st.lists(pages, min_size=1, max_size=3))
def test_rows_that_were_added_and_removed_leave_no_trace(rows: list[str], more: list[str]) -> None:
    with places() as (place, _):
        before = from_scratch(place, {"rows.jsonl": as_rows(rows)})
        place.write({"rows.jsonl": as_rows([*more, *rows])})
        place.index()
        place.write({"rows.jsonl": as_rows(rows)})
        place.index()
        assert difference(before, place.state()) == []


@few
@given(corpora())
def test_indexing_what_is_indexed_does_nothing(corpus: Pages) -> None:
    with places() as (place, _):
        place.write(corpus)
        first = place.index()
        before, files = place.state(), listed(place)
        again = place.index()
        assert (again["changed"], again["read"], again["spent"]) == (False, 0, {})
        assert again["generation"] == first["generation"]
        assert difference(before, place.state()) == []
        assert listed(place) == files


def listed(place: Place) -> dict[str, tuple[int, int]]:
    """Return the files of all Generations, with their sizes and times of change."""
    stats = {p: p.stat() for p in (place.kg / "generations").rglob("*") if p.is_file()}
    # RocksDB writes a log wherever it opens a store.
    told = {str(p): (s.st_size, s.st_mtime_ns) for p, s in stats.items() if "LOG" not in p.name}
    assert told
    return told


@few
@given(corpora(), st.randoms(use_true_random=False), st.sampled_from([2, 8]))
def test_neither_the_order_of_files_nor_jobs_show(corpus: Pages, random: Random, jobs: int) -> None:
    with places() as (place, other):
        whole = from_scratch(place, corpus)
        other.write(corpus)
        names = list(corpus)
        random.shuffle(names)
        other.index(*names, jobs=jobs)
        assert difference(whole, other.state()) == []


@few
@given(corpora(), corpora(LATER, most=4), st.sampled_from([1, 8]))
def test_what_came_later_is_as_if_it_had_been_there(corpus: Pages, more: Pages, jobs: int) -> None:
    with places() as (place, other):
        place.write(corpus)
        place.index()
        place.write(more)
        place.index(*more, jobs=jobs)
        assert difference(from_scratch(other, corpus | more), place.state()) == []


@few
@given(corpora(), st.data())
def test_a_change_is_a_removal_and_an_addition(corpus: Pages, data: st.DataObject) -> None:
    changed = data.draw(st.lists(st.sampled_from(sorted(corpus)), min_size=1, unique=True))
    new = {name: data.draw(pages) for name in changed}
    with places() as (place, other):
        from_scratch(place, corpus)
        place.write(new)
        place.index()
        from_scratch(other, corpus)
        other.remove(changed)
        other.write(new)
        other.index(*changed)
        assert difference(other.state(), place.state()) == []


@few
@given(corpora(), st.data())
def test_a_change_is_as_if_it_had_been_written_so(corpus: Pages, data: st.DataObject) -> None:
    changed = data.draw(st.lists(st.sampled_from(sorted(corpus)), min_size=1, unique=True))
    new = {name: data.draw(pages) for name in changed}
    with places() as (place, other):
        from_scratch(place, corpus)
        place.write(new)
        place.index()
        assert difference(from_scratch(other, corpus | new), place.state()) == []


@very_few
@given(corpora(FILES), corpora(LATER, most=2))
def test_vectors_of_the_packaged_model_do_not_depend_on_their_company(
    corpus: Pages, more: Pages
) -> None:
    with passing() as folder:
        one, two = (Place(folder / name, embedder=open_embedder()) for name in "ab")
        from_scratch(one, corpus)
        one.write(more)
        one.index()
        assert difference(from_scratch(two, corpus | more), one.state()) == []


@pytest.mark.parametrize("jobs", [1, 8])
def test_a_corpus_page_by_page_is_the_corpus_at_once(tmp_path: Path, jobs: int) -> None:
    corpus = written(16, seed=7)
    place, other = Place(tmp_path / "one"), Place(tmp_path / "two")
    whole = from_scratch(place, corpus)
    for name in Random(7).sample(sorted(corpus), len(corpus)):
        other.write({name: corpus[name]})
        other.index(name, jobs=jobs)
    assert difference(whole, other.state()) == []
