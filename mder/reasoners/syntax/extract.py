"""The act of Map by rules: the paragraphs of a Document, parsed and stated as triples."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mder.names import bare_title, normalise, qualifier
from mder.reasoners.syntax import brackets
from mder.reasoners.syntax.discourse import Discourse, is_person
from mder.reasoners.syntax.parser import Parsed, parse
from mder.reasoners.syntax.phrases import is_named, mention, name_span
from mder.reasoners.syntax.statements import IS_A, Statement, statements
from mder.records import VALUES, Alias, Chunk, Document, Extraction, Mention, Triple

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?!\n)[^\n]+)*")
_CALLED = re.compile(r"(?:KNOWN_AS|CALLED|NICKNAMED|ABBREVIATED_AS|ABBREVIATED_TO|STYLIZED_AS)$")
_WORD = re.compile(r"[a-z]{3,}$")
_FIRST_WORDS = 2  # before the name that a page opens with: an article, an honorific
_LONGEST_PARAGRAPH = 20_000  # characters; nothing that long is prose


@dataclass(slots=True)
class _Found:
    """What was found in a Document so far."""

    document: Document
    discourse: Discourse
    triples: dict[Triple, None] = field(default_factory=dict)
    mentions: dict[Mention, None] = field(default_factory=dict)
    aliases: dict[Alias, None] = field(default_factory=dict)


def extract(document: Document, chunks: Sequence[Chunk]) -> Extraction:
    """Return triples with evidence spans, the names met, and the aliases stated."""
    topic = Mention(bare_title(document.title))
    found = _Found(document, Discourse(topic))
    kind = _WORD.match(qualifier(document.title).split(",")[0].split(" ")[-1])
    if kind is not None:
        found.discourse.learn(topic.name, kind[0])
    places = [(c, start, text) for c in chunks for start, text in _paragraphs(document, c)]
    parses = parse([text for _, _, text in places], (topic.name, document.title))
    for (chunk, offset, _), parsed in zip(places, parses, strict=True):
        for sentence in parsed.doc.sents:
            _read(sentence, parsed, chunk, offset, found)
            found.discourse.sentence += 1
    return _with_types(found)


def _paragraphs(document: Document, chunk: Chunk) -> Iterator[tuple[int, str]]:
    """Yield (offset in the Document, text) of each paragraph, headings left out."""
    headings = {s.start for s in document.sections}
    for match in _PARAGRAPH.finditer(chunk.text):
        offset = chunk.start + match.start()
        if offset not in headings and len(match[0]) <= _LONGEST_PARAGRAPH:
            yield offset, match[0]


def _read(sentence: "Span", parsed: Parsed, chunk: Chunk, offset: int, found: _Found) -> None:
    start, end = parsed.span(sentence)
    evidence = (chunk.start, offset + start, offset + end)
    heads = list(_heads(sentence, parsed))
    for token in heads:
        found.discourse.note(token, parsed)
        _keep_mention(mention(token, parsed), found)
    for statement in statements(sentence, parsed):
        _state(statement, parsed, evidence, found)
    for token in sentence:
        if token.i in parsed.asides:
            _bracket(token, parsed, evidence, found)


def _heads(sentence: "Span", parsed: Parsed) -> Iterator["Token"]:
    """Yield the heads of proper names, one a name."""
    for token in sentence:
        if is_named(token, parsed):
            inner = token.dep_ in {"compound", "flat"} and is_named(token.head, parsed)
            if not inner or parsed.is_name(token):
                yield token


def _keep_mention(name: Mention | None, found: _Found) -> None:
    if name is not None and not VALUES.intersection(name.types):
        found.mentions[name] = None


def _state(
    statement: Statement, parsed: Parsed, evidence: tuple[int, int, int], found: _Found
) -> None:
    discourse = found.discourse
    subject = discourse.resolve(statement.subject, parsed)
    if statement.predicate in {IS_A, "IS_NOT_A"}:
        thing = mention(statement.object, parsed)
    else:
        thing = discourse.resolve(statement.object, parsed)
    if subject is None or thing is None or subject.name.casefold() == thing.name.casefold():
        return
    if VALUES.intersection(subject.types):
        return
    if statement.predicate == IS_A and VALUES.intersection(thing.types):
        return
    if statement.predicate == IS_A and statement.object.pos_ == "NOUN":
        discourse.learn(subject.name, statement.object.lemma_.lower())
        thing = replace(thing, local=False)
    names = _CALLED.search(statement.predicate) is not None or (
        statement.predicate == "HAS_NAME" and statement.object.dep_ == "appos"
    )
    value = VALUES.intersection(thing.types)
    if names and is_named(statement.object, parsed) and not (subject.local or value):
        found.aliases[Alias(found.document.source, subject.name, thing.name)] = None
    first = found.discourse.sentence == 0 and is_named(statement.subject, parsed)
    if first and name_span(statement.subject, parsed).start <= _FIRST_WORDS:
        _opening(subject, found)
    _add(subject, statement.predicate, thing, evidence, found, statement.negated)


def _opening(subject: Mention, found: _Found) -> None:
    """Take the first sentence's subject for the topic where they share half of the title's words.

    "William Lee (born 1915)" opens the page "Bill Lee".
    """
    topic = found.discourse.topic.name
    words = {word for word in normalise(topic).split() if len(word) > 2}
    shared = words & set(normalise(subject.name).split())
    if subject.name != topic and 2 * len(shared) >= len(words) > 0:
        found.aliases[Alias(found.document.source, topic, subject.name)] = None
        found.discourse.topics.add(subject.name)


def _add(
    subject: Mention,
    predicate: str,
    thing: Mention,
    evidence: tuple[int, int, int],
    found: _Found,
    negated: bool = False,
) -> None:
    chunk, start, end = evidence
    triple = Triple(
        subject, predicate, thing, found.document.source, chunk, start, end, negated=negated
    )
    found.triples[triple] = None


def _bracket(token: "Token", parsed: Parsed, evidence: tuple[int, int, int], found: _Found) -> None:
    head = token
    while head.dep_ in {"compound", "flat"} and head.head.i > head.i:
        head = head.head
    if head.dep_ == "appos" and is_named(head.head, parsed):
        # "Ann Lee, 2nd Baroness (1901-1970)": the dates are hers.
        head = head.head
    name = found.discourse.resolve(head, parsed)
    if name is None or not is_named(head, parsed):
        return
    for block in parsed.asides[token.i]:
        _aside(block.aside, name, head, parsed, evidence, found)


def _aside(
    text: str,
    name: Mention,
    head: "Token",
    parsed: Parsed,
    evidence: tuple[int, int, int],
    found: _Found,
) -> None:
    topic = found.discourse.topic.name
    person = "person" in name.types or name.name == topic
    for predicate, value, kind in brackets.facts(text, years=person):
        if predicate == "HAS_YEAR" and not parsed.is_name(head) and head.ent_type_ != "WORK_OF_ART":
            continue
        _add(name, predicate, Mention(value, (kind,)), evidence, found)
        if predicate in {"WAS_BORN_ON", "DIED_ON", "WAS_BORN_IN"}:
            found.discourse.learn(name.name, "person")
    other = brackets.alias(text, name.name)
    if other and other != name.name:
        found.aliases[Alias(found.document.source, name.name, other)] = None


def _with_types(found: _Found) -> Extraction:
    """Give every mention of a name all the types that its Document states for it, those first.

    The parser labels each occurrence anew; the label that it gives most often counts.
    """
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for name in (m for t in found.triples for m in (t.subject, t.object)):
        labels[name.name].update(name.types)

    def typed(name: Mention) -> Mention:
        stated = found.discourse.types.get(name.name, [])
        usual = [k for k, _ in labels[name.name].most_common(1)] or name.types
        # What is said to be a film is no person, whatever the label.
        wrong = stated and "person" in usual and not is_person(stated)
        types = (*stated, *(() if wrong or "person" in stated else usual))
        return replace(name, types=tuple(dict.fromkeys(types)))

    triples = [replace(t, subject=typed(t.subject), object=typed(t.object)) for t in found.triples]
    mentions = [typed(m) for m in found.mentions]
    return Extraction(
        tuple(dict.fromkeys(triples)), tuple(dict.fromkeys(mentions)), tuple(found.aliases)
    )
