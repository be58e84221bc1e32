"""The names that a question holds, found in the graph by longest match."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mder.graph.store import Graph
from mder.graph.vocabulary import entity_iri
from mder.names import normalise
from mder.records import VALUES

_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_LONGEST = 16  # words


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a question, and the IRIs of the Entities that it may mean."""

    text: str
    entities: tuple[str, ...]


def names_in(question: str, graph: Graph) -> Iterator[Named]:
    """Yield the names in a question in order, without overlaps.

    A single word is a name where it is written as one, and not as the first word of a sentence; a
    phrase in lower case where it is that of something whose own name has capitals. A date or a
    number is a name only where a Document is about it.
    """
    words = list(_WORD.finditer(question))
    at = 0
    while at < len(words):
        size = 1
        for last in range(min(len(words), at + _LONGEST), at, -1):
            text = question[words[at].start() : words[last - 1].end()]
            if found := _meant(text, graph, first=at == 0):
                yield found
                size = last - at
                break
        at += size


def _meant(text: str, graph: Graph, *, first: bool) -> Named | None:
    for form in dict.fromkeys((text, _POSSESSIVE.sub("", text))):
        # Few are, so that this comes first.
        alike = graph.find(form)
        single = bool(alike) and " " not in normalise(form)
        if not alike or (single and (first or not form[:1].isupper())):
            continue
        found = (entity_iri(name).value for name in alike)
        fit = tuple(entity for entity in found if _fits(entity, form, graph, single=single))
        if fit:
            return Named(form, fit)
    return None


def _fits(entity: str, form: str, graph: Graph, *, single: bool) -> bool:
    mention = graph.passages.mention(entity)
    if VALUES.intersection(mention.types) and not graph.passages.about(entity):
        return False
    written = any(c.isupper() or c.isdigit() for c in form)
    return (written and not single) or mention.name[:1].isupper()
