import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from mder.models.base import CallableModel, Message
from mder.records import Chunk, Document, Evidence, EvidenceKind, Mention, Triple

TEXT = "Marie Curie was born in Warsaw. Marie Curie discovered radium. Curie did not like fame."

_STATEMENT = re.compile(r"((?:[A-Z]\w+ ?)+) (was born in|discovered|did not like) (\w+)\.")


def document(text: str = TEXT, title: str = "Marie Curie") -> Document:
    return Document("curie.md", title, text, "0" * 64, "en")


def chunks(text: str = TEXT, *starts: int) -> tuple[Chunk, ...]:
    """Cut a text at the starts given."""
    bounds = [0, *starts, len(text)]
    return tuple(Chunk("curie.md", a, b, text[a:b], "en") for a, b in pairwise(bounds))


def triple(subject: str, predicate: str, obj: str, start: int = 0, end: int = 31) -> Triple:
    return Triple(Mention(subject), predicate, Mention(obj), "curie.md", 0, start, end)


def evidence(number: int, text: str, entity: str = "") -> Evidence:
    return Evidence(
        id=f"https://example.org/{number}",
        kind=EvidenceKind.SUMMARY,
        text=text,
        source="curie.md",
        title="Marie Curie",
        quote=text,
        start=0,
        end=len(text),
        score=1.0 / number,
        entity=entity,
    )


def data(messages: Sequence[Message], name: str = "text") -> str:
    """Return what the last prompt shows between the markers of one name."""
    content = next(m.content for m in messages if m.role == "user")
    found = re.search(rf'<data name="{name}">\n(.*?)\n</data>', content, re.DOTALL)
    return found[1] if found else ""


def _extract(messages: Sequence[Message]) -> dict[str, Any]:
    found = _STATEMENT.finditer(data(messages))
    return {
        "triples": [
            {
                "subject": match[1],
                "predicate": match[2],
                "object": match[3],
                "subject_type": "person",
                "object_type": "",
                "evidence": match[0],
            }
            for match in found
        ],
        "aliases": [],
    }


def _numbers(messages: Sequence[Message], name: str) -> list[int]:
    return [int(n) for n in re.findall(r"^\[(\d+)\]", data(messages, name), re.MULTILINE)]


def _decompose(_messages: Sequence[Message]) -> dict[str, Any]:
    asked = {"subject": "X", "predicate": "DISCOVERED", "object": "radium"}
    born = {"subject": "X", "predicate": "WAS_BORN_IN", "object": "Y"}
    return {"triples": [asked, born], "asks": "Y", "kind": "entity", "expects": "city"}


# The first field of a schema tells the act; "text" serves three acts alike.
_ACTS: dict[str, Callable[[Sequence[Message]], dict[str, Any]]] = {
    "text": lambda messages: {"text": data(messages) or data(messages, "descriptions")},
    "verdicts": lambda messages: {
        "verdicts": [
            {"pair": n, "same": True, "reason": "alike"} for n in _numbers(messages, "pairs")
        ]
    },
    "descriptions": lambda messages: {
        "descriptions": [
            {"triple": n, "text": f"Description {n}."} for n in _numbers(messages, "triples")
        ]
    },
    "values": lambda _messages: {"values": [{"value": "Warsaw", "evidence": [1]}]},
    "answered": lambda _messages: {"answered": True, "text": "Warsaw.", "citations": [1]},
    "correct": lambda _messages: {"correct": False},
}


def sensible(messages: Sequence[Message], schema: Mapping[str, object] | None) -> str:
    """Answer any act as a good model would."""
    properties = (schema or {}).get("properties")
    fields = list(properties) if isinstance(properties, dict) else []
    if fields[0] == "triples":
        reply = _extract(messages) if "aliases" in fields else _decompose(messages)
    else:
        reply = _ACTS[fields[0]](messages)
    return json.dumps(reply, ensure_ascii=False)


def sensible_model() -> CallableModel:
    return CallableModel(sensible, name="double/sensible")


class Scripted:
    """Gives the replies in turn, the last one for ever, and remembers what it was asked."""

    def __init__(self, *replies: str | dict[str, Any]) -> None:
        self._replies = [r if isinstance(r, str) else json.dumps(r) for r in replies]
        self.asked: list[Sequence[Message]] = []

    def __call__(self, messages: Sequence[Message], _schema: Mapping[str, object] | None) -> str:
        self.asked.append(messages)
        return self._replies[min(len(self.asked), len(self._replies)) - 1]

    @property
    def model(self) -> CallableModel:
        return CallableModel(self, name="double/scripted")
