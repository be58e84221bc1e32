from dataclasses import replace

from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk
from mder.summarize import summarize

CHUNKS = tuple(Chunk("d", n, n + 1, text) for n, text in enumerate("abc"))


class Neighbours(SyntaxReasoner):
    """Summarizes a Chunk by the texts that it was shown."""

    def summarize(self, chunk: Chunk, before: str, after: str) -> str:
        return f"{before}[{chunk.text}]{after}"


def test_each_chunk_is_seen_between_the_originals_of_its_neighbours() -> None:
    found = summarize(CHUNKS, Neighbours())
    assert [chunk.summary for chunk in found] == ["[a]b", "a[b]c", "b[c]"]


def test_the_original_stays_beside_the_summary() -> None:
    found = summarize(CHUNKS, Neighbours())
    assert tuple(replace(chunk, summary="") for chunk in found) == CHUNKS


def test_a_document_without_text_has_nothing_to_summarize() -> None:
    assert summarize((), Neighbours()) == ()


def test_the_syntax_reasoner_keeps_what_has_content_and_drops_noise() -> None:
    text = "Radium glows.\n\n----------\n\nhttps://example.org/radium\n\nIt is rare."
    (found,) = summarize([Chunk("d", 0, len(text), text, "en")], SyntaxReasoner())
    assert found.summary.split() == "Radium glows. It is rare.".split()
