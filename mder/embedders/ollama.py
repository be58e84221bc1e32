"""Embedding models of an Ollama server."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mder.embedders.remote import RemoteEmbedder
from mder.models.ollama import KEEP_ALIVE, connect, translated

if TYPE_CHECKING:
    from ollama import Client


def ollama_embedder(model: str, client: "Client | None" = None) -> RemoteEmbedder:
    """Return the Embedder ``ollama/<model>``.

    :param client: the server to ask; the one that ``OLLAMA_HOST`` names where it is not given.
    """
    server = client or connect()

    def send(texts: list[str]) -> Sequence[Sequence[float]]:
        with translated(server, model):
            return server.embed(model, texts, keep_alive=KEEP_ALIVE).embeddings

    return RemoteEmbedder(f"ollama/{model}", send)
