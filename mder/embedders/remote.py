"""What the Embedders that ask a server have in common."""

import time
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from mder.embedders.base import Vectors
from mder.embedders.distinct import encode_distinct, unit
from mder.errors import ModelError

Send = Callable[[list[str]], Sequence[Sequence[float]]]

BATCH = 64
TRIES = 3
# Servers refuse an empty text, or give no vector for it.
BLANK = "-"


class RemoteEmbedder:
    """An Embedder made of a function that sends one batch of texts to a server.

    :param send: returns one vector a text, in order; raises ModelError.
    :param delay: seconds before a failed batch is sent again; doubled for each try after it.
    """

    def __init__(self, name: str, send: Send, *, delay: float = 1.0) -> None:
        self.name = name
        self._send = send
        self._delay = delay

    @cached_property
    def dimension(self) -> int:
        """Length of a vector; asks the server.

        :raises ModelError: when the server or the model is not there.
        """
        return int(self._encode(["dimension"]).shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 of shape (len(texts), dimension), each row of unit length.

        :raises ModelError: when the server or the model is not there, or its reply is not usable.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return encode_distinct([text.strip() or BLANK for text in texts], self._encode)

    def _encode(self, texts: list[str]) -> Vectors:
        rows: list[Sequence[float]] = []
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            received = self._patiently(batch)
            if len(received) != len(batch):
                raise ModelError(
                    f"{self.name} gave {len(received)} vectors for {len(batch)} texts; "
                    "name a model made for embeddings"
                )
            rows += received
        if len({len(row) for row in rows}) != 1 or not rows[0]:
            raise ModelError(f"{self.name} gave vectors of several lengths; name another model")
        return unit(np.array(rows, dtype=np.float32))

    def _patiently(self, batch: list[str]) -> Sequence[Sequence[float]]:
        for attempt in range(TRIES - 1):
            try:
                return self._send(batch)
            except ModelError as error:
                if not error.retryable:
                    raise
                asked = error.retry_after
            time.sleep(self._delay * 2**attempt if asked is None else asked)
        return self._send(batch)
