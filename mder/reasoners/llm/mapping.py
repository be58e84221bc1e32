"""What a model read in a Chunk, checked against the Chunk and brought into records."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mder.names import bare_title, normalise
from mder.reasoners.llm.locate import REACH, Folded, fold, follows, stating
from mder.reasoners.llm.shapes import Extracted
from mder.reasoners.llm.wording import (
    is_alias,
    is_example,
    is_local,
    is_negated,
    settled,
    tidy_name,
    tidy_predicate,
    tidy_types,
)
from mder.records import Alias, Chunk, Extraction, Mention, Triple
from mder.sentences import Span, sentences


@dataclass(frozen=True, slots=True)
class Page:
    """A Chunk, or a part of it, as it is put to the model.

    :param text: the Chunk's own text, or its English where the model reads that.
    :param start: where ``text`` begins in the Document; -1 where it is no text of the Document.
    :param title: of the Document: pronouns may stand for it.
    :param before: the text before it, for the same reason.
    """

    chunk: Chunk
    text: str
    start: int
    title: str
    before: str

    @property
    def language(self) -> str:
        """Language of ``text`` where it is known (ISO 639-1)."""
        return self.chunk.language if self.start >= 0 else ""

    @property
    def spans(self) -> Sequence[Span]:
        """The sentences of ``text``."""
        return sentences(self.text, self.language)


@dataclass(frozen=True, slots=True)
class _Stated:
    """One fact in the forms of the graph."""

    subject: Mention
    predicate: str
    object: Mention


class Checker:
    """Checks names against one Page, and finds what states a fact."""

    def __init__(self, page: Page, aliases: Iterable[tuple[str, str]] = ()) -> None:
        self._page = page
        self._text = fold(page.text)
        self._spans = page.spans
        self._sentences = [fold(page.text[a:b]) for a, b in self._spans]
        before = sentences(page.before, page.language)[-REACH:]
        self._before = [fold(page.before[a:b]) for a, b in before]
        self._around = fold(f"{page.title}\n{bare_title(page.title)}\n{page.before}")
        self._aliases = [(normalise(name), normalise(alias)) for name, alias in aliases]

    def holds(self, name: str) -> bool:
        """Say whether the Page's text has a name or one of its stated aliases."""
        return any(_in(self._text, known) for known in self._names(name))

    def knows(self, name: str) -> bool:
        """Say whether the Page has a name, in its text or around it."""
        return self.holds(name) or _in(self._around, name)

    def evidence(self, stated: _Stated) -> tuple[int, int, bool]:
        """Return where in the Document a fact is stated, and whether that could be found."""
        subject, obj = ([*self._names(m.name)] for m in (stated.subject, stated.object))
        place = stating(self._sentences, subject, stated.predicate, obj)
        page = self._page
        found = place is not None and (
            self._is_title(subject) or follows(self._before, self._sentences, place, subject)
        )
        if place is None or page.start < 0:
            return page.chunk.start, page.chunk.end, found
        start, end = self._spans[place]
        return page.start + start, page.start + end, found

    def _is_title(self, names: Sequence[str]) -> bool:
        """Say whether the Document is about this: any pronoun in it may mean that."""
        titles = {normalise(self._page.title), normalise(bare_title(self._page.title))}
        return any(normalise(name) in titles for name in names)

    def _names(self, name: str) -> Iterator[str]:
        yield name
        plain = normalise(name)
        for pair in self._aliases:
            if plain in pair:
                yield from pair


def _in(text: Folded, name: str) -> bool:
    return text.find(name) is not None or text.find_inflected(name)


def to_extraction(page: Page, reply: Extracted) -> Extraction:
    """Return the triples, names and aliases of a reply that the Page bears out.

    A triple of which the Page has neither name is left out; with one of them, or without a
    passage that states it, it stays and is not verified.
    """
    facts = list(dict.fromkeys(_facts(page, reply)))
    named = [(f.subject.name, f.object.name) for f in facts if is_alias(f.predicate)]
    plain = Checker(page)
    aliases = [
        Alias(page.chunk.source, name, alias)
        for name, alias in dict.fromkeys(named)
        if plain.knows(name) and plain.holds(alias) and normalise(name) != normalise(alias)
    ]
    checker = Checker(page, ((a.name, a.alias) for a in aliases))
    made = [_triple(f, page, checker) for f in facts if not is_alias(f.predicate)]
    triples = tuple(triple for triple in made if triple)
    found = [m for triple in triples for m in (triple.subject, triple.object)]
    return Extraction(
        triples, mentions([*found, *(Mention(a.name) for a in aliases)]), tuple(aliases)
    )


def mentions(found: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return one Mention a name, with all the types seen for it."""
    merged: dict[str, Mention] = {}
    for mention in found:
        known = merged.setdefault(mention.name, mention)
        types = tuple(dict.fromkeys((*known.types, *mention.types)))
        merged[mention.name] = replace(known, types=types, local=known.local and mention.local)
    return tuple(merged.values())


def joined(parts: Sequence[Extraction]) -> Extraction:
    """Return what several pages of one Document gave."""
    return Extraction(
        tuple(triple for part in parts for triple in part.triples),
        mentions(mention for part in parts for mention in part.mentions),
        tuple(dict.fromkeys(alias for part in parts for alias in part.aliases)),
        tuple(dict.fromkeys(start for part in parts for start in part.failed)),
        tuple(dict.fromkeys(start for part in parts for start in part.missed)),
    )


def _facts(page: Page, reply: Extracted) -> Iterator[_Stated]:
    for thing in reply.things:
        subject = _mention(thing.name, thing.type, page.text)
        for fact in thing.facts:
            relation, value, kind = settled(*fact) or ("", "", "")
            predicate, obj = tidy_predicate(relation), _mention(value, kind, page.text)
            # A model that mixes up the places writes a name where the relation should be.
            named = relation[:1].isupper() and not relation.isupper() and relation in page.text
            if subject.name and obj.name not in ("", subject.name) and predicate and not named:
                yield _Stated(subject, predicate, obj)


def _triple(stated: _Stated, page: Page, checker: Checker) -> Triple | None:
    names = (stated.subject.name, stated.object.name)
    known = {name: checker.knows(name) for name in names}
    invented = any(is_example(name) and not here for name, here in known.items())
    if invented or not any(known.values()):
        return None
    start, end, found = checker.evidence(stated)
    return Triple(
        stated.subject,
        stated.predicate,
        stated.object,
        source=page.chunk.source,
        chunk=page.chunk.start,
        start=start,
        end=end,
        verified=found and all(known.values()),
        negated=is_negated(stated.predicate),
    )


def _mention(name: str, kind: str, text: str) -> Mention:
    plain = tidy_name(name, text)
    return Mention(plain, tidy_types(kind), is_local(plain, text))
