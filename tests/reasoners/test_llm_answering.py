from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.errors import ReplyError
from mder.models.ledger import Ledger
from mder.reasoners.llm import LlmReasoner
from mder.reasoners.llm.answering import cited
from mder.records import Binding, Kind, QueryTriple, Question, Reply
from tests.reasoners.doubles import Drawer, Recorder, Say, evidence, llm, scripted

QUESTION = Question("Where was Curie born?", (QueryTriple("Curie", "WAS_BORN_IN", "X"),), "X")
PIECES = [evidence(1, "Curie was born in Warsaw."), evidence(2, "She lived in Paris.")]
NONE = "The graph does not hold an answer to this question."


def asked(**more: object) -> dict[str, Any]:
    triple = {"subject": "Curie", "predicate": "born in", "object": "?x"}
    return {"triples": [triple], "asks": "X", **more}


def decompose(*replies: Say) -> Question:
    return llm(scripted(*replies)).decompose(QUESTION.text)


def test_placeholders_are_taken_in_any_dress() -> None:
    question = decompose(asked(asks="<X>", expects="City"))
    assert question.triples == (QueryTriple("Curie", "BORN_IN", "X"),)
    assert (question.asks, question.expects, question.kind) == ("X", "city", Kind.ENTITY)


def test_only_placeholder_is_what_is_asked_for() -> None:
    assert decompose(asked(asks="the place")).asks == "X"


def test_comparison_keeps_its_options_and_order() -> None:
    question = decompose(asked(kind="comparison", options=["A", "B", "A", " "], order="least"))
    assert (question.kind, question.options, question.order) == (
        Kind.COMPARISON,
        ("A", "B"),
        "least",
    )


@pytest.mark.parametrize(
    "reply",
    [
        {"triples": []},
        asked(kind="comparison", options=["A"]),
        {"triples": [{"subject": "Curie", "predicate": "", "object": "X"}], "asks": "X"},
        {"triples": [{"subject": "PERSON", "predicate": "P", "object": "B"}], "asks": "PERSON"},
        {"triples": [{"subject": "X", "predicate": "WROTE", "object": "The Brass Otterly"}]},
    ],
)
def test_question_that_did_not_come_apart_is_asked_for_again(reply: dict[str, Any]) -> None:
    assert decompose(reply, asked()).asks == "X"
    with pytest.raises(ReplyError):
        decompose(reply)


def ground(*values: tuple[str, list[int]]) -> tuple[Binding, ...]:
    reply = {"values": [{"value": value, "evidence": numbers} for value, numbers in values]}
    return llm(scripted(reply)).ground(QUESTION.triples[0], QUESTION, PIECES)


def test_values_carry_the_ids_of_their_evidence() -> None:
    (binding,) = ground(("Warsaw", [1, 7, 1]))
    assert binding == Binding("Warsaw", 1.0, ("https://example.org/1",))


def test_value_is_looked_for_where_its_number_is_wrong() -> None:
    assert ground(("paris", [9]))[0].evidence == ("https://example.org/2",)


def test_values_from_elsewhere_are_dropped_and_doubles_joined() -> None:
    bindings = ground(("London", [1]), ("Warsaw", [1]), ("warsaw ", [1]), ("Paris", [2]))
    assert [(b.value, b.score) for b in bindings] == [("Warsaw", 1.0), ("Paris", 0.5)]


def test_no_value_is_an_answer() -> None:
    assert ground() == ()


def test_what_relates_two_known_ends_is_found_without_a_request() -> None:
    model, known = scripted("never"), QueryTriple("Curie", "WAS_BORN_IN", "Warsaw")
    (binding,) = llm(model).ground(known, QUESTION, PIECES)
    assert binding == Binding("Warsaw", 1.0, ("https://example.org/1",))
    assert model.asked == []


def answer(text: str, citations: Sequence[int], *, answered: bool = True) -> Reply:
    model = scripted({"answered": answered, "text": text, "citations": list(citations)})
    bindings = {"X": Binding("Warsaw", 1.0, ("https://example.org/2",))}
    return llm(model).answer(QUESTION, bindings, PIECES, "en")


def test_citations_become_ids_and_unknown_ones_fall_away() -> None:
    assert answer("Warsaw.", [1, 0, 3, -1, 1]).cited == ("https://example.org/1",)


def test_numbers_in_the_text_are_citations() -> None:
    reply = answer("Warsaw [2], in Poland [1, 2].", [])
    assert reply.text == "Warsaw, in Poland."
    assert set(reply.cited) == {"https://example.org/1", "https://example.org/2"}


def test_answer_without_citations_rests_on_its_bindings() -> None:
    assert answer("Warsaw.", []).cited == ("https://example.org/2",)


def test_answer_that_rests_on_nothing_is_none() -> None:
    model = scripted({"answered": True, "text": "Paris.", "citations": []})
    reply = llm(model).answer(QUESTION, {}, [evidence(1, "Radium glows.")], "en")
    assert reply == Reply(NONE, answered=False, guess="Paris")


def test_the_answer_alone_is_what_a_reply_begins_with() -> None:
    assert answer("St. Louis. She was born there.", [1]).value == "St. Louis"


def test_lack_of_support_is_told_in_the_words_of_the_model() -> None:
    reply = answer("Her birthplace is missing.", [1], answered=False)
    assert reply == Reply("Her birthplace is missing.", answered=False)


def test_values_found_and_language_are_shown() -> None:
    model = scripted({"answered": True, "text": "Warschau.", "citations": [1]})
    llm(model).answer(QUESTION, {"X": Binding("Warsaw", 1.0)}, PIECES, "de")
    llm(model).answer(QUESTION, {}, PIECES, "de")
    assert "X = Warsaw" in model.shown[0]
    assert "nothing" in model.shown[1]
    assert "write in: German" in model.shown[0]


def test_evidence_stays_within_what_a_context_takes() -> None:
    model = scripted({"answered": True, "text": "Warsaw.", "citations": [1]})
    pieces = [evidence(n, "word " * 2000) for n in range(1, 60)]
    llm(model).answer(QUESTION, {}, pieces, "en")
    assert len(model.shown[0]) < 30_000


def test_how_the_graph_led_to_evidence_is_shown_with_it() -> None:
    model = scripted({"answered": True, "text": "Warsaw.", "citations": [1]})
    piece = replace(evidence(1, "It is a city."), title="Warsaw", path=("Radium", "Marie Curie"))
    llm(model).answer(QUESTION, {}, (piece,), "en")
    assert "[1] (Warsaw; found by way of Radium → Marie Curie) It is a city." in model.shown[0]


def test_what_a_model_recalls_rests_on_nothing_and_may_be_nothing() -> None:
    model = scripted(
        {"answered": True, "text": "Warsaw. She was born there."},
        {"answered": False, "text": "I do not know."},
        {"answered": True, "text": " "},
    )
    replies = [llm(model).recall("Where?", "de") for _ in range(3)]
    assert replies[0] == Reply("Warsaw. She was born there.", value="Warsaw")
    assert replies[1] == Reply("I do not know.", answered=False)
    assert replies[2] == Reply("The model does not know.", answered=False)
    assert "write in: German" in model.shown[0]


def test_verdict_on_an_answer_is_the_models_unless_the_words_settle_it() -> None:
    model = scripted({"correct": True})
    assert llm(model).judge("Where?", "Warsaw", "Warszawa")
    assert llm(model).judge("Where?", "Warsaw", "WARSAW.")
    assert not llm(model).judge("Where?", "Warsaw", " ")
    assert model.acts == {"judge": 1}


ASKING: dict[str, Callable[[LlmReasoner], object]] = {
    "decompose": lambda reasoner: reasoner.decompose("Where?"),
    "ground": lambda reasoner: reasoner.ground(QUESTION.triples[0], QUESTION, PIECES),
    "answer": lambda reasoner: reasoner.answer(QUESTION, {}, PIECES, "en"),
    "recall": lambda reasoner: reasoner.recall("Where?", "en"),
    "judge": lambda reasoner: reasoner.judge("Where?", "Warsaw", "Paris"),
}


@pytest.mark.parametrize("act", ASKING)
def test_asking_raises_where_no_reply_can_be_used(act: str) -> None:
    drawer, ledger = Drawer(), Ledger()
    reasoner = llm(scripted("no"), drawer, ledger=ledger)
    with pytest.raises(ReplyError, match=f"no usable reply to '{act}'"):
        ASKING[act](reasoner)
    assert len(drawer.failures) == ledger.total.failed == 1


@given(st.lists(st.integers(-3, 9)), st.integers(0, 4))
def test_only_numbers_that_were_shown_are_cited(numbers: list[int], count: int) -> None:
    pieces = [evidence(n, "x") for n in range(1, count + 1)]
    ids = cited(numbers, pieces)
    assert set(ids) == {pieces[n - 1].id for n in numbers if 1 <= n <= count}
    assert len(ids) == len(set(ids))


@given(st.text(), st.lists(st.integers(-2, 5), max_size=4), st.booleans())
def test_answer_has_evidence_or_is_none(text: str, citations: list[int], answered: bool) -> None:
    reply = answer(text, citations, answered=answered)
    assert reply.answered == bool(reply.cited)
    assert reply.text


SAID = st.text("XYZ1?<>Curie _", max_size=5)


@given(
    st.lists(st.tuples(SAID, SAID, SAID), max_size=3),
    SAID,
    st.sampled_from(["entity", "yes_no", "comparison"]),
    st.lists(SAID, max_size=3),
    st.sampled_from(["", "least", "most", "same"]),
)
def test_any_decomposition_asks_for_what_it_has_or_is_refused(
    triples: list[tuple[str, str, str]], asks: str, kind: str, options: list[str], order: str
) -> None:
    told = [{"subject": s, "predicate": p, "object": o} for s, p, o in triples]
    reply = {"triples": told, "asks": asks, "kind": kind, "options": options, "order": order}
    model = Recorder(lambda _: reply)
    try:
        question = llm(model).decompose("Where?")
    except ReplyError:
        return
    placeholders = {name for triple in question.triples for name in triple.placeholders}
    assert question.triples
    assert question.asks in {"", *placeholders}
    assert question.asks or question.kind is not Kind.ENTITY
