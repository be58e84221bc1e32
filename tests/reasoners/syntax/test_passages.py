from mder.reasoners.syntax.passages import passages, words_of
from mder.records import Mention
from tests.reasoners.syntax.pages import chunk, stated

IDA = chunk("Ida Holm", "Ida Holm was born in Halden. She wrote Glass Meadow.", 0.4)
KARL = chunk("Karl Ott", "Karl Ott was a composer.", 0.9)
WROTE = stated(
    IDA, Mention("Ida Holm"), "WROTE", Mention("Glass Meadow"), "She wrote Glass Meadow."
)


def test_every_sentence_comes_once_in_the_order_of_documents_and_places() -> None:
    found = passages((KARL, IDA, WROTE))
    assert [(p.title, p.place, p.rank) for p in found] == [
        ("Karl Ott", 0, 0),
        ("Ida Holm", 0, 1),
        ("Ida Holm", 1, 1),
    ]


def test_a_sentence_that_a_triple_states_is_cited_by_the_triple() -> None:
    _, second = passages((IDA, WROTE))
    assert (second.id, [t.predicate for t in second.triples]) == (WROTE.id, ["WROTE"])


def test_words_of_one_meaning_are_one_and_empty_words_are_none() -> None:
    assert words_of("It was directed by a director") == words_of("directing")
    assert words_of("who was it") == frozenset()


def test_nothing_comes_of_nothing() -> None:
    assert passages(()) == ()
