from collections.abc import Sequence
from dataclasses import replace

from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk
from mder.summarize import summarize

CHUNKS = tuple(Chunk("d", n, n + 1, text) for n, text in enumerate("abc"))


class Shortening(SyntaxReasoner):
    """Summarizes a Chunk by its place among those that it was shown, and translates that."""

    def __init__(self) -> None:
        super().__init__()
        self.to: list[str] = []

    def summarize(self, chunks: Sequence[Chunk], to: str) -> tuple[Chunk, ...]:
        self.to.append(to)
        whole = "".join(chunk.text for chunk in chunks)
        return tuple(
            replace(c, summary=f"{c.text} of {whole}", english=to and f"{c.text} in {to}", text="!")
            for c in chunks
        )


def test_a_document_is_summarized_as_a_whole() -> None:
    reasoner = Shortening()
    found = summarize(CHUNKS, reasoner)
    assert [chunk.summary for chunk in found] == ["a of abc", "b of abc", "c of abc"]
    assert reasoner.to == [""]


def test_a_translation_that_comes_along_is_kept() -> None:
    found = summarize(CHUNKS, Shortening(), "de")
    assert [chunk.english for chunk in found] == ["a in de", "b in de", "c in de"]


def test_all_but_the_summary_and_its_translation_stays() -> None:
    found = summarize(CHUNKS, Shortening(), "de")
    assert tuple(replace(chunk, summary="", english="") for chunk in found) == CHUNKS


def test_a_document_without_text_has_nothing_to_summarize() -> None:
    assert summarize((), Shortening()) == ()


def test_the_syntax_reasoner_keeps_what_has_content_and_drops_noise() -> None:
    text = "Radium glows.\n\n----------\n\nhttps://example.org/radium\n\nIt is rare."
    (found,) = summarize([Chunk("d", 0, len(text), text, "en")], SyntaxReasoner())
    assert found.summary.split() == "Radium glows. It is rare.".split()
