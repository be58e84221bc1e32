"""Puts a question into the order of statements, which parsers read with fewer mistakes.

"Where is the paper printed that N owns?" becomes "M is printed where?" and "N owns M."; "which
film" in the middle of it becomes "some film", where :data:`MARK` tells that it is asked for.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mder.reasoners.syntax.query_clauses import NAME, PREPOSITIONS, Cutter, identified
from mder.reasoners.syntax.query_verbs import AUXILIARIES, BASES, finite, past, present

MARK = "some"
_PREPOSITION = "|".join(PREPOSITIONS)
_WH = rf"(?:(?:{_PREPOSITION}) )?(?:which|what)(?: (?:[a-z-]+|{NAME})){{0,4}}?"
_FRONT = (
    r"(?P<front>when|where|why|how(?: (?:many|much)(?: [a-z-]+){1,3}?)?|whom?"
    rf"|(?:{_PREPOSITION}) (?:where|whom)|{_WH})"
)
_MOVED = re.compile(
    r"(?P<prep>In|On|At|During|For|By|Besides|Within|From|As of|Along with|According to)"
    r" (?P<phrase>[^,?]+), (?=(?:(?:in|at|on|by|for) )?(?:who|whose|what|which|where|when|how|did"
    r"|does|was|is|were|are)\b)"
)
_FRONTED = re.compile(rf"{_FRONT} (?P<be>is|are|was|were) (?P<rest>.+?)\s*\??$", re.IGNORECASE)
_DONE = re.compile(
    rf"(?:{_FRONT} )?(?P<do>did|does|do) (?P<rest>.+?)\s*[.?]*$",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(
    r" (?P<adverb>(?:[a-z]+ly )?)"
    r"(?P<verb>born|[a-z]+ed|built|held|found|made|written|set|shot|sung|known|won)\b"
)
_TIMES = re.compile(r"(?:what|which) (?:year|month|day|decade|century)", re.IGNORECASE)
_AUXILIARY = re.compile(r"(?:^| )(?:is|are|was|were|be|been|being|has|have|had|get|got|and|or)$")
_RELATIVE = re.compile(r"(?:^| )(?:that|which|who|whom|where|when)(?: the| a| an)?(?: [\w'’-]+)?$")
_STRANDED = re.compile(r"(?: (?:as|out|by|for|in|on|at|from|to|with|after|of|into))+")
_ENDS_OPEN = re.compile(rf"(?:^| )(?:{_PREPOSITION})$")
_BARE = re.compile(
    r"(?P<front>(?:which|what) (?!is|are|was|were|do|does|did|has|have|had)[a-z]+)"
    r" (?P<rest>the .* [a-z]+ed)\s*\??$",
    re.I,
)
# Bounded, as all repetitions inside repetitions here: a question may be any text.
_OWNED = r"(?:['’]s [a-z-]+){0,4}"
_SUBJECT = (
    rf"(?:{NAME}{_OWNED}|(?:the |an? )?{NAME}|(?:the |an? )(?:[a-z-]+ ){{1,5}}?of (?:the )?"
    rf"(?:(?:[a-z-]+ ){{1,4}}?of (?:the )?){{0,3}}(?:{NAME}|[a-z-]+){_OWNED})"
)
_BE = re.compile(
    rf"(?P<be>is|are|was|were|has|have|had|can|will) (?P<subject>{_SUBJECT}) (?!and\b|or\b|of\b)"
    r"(?=[\w\"])",
    re.I,
)
_ASKED = re.compile(
    rf"(?<=[\w,'’\"] )(?:what|which)(?= (?P<noun>(?:{NAME} )*(?!(?:{'|'.join(sorted(AUXILIARIES))}"
    rf"|he|she|it|they|the|an?|of|{_PREPOSITION}|{NAME})\b)[A-Za-z].*))"
)
# "Who played N" as "some person played N".
_WHO = re.compile(
    rf"^(?:(?:what|which) (?=(?!(?:{'|'.join(sorted(AUXILIARIES))})\b)[a-z])|(?P<who>who)(?= ))"
    r"(?P<rest>.*)",
    re.IGNORECASE,
)
_OPENING = re.compile(
    rf"(?:(?:{_PREPOSITION}) )?(?:who|what|which|where|when|how)\b", re.IGNORECASE
)
# Before a verb: no noun phrase ends here.
_UNFINISHED = frozenset(
    f"""the a an this that his her its their who which whom where when and or most not {
        " ".join(PREPOSITIONS)
    }""".split()
)
_RELATIVES = frozenset({"that", "which", "who", "whom"})
_BETWEEN = frozenset("also ever first originally later once not still".split())
_FOLLOW = frozenset(
    f"""the a an his her its their this what which who how up out more most as home first
    {" ".join(PREPOSITIONS)} {" ".join(_BETWEEN)}""".split()
)


@dataclass(frozen=True, slots=True)
class Straight:
    """A question as statements.

    :param nouns: leads from the stand-in of an unknown to the noun that it stands for.
    :param asked: the unknown that is asked for itself, or ``""``.
    """

    sentences: tuple[str, ...]
    nouns: Mapping[str, str]
    asked: str = ""


def straighten(text: str) -> Straight:
    """Return a question as statements, its relative clauses apart."""
    cutter = Cutter()
    # Asked words are marked by a word that the question must then not hold itself.
    text = re.sub(rf"\b{MARK}\b", "several", text)
    moved = _MOVED.match(text)
    tail = ""
    if moved:
        text = text[moved.end()].upper() + text[moved.end() + 1 :]
        named = re.search(rf"{NAME}|\d", moved["phrase"]) and moved["prep"] != "According to"
        tail = f"{moved['prep']} {cutter.phrase(moved['phrase'])}" if named else ""
    opening = _OPENING.match(text)
    begins = opening.end() if opening else 0
    text = text[:begins] + _marked(text[begins:])
    main = _marked(_ordered(text, cutter).rstrip(" ?."))
    asked = "" if tail else identified(main)
    end = "?" if text.rstrip().endswith("?") else "."
    sentences = () if asked else (f"{_placed(main, tail)}{end}",)
    return Straight((*sentences, *cutter.clauses), cutter.nouns, asked)


def _placed(main: str, tail: str) -> str:
    """Return a sentence with "In the film" in front of it, or behind it where it still asks."""
    if not tail:
        return main
    stated = _WHO.sub(lambda m: f"{MARK} {'person' if m['who'] else ''}{m['rest']}", main)
    if stated == main and re.match(r"(?:who|whose|what|which|when|where|how)\b", main, re.I):
        return f"{main} {tail[0].lower()}{tail[1:]}"
    return f"{tail}, {stated}"


def _marked(text: str) -> str:
    """Mark the nouns that are asked for: "won which prize"; "which won a prize" asks nothing."""
    return _ASKED.sub(lambda match: match.group() if finite(match["noun"]) else MARK, text)


def _ordered(text: str, cutter: Cutter) -> str:
    done = _DONE.match(text)
    told = _undone(done, cutter) if done else ""
    if told:
        return told
    being = _BE.match(text)
    if being:
        return f"{being['subject']} {being['be'].lower()} {cutter.question(text[being.end() :])}"
    bare = _BARE.match(text)
    if bare:
        return f"{cutter.phrase(bare['rest'])} {bare['front'].lower()}?"
    fronted = _FRONTED.match(text)
    return (_unfronted(fronted, cutter) if fronted else "") or cutter.question(text)


def _undone(match: re.Match[str], cutter: Cutter) -> str:
    """Return "N played M in the film" for "did N play M in the film"."""
    words = match["rest"].split()
    place = next(_verbs(words), 0)
    if not place:
        return ""
    ends = place - 1 if words[place - 1] in _BETWEEN else place
    subject = cutter.phrase(" ".join(words[:ends]))
    verb = words[place]
    helper = match["do"].lower()
    if helper != "do":
        verb = past(verb) if helper == "did" else present(verb)
    rest = cutter.phrase(" ".join(words[place + 1 :]))
    front = match["front"] or ""
    front = front[:1].lower() + front[1:]
    adverbial = not front.startswith(("who", "what", "which")) or _ENDS_OPEN.search(rest)
    if _TIMES.fullmatch(front):
        front, adverbial = f"in {front}", True
    front = f"{MARK} person" if front in {"who", "whom"} else front
    order = (rest, front) if adverbial else (front, rest)
    return " ".join(filter(None, (subject, verb, *order)))


def _verbs(words: list[str]) -> Iterator[int]:
    """Yield where the bare verb behind "did" may stand, the likeliest place first."""
    places = [i for i in range(1, len(words)) if words[i] in BASES]
    for place in places:
        before = words[place - 1].lower()
        behind = words[place + 1] if place + 1 < len(words) else ""
        follows = not behind or behind in _FOLLOW - {"of"} or not behind[0].islower()
        if before not in _UNFINISHED and not before.endswith(("'s", "’s", ",")) and follows:
            yield place
    for place in places:
        # Behind a name, or behind the stranded preposition of a clause.
        clause = words[place - 1] in PREPOSITIONS and _RELATIVES & {*words[: place - 1]}
        if clause or re.match(NAME, words[place - 1]):
            yield place


def _unfronted(match: re.Match[str], cutter: Cutter) -> str:
    front = match["front"][0].lower() + match["front"][1:]
    rest = match["rest"]
    verb = _main_participle(rest)
    if verb is None:
        placed = re.match(rf"(?:{_PREPOSITION}) ", front) and rest[:1] != "-"
        return f"{cutter.phrase(rest)} {match['be']} {front}" if placed else ""
    phrase, tail = rest[: verb.start()], rest[verb.end() :]
    if _TIMES.fullmatch(front):
        front = f"in {front}"
    elif front.startswith(("what", "which", "who")) and not _STRANDED.fullmatch(tail):
        return ""
    if re.match(r" (?:that|which|who|where)\b", tail):
        phrase, tail = phrase + tail, ""
    phrase = cutter.phrase(phrase)
    return f"{phrase} {match['be']} {verb['adverb']}{verb['verb']}{cutter.phrase(tail)} {front}"


def _main_participle(rest: str) -> re.Match[str] | None:
    """Return the participle that belongs to the question itself, not to a clause inside it."""
    found = None
    for match in _PARTICIPLE.finditer(rest):
        before = rest[: match.start()]
        inside = _AUXILIARY.search(before) or _RELATIVE.search(before)
        if not inside and before not in {"the", "a", "an"}:
            found = match
    return found
