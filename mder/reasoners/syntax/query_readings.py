"""Gathers the triples of one wording of a question, and ties what they leave loose."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from mder.reasoners.syntax.query_masks import Masked
from mder.reasoners.syntax.query_nouns import ASKED
from mder.reasoners.syntax.query_order import Straight
from mder.reasoners.syntax.query_walk import Walk
from mder.reasoners.syntax.roles import expected, kind, singular
from mder.reasoners.syntax.verbs import predicate
from mder.records import QueryTriple

if TYPE_CHECKING:
    from spacy.tokens import Doc

_LETTERS = "XYZ"
_UNTIED = 10  # faults, where what is asked is tied to nothing known


@dataclass(frozen=True, slots=True)
class Reading:
    """What one wording of a question gave.

    :param asks: the Placeholder whose value is the answer.
    :param faults: how much of the question found no place in a triple; 0 is best.
    """

    triples: tuple[QueryTriple, ...]
    asks: str
    expects: str
    faults: int


def reading(docs: Sequence["Doc"], masked: Masked, straight: Straight, asked: str) -> Reading:
    """Read parsed statements as triples, in the order of resolving.

    :param asked: what stands for the value asked for, or ``""`` for a yes/no question.
    """
    unknowns = {one: f"{ASKED}{one}" for one in straight.nouns}
    if straight.asked:
        unknowns[straight.asked] = ASKED
    walks = [
        Walk(doc, masked.names, unknowns, polar=not asked, number=number)
        for number, doc in enumerate(docs)
    ]
    for walk in walks:
        walk.read()
    triples = list(dict.fromkeys(chain.from_iterable(walk.triples for walk in walks)))
    triples = [t for t in triples if not asked or _useful(t, triples)]
    faults = sum(not _placed(name, triples) for name in masked.names.values())
    if not triples or not _reached(triples, asked):
        faults += _UNTIED
        triples += _fallback(docs, masked, triples, asked)
    ordered, letters = _named(_ordered(triples, masked.names.values()))
    return Reading(ordered, letters.get(asked, ""), _expects(walks, straight, triples), faults)


def _expects(walks: Sequence[Walk], straight: Straight, triples: Sequence[QueryTriple]) -> str:
    if straight.asked:
        return kind(singular(straight.nouns[straight.asked]))
    walk = next((walk for walk in walks if walk.asked is not None), None)
    if walk is None or walk.asked is None or walk.asked.text in walk.names:
        return ""
    # "Who is N?" asks what N is, not for a person.
    told = [t.predicate for t in triples if ASKED in {t.subject, t.object}]
    return "" if told == ["IS_A"] and walk.asked.pos_ == "PRON" else expected(walk.asked)


def _useful(triple: QueryTriple, triples: Sequence[QueryTriple]) -> bool:
    """Say whether a triple leads anywhere; "X is a man" does not where others tell of X."""
    leads = triple.predicate != "IS_A" or triple.object.startswith(ASKED)
    return leads or len(triples) == 1


def _placed(name: str, triples: Sequence[QueryTriple]) -> bool:
    """Say whether a triple holds a name."""
    words = predicate(name.split())
    return any(name in t.subject or name in t.object or words in t.predicate for t in triples)


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
    docs: Sequence["Doc"], masked: Masked, triples: Sequence[QueryTriple], asked: str
) -> Iterator[QueryTriple]:
    """Tie what is asked to the best anchor by the content words of the question."""
    tokens = [t for doc in docs for t in doc]
    used = {value for t in triples for value in (t.subject, t.object)}
    around = _around(triples, asked or ASKED)
    names = [masked.names[t.text] for t in tokens if t.text in masked.names]
    spare = [name for name in names if name not in used]
    last = [t.object for t in reversed(triples) if t.object.startswith(ASKED)]
    anchors = [*(v for v in last if v not in around), *spare, *names, _phrase(docs)]
    content = {"VERB", "NOUN", "ADJ"}
    words = [t.lower_ for t in tokens if t.pos_ in content and t.text not in masked.names]
    words = [w for w in words if w not in anchors[0].lower().split()]
    if anchors[0]:
        yield QueryTriple(anchors[0], predicate(words[:4]) or "IS", around[-1])


def _phrase(docs: Sequence["Doc"]) -> str:
    """Return the longest noun phrase, for a question without names."""
    asking = {"DET", "PRON", "SCONJ", "ADV"}
    chunks = [
        [t.text for t in c if t.pos_ not in asking and t.lower_ != "many"]
        for doc in docs
        for c in doc.noun_chunks
    ]
    best = max(chunks, key=len, default=[])
    return " ".join(best) or " ".join(t.text for doc in docs for t in doc if not t.is_punct)


def _ordered(triples: Sequence[QueryTriple], names: Collection[str]) -> list[QueryTriple]:
    """Sort so that each triple shares a value with what is known by then."""
    left = list(triples)
    known = set(names)
    ordered: list[QueryTriple] = []
    while left:
        best = min(left, key=lambda t: _distance(t, known))
        left.remove(best)
        ordered.append(best)
        known |= {best.subject, best.object}
    return ordered


def _distance(triple: QueryTriple, known: Collection[str]) -> tuple[int, int]:
    """Return how many unknowns a triple has left, and how far its known end is to be trusted.

    Names come before what was found on the way, and what something has before what it did; plain
    words ("the electron") lead on where they have something.
    """
    ends = (triple.subject, triple.object)
    missing = [end for end in ends if end not in known]
    unknown = sum(end.startswith(ASKED) for end in missing)
    led = triple.subject in known
    has = triple.predicate.startswith("HAS_") and (led or not triple.subject.startswith(ASKED))
    if unknown < len(missing):
        return unknown, 1 if has else 5
    if any(end in known and not end.startswith(ASKED) for end in ends):
        return unknown, 0 if led else 2
    return unknown, 1 if has else 3 if led else 4


def _named(
    triples: Sequence[QueryTriple],
) -> tuple[tuple[QueryTriple, ...], Mapping[str, str]]:
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
