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

# A text has the same vector to the last bit whatever it is encoded with: the shape of a batch alone
# decides in what order sums are made, and it is the same for all texts of as many tokens.
STEP = 2
# Larger batches make few texts costly; and those that leave the processor's caches are slower.
BATCH_TOKENS = 32
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
        for shape, rows in batches([len(encoding) for encoding in encodings]):
            found = self._run(shape, [encodings[row] for row in rows])
            vectors[rows] = found[: len(rows)]
        return vectors

    def _run(self, shape: tuple[int, int], encodings: Sequence["Encoding"]) -> Vectors:
        ids, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        # A row of which nothing counts would have no mean.
        mask[:, 0] = 1
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


def batches(lengths: Sequence[int]) -> Iterator[tuple[tuple[int, int], list[int]]]:
    """Yield batches: their shape (texts, tokens), which may be more than there are, and the rows.

    :param lengths: the tokens of each row.
    """
    alike: dict[int, list[int]] = defaultdict(list)
    for row, length in enumerate(lengths):
        alike[-(-length // STEP) * STEP].append(row)
    for tokens, rows in alike.items():
        texts = max(1, BATCH_TOKENS // tokens)
        for at in range(0, len(rows), texts):
            yield (texts, tokens), rows[at : at + texts]
