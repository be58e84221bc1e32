"""The only owner of onnxruntime and tokenizers: a BERT sentence encoder without torch."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mder.embedders import bert
from mder.embedders.base import Vectors
from mder.embedders.distinct import encode_distinct

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

# Tokens in a batch: larger batches leave the processor's caches and are slower.
BATCH_TOKENS = 512
ERRORS_ONLY = 3


class OnnxEmbedder:
    """A BERT sentence encoder with mean pooling, from a sentence-transformers folder.

    :param folder: holds ``config.json``, ``sentence_bert_config.json``, ``tokenizer.json`` and
        ``model.safetensors``; nothing is written to it.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name

    @cached_property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._read("config.json")["hidden_size"])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 of shape (len(texts), dimension), each row of unit length."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return encode_distinct(texts, self._encode)

    def _encode(self, texts: list[str]) -> Vectors:
        encodings = self._tokenizer.encode_batch_fast(texts)
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for rows in batches([len(encoding) for encoding in encodings]):
            vectors[rows] = self._run([encodings[row] for row in rows])
        return vectors

    def _run(self, encodings: Sequence["Encoding"]) -> Vectors:
        ids = np.array([encoding.ids for encoding in encodings], dtype=np.int64)
        feed = {"ids": ids, "mask": np.ones_like(ids)}
        vectors: Vectors = self._session.run(None, feed)[0]
        return vectors

    @cached_property
    def _session(self) -> "InferenceSession":
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = ERRORS_ONLY
        # Threads wait busily for the next of the many small steps of a text, and not for texts.
        options.add_session_config_entry("session.force_spinning_stop", "1")
        options.add_session_config_entry(
            "session.model_external_initializers_file_folder_path", str(self.folder)
        )
        graph = bert.graph(self.folder)
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_padding()
        limit = int(self._read("sentence_bert_config.json")["max_seq_length"])
        tokenizer.enable_truncation(limit)
        return tokenizer

    def _read(self, file: str) -> dict[str, int]:
        values: dict[str, int] = json.loads((self.folder / file).read_text(encoding="utf-8"))
        return values


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the rows of batches that hold few tokens, of texts of one length each.

    Padding moves the last bits of a vector, which must not depend on what it is encoded with.

    :param lengths: the tokens of each row.
    """
    alike: dict[int, list[int]] = defaultdict(list)
    for row, length in enumerate(lengths):
        alike[length].append(row)
    for length, rows in alike.items():
        most = max(1, BATCH_TOKENS // length)
        yield from (rows[at : at + most] for at in range(0, len(rows), most))
