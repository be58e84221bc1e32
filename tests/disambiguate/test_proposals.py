from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.disambiguate.across import Group
from mder.disambiguate.names import Use, collect
from mder.disambiguate.proposals import (
    by_company,
    by_cosine,
    by_letters,
    label,
    lexical_keys,
    meeting,
    proposals,
    stacked,
)
from mder.embedders.base import Vectors
from mder.records import Mention
from tests.doubles import HashingEmbedder
from tests.samples import reading

# The package hides its module behind the function of the same name.
module = import_module("mder.disambiguate.proposals")


def groups(*names: str) -> list[Group]:
    uses = collect([reading("Page", "x", mentions=[Mention(name) for name in names])])
    return [Group([("Page.md", name)], [uses["Page.md", name]]) for name in names]


@st.composite
def rows(draw: st.DrawFn) -> Vectors:
    """Draw unit vectors, many of them near each other."""
    seed = draw(st.integers(0, 2**16))
    random = np.random.default_rng(seed)
    centres = random.normal(size=(draw(st.integers(1, 4)), 6))
    chosen = centres[random.integers(0, len(centres), draw(st.integers(0, 40)))]
    vectors = chosen + random.normal(scale=0.2, size=chosen.shape)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


@pytest.mark.parametrize("block", [1, 3, 2048])
@given(vectors=rows(), threshold=st.floats(-1, 1))
def test_by_cosine_finds_what_comparing_every_pair_finds(
    block: int, vectors: Vectors, threshold: float
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        found = {(i, j): score for i, j, score in by_cosine(vectors, threshold)}
    every = {(i, j): float(vectors[i] @ vectors[j]) for j in range(len(vectors)) for i in range(j)}
    # Sums of float32 in another order differ in the last places.
    assert all(found[pair] == pytest.approx(every[pair], abs=1e-5) for pair in found)
    assert {pair for pair, score in every.items() if score > threshold + 1e-5} <= set(found)
    assert not {pair for pair, score in every.items() if score < threshold - 1e-5} & set(found)


@pytest.mark.parametrize("block", [1, 3, 2048])
@given(vectors=rows(), others=rows(), threshold=st.floats(-1, 1))
def test_all_that_are_near_meet(
    block: int, vectors: Vectors, others: Vectors, threshold: float
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        found = list(meeting(vectors, others, threshold))
    scores = np.einsum("id,jd->ij", vectors, others)
    assert len(found) == len(set(found))
    assert {(int(i), int(j)) for i, j in np.argwhere(scores > threshold)} <= set(found)
    assert all(scores[pair] > threshold - 1e-3 for pair in found)


def test_stored_vectors_come_back_as_rows() -> None:
    vectors = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert np.array_equal(stacked([row.tobytes() for row in vectors]), vectors)


def test_by_cosine_of_nothing_is_nothing() -> None:
    assert list(by_cosine(np.zeros((0, 4), dtype=np.float32), 0.5)) == []


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Irène Curie", "Irene Curie"),
        ("Data Base", "Database"),
        ("Lee Ann", "Ann Lee"),
        ("World Trade Organization", "WTO"),
        ("University of New Mexico", "UNM"),
    ],
)
def test_by_letters_finds_other_spellings(left: str, right: str) -> None:
    assert set(by_letters(groups(left, right))) == {(0, 1)}


@pytest.mark.parametrize(("left", "right"), [("Ann Lee", "Ann Bell"), ("World Trade", "WT")])
def test_by_letters_leaves_other_names_apart(left: str, right: str) -> None:
    assert not list(by_letters(groups(left, right)))


def test_a_crowd_under_one_key_gives_no_square_of_pairs() -> None:
    crowd = groups(*(f"{a}x {b}y {c}z" for a in "AB" for b in "CD" for c in "EF"))
    crowd = [group for group in crowd for _ in range(25)]
    pairs = list(by_letters(crowd))
    assert {i for pair in pairs for i in pair} == set(range(len(crowd)))
    assert len(pairs) < len(crowd) * 40


@given(st.text(max_size=12))
def test_a_name_meets_itself(name: str) -> None:
    assert lexical_keys(name)
    assert lexical_keys(name) == lexical_keys(name)


def test_proposals_are_each_once_in_order_with_their_cosine(embedder: HashingEmbedder) -> None:
    names = ["Irène Curie", "Irene Curie", "Warsaw", "Warsaw."]
    found = list(proposals(groups(*names), names, embedder, 0.9))
    assert [(i, j) for i, j, _ in found] == [(0, 1), (2, 3)]
    vectors = embedder.encode(names)
    assert found[0][2] == pytest.approx(float(vectors[0] @ vectors[1]))


def test_no_group_needs_no_embedder(embedder: HashingEmbedder) -> None:
    assert list(proposals([], [], embedder, 0.5)) == []
    assert embedder.calls == 0


def test_a_label_is_a_name_with_its_first_types() -> None:
    assert label("Rome", ()) == "Rome"
    assert label("Rome", ("place", "city", "capital")) == "Rome (place, city)"


def test_given_names_meet_where_they_keep_the_same_company() -> None:
    names = ["Anna"] * 4
    groups = [Group([(source, "Anna")], [Use()]) for source in "abcd"]
    company = {"a": {"karl ott"}, "b": set[str](), "c": {"karl ott"}, "d": {"karl ott"}}
    assert list(by_company(groups, names, company)) == [(0, 2), (2, 3)]
