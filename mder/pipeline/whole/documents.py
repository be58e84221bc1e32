"""Enrich and Link, for the Documents that a change bears on."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from mder.disambiguate import renamed
from mder.enrich import enrich, passages
from mder.graph.convert import relationship_quads
from mder.graph.knowledge import document_graph
from mder.graph.vocabulary import agent_iri, chunk_iri, relation_iri, triple_iri
from mder.graph.words import words
from mder.link import NameTable, head, heads, link, matters, spellings, within, words_of
from mder.names import canonical, spoken
from mder.pipeline.pool import spread
from mder.pipeline.state import Spelling
from mder.pipeline.whole.meanings import Settled
from mder.pipeline.whole.work import Work
from mder.records import Entity, Link, Reading, Triple

_WINDOW = 256  # Documents in memory at a time
_CHARACTERS = 1_000_000  # in them, or one Document more
_PASSAGES = 12  # enriched together
_PAGES = 1000  # of them remembered
_PAGE = 2000  # characters of a page that tell homonyms apart


def respell(work: Work, settled: Settled, there: Collection[str]) -> set[str]:
    """Note how texts may spell Entities now; return the Documents that this may concern.

    :param there: the Documents that are new or changed.
    """
    concerned: set[str] = set()
    for name, entity in settled.entities.items():
        for spelling in work.state.entities.spell(name, _rows(name, entity)):
            paged = spelling.about or any(work.state.entities.meant(spelling.key).values())
            if matters(spelling.key, about=paged):
                concerned.add(spelling.key)
    if work.base is None:
        return set()
    # Another page, or one less, may tell its Entity from homonyms in another way.
    titled = {name for name, entity in settled.entities.items() if entity and entity.documents}
    for name in titled.union(about(work, source) for source in there):
        entity = work.state.entities.get(name)
        forms = spellings(entity) if entity else ()
        concerned.update(f for f in forms if len(work.state.entities.meant(f)) > 1)
    return work.state.facts.holding([(head(spelling), within(spelling)) for spelling in concerned])


def _rows(name: str, entity: Entity | None) -> list[Spelling]:
    forms = spellings(entity) if entity else ()
    return [Spelling(form, name, head(form), bool(entity and entity.documents)) for form in forms]


def about(work: Work, source: str) -> str:
    """Return the name of the Entity that a Document is about."""
    title = work.reading(source).document.title
    return work.state.senses.names(source)[canonical(title)]


def write_documents(
    work: Work, sources: Collection[str], gone: Collection[str]
) -> tuple[set[str], set[str]]:
    """Write these Documents anew.

    :returns: the Entities of which something else is stated now, and those that are mentioned
        elsewhere.
    """
    stated: set[str] = set()
    mentioned: set[str] = set()
    for source in sorted(gone):
        work.draft.document(source, ())
        stated |= work.state.facts.put(source, ())
        mentioned |= work.state.facts.link(source, ())
        work.state.words.put(source, ())
    pages = _Pages(work)
    count = work.counted("enrich", len(sources))
    # For a whole graph one table of names is made, for few Documents one of what they may hold.
    table = _table(work, None) if work.base is None else None
    for readings in _windows(map(work.reading, sorted(sources))):
        names = {r.document.source: work.state.senses.names(r.document.source) for r in readings}
        with work.clock.time("enrich"):
            triples = _enriched(work, readings, names)
        with work.clock.time("link"):
            begun = set[str]().union(*map(heads, readings)) if table is None else set()
            known = table or _table(work, begun)
            links = {
                r.document.source: list(link(r, names[r.document.source], known, pages))
                for r in readings
            }
        for reading in map(count, readings):
            source = reading.document.source
            stated |= _write(work, reading, triples.get(source, ()), links[source])
            mentioned |= work.state.facts.link(source, links[source])
            work.state.words.put(source, _words(reading))
        # Of triples with one IRI, the first counts.
        found = (t for r in readings for t in reversed(triples.get(r.document.source, ())))
        work.embed("triples", {triple_iri(t).value: t.description for t in found})
        said = {canonical(t.predicate) for found in triples.values() for t in found}
        work.embed("relations", {relation_iri(name).value: spoken(name) for name in sorted(said)})
        chunks = (chunk for reading in readings for chunk in reading.chunks)
        work.embed(
            "chunks", {chunk_iri(c.source, c.start).value: c.english or c.text for c in chunks}
        )
    return stated, mentioned


def _windows(readings: Iterable[Reading]) -> Iterator[list[Reading]]:
    """Yield so many Documents as are in memory at a time."""
    window: list[Reading] = []
    for reading in readings:
        window.append(reading)
        characters = sum(len(r.document.text) for r in window)
        if len(window) >= _WINDOW or characters > _CHARACTERS:
            yield window
            window = []
    if window:
        yield window


def _words(reading: Reading) -> Iterator[tuple[str, str]]:
    """Yield the IRI of each Chunk, and what it is found by: its words and those of the title."""
    for chunk in reading.chunks:
        text = f"{reading.document.title}\n{chunk.english or chunk.text}"
        yield chunk_iri(chunk.source, chunk.start).value, " ".join(words(text))


def _write(
    work: Work, reading: Reading, triples: Sequence[Triple], links: Sequence[Link]
) -> set[str]:
    with work.clock.time("write"):
        source, agent = reading.document.source, agent_iri(work.cast.names["map"])
        quads = document_graph(reading, triples, links, about(work, source), agent)
        work.draft.document(source, quads)
        for predicate in dict.fromkeys(t.predicate for t in triples):
            work.draft.declare(relation_iri(predicate), relationship_quads(predicate))
        facts = [
            (mention.name, place, t.description)
            for place, t in enumerate(triples)
            if t.verified
            for mention in (t.subject, t.object)
        ]
        return work.state.facts.put(source, facts)


def _enriched(
    work: Work, readings: Sequence[Reading], names: Mapping[str, Mapping[str, str]]
) -> dict[str, list[Triple]]:
    """Return the triples of these Documents by source, with names of Entities and described."""
    found = [p for r in readings for p in passages(r, renamed(r, names[r.document.source]))]
    slices = [found[at : at + _PASSAGES] for at in range(0, len(found), _PASSAGES)]
    enriched = spread(
        lambda part: list(enrich(part, work.cast.enrich)), slices, work.jobs, work.stop
    )
    triples = (triple for part in enriched for triple in part)
    return {source: list(group) for source, group in groupby(triples, key=lambda t: t.source)}


def _table(work: Work, words: Collection[str] | None) -> NameTable:
    found = work.state.entities.spellings(words)
    return NameTable.of({s: names for s, names, paged in found if matters(s, about=paged)})


@dataclass(slots=True)
class _Pages(Mapping[str, set[str]]):
    """The words of the pages about each Entity that has one, read when they are asked for."""

    work: Work
    known: dict[str, set[str] | None] = field(default_factory=dict)

    def __getitem__(self, name: str) -> set[str]:
        if name not in self.known:
            entity = self.work.state.entities.get(name)
            pages = entity.documents if entity else ()
            texts = [self.work.reading(source).document.text[:_PAGE] for source in pages]
            self.known[name] = set[str]().union(*map(words_of, texts)) if texts else None
            if len(self.known) > _PAGES:
                del self.known[next(iter(self.known))]
        words = self.known.get(name)
        if words is None:
            raise KeyError(name)
        return words

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)
