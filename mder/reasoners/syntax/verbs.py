"""The verb groups of a sentence: their words as a predicate, their subjects and objects.

Dependency labels are those of the ClearNLP scheme that spaCy's English models use.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_AUXILIARY = frozenset({"aux", "auxpass", "neg"})
_RELATIVE = frozenset({"WDT", "WP", "WP$"})
_NEVER = frozenset({"hardly", "scarcely", "barely"})
_NONE = frozenset({"no", "neither", "nor"})
_DENIALS = frozenset({"det", "preconj", "cc", "neg"})
_SITUATED = frozenset({"locate", "situate", "headquarter"})
_STANDING = frozenset({"be", "stand", "lie", "sit", "hang", "live", "grow", "flow"})
_IF = frozenset({"if", "unless", "whether"})
_LIGHT = frozenset({"part", "place", "care", "control", "charge", "office", "root", "birth"})
_FULL = {"n't": "NOT", "n’t": "NOT", "'ll": "WILL", "'ve": "HAVE", "'re": "ARE", "'m": "AM"}
_FULL |= {"ca": "CAN", "wo": "WILL", "'s": "IS", "’s": "IS", "'d": "WOULD"}


def verbs(sentence: "Span") -> Iterator["Token"]:
    """Yield the main verbs, auxiliaries left out."""
    for token in sentence:
        if token.pos_ in {"VERB", "AUX"} and token.dep_ not in _AUXILIARY:
            yield token


def predicate(words: Sequence[str]) -> str:
    """Return words as a predicate: ``["was", "born", "in"]`` gives ``WAS_BORN_IN``."""
    full = (_FULL.get(word.lower(), word) for word in words)
    letters = ("".join(c for c in word if c.isalnum()) for word in full)
    return "_".join(word.upper() for word in letters if word)


def group(verb: "Token") -> list[str]:
    """Return the words of a verb group in order: auxiliaries, negation, verb, particle."""
    words = _auxiliaries(verb)
    if not words and verb.dep_ == "conj" and shares_subject(verb):
        words = [t for t in _auxiliaries(verb.head) if t.i < verb.head.i]
        words = words if verb.tag_ == "VBN" or verb.tag_ == verb.head.tag_ else []
    particles = [t.text for t in verb.children if t.dep_ == "prt"]
    own = [verb.text, *particles]
    texts = [t.text for t in words if t.i < verb.i] + own + [t.text for t in words if t.i > verb.i]
    if verb.dep_ == "xcomp" and verb.head.pos_ in {"VERB", "AUX"}:
        return group(verb.head) + [t for t in texts if t.lower() != "not"]
    if verb.dep_ == "acl" and verb.lower_ == "born":
        return ["was", *texts]
    return texts


def _auxiliaries(verb: "Token") -> list["Token"]:
    """Return what belongs to a verb group beside the verb; "not" may follow the verb."""
    found = [t for t in verb.children if t.dep_ in _AUXILIARY and (t.i < verb.i or t.dep_ == "neg")]
    for adverb in _denying(verb):
        found += [t for t in adverb.children if t.lower_ == "no"] + [adverb]
    return sorted(dict.fromkeys(found), key=lambda t: t.i)


def _denying(verb: "Token") -> list["Token"]:
    """Return adverbs that deny: "no longer", "hardly"."""
    return [
        t
        for t in verb.children
        if t.lower_ in _NEVER
        or (t.lower_ == "longer" and any(c.lower_ == "no" for c in t.children))
    ]


def negated(verb: "Token") -> bool:
    """Say whether the verb, or the one that governs it, is denied."""
    own = any(t.dep_ == "neg" for t in verb.children) or bool(_denying(verb))
    return own or (verb.dep_ == "xcomp" and verb.head.pos_ == "VERB" and negated(verb.head))


def excluded(noun: "Token") -> bool:
    """Say whether a noun is named only to be left out: "no member", "neither Ann nor Bob"."""
    denying = any(t.lower_ in _NONE and t.dep_ in _DENIALS for t in noun.children)
    return denying or (noun.dep_ == "conj" and noun.head != noun and excluded(noun.head))


def asserted(verb: "Token") -> bool:
    """Say whether a clause states something, unlike "if she came" or "it allows people to go"."""
    infinitive = any(t.dep_ == "aux" and t.tag_ == "TO" for t in verb.children)
    supposed = any(t.dep_ == "mark" and t.lower_ in _IF for t in verb.children)
    if verb.dep_ == "conj" and verb.head.pos_ in {"VERB", "AUX"} and not asserted(verb.head):
        return False
    return not supposed and (not infinitive or verb.dep_ == "xcomp")


def light_object(verb: "Token") -> "Token | None":
    """Return the noun that only completes a verb: "took part in", "takes place"."""
    found = (t for t in verb.children if t.dep_ == "dobj" and t.lemma_ in _LIGHT)
    return next((t for t in found if not any(c.dep_ in {"det", "amod"} for c in t.children)), None)


def shares_subject(verb: "Token") -> bool:
    """Say whether a coordinated verb has no subject of its own."""
    return not any(t.dep_.startswith(("nsubj", "csubj", "expl")) for t in verb.children)


def subjects(verb: "Token") -> list["Token"]:
    """Return the subjects, coordinated ones apart, also of clauses that leave them out."""
    own = [t for t in verb.children if t.dep_ in {"nsubj", "nsubjpass"}] or _inverted(verb)
    if len(own) == 2 and own[0].pos_ == "NOUN" and own[0].i + 1 == own[1].left_edge.i:
        # "The writer Ann Lee lived": two subjects side by side are one.
        own = own[1:]
    if own:
        return [s for t in own for s in with_conjuncts(antecedent(t, verb))]
    if any(t.dep_ in {"csubj", "csubjpass", "expl"} for t in verb.children):
        return []
    if verb.dep_ == "acl":
        return [] if verb.tag_ == "VB" else [_modified(verb)]
    if verb.dep_ == "relcl" and not any(t.tag_ in _RELATIVE for t in verb.subtree):
        return []
    inherits = verb.dep_ in {"conj", "xcomp"} or (
        verb.dep_ in {"advcl", "ccomp"} and verb.tag_ in {"VBG", "VBN"}
    )
    if inherits and verb.head != verb and verb.head.pos_ in {"VERB", "AUX"}:
        if verb.dep_ == "xcomp" and any(t.dep_ == "dobj" for t in verb.head.children):
            return []
        return subjects(verb.head)
    return []


def _inverted(verb: "Token") -> list["Token"]:
    """Return the subject that follows its verb: "On the hill stands a mill"."""
    before = [t for t in verb.lefts if t.dep_ != "punct"]
    after = [t for t in verb.rights if t.dep_ in {"attr", "dobj"}]
    opens = bool(before) and all(t.dep_ == "prep" for t in before)
    stands = verb.dep_ == "ROOT" and verb.lemma_ in _STANDING
    return after if stands and opens and len(after) == 1 else []


def _modified(participle: "Token") -> "Token":
    """Return the noun that a participle modifies.

    In "a film directed by A, starring B" the parser likes to give the second one to A.
    """
    head = participle.head
    while participle.lemma_ in _SITUATED and head.pos_ == "NOUN" and head.dep_ == "pobj":
        # "a school of music located in Halden": the school is.
        head = head.head.head
    agent = head.head
    comma = participle.i > 0 and participle.doc[participle.left_edge.i - 1].text == ","
    if comma and head.dep_ == "pobj" and agent.dep_ == "agent" and agent.head.dep_ == "acl":
        return _modified(agent.head)
    return head


def antecedent(token: "Token", verb: "Token") -> "Token":
    """Return the noun that a relative pronoun stands for, or the token itself."""
    if token.tag_ not in _RELATIVE:
        return token
    clause = verb
    while clause.dep_ not in {"relcl", "ROOT"} and clause.head != clause:
        clause = clause.head
    return clause.head if clause.dep_ == "relcl" else token


def objects(verb: "Token") -> list["Token"]:
    """Return direct objects and complements, coordinated ones apart."""
    verb = _complete(verb)
    kinds = {"dobj", "attr", "oprd", "dative"}
    found = [t for t in verb.children if t.dep_ in kinds and t.pos_ != "ADP"]
    if not any(t.dep_.startswith("nsubj") for t in verb.children):
        found = [t for t in found if t not in _inverted(verb)]
    gap = verb.dep_ == "relcl" and not found and verb.tag_ in {"VBD", "VBZ", "VBP", "VBN"}
    subject = next((t for t in verb.children if t.dep_ == "nsubj"), None)
    if gap and subject is not None and subject.tag_ not in _RELATIVE:
        # "the town where she lived" and "the house she lived in" have no object either.
        elsewhere = any(
            t.tag_ == "WRB" or (t.dep_ == "prep" and not list(t.children)) for t in verb.children
        )
        return [] if elsewhere else [verb.head]
    return [o for t in found for o in with_conjuncts(antecedent(t, verb))]


def _complete(verb: "Token") -> "Token":
    """Return the word whose objects a word shares: "wrote and directed the film".

    Likewise "of Poland" in "the capital and largest city of Poland".
    """
    if verb.pos_ not in {"VERB", "NOUN"}:
        return verb
    right = [t for t in verb.rights if t.dep_ not in {"punct", "cc"}]
    if not right and verb.dep_ == "conj" and verb.pos_ == "VERB":
        right = [t for t in verb.head.rights if t.dep_ == "conj" and t.i > verb.i]
    if not right or any(t.dep_ != "conj" for t in right):
        return verb
    last = right[-1]
    return _complete(last) if last.tag_ == verb.tag_ and shares_subject(last) else verb


def prepositions(token: "Token", verb: "Token") -> Iterator[tuple[str, "Token"]]:
    """Yield each preposition with its objects: ("in", Paris), ("out of", range)."""
    for child in _complete(token).children:
        if child.dep_ in {"prep", "agent"} or (child.dep_ == "dative" and child.pos_ == "ADP"):
            if child.lower_ != "than":
                yield from _governed(child, child.text, verb)
        elif child.dep_ == "npadvmod" and child.ent_type_ == "DATE":
            yield ("in" if child.like_num else "on"), child
        elif child.lower_ == "where" and verb.dep_ == "relcl":
            yield "in", verb.head


def _governed(preposition: "Token", words: str, verb: "Token") -> Iterator[tuple[str, "Token"]]:
    own = [t for t in preposition.children if t.dep_ == "pobj"]
    for target in (c for t in own for c in with_conjuncts(antecedent(t, verb))):
        yield words, target
    for inner in preposition.children:
        if not own and inner.dep_ == "prep":
            yield from _governed(inner, f"{words} {inner.text}", verb)


def with_conjuncts(token: "Token") -> list["Token"]:
    """Return a token and what is coordinated with it to its right."""
    found = [token]
    for child in token.children:
        listed = child.dep_ == "conj" or (
            # A list of people is often parsed as one in apposition to the other.
            child.dep_ == "appos" and child.ent_type_ == token.ent_type_ == "PERSON"
        )
        if listed and child.pos_ in {"NOUN", "PROPN", "NUM", "PRON", "X"}:
            found += with_conjuncts(child)
    return found
