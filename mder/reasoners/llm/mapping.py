"""What a model read in a Chunk, checked against the Chunk and brought into records."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from mder.names import bare_title, normalise
from mder.reasoners.llm.locate import fold, holding, widened
from mder.reasoners.llm.shapes import AlsoNamed, Extracted, Stated
from mder.reasoners.llm.wording import (
    is_example,
    is_local,
    is_negated,
    tidy_name,
    tidy_predicate,
    tidy_types,
)
from mder.records import Alias, Chunk, Extraction, Mention, Triple
from mder.sentences import Span, sentences


@dataclass(frozen=True, slots=True)
class Page:
    """A Chunk as it was put to the model.

    :param text: the Chunk's own text, or its English where the model read that.
    :param title: of the Document: pronouns may stand for it.
    :param before: the text before it, for the same reason.
    """

    chunk: Chunk
    text: str
    title: str
    before: str

    @property
    def language(self) -> str:
        """Language of ``text`` where it is known (ISO 639-1)."""
        return self.chunk.language if self.original else ""

    @property
    def original(self) -> bool:
        """Whether positions in ``text`` are positions in the Document."""
        return self.text == self.chunk.text


class Checker:
    """Checks names and quotations against one Page."""

    def __init__(self, page: Page, aliases: Iterable[AlsoNamed] = ()) -> None:
        self._page = page
        self._text = fold(page.text)
        self._spans = sentences(page.text, page.language)
        self._around = fold(f"{page.title}\n{bare_title(page.title)}\n{page.before}")
        self._aliases = [(normalise(a.name), normalise(a.alias)) for a in aliases]

    def holds(self, name: str) -> bool:
        """Say whether the Page's text has a name or one of its stated aliases."""
        return any(self._text.find(known) for known in self._names(name))

    def knows(self, name: str) -> bool:
        """Say whether the Page has a name, in its text or around it."""
        return self.holds(name) or self._around.find(name) is not None

    def evidence(self, stated: Stated) -> tuple[int, int, bool]:
        """Return where in the Document a triple is stated, and whether that could be found."""
        chunk, text = self._page.chunk, self._page.text
        quoted = self._text.find(stated.evidence)
        if quoted:
            span: Span | None = widened(self._spans, quoted)
        else:
            span = holding(text, self._spans, [stated.subject, stated.object])
        if span is None or not self._page.original:
            return chunk.start, chunk.end, span is not None
        return chunk.start + span[0], chunk.start + span[1], True

    def _names(self, name: str) -> Iterable[str]:
        yield name
        plain = normalise(name)
        for pair in self._aliases:
            if plain in pair:
                yield from pair


def to_extraction(page: Page, reply: Extracted) -> Extraction:
    """Return the triples, names and aliases of a reply that the Page bears out.

    A triple of which the Page has neither name is left out; with one of them, or without a
    passage that states it, it stays and is not verified.
    """
    plain, checker = Checker(page), Checker(page, reply.aliases)
    made = [_triple(stated, page, checker) for stated in reply.triples]
    triples = tuple(dict.fromkeys(triple for triple in made if triple))
    aliases = tuple(dict.fromkeys(filter(None, (_alias(a, page, plain) for a in reply.aliases))))
    named = [m for triple in triples for m in (triple.subject, triple.object)]
    return Extraction(triples, mentions([*named, *(Mention(a.name) for a in aliases)]), aliases)


def mentions(found: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return one Mention a name, with all the types seen for it."""
    merged: dict[str, Mention] = {}
    for mention in found:
        known = merged.setdefault(mention.name, mention)
        types = tuple(dict.fromkeys((*known.types, *mention.types)))
        merged[mention.name] = replace(known, types=types, local=known.local and mention.local)
    return tuple(merged.values())


def _triple(stated: Stated, page: Page, checker: Checker) -> Triple | None:
    subject = _mention(stated.subject, stated.subject_type, page.text)
    obj = _mention(stated.object, stated.object_type, page.text)
    predicate = tidy_predicate(stated.predicate)
    if not (subject.name and obj.name and predicate) or subject.name == obj.name:
        return None
    known = {name: checker.knows(name) for name in (subject.name, obj.name)}
    invented = any(is_example(name) and not here for name, here in known.items())
    if invented or not any(known.values()):
        return None
    start, end, found = checker.evidence(stated)
    return Triple(
        subject,
        predicate,
        obj,
        source=page.chunk.source,
        chunk=page.chunk.start,
        start=start,
        end=end,
        verified=found and all(known.values()),
        negated=is_negated(predicate),
    )


def _mention(name: str, kind: str, text: str) -> Mention:
    plain = tidy_name(name, text)
    return Mention(plain, tidy_types(kind), is_local(plain, text))


def _alias(stated: AlsoNamed, page: Page, checker: Checker) -> Alias | None:
    name, alias = tidy_name(stated.name, page.text), tidy_name(stated.alias, page.text)
    there = checker.knows(name) and checker.holds(alias)
    if not there or normalise(name) == normalise(alias):
        return None
    return Alias(page.chunk.source, name, alias)
