"""Embedding models of OpenAI and of every server that speaks its API."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mder.embedders.remote import RemoteEmbedder
from mder.models.openai import connect, translated

if TYPE_CHECKING:
    from openai import OpenAI


def openai_embedder(model: str, client: "OpenAI | None" = None) -> RemoteEmbedder:
    """Return the Embedder ``openai/<model>``.

    :param client: the server to ask; the one that ``OPENAI_BASE_URL`` names where it is not given.
    :raises UsageError: when OpenAI itself is meant and ``OPENAI_API_KEY`` is not set.
    """
    server = client or connect()

    def send(texts: list[str]) -> Sequence[Sequence[float]]:
        with translated(server, model):
            # Not every server knows base64, which the client would ask for.
            reply = server.embeddings.create(model=model, input=texts, encoding_format="float")
        return [item.embedding for item in sorted(reply.data, key=lambda item: item.index)]

    return RemoteEmbedder(f"openai/{model}", send)
