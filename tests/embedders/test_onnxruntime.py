import subprocess
import sys
import time
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    assert together.tobytes() == alone.tobytes()


def test_a_vector_is_the_same_to_the_last_bit_in_whatever_batch_and_order(
    embedder: Embedder,
) -> None:
    random = Random(7)
    words = "the of river Curie Москва 東京 born 1867 — physicist, in Warsaw".split()
    lengths = [random.choice((1, 3, 8, 20, 60, 300)) for _ in range(80)]
    texts = [" ".join(random.choices(words, k=length)) for length in lengths]
    alone = {text: embedder.encode([text]).tobytes() for text in texts}
    for _ in range(6):
        batch = random.choices(texts, k=random.choice((2, 9, 50, 120)))
        rows = [vector.tobytes() for vector in embedder.encode(batch)]
        assert rows == [alone[text] for text in batch]


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


@given(st.lists(st.integers(1, 600)))
def test_batches_hold_every_row_once_few_tokens_and_texts_of_one_length(lengths: list[int]) -> None:
    groups = list(batches(lengths))
    assert sorted(row for rows in groups for row in rows) == list(range(len(lengths)))
    for rows in groups:
        assert len({lengths[row] for row in rows}) == 1
        assert len(rows) == 1 or len(rows) * lengths[rows[0]] <= BATCH_TOKENS


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
