"""Writes the verb of a question as the statement that answers it would: "did … die" is DIED."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token

_PAST = dict(
    pair.split(":")
    for pair in """be:was become:became begin:began bring:brought build:built buy:bought
    catch:caught choose:chose come:came do:did draw:drew drive:drove eat:ate fall:fell feel:felt
    fight:fought find:found fly:flew get:got give:gave go:went grow:grew have:had hear:heard
    hold:held keep:kept know:knew lead:led leave:left lose:lost make:made meet:met pay:paid
    put:put read:read rise:rose run:ran say:said see:saw sell:sold send:sent set:set sing:sang
    sit:sat speak:spoke spend:spent stand:stood swim:swam take:took teach:taught tell:told
    think:thought wear:wore win:won write:wrote""".split()
)

BASES = frozenset(
    """act adopt air annex appear approach arrive assist attend award become begin belong border
    broadcast build buy call carry cause change choose close come compete complete compose conquer
    contain control cover create cross declare defeat describe design develop die direct discover
    divide drink earn edit elect employ end enter establish expand fall feature fight film find
    finish fly form found gain get give go govern graduate grow happen have help hold host inspire
    invade invent invest join kill know launch lead leave lie live locate lose make manage marry
    mean meet merge migrate move name narrate occur open operate originate own paint perform pilot
    play portray prefer present produce provide publish purchase rank reach receive record reinstate
    release represent resign retire return rise rule run say secure see sell serve share sign sing
    sit speak spend stand star start stay stop study succeed suffer support surrender take teach
    tell think train travel use visit voice vote wear win work write""".split()
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
    if match is None:
        return False
    verb = match["verb"]
    if verb in AUXILIARIES or verb in _PASTS:
        return True
    opens = _OPENS.match(match["rest"]) is not None
    return opens and (verb in BASES or re.search(r"ed$|[^s]s$", verb) is not None)


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
    return lemma + ("d" if lemma.endswith("e") else "ed")


def present(lemma: str) -> str:
    """Return the third person singular."""
    if lemma == "have":
        return "has"
    return lemma + ("es" if re.search(r"(?:s|sh|ch|x|z|o)$", lemma) else "s")
