"""Questions, bindings and answers made of what a model replied, citations turned into ids."""

import re
from collections.abc import Mapping, Sequence

from mder.names import normalise
from mder.reasoners.llm.locate import fold
from mder.reasoners.llm.shapes import Answered, Asked, Decomposed, Grounded, Recalled
from mder.reasoners.llm.wording import is_example, tidy_predicate
from mder.records import Binding, Evidence, Kind, QueryTriple, Question, Reply
from mder.sentences import sentences

NO_ANSWER = "The graph does not hold an answer to this question."
NOT_KNOWN = "The model does not know."

_DRESSED = re.compile(r"[?$<{\[]*([XYZxyz]\d*)[>}\]]*")
_CITATION = re.compile(r"\s*\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\]")
_MOST_CHARACTERS = 24_000
_LONGEST_EVIDENCE = 1500
_MOST_CITED = 3


def to_question(text: str, reply: Decomposed) -> Question:
    """Return a question in query triples.

    :raises ValueError: when a part is missing, or what is asked for is no Placeholder in them.
    """
    triples = tuple(dict.fromkeys(_query_triple(asked) for asked in reply.triples))
    if not triples:
        raise ValueError("there is no triple")
    options = tuple(dict.fromkeys(option.strip() for option in reply.options if option.strip()))
    kind = Kind.COMPARISON if reply.order and len(options) > 1 else Kind(reply.kind)
    if kind is Kind.COMPARISON and len(options) < 2:
        raise ValueError("a comparison needs the two or more options that it compares")
    return Question(
        text,
        triples,
        asks=_asked_for(reply.asks, kind, triples),
        kind=kind,
        expects=reply.expects.strip().lower(),
        options=options,
        order=reply.order,
    )


def _query_triple(asked: Asked) -> QueryTriple:
    subject, obj = _term(asked.subject), _term(asked.object)
    predicate = tidy_predicate(asked.predicate)
    if not (subject and predicate and obj):
        raise ValueError("a triple lacks its subject, predicate or object")
    for name in (subject, obj):
        if is_example(name):
            raise ValueError(f"{name} is a name of the examples, not of the question")
    return QueryTriple(subject, predicate, obj)


def _term(word: str) -> str:
    plain = word.strip()
    dressed = _DRESSED.fullmatch(plain)
    return dressed[1].upper() if dressed else plain


def _asked_for(asks: str, kind: Kind, triples: Sequence[QueryTriple]) -> str:
    placeholders = sorted({name for triple in triples for name in triple.placeholders})
    asked = _term(asks)
    if asked in placeholders:
        return asked
    if kind is not Kind.ENTITY:
        return ""
    if len(placeholders) == 1:
        return placeholders[0]
    raise ValueError(f"asks is {asks!r}; it must be a placeholder X, Y or Z of the triples")


def shown(evidence: Sequence[Evidence]) -> list[str]:
    """Return pieces of evidence as lines, as many as a context can take.

    Their place in the list, from 1, is the number to cite them by.
    """
    lines: list[str] = []
    left = _MOST_CHARACTERS
    for piece in evidence:
        words = " ".join(piece.text.split())[:_LONGEST_EVIDENCE]
        way = f"; found by way of {' → '.join(piece.path)}" if piece.path else ""
        line = f"({piece.title}{way}) {words}"
        left -= len(line)
        if left < 0:
            break
        lines.append(line)
    return lines


def to_bindings(evidence: Sequence[Evidence], reply: Grounded) -> tuple[Binding, ...]:
    """Return the values that stand in the evidence, each once, in the order given.

    Scores are 1, 1/2, 1/3 …: an order, for models give no numbers worth comparing.
    """
    values: dict[str, tuple[str, tuple[str, ...]]] = {}
    for proposed in reply.values:
        value = " ".join(proposed.value.split())
        holding = [piece.id for piece in evidence if _stands_in(value, piece)]
        ids = cited(proposed.evidence, evidence)
        # A number may be off by one; what counts is where the value stands.
        ids = ids if set(ids) & set(holding) else tuple(dict.fromkeys(holding))[:_MOST_CITED]
        if ids:
            values.setdefault(normalise(value), (value, ids))
    return tuple(
        Binding(value, 1 / rank, ids) for rank, (value, ids) in enumerate(values.values(), start=1)
    )


def to_reply(
    bindings: Mapping[str, Binding], evidence: Sequence[Evidence], reply: Answered
) -> Reply:
    """Return an answer with the ids of its evidence; one that rests on none is no answer.

    Where the model cites nothing, the evidence of the bindings stands for it.
    """
    text = _CITATION.sub("", reply.text).strip()
    if not reply.answered or not text:
        return Reply(text or NO_ANSWER, answered=False)
    numbers = [int(n) for found in _CITATION.findall(reply.text) for n in re.findall(r"\d+", found)]
    ids = cited([*reply.citations, *numbers], evidence)
    if not ids:
        known = {piece.id for piece in evidence}
        resting = [i for binding in bindings.values() for i in binding.evidence if i in known]
        ids = tuple(dict.fromkeys(resting))
    value = _value(text)
    return (
        Reply(text, cited=ids, value=value)
        if ids
        else Reply(NO_ANSWER, answered=False, guess=value)
    )


def to_recalled(reply: Recalled) -> Reply:
    """Return what a model knows by itself, which rests on no evidence."""
    text = reply.text.strip()
    if not reply.answered or not text:
        return Reply(text or NOT_KNOWN, answered=False)
    return Reply(text, value=_value(text))


def _value(text: str) -> str:
    """Return the answer itself, which a reply begins with."""
    start, end = next(iter(sentences(text)), (0, len(text)))
    return text[start:end].strip().removesuffix(".")


def cited(numbers: Sequence[int], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the ids of evidence by its numbers; numbers that stand for none are left out."""
    ids = [evidence[n - 1].id for n in numbers if 1 <= n <= len(evidence)]
    return tuple(dict.fromkeys(ids))


def _stands_in(value: str, piece: Evidence) -> bool:
    text = f"{piece.entity}\n{piece.text}\n{piece.quote}\n{piece.title}"
    return fold(text).find(value) is not None
