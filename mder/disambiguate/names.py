"""The names of a set of Documents, one record for each name in each Document."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mder.names import bare_title, canonical
from mder.records import VALUES, Mention, Reading

# A name in a Document: (source, name as stored).
Name = tuple[str, str]
_CONTEXTS = 3
_CONTEXT_CHARACTERS = 400


@dataclass(slots=True)
class Use:
    """How a name is used in one Document.

    :param local: every mention of it identifies something within its Document only.
    :param titles: it is the Document's title.
    """

    types: dict[str, int] = field(default_factory=dict)
    count: int = 0
    local: bool = True
    titles: bool = False
    contexts: list[str] = field(default_factory=list)

    @property
    def value(self) -> bool:
        """Say whether this is a date, a number or the like, which is what it says."""
        return bool(VALUES.intersection(self.types)) and not self.titles

    def add(self, mention: Mention, context: str) -> None:
        """Count a mention; the type named first weighs most."""
        self.count += 1
        self.local = self.local and mention.local
        for rank, kind in enumerate(mention.types):
            self.types[kind] = self.types.get(kind, 0) + 6 - min(rank, 5)
        if context and len(self.contexts) < _CONTEXTS and context not in self.contexts:
            self.contexts.append(context)


def collect(readings: Iterable[Reading]) -> dict[Name, Use]:
    """Return all names in a stable order; titles with and without what tells them apart."""
    uses: dict[Name, Use] = {}
    for reading in sorted(readings, key=lambda r: r.document.source):
        source, title = reading.document.source, canonical(reading.document.title)
        opening = reading.document.text[:_CONTEXT_CHARACTERS]
        for name, mention, context in _mentions(reading):
            uses.setdefault((source, name), Use()).add(mention, context)
        for name in dict.fromkeys((title, canonical(bare_title(title)))):
            use = uses.setdefault((source, name), Use())
            use.titles, use.local = name == title, False
            use.contexts.insert(0, opening)
    return uses


def _mentions(reading: Reading) -> Iterator[tuple[str, Mention, str]]:
    text, found = reading.document.text, reading.extraction
    for triple in found.triples:
        context = text[triple.start : triple.end][:_CONTEXT_CHARACTERS]
        for mention in (triple.subject, triple.object):
            yield canonical(mention.name), mention, context
    for mention in found.mentions:
        yield canonical(mention.name), mention, ""
    for alias in found.aliases:
        for stated in (alias.name, alias.alias):
            yield canonical(stated), Mention(stated), ""
