"""A model that is only thought of: it answers as the syntax Reasoner would, and costs nothing."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mder.models.base import Completion, LanguageModel, Message
from mder.models.tokens import estimate, prompt_tokens
from mder.names import spoken
from mder.reasoners.base import Portrait, Reasoner
from mder.reasoners.llm.prompt import act_of, values_of
from mder.records import Candidate, Chunk, Document, Entity
from mder.sentences import sentences

_ITEM = re.compile(r"^\[(\d+)\] (.*?)(?=^\[\d+\] |\Z)", re.MULTILINE | re.DOTALL)
_CANDIDATE = re.compile(r"\s*(?P<name>.*?) \((?P<types>[^()]*)\):\s?(?P<text>.*)")
_LIMIT = 1200  # characters


@dataclass(frozen=True, slots=True)
class RehearsedModel:
    """Stands in for a model, under its name, so that a run can be counted before it is made.

    :param reasoner: who answers; a text that it cannot read is thought to state as much as it is
        long.
    :param count: tokens of a text.
    """

    model: LanguageModel
    reasoner: Reasoner
    count: Callable[[str], int] = field(default=estimate)

    @property
    def name(self) -> str:
        """Name of the model that is stood in for."""
        return self.model.name

    @property
    def options(self) -> Mapping[str, object]:
        """Options of the model that is stood in for."""
        return self.model.options

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Answer an act of indexing.

        :raises ValueError: when the prompt is for none.
        """
        del schema
        text = rehearsed(self.reasoner, messages)
        return Completion(text, prompt_tokens(messages), self.count(text))


def rehearsed(reasoner: Reasoner, messages: Sequence[Message]) -> str:
    """Return the reply of a sensible model to a prompt for an act of indexing, as JSON.

    :raises ValueError: when the prompt is for none.
    """
    act = act_of(messages, _ACTS)
    reply = _ACTS[act](reasoner, defaultdict(str, values_of(act, messages)))
    return json.dumps(reply, ensure_ascii=False)


def _summarize(reasoner: Reasoner, shown: Mapping[str, str]) -> dict[str, Any]:
    return {"text": _short(reasoner, shown["text"])}


def _summarize_and_translate(reasoner: Reasoner, shown: Mapping[str, str]) -> dict[str, Any]:
    short = _short(reasoner, shown["text"])
    return {"summary": short, "translation": short}


def _short(reasoner: Reasoner, text: str) -> str:
    return reasoner.summarize([Chunk("text", 0, len(text), text)], "")[0].summary or text


def _translate(_reasoner: Reasoner, shown: Mapping[str, str]) -> dict[str, Any]:
    return {"text": shown["text"]}


def _extract(reasoner: Reasoner, shown: Mapping[str, str]) -> dict[str, Any]:
    text = shown["text"]
    document = Document("text", shown["title"], text, "", "en")
    found = reasoner.extract(document, [Chunk("text", 0, len(text), text, "en")])
    facts: dict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for t in found.triples:
        thing = (t.subject.name, _first(t.subject.types))
        facts[thing].append([spoken(t.predicate), t.object.name, _first(t.object.types)])
    for alias in found.aliases:
        facts[alias.name, ""].append(["also called", alias.alias, ""])
    return {
        "things": [{"name": n, "type": kind, "facts": told} for (n, kind), told in facts.items()]
    }


def _first(types: Sequence[str]) -> str:
    return next(iter(types), "")


def _same(reasoner: Reasoner, shown: Mapping[str, str]) -> dict[str, Any]:
    items = _items(shown)
    pairs = [_pair(item) for item in items.values()]
    verdicts = reasoner.same([pair for pair in pairs if pair])
    given = iter(verdicts)
    return {
        "verdicts": [
            {"number": number, "same": v.same, "reason": v.reason}
            for number, pair in zip(items, pairs, strict=True)
            if pair and (v := next(given))
        ]
    }


def _pair(item: str) -> tuple[Candidate, Candidate] | None:
    sides = [match for line in item.splitlines() if (match := _CANDIDATE.match(line))]
    if len(sides) != 2:
        return None
    left, right = (Candidate(m["name"], tuple(m["types"].split(", ")), m["text"]) for m in sides)
    return left, right


def _describe(_reasoner: Reasoner, shown: Mapping[str, str]) -> dict[str, Any]:
    text = shown["text"]
    stated = [text[start:end] for start, end in sentences(text)]
    return {
        "descriptions": [
            {"number": number, "text": _closest(item, stated)}
            for number, item in _items(shown).items()
        ]
    }


def _closest(item: str, stated: Sequence[str]) -> str:
    """Return the sentence that shares most words with an item."""
    words = set(re.findall(r"\w+", item.lower()))
    shared = {s: len(words & set(re.findall(r"\w+", s.lower()))) for s in stated}
    return " ".join(max(shared, key=lambda s: shared[s], default=item).split())


def _reduce(reasoner: Reasoner, shown: Mapping[str, str]) -> dict[str, Any]:
    items = _items(shown)
    things = [_portrait(item) for item in items.values()]
    summaries = reasoner.reduce(things, int(shown["limit"] or _LIMIT))
    return {
        "entries": [
            {"number": number, "text": summary}
            for number, summary in zip(items, summaries, strict=True)
        ]
    }


def _portrait(item: str) -> Portrait:
    name, *descriptions = item.split("\n- ")
    return Entity(name), descriptions


def _items(shown: Mapping[str, str]) -> dict[int, str]:
    return {int(m[1]): m[2].strip() for m in _ITEM.finditer(shown["items"])}


_ACTS: dict[str, Callable[[Reasoner, Mapping[str, str]], dict[str, Any]]] = {
    "summarize": _summarize,
    "summarize_and_translate": _summarize_and_translate,
    "translate": _translate,
    "extract": _extract,
    "same": _same,
    "describe": _describe,
    "reduce": _reduce,
}
