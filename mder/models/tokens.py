"""How many tokens a text will cost, told without a tokenizer."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from mder.models.base import Message

# What a chat template puts around each message.
PER_MESSAGE = 8

# Kind of match: tokens a match, tokens for each character beyond the first so many.
_COSTS = {
    "upper": (0.0, 0.5, 0),
    "capital": (0.85, 0.39, 5),
    "lower": (0.93, 0.22, 7),
    "digits": (0.0, 1.1, 0),
    "punctuation": (0.9, 0.12, 0),
    "newline": (0.86, 0.0, 1),
    "accent": (0.0, 2.2, 0),
    "greek": (0.0, 0.95, 0),
    "alphabet": (0.0, 1.1, 0),
    "hangul": (0.0, 2.5, 0),
    "script": (0.0, 1.85, 0),
    "symbol": (0.0, 1.8, 0),
    "rare": (0.0, 3.0, 0),
}
_PARTS = re.compile(
    r"(?P<upper>[A-Z]{2,}(?![a-z]))|(?P<capital>[A-Z][a-z]*)|(?P<lower>[a-z]+)"
    r"|(?P<digits>[0-9]+)|(?P<punctuation>[!-/:-@\[-`{-~]+)|(?P<newline>\n)"
    r"|(?P<accent>[\u00a1-\u036f\u1e00-\u1eff]+)|(?P<greek>[\u0370-\u052f]+)"
    r"|(?P<alphabet>[\u0530-\u07ff]+)"
    r"|(?P<hangul>[\u1100-\u11ff\uac00-\ud7ff]+)|(?P<symbol>[\u2000-\u2bff]+)"
    r"|(?P<script>[\u0800-\uffff]+)|(?P<rare>[\U00010000-\U0010ffff]+)"
)
_SHORT = re.compile(r"(?<![^\W_])[a-zß-ÿ]{1,3}(?![^\W_])")
_ENGLISH = frozenset(
    "a all am an and any are as at be but by can did for from had has he her him his how i if in "
    "is it its may me my new no not now of off on one or our out own per see she so the to two up "
    "us use was way we who you".split()
)
# Letters of another language cost this much more than those of English.
_FOREIGN = 0.18
_DOUBT = 2
# Chinese and Japanese put no space between words.
_UNSPACED = re.compile(r"[\u3040-\u9fff\uf900-\ufaff]")


# Instructions and schemas are the same in every request, and a request is counted more than once.
@lru_cache(maxsize=512)
def estimate(text: str) -> int:
    """Estimate how many tokens a byte-pair tokenizer makes of a text.

    Calibrated on the tokenizer of SmolLM2 (49,152 tokens, most of them English) over 624 texts of
    up to 2,000 characters. Estimate over count, in total: English prose 1.04, JSON of triples 1.00,
    prompts 0.96, and 0.79 to 1.34 in each of 17 other languages and 11 other scripts. Larger
    vocabularies make about as many tokens of English and JSON (o200k: 12 % fewer), and down to a
    fifth of other scripts.
    """
    total, letters = 0.0, 0
    for match in _PARTS.finditer(text):
        kind, size = match.lastgroup or "", match.end() - match.start()
        each, more, free = _COSTS[kind]
        total += each + more * max(0, size - free)
        if kind in ("capital", "lower"):
            letters += size
    return round(total + _FOREIGN * letters * _foreign(text))


def fewest(texts: Iterable[str]) -> int:
    """Return a number of tokens that no usual tokenizer comes below, for finding what was cut.

    That is one for each word, and 0.4 for each character of Chinese and Japanese.
    """
    return sum(len(text.split()) + int(0.4 * len(_UNSPACED.findall(text))) for text in texts)


def prompt_tokens(messages: Sequence[Message], schema: Mapping[str, object] | None = None) -> int:
    """Estimate the tokens of a whole request; some servers make the schema a part of it."""
    said = sum(estimate(message.content) + PER_MESSAGE for message in messages)
    return said + (estimate(json.dumps(schema)) if schema else 0)


def _foreign(text: str) -> float:
    """Say how little of a text in Latin script is English: the share of short words that are not.

    Short words tell languages apart, and a name seldom is one.
    """
    short = _SHORT.findall(text)
    return sum(word not in _ENGLISH for word in short) / (len(short) + _DOUBT)
