"""Models that are good but for one fault, and their examination."""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mder.errors import TooLongError
from mder.models.base import Completion, Message
from mder.models.doctor import Examination, examine
from mder.models.doctor.advice import Advice

SECRET = re.compile(r"The secret word is (\w+)\.")
FACTS = {
    "triples": [
        {"subject": "Lise Meitner", "predicate": "WAS_BORN_IN", "object": "Vienna"},
        {"subject": "Lise Meitner", "predicate": "FLED_TO", "object": "Stockholm"},
    ],
    "verdict": "SAME",
    "sentences": [
        {"number": 1, "sentence": "Oslo is the capital of Norway."},
        {"number": 2, "sentence": "Tea grows in Assam."},
    ],
}
Schema = Mapping[str, Any] | None


def right(messages: Sequence[Message], schema: Schema) -> str:
    """Answer as a good model does."""
    assert schema
    (key,) = schema["properties"]
    if key == "word":
        found = SECRET.search(messages[-1].content)
        return json.dumps({"word": found[1] if found else "unknown"})
    return json.dumps({key: FACTS[key]})


@dataclass
class Patient:
    """A good model but for one fault.

    :param says: changes the text of each reply.
    :param cuts: words of a prompt that the server keeps, the last ones, without a word of it.
    :param refuses: words above which the server refuses a prompt.
    :param forgets: words of which the model knows the last ones only.
    :param counts: whether the server counts tokens.
    :param reads: words a second, by the clock that ``now`` is; so is ``writes``.
    """

    says: Callable[[str, Schema], str] = lambda text, _: text
    cuts: int = 10**6
    refuses: int = 10**6
    forgets: int = 10**6
    counts: bool = True
    reads: float = 1e6
    writes: float = 1e6
    measures: bool = False
    name: str = "ollama/tiny"
    options: Mapping[str, object] = field(default_factory=dict)
    now: float = 0.0
    longest: int = 0

    def complete(self, messages: Sequence[Message], schema: Schema = None) -> Completion:
        words = re.findall(r"\S+\s*", "\n".join(m.content for m in messages))
        self.longest = max(self.longest, len(words))
        if len(words) > self.refuses:
            raise TooLongError(f"{len(words)} tokens do not fit into {self.refuses}")
        words = words[-self.cuts :]
        seen = [Message("user", "".join(words[-self.forgets :]))]
        text = self.says(right(seen, schema), schema)
        tokens, written = len(words) * self.counts, len(text.split())
        seconds = len(words) / self.reads + written / self.writes
        self.now += seconds
        return Completion(text, tokens, written, seconds=seconds * self.measures)


def examined(patient: Patient, context: int = 8192, **given: object) -> Examination:
    return examine(patient, context, clock=lambda: patient.now, chance=random.Random(1), **given)  # type: ignore[arg-type]


def advised(found: Examination) -> dict[str, Advice]:
    return {advice.what: advice for advice in found.advice}
