import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mder.embedders.base import Vectors
from mder.embedders.distinct import encode_distinct, unit


@given(st.lists(st.text(max_size=3), min_size=1))
def test_each_distinct_text_is_encoded_once_and_rows_keep_their_order(texts: list[str]) -> None:
    asked: list[str] = []

    def encode(distinct: list[str]) -> Vectors:
        asked.extend(distinct)
        return np.array([[float(len(text))] for text in distinct], dtype=np.float32)

    rows = encode_distinct(texts, encode)
    assert [row[0] for row in rows] == [len(text) for text in texts]
    assert sorted(asked) == sorted(set(texts))


def test_the_order_of_encoding_does_not_depend_on_the_order_given() -> None:
    orders: list[list[str]] = []

    def encode(distinct: list[str]) -> Vectors:
        orders.append(distinct)
        return np.zeros((len(distinct), 1), dtype=np.float32)

    encode_distinct(["ccc", "a", "bb", "a"], encode)
    encode_distinct(["a", "bb", "a", "ccc"], encode)
    assert orders == [["a", "bb", "ccc"]] * 2


def test_unit_scales_rows_and_leaves_zeros() -> None:
    scaled = unit(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32))
    assert scaled.dtype == np.float32
    assert np.allclose(scaled, [[0.6, 0.8], [0.0, 0.0]])
