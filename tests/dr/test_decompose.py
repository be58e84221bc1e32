from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dr.decompose import substitute, translated
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import QueryTriple, is_placeholder


@dataclass
class Translating(SyntaxReasoner):
    """Notes what it is asked; its translations say so."""

    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def translate(self, text: str, language: str, to: str, source: str = "") -> str:  # noqa: ARG002
        self.asked.append((text, language, to))
        return f"translated {text}"


@pytest.mark.parametrize("name", ["X", "Y", "Z", "X1", "Z12"])
def test_placeholders(name: str) -> None:
    assert is_placeholder(name)


@pytest.mark.parametrize("name", ["", "x", "XX", "W", "X-ray", "1X", "X 1", "Malcolm X", "X\n"])
def test_names_that_are_no_placeholders(name: str) -> None:
    assert not is_placeholder(name)


@pytest.mark.parametrize("language", ["", "en"])
def test_a_question_in_the_index_language_is_taken_as_it_is(language: str) -> None:
    reasoner = Translating()
    assert translated("Who  sang?", language, "en", reasoner) == "Who sang?"
    assert not reasoner.asked


def test_a_question_in_another_language_is_translated_first() -> None:
    reasoner = Translating()
    assert translated("Wer sang?", "de", "en", reasoner) == "translated Wer sang?"
    assert reasoner.asked == [("Wer sang?", "de", "en")]


_TERMS = st.sampled_from(["X", "Y", "X1", "Ann", "Oslo", ""])


@given(_TERMS, _TERMS, st.dictionaries(st.sampled_from(["X", "Y"]), st.text(max_size=5)))
def test_known_placeholders_are_filled_in(subject: str, obj: str, values: dict[str, str]) -> None:
    filled = substitute(QueryTriple(subject, "MET", obj), values)
    assert filled == QueryTriple(values.get(subject, subject), "MET", values.get(obj, obj))
