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
