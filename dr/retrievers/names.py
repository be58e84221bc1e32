"""The names that a question holds, found in the graph by longest match."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mder.graph.store import Graph
from mder.graph.vocabulary import entity_iri
from mder.names import normalise
from mder.records import VALUES, Mention

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
        found = graph.passages.mentions(entity_iri(name).value for name in alike)
        about = graph.passages.about(found)
        fit = tuple(
            iri
            for iri, mention in found.items()
            if _fits(mention, form, single=single, paged=iri in about)
        )
        if fit:
            return Named(form, fit)
    return None


def _fits(mention: Mention, form: str, *, single: bool, paged: bool) -> bool:
    if VALUES.intersection(mention.types) and not paged:
        return False
    written = any(c.isupper() or c.isdigit() for c in form)
    return (written and not single) or mention.name[:1].isupper()
