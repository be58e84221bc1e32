"""The order of the stages: from files to a new Generation."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from mder import VERSION
from mder.embedders.base import Embedder
from mder.embedders.memory import RememberingEmbedder
from mder.errors import GraphError, SourceError
from mder.graph.generations import Home
from mder.graph.manifest import Cost, Manifest
from mder.graph.store import SETS, Graph
from mder.journal import Journal
from mder.models.ledger import Ledger
from mder.names import escaped
from mder.pipeline import generation
from mder.pipeline.clock import Clock
from mder.pipeline.documents import PARTIAL, read_all, reader, reading_key
from mder.pipeline.plan import Plan, planned
from mder.pipeline.report import Report, costs
from mder.pipeline.whole import Progress, build
from mder.reasoners.cast import Cast
from mder.records import Document, Knowledge, Reading
from mder.settings import APART, Settings, save
from mder.sources import discover, file_of, read

__all__ = ["Progress", "Report", "index", "rehearse"]


def index(
    paths: Sequence[Path],
    home: Home,
    journal: Journal,
    settings: Settings,
    cast: Cast,
    embedder: Embedder,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    retry_failed: bool = False,
    jobs: int = 1,
    ledger: Ledger | None = None,
    progress: Progress = lambda *_: None,
) -> Report:
    """Bring the graph to the state of the sources; Documents that are not named stay.

    The caller holds the lock of ``home``.

    :param include: only files that match one of these globs; ``exclude``: none that do.
    :param retry_failed: ask again for what no reply could be used for; where no path is given, do
        nothing else.
    :param jobs: Documents read at a time, and requests sent.
    :param ledger: the one that the Reasoners count in.
    :raises BudgetError: when its budget is spent; what was done until then is in the journal.
    :raises ModelError: when a model is not there; the same holds.
    :raises GraphError: when the graph cannot be written, or breaks a rule of the ontology.
    :raises UsageError: when a path does not exist.
    """
    current = _current(home)
    known = RememberingEmbedder(embedder, generation.recall(current, embedder.name))
    run = _Run(home, current, settings, cast, known, jobs, progress, ledger or Ledger())
    return run(journal, list(discover(paths, include, exclude)), retry_failed=retry_failed)


def rehearse(
    paths: Sequence[Path],
    home: Home,
    journal: Journal,
    settings: Settings,
    cast: Cast,
    embedder: Embedder,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    retry_failed: bool = False,
    sample: int = 400,
    stands_for: str = "",
    progress: Progress = lambda *_: None,
) -> float:
    """Do what :func:`index` would, but for writing anything, so that the Cast can count it.

    :param sample: the most Documents read; they lie evenly among all.
    :param stands_for: name of the Embedder that :func:`index` would use, where it is another one.
    :returns: of the Documents to be read, the share that was.
    """
    current = _current(home)
    known = RememberingEmbedder(embedder, generation.recall(current, embedder.name))
    run = _Run(home, current, settings, cast, known, 1, progress, Ledger(), stands_for)
    files = list(discover(paths, include, exclude))
    return run.rehearse(journal, files, sample, retry_failed=retry_failed)


@dataclass(slots=True)
class _Run:
    """One run of :func:`index`."""

    home: Home
    current: Graph | None
    settings: Settings
    cast: Cast
    embedder: RememberingEmbedder
    jobs: int
    progress: Progress
    ledger: Ledger
    stands_for: str = ""
    clock: Clock = field(default_factory=Clock)
    skipped: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)

    def __call__(self, journal: Journal, files: Sequence[Path], *, retry_failed: bool) -> Report:
        """Read what is new, build the graph of everything, and switch to it."""
        plan = self._plan(journal, files, retry_failed=retry_failed)
        if self._done(plan, journal, retry_failed=retry_failed):
            return self._report(int(self.home.current().name), (), plan, changed=False)
        try:
            return self._carried_out(plan, journal)
        except BaseException:
            # What waits for a server waits no longer.
            self.ledger.stop()
            raise

    def _carried_out(self, plan: Plan, journal: Journal) -> Report:
        began = time.time()
        kept = plan.kept(journal)
        self._require({s: k for s, k in plan.keys.items() if k not in kept and k not in plan.new})
        new = dict(self._read(list(plan.new.items()), journal))
        sources = {reading.document.source: key for key, reading in new.items()}
        keys = plan.keys | sources
        number = self._publish([*kept.values(), *new.values()], keys, journal)
        journal.pardon(began, sources, ("disambiguate", "enrich", "reduce"))
        journal.forget(keys)
        return self._report(number, tuple(new.values()), plan, changed=True)

    def rehearse(
        self, journal: Journal, files: Sequence[Path], sample: int, *, retry_failed: bool
    ) -> float:
        """Read some of what is new, and build the graph of that and all that is kept."""
        plan = self._plan(journal, files, retry_failed=retry_failed)
        if self._done(plan, journal, retry_failed=retry_failed):
            return 1.0
        step = max(1, -(-len(plan.new) // sample))
        some = list(plan.new.values())[::step]
        read_one = reader(self.settings, self.cast, self.embedder, self.clock)
        new = []
        for done, document in enumerate(some, start=1):
            new.append(read_one(document))
            self.progress("rehearse", done, len(some))
        self._build([*plan.kept(journal).values(), *new])
        return len(some) / len(plan.new) if plan.new else 1.0

    def _done(self, plan: Plan, journal: Journal, *, retry_failed: bool) -> bool:
        """Say whether the current Generation is what this run would make."""
        if self.current is None or plan.keys != plan.before:
            return False
        again = retry_failed and bool(plan.new or journal.failures())
        return self._built_alike(self.current.manifest) and not again

    def _plan(self, journal: Journal, files: Sequence[Path], *, retry_failed: bool) -> Plan:
        before = self.current.manifest.documents if self.current else {}
        if self.current is None and self.home.published:
            # The graph is damaged; the journal has all that it was made of.
            before = journal.documents()
        found = {self._key(d): d for d in self._documents(files)}
        plan = planned(before, found, journal)
        if retry_failed:
            plan = plan.again(journal)
        base = self.home.path.resolve().parent
        others = plan.keys.keys() - plan.named
        self.gone = [s for s in others if not (base / file_of(s)).exists()]
        return plan

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
        embedder = self.stands_for or self.embedder.name
        return reading_key(document, self.settings, self.cast, embedder)

    def _built_alike(self, made: Manifest) -> bool:
        settings = {k: v for k, v in asdict(self.settings).items() if k not in APART}
        before = {k: v for k, v in made.settings.items() if k not in APART}
        return (made.version, before) == (VERSION, settings)

    def _read(
        self, new: Sequence[tuple[str, Document]], journal: Journal
    ) -> Iterator[tuple[str, Reading]]:
        read_one = reader(self.settings, self.cast, self.embedder, self.clock)
        made = read_all(new, read_one, journal, self.jobs, self.ledger.stop)
        for done, pair in enumerate(made, start=1):
            self.progress("read", done, len(new))
            yield pair

    def _build(self, readings: Sequence[Reading]) -> Knowledge:
        return build(
            readings,
            self.settings,
            self.cast,
            self.embedder,
            jobs=self.jobs,
            stop=self.ledger.stop,
            clock=self.clock,
            progress=self.progress,
        )

    def _publish(
        self, readings: Sequence[Reading], keys: Mapping[str, str], journal: Journal
    ) -> int:
        knowledge = self._build(readings)
        staged = self.home.begin()
        generation.write(
            staged,
            knowledge,
            keys,
            asdict(self.settings),
            self.cast.names,
            list(self._costs(journal)),
            self.embedder,
            self.clock,
        )
        number = self.home.publish(staged)
        save(self.settings, self.home.settings)
        self.home.prune()
        return number

    def _costs(self, journal: Journal) -> Iterator[Cost]:
        found = journal.failures()
        return costs(journal.spending(), found, self.ledger.stages, self.cast.names)

    def _report(self, number: int, new: Sequence[Reading], plan: Plan, *, changed: bool) -> Report:
        unread = {
            (r.document.source, c.language)
            for r in new
            for c in r.chunks
            if not self.cast.map.reads(c.language)
        }
        failed = [source for source, key in plan.keys.items() if key.endswith(PARTIAL)]
        seconds = {**self.clock.seconds, "encode": self.embedder.seconds}
        return Report(
            number,
            changed,
            len(new),
            len(plan.named - {r.document.source for r in new}),
            tuple(self.skipped),
            tuple(
                sorted(
                    {
                        *failed,
                        *(
                            r.document.source
                            for r in new
                            if r.extraction.failed or r.extraction.missed
                        ),
                    }
                )
            ),
            tuple(sorted(self.gone)),
            tuple(sorted(unread)),
            seconds,
            self.ledger.stages,
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
