import subprocess
import sys
from pathlib import Path

import pytest

from mder.embedders.sentence_transformers import SentenceTransformersEmbedder
from mder.errors import ModelError

# In a process of its own: torch takes seconds to import and warns about its own parts.
COMPARE = """
import sys
import numpy as np
from mder.embedders import open_embedder
from mder.embedders.sentence_transformers import SentenceTransformersEmbedder
fast = open_embedder()
slow = SentenceTransformersEmbedder(fast.name, str(fast.folder))
texts = ["Marie Curie", "", "東京は首都。", "It rains. " * 30, "word " * 500, "Marie Curie"]
vectors = slow.encode(texts)
assert vectors.dtype == np.float32 and vectors.shape == (6, slow.dimension)
assert slow.encode([]).shape == (0, fast.dimension)
assert (vectors * fast.encode(texts)).sum(1).min() > 0.9999
"""


def test_torch_and_onnx_give_the_same_vectors() -> None:
    subprocess.run([sys.executable, "-c", COMPARE], check=True)


def test_a_model_that_is_not_here_says_how_to_fetch_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Absent:
        def __init__(self, *_: object, **__: object) -> None:
            raise OSError("not in the cache")

    module = type(sys)("sentence_transformers")
    module.SentenceTransformer = Absent  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    name = str(tmp_path / "nowhere")
    with pytest.raises(ModelError, match=f"hf download {name}"):
        SentenceTransformersEmbedder(name).encode(["x"])
