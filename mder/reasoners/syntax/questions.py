"""Decompose by rules: a question's parse becomes query triples in the order of resolving."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from mder.reasoners.syntax.comparisons import compare
from mder.reasoners.syntax.query_masks import Masked, mask
from mder.reasoners.syntax.query_nouns import ASKED
from mder.reasoners.syntax.query_order import Straight, straighten
from mder.reasoners.syntax.query_readings import reading
from mder.reasoners.syntax.query_verbs import AUXILIARIES
from mder.reasoners.syntax.query_words import Known
from mder.records import Kind, QueryTriple, Question

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# Names are found before parsing.
_UNUSED = ("ner", "entity_ruler")
# A clause in front of a question that has no question word of its own.
_MAIN = re.compile(
    r"^\W*(?:between|after|before|since|during|in|at|on|for|considering|according|besides)\b.*, "
    r"(?=(?:is|are|was|were|do|does|did|has|have|had|can|could)\b"
    r"(?!.*\b(?:who|what|which|where|how)\b))",
    re.IGNORECASE | re.DOTALL,
)


def decompose(question: str, nlp: "Language", known: Known | None = None) -> Question:
    """Take an English question apart into query triples, the one with a known name first.

    There is always at least one triple, unless the question holds no word at all.

    :param known: says whether a string is a name in the graph; helps to find where names end. It
        is asked a bounded number of times.
    """
    masked = mask(question, known)
    parsed: dict[str, Doc] = {}

    def parse(texts: Sequence[str]) -> list["Doc"]:
        # Two together take two thirds of what they take apart.
        new = [text for text in dict.fromkeys(texts) if text not in parsed]
        parsed.update(zip(new, nlp.pipe(new, disable=_UNUSED), strict=True))
        return [parsed[text] for text in texts]

    def read(statement: str) -> Sequence[QueryTriple]:
        return reading(parse([statement]), masked, Straight((statement,), {}), "").triples

    def compared() -> Collection[str]:
        return {t.lower_ for t in parse([masked.text])[0] if t.tag_ in {"JJR", "JJS", "RBR", "RBS"}}

    return compare(question, masked, compared, read) or _single(question, masked, parse)


def _single(
    question: str, masked: Masked, parse: Callable[[Sequence[str]], list["Doc"]]
) -> Question:
    polar = _polar(question)
    asked = "" if polar else ASKED
    # As it stands, a question is misread more often; but where statements go wrong, it may do.
    wordings = (straighten(masked.text), Straight((masked.text,), {}))
    found = reading(parse(wordings[0].sentences), masked, wordings[0], asked)
    if found.faults:
        plain = reading(parse(wordings[1].sentences), masked, wordings[1], asked)
        found = min(found, plain, key=lambda one: one.faults)
    if polar:
        return Question(question, found.triples, kind=Kind.YES_NO)
    return Question(question, found.triples, found.asks, expects=found.expects)


def _polar(question: str) -> bool:
    """Say whether a question wants yes or no, also behind "After the war, "."""
    first = _MAIN.sub("", question).split(maxsplit=1)[:1]
    return bool(first) and first[0].lower().strip("\"'“”‘’([¿") in AUXILIARIES
