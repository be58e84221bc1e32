"""The stages that stream: each Document by itself, from its text to its triples."""

import hashlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Protocol

import msgspec

from mder import VERSION
from mder.chunk import chunk, identified
from mder.embedders.base import Embedder
from mder.journal import Journal
from mder.map import map_document
from mder.pipeline.clock import Clock
from mder.reasoners.base import Reasoner
from mder.records import Document, Reading
from mder.settings import Settings
from mder.summarize import summarize
from mder.translate import translate

_COMMIT = 32  # Documents whose results are made durable together
FAILED = "-failed"
# Raised when a stage gives other results for the same input.
_STAGES = 1


class Reader(Protocol):
    """Reads one Document."""

    def __call__(self, document: Document) -> Reading:
        """Return what was found in it."""


def reader(settings: Settings, reasoner: Reasoner, embedder: Embedder, clock: Clock) -> Reader:
    """Return the function that takes one Document through its stages."""

    def read(document: Document) -> Reading:
        document = identified(document)
        with clock.time("chunk"):
            chunks = chunk(
                document,
                embedder,
                threshold=settings.chunk_threshold,
                window=settings.chunk_window,
                min_sentences=settings.chunk_min_sentences,
                max_sentences=settings.chunk_max_sentences,
                min_characters=settings.chunk_min_characters,
                max_characters=settings.chunk_characters,
            )
        with clock.time("summarize"):
            chunks = summarize(chunks, reasoner)
        with clock.time("translate"):
            chunks = translate(chunks, reasoner, settings.language)
        with clock.time("map"):
            return Reading(document, chunks, map_document(document, chunks, reasoner))

    return read


def reading_key(document: Document, settings: Settings, reasoner: str, embedder: str) -> str:
    """Return what the results of a Document depend on, as SHA-256 (hex)."""
    chunking = [getattr(settings, name) for name in settings.__slots__ if name.startswith("chunk_")]
    content = [document.source, document.digest, document.metadata, document.sections]
    basis = [VERSION, _STAGES, *content, reasoner, embedder, settings.language, chunking]
    return hashlib.sha256(msgspec.json.encode(basis)).hexdigest()


def _outcome(key: str, reading: Reading) -> str:
    """Return the key of results, another where some failed, so that the next run tries again."""
    return f"{key}{FAILED}" if reading.extraction.failed else key


def read_all(
    documents: Iterable[tuple[str, Document]], read: Reader, journal: Journal, jobs: int
) -> Iterator[tuple[str, Reading]]:
    """Yield (key, results) of Documents, durable before they are yielded.

    :param jobs: Documents read at a time.
    """
    with ThreadPoolExecutor(jobs) as pool:
        remaining = iter(documents)
        while batch := list(islice(remaining, max(_COMMIT, jobs))):
            results = [
                (_outcome(k, r), r) for k, r in pool.map(lambda p: (p[0], read(p[1])), batch)
            ]
            journal.keep(results)
            yield from results
