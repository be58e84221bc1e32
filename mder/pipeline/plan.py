"""What a run has to read, and what it finds already read."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from mder.journal import Journal
from mder.pipeline.documents import FAILED, MISSED, PARTIAL
from mder.records import Document
from mder.sources import file_of


@dataclass(frozen=True, slots=True)
class Plan:
    """The Documents of a graph: those before this run, and those after it.

    :param before: keys of results in the journal by source, of the current Generation.
    :param keys: the same for the next one.
    :param new: sources of the Documents to be read.
    :param named: sources of the Documents that were named and could be read.
    :param again: those to be read that the journal knows and no path names.
    """

    before: Mapping[str, str]
    keys: dict[str, str]
    new: frozenset[str]
    named: frozenset[str]
    again: tuple[Document, ...] = ()

    @property
    def changed(self) -> frozenset[str]:
        """The Documents that come, go, change or are read again."""
        sources = {*self.before, *self.keys}
        other = (s for s in sources if self.before.get(s) != self.keys.get(s))
        return self.new.union(other)

    def without(self, sources: frozenset[str]) -> "Plan":
        """Return a plan that removes Documents."""
        return replace(
            self,
            keys={s: k for s, k in self.keys.items() if s not in sources},
            new=self.new - sources,
            again=tuple(d for d in self.again if d.source not in sources),
        )

    def retrying(self, journal: Journal) -> "Plan":
        """Return a plan that also reads the Documents anew of which a part failed."""
        failures = journal.failures()
        short = {f.source for f in failures if f.stage in {"summarize", "translate"}}
        keys, again = dict(self.keys), []
        for source, key in self.keys.items():
            failed = key.endswith(PARTIAL) or source in short
            reading = journal.reading(key) if failed and source not in self.new else None
            if reading is not None:
                keys[source] = key.removesuffix(FAILED).removesuffix(MISSED)
                again.append(reading.document)
        sources = {document.source for document in again}
        return replace(self, keys=keys, new=self.new | sources, again=tuple(again))


def planned(
    before: Mapping[str, str],
    found: Mapping[str, str],
    journal: Journal,
    cut: Collection[str] = (),
) -> Plan:
    """Plan a run.

    :param found: the keys of the results of the Documents named now, by their sources.
    :param cut: files that could not be read to their end.
    """
    named: dict[str, str] = {}
    new: set[str] = set()
    for source, key in found.items():
        done = next((k for k in (key, f"{key}{FAILED}") if journal.has(k)), None)
        named[source] = done or key
        if done is None:
            new.add(source)
    keys = dict(_staying(before, named, cut)) | named
    return Plan(before, keys, frozenset(new), frozenset(named))


def renamed(
    before: Mapping[str, str], journal: Journal, key: Callable[[Document, str], str], embedder: str
) -> dict[str, str]:
    """Take what was read with an Embedder for what the present one would have led to.

    :param key: gives the key of a Document's results, with an Embedder or, for ``""``, the present.
    :returns: the keys by source; where other settings matter as well, those there were.
    """
    found, pairs = dict(before), []
    for source, known in before.items():
        reading = journal.reading(known)
        old = key(reading.document, embedder) if reading else ""
        if reading and known.startswith(old):
            found[source] = known.replace(old, key(reading.document, ""))
            pairs.append((known, found[source]))
    journal.rename(pairs)
    return found


def _staying(
    before: Mapping[str, str], named: Mapping[str, str], cut: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield the Documents that stay: all but rows that their file, read again, no longer has."""
    files = {file_of(source) for source in named}.difference(cut)
    for source, key in before.items():
        file = file_of(source)
        if source in named or file == source or file not in files:
            yield source, key
