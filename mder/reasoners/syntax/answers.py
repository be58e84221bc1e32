"""The act of answering by quotation: the value asked for, then the sentences that support it."""

from collections.abc import Mapping, Sequence

from mder.names import bare_title, normalise
from mder.reasoners.syntax.comparing import compare
from mder.records import Binding, Evidence, EvidenceKind, Kind, Question, Reply
from mder.sentences import sentences

_UNANSWERED = "The documents do not say."
_QUOTES = 3
_SURE = 0.65  # score of a value below which it is no answer, only a way on


def answer(
    question: Question, bindings: Mapping[str, Binding], evidence: Sequence[Evidence]
) -> Reply:
    """Answer from bindings alone; what they do not settle is not answered.

    A yes/no question is settled by Evidence bound under ``""``: that its triple is stated.
    """
    if question.kind is Kind.COMPARISON:
        found = compare(question, bindings)
        if found is None:
            return Reply(_UNANSWERED, answered=False)
        return _reply(found.outcome, found.bindings, evidence, found.shown)
    if question.kind is Kind.YES_NO:
        stated = bindings.get("")
        if stated is None:
            return Reply(_UNANSWERED, answered=False)
        return _reply(stated.value.capitalize(), [stated], evidence)
    value = bindings.get(question.asks)
    if value is None or value.score < _SURE:
        guess = "" if value is None else bare_title(value.value)
        return _define(question, evidence) or Reply(_UNANSWERED, answered=False, guess=guess)
    if not _holds(question, bindings):
        guess = bare_title(value.value)
        partly = f"Found, but not with all that was asked: {guess}."
        return Reply(f"{_UNANSWERED} {partly}", answered=False, guess=guess)
    return _reply(bare_title(value.value), [value, *bindings.values()], evidence)


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


def _reply(
    text: str, bindings: Sequence[Binding | None], evidence: Sequence[Evidence], shown: str = ""
) -> Reply:
    texts = {e.id: e.quote for e in evidence}
    used = [i for b in bindings if b is not None for i in b.evidence[:1] if i in texts]
    cited = tuple(dict.fromkeys(used))
    quotes = dict.fromkeys(" ".join(texts[i].split()) for i in cited[:_QUOTES])
    head = f"{text} ({shown})." if shown else f"{text}."
    return Reply(" ".join((head, *quotes)), cited=cited, value=text)
