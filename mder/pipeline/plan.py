"""What a run has to read, and what it finds already read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mder.journal import Journal
from mder.pipeline.documents import FAILED, MISSED, PARTIAL
from mder.records import Document, Reading
from mder.sources import file_of


@dataclass(frozen=True, slots=True)
class Plan:
    """The Documents of a graph: those before this run, and those after it.

    :param before: keys of results in the journal by source, of the current Generation.
    :param keys: the same for the next one.
    :param new: Documents to be read, by the keys of their results.
    :param named: sources of the Documents that were named and could be read.
    """

    before: Mapping[str, str]
    keys: dict[str, str]
    new: dict[str, Document]
    named: frozenset[str]

    def kept(self, journal: Journal) -> dict[str, Reading]:
        """Return the results that stay as they are, by their keys."""
        keys = [key for key in self.keys.values() if key not in self.new]
        return {key: reading for key in keys if (reading := journal.reading(key)) is not None}

    def again(self, journal: Journal) -> "Plan":
        """Return a plan that also reads the Documents anew of which a part failed."""
        failures = journal.failures()
        short = {f.source for f in failures if f.stage in {"summarize", "translate"}}
        new, keys = dict(self.new), dict(self.keys)
        for source, key in self.keys.items():
            failed = key.endswith(PARTIAL) or source in short
            reading = journal.reading(key) if failed else None
            if reading is not None:
                keys[source] = key.removesuffix(FAILED).removesuffix(MISSED)
                new[keys[source]] = reading.document
        return replace(self, keys=keys, new=new)


def planned(before: Mapping[str, str], found: Mapping[str, Document], journal: Journal) -> Plan:
    """Plan a run.

    :param found: the Documents named now, by the keys of their results.
    """
    named: dict[str, str] = {}
    new: dict[str, Document] = {}
    for key, document in found.items():
        done = next((k for k in (key, f"{key}{FAILED}") if journal.has(k)), None)
        named[document.source] = done or key
        if done is None:
            new[key] = document
    return Plan(before, dict(_staying(before, named)) | named, new, frozenset(named))


def _staying(before: Mapping[str, str], named: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the Documents that stay: all but rows that their file, read again, no longer has."""
    files = {file_of(source) for source in named}
    for source, key in before.items():
        file = file_of(source)
        if source in named or file == source or file not in files:
            yield source, key
