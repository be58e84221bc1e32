"""What is known of an Entity, gathered for a reader."""

import difflib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from mder.errors import GraphError
from mder.graph.store import Graph
from mder.names import normalise
from mder.records import Entity, Merge, Triple

_SUGGESTED = 5


@dataclass(frozen=True, slots=True)
class Portrait:
    """An Entity with everything that stands around it.

    :param sources: titles of the Documents that state something of it or mention it, by source.
    """

    entity: Entity
    triples: tuple[Triple, ...]
    merges: tuple[Merge, ...]
    sources: dict[str, str]


def portraits(graph: Graph, name: str) -> list[Portrait]:
    """Return the Entities that a name may mean; where one is called just that, it alone.

    :raises GraphError: when there is none, with names that are spelled alike.
    """
    names = graph.find(name)
    if not names:
        near = difflib.get_close_matches(normalise(name), graph.lookup, _SUGGESTED)
        meant = ", ".join(found for key in near for found in graph.lookup[key][:1])
        hint = f"; did you mean: {meant}" if meant else ""
        raise GraphError(f"no entity is called {name!r}{hint}")
    exact = [found for found in names if found == name]
    return [_portrait(graph, found) for found in exact or names]


def _portrait(graph: Graph, name: str) -> Portrait:
    entity = graph.entity(name)
    if entity is None:
        raise GraphError(f"no entity is called {name!r}")
    triples = graph.triples(name)
    sources = {s: graph.document(s).title for s in entity.documents}
    sources |= {t.source: graph.document(t.source).title for t in triples}
    mentions = (graph.chunk(iri).source for iri in graph.chunks_of(name))
    sources |= {source: graph.document(source).title for source in mentions}
    return Portrait(entity, triples, graph.merges(name), sources)


def lines(portrait: Portrait) -> Iterator[str]:
    """Yield a Portrait as lines of text."""
    entity = portrait.entity
    yield entity.name
    if entity.types:
        yield f"  types:    {', '.join(entity.types)}"
    if entity.aliases:
        yield f"  aliases:  {'; '.join(entity.aliases)}"
    yield f"  summary:  {entity.summary}"
    described: dict[str, list[Triple]] = defaultdict(list)
    for triple in portrait.triples:
        described[triple.description].append(triple)
    for description, triples in described.items():
        yield f"  {description}"
        for triple in triples:
            mark = "" if triple.verified else "  (not verified)"
            yield f"      {triple.subject.name} — {triple.predicate} — {triple.object.name}{mark}"
    for source, title in portrait.sources.items():
        yield f"  source:   {title} ({source})"
