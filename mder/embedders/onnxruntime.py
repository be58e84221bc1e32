"""The only owner of onnxruntime and tokenizers: a BERT sentence encoder without torch."""

import json
from collections.abc import Sequence
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

# Tokens in a batch, padding included: larger batches leave the processor's caches and are slower.
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
        rows = sorted(range(len(texts)), key=lambda row: len(encodings[row]))
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for batch in batches(rows, [len(encoding) for encoding in encodings]):
            vectors[batch] = self._run([encodings[row] for row in batch])
        return vectors

    def _run(self, encodings: Sequence["Encoding"]) -> Vectors:
        shape = len(encodings), max(map(len, encodings))
        ids, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding)] = encoding.ids
            mask[row, : len(encoding)] = 1
        vectors: Vectors = self._session.run(None, {"ids": ids, "mask": mask})[0]
        return vectors

    @cached_property
    def _session(self) -> "InferenceSession":
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = ERRORS_ONLY
        # Threads that wait busily gain nothing here, and cost the other work of a run.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
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


def batches(rows: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
    """Group rows, shortest first, so that each group padded to its longest holds few tokens."""
    groups: list[list[int]] = []
    for row in rows:
        if groups and (len(groups[-1]) + 1) * lengths[row] <= BATCH_TOKENS:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups
