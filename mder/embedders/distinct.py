"""What every Embedder does alike: encode each text once, in an order that suits batches."""

from collections.abc import Callable, Sequence

import numpy as np

from mder.embedders.base import Vectors


def encode_distinct(texts: Sequence[str], encode: Callable[[list[str]], Vectors]) -> Vectors:
    """Encode each distinct text once and return one row a text, in the order given.

    :param encode: gets at least one text; short ones come first, so that a batch needs little
        padding.
    """
    order = sorted(set(texts), key=lambda text: (len(text), text))
    place = {text: row for row, text in enumerate(order)}
    return encode(order)[[place[text] for text in texts]]


def unit(vectors: Vectors) -> Vectors:
    """Scale each row to length 1, as float32."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
