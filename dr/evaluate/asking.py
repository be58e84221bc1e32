"""Ask every question, and mark what came."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from dr.evaluate import metrics
from dr.evaluate.datasets import Example
from dr.evaluate.documents import Support
from dr.records import Answer
from mder.errors import ModelError, ReplyError
from mder.models.ledger import Ledger

RECALL_AT = (2, 5, 10)
ALL_AT = 5

Asked = Sequence[tuple[Example, Support]]
Judge = Callable[[str, str, str], bool]
"""Says of a question and the expected answer whether an answer means it."""


class Engine(Protocol):
    """Whatever answers a question."""

    def ask(self, text: str) -> Answer:
        """Return the answer, with the Documents that it was found in."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question.

    :param scores: by metric; without those that the question is no case of.
    :param error: why there is no answer, where there is none.
    """

    answer: Answer | None = None
    scores: dict[str, float] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class Exam:
    """How questions are asked.

    :param questions: each with the Documents that its answer rests on.
    :param ledger: where the engine counts what language models take.
    :param judge: marks answers, where they are to be judged.
    :param told: told in one line what failed.
    :param progress: told the name of the engine, the questions done and all of them.
    """

    questions: Asked
    ledger: Ledger = field(default_factory=Ledger)
    judge: Judge | None = None
    told: Callable[[str], None] = lambda _: None
    progress: Callable[[str, int, int], None] = lambda *_: None

    def hold(self, engines: Mapping[str, Callable[[], Engine]]) -> dict[str, list[Outcome]]:
        """Open engines one after the other and ask each every question, in the order given.

        Control-C ends the asking, and so does an error after which a model cannot answer any
        other question: what was not asked has failed.
        """
        found: dict[str, list[Outcome]] = {}
        with suppress(KeyboardInterrupt):
            for name, opened in engines.items():
                done = found[name] = []
                for outcome in self._outcomes(name, opened()):
                    done.append(outcome)
                    self.progress(name, len(done), len(self.questions))
        for name, done in found.items():
            left = len(self.questions) - len(done)
            if left:
                self.told(f"{name}: stopped; {left} of {len(self.questions)} questions not asked")
                done += [Outcome(error="not asked")] * left
        return found

    def _outcomes(self, name: str, engine: Engine) -> Iterator[Outcome]:
        for example, support in self.questions:
            try:
                yield self._ask(engine, example, support)
            except ModelError as error:
                self.told(f"{name}: {example.place}: {example.question}: {error}")
                yield Outcome(error=str(error))
                if not (error.retryable or isinstance(error, ReplyError)):
                    return

    def _ask(self, engine: Engine, example: Example, support: Support) -> Outcome:
        before, began = self.ledger.total, time.perf_counter()
        answer = engine.ask(example.question)
        seconds, after = time.perf_counter() - began, self.ledger.total
        scores = marks(example, support, answer)
        if self.judge and example.expected:
            scores["judge"] = self._judged(self.judge, example, answer)
        scores["seconds"] = seconds
        if after.calls:
            # Where no model is asked at all, there is nothing to count.
            scores["tokens_in"] = after.tokens_in - before.tokens_in
            scores["tokens_out"] = after.tokens_out - before.tokens_out
        return Outcome(answer, scores)

    def _judged(self, judge: Judge, example: Example, answer: Answer) -> float:
        expected = example.expected if answer.answered else ()
        return float(any(judge(example.question, one, answer.text) for one in expected))


def marks(example: Example, support: Support, answer: Answer) -> dict[str, float]:
    """Return the scores of an answer by what is expected, as far as that is known.

    A question without an answer counts for ``declined`` alone.
    """
    declined = float(not answer.answered)
    if example.unanswerable:
        return {"declined": declined}
    scores = {"declined_answerable": declined} if support or example.expected else {}
    if support:
        scores |= {f"recall@{k}": metrics.recall_at(k, answer.sources, support) for k in RECALL_AT}
        scores[f"all@{ALL_AT}"] = float(metrics.recall_at(ALL_AT, answer.sources, support) == 1)
    if example.expected:
        scores |= _words(example.expected, answer)
    return scores


def _words(expected: Sequence[str], answer: Answer) -> dict[str, float]:
    if not answer.answered:
        lost = metrics.best(metrics.soft_match, answer.guess, expected)
        return {"em": 0.0, "f1": 0.0, "soft_em": 0.0, "lost": lost}
    return {
        "em": metrics.best(metrics.exact_match, answer.value, expected),
        "f1": metrics.best(metrics.f1, answer.value, expected),
        "soft_em": metrics.best(metrics.soft_match, answer.text, expected),
        "lost": 0.0,
    }
