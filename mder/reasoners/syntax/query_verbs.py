"""Writes the verb of a question as the statement that answers it would: "did … die" is DIED."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token

_PAST = dict(
    pair.split(":")
    for pair in """arise:arose be:was beat:beat become:became begin:began bring:brought
    broadcast:broadcast build:built buy:bought cast:cast catch:caught choose:chose come:came
    cost:cost cut:cut do:did draw:drew drink:drank drive:drove eat:ate fall:fell feel:felt
    fight:fought find:found fly:flew forget:forgot get:got give:gave go:went grow:grew have:had
    hear:heard hide:hid hit:hit hold:held keep:kept know:knew lay:laid lead:led leave:left lend:lent
    let:let lie:lay lose:lost make:made mean:meant meet:met overthrow:overthrew pay:paid put:put
    read:read ride:rode rise:rose run:ran say:said see:saw sell:sold send:sent set:set shoot:shot
    sing:sang sink:sank sit:sat speak:spoke spend:spent spread:spread stand:stood steal:stole
    strike:struck swim:swam take:took teach:taught tell:told think:thought throw:threw
    understand:understood wear:wore win:won withdraw:withdrew write:wrote""".split()
)
# The last consonant is doubled: "stopped", "occurred".
_DOUBLED = re.compile(
    r"[^aeiou]*[aeiou][^aeiouwxy]|occur|refer|prefer|transfer|admit|commit|permit|control|compel"
)
BASES = frozenset(_PAST) - {"be", "do"} | frozenset(
    """act adopt air annex appear approach arrive assist attack attend award belong border call
    carry cause celebrate change close collaborate collect command compete complete compose conquer
    contain control cover create cross declare defeat defend describe design develop die direct
    discover divide drain earn edit elect employ end enter escape establish expand explore express
    feature film finish flow form found fund gain govern graduate guide hail happen head help hire
    host house influence inherit initiate inspire introduce invade invent invest join kill land
    launch live locate love manage marry merge migrate move name narrate observe occur open operate
    order originate own paint pass perform pilot plan play portray prefer present produce prove
    provide publish purchase raise rank reach receive record refer reign reinstate reject release
    remain replace represent reside resign retire return rule score secure serve settle share sign
    sound star start stay stop study succeed suffer supply support surrender trade train translate
    travel turn use visit voice vote walk work""".split()
)
AUXILIARIES = frozenset(
    """is are was were am be do does did has have had can could will would shall should may might
    must""".split()
)
# Behind these, a word is no finite verb of its own.
NOT_BEFORE_VERBS = AUXILIARIES | frozenset(
    """the a an this that his her its their which who what where whose to of in on at for by with
    from into and or as most more been being not first""".split()
)
_PASTS = frozenset(_PAST.values())
_ADVERBS = r"(?:(?:also|first|once|later|ever|never|still|now|both|[a-z]+ly) )*"
_FINITE = re.compile(rf"{_ADVERBS}(?P<verb>[a-z]+)\b(?! *['’])(?P<rest>.*)")
_OPENS = re.compile(
    r" *(?:$|[?.,A-Z0-9\"]|(?:the|an?|his|her|its|their|this|what|which|who|how|where|some|in|on|at"
    r"|for|by|with|from|to|as|after|of|into|under|over|between|during|out|up|most|more|first|no)\b)"
)


def finite(text: str) -> bool:
    """Say whether a text, or what follows its adverbs, begins with a finite verb."""
    match = _FINITE.match(text)
    return match is not None and _inflected(match["verb"], _OPENS.match(match["rest"]) is not None)


def predicates(text: str) -> bool:
    """Say whether what follows "who", "that" or "which" is a predicate, not a subject."""
    match = _FINITE.match(text)
    return match is not None and _inflected(match["verb"], not finite(match["rest"].lstrip()))


def _inflected(verb: str, alone: bool) -> bool:
    """Say whether a word is a verb, knowing what may follow one.

    :param alone: no other verb follows directly.
    """
    if verb in AUXILIARIES or verb in _PASTS:
        return True
    return alone and (verb in BASES or re.search(r"ed$|[^s]s$", verb) is not None)


def verb_words(verb: "Token") -> list[str]:
    """Return a verb with its auxiliaries, negation and particle, in the order of a statement."""
    helpers = [t for t in verb.children if t.dep_ in {"aux", "auxpass", "neg"}]
    negated = any(t.dep_ == "neg" for t in helpers)
    done = next((t for t in helpers if t.lemma_ == "do"), None)
    words = ["not" if t.dep_ == "neg" else _full(t) for t in helpers if t.tag_ != "TO"]
    main = verb.lower_
    if done is not None and not negated:
        words.remove(_full(done))
        main = _past(verb) if done.lower_ == "did" else _present(verb, done.lower_)
    if verb.dep_ in {"acl", "relcl"} and verb.tag_ == "VBN" and not helpers:
        words.append("was")
    return [*words, main, *(t.lower_ for t in verb.children if t.dep_ == "prt")]


def _full(token: "Token") -> str:
    return {"'s": "is", "’s": "is", "'re": "are", "'ve": "have"}.get(token.lower_, token.lower_)


def _present(verb: "Token", helper: str) -> str:
    lemma = verb.lemma_.lower()
    return lemma if helper == "do" else present(lemma)


def _past(verb: "Token") -> str:
    return verb.lower_ if verb.tag_ in {"VBD", "VBN"} else past(verb.lemma_.lower())


def past(lemma: str) -> str:
    """Return the past tense."""
    if lemma in _PAST:
        return _PAST[lemma]
    if re.search(r"[^aeiou]y$", lemma):
        return lemma[:-1] + "ied"
    if _DOUBLED.fullmatch(lemma):
        lemma += lemma[-1]
    return lemma + ("d" if lemma.endswith("e") else "ed")


def present(lemma: str) -> str:
    """Return the third person singular."""
    if lemma == "have":
        return "has"
    return lemma + ("es" if re.search(r"(?:s|sh|ch|x|z|o)$", lemma) else "s")
