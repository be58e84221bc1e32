"""Puts a question into the order of a statement, which parsers read with fewer mistakes.

"Where is the paper printed that N owns?" becomes "the paper that N owns is printed where?".
"""

import re

from mder.reasoners.syntax.query_names import STAND_IN
from mder.reasoners.syntax.query_verbs import past, present

_FRONTED = re.compile(
    r"(?P<front>when|where|who|(?:(?:in|on|from|of|at|to|by|under|for|with|during) )?(?:which|what)"
    r"(?: [a-z-]+){0,4}?) (?P<be>is|are|was|were) (?P<rest>.+?)\s*\??$",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(
    r" (?P<adverb>(?:[a-z]+ly )?)"
    r"(?P<verb>born|[a-z]+ed|built|held|found|made|written|set|shot|sung|known|won)\b"
)
_TIMES = re.compile(r"(?:what|which) (?:year|month|day|decade|century)")
_AUXILIARY = re.compile(r"(?:^| )(?:is|are|was|were|be|been|being|has|have|had|get|got|and|or)$")
_RELATIVE = re.compile(r"(?:^| )(?:that|which|who|whom|where|when)(?: the| a| an)?(?: [\w'’-]+)?$")
_INSIDE = re.compile(
    r"^(.*?)(?<!,) ((?:(?:in|at|on|for|of|by|with|from|to) )?"
    r"(?:that|which|who|whom|whose|where) .*)$"
)
_STRANDED = re.compile(r"(?: (?:as|out|by|for|in|on|at|from|to|with|after|of|into))+")
_BARE = re.compile(
    r"(?P<front>(?:which|what) (?!is|are|was|were|do|does|did|has|have|had)[a-z]+)"
    r" (?P<rest>the .* [a-z]+ed)\s*\??$",
    re.I,
)
_BE = re.compile(
    r"(?P<be>is|are|was|were|has|have|had|can|will) "
    rf"(?P<name>(?:the )?{STAND_IN}) (?!and\b|or\b|,)",
    re.I,
)
_DO = re.compile(rf"(?P<do>did|does) (?P<name>{STAND_IN}) (?:ever |also )?(?P<verb>[a-z]+) ", re.I)

# "Where did N's father study?": a last word that may be a noun is the verb here.
_WHERE_DID = re.compile(
    rf"(?P<front>when|where) did (?P<name>{STAND_IN}(?:['’]s [a-z]+)+) (?P<verb>[a-z]+)\s*\??$",
    re.I,
)


def straighten(text: str) -> str:
    """Return a question in the order of a statement where that is safe, else unchanged."""
    doing = _DO.match(text)
    if doing and doing["verb"] not in {"and", "or", "both", "have"}:
        inflected = (past if doing["do"].lower() == "did" else present)(doing["verb"])
        return f"{doing['name']} {inflected} {text[doing.end() :]}"
    where = _WHERE_DID.match(text)
    if where:
        return f"{where['name']} {past(where['verb'])} {where['front'].lower()}?"
    being = _BE.match(text)
    if being:
        return f"{being['name']} {being['be'].lower()} {text[being.end() :]}"
    bare = _BARE.match(text)
    if bare:
        return f"{bare['rest']} {bare['front'].lower()}?"
    fronted = _FRONTED.match(text)
    return _unfront(fronted) or text if fronted else text


def _unfront(match: re.Match[str]) -> str:
    front = match["front"][0].lower() + match["front"][1:]
    rest = match["rest"]
    verb = _main_participle(rest)
    if verb is None:
        return ""
    phrase, tail = rest[: verb.start()], rest[verb.end() :]
    if _TIMES.fullmatch(front):
        front = f"in {front}"
    elif front.startswith(("what", "which", "who")) and not _STRANDED.fullmatch(tail):
        return ""
    if re.match(r" (?:that|which|who|where)\b", tail):
        phrase, tail = phrase + tail, ""
    # Commas tell the parser where the clause inside ends.
    phrase = _INSIDE.sub(r"\1, \2,", phrase)
    return f"{phrase} {match['be']} {verb['adverb']}{verb['verb']}{tail} {front}?"


def _main_participle(rest: str) -> re.Match[str] | None:
    """Return the participle that belongs to the question itself, not to a clause inside it."""
    found = None
    for match in _PARTICIPLE.finditer(rest):
        before = rest[: match.start()]
        inside = _AUXILIARY.search(before) or _RELATIVE.search(before)
        if not inside and before not in {"the", "a", "an"}:
            found = match
    return found
