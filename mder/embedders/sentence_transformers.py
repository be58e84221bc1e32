"""The only owner of sentence_transformers, and through it of torch."""

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mder.embedders.base import Vectors
from mder.embedders.distinct import encode_distinct, unit
from mder.errors import ModelError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class SentenceTransformersEmbedder:
    """Any model that sentence-transformers can load without the network.

    :param name: what the graph stores.
    :param place: a folder, or the name of a model in the local Hugging Face cache; ``name`` where
        it is not given.
    """

    def __init__(self, name: str, place: str = "") -> None:
        self.name = name
        self.place = place or name

    @cached_property
    def dimension(self) -> int:
        """Length of a vector.

        :raises ModelError: when the model is not on this machine.
        """
        return int(self._encode(["dimension"]).shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 of shape (len(texts), dimension), each row of unit length.

        :raises ModelError: when the model is not on this machine.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return encode_distinct(texts, self._encode)

    def _encode(self, texts: list[str]) -> Vectors:
        return unit(self._model.encode(texts, show_progress_bar=False, convert_to_numpy=True))

    @cached_property
    def _model(self) -> "SentenceTransformer":
        # Even a model that is on this machine is looked up at its hub otherwise.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            return SentenceTransformer(self.place, local_files_only=True)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"no sentence-transformers model {self.place!r} on this machine; check the name, "
                f"or fetch it: hf download {self.place}"
            ) from error
