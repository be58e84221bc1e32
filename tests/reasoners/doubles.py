import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any

from mder.models.base import CallableModel, Completion, LanguageModel, Message
from mder.models.ledger import Ledger, Spent
from mder.models.replies import Failure
from mder.reasoners.base import Passage
from mder.reasoners.llm import LlmReasoner
from mder.reasoners.llm.batches import Size
from mder.reasoners.llm.conversation import Conversation
from mder.reasoners.llm.prompt import act_of
from mder.reasoners.llm.rehearsal import rehearsed
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk, Document, Evidence, EvidenceKind, Mention, Triple

TEXT = "Marie Curie was born in Warsaw. Marie Curie discovered radium. Curie did not like fame."
ACTS = sorted(path.stem for path in (Path(__file__).parents[2] / "prompts").glob("*.txt"))

Say = str | Mapping[str, Any] | Completion | Exception


def document(text: str = TEXT, title: str = "Marie Curie") -> Document:
    return Document("curie.md", title, text, "0" * 64, "en")


def chunks(text: str = TEXT, *starts: int, language: str = "en") -> tuple[Chunk, ...]:
    """Cut a text at the starts given."""
    bounds = [0, *starts, len(text)]
    return tuple(Chunk("curie.md", a, b, text[a:b], language) for a, b in pairwise(bounds))


def triple(subject: str, predicate: str, obj: str, start: int = 0, end: int = 31) -> Triple:
    return Triple(Mention(subject), predicate, Mention(obj), "curie.md", 0, start, end)


def passage(*triples: Triple, text: str = TEXT, before: str = "", after: str = "") -> Passage:
    return Passage(triples, before, text, after)


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
    """Return what the prompt shows between the markers of one name."""
    content = next(m.content for m in messages if m.role == "user")
    found = re.search(rf'<data name="{name}">\n(.*?)\n</data>', content, re.DOTALL)
    return found[1] if found else ""


def numbers(messages: Sequence[Message]) -> list[int]:
    """Return the numbers of the things that a prompt asks for."""
    return [int(n) for n in re.findall(r"^\[(\d+)\] ", data(messages, "items"), re.MULTILINE)]


def cut(text: str) -> Completion:
    """Return a reply that came to an end at the most tokens allowed."""
    return Completion(text, 1, 1, "length")


_ASKING: dict[str, Mapping[str, Any]] = {
    "decompose": {
        "triples": [
            {"subject": "X", "predicate": "DISCOVERED", "object": "radium"},
            {"subject": "X", "predicate": "WAS_BORN_IN", "object": "Y"},
        ],
        "asks": "Y",
        "kind": "entity",
        "expects": "city",
    },
    "ground": {"values": [{"value": "Warsaw", "evidence": [1]}]},
    "answer": {"answered": True, "text": "Warsaw.", "citations": [1]},
    "recall": {"answered": True, "text": "Warsaw. She was born there."},
    "judge": {"correct": False},
}


@cache
def _syntax() -> SyntaxReasoner:
    return SyntaxReasoner()


def sensible(messages: Sequence[Message], _schema: Mapping[str, object] | None) -> str:
    """Answer any act as a good model would."""
    act = act_of(messages, ACTS)
    return json.dumps(_ASKING[act]) if act in _ASKING else rehearsed(_syntax(), messages)


def sensible_model() -> CallableModel:
    return CallableModel(sensible, name="double/sensible")


@dataclass(slots=True)
class Recorder:
    """A model that is sensible, or what it is told to be, and remembers what it was asked."""

    answer: Callable[[Sequence[Message]], Say] = field(default=lambda m: sensible(m, None))
    name: str = "double/recorder"
    options: Mapping[str, object] = field(default_factory=dict)
    asked: list[Sequence[Message]] = field(default_factory=list)
    _lock: Any = field(default_factory=Lock)

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        del schema
        with self._lock:
            self.asked.append(messages)
        reply = self.answer(messages)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, Completion):
            return reply
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        return Completion(text, 7, 3, seconds=0.5)

    @property
    def acts(self) -> Counter[str]:
        """How often each act was asked for."""
        return Counter(act_of(messages, ACTS) for messages in self.asked)

    @property
    def shown(self) -> list[str]:
        """The user's part of each prompt."""
        return [messages[1].content for messages in self.asked]


def scripted(*replies: Say) -> Recorder:
    """Return a model that gives these replies in turn, the last one for ever."""
    pending = list(replies)
    return Recorder(lambda _: pending.pop(0) if len(pending) > 1 else pending[0])


@dataclass(slots=True)
class Drawer:
    """Replies kept in memory, with what they cost and what failed."""

    kept: dict[str, str] = field(default_factory=dict)
    spent: dict[str, Spent] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def get(self, key: str) -> str | None:
        return self.kept.get(key)

    def keep(self, replies: Mapping[str, str], model: str, stage: str, spent: Spent) -> None:
        del model
        self.kept.update(replies)
        self.spent[stage] = self.spent.get(stage, Spent()) + spent
        self.failures = [failure for failure in self.failures if failure.key not in replies]

    def fail(self, failures: Sequence[Failure]) -> None:
        self.failures.extend(failures)


def talk(
    model: LanguageModel, drawer: Drawer | None = None, ledger: Ledger | None = None
) -> Conversation:
    return Conversation(model, ledger or Ledger(), drawer or Drawer())


def llm(
    model: LanguageModel,
    drawer: Drawer | None = None,
    *,
    language: str = "en",
    size: Size | None = None,
    ledger: Ledger | None = None,
) -> LlmReasoner:
    return LlmReasoner(talk(model, drawer, ledger), language, size or Size())


@dataclass
class Shelf:
    """Keeps parses in memory."""

    kept: dict[tuple[str, str], bytes] = field(default_factory=dict)
    times: int = 0

    def parses(self, source: str, version: str) -> bytes | None:
        return self.kept.get((source, version))

    def keep_parses(self, source: str, version: str, parses: bytes) -> None:
        self.kept[source, version] = parses
        self.times += 1
