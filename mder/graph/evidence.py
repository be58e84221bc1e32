"""Passages, what they state, and Entities as Evidence, each with the passage of its Document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mder.graph.passages import Passage, Passages, Statement
from mder.records import Evidence, EvidenceKind, Triple

if TYPE_CHECKING:
    from mder.graph.store import Graph


def of_passage(passage: Passage, score: float = 0.0, path: tuple[str, ...] = ()) -> Evidence:
    """Return a Chunk's text in the index language, with the original as the quote."""
    return Evidence(
        id=passage.iri,
        kind=EvidenceKind.CHUNK,
        text=passage.english or passage.text,
        source=passage.source,
        title=passage.title,
        quote=passage.text,
        start=passage.start,
        end=passage.end,
        score=score,
        path=path,
    )


@dataclass(frozen=True, slots=True)
class Found:
    """A Statement found in a Passage.

    :param entity: the name by which it was found; its subject's where there is none.
    """

    passage: Passage
    stated: Statement
    score: float = 0.0
    entity: str | None = None


def of_statements(passages: Passages, found: Sequence[Found]) -> Iterator[Evidence]:
    """Yield the descriptions of Triples, with the spans that state them as the quotes."""
    # Of all at once, for each look-up takes its time.
    mentions = passages.mentions({end for one in found for end in one.stated.ends})
    for one in found:
        passage, stated = one.passage, one.stated
        subject, target = (mentions[end] for end in stated.ends)
        start, end = (max(at - passage.start, 0) for at in (stated.start, stated.end))
        yield Evidence(
            id=stated.iri,
            kind=EvidenceKind.TRIPLE,
            text=stated.description,
            source=passage.source,
            title=passage.title,
            quote=passage.text[start:end],
            start=stated.start,
            end=stated.end,
            score=one.score,
            entity=subject.name if one.entity is None else one.entity,
            triple=Triple(
                subject,
                passages.entry(stated.relation).name,
                target,
                passage.source,
                passage.start,
                stated.start,
                stated.end,
                stated.verified,
                stated.negated,
                stated.description,
            ),
        )


def of_statement(passages: Passages, passage: Passage, stated: Statement) -> Evidence:
    """Return the description of one Triple."""
    return next(of_statements(passages, [Found(passage, stated)]))


def of_entity(graph: "Graph", iri: str) -> Evidence:
    """Return an Entity's summary, quoting the best passage for it.

    That is the first Triple of the first Document about it, else the first Chunk of that Document;
    where no Document is about it, any of its Triples or of the Chunks that mention it.

    :raises GraphError: when the graph has no such Entity.
    """
    entry = graph.passages.entry(iri)
    found = _place(graph, iri, entry.name)
    place = found or Evidence(iri, EvidenceKind.SUMMARY, "", "", "", "", 0, 0, 0.0)
    return replace(
        place,
        id=iri,
        kind=EvidenceKind.SUMMARY,
        text=entry.summary,
        entity=entry.name,
        triple=None,
    )


def _place(graph: "Graph", iri: str, name: str) -> Evidence | None:
    passages = graph.passages
    pages = passages.passages(passages.about([iri]).get(iri, ()))
    own = sorted(pages.values(), key=lambda page: (page.source, page.start))
    for passage in own:
        for stated in passage.statements:
            if iri in stated.ends:
                return of_statement(passages, passage, stated)
    if own:
        return of_passage(own[0])
    for passage, stated in passages.stating(iri):
        return of_statement(passages, passage, stated)
    mentioning = graph.chunks_of(name)
    return of_passage(passages.passage(mentioning[0])) if mentioning else None
