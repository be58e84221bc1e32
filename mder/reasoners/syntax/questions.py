"""Decompose by rules: a question's parse becomes query triples in the order of resolving."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from mder.reasoners.syntax.comparisons import compare
from mder.reasoners.syntax.query_masks import Masked, mask
from mder.reasoners.syntax.query_names import Known
from mder.reasoners.syntax.query_nouns import ASKED
from mder.reasoners.syntax.query_walk import Walk
from mder.reasoners.syntax.verbs import predicate
from mder.records import Kind, QueryTriple, Question

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_LETTERS = "XYZ"
# Names are found before parsing.
_UNUSED = ("ner",)
_AUXILIARIES = frozenset(
    """is are was were am do does did has have had can could will would shall should may might
    must""".split()
)


def decompose(question: str, nlp: "Language", known: Known | None = None) -> Question:
    """Take an English question apart into query triples, the one with a known name first.

    There is always at least one triple, unless the question holds no word at all.

    :param known: says whether a string is a name in the graph; helps to find where names end.
    """
    masked = mask(question, known)
    doc = nlp(masked.text, disable=_UNUSED)
    comparatives = {t.lower_ for t in doc if t.tag_ in {"JJR", "JJS", "RBR", "RBS"}}

    def read(statement: str) -> Sequence[QueryTriple]:
        return _reading([nlp(statement, disable=_UNUSED)], masked, Straight((), {}), "").triples

    return compare(question, masked, comparatives, read) or _single(question, masked, doc, nlp)


def _single(question: str, masked: Masked, doc: "Doc", nlp: "Language") -> Question:
    polar = _polar(question)
    asked = "" if polar else ASKED
    straight = straighten(masked.text)
    docs = list(nlp.pipe(straight.sentences, disable=_UNUSED))
    reading = _reading(docs, masked, straight, asked)
    if reading.faults:
        # As it stands, a question is read wrongly more often, but not always.
        plain = _reading([doc], masked, Straight((masked.text,), {}), asked)
        reading = min(reading, plain, key=lambda one: one.faults)
    if polar:
        return Question(question, reading.triples, kind=Kind.YES_NO)
    return Question(question, reading.triples, reading.asks, expects=reading.expects)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one wording of a question gave.

    :param faults: how much of the question found no place in a triple; 0 is best.
    """

    triples: tuple[QueryTriple, ...]
    asks: str
    expects: str
    faults: int


def _reading(docs: Sequence["Doc"], masked: Masked, straight: Straight, asked: str) -> _Reading:
    unknowns = {one: f"{ASKED}{one}" for one in straight.nouns} | {straight.asked: ASKED}
    names = {**masked.names, **unknowns}
    walks = [Walk(doc, names, str(number), polar=not asked) for number, doc in enumerate(docs)]
    for walk in walks:
        walk.read()
    triples = list(dict.fromkeys(t for walk in walks for t in walk.triples))
    if asked:
        triples = [t for t in triples if _useful(t, triples)]
    faults = sum(not _placed(name, triples) for name in masked.names.values())
    if not triples or not _reached(triples, asked):
        faults += len(_FAULTS)
        tokens = [t for doc in docs for t in doc]
        triples = [*triples, *_fallback(docs, masked, triples, asked)]
    ordered, letters = _named(_ordered(triples, masked.names.values()))
    token = next((walk.asked for walk in walks if walk.asked is not None), None)
    return _Reading(
        ordered, letters.get(asked, ""), _expects(token, triples, names, straight), faults
    )


def _polar(question: str) -> bool:
    """Say whether a question wants yes or no."""
    first = re.match(r"\W*(\w+)", question)
    return first is not None and first[1].lower() in _AUXILIARIES


def _useful(triple: QueryTriple, triples: Sequence[QueryTriple]) -> bool:
    """Say whether a triple leads anywhere; "X is a man" does not where others tell of X."""
    leads = triple.predicate != "IS_A" or triple.object.startswith(ASKED)
    return leads or len(triples) == 1


def _reached(triples: Sequence[QueryTriple], asked: str) -> bool:
    """Say whether what is asked is tied to something known, over however many hops."""
    return not asked or any(not v.startswith(ASKED) for v in _around(triples, asked))


def _around(triples: Sequence[QueryTriple], value: str) -> list[str]:
    """Return the values that are tied to a value, the nearest first."""
    found = [value]
    for one in found:
        for triple in triples:
            ends = (triple.subject, triple.object)
            found += [v for v in ends if one in ends and v not in found]
    return found


def _fallback(
    doc: "Doc", masked: Masked, triples: Sequence[QueryTriple], asked: str
) -> Iterator[QueryTriple]:
    """Tie what is asked to the best anchor by the content words of the question."""
    used = {value for t in triples for value in (t.subject, t.object)}
    around = _around(triples, asked or ASKED)
    names = [masked.names[t.text] for t in doc if t.text in masked.names]
    spare = [name for name in names if name not in used]
    last = [t.object for t in reversed(triples) if t.object.startswith(ASKED)]
    anchors = [*(v for v in last if v not in around), *spare, *names, _phrase(doc)]
    content = {"VERB", "NOUN", "ADJ"}
    words = [t.lower_ for t in doc if t.pos_ in content and t.text not in masked.names]
    words = [w for w in words if w not in anchors[0].lower().split()]
    if anchors[0]:
        yield QueryTriple(anchors[0], predicate(words[:4]) or "IS", around[-1])


def _phrase(doc: "Doc") -> str:
    """Return the longest noun phrase, for a question without names."""
    asking = {"DET", "PRON", "SCONJ", "ADV"}
    chunks = [
        [t.text for t in c if t.pos_ not in asking and t.lower_ != "many"] for c in doc.noun_chunks
    ]
    best = max(chunks, key=len, default=[])
    return " ".join(best) or " ".join(t.text for t in doc if not t.is_punct)


def _ordered(triples: Sequence[QueryTriple], names: Collection[str]) -> list[QueryTriple]:
    """Sort so that each triple shares a value with what is known by then."""
    left = list(triples)
    known = set(names)
    ordered: list[QueryTriple] = []
    while left:
        best = min(left, key=lambda t: _unknown(t, known))
        left.remove(best)
        ordered.append(best)
        known |= {best.subject, best.object}
    return ordered


def _unknown(triple: QueryTriple, known: set[str]) -> tuple[int, int]:
    """Return how many unknowns a triple has left, and how many plain words."""
    unknown = [v for v in (triple.subject, triple.object) if v not in known]
    return sum(v.startswith(ASKED) for v in unknown), len(unknown)


def _named(triples: Sequence[QueryTriple]) -> tuple[tuple[QueryTriple, ...], dict[str, str]]:
    """Call the unknowns X, Y, Z, X1 … in the order in which they come."""
    names: dict[str, str] = {}
    for triple in triples:
        for value in (triple.subject, triple.object):
            if value.startswith(ASKED) and value not in names:
                turn, letter = divmod(len(names), len(_LETTERS))
                names[value] = _LETTERS[letter] + (str(turn) if turn else "")
    renamed = (
        QueryTriple(names.get(t.subject, t.subject), t.predicate, names.get(t.object, t.object))
        for t in triples
    )
    return tuple(renamed), names
