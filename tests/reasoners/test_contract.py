"""What every Reasoner promises; a new one joins by one line in REASONERS."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from mder.reasoners.base import Reasoner
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import (
    Binding,
    Candidate,
    Chunk,
    Entity,
    EvidenceKind,
    Extraction,
    QueryTriple,
    Question,
)
from tests.reasoners import doubles

REASONERS: dict[str, Callable[[], Reasoner]] = {
    "llm": lambda: doubles.llm(doubles.sensible_model()),
    "syntax": SyntaxReasoner,
}

PLACEHOLDER = re.compile(r"[XYZ]\d*")
ASKED = Question(
    "Where was the discoverer of radium born?",
    (QueryTriple("X", "DISCOVERED", "radium"), QueryTriple("X", "WAS_BORN_IN", "Y")),
    asks="Y",
    expects="city",
)
BORN = QueryTriple("Marie Curie", "WAS_BORN_IN", "Y")
EVIDENCE = (
    replace(
        doubles.evidence(1, "Marie Curie was born in Warsaw.", "Marie Curie"),
        kind=EvidenceKind.TRIPLE,
        triple=doubles.triple("Marie Curie", "WAS_BORN_IN", "Warsaw"),
    ),
    doubles.evidence(2, "Radium is a metal.", "radium"),
)
IDS = {piece.id for piece in EVIDENCE}


@pytest.fixture(params=REASONERS)
def reasoner(request: pytest.FixtureRequest) -> Reasoner:
    return REASONERS[request.param]()


def test_it_has_a_name(reasoner: Reasoner) -> None:
    assert reasoner.name


def test_it_reads_english(reasoner: Reasoner) -> None:
    assert reasoner.reads("en")


@pytest.mark.parametrize("times", [1, 20])
def test_summaries_keep_what_the_chunks_say_and_leave_the_rest(
    reasoner: Reasoner, times: int
) -> None:
    text = f"{doubles.TEXT} " * times
    chunks = doubles.chunks(text, len(text) // 2)
    short = reasoner.summarize(chunks, "de")
    assert [replace(c, summary="", english="") for c in short] == list(chunks)
    assert all("Curie" in chunk.summary for chunk in short)


def test_text_in_the_right_language_is_not_translated(reasoner: Reasoner) -> None:
    assert reasoner.translate(doubles.TEXT, "en", "en") == doubles.TEXT


def test_who_speaks_one_language_leaves_another_as_it_is(reasoner: Reasoner) -> None:
    found = reasoner.translate("Sie wurde in Warschau geboren.", "de", "en")
    assert reasoner.multilingual or found == "Sie wurde in Warschau geboren."


def test_triples_point_at_the_text_that_states_them(reasoner: Reasoner) -> None:
    document, chunks = doubles.document(), doubles.chunks(doubles.TEXT, 32)
    triples = reasoner.extract(document, chunks).triples
    assert triples
    for triple in triples:
        (chunk,) = (c for c in chunks if c.start == triple.chunk)
        assert chunk.start <= triple.start < triple.end <= chunk.end
        assert triple.source == document.source
        assert re.fullmatch(r"[^\W_]+(_[^\W_]+)*", triple.predicate)
        assert triple.predicate == triple.predicate.upper()


def test_verified_evidence_holds_the_names(reasoner: Reasoner) -> None:
    extraction = reasoner.extract(doubles.document(), doubles.chunks())
    stated = {(t.subject.name, t.object.name): t for t in extraction.triples if t.verified}
    born = stated["Marie Curie", "Warsaw"]
    assert doubles.TEXT[born.start : born.end] == "Marie Curie was born in Warsaw."


def test_every_name_is_mentioned_once(reasoner: Reasoner) -> None:
    extraction = reasoner.extract(doubles.document(), doubles.chunks())
    names = [mention.name for mention in extraction.mentions]
    assert {"Marie Curie", "Warsaw"} <= set(names)
    assert len(names) == len(set(names))


def test_stated_alias_is_found(reasoner: Reasoner) -> None:
    text = "The European Union (EU) was founded in Maastricht. The EU grew in 2004."
    aliases = reasoner.extract(doubles.document(text), doubles.chunks(text)).aliases
    assert [(a.name, a.alias) for a in aliases] == [("European Union", "EU")]


def test_denial_is_marked_and_said(reasoner: Reasoner) -> None:
    triples = reasoner.extract(doubles.document(), doubles.chunks()).triples
    (denied,) = (t for t in triples if t.negated)
    assert "NOT" in denied.predicate


def test_nothing_comes_of_nothing(reasoner: Reasoner) -> None:
    assert reasoner.summarize((), "de") == ()
    assert reasoner.extract(doubles.document(""), ()) == Extraction()
    assert reasoner.extract(doubles.document(" "), doubles.chunks(" ")) == Extraction()
    assert reasoner.same(()) == ()
    assert reasoner.describe(()) == ()
    assert reasoner.describe([doubles.passage()]) == ((),)
    assert reasoner.reduce((), 100) == ()
    assert reasoner.reduce([(Entity("Curie"), ())], 100) == ("",)
    assert reasoner.ground(BORN, ASKED, ()) == ()


def test_empty_chunk_keeps_its_place(reasoner: Reasoner) -> None:
    chunks = (Chunk("curie.md", 0, 1, "\n", "en"), *doubles.chunks())
    assert [c.start for c in reasoner.summarize(chunks, "de")] == [0, 0]
    assert not reasoner.summarize(chunks, "de")[0].summary.strip()


def test_reading_twice_gives_the_same(reasoner: Reasoner) -> None:
    document, chunks = doubles.document(), doubles.chunks()
    assert reasoner.extract(document, chunks) == reasoner.extract(document, chunks)


@pytest.mark.parametrize("count", [1, 23])
def test_every_pair_gets_a_verdict_with_a_reason(reasoner: Reasoner, count: int) -> None:
    one = Candidate("Marie Curie", ("person",), "Marie Curie was born in Warsaw.", "a.md")
    other = Candidate("M. Curie", ("person",), "M. Curie discovered radium.", "b.md")
    verdicts = reasoner.same([(one, other)] * count)
    assert len(verdicts) == count
    assert all(verdict.reason for verdict in verdicts)


@pytest.mark.parametrize("counts", [(1,), (60,), (2, 0, 3)])
def test_every_triple_gets_a_description_in_its_place(
    reasoner: Reasoner, counts: tuple[int, ...]
) -> None:
    born = doubles.triple("Marie Curie", "WAS_BORN_IN", "Warsaw")
    passages = [doubles.passage(*[born] * count) for count in counts]
    described = reasoner.describe(passages)
    assert [len(texts) for texts in described] == list(counts)
    assert all("Warsaw" in text for texts in described for text in texts)


@pytest.mark.parametrize("limit", [60, 200, 1200])
def test_summaries_of_entities_keep_to_their_limit(reasoner: Reasoner, limit: int) -> None:
    prizes = [f"Marie Curie won prize number {n} in {1900 + n}." for n in range(400)]
    things = [(Entity("Marie Curie", ("person",)), prizes), (Entity("radium"), ["It glows."])]
    curie, radium = reasoner.reduce(things, limit)
    assert 0 < len(curie) <= limit
    assert radium.endswith("It glows.")


def test_question_comes_apart_into_triples_that_ask(reasoner: Reasoner) -> None:
    question = reasoner.decompose(ASKED.text)
    assert question.text == ASKED.text
    terms = {term for triple in question.triples for term in (triple.subject, triple.object)}
    assert PLACEHOLDER.fullmatch(question.asks)
    assert question.asks in terms
    assert "radium" in " ".join(terms)


def test_values_rest_on_evidence_best_first(reasoner: Reasoner) -> None:
    bindings = reasoner.ground(BORN, ASKED, EVIDENCE)
    assert bindings[0].value == "Warsaw"
    assert all(binding.evidence and set(binding.evidence) <= IDS for binding in bindings)
    scores = [binding.score for binding in bindings]
    assert scores == sorted(scores, reverse=True)


def test_answer_cites_evidence(reasoner: Reasoner) -> None:
    bindings = {"X": Binding("Marie Curie", 1.0), "Y": reasoner.ground(BORN, ASKED, EVIDENCE)[0]}
    reply = reasoner.answer(ASKED, bindings, EVIDENCE, "en")
    assert reply.answered
    assert "Warsaw" in reply.text
    assert reply.cited
    assert set(reply.cited) <= IDS


def test_there_is_no_answer_without_evidence(reasoner: Reasoner) -> None:
    reply = reasoner.answer(ASKED, {}, (), "en")
    assert not reply.answered
    assert reply.cited == ()


def test_what_is_recalled_cites_nothing_and_has_a_value_where_it_is_known(
    reasoner: Reasoner,
) -> None:
    reply = reasoner.recall(ASKED.text, "en")
    assert reply.text
    assert reply.cited == ()
    assert bool(reply.value) == reply.answered


def test_the_expected_answer_is_right_and_none_is_wrong(reasoner: Reasoner) -> None:
    assert reasoner.judge(ASKED.text, "Warsaw", "warsaw.")
    assert not reasoner.judge(ASKED.text, "Warsaw", "")
    assert not reasoner.judge(ASKED.text, "Warsaw", "Paris")
