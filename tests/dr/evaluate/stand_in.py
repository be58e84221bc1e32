"""A corpus with all that makes rows hard to tell apart, and an engine that says what it is told."""

import json
from collections.abc import Mapping
from pathlib import Path

from dr.records import Answer
from mder.records import Evidence, EvidenceKind, Question

TOWN = {"title": "Halden", "text": "Halden is a town in Norway."}
PLANET = {"title": "Mercury", "text": "Mercury is a planet."}
METAL = {"title": "Mercury", "text": "Mercury is a metal."}
CORPUS = (TOWN, PLANET, TOWN, {"title": "No text"})
DISTRACTORS = (METAL, PLANET)


def write_rows(path: Path, *rows: object) -> Path:
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    return path


def answer(value: str = "", *sources: str, text: str = "", guess: str = "") -> Answer:
    """Return an answer found in these Documents; without a value, it is declined."""
    evidence = tuple(
        Evidence(source, EvidenceKind.CHUNK, "text", source, source, "text", 0, 4, 1.0)
        for source in sources
    )
    said = text or value or "The documents do not say."
    question = Question("?", ())
    return Answer("?", said, bool(value), question, evidence=evidence, value=value, guess=guess)


class Scripted:
    """Answers from a list; raises what is an error in it."""

    def __init__(self, said: Mapping[str, Answer | BaseException]) -> None:
        self.said = said
        self.asked: list[str] = []

    def ask(self, text: str) -> Answer:
        self.asked.append(text)
        said = self.said[text]
        if isinstance(said, BaseException):
            raise said
        return said
