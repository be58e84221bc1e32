"""Puts a question into the order of a statement, which parsers read with fewer mistakes.

"Where is the paper printed that N owns?" becomes "the paper that N owns is printed where?".
"""

import re

from mder.reasoners.syntax.query_verbs import past, present

_FRONTED = re.compile(
    r"(?P<front>when|where|what|who|(?:in|on|from|of|at|to|by|under|for|with|during) (?:which|what)"
    r"(?: [a-z-]+){0,4}?) (?P<be>is|are|was|were) (?P<rest>.+?)\s*\??$",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(
    r" (?P<adverb>(?:[a-z]+ly )?)(?P<verb>born|[a-z]+ed|built|held|found|made|written|set|shot|sung|known|won)\b"
)
_AUXILIARY = re.compile(r"(?:^| )(?:is|are|was|were|be|been|being|has|have|had|get|got|and|or)$")
_RELATIVE = re.compile(r"(?:^| )(?:that|which|who|whom|where|when)(?: the| a| an)?(?: [\w'’-]+)?$")
_STRANDED = re.compile(r"(?: (?:as|by|for|in|on|at|from|to|with|after|of|into))+")
_BARE = re.compile(r"^((?:Which|What) [a-z]+) the (?=.* [a-z]+ed\s*\??$)")
_DO = re.compile(r"(?P<do>did|does) (?P<name>[A-Z][a-z]+ville) (?:ever |also )?(?P<verb>[a-z]+) ", re.I)


def straighten(text: str) -> str:
    """Return a question in the order of a statement where that is safe, else unchanged."""
    doing = _DO.match(text)
    if doing and doing["verb"] not in {"and", "or", "both", "have"}:
        inflected = (past if doing["do"].lower() == "did" else present)(doing["verb"])
        return f"{doing['name']} {inflected} {text[doing.end() :]}"
    text = _BARE.sub(r"\1 did the ", text)
    fronted = _FRONTED.match(text)
    return _unfront(fronted) or text if fronted else text


def _unfront(match: re.Match[str]) -> str:
    front = match["front"][0].lower() + match["front"][1:]
    rest = match["rest"]
    verb = _main_participle(rest)
    if verb is None:
        return ""
    phrase, tail = rest[: verb.start()], rest[verb.end() :]
    if front in {"what", "who"} and not _STRANDED.fullmatch(tail):
        return ""
    if re.match(r" (?:that|which|who|where)\b", tail):
        phrase, tail = phrase + tail, ""
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
