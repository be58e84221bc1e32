"""Placeholders bound by reading: what the sentences about a known thing say of the relation asked.

Where the triples of a graph leave a comparison open, the Document about each option mostly tells.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from mder.names import bare_title
from mder.reasoners.syntax.candidates import Candidate, candidates
from mder.reasoners.syntax.moments import moment
from mder.reasoners.syntax.origins import ORIGINS, classes, origins, same_origin
from mder.reasoners.syntax.passages import WORD, Passage, about, form, key
from mder.reasoners.syntax.relations import content, overlap
from mder.reasoners.syntax.wanted import GROUP, PERSON
from mder.records import Binding, QueryTriple, Question, is_placeholder

Told = tuple[str, Passage]
"""A value, and the passage that tells it."""

_MOMENTS = frozenset({"date", "duration", "year"})
_LIKE = 0.6  # share of the words of a name and a title that are the same, for one to mean the other
_LEAST = 0.5  # weight from which somebody is taken for the one a relation leads to
_READ = 0.9  # score of what was read
_BEFORE = 40  # characters before a name that may hold the word for its relation
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?(?: (?:thousand|million|billion))?")
_YEARLIKE = re.compile(r"1[5-9]\d\d|20\d\d")
_SPELLED = {
    word: str(number)
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
}
_EXTENTS = frozenset(map(key, "height length depth width elevation".split()))
# Texts give a height as "8,034 metres high", without the word.
_UNITS = frozenset(
    map(key, "height high tall elevation altitude metres meters m ft feet km long length".split())
)


def read_bindings(
    question: Question, found: Sequence[Passage], bound: Mapping[str, Binding]
) -> dict[str, Binding]:
    """Return a Binding a Placeholder, as far as the passages tell; others stay as they are."""
    made = dict(bound)
    ends: list[tuple[str, list[Told]]] = []
    for triple in question.triples:
        slot = next(iter(triple.placeholders), "")
        known = triple.subject if slot == triple.object else triple.object
        name = made[known].value if known in made else known
        if not slot or slot == known or is_placeholder(name):
            continue
        if sum(slot in {t.subject, t.object} for t in question.triples) > 1:
            read = _bridge(triple, name, found)
            made |= {slot: read} if read else {}
            continue
        told = list(_values(triple, question, passages_about(name, found)))
        if slot in made and not _reads_well(question):
            continue
        ends += [(slot, told)]
        made |= {slot: _binding(told[0])} if told else {}
    return made | _agreed(question, ends)


def _reads_well(question: Question) -> bool:
    """Say whether sentences tell more surely than triples: when, and where from."""
    return question.expects in _MOMENTS or question.expects in ORIGINS


def _binding(told: Told) -> Binding:
    return Binding(told[0], _READ, (told[1].id,))


def _agreed(question: Question, ends: Sequence[tuple[str, list[Told]]]) -> dict[str, Binding]:
    """Prefer an origin that two things have in common, where several are told of each."""
    if question.order != "same" or question.expects not in ORIGINS or len(ends) != 2:
        return {}
    (one, first), (other, second) = ends
    for a, b in product(first, second):
        if same_origin(a[0], b[0]):
            return {one: _binding(a), other: _binding(b)}
    return {}


def passages_about(name: str, found: Sequence[Passage]) -> list[Passage]:
    """Return the passages of the Document whose title is a name or most like it.

    Where there is none, those that mention the name.
    """
    wanted = form(bare_title(name))
    exact = [p for p in found if form(p.title) == form(name)]
    exact = exact or [p for p in found if about(p) == wanted]
    if exact:
        return exact
    likes = {p.source: _likeness(wanted, about(p)) for p in found}
    best = max(likes, key=lambda source: likes[source], default="")
    if not best or likes[best] < _LIKE:
        return [p for p in found if f" {wanted} " in p.said]
    return [p for p in found if p.source == best]


def _likeness(name: str, title: str) -> float:
    one, other = set(name.split()), set(title.split())
    return len(one & other) / max(len(one | other), 1)


def _values(triple: QueryTriple, question: Question, near: Sequence[Passage]) -> Iterator[Told]:
    """Yield what the passages about a thing say stands at the end of a relation."""
    if question.expects in _MOMENTS:
        told = moment(triple.predicate, near)
        yield from (told,) if told else ()
    elif question.expects in ORIGINS:
        yield from origins(near)
    elif question.expects == "number":
        yield from _numbers(content(triple.predicate), near)
    elif question.asks:
        yield from classes(near)


def _numbers(asked: frozenset[str], near: Sequence[Passage]) -> Iterator[Told]:
    """Yield the number that stands nearest to what is counted, best before it."""
    asked = asked | _UNITS if asked & _EXTENTS else asked
    for passage in near:
        words = [*WORD.finditer(passage.text)]
        cues = [i for i, word in enumerate(words) if key(word[0]) in asked]
        figures = [i for i, word in enumerate(words) if _is_figure(word[0])]
        if cues and figures:
            best = min(figures, key=lambda i: min(abs(i - c) + (i > c) for c in cues))
            exact = _FIGURE.match(passage.text, words[best].start())
            yield exact[0] if exact else _SPELLED[words[best][0].lower()], passage


def _is_figure(word: str) -> bool:
    return word.lower() in _SPELLED or (word[:1].isdigit() and not _YEARLIKE.fullmatch(word))


def _bridge(triple: QueryTriple, name: str, found: Sequence[Passage]) -> Binding | None:
    """Return who stands in a relation to something: best somebody whom a Document is about."""
    near = passages_about(name, found)
    titles = {about(p): bare_title(p.title) for p in found}
    own = {form(bare_title(name)), *(about(p) for p in near)}
    options = [c for c in candidates(near) if c.key not in own and not c.titled]
    best = max(options, key=lambda c: _leads(triple, c, c.key in titles), default=None)
    if best is None or _leads(triple, best, best.key in titles) < _LEAST:
        return None
    return _binding((titles.get(best.key, best.value), best.passage))


def _leads(triple: QueryTriple, one: Candidate, titled: bool) -> float:
    """Weigh whether a relation leads to a candidate."""
    asked, text = content(triple.predicate), one.passage.text
    stated = (
        overlap(triple.predicate, t.predicate)
        for t in one.passage.triples
        if one.key in {form(t.subject.name), form(t.object.name)}
    )
    before = text[max(one.start - _BEFORE, 0) : max(one.start, 0)]
    beside = not asked.isdisjoint(key(w) for w in WORD.findall(before)[-3:])
    score = max(stated, default=0.0) + 0.5 * beside + 0.3 * titled + 0.2 * (PERSON in one.types)
    score += 0.0 if asked.isdisjoint(one.passage.words) else 0.2
    score -= 0.6 if one.value[:1].islower() else 0.0
    return score - (0.5 if GROUP in one.types or one.value[:1].isdigit() else 0.0)
