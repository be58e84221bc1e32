"""Results as files: everything for machines, the tables for readers, and plots."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from dr.evaluate.asking import Asked, Outcome
from dr.evaluate.bootstrap import RESAMPLES
from dr.evaluate.datasets import Example
from dr.evaluate.documents import Support
from dr.evaluate.figures import Figures, Outcomes
from dr.evaluate.plots import draw
from dr.evaluate.report import as_record, markdown
from mder import VERSION


@dataclass(frozen=True, slots=True)
class Results:
    """All that an evaluation gave.

    :param terms: what it was made with: the models, the corpora, the graph.
    """

    questions: Asked
    outcomes: Outcomes
    figures: Mapping[str, Figures]
    seed: int
    terms: Mapping[str, object]

    def write(self, folder: Path, command: str) -> None:
        """Write ``results.json``, ``results.md``, ``results.png`` and ``results.svg``.

        :param command: the one that these are the results of.
        :raises MissingPackageError: when matplotlib is not installed.
        """
        folder.mkdir(parents=True, exist_ok=True)
        date = datetime.now(UTC).date().isoformat()
        record = {"command": command, "date": date, "version": VERSION, **self._record()}
        text = json.dumps(record, ensure_ascii=False, indent=1)
        (folder / "results.json").write_text(text + "\n", encoding="utf-8")
        tables = markdown(self.figures, self.seed)
        head = f"# dr eval, {date}\n\n```sh\n{command}\n```\n\n"
        (folder / "results.md").write_text(head + tables, encoding="utf-8")
        draw(self.outcomes, self.seed, folder)

    def _record(self) -> dict[str, object]:
        return {
            **self.terms,
            "seed": self.seed,
            "resamples": RESAMPLES,
            "retrievers": {name: as_record(one) for name, one in self.figures.items()},
            "questions": [
                _question(example, support, {n: o[i] for n, o in self.outcomes.items()})
                for i, (example, support) in enumerate(self.questions)
            ],
        }


def _question(
    example: Example, support: Support, outcomes: Mapping[str, Outcome]
) -> dict[str, object]:
    return {
        "id": example.id,
        "question": example.question,
        "type": example.type,
        "unanswerable": example.unanswerable,
        "answers": None if example.answers is None else list(example.answers),
        "supporting": [sorted(wanted) for wanted in support],
        "results": {name: _outcome(outcome) for name, outcome in outcomes.items()},
    }


def _outcome(outcome: Outcome) -> dict[str, object]:
    answer = outcome.answer
    if answer is None:
        return {"error": outcome.error}
    return {
        "answered": answer.answered,
        "answer": answer.text,
        "value": answer.value,
        "guess": answer.guess,
        "documents": list(answer.sources),
        "scores": outcome.scores,
    }
