"""The act of Map by rules: the paragraphs of a Document, parsed and stated as triples."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mder.names import bare_title, normalise, qualifier
from mder.reasoners.parses import NOWHERE, Parses
from mder.reasoners.syntax import brackets
from mder.reasoners.syntax.discourse import Discourse
from mder.reasoners.syntax.findings import Findings, Place
from mder.reasoners.syntax.parser import Parsed, parse
from mder.reasoners.syntax.phrases import is_named, mention, name_span
from mder.reasoners.syntax.statements import IS_A, IS_NOT_A, Statement, statements
from mder.records import VALUES, Chunk, Document, Extraction, Mention

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?!\n)[^\n]+)*")
_CALLED = re.compile(
    r"(?:KNOWN_AS|CALLED|NICKNAMED|ABBREVIATED_AS|ABBREVIATED_TO|STYLIZED_AS|(?:^|_)BORN)$"
)
_WORD = re.compile(r"[a-z]{3,}$")
_FIRST_WORDS = 2  # before the name that a page opens with: an article, an honorific
_LONGEST_PARAGRAPH = 20_000  # characters; nothing that long is prose


def extract(document: Document, chunks: Sequence[Chunk], parses: Parses = NOWHERE) -> Extraction:
    """Return triples with evidence spans, the names met, and the aliases stated.

    :param parses: where parses are kept from one time that a Document is read to the next.
    """
    topic = Mention(bare_title(document.title))
    found = Findings(document.source, Discourse(topic))
    kind = _WORD.match(qualifier(document.title).split(",")[0].split(" ")[-1])
    if kind is not None:
        found.discourse.learn(topic.name, kind[0])
    paragraphs = [(c, start, text) for c in chunks for start, text in _paragraphs(document, c)]
    texts, names = [text for _, _, text in paragraphs], (topic.name, document.title)
    made = parse(texts, names, document.source, parses)
    for (chunk, offset, _), parsed in zip(paragraphs, made, strict=True):
        for sentence in parsed.doc.sents:
            if sentence.text.rstrip(" \"'”’)").endswith("?"):
                # A question states nothing.
                continue
            start, end = parsed.span(sentence)
            _read(sentence, parsed, Place(chunk.start, offset + start, offset + end), found)
            found.discourse.sentence += 1
    return found.extraction()


def _paragraphs(document: Document, chunk: Chunk) -> Iterator[tuple[int, str]]:
    """Yield (offset in the Document, text) of each paragraph, headings left out."""
    headings = {s.start for s in document.sections}
    for match in _PARAGRAPH.finditer(chunk.text):
        offset = chunk.start + match.start()
        if offset not in headings and len(match[0]) <= _LONGEST_PARAGRAPH:
            yield offset, match[0]


def _read(sentence: "Span", parsed: Parsed, place: Place, found: Findings) -> None:
    for token in _heads(sentence, parsed):
        found.discourse.note(token, parsed)
        found.keep(mention(token, parsed))
    for token in sentence:
        if token.tag_ == "NNS" and token.dep_ in {"nsubj", "nsubjpass"}:
            found.discourse.note_plural(token, parsed)
    for statement in statements(sentence, parsed):
        _state(statement, parsed, place, found)
    for token in sentence:
        if token.i in parsed.asides:
            _bracket(token, parsed, place, found)


def _heads(sentence: "Span", parsed: Parsed) -> Iterator["Token"]:
    """Yield the heads of proper names, one a name."""
    for token in sentence:
        if is_named(token, parsed):
            inner = token.dep_ in {"compound", "flat"} and is_named(token.head, parsed)
            if not inner or parsed.is_name(token):
                yield token


def _state(statement: Statement, parsed: Parsed, place: Place, found: Findings) -> None:
    subjects = found.discourse.resolve(statement.subject, parsed)
    if statement.predicate in {IS_A, IS_NOT_A}:
        things = _class(statement, parsed)
    else:
        things = found.discourse.resolve(statement.object, parsed)
    if _opens(statement, parsed, found):
        _opening(subjects, found)
    for subject in subjects:
        for thing in things:
            if statement.predicate == IS_A and statement.object.pos_ == "NOUN":
                found.discourse.learn(subject.name, statement.object.lemma_.lower())
            if _gives_name(statement, subject, thing, parsed):
                found.call(subject.name, thing.name)
                if statement.predicate.endswith("BORN"):
                    continue
            found.state(subject, statement.predicate, thing, place, negated=statement.negated)


def _class(statement: Statement, parsed: Parsed) -> tuple[Mention, ...]:
    """Return what something is said to be, as a class: "two daughters" gives "daughter"."""
    thing = mention(statement.object, parsed)
    if thing is None or VALUES.intersection(thing.types):
        return ()
    name = thing.name
    if statement.object.tag_ == "NNS" and any(t.pos_ == "NUM" for t in statement.object.lefts):
        name = statement.object.lemma_
    return (replace(thing, name=name, local=False),)


def _gives_name(statement: Statement, subject: Mention, thing: Mention, parsed: Parsed) -> bool:
    if subject.local or VALUES.intersection(thing.types) or not is_named(statement.object, parsed):
        return False
    if statement.subject.tag_ in {"NNS", "NNPS"} or ("place" in thing.types) > (
        "place" in subject.types or not subject.types
    ):
        # Members of a class, and places of people, are no names for them.
        return False
    if _CALLED.search(statement.predicate):
        return True
    return statement.predicate == "HAS_NAME" and statement.object.dep_ == "appos"


def _opens(statement: Statement, parsed: Parsed, found: Findings) -> bool:
    """Say whether a statement is about the name that its Document begins with."""
    named = found.discourse.sentence == 0 and is_named(statement.subject, parsed)
    return named and name_span(statement.subject, parsed).start <= _FIRST_WORDS


def _opening(subjects: Sequence[Mention], found: Findings) -> None:
    """Take the first sentence's subject for the topic where they share half of the title's words.

    "William Lee (born 1915)" opens the page "Bill Lee".
    """
    topic = found.discourse.topic.name
    words = {word for word in normalise(topic).split() if len(word) > 2}
    for subject in subjects:
        shared = words & set(normalise(subject.name).split())
        if subject.name != topic and 2 * len(shared) >= len(words) > 0:
            found.call(topic, subject.name)
            found.discourse.topics.add(subject.name)


def _bracket(token: "Token", parsed: Parsed, place: Place, found: Findings) -> None:
    head = token
    while head.dep_ in {"compound", "flat"} and head.head.i > head.i:
        head = head.head
    if head.dep_ == "appos" and is_named(head.head, parsed):
        # "Ann Lee, 2nd Baroness (1901-1970)": the dates are hers.
        head = head.head
    names = found.discourse.resolve(head, parsed) if is_named(head, parsed) else ()
    for name in names[:1]:
        dated = parsed.is_name(head) or head.ent_type_ == "WORK_OF_ART"
        for block in parsed.asides[token.i]:
            _aside(block.aside, name, place, found, dated=dated)


def _aside(text: str, name: Mention, place: Place, found: Findings, *, dated: bool) -> None:
    """State what a bracket says of the name before it.

    :param dated: a bare year is that of the thing named.
    """
    person = "person" in name.types or found.discourse.is_topic(name.name)
    for predicate, value, kind in brackets.facts(text, years=person):
        if predicate != brackets.YEAR or dated:
            found.state(name, predicate, Mention(value, (kind,)), place)
        if predicate in brackets.LIFE:
            found.discourse.learn(name.name, "person")
    full, other = brackets.alias(text, name.name)
    topic = found.discourse.topic.name
    if normalise(other) == normalise(topic):
        found.discourse.topics.add(name.name)
    quoted = text.strip()[:1] in {'"', "“", "«"}
    if not (quoted and person and not found.discourse.is_topic(name.name)):
        # "the singer Ann Lee ("Juno")" tells a role as often as another name.
        found.call(full, other)
