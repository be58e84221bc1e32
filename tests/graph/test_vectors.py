from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.errors import GraphError
from mder.graph.vectors import VectorSet, write

IDS = ["c", "a", "b", "d"]
ROWS = np.array([[1, 0], [0, 1], [0, 1], [-1, 0]], dtype=np.float32)


@pytest.fixture
def vectors(tmp_path: Path) -> VectorSet:
    write(tmp_path, "names", IDS, ROWS)
    return VectorSet(tmp_path, "names")


def test_the_nearest_come_first_and_equals_by_id(vectors: VectorSet) -> None:
    found = vectors.search(np.array([0.6, 0.8], dtype=np.float32), 3)
    assert [key for key, _ in found] == ["a", "b", "c"]
    assert found[0][1] == pytest.approx(0.8)


def test_a_tie_at_the_edge_is_cut_by_id(vectors: VectorSet) -> None:
    assert vectors.search(ROWS[1], 1) == [("a", 1.0)]


@pytest.mark.parametrize(("k", "found"), [(-1, 0), (0, 0), (4, 4), (99, 4)])
def test_no_more_are_found_than_asked_for_or_than_there_are(
    vectors: VectorSet, k: int, found: int
) -> None:
    assert len(vectors.search(ROWS[0], k)) == found


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), max_size=20), st.integers(1, 9))
def test_search_is_exact(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int]], k: int
) -> None:
    folder = tmp_path_factory.mktemp("vectors")
    matrix = np.array(rows, dtype=np.float32).reshape(-1, 2)
    ids = [f"{row:02}" for row in range(len(rows))]
    write(folder, "chunks", ids, matrix)
    scores = [(-float(x + 2 * y), key) for key, (x, y) in zip(ids, rows, strict=True)]
    found = VectorSet(folder, "chunks").search(np.array([1, 2], dtype=np.float32), k)
    assert found == [(key, -score) for score, key in sorted(scores)[:k]]


def test_vectors_are_given_by_id(vectors: VectorSet) -> None:
    assert vectors.vectors(["d", "c"]).tolist() == [[-1, 0], [1, 0]]
    assert vectors.vectors([]).shape == (0, 2)
    with pytest.raises(GraphError, match="no vector for e"):
        vectors.vectors(["e"])


def test_an_empty_set_is_found_empty(tmp_path: Path) -> None:
    write(tmp_path, "names", [], np.zeros((0, 2), dtype=np.float32))
    opened = VectorSet(tmp_path, "names")
    assert len(opened) == 0
    assert opened.search(ROWS[0], 3) == []


def test_a_vector_of_another_space_is_refused(vectors: VectorSet) -> None:
    with pytest.raises(GraphError, match="dimension 2"):
        vectors.search(np.zeros(3, dtype=np.float32), 1)


def test_a_missing_or_mixed_up_set_is_named(tmp_path: Path) -> None:
    write(tmp_path, "names", IDS, ROWS)
    with pytest.raises(GraphError, match="chunks"):
        VectorSet(tmp_path, "chunks")
    (tmp_path / "names.json").write_text('["a"]')
    with pytest.raises(GraphError, match="for 1 ids"):
        VectorSet(tmp_path, "names")


def test_rows_and_ids_must_belong_together(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="3 ids"):
        write(tmp_path, "names", IDS[:3], ROWS)
    with pytest.raises(ValueError, match="twice"):
        write(tmp_path, "names", ["a", "a", "b", "c"], ROWS)
