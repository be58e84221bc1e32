import tracemalloc
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.embedders.base import Vectors
from mder.embedders.memory import digest
from mder.errors import GraphError
from mder.graph import vectors as module
from mder.graph.vectors import VectorSet, VectorWriter

IDS = ["c", "a", "b", "d"]
ROWS = np.array([[1, 0], [0, 1], [0, 1], [-1, 0]], dtype=np.float32)
# Of each id the text now embedded; None where the id goes.
Change = Mapping[str, str | None]
CHANGES = st.lists(
    st.dictionaries(st.sampled_from("abcdefghij"), st.sampled_from(["x", "y", "z", None])),
    max_size=9,
)


def write(folder: Path, name: str, ids: Sequence[str], vectors: Vectors) -> None:
    writer = VectorWriter(folder, name)
    writer.put(ids, list(map(digest, ids)), vectors)
    writer.close(vectors.shape[1])


def vector_of(text: str) -> list[float]:
    return [float(byte) for byte in digest(text)[:4]]


def changed(folder: Path, change: Change, name: str = "names") -> VectorSet:
    """Write the vectors of texts, one call an id, and open the set."""
    folder.mkdir(exist_ok=True)
    writer = VectorWriter(folder, name)
    for key, text in change.items():
        if text is None:
            writer.drop([key])
        else:
            row = np.array([vector_of(key + text)], dtype=np.float32)
            writer.put([key], [digest(key + text)], row)
    writer.close(4)
    return VectorSet(folder, name)


def files(folder: Path, suffix: str = "npy") -> list[str]:
    return sorted(path.name for path in folder.glob(f"*.{suffix}"))


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


@given(CHANGES)
def test_a_set_changed_step_by_step_is_the_set_made_at_once(
    tmp_path_factory: pytest.TempPathFactory, changes: list[Change]
) -> None:
    folder, texts = tmp_path_factory.mktemp("vectors"), dict[str, str]()
    question = np.array(vector_of("question"), dtype=np.float32)
    for change in changes:
        opened = changed(folder, change)
        texts.update((key, text) for key, text in change.items() if text is not None)
        for key in (key for key, text in change.items() if text is None):
            texts.pop(key, None)
        once = changed(tmp_path_factory.mktemp("once"), texts)
        told = {key: vector.tolist() for key, vector in opened.items()}
        assert told == {key: vector_of(key + text) for key, text in texts.items()}
        assert sorted(opened.ids) == sorted(texts) == sorted(once.ids)
        assert opened.search(question, 3) == once.search(question, 3)
        assert opened.vectors(sorted(texts)).tolist() == once.vectors(sorted(texts)).tolist()
        everything = np.stack([question, question / 2])
        near = sorted(opened.above(everything, 1.0))
        assert near == sorted(once.above(everything, 1.0))
        assert len(near) == 2 * len(texts) == 2 * len(opened)
        assert len(files(folder)) <= 9


def test_a_change_costs_one_small_segment_and_leaves_the_others_as_they_are(
    tmp_path: Path,
) -> None:
    changed(tmp_path, {f"{number:03}": "first" for number in range(100)})
    first = (tmp_path / "names.0.npy").stat()
    for number in range(20):
        opened = changed(tmp_path, {"007": f"again {number}", "008": None})
        assert len(opened) == 99
        again = (tmp_path / "names.0.npy").stat()
        assert (again.st_mtime_ns, again.st_ino) == (first.st_mtime_ns, first.st_ino)
        assert len(files(tmp_path)) <= 9
    assert opened.vectors(["007"]).tolist() == [vector_of("007again 19")]


def test_when_a_quarter_is_new_or_gone_all_become_one_segment(tmp_path: Path) -> None:
    changed(tmp_path, {f"{number:02}": "first" for number in range(40)})
    changed(tmp_path, {f"{number:02}": None for number in range(10)})
    assert len(files(tmp_path)) == 2
    assert len(changed(tmp_path, {"10": None})) == 29
    assert len(files(tmp_path)) == 1
    assert files(tmp_path, "dead") == []
    changed(tmp_path, {f"{number:02}": "new" for number in range(50, 58)})
    assert len(files(tmp_path)) == 1


def test_what_is_put_again_with_the_same_text_changes_nothing(tmp_path: Path) -> None:
    changed(tmp_path, {"a": "x", "b": "y"})
    changed(tmp_path, {"a": "x"})
    assert files(tmp_path) == ["names.0.npy"]


def test_of_an_id_that_is_put_twice_the_last_counts(tmp_path: Path) -> None:
    writer = VectorWriter(tmp_path, "names")
    texts = [digest(text) for text in "xyz"]
    writer.put(["a", "b", "a"], texts, ROWS[:3])
    writer.put(["b", "b", "a"], texts, -ROWS[:3])
    writer.close(2)
    told = {key: vector.tolist() for key, vector in VectorSet(tmp_path, "names").items()}
    # The last text of "b" is that of its row, and so is the one of "a".
    assert told == {"a": [0, 1], "b": [0, 1]}


def test_an_id_is_found_again_however_many_came_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FRESH", 2)
    writer, rows = VectorWriter(tmp_path, "chunks"), np.eye(9, dtype=np.float32)
    ids = list("abcdefghi")
    for place, key in enumerate(ids):
        writer.put([key], [digest(key)], rows[place : place + 1])
    writer.put(["a", "b"], [digest("a"), digest("new")], rows[[7, 8]])
    writer.drop(["c"])
    writer.close(9)
    found = {key: int(vector.argmax()) for key, vector in VectorSet(tmp_path, "chunks").items()}
    assert found == {key: place for place, key in enumerate(ids) if key != "c"} | {"b": 8}


def test_a_vector_is_found_by_the_digest_of_its_text_though_its_id_is_gone(tmp_path: Path) -> None:
    changed(tmp_path, dict.fromkeys("abcefghi", "y") | {"a": "x"})
    opened = changed(tmp_path, {"a": None, "d": "x"})
    for text in ("ax", "by", "dx"):
        vector = opened.by_digest(digest(text))
        assert vector is not None
        assert vector.tolist() == vector_of(text)
    assert opened.by_digest(digest("nothing")) is None


def test_memory_does_not_grow_with_the_vectors_that_are_written(tmp_path: Path) -> None:
    block, size = np.ones((500, 384), dtype=np.float32), 40
    tracemalloc.start()
    writer = VectorWriter(tmp_path, "names")
    for number in range(size):
        ids = [f"{number} {row}" for row in range(len(block))]
        writer.put(ids, [digest(key) for key in ids], block)
    writer.close(384)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(VectorSet(tmp_path, "names")) == size * len(block)
    assert peak < size * block.nbytes / 4


def test_the_product_of_two_vectors_does_not_depend_on_what_else_is_searched(
    tmp_path: Path,
) -> None:
    drawn = np.random.default_rng(0).standard_normal((300, 384)).astype(np.float32)
    rows = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    ids = [f"{number:03}" for number in range(len(rows))]
    write(tmp_path, "names", ids, rows)
    opened = VectorSet(tmp_path, "names")
    together = {(place, key): score for place, key, score in opened.above(rows, 0.05)}
    assert len(together) > len(rows)
    for place in range(0, 300, 50):
        alone = {key: score for _, key, score in opened.above(rows[[place]], 0.05)}
        assert alone == {key: score for (p, key), score in together.items() if p == place}
        assert alone[ids[place]] == pytest.approx(1)


def test_vectors_are_given_by_id(vectors: VectorSet) -> None:
    assert vectors.vectors(["d", "c"]).tolist() == [[-1, 0], [1, 0]]
    assert vectors.vectors([]).shape == (0, 2)
    with pytest.raises(GraphError, match="no vector for e"):
        vectors.vectors(["e"])


def test_an_empty_set_is_found_empty(tmp_path: Path) -> None:
    write(tmp_path, "names", [], np.zeros((0, 2), dtype=np.float32))
    opened = VectorSet(tmp_path, "names")
    assert (len(opened), opened.dimension) == (0, 2)
    assert opened.search(ROWS[0], 3) == []
    assert list(opened.above(ROWS, -1)) == []
    assert opened.by_digest(digest("")) is None


def test_a_set_nothing_was_put_in_has_the_dimension_of_the_embedder(tmp_path: Path) -> None:
    assert changed(tmp_path, {}).dimension == 4


def test_a_vector_of_another_space_is_refused(vectors: VectorSet, tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="dimension 2"):
        vectors.search(np.zeros(3, dtype=np.float32), 1)
    with pytest.raises(GraphError, match="dimension 2"):
        list(vectors.above(np.zeros((1, 3), dtype=np.float32), 0.5))
    with pytest.raises(ValueError, match="beside some of 2"):
        VectorWriter(tmp_path, "names").put(["e"], [bytes(16)], np.zeros((1, 3), dtype=np.float32))


def test_a_missing_or_mixed_up_set_is_named(tmp_path: Path) -> None:
    write(tmp_path, "names", IDS, ROWS)
    with pytest.raises(GraphError, match=r"chunks\.0\.npy: cannot read"):
        VectorSet(tmp_path, "chunks")
    (tmp_path / "names.0.ids").write_text('"a"\n')
    with pytest.raises(GraphError, match="4 vectors for 1 ids"):
        VectorSet(tmp_path, "names")
    (tmp_path / "names.0.ids").unlink()
    with pytest.raises(GraphError, match=r"names\.0\.ids: cannot read"):
        VectorSet(tmp_path, "names")
    (tmp_path / "names.0.ids").write_text('"a\n' * len(IDS))
    broken = VectorSet(tmp_path, "names")
    with pytest.raises(GraphError, match=r"names\.0\.ids: cannot read"):
        broken.search(ROWS[0], 1)


def test_a_disk_that_fails_is_told_with_what_mends_it(tmp_path: Path) -> None:
    (tmp_path / "names.0.keys").mkdir()
    with pytest.raises(GraphError, match=r"names\.0\.keys: cannot write.*free some space"):
        VectorWriter(tmp_path, "names").put(IDS, [bytes(16)] * 4, ROWS)


def test_rows_and_ids_must_belong_together(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="3 ids"):
        write(tmp_path, "names", IDS[:3], ROWS)
    with pytest.raises(ValueError, match="1 digests"):
        VectorWriter(tmp_path, "names").put(IDS, [bytes(16)], ROWS)
