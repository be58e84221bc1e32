"""What a chunk threshold does with the default Embedder: python -m benchmarks.chunk_threshold DIR.

For each threshold: the share of gaps between sentences that lie below it, and the Chunks that come
of it. ``--quick`` takes five Documents only. The last line is JSON.
"""

import argparse
import json
import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path

import numpy as np

from mder.chunk import chunk, identified, similarities
from mder.embedders import open_embedder
from mder.embedders.base import Embedder
from mder.embedders.memory import RememberingEmbedder
from mder.records import Document
from mder.sentences import sentences
from mder.settings import Settings
from mder.sources import discover, read

THRESHOLDS = (0.75, 0.6, 0.5, 0.45, 0.4, 0.35, 0.3, 0.2)
QUICK = 5
PACKAGES = ("numpy", "onnxruntime", "sentencex", "tokenizers")


def documents(folder: Path) -> Iterator[Document]:
    """Read what can be read."""
    for path in discover([folder]):
        for found in read(path, str(path)):
            if isinstance(found, Document):
                yield identified(found)


def gaps(found: Sequence[Document], embedder: Embedder, window: int) -> list[float]:
    """Return the likeness at every gap between sentences of all Documents."""
    return [
        likeness
        for document in found
        for likeness in similarities(
            [document.text[a:b] for a, b in sentences(document.text, document.language)],
            embedder,
            window,
        )
    ]


def quantiles(values: Sequence[float]) -> list[float]:
    """Return the tenth, the middle and the ninth tenth."""
    return [round(float(q), 3) for q in np.quantile(values, [0.1, 0.5, 0.9])]


def measure(
    found: Sequence[Document], embedder: Embedder, threshold: float, likeness: Sequence[float]
) -> dict[str, object]:
    """Chunk all Documents at one threshold."""
    chunks = [part for document in found for part in chunk(document, embedder, threshold=threshold)]
    counts = [len(sentences(part.text, part.language)) for part in chunks]
    return {
        "threshold": threshold,
        "gaps_below": round(sum(x < threshold for x in likeness) / len(likeness), 3),
        "chunks": len(chunks),
        "mean_sentences": round(sum(counts) / len(counts), 1),
        "sentences": quantiles(counts),
        "characters": quantiles([len(part.text) for part in chunks]),
    }


def main() -> None:
    """Print a table and the JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK} documents")
    options = parser.parse_args()
    found = list(islice(documents(options.folder), QUICK if options.quick else None))
    embedder = RememberingEmbedder(open_embedder())
    likeness = gaps(found, embedder, Settings().chunk_window)
    rows = [measure(found, embedder, threshold, likeness) for threshold in THRESHOLDS]
    for row in rows:
        print("  ".join(f"{key} {value}" for key, value in row.items()))
    print(
        json.dumps(
            {
                "benchmark": "chunk_threshold",
                "folder": options.folder.name,
                "documents": len(found),
                "gaps": len(likeness),
                "seconds_encoding": round(embedder.seconds, 2),
                "embedder": embedder.name,
                "likeness": quantiles(likeness),
                "thresholds": rows,
                "python": platform.python_version(),
                "versions": {package: version(package) for package in PACKAGES},
            }
        )
    )


if __name__ == "__main__":
    main()
