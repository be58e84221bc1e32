from collections.abc import Sequence
from dataclasses import replace

from mder.enrich import enrich
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk, Document, Mention, Reading, Triple

TEXT = "One is here. Two is here. Three is here."
CHUNKS = tuple(Chunk("d", a, b, TEXT[a:b]) for a, b in ((0, 12), (13, 25), (26, 40)))
READING = Reading(Document("d", "Numbers", TEXT, "0"), CHUNKS)


class Neighbours(SyntaxReasoner):
    """Describes a triple by the texts that it was shown."""

    def describe(
        self, triples: Sequence[Triple], before: str, text: str, after: str
    ) -> tuple[str, ...]:
        return tuple(f"{before}|{text}|{after}|{t.predicate}/{len(triples)}" for t in triples)


def stated(chunk: Chunk, predicate: str = "IS") -> Triple:
    return Triple(
        Mention("One"), predicate, Mention("Two"), "d", chunk.start, chunk.start, chunk.end
    )


def test_a_chunk_is_described_with_its_neighbours() -> None:
    found = enrich(READING, [stated(chunk) for chunk in CHUNKS], Neighbours())
    one, two, three = CHUNKS
    assert [triple.description for triple in found] == [
        f"|{one.text}|{two.text}|IS/1",
        f"{one.text}|{two.text}|{three.text}|IS/1",
        f"{two.text}|{three.text}||IS/1",
    ]


def test_the_triples_of_a_chunk_are_described_together_and_in_order() -> None:
    triples = [stated(CHUNKS[1], "A"), stated(CHUNKS[1], "B")]
    found = list(enrich(READING, triples, Neighbours()))
    assert [triple.description[-3:] for triple in found] == ["A/2", "B/2"]
    assert [replace(triple, description="") for triple in found] == triples


def test_the_syntax_reasoner_describes_by_the_sentence_itself() -> None:
    (found,) = enrich(READING, [stated(CHUNKS[0])], SyntaxReasoner())
    assert found.description == "One is here."


def test_no_triple_asks_nobody() -> None:
    assert list(enrich(READING, [], Neighbours())) == []
