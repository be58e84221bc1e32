"""Names, types and predicates as models write them, brought into the form of the graph."""

import re
import unicodedata

from mder.names import normalise

# The names of the examples in prompts/: invented, so that no document holds them.
EXAMPLES = (
    "Zorblax Quimby",
    "Velmira Tosk",
    "Ostrelund",
    "Quennibar Institute",
    "The Brass Otterly",
    "Plindor Vexley",
    "Trambolia",
)
_EXAMPLES = frozenset(normalise(word) for name in EXAMPLES for word in (name, name.split()[-1]))
_ALSO = frozenset(["ALSO_CALLED", "ALSO_KNOWN_AS", "IS_ALSO_CALLED", "IS_ALSO_KNOWN_AS"])
_VAGUE = frozenset(["entity", "thing", "object", "unknown", "other", "none", "concept", "misc"])
_PREPOSITIONS = frozenset(
    "after as at before by during for from in into of on since to under until with".split()
)
_CLAUSES = frozenset("and are but has have is or that was were which who".split())
_PRONOUNS = frozenset("he her him it she that them there they this".split())
_LONGEST_RELATION = 7  # words
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[0-9])(?=[A-Z][a-z])")
_ARTICLE = re.compile(r"(?:an?|the) (?=\S)", re.IGNORECASE)
_NEGATION = re.compile(r"(?:^|_)(?:NOT|NEVER|NO|CANNOT)(?:_|$)")
_EDGES = ' \t\n"“”„«».,;:'


def tidy_name(name: str, text: str) -> str:
    """Return a name without article, quotation marks and doubled spaces.

    "The" goes where it is no part of the name: before a word in lower case, or where ``text``
    writes it in lower case as well.
    """
    plain = unicodedata.normalize("NFC", " ".join(name.split())).strip(_EDGES)
    article = _ARTICLE.match(plain)
    if not article:
        return plain
    rest = plain[article.end() :]
    part = plain[0].isupper() and not rest[0].islower() and f"the {rest}" not in text
    return plain if part else rest


def is_example(name: str) -> bool:
    """Say whether a name comes from the examples of the prompts."""
    return normalise(name) in _EXAMPLES


def settled(relation: str, value: str, kind: str) -> tuple[str, str, str] | None:
    """Return the parts of a fact with each word where it belongs, or None for what is no fact.

    Small models part a sentence where they should not: the preposition of a relation stands at the
    beginning of the value or is all of it, with the value behind it; or a relation is a sentence,
    or a value the rest of one.

    >>> settled("married Marie Curie", "in", "1895")
    ('married Marie Curie in', '1895', '')
    >>> settled("died", "in Paris", "city")
    ('died in', 'Paris', 'city')
    """
    first, _, rest = value.strip().partition(" ")
    if first in _PREPOSITIONS:
        relation = f"{relation} {first}"
        value, kind = (rest, kind) if rest else (kind, "")
    words = re.findall(r"[^\W_]+", relation)
    clause = value.partition(" ")[0] in _CLAUSES or value.lower() in _PRONOUNS
    if len(words) > _LONGEST_RELATION or not value.strip() or clause:
        return None
    return relation, value, kind


def is_alias(predicate: str) -> bool:
    """Say whether a predicate gives a thing another name."""
    return predicate in _ALSO


def without_examples(text: str, shown: str) -> str:
    """Return a text that a model wrote.

    :param shown: what it was written from.
    :raises ValueError: when it speaks of a name of the prompts' examples that was not shown.
    """
    for name in EXAMPLES:
        if name in text and name not in shown:
            raise ValueError(f"{name} is a name of the examples, not of the text")
    return text


def is_local(name: str, text: str) -> bool:
    """Say whether a name only identifies within its Document: "the jury"."""
    return name == name.lower() and re.search(rf"\b[Tt]he {re.escape(name)}\b", text) is not None


def tidy_types(kind: str) -> tuple[str, ...]:
    """Return types as lower-case nouns; words that say nothing are left out."""
    found = (part.strip().lower() for part in re.split(r"[,/;|]", kind.replace("_", " ")))
    return tuple(dict.fromkeys(part for part in found if part and part not in _VAGUE))


def tidy_predicate(predicate: str) -> str:
    """Return a predicate in UPPER_SNAKE_CASE.

    >>> tidy_predicate("was born in")
    'WAS_BORN_IN'
    >>> tidy_predicate("bornIn")
    'BORN_IN'
    """
    parted = _CAMEL.sub("_", unicodedata.normalize("NFC", predicate))
    return re.sub(r"[\W_]+", "_", parted).strip("_").upper()


def is_negated(predicate: str) -> bool:
    """Say whether an UPPER_SNAKE_CASE predicate denies.

    >>> is_negated("DID_NOT_WIN")
    True
    """
    return _NEGATION.search(predicate) is not None
