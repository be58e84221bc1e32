import subprocess
import sys
import time

import numpy as np
import pytest

from mder.embedders import PACKAGED, open_embedder
from mder.embedders.base import Embedder
from mder.embedders.onnxruntime import BATCH_TOKENS, batches

TEXTS = (
    "Marie Curie",
    "",
    "Москва",
    "東京は日本の首都です。",
    "Marie Curie was born in Warsaw and studied physics in Paris. " * 3,
    "word " * 2000,
    "x" * 5000,
)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return open_embedder()


def test_vectors_are_rows_of_unit_length(embedder: Embedder) -> None:
    vectors = embedder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension) == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_no_text_gives_no_vector(embedder: Embedder) -> None:
    assert embedder.encode([]).shape == (0, 384)


def test_a_vector_does_not_depend_on_its_batch(embedder: Embedder) -> None:
    together = embedder.encode(TEXTS)
    alone = np.concatenate([embedder.encode([text]) for text in TEXTS])
    assert np.abs(together - alone).max() < 1e-5


def test_repeated_texts_have_the_same_vector_and_order_is_kept(embedder: Embedder) -> None:
    vectors = embedder.encode(["one", "two", "one"])
    assert np.array_equal(vectors[0], vectors[2])
    assert np.array_equal(embedder.encode(["two", "one", "one"])[0], vectors[1])


def test_like_texts_are_near(embedder: Embedder) -> None:
    cat, kitten, law = embedder.encode(["a cat", "a kitten", "a tax law"])
    assert cat @ kitten > 0.7 > 0.4 > cat @ law


def test_the_vectors_are_those_known_of_the_model(embedder: Embedder) -> None:
    # First values as sentence-transformers computes them with torch from the same weights.
    vector = embedder.encode(["This is an example sentence"])[0]
    assert np.allclose(vector[:4], [0.0676569, 0.0634959, 0.0487131, 0.0793049], atol=1e-5)


def test_batches_hold_every_row_once_and_few_tokens() -> None:
    lengths = [3, 3, 4, 200, 256, 600]
    groups = batches(range(6), lengths)
    assert [row for group in groups for row in group] == [0, 1, 2, 3, 4, 5]
    for group in groups:
        assert len(group) == 1 or len(group) * max(lengths[row] for row in group) <= BATCH_TOKENS


def test_the_packaged_model_starts_without_torch() -> None:
    code = (
        "import sys\n"
        "from mder.embedders import open_embedder\n"
        "assert open_embedder().encode(['x']).shape == (1, 384)\n"
        "assert not {'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)\n"
    )
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    assert time.perf_counter() - started < 10
    assert open_embedder().name == PACKAGED
