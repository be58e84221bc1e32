"""Decompose by rules: a question's parse becomes query triples in the order of resolving."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mder.reasoners.syntax.comparisons import compare
from mder.reasoners.syntax.query_masks import Masked, mask
from mder.reasoners.syntax.query_names import Known
from mder.reasoners.syntax.query_nouns import ASKED
from mder.reasoners.syntax.query_order import Straight, straighten
from mder.reasoners.syntax.query_readings import reading
from mder.reasoners.syntax.query_verbs import AUXILIARIES
from mder.records import Kind, QueryTriple, Question

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# Names are found before parsing.
_UNUSED = ("ner",)


def decompose(question: str, nlp: "Language", known: Known | None = None) -> Question:
    """Take an English question apart into query triples, the one with a known name first.

    There is always at least one triple, unless the question holds no word at all.

    :param known: says whether a string is a name in the graph; helps to find where names end. It
        is asked a bounded number of times.
    """
    masked = mask(question, known)
    doc = nlp(masked.text, disable=_UNUSED)
    comparatives = {t.lower_ for t in doc if t.tag_ in {"JJR", "JJS", "RBR", "RBS"}}

    def read(statement: str) -> Sequence[QueryTriple]:
        told = Straight((statement,), {})
        return reading([nlp(statement, disable=_UNUSED)], masked, told, "").triples

    return compare(question, masked, comparatives, read) or _single(question, masked, doc, nlp)


def _single(question: str, masked: Masked, doc: "Doc", nlp: "Language") -> Question:
    polar = _polar(question)
    asked = "" if polar else ASKED
    straight = straighten(masked.text)
    docs = [nlp(sentence, disable=_UNUSED) for sentence in straight.sentences]
    found = reading(docs, masked, straight, asked)
    if found.faults:
        # As it stands, a question is misread more often; but where this went wrong, it may do.
        plain = reading([doc], masked, Straight((masked.text,), {}), asked)
        found = min(found, plain, key=lambda one: one.faults)
    if polar:
        return Question(question, found.triples, kind=Kind.YES_NO)
    return Question(question, found.triples, found.asks, expects=found.expects)


def _polar(question: str) -> bool:
    """Say whether a question wants yes or no."""
    first = re.match(r"\W*(\w+)", question)
    return first is not None and first[1].lower() in AUXILIARIES
