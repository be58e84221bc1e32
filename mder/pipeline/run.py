"""One run: what is new is read, and a Generation made of what was and what changed."""

import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import msgspec

from mder import VERSION
from mder.embedders.memory import RememberingEmbedder
from mder.errors import GraphError
from mder.graph import provenance
from mder.graph.draft import STATE, Draft
from mder.graph.generations import Home
from mder.graph.manifest import Basis, Manifest, differences, read_manifest
from mder.graph.seal import check
from mder.graph.store import Graph
from mder.graph.vocabulary import PROVENANCE, agent_iri
from mder.journal import Journal
from mder.models.ledger import Ledger
from mder.pipeline.clock import Clock
from mder.pipeline.documents import PARTIAL, read_all, reader, reading_key
from mder.pipeline.found import Found
from mder.pipeline.plan import Plan, planned, renamed
from mder.pipeline.readings import Readings
from mder.pipeline.report import Report, costs
from mder.pipeline.state import State
from mder.pipeline.whole import STAGES, Progress, Work, update
from mder.reasoners.cast import Cast
from mder.records import Document, Reading
from mder.settings import APART, Settings, save

_WHOLE = ("disambiguate", "enrich", "reduce")


@dataclass(slots=True)
class Run:
    """One run of :func:`mder.pipeline.index`.

    :param stands_for: name of the Embedder that is meant, where another one stands in for it.
    """

    home: Home
    journal: Journal
    current: Graph | None
    settings: Settings
    cast: Cast
    embedder: RememberingEmbedder
    jobs: int = 1
    progress: Progress = lambda *_: None
    ledger: Ledger = field(default_factory=Ledger)
    stands_for: str = ""
    prune: bool = False
    removed: frozenset[str] = frozenset()
    retry_failed: bool = False
    reembed: bool = False
    keep: int = 2
    told: Callable[[str], None] = lambda _: None
    clock: Clock = field(default_factory=Clock)
    unread: set[tuple[str, str]] = field(default_factory=set)
    gone: list[str] = field(default_factory=list)

    def index(self, files: Sequence[Path]) -> Report:
        """Read what is new, bring the graph to it, and switch to that."""
        found = self._found(files)
        plan = self._plan(found)
        if self._done(plan):
            save(self.settings, self.home.settings)
            number = int(self.home.current().name)
            return self._report(number, plan, found, plan.keys, changed=False)
        try:
            return self._carried_out(plan, found)
        except BaseException:
            # What waits for a server waits no longer.
            self.ledger.stop()
            raise

    def _found(self, files: Sequence[Path]) -> Found:
        return Found(files, self.home.path.resolve().parent, self.clock, self.progress)

    def _plan(self, found: Found) -> Plan:
        before = self._before()
        if self.reembed and self.current:
            before = renamed(before, self.journal, self._key, self.current.manifest.embedder)
        plan = planned(before, found.keys(self._key), self.journal, found.cut)
        if self.retry_failed:
            plan = plan.retrying(self.journal)
        self.gone = found.missing([s for s in plan.keys if s not in plan.named])
        return plan.without(self.removed | frozenset(self.gone if self.prune else ()))

    def _before(self) -> Mapping[str, str]:
        """Return the keys of the results of the Documents that the graph has."""
        if self.current is not None:
            return self.current.manifest.documents
        try:
            # What is damaged may be something else, and the journal has what it was made of.
            return read_manifest(self.home.current()).documents
        except GraphError:
            return self.journal.documents() if self.home.published else {}

    def _key(self, document: Document, embedder: str = "") -> str:
        embedder = embedder or self.stands_for or self.embedder.name
        return reading_key(document, self.settings, self.cast, embedder)

    def _done(self, plan: Plan) -> bool:
        """Say whether the current Generation is what this run would make."""
        again = self.retry_failed and bool(self.journal.failures())
        other = again or self.reembed or plan.changed or self._differences()
        return self.current is not None and not other

    def _differences(self) -> list[str]:
        """Return in what the current Generation was made otherwise than this one is to be."""
        if self.current is None:
            return []
        return differences(self.current.manifest, self._basis(), APART)

    def _basis(self) -> Basis:
        return Basis(
            version=VERSION,
            stages=STAGES,
            embedder=self.stands_for or self.embedder.name,
            reasoners=dict(self.cast.names),
            prompts=dict(self.cast.wordings),
            settings=asdict(self.settings),
        )

    def _carried_out(self, plan: Plan, found: Found) -> Report:
        began = time.time()
        self._distrust()
        self._explain(plan)
        self._require({s: k for s, k in plan.keys.items() if s not in plan.new})
        # First, for what a killed run left there may fill the disk.
        staged = self.home.begin()
        try:
            keys = self._read(plan, found)
            changed = replace(plan, keys=keys).changed
            base = self._base(changed, keys)
            self._write(staged, base, changed, keys)
        except BaseException:
            shutil.rmtree(staged, ignore_errors=True)
            raise
        # First, for a run that is killed in between must not go back to other settings.
        save(self.settings, self.home.settings)
        number = self.home.publish(staged)
        self.home.prune(self.keep)
        self.journal.pardon(began, plan.new, () if base else _WHOLE)
        self.journal.forget(keys, self._kept(), plan.before.keys() - keys.keys())
        return self._report(number, plan, found, keys, changed=True)

    def _distrust(self) -> None:
        """Build on nothing of a Generation that is not to the last bit as it was written."""
        if self.current is not None:
            try:
                check(self.current.path, thorough=True)
            except GraphError as error:
                self.told(str(error).replace("run mder index again", "it is made anew"))
                self.current = None
                self.embedder.forget()

    def _kept(self) -> set[str]:
        """Return the keys of the results that the Generations are made of that are still there."""
        kept: set[str] = set()
        for _, path in self.home.kept():
            # Nobody goes back to one that is damaged.
            with suppress(GraphError):
                kept.update(read_manifest(path).documents.values())
        return kept

    def _explain(self, plan: Plan) -> None:
        """Tell what other settings or another version mean for what is there."""
        if why := self._differences():
            again = len(plan.new & plan.before.keys())
            apart = 0 if self.reembed else len(plan.before.keys() - plan.named - plan.new)
            stay = f"; {apart} that are not named stay as they were read" if apart else ""
            self.told(
                f"{'; '.join(why)}: {again} of {len(plan.before)} documents are read again{stay}, "
                "and what is known of all is worked out anew"
            )

    def _require(self, kept: Mapping[str, str]) -> None:
        missing = [source for source, key in kept.items() if not self.journal.has(key)]
        if missing:
            raise GraphError(
                f"the journal no longer holds what was read of {len(missing)} documents that the "
                f"graph has; name their files as well, the first is {min(missing)}"
            )

    def _read(self, plan: Plan, found: Found) -> dict[str, str]:
        """Read what is new; return the keys of the results of all Documents."""
        keys, left = dict(plan.keys), set(plan.new)
        documents = self._documents(plan, found, plan.new)
        read_one = reader(self.settings, self.cast, self.embedder, self.clock)
        made = read_all(documents, read_one, self.journal, self.jobs, self.ledger.stop)
        for done, (key, reading) in enumerate(made, start=1):
            source = reading.document.source
            keys[source] = key
            left.discard(source)
            self.unread |= {
                (source, c.language) for c in reading.chunks if not self.cast.map.reads(c.language)
            }
            self.progress("read", done, len(plan.new))
        for source in left:
            # It went while the others were read, and is as it was before.
            found.skipped.append(f"{source}: changed or gone while it was read")
            keys |= {source: plan.before[source]} if source in plan.before else {}
        return {s: k for s, k in keys.items() if s not in left or s in plan.before}

    def _documents(
        self, plan: Plan, found: Found, sources: frozenset[str]
    ) -> Iterator[tuple[str, Document]]:
        """Yield the Documents with these sources, and the keys that their results will have."""
        again = (document for document in plan.again if document.source in sources)
        here = sources - {document.source for document in plan.again}
        for document in chain(again, found.documents(here)):
            yield self._key(document), document

    def _base(self, changed: Collection[str], keys: Mapping[str, str]) -> Graph | None:
        """Return the current Generation, where the next can be made from it with less to do."""
        few = len(changed) <= len(keys) // 2
        if self.current is None or not (few and (self.current.path / STATE).exists()):
            return None
        failed = self.retry_failed and any(f.stage in _WHOLE for f in self.journal.failures())
        if failed or self.reembed or self.stands_for or self._differences():
            return None
        return self.current

    def _write(
        self,
        staged: Path,
        base: Graph | None,
        changed: Collection[str],
        keys: Mapping[str, str],
    ) -> None:
        draft = self._updated(staged, base, changed, keys, Readings(self.journal, keys))
        spent = costs(
            self.journal.spending(), self.journal.failures(), self.ledger.stages, self.cast.names
        )
        manifest = Manifest(
            **msgspec.structs.asdict(self._basis()),
            dimension=self.embedder.dimension,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            documents=dict(keys),
            costs=list(spent),
        )
        with self.clock.time("write"):
            draft.graph(PROVENANCE, provenance.activity_quads(manifest.costs))
            draft.finish(manifest)

    def _updated(
        self,
        staged: Path,
        base: Graph | None,
        changed: Collection[str],
        keys: Mapping[str, str],
        reading: Callable[[str], Reading],
    ) -> Draft:
        """Return a Draft with all but its record."""
        draft = Draft.begin(staged, base.path if base else None)
        for name in dict.fromkeys(self.cast.names.values()):
            draft.node(agent_iri(name), provenance.agent_quads([name]))
        state = State(staged / STATE)
        work = Work(
            draft,
            base,
            state,
            reading,
            self.settings,
            self.cast,
            self.embedder,
            self.jobs,
            self.ledger.stop,
            self.clock,
            self.progress,
        )
        update(work, changed if base else set(keys), keys)
        state.close()
        return draft

    def _report(
        self, number: int, plan: Plan, found: Found, keys: Mapping[str, str], *, changed: bool
    ) -> Report:
        seconds = {**self.clock.seconds, "encode": self.embedder.seconds}
        return Report(
            generation=number,
            changed=changed,
            read=len(plan.new),
            kept=len(plan.named - plan.new),
            removed=tuple(sorted(plan.before.keys() - keys.keys())),
            skipped=tuple(found.skipped),
            failed=tuple(sorted(source for source, key in keys.items() if key.endswith(PARTIAL))),
            gone=tuple(source for source in self.gone if source in keys),
            unread=tuple(sorted(self.unread)),
            seconds=seconds,
            spent=self.ledger.stages,
        )
