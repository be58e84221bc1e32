"""The order of the stages: from files to a new Generation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from mder import VERSION
from mder.embedders.base import Embedder
from mder.embedders.memory import RememberingEmbedder
from mder.errors import GraphError, SourceError
from mder.graph.generations import Home
from mder.graph.manifest import Manifest
from mder.graph.store import SETS, Graph
from mder.journal import Journal
from mder.names import escaped
from mder.pipeline import generation
from mder.pipeline.clock import Clock
from mder.pipeline.documents import read_all, reader, reading_key
from mder.pipeline.whole import Progress, build
from mder.reasoners.base import Reasoner
from mder.records import Document, Reading
from mder.settings import ASKING, Settings, save
from mder.sources import discover, file_of, read

__all__ = ["Progress", "Report", "index"]


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did.

    :param generation: number of the Generation that is current now.
    :param changed: whether this run made it.
    :param read: Documents read anew; ``kept`` were as before.
    :param skipped: files and rows that could not be read, with the reason.
    :param failed: Documents of which a part could not be mapped; the next run tries them again.
    :param gone: Documents whose files are no longer there; they stay in the graph.
    :param unread: Documents in a language that the Reasoner cannot map, with that language.
    :param seconds: time by what it went into, summed over jobs.
    """

    generation: int
    changed: bool
    read: int
    kept: int
    skipped: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)


def index(
    paths: Sequence[Path],
    home: Home,
    journal: Journal,
    settings: Settings,
    reasoner: Reasoner,
    embedder: Embedder,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    jobs: int = 1,
    progress: Progress = lambda *_: None,
) -> Report:
    """Bring the graph to the state of the sources; Documents that are not named stay.

    The caller holds the lock of ``home``.

    :param include: only files that match one of these globs; ``exclude``: none that do.
    :param jobs: Documents read at a time.
    :raises GraphError: when the graph cannot be written, or breaks a rule of the ontology.
    :raises UsageError: when a path does not exist.
    """
    current = _current(home)
    known = RememberingEmbedder(embedder, generation.recall(current, embedder.name))
    run = _Run(home, current, settings, reasoner, known, jobs, progress)
    return run(journal, list(discover(paths, include, exclude)))


@dataclass(slots=True)
class _Run:
    """One run of :func:`index`."""

    home: Home
    current: Graph | None
    settings: Settings
    reasoner: Reasoner
    embedder: RememberingEmbedder
    jobs: int
    progress: Progress
    clock: Clock = field(default_factory=Clock)
    skipped: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)

    def __call__(self, journal: Journal, files: Sequence[Path]) -> Report:
        """Read what is new, build the graph of everything, and switch to it."""
        current = self.current.manifest if self.current else None
        before = current.documents if current else {}
        if current is None and self.home.published:
            # The graph is damaged; the journal has all that it was made of.
            before = journal.documents()
        found = {self._key(d): d for d in self._documents(files)}
        named = {document.source: key for key, document in found.items()}
        keys = dict(_staying(before, named)) | named
        base = self.home.path.resolve().parent
        self.gone = [s for s in keys if s not in named and not (base / file_of(s)).exists()]
        if current is not None and keys == before and self._built_alike(current):
            return self._report(int(self.home.current().name), (), len(found), changed=False)
        kept = {k: r for k in keys.values() if (r := journal.reading(k)) is not None}
        self._require({s: k for s, k in keys.items() if k not in kept and k not in found})
        new = dict(self._read([(k, d) for k, d in found.items() if k not in kept], journal))
        keys |= {reading.document.source: key for key, reading in new.items()}
        number = self._publish([*kept.values(), *new.values()], keys)
        journal.forget(keys.values())
        return self._report(number, tuple(new.values()), len(found) - len(new), changed=True)

    def _require(self, missing: Mapping[str, str]) -> None:
        if missing:
            raise GraphError(
                f"the journal no longer holds what was read of {len(missing)} documents that the "
                f"graph has; name their files as well, the first is {min(missing)}"
            )

    def _documents(self, files: Sequence[Path]) -> Iterator[Document]:
        with self.clock.time("sources"):
            for done, path in enumerate(files, start=1):
                for document in read(path, self._source(path)):
                    if isinstance(document, SourceError):
                        self.skipped.append(str(document))
                    else:
                        yield document
                self.progress("sources", done, len(files))

    def _source(self, path: Path) -> str:
        """Return the identity of a file: below the folder of the graph, its path from there."""
        absolute, base = path.resolve(), self.home.path.resolve().parent
        below = absolute.relative_to(base) if absolute.is_relative_to(base) else absolute
        return escaped(below.as_posix())

    def _key(self, document: Document) -> str:
        return reading_key(document, self.settings, self.reasoner.name, self.embedder.name)

    def _built_alike(self, made: Manifest) -> bool:
        settings = {k: v for k, v in asdict(self.settings).items() if k not in ASKING}
        before = {k: v for k, v in made.settings.items() if k not in ASKING}
        return (made.version, before) == (VERSION, settings)

    def _read(
        self, new: Sequence[tuple[str, Document]], journal: Journal
    ) -> Iterator[tuple[str, Reading]]:
        read_one = reader(self.settings, self.reasoner, self.embedder, self.clock)
        for done, pair in enumerate(read_all(new, read_one, journal, self.jobs), start=1):
            self.progress("read", done, len(new))
            yield pair

    def _publish(self, readings: Iterable[Reading], keys: Mapping[str, str]) -> int:
        knowledge = build(
            list(readings),
            self.settings,
            self.reasoner,
            self.embedder,
            jobs=self.jobs,
            clock=self.clock,
            progress=self.progress,
        )
        staged = self.home.begin()
        settings = asdict(self.settings)
        generation.write(
            staged, knowledge, keys, settings, self.reasoner.name, self.embedder, self.clock
        )
        number = self.home.publish(staged)
        save(self.settings, self.home.settings)
        self.home.prune()
        return number

    def _report(
        self,
        number: int,
        new: Sequence[Reading],
        kept: int,
        *,
        changed: bool,
    ) -> Report:
        unread = {
            (r.document.source, c.language)
            for r in new
            for c in r.chunks
            if not self.reasoner.reads(c.language)
        }
        failed = sorted(r.document.source for r in new if r.extraction.failed)
        seconds = {**self.clock.seconds, "encode": self.embedder.seconds}
        return Report(
            number,
            changed,
            len(new),
            kept,
            tuple(self.skipped),
            tuple(failed),
            tuple(sorted(self.gone)),
            tuple(sorted(unread)),
            seconds,
        )


def _current(home: Home) -> Graph | None:
    """Return the current Generation; None where there is none that is whole."""
    try:
        graph = Graph.open(home.current())
        for which in SETS:
            graph.vectors(which)
    except GraphError:
        return None
    return graph


def _staying(before: Mapping[str, str], named: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the Documents that stay: all but rows that their file, read again, no longer has."""
    files = {file_of(source) for source in named}
    for source, key in before.items():
        file = file_of(source)
        if source in named or file == source or file not in files:
            yield source, key
