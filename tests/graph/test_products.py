from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mder.graph import products as module
from mder.graph.products import Products


@settings(max_examples=30)
@given(
    st.lists(st.integers(0, 40), max_size=4),
    st.integers(1, 7),
    st.integers(0, 3),
    st.integers(0, 2**32 - 1),
)
def test_all_rows_are_there_however_many_compute_them(
    sizes: list[int], least: int, helpers: int, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    matrices = [chance.standard_normal((size, 5), dtype=np.float32) for size in sizes]
    vector = chance.standard_normal(5, dtype=np.float32)
    with pytest.MonkeyPatch.context() as patched, ThreadPoolExecutor(max(helpers, 1)) as pool:
        patched.setattr(module, "_LEAST", least)
        products = Products(matrices, vector)
        for _ in range(helpers):
            pool.submit(products.work)
        found = products.all()
    rows = np.concatenate([np.empty((0, 5), dtype=np.float32), *matrices])
    assert found == pytest.approx(rows @ vector, abs=1e-5)
    assert products.all() is found


def test_a_thread_that_fails_keeps_nobody_waiting() -> None:
    products = Products([np.ones((3, 2), dtype=np.float32)], np.ones(5, dtype=np.float32))
    with pytest.raises(ValueError, match="vecdot"):
        products.work()
    assert len(products.all()) == 3
