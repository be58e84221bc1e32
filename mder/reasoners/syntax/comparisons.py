"""Questions that set options side by side: "Who died later, A or B?", "Are A and B from …?"."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from mder.reasoners.syntax.measures import SAME, Measure, measure
from mder.reasoners.syntax.query_masks import Masked
from mder.reasoners.syntax.query_names import STAND_IN
from mder.reasoners.syntax.query_verbs import BASES, past, present
from mder.reasoners.syntax.roles import EXPECTS, PERSONS, singular
from mder.reasoners.syntax.verbs import predicate
from mder.records import Kind, QueryTriple, Question

# Reads a statement about one option, in stand-ins; the caller has the parser.
Read = Callable[[str], Sequence[QueryTriple]]

_BARE = rf"(?:the |a )?{STAND_IN}"
_LIST = rf"{_BARE}(?:, {_BARE})*,? (?:or|and) {_BARE} *,?"
_CHOICE = re.compile(
    rf"(?:,|:) *(?:either )?{_BARE}(?:, {_BARE})*,? or {_BARE} *,?"
    rf"|(?:\b(?:out of|between|among)|^of) {_LIST}|(?:\beither )?{_BARE},? or {_BARE} *,?",
    re.IGNORECASE,
)
_OWNED = rf"(?:the )?(?:[a-z]+s? of (?:the )?)?{STAND_IN}"
_PAIR = re.compile(rf"(?P<first>{_OWNED})(?:, {_OWNED})*,? and (?P<last>{_OWNED})")
_SAME = re.compile(
    r"(?:(?P<verb>[a-z]+) )?(?P<prep>from|of|in|by|to|at|for|on|with|as)? ?"
    r"\b(?:the|a) (?:same|common|identical|shared) "
    r"(?P<noun>[a-z]+(?: (?!(?:as|of|in|and|or|for|to|at|from|with|on|that)\b)[a-z]+)?)"
)
_COMMON = re.compile(
    r"^(?:[Ii]n )?(?:[Ww]hat|[Ww]hich) (?P<kind>(?:kind|type|sort)s? of )?(?:[A-Za-z-]+ )*?"
    r"(?P<noun>[a-z]+) "
    r"(?:do|does|did|is|are|was|were) .*(?:in common|share|shared|both)\b"
)
_ROLE = re.compile(
    r"\b(?:whose|has|have|had|with|by)\s+(?:the |a |an )?(?!been\b)(?P<role>[a-z-]+)\s+"
    r"(?=who|that|which|is|was|were|are|died|born|[a-z]+ed\b)"
)
_AUXILIARY = re.compile(
    r"^(?P<aux>is|are|was|were|do|does|did|has|have|had|can|could)\b ?(?:both |either )?",
    re.IGNORECASE,
)
# The words before the verb: "which French film", "who".
_PHRASE = re.compile(
    r"^\W*(?:who|which|what)\b(?: [\w-]+?)*? "
    r"(?=(?:is|are|was|were|has|have|had|will|can|did|does"
    r"|[a-z]+ed(?! [a-z]+ (?:is|are|was|were|has|had)\b)|[a-z]+[^s]s|wrote|won|made|sang"
    r"|led|began|sold|held)\b)",
    re.IGNORECASE,
)
_SINGULAR = {"are": "is", "were": "was", "do": "does", "have": "has"}
_FINITE = frozenset({"also", "been", "not", "never", "ever"})
_TELLING = frozenset("endemic native born built set made found based known written".split())
_LETTERS = "XYZUVW"


@dataclass(frozen=True, slots=True)
class _Sides:
    """The options' stand-ins, and the question around them."""

    options: tuple[str, ...]
    before: str
    after: str

    @property
    def body(self) -> str:
        return " ".join(f"{self.before} {self.after}".split()).rstrip(" ?,")

    def statement(self, subject: str) -> str:
        """Return the question with one option in the place of all."""
        return " ".join(f"{self.before} {subject} {self.after}".split())


def compare(
    question: str, masked: Masked, comparatives: Callable[[], Collection[str]], read: Read
) -> Question | None:
    """Return the parallel triples of a comparison, or None where the question is none.

    Placeholders end in the number of their option: ``X1`` is to the first what ``X2`` is to the
    second. The last of each is what is compared; in a lifetime, the last two.

    :param comparatives: gives the comparatives and superlatives of the question, in lower case.
    """
    text = masked.text
    pair = _PAIR.search(text)
    if pair is not None:
        sides = _split(text, pair)
        same, common = _SAME.search(sides.body), _COMMON.search(text)
        if same:
            return _parallel(question, masked, sides, _likeness(same, sides.body))
        if common:
            words = ["is", "a"] if common["kind"] else ["has", common["noun"]]
            shared = Measure((predicate(words),), _expects(common["noun"]), SAME)
            found = _parallel(question, masked, sides, shared)
            return replace(found, asks=f"{found.triples[-1].object[0]}1")
        if _AUXILIARY.match(text) and re.search(r"\b(?:both|also|each)\b", text):
            triples = _each(masked, sides, read)
            return Question(question, triples, kind=Kind.YES_NO) if triples else None
    choice = _CHOICE.search(text)
    return _choose(question, masked, _split(text, choice), comparatives(), read) if choice else None


def _split(text: str, match: re.Match[str]) -> _Sides:
    options = tuple(re.findall(STAND_IN, match.group()))
    before, after = text[: match.start()], text[match.end() :]
    if match.re is _PAIR:
        # "the directors of A and B", "director of A and director of B": the role is the body's.
        before += match["first"].removesuffix(options[0])
    return _Sides(options, before, after)


def _choose(
    question: str, masked: Masked, sides: _Sides, comparatives: Collection[str], read: Read
) -> Question | None:
    roles = tuple(r["role"] for r in _ROLE.finditer(sides.body))
    roles = tuple(singular(r) for r in roles if r not in _FINITE)
    noun = roles[-1] if roles else _noun(sides.body)
    compared = measure(sides.body.lower(), noun, comparatives)
    if compared is not None:
        named = tuple(_unmasked(p, masked) for p in compared.predicates)
        return _parallel(question, masked, sides, replace(compared, predicates=named), roles)
    triples = _each(masked, sides, read)
    names = tuple(masked.names[o] for o in sides.options)
    return Question(question, triples, "", Kind.COMPARISON, noun, names) if triples else None


def _unmasked(words: str, masked: Masked) -> str:
    for stand_in, name in masked.names.items():
        words = words.replace(stand_in.upper(), predicate(name.split()))
    return words


def _noun(body: str) -> str:
    """Return what the options are: "which French film …" gives film."""
    match = re.match(
        r"\W*(?:[Ww]hich|[Ww]hat) (?:[A-Za-z-]+ )*?(?!(?:is|are|was|were|has|have|had)\b)"
        r"(?P<noun>[a-z-]+)(?= (?:is|are|was|were|has|"
        r"have|had|whose|with|will|did|does|came|that|[a-z]+ed)\b)",
        body,
    )
    return singular(match["noun"]) if match else ""


def _likeness(same: re.Match[str], body: str) -> Measure:
    """Return the measure of "die in the same year", "share the same nationality"."""
    noun, verb, preposition = same["noun"], same["verb"] or "", same["prep"] or ""
    auxiliary = _AUXILIARY.match(body)
    helper = auxiliary["aux"].lower() if auxiliary else ""
    words = ["has", noun]
    if preposition and _SINGULAR.get(helper, helper) in {"do", "does", "did"} and verb in BASES:
        words = [past(verb) if helper == "did" else present(verb), preposition]
    elif preposition and (verb.endswith("ed") or verb in _TELLING):
        words = [_SINGULAR.get(helper, helper) or "is", verb, preposition]
    elif preposition in {"from", "in"}:
        words = ["is", preposition]
    expects = _expects(noun)
    if expects == "date" and len(words) > 1 and words[0] != "has":
        words = words[:-1]
    return Measure((predicate(words),), expects, SAME)


def _expects(noun: str) -> str:
    return EXPECTS.get(singular(noun), singular(noun))


def _parallel(
    question: str, masked: Masked, sides: _Sides, compared: Measure, roles: Sequence[str] = ()
) -> Question:
    """Lay out the same chain for each option."""
    if compared.order == SAME:
        roles = _owning(sides)
    names = tuple(masked.names[o] for o in sides.options)
    triples: list[QueryTriple] = []
    for number, name in enumerate(names, 1):
        holder = name
        for letter, role in zip(_LETTERS, roles, strict=False):
            triples.append(QueryTriple(holder, predicate(["has", role]), f"{letter}{number}"))
            holder = f"{letter}{number}"
        for letter, fact in zip(_LETTERS[len(roles) :], compared.predicates, strict=False):
            triples.append(QueryTriple(holder, fact, f"{letter}{number}"))
    return Question(
        question, tuple(triples), "", Kind.COMPARISON, compared.expects, names, compared.order
    )


def _owning(sides: _Sides) -> tuple[str, ...]:
    """Return the roles between the options and what they share, the nearest to them first."""
    before = [w for w in re.findall(r"[a-z-]+", sides.before) if singular(w) in PERSONS]
    after = [w for w in re.findall(r"[a-z-]+", sides.after) if singular(w) in PERSONS]
    named = [w for w in before if re.search(rf"{w} (?:of|for|in)\b", sides.before)]
    return tuple(singular(w) for w in (*reversed(named), *after))


def _each(masked: Masked, sides: _Sides, read: Read) -> tuple[QueryTriple, ...]:
    """Read the question once an option, with that option as its subject."""
    triples: list[QueryTriple] = []
    for number, option in enumerate(sides.options, 1):
        statement = _statement(sides, option)
        found = read(statement) if statement else ()
        triples.extend(_numbered(triple, number) for triple in found)
    names = {masked.names[option] for option in sides.options}
    return tuple(triples) if any({t.subject, t.object} & names for t in triples) else ()


def _statement(sides: _Sides, option: str) -> str:
    """Return "N is a river." for "which is a river" as for "are both N and M rivers"."""
    body = sides.statement(option)
    auxiliary = _AUXILIARY.match(body)
    if auxiliary:
        rest = body[auxiliary.end() :].removeprefix(option).strip()
        rest = re.sub(r"^(?:both|also|each) ", "", rest).rstrip(" ?")
        helper = auxiliary["aux"].lower()
        return f"{option} {_SINGULAR.get(helper, helper)} {rest}."
    match = _PHRASE.match(sides.body)
    return f"{option} {sides.body[match.end() :]}." if match else ""


def _numbered(triple: QueryTriple, number: int) -> QueryTriple:
    subject, target = (
        f"{value}{number}" if re.fullmatch(r"[XYZ]\d*", value) else value
        for value in (triple.subject, triple.object)
    )
    return QueryTriple(subject, triple.predicate, target)
