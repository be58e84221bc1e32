"""The stages that stream: each Document by itself, from its text to its triples."""

import hashlib
import time
from collections.abc import Iterable, Iterator
from typing import Protocol

import msgspec

from mder import VERSION
from mder.chunk import chunk, identified
from mder.embedders.base import Embedder
from mder.journal import Journal
from mder.map import map_document
from mder.pipeline.clock import Clock
from mder.pipeline.pool import Stop, spread
from mder.reasoners.cast import Cast
from mder.records import Document, Reading
from mder.settings import Settings
from mder.summarize import summarize
from mder.translate import translate

_COMMIT = 32  # Documents whose results are made durable together
_LATEST = 1.0  # seconds after which they are, however few
FAILED, MISSED = "-failed", "-missed"
PARTIAL = (FAILED, MISSED)
# Raised when a stage gives other results for the same input.
_STAGES = 2


class Reader(Protocol):
    """Reads one Document."""

    def __call__(self, document: Document) -> Reading:
        """Return what was found in it."""


def reader(settings: Settings, cast: Cast, embedder: Embedder, clock: Clock) -> Reader:
    """Return the function that takes one Document through its stages."""
    together = cast.summarize is cast.translate

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
            chunks = summarize(chunks, cast.summarize, settings.language if together else "")
        with clock.time("translate"):
            chunks = translate(chunks, cast.translate, settings.language)
        with clock.time("map"):
            return Reading(document, chunks, map_document(document, chunks, cast.map))

    return read


def reading_key(document: Document, settings: Settings, cast: Cast, embedder: str) -> str:
    """Return what the results of a Document depend on, as SHA-256 (hex)."""
    chunking = [getattr(settings, name) for name in settings.__slots__ if name.startswith("chunk_")]
    content = [document.source, document.digest, document.metadata, document.sections]
    stages = ("summarize", "translate", "map")
    reasoners = [cast.names[stage] for stage in stages]
    wordings = [w for stage in stages if (w := cast.wordings.get(stage))]
    terms = [*_terms(settings, reasoners), *wordings]
    basis = [VERSION, _STAGES, *content, *terms, embedder, chunking]
    return hashlib.sha256(msgspec.json.encode(basis)).hexdigest()


def _terms(settings: Settings, reasoners: list[str]) -> list[object]:
    """Return what shapes the reading by these Reasoners; only models are asked in batches."""
    if set(reasoners) == {"syntax"}:
        return [*reasoners, settings.language]
    single = settings.llm_batch == 1
    return [*reasoners, settings.language, single, settings.own_summary_characters]


def _outcome(key: str, reading: Reading) -> str:
    """Return the key of results, another where some are missing, so that they can be told apart."""
    found = reading.extraction
    return f"{key}{MISSED if found.missed else FAILED if found.failed else ''}"


def read_all(
    documents: Iterable[tuple[str, Document]],
    read: Reader,
    journal: Journal,
    jobs: int,
    stop: Stop = lambda: None,
) -> Iterator[tuple[str, Reading]]:
    """Yield (key, results) of Documents, durable before they are yielded.

    :param jobs: Documents read at a time.
    :param stop: see :func:`mder.pipeline.pool.spread`.
    """
    done: list[tuple[str, Reading]] = []
    since = time.monotonic()
    try:
        for key, reading in spread(lambda pair: (pair[0], read(pair[1])), documents, jobs, stop):
            done.append((_outcome(key, reading), reading))
            if len(done) >= _COMMIT or time.monotonic() - since > _LATEST:
                journal.record(done)
                yield from done
                done, since = [], time.monotonic()
    finally:
        # Whatever ended the run, what was read stays read.
        journal.record(done)
    yield from done
