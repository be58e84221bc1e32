"""From the head of a noun phrase to a Mention: which words are the name, and what type it has."""

import re
from typing import TYPE_CHECKING

from mder.records import Mention

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

    from mder.reasoners.syntax.parser import Parsed

TYPES = {
    "PERSON": "person",
    "NORP": "group",
    "FAC": "place",
    "ORG": "organization",
    "GPE": "place",
    "LOC": "place",
    "PRODUCT": "product",
    "EVENT": "event",
    "WORK_OF_ART": "work",
    "LAW": "law",
    "LANGUAGE": "language",
    "DATE": "date",
    "TIME": "time",
    "PERCENT": "number",
    "MONEY": "amount",
    "QUANTITY": "quantity",
    "ORDINAL": "number",
    "CARDINAL": "number",
}
# Entity labels whose span is a name; values and nationalities are found in other ways.
_NAMED = frozenset(
    {"PERSON", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE"}
)
_LEFT = frozenset({"amod", "compound", "nummod", "nmod", "quantmod", "npadvmod", "punct"})
_NO_PART = frozenset({"DET", "PRON", "ADP", "SCONJ"})
_VAGUE = frozenset(
    """other others such several many few some any most more all both each every another same first
    last next various certain only own latter former one this that these those what which thing
    things way ways lot number kind sort rest part time times example case result fact it today turn
    hand instance hope love case cases basis means account behalf favor favour terms spite regard
    addition order particular general total contrast response course place following none
    ones""".split()
)
_TITLES = frozenset({"Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "Mr", "Mrs", "Ms", "Dr", "Prof"})


def mention(token: "Token", parsed: "Parsed") -> Mention | None:
    """Return the Mention that a token heads, or None for pronouns and words that name nothing."""
    if parsed.is_name(token):
        name = _clean(parsed.word(token))
        return Mention(name) if name else None
    if token.pos_ not in {"NOUN", "PROPN", "NUM", "ADJ", "X", "SYM"} or token.tag_ in {"WP", "WDT"}:
        return None
    span = value_span(token)
    if span is not None:
        words = list(span)
        while len(words) > 1 and words[0].pos_ in {"ADP", "DET"}:
            # "between 1901 and 1911": the preposition stands in the predicate.
            words = words[1:]
        return Mention(_clean(parsed.text(words)), (TYPES[span.label_],))
    if is_named(token, parsed):
        span = name_span(token, parsed)
        name = _clean(parsed.text(span))
        if not name or (len(span) == 1 and token.is_stop):
            return None
        types = _types(span)
        return Mention(name, types, local="person" in types and " " not in name)
    return _common(token, parsed)


def is_named(token: "Token", parsed: "Parsed") -> bool:
    """Say whether a token heads a proper name."""
    if parsed.is_name(token):
        return True
    if token.dep_ == "attr" and any(t.lower_ in {"a", "an"} for t in token.lefts):
        # "is a Western"
        return False
    noun = token.ent_type_ in _NAMED and token.pos_ in {"NOUN", "X"} and token.text[0].isupper()
    return noun or (token.pos_ == "PROPN" and not token.text.islower())


def name_span(token: "Token", parsed: "Parsed") -> "Span":
    """Return the words of the proper name that a token heads or is part of."""
    doc = token.doc
    first = last = token.i
    entity = next((e for e in doc.ents if e.start <= token.i < e.end), None)
    if entity is not None and entity.label_ in _NAMED:
        first, last = entity.start, entity.end - 1
    while first > 0 and _joins(doc[first - 1], doc[first], parsed):
        first -= 1
    while last + 1 < len(doc) and _joins(doc[last + 1], doc[last], parsed):
        last += 1
    titled = entity is None or entity.label_ in {"PERSON", "ORG"}
    if titled and last + 2 < len(doc) and doc[last + 1].lower_ == "of":
        # "Duke of Normandy": a name that goes on behind the preposition.
        target = doc[last + 2]
        owner = any(t.dep_ == "case" for t in target.rights)
        if target.pos_ == "PROPN" and first <= doc[last + 1].head.i <= last and not owner:
            last = name_span(target, parsed).end - 1
    while last + 2 < len(doc) and _hyphen(doc, last + 1):
        # "Weston-super-Mare"
        last += 2
    while last > first and doc[last].pos_ in {"ADP", "CCONJ", "DET", "PUNCT"}:
        last -= 1
    return doc[first : last + 1]


def _hyphen(doc: "Doc", index: int) -> bool:
    tight = not doc[index - 1].whitespace_ and not doc[index].whitespace_
    return tight and doc[index].text in {"-", "–"} and doc[index + 1].is_alpha


def _joins(outer: "Token", inner: "Token", parsed: "Parsed") -> bool:
    """Say whether a neighbouring word belongs to the same proper name."""
    if min(outer.i, inner.i) in parsed.asides:
        return False
    if outer.pos_ != "PROPN" and not (outer.pos_ == "NUM" and outer.text.isupper()):
        return False
    parts = {"compound", "flat", "nmod", "nummod"}
    if outer.head == inner or outer.head == inner.head:
        return outer.dep_ in parts
    return inner.head == outer and inner.dep_ in parts


def value_span(token: "Token") -> "Span | None":
    """Return the date, number or amount that a token belongs to and heads."""
    if token.ent_type_ not in {
        "DATE",
        "TIME",
        "PERCENT",
        "MONEY",
        "QUANTITY",
        "ORDINAL",
        "CARDINAL",
    }:
        return None
    span = next(e for e in token.doc.ents if e.start <= token.i < e.end)
    heads = span.root == token or token.pos_ in {"NUM", "PROPN"}
    informative = any(t.like_num or t.pos_ in {"NUM", "PROPN"} for t in span)
    return span if heads and informative else None


def _types(span: "Span") -> tuple[str, ...]:
    label = span.root.ent_type_ or next((t.ent_type_ for t in span if t.ent_type_), "")
    return (TYPES[label],) if label in _NAMED else ()


def _common(token: "Token", parsed: "Parsed") -> Mention | None:
    """Return a common noun with its modifiers; one with a determiner names within its Document."""
    if token.pos_ == "ADJ" or token.ent_type_ == "NORP":
        return Mention(token.text, ("group",)) if token.ent_type_ == "NORP" else None
    if token.like_num:
        return Mention(token.text, ("number",))
    if token.pos_ not in {"NOUN", "X", "PROPN"} or token.lower_ in _VAGUE or not token.is_alpha:
        return None
    words = [t for t in token.lefts if t.dep_ in _LEFT and t.lower_ not in _VAGUE]
    start = min((w.left_edge.i for w in words), default=token.i)
    kept = [
        t
        for t in token.doc[start : token.i + 1]
        if t.lower_ not in _VAGUE and t.pos_ not in _NO_PART
    ]
    name = _clean(_truecased(parsed.text(kept), kept[0]))
    singular = token.tag_ == "NN"
    determined = any(t.dep_ in {"det", "poss"} for t in token.lefts)
    return Mention(name, (token.lemma_.lower(),), local=singular and determined) if name else None


def _truecased(name: str, first: "Token") -> str:
    """Take the capital from a common noun that opens a sentence."""
    opens = first.is_sent_start and first.is_title and first.pos_ != "PROPN"
    opens = opens and not first.ent_type_
    return name[:1].lower() + name[1:] if opens else name


def _clean(name: str) -> str:
    """Drop articles, honorifics, possessive endings and marks around a name."""
    words = re.sub(r"[\"“”«»]", "", name).strip(" '‘’,;:()[]-–—*`").split()
    while words and (words[0].lower() in {"the", "a", "an"} or words[0] in _TITLES):
        words = words[1:]
    name = " ".join(words)
    for ending in ("'s", "’s", "'", "’"):
        name = name.removesuffix(ending)
    return name.strip(" ,;:") if any(c.isalnum() for c in name) else ""
