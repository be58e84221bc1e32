"""The act of answering by quotation: the value asked for, then the sentences that support it."""

import math
from collections.abc import Iterable, Mapping, Sequence

from mder.names import bare_title, normalise
from mder.reasoners.syntax.comparing import Comparison, compare
from mder.reasoners.syntax.passages import Passage, passages
from mder.reasoners.syntax.reader import Finding, read
from mder.reasoners.syntax.sides import read_bindings
from mder.reasoners.syntax.stated import stated
from mder.reasoners.syntax.wanted import asks_way
from mder.records import Binding, Evidence, EvidenceKind, Kind, Question, Reply
from mder.sentences import sentences

_UNANSWERED = "The documents do not say."
_QUOTES = 3
_SURE = 0.8  # score of a Binding from which the graph's own relation is an answer
# How probable an answer that was read has to be. What is asked over several relations is never told
# by one sentence, so that right answers look less sure; a whole sentence is seldom quite wrong.
_SINGLE, _CHAIN, _LED, _SENTENCE = 0.5, 0.15, 0.1, 0.3


def answer(
    question: Question, bindings: Mapping[str, Binding], evidence: Sequence[Evidence]
) -> Reply:
    """Answer from what the graph bound where that is sure, else from what the passages say.

    A yes/no question is settled by Evidence bound under ``""``: that its triple is stated.
    """
    found = passages(evidence)
    if question.kind is not Kind.ENTITY:
        return _settled(question, bindings, found, evidence)
    value = None if asks_way(question) else bindings.get(question.asks)
    complete = value is not None and _holds(question, bindings)
    if value is not None and complete and value.score >= _SURE and len(question.triples) == 1:
        return _reply(bare_title(value.value), _cited([value]), evidence)
    best = read(question, found, bindings)
    read_well = best is not None and best.fits and best.sure >= _enough(best)
    if value is not None and complete and value.score >= _SURE:
        same = best is not None and normalise(best.value) == normalise(bare_title(value.value))
        if same or not read_well:
            return _reply(bare_title(value.value), _cited([value, *bindings.values()]), evidence)
    if best is not None and read_well:
        return _found(best)
    told = _define(question, evidence)
    if told is not None:
        return told
    guess = best.value if best is not None else bare_title(value.value) if value else ""
    return Reply(_UNANSWERED, answered=False, guess=guess)


def _enough(best: Finding) -> float:
    if not best.spoken:
        return math.inf
    if best.whole:
        return _SENTENCE
    if best.steps == 1:
        return _SINGLE
    # What a passage led to is right more often than it seems.
    return _LED if best.passages[0].path else _CHAIN


def _settled(
    question: Question,
    bindings: Mapping[str, Binding],
    found: Sequence[Passage],
    evidence: Sequence[Evidence],
) -> Reply:
    """Answer yes or no, or by one of the options."""
    known = bindings.get("")
    settled: Comparison | None = None
    if known is not None and question.kind is Kind.YES_NO:
        return _reply(known.value.capitalize(), known.evidence[:1], evidence)
    if question.order:
        settled = compare(question, read_bindings(question, found, bindings))
    likely = settled or stated(question, found)
    if likely is None:
        return Reply(_UNANSWERED, answered=False)
    if question.order and settled is None:
        # Of which more is told is no ground for which is larger.
        return Reply(_UNANSWERED, answered=False, guess=likely.outcome)
    settled = likely
    return _reply(settled.outcome, _cited(settled.bindings), evidence, settled.shown)


def _holds(question: Question, bindings: Mapping[str, Binding]) -> bool:
    """Say whether everything that a question says of the value asked for was found."""
    slots = {name for triple in question.triples for name in triple.placeholders}
    if not slots <= bindings.keys():
        return False
    # A triple more than there are Placeholders says something that has to hold as well.
    complete = bindings.get("")
    return len(question.triples) <= len(slots) or (complete is not None and complete.value != "no")


def _define(question: Question, evidence: Sequence[Evidence]) -> Reply | None:
    """Answer "what is Xanadu?" by how the Document about it begins."""
    if [t.predicate for t in question.triples] != ["IS_A"]:
        return None
    wanted = normalise(bare_title(question.triples[0].subject))
    for found in evidence:
        if found.kind is EvidenceKind.SUMMARY and normalise(bare_title(found.entity)) == wanted:
            texts = [found.quote[a:b] for a, b in sentences(found.quote)]
            opening = next((t for t in texts if normalise(t) != wanted), "")
            if opening:
                text = " ".join(opening.split())
                return Reply(text, cited=(found.id,), value=text)
    return None


def _found(best: Finding) -> Reply:
    quotes = [p.text for p in best.passages]
    cited = tuple(dict.fromkeys(p.id for p in best.passages))
    head = [] if best.whole else [f"{best.value}."]
    return Reply(" ".join([*head, *quotes]), cited=cited, value=best.value)


def _cited(bindings: Iterable[Binding]) -> list[str]:
    return [i for binding in bindings for i in binding.evidence[:1]]


def _reply(text: str, used: Iterable[str], evidence: Sequence[Evidence], shown: str = "") -> Reply:
    texts = {e.id: e.quote for e in evidence}
    cited = tuple(dict.fromkeys(i for i in used if i in texts))
    quotes = dict.fromkeys(" ".join(texts[i].split()) for i in cited[:_QUOTES])
    head = f"{text} ({shown})." if shown else f"{text}."
    return Reply(" ".join((head, *quotes)), cited=cited, value=text)
