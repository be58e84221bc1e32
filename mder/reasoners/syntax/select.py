"""Descriptions and summaries by choice: the source's own sentences, picked and ordered."""

import re
from collections.abc import Iterable, Sequence

from mder.names import bare_title, normalise
from mder.records import Triple
from mder.sentences import sentences

_LETTERS = re.compile(r"[^\W\d_]+")
_POINTING = re.compile(r"(?:This|These|That|Those|Such|Here|There|However|Instead|Both|Neither)\b")
_NOISE = re.compile(r"^(?:https?://\S+|www\.\S+|\W+)$")
_NUMBER = re.compile(r"\d+")


def contentful(text: str, language: str) -> str:
    """Return the sentences of a text that say something, without markup noise.

    Dropped are bare addresses, rules and lines that hold hardly any letters.
    """
    kept = ""
    last = 0
    for start, end in sentences(text, language):
        if _says_something(text[start:end]):
            paragraph = "\n\n" if "\n\n" in text[last:start] else " "
            kept += (paragraph if kept else "") + " ".join(text[start:end].split())
            last = end
    return kept


def _says_something(sentence: str) -> bool:
    letters = sum(len(word) for word in _LETTERS.findall(sentence))
    return not _NOISE.match(sentence) and 3 * letters > len(sentence.replace(" ", ""))


def describe(triples: Sequence[Triple], before: str, text: str) -> tuple[str, ...]:
    """Return for each triple the sentence that states it, with what it leans on.

    :param before: the text of the Chunk before this one.
    :param text: the text of the Chunk whose triples these are.
    """
    previous = _previous(before, text)
    return tuple(_description(t, text, previous) for t in triples)


def _previous(before: str, text: str) -> dict[int, str]:
    """Return the sentence that precedes each sentence, by the offset at which that begins."""
    spans = sentences(text)
    earlier = [before[a:b] for a, b in sentences(before)[-1:]] or [""]
    texts = [*earlier, *(text[a:b] for a, b in spans)]
    return {start: texts[i] for i, (start, _) in enumerate(spans)}


def _description(triple: Triple, text: str, previous: dict[int, str]) -> str:
    start = triple.start - triple.chunk
    sentence = " ".join(text[start : triple.end - triple.chunk].split())
    leaning = previous.get(start, "") if _POINTING.match(sentence) else ""
    # What has no full stop is a heading, or the beginning of a list.
    leaning = leaning if leaning.rstrip().endswith((".", "!", "?")) else ""
    full = f"{' '.join(leaning.split())} {sentence}".strip()
    if _names(full, triple.subject.name):
        return full
    return f"{triple.subject.name}: {full}"


def summary(name: str, types: Sequence[str], descriptions: Sequence[str], limit: int) -> str:
    """Return the most informative descriptions that fit, none said twice.

    :param descriptions: how the Entity's own page opens, where there is one, comes first.
    :param limit: the most characters of the summary.
    """
    head = f"{name} ({', '.join(types[:3])})" if types else name
    texts = list(dict.fromkeys(d.removeprefix(f"{name}: ") for d in descriptions))
    # "Warsaw: It stands on the river." says what "It stands on the river." says, and of whom.
    told = {text.partition(": ")[2] for text in texts}
    texts = [text for text in texts if text not in told]
    room = limit - len(head) - 2
    chosen: list[str] = []
    seen: set[str] = set()
    for _, text in sorted(enumerate(texts), key=lambda found: _rank(found[0], found[1], name)):
        new = [text[a:b] for a, b in sentences(text) if not _said(text[a:b], seen)]
        addition = " ".join(new)
        if not new or (chosen and len(addition) + 1 > room):
            continue
        chosen.append(addition)
        seen.update(map(normalise, new))
        room -= len(addition) + 1
    return f"{head}: {' '.join(chosen)}"[:limit].rstrip() if chosen else ""


def _rank(place: int, description: str, name: str) -> tuple[bool, bool, bool, int]:
    """Order descriptions: how its page opens, what opens with the name or has it, the richest."""
    folded, key = normalise(description), normalise(bare_title(name))
    named = _names(description, name)
    facts = len(_NUMBER.findall(description)) + sum(w[0].isupper() for w in description.split())
    return not (place == 0 and named), not folded.startswith(key), not named, -min(facts, 12)


def _said(sentence: str, seen: Iterable[str]) -> bool:
    key = f" {normalise(sentence)} "
    return any(key in f" {other} " for other in seen)


def _names(text: str, name: str) -> bool:
    """Say whether a name stands in a text, as whole words."""
    return f" {normalise(bare_title(name))} " in f" {normalise(text)} "
