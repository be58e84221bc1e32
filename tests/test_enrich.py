from collections.abc import Sequence
from dataclasses import replace

from mder.enrich import enrich, passages
from mder.reasoners.base import Passage, Reasoner
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk, Document, Mention, Reading, Triple

TEXT = "One is here. Two is here. Three is here."
CHUNKS = tuple(Chunk("d", a, b, TEXT[a:b]) for a, b in ((0, 12), (13, 25), (26, 40)))
READING = Reading(Document("d", "Numbers", TEXT, "0"), CHUNKS)


class Neighbours(SyntaxReasoner):
    """Describes a triple by the texts that it was shown, and by how many passages there were."""

    def describe(self, passages: Sequence[Passage]) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(
                f"{p.before}|{p.text}|{p.after}|{t.predicate}/{len(p.triples)}" for t in p.triples
            )
            for p in passages
        )


def stated(chunk: Chunk, predicate: str = "IS") -> Triple:
    return Triple(
        Mention("One"), predicate, Mention("Two"), "d", chunk.start, chunk.start, chunk.end
    )


def described(triples: Sequence[Triple], reasoner: Reasoner) -> list[Triple]:
    return list(enrich(list(passages(READING, triples)), reasoner))


def test_a_chunk_is_described_with_its_neighbours() -> None:
    found = described([stated(chunk) for chunk in CHUNKS], Neighbours())
    one, two, three = CHUNKS
    assert [triple.description for triple in found] == [
        f"|{one.text}|{two.text}|IS/1",
        f"{one.text}|{two.text}|{three.text}|IS/1",
        f"{two.text}|{three.text}||IS/1",
    ]


def test_the_triples_of_a_chunk_are_one_passage_in_their_order() -> None:
    triples = [stated(CHUNKS[0]), stated(CHUNKS[1], "A"), stated(CHUNKS[1], "B")]
    assert [p.triples for p in passages(READING, triples)] == [(triples[0],), tuple(triples[1:])]
    found = described(triples, Neighbours())
    assert [triple.description[-3:] for triple in found] == ["S/1", "A/2", "B/2"]
    assert [replace(triple, description="") for triple in found] == triples


def test_chunks_without_triples_are_neighbours_all_the_same() -> None:
    (passage,) = passages(READING, [stated(CHUNKS[2])])
    assert (passage.before, passage.after) == (CHUNKS[1].text, "")


def test_the_syntax_reasoner_describes_by_the_sentence_itself() -> None:
    (found,) = described([stated(CHUNKS[0])], SyntaxReasoner())
    assert found.description == "One is here."


def test_no_triple_gives_no_passage() -> None:
    assert list(passages(READING, [])) == []
    assert described([], Neighbours()) == []


def test_what_is_not_verified_is_put_in_plain_words_and_in_its_place() -> None:
    doubtful = replace(stated(CHUNKS[0], "WAS_NOT"), verified=False)
    triples = [doubtful, stated(CHUNKS[0]), doubtful]
    found = described(triples, Neighbours())
    assert [t.description for t in found] == [
        "One was not Two.",
        f"|{CHUNKS[0].text}|{CHUNKS[1].text}|IS/1",
        "One was not Two.",
    ]
