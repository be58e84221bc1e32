from dataclasses import replace

import pytest

from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk
from mder.translate import translate

GERMAN = Chunk("d", 0, 9, "Es regnet", "de", "Regen")


class Marking(SyntaxReasoner):
    """Translates by saying from what into what."""

    def translate(self, text: str, language: str, to: str, source: str = "") -> str:  # noqa: ARG002
        return f"{text} ({language} to {to})"


def test_the_summary_is_translated_and_the_rest_stays() -> None:
    (found,) = translate([GERMAN], Marking(), "en")
    assert found == replace(GERMAN, english="Regen (de to en)")


def test_what_came_with_the_summary_is_not_translated_again() -> None:
    (found,) = translate([replace(GERMAN, english="Rain")], Marking(), "en")
    assert found.english == "Rain"


@pytest.mark.parametrize("language", ["en", ""])
def test_what_is_in_the_index_language_or_in_none_is_taken_as_it_is(language: str) -> None:
    (found,) = translate([replace(GERMAN, language=language)], Marking(), "en")
    assert found.english == "Regen"


def test_the_index_language_need_not_be_english() -> None:
    (found,) = translate([GERMAN], Marking(), "de")
    assert found.english == "Regen"


def test_the_syntax_reasoner_leaves_text_as_it_is() -> None:
    (found,) = translate([GERMAN], SyntaxReasoner(), "en")
    assert found.english == "Regen"
