from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.models.base import Message
from mder.models.ledger import Ledger
from mder.models.tokens import estimate
from mder.reasoners.base import Passage
from mder.reasoners.llm.batches import Size
from mder.records import Candidate, Entity, Triple, Verdict
from tests.reasoners.doubles import (
    Drawer,
    Recorder,
    data,
    llm,
    numbers,
    passage,
    scripted,
    triple,
)

CURIE = Candidate("Marie Curie", ("person",), "Marie Curie was born in Warsaw.")
OTHER = Candidate("M. Curie", (), "M. Curie\nfound radium.")
BORN = triple("Curie", "WAS_BORN_IN", "Warsaw")
DATED = triple("Curie", "WAS_BORN_ON", "7 November")
FOUND = triple("Curie", "FOUND", "radium", 32, 62)


def told(field: str, text: str = "Text {}.") -> Recorder:
    """Return a model that answers every number with a text."""

    def answer(messages: Sequence[Message]) -> dict[str, Any]:
        return {field: [{"number": n, "text": text.format(n)} for n in numbers(messages)]}

    return Recorder(answer)


def items(model: Recorder) -> list[str]:
    return [data(asked, "items") for asked in model.asked]


def test_pair_is_shown_with_types_and_contexts_on_two_lines() -> None:
    model = scripted({"verdicts": [{"number": 1, "same": True, "reason": " initials "}]})
    assert llm(model).same([(CURIE, OTHER)]) == (Verdict(same=True, reason="initials"),)
    assert items(model) == [
        "[1] Marie Curie (person): Marie Curie was born in Warsaw.\n"
        "  M. Curie (type unknown): M. Curie found radium."
    ]


def test_missing_verdict_means_not_the_same() -> None:
    replies = [[2, 9], [], []]
    model = scripted(
        *({"verdicts": [{"number": n, "same": True} for n in given]} for given in replies)
    )
    drawer = Drawer()
    pairs = [(CURIE, replace(OTHER, name=name)) for name in "abc"]
    none = Verdict(same=False, reason="the model gave no verdict")
    found = llm(model, drawer).same(pairs)
    assert found == (none, Verdict(same=True, reason="the model says so"), none)
    assert [failure.about for failure in drawer.failures] == [
        "verdict on 'Marie Curie' and 'a'",
        "verdict on 'Marie Curie' and 'c'",
    ]


def test_long_contexts_are_shown_in_part() -> None:
    model = scripted({"verdicts": [{"number": 1, "same": False, "reason": "no"}]})
    llm(model).same([(replace(CURIE, context="word " * 900), OTHER)])
    assert len(model.shown[0]) < 400


@pytest.mark.parametrize(("size", "calls"), [(Size(), 3), (Size(things=4), 6), (Size(1), 23)])
def test_so_many_pairs_are_asked_for_at_once(size: Size, calls: int) -> None:
    def answer(messages: Sequence[Message]) -> dict[str, Any]:
        return {"verdicts": [{"number": n, "same": True} for n in numbers(messages)]}

    model = Recorder(answer)
    pairs = [(CURIE, replace(OTHER, name=f"Curie {n}")) for n in range(23)]
    assert all(verdict.same for verdict in llm(model, size=size).same(pairs))
    assert len(model.asked) == calls


def test_what_one_sentence_states_is_described_together() -> None:
    model = told("descriptions")
    assert llm(model).describe([passage(BORN, FOUND, DATED)]) == (
        ("Text 1.", "Text 2.", "Text 1."),
    )
    assert items(model) == [
        "[1] Curie: was born in Warsaw, was born on 7 November\n[2] Curie: found radium"
    ]


def test_each_triple_may_be_described_by_itself() -> None:
    model = told("descriptions")
    llm(model, size=Size(1)).describe([passage(BORN, DATED)])
    assert items(model) == ["[1] Curie: was born in Warsaw", "[1] Curie: was born on 7 November"]


def test_missing_description_is_put_in_plain_words() -> None:
    first = {"descriptions": [{"number": 2, "text": "She found it\nin 1898."}]}
    described = llm(scripted(first, "no")).describe([passage(BORN, FOUND)])
    assert described == (("Curie was born in Warsaw.", "She found it in 1898."),)


def test_empty_description_is_none_and_never_kept() -> None:
    model = scripted({"descriptions": [{"number": 1, "text": " "}]})
    drawer = Drawer()
    assert llm(model, drawer).describe([passage(BORN)]) == (("Curie was born in Warsaw.",),)
    assert len(model.asked) == 2
    assert drawer.kept == {}
    assert [failure.problem for failure in drawer.failures] == ["a description is empty"]


def test_description_that_speaks_of_the_examples_is_refused() -> None:
    echo = "Zorblax Quimby led the Quennibar Institute in 1312, until its roof fell in."
    model = told("descriptions", echo)
    drawer = Drawer()
    assert llm(model, drawer).describe([passage(BORN)]) == (("Curie was born in Warsaw.",),)
    assert "Zorblax Quimby is a name of the examples" in drawer.failures[0].problem


def test_index_language_is_asked_for() -> None:
    model = told("descriptions")
    llm(model, language="fr").describe([passage(BORN)])
    assert "Language: French" in model.shown[0]


def test_passage_with_neighbours_is_asked_about_alone_and_shown_beside_them() -> None:
    model = told("descriptions")
    near = passage(BORN, before="b" * 2000, after="After.")
    llm(model).describe([near, passage(FOUND, text="Alone.")])
    assert [data(asked, "before") for asked in model.asked] == ["b" * 800, ""]
    assert [data(asked, "after") for asked in model.asked] == ["After.", ""]


def whole(number: int, length: int = 300) -> Passage:
    """Return a Document of one passage."""
    found = replace(FOUND, source=f"{number}.md")
    return passage(found, text=f"{number} ".ljust(length, "x"))


def test_short_documents_are_described_together() -> None:
    model = told("descriptions", "It is {}.")
    described = llm(model).describe([whole(n) for n in range(12)])
    assert len(model.asked) == 3
    assert described[0] == described[5] == ("It is 1.",)
    assert all(data(asked).count("x") < 1600 for asked in model.asked)


def test_documents_described_together_are_known_again_apart() -> None:
    drawer, model, again = Drawer(), told("descriptions"), told("descriptions")
    described = llm(model, drawer).describe([whole(n) for n in range(4)])
    assert llm(again, drawer).describe([whole(2)]) == described[2:3]
    assert again.asked == []
    llm(again, drawer).describe([whole(2), whole(7)])
    assert [data(asked) for asked in again.asked] == [whole(7).text]


def test_many_triples_of_one_passage_take_several_requests() -> None:
    triples = [triple("Curie", "FOUND", f"salt {n}", n, n + 1) for n in range(60)]
    model = told("descriptions")
    llm(model).describe([passage(*triples)])
    assert [len(numbers(asked)) for asked in model.asked] == [25, 25, 10]


def test_descriptions_have_the_marks_of_tags_of_their_passage() -> None:
    model = told("descriptions", "The \u2039b> of Box\u2039Item>.")
    made = passage(triple("Box<Item>", "HAS", "a <b>"), text="The Box<Item> has a <b>.")
    assert llm(model).describe([made]) == (("The <b> of Box<Item>.",),)


LONG = tuple(f"Curie did thing number {n} in {1900 + n} with all her strength." for n in range(30))


def reduced(
    model: Recorder,
    *known: Sequence[str],
    limit: int = 1200,
    size: Size | None = None,
    kind: str = "",
) -> tuple[str, ...]:
    types = (kind,) if kind else ()
    things = [(Entity(f"Thing {n}", types), texts) for n, texts in enumerate(known)]
    return llm(model, size=size).reduce(things, limit)


@pytest.mark.parametrize(
    ("known", "summary"),
    [
        (["She won.", " "], "She won."),
        (["She won.", "She won."], "She won."),
        (["She won.", "She left."], "She won. She left."),
        ([], ""),
        ([" "], ""),
    ],
)
def test_what_is_short_together_is_the_summary(known: Sequence[str], summary: str) -> None:
    model = scripted("never")
    assert reduced(model, known, kind="person") == (summary,)
    assert model.asked == []


def test_more_is_reduced_by_the_model_several_things_at_once() -> None:
    model = told("entries", "Entry {}.")
    assert reduced(model, LONG, ["She won."], LONG[::-1]) == ("Entry 1.", "She won.", "Entry 2.")
    (asked,) = model.asked
    assert "At most 1200 characters" in asked[1].content
    assert data(asked, "items").startswith(f"[1] Thing 0\n- {LONG[0]}\n- {LONG[1]}")


def test_thing_is_shown_with_its_types() -> None:
    model = told("entries")
    reduced(model, LONG, kind="person")
    assert items(model)[0].startswith("[1] Thing 0 (person)\n")


@pytest.mark.parametrize("kind", ["date", "amount"])
def test_value_is_never_reduced_by_a_model(kind: str) -> None:
    model = scripted("never")
    (summary,) = reduced(model, LONG, kind=kind)
    assert summary.startswith(LONG[0])
    assert len(summary) <= Size().own_summary
    assert model.asked == []


def test_entry_that_is_too_long_is_cut_between_sentences() -> None:
    model = told("entries", "She won. She left. She died.")
    assert reduced(model, LONG, limit=20) == ("She won. She left.",)


@pytest.mark.parametrize("text", ["", "Zorblax Quimby won."])
def test_missing_entry_falls_back_on_what_is_known(text: str) -> None:
    (summary,) = reduced(told("entries", text), LONG, limit=200)
    assert summary == " ".join(LONG[:3])


@pytest.mark.parametrize("word", ["word ", "都市"])
def test_hub_is_reduced_in_rounds_under_a_cap_in_tokens(word: str) -> None:
    model, ledger = told("entries", "A part."), Ledger()
    known = [f"{n} {word * 100}" for n in range(100)]
    talk = llm(model, ledger=ledger)
    assert talk.reduce([(Entity("Hub"), known)], 1200) == ("A part.",)
    assert all(estimate(shown) < 1800 for shown in model.shown)
    asked_for = sum(map(estimate, known))
    assert asked_for / 1500 < ledger.total.calls == len(model.asked) < asked_for / 1000 + 2


def test_rounds_come_to_an_end() -> None:
    known = [f"{n} {'word ' * 200}" for n in range(300)]
    (summary,) = reduced(told("entries", "word " * 239), known)
    assert 0 < len(summary) <= 1200


@given(
    st.lists(st.lists(st.text("ab. ", max_size=400), max_size=6), max_size=5),
    st.integers(10, 1500),
    st.sampled_from([Size(), Size(1), Size(3, 100)]),
    st.text("xy. \n", max_size=60),
)
def test_summaries_keep_to_their_limit_whatever_a_model_says(
    known: list[list[str]], limit: int, size: Size, said: str
) -> None:
    found = reduced(told("entries", said), *known, limit=limit, size=size)
    assert len(found) == len(known)
    assert all(len(summary) <= limit for summary in found)
    for texts, summary in zip(known, found, strict=True):
        assert bool(summary.strip()) <= any(text.strip() for text in texts)


TRIPLES = st.builds(
    lambda subject, start: triple(subject, "IS", "x", start, start + 1),
    st.sampled_from("abc"),
    st.integers(0, 4),
)
PASSAGES = st.builds(
    lambda triples, text, before: passage(*triples, text=text, before=before),
    st.lists(TRIPLES, max_size=5),
    st.sampled_from(["one", "two", "x" * 900]),
    st.sampled_from(["", "", "before"]),
)


@given(st.lists(PASSAGES, max_size=6), st.sampled_from([Size(), Size(1)]))
def test_every_triple_is_described_once_in_its_place(passages: list[Passage], size: Size) -> None:
    def answer(messages: Sequence[Message]) -> dict[str, Any]:
        lines = data(messages, "items").splitlines()
        texts = [line.split("] ", 1)[1] for line in lines]
        return {"descriptions": [{"number": n, "text": t} for n, t in enumerate(texts, 1)]}

    def about(one: Triple, text: str) -> bool:
        return f"{one.subject.name}: is x" in text

    described = llm(Recorder(answer), size=size).describe(passages)
    for given_passage, texts in zip(passages, described, strict=True):
        assert all(map(about, given_passage.triples, texts))
        assert len(texts) == len(given_passage.triples)
