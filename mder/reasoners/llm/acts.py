"""The acts that are put to a model: prompt, form of the reply, stage of the ledger."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Generic, TypeVar

from msgspec import Struct

from mder.reasoners.llm import shapes
from mder.resources import read_text

T = TypeVar("T", bound=Struct)


@dataclass(frozen=True, slots=True)
class Act(Generic[T]):
    """One linguistic act.

    :param prompt: name of its file in ``prompts/``.
    :param kind: form of the reply.
    :param stage: what the ledger counts it under.
    """

    prompt: str
    kind: type[T]
    stage: str


SUMMARIZE = Act("summarize", shapes.Written, "summarize")
SUMMARIZE_AND_TRANSLATE = Act("summarize_and_translate", shapes.Shortened, "summarize")
TRANSLATE = Act("translate", shapes.Written, "translate")
EXTRACT = Act("extract", shapes.Extracted, "map")
SAME = Act("same", shapes.Verdicts, "disambiguate")
DESCRIBE = Act("describe", shapes.Descriptions, "enrich")
REDUCE = Act("reduce", shapes.Entries, "reduce")
DECOMPOSE = Act("decompose", shapes.Decomposed, "decompose")
GROUND = Act("ground", shapes.Grounded, "resolve")
ANSWER = Act("answer", shapes.Answered, "answer")
RECALL = Act("recall", shapes.Recalled, "answer")
JUDGE = Act("judge", shapes.Correct, "judge")


@cache
def wording(stage: str) -> str:
    """Return the digest (12 hex digits) of the prompts of a stage."""
    prompts = sorted(
        act.prompt for act in globals().values() if isinstance(act, Act) and act.stage == stage
    )
    texts = (read_text("prompts", f"{prompt}.txt") for prompt in prompts)
    return sha256("\0".join(texts).encode()).hexdigest()[:12]
