import numpy as np
import pytest

from mder.embedders import open_embedder
from mder.errors import ModelError, UsageError
from tests import stubs

VARIABLE = "OPENAI_BASE_URL"
PATH = "/v1/embeddings"


def test_vectors_come_from_the_server_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(embed=lambda text: [3.0, float(len(text))]) as url:
        monkeypatch.setenv(VARIABLE, url)
        embedder = open_embedder("openai/tiny-embed")
        vectors = embedder.encode(["12345678", "1234", ""])
        assert embedder.dimension == 2
        assert embedder.encode([]).shape == (0, 2)
    assert embedder.name == "openai/tiny-embed"
    assert vectors.dtype == np.float32
    assert np.allclose(vectors[1], [0.6, 0.8])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    # One for the texts, one for the dimension.
    assert url.count(PATH) == 2


def test_a_missing_server_says_what_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, stubs.refused())
    with pytest.raises(ModelError, match="start it") as caught:
        open_embedder("openai/tiny-embed").encode(["x"])
    assert "\n" not in str(caught.value)


def test_a_missing_model_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai() as url:
        monkeypatch.setenv(VARIABLE, url)
        with pytest.raises(ModelError, match="no model 'other'"):
            open_embedder("openai/other").encode(["x"])


def test_a_fault_that_passes_is_outlived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    with stubs.openai(faults=(503, 500)) as url:
        monkeypatch.setenv(VARIABLE, url)
        assert len(open_embedder("openai/tiny-embed").encode(["x"])) == 1
    assert url.count(PATH) == 3


def test_openai_itself_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        open_embedder("openai/text-embedding-3-small")
