from collections.abc import Sequence
from dataclasses import replace

import pytest

from mder.map import map_document
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Alias, Chunk, Document, Extraction, Mention, Triple

TEXT = "Marie Curie was born in Warsaw. *** Eine Zeile auf Deutsch."
DOCUMENT = Document("d", "Marie Curie", TEXT, "0", "en")
CHUNKS = (Chunk("d", 0, 35, TEXT[:35], "en"), Chunk("d", 36, len(TEXT), TEXT[36:], "de"))
BORN = Triple(Mention("Marie Curie"), "WAS_BORN_IN", Mention("Warsaw"), "d", 0, 0, 31)


class Told(SyntaxReasoner):
    """Extracts what it was told to, and remembers which Chunks it was shown."""

    def __init__(self, found: Extraction) -> None:
        super().__init__()
        self.found = found
        self.shown: list[Chunk] = []

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:  # noqa: ARG002
        self.shown += chunks
        return self.found


def mapped(*triples: Triple) -> tuple[Triple, ...]:
    return map_document(DOCUMENT, CHUNKS, Told(Extraction(triples))).triples


def test_only_chunks_in_a_language_that_is_read_are_mapped() -> None:
    reasoner = Told(Extraction())
    map_document(DOCUMENT, CHUNKS, reasoner)
    assert reasoner.shown == [CHUNKS[0]]


def test_where_nothing_can_be_read_nobody_is_asked() -> None:
    reasoner = Told(Extraction((BORN,)))
    assert map_document(DOCUMENT, CHUNKS[1:], reasoner) == Extraction()
    assert not reasoner.shown


def test_a_sound_triple_stays_as_it_is() -> None:
    assert mapped(BORN) == (BORN,)


@pytest.mark.parametrize(
    ("start", "end"),
    [(-1, 31), (0, 36), (20, 20), (31, 0), (36, 40), (32, 35)],
    ids=["before", "past the end", "empty", "reversed", "another chunk", "no words"],
)
def test_a_span_that_shows_no_text_of_its_chunk_is_not_verified(start: int, end: int) -> None:
    (found,) = mapped(replace(BORN, start=start, end=end))
    assert found == replace(BORN, start=start, end=end, verified=False)


def test_what_the_reasoner_did_not_verify_is_not_verified_here() -> None:
    assert mapped(replace(BORN, verified=False)) == (replace(BORN, verified=False),)


@pytest.mark.parametrize("name", ["", " ", "\n\t", "\u200b"[:0]])
def test_names_in_which_nothing_can_be_seen_are_dropped(name: str) -> None:
    blank = Mention(name)
    found = Extraction(
        (replace(BORN, subject=blank), replace(BORN, object=blank), BORN),
        (blank, Mention("Warsaw")),
        (Alias("d", name, "X"), Alias("d", "X", name), Alias("d", "X", "Y")),
    )
    kept = map_document(DOCUMENT, CHUNKS, Told(found))
    assert kept == Extraction((BORN,), (Mention("Warsaw"),), (Alias("d", "X", "Y"),))


def test_a_triple_without_a_predicate_is_dropped() -> None:
    assert mapped(replace(BORN, predicate="")) == ()


def test_a_triple_of_no_chunk_that_was_shown_is_dropped() -> None:
    assert mapped(replace(BORN, chunk=36), replace(BORN, chunk=7)) == ()


def test_chunks_that_failed_are_told() -> None:
    found = Extraction((BORN,), failed=(0,))
    assert map_document(DOCUMENT, CHUNKS, Told(found)).failed == (0,)
