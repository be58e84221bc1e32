import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.errors import BudgetError, ModelError, TooLongError
from mder.models.base import Message
from mder.models.ledger import Budget, Ledger, Spent
from mder.reasoners.llm.acts import REDUCE
from mder.reasoners.llm.conversation import Conversation, Topic
from mder.reasoners.llm.many import Things, ask_each
from mder.reasoners.llm.shapes import NumberedText
from tests.reasoners.doubles import Drawer, Recorder, Say, cut, data, numbers, scripted, talk

BAD = "bad"


def use(_place: int, entry: NumberedText) -> str:
    if entry.text == BAD:
        raise ValueError("an entry is bad")
    return entry.text


def by(size: int) -> Callable[[Sequence[int]], Iterator[Sequence[int]]]:
    return lambda places: (places[at : at + size] for at in range(0, len(places), size))


def ask(conversation: Conversation, *items: str, size: int = 10) -> list[str | None]:
    things = Things(items, [Topic(f"entry of {item}", "a.md") for item in items])
    return ask_each(conversation, REDUCE, things, use, by(size), limit="9", language="English")


def entries(*texts: str | None) -> dict[str, Any]:
    """Return a reply with these entries; None leaves a number out."""
    told = [(number, text) for number, text in enumerate(texts, 1) if text is not None]
    return {"entries": [{"number": number, "text": text} for number, text in told]}


def shouted(messages: Sequence[Message]) -> dict[str, Any]:
    """Answer each item by its words in capitals."""
    lines = data(messages, "items").splitlines()
    return entries(*(line.split("] ", 1)[1].upper() for line in lines))


def shouting() -> Recorder:
    return Recorder(shouted)


def test_many_things_take_one_request_a_batch() -> None:
    model, ledger = shouting(), Ledger()
    assert ask(talk(model, ledger=ledger), *"abcde", size=2) == list("ABCDE")
    assert [numbers(messages) for messages in model.asked] == [[1, 2], [1, 2], [1]]
    assert (ledger.total.asked, ledger.total.calls, ledger.total.cached) == (5, 3, 0)


def test_nothing_is_asked_for_nothing() -> None:
    model = shouting()
    assert ask(talk(model)) == []
    assert model.asked == []


def test_answer_is_known_again_whatever_it_was_asked_beside() -> None:
    drawer, model, ledger = Drawer(), shouting(), Ledger()
    ask(talk(model, drawer), *"abc")
    assert ask(talk(model, drawer), *"cxa") == list("CXA")
    assert ask(talk(model, drawer, ledger), "b", "x", size=1) == list("BX")
    assert [data(messages, "items") for messages in model.asked] == [
        "[1] a\n[2] b\n[3] c",
        "[1] x",
    ]
    assert ledger.total == Spent(asked=2, cached=2)


def test_answer_asked_for_alone_serves_a_batch_and_the_other_way_round() -> None:
    apart, together = Drawer(), Drawer()
    ask(talk(shouting(), apart), *"abc", size=1)
    ask(talk(shouting(), together), *"abc", size=3)
    assert apart.kept == together.kept


def test_what_a_reply_passes_over_is_asked_for_again_without_the_rest() -> None:
    model = scripted(entries("A", None, "C", None), entries("B", "D"))
    assert ask(talk(model), *"abcd") == list("ABCD")
    assert [data(messages, "items") for messages in model.asked][1] == "[1] b\n[2] d"
    assert len(model.asked[1]) == 2


def never(*names: str) -> Recorder:
    """Return a model that passes over some items always."""

    def answer(messages: Sequence[Message]) -> Say:
        lines = [line.split("] ", 1)[1] for line in data(messages, "items").splitlines()]
        return entries(*(None if line in names else line.upper() for line in lines))

    return Recorder(answer)


def test_what_stays_missing_fails_alone(caplog: pytest.LogCaptureFixture) -> None:
    drawer, ledger, model = Drawer(), Ledger(), never("b", "c")
    with caplog.at_level(logging.WARNING):
        assert ask(talk(model, drawer, ledger), *"abc") == ["A", None, None]
    asked = [numbers(messages) for messages in model.asked]
    assert asked == [[1, 2, 3], [1, 2], [1, 2], [1], [1]]
    assert "it has none of the numbers 1, 2" in model.asked[2][-1].content
    assert [failure.about for failure in drawer.failures] == ["entry of b", "entry of c"]
    assert ledger.total.failed == 2
    assert len(caplog.messages) == 2


def test_a_batch_of_no_use_is_asked_for_in_halves() -> None:
    def one_by_one(messages: Sequence[Message]) -> Say:
        items = data(messages, "items").splitlines()
        return entries("X") if len(items) == 1 else "no"

    drawer, model = Drawer(), Recorder(one_by_one)
    assert ask(talk(model, drawer), *"abcd") == list("XXXX")
    assert drawer.failures == []


def test_a_model_of_no_use_is_not_asked_for_every_thing() -> None:
    drawer, ledger, model = Drawer(), Ledger(), Recorder(lambda _: "no")
    assert ask(talk(model, drawer, ledger), *"abcdefgh") == [None] * 8
    assert [len(numbers(messages)) for messages in model.asked] == [8, 8, 4, 4, 2, 2, 1, 1]
    assert ledger.total.failed == len(drawer.failures) == 8


def test_only_what_failed_is_asked_for_in_the_next_run() -> None:
    drawer = Drawer()
    ask(talk(never("b"), drawer), *"abc")
    model = shouting()
    assert ask(talk(model, drawer), *"abc") == list("ABC")
    assert [data(messages, "items") for messages in model.asked] == ["[1] b"]
    assert drawer.failures == []


def test_answer_that_cannot_be_used_is_shown_back_and_never_kept() -> None:
    drawer = Drawer()
    model = scripted(entries(BAD), entries("A"))
    assert ask(talk(model, drawer), "a") == ["A"]
    assert "an entry is bad" in model.asked[1][-1].content
    assert [BAD in text for text in drawer.kept.values()] == [False]


def test_numbers_that_were_not_asked_for_are_passed_over() -> None:
    model = scripted({"entries": [{"number": n, "text": f"{n}"} for n in (0, 1, 2, 3, -1)]})
    assert ask(talk(model), *"ab") == ["1", "2"]


def test_useless_replies_cost_only_their_batch() -> None:
    def answer(messages: Sequence[Message]) -> Say:
        return "no" if "[1] a" in messages[1].content else shouted(messages)

    drawer = Drawer()
    assert ask(talk(Recorder(answer), drawer), *"abcd", size=2) == [None, None, "C", "D"]
    assert len(drawer.failures) == 2


@pytest.mark.parametrize("reply", [TooLongError("the prompt is too long"), cut("{}")])
def test_batch_that_is_too_long_is_halved_until_it_fits(reply: Say) -> None:
    def answer(messages: Sequence[Message]) -> Say:
        return reply if len(numbers(messages)) > 2 else shouted(messages)

    drawer, model, ledger = Drawer(), Recorder(answer), Ledger()
    assert ask(talk(model, drawer, ledger), *"abcdefgh") == list("ABCDEFGH")
    assert [len(numbers(messages)) for messages in model.asked] == [8, 4, 2, 2, 4, 2, 2]
    assert drawer.failures == []
    assert ledger.total.failed == 0


def test_thing_that_is_too_long_alone_fails_alone() -> None:
    def answer(messages: Sequence[Message]) -> Say:
        return TooLongError("too long") if "huge" in messages[1].content else shouted(messages)

    drawer, ledger = Drawer(), Ledger()
    found = ask(talk(Recorder(answer), drawer, ledger), "a", "huge", "c")
    assert found == ["A", None, "C"]
    assert [failure.about for failure in drawer.failures] == ["entry of huge"]
    assert ledger.total.failed == 1


@pytest.mark.parametrize(
    "second",
    [
        ModelError("busy", retryable=True),
        TooLongError("the prompt is too long"),
        cut('{"entries": []}'),
        "no",
    ],
)
def test_first_answers_are_used_whatever_becomes_of_the_second_request(second: Say) -> None:
    drawer, ledger = Drawer(), Ledger()
    model = scripted(entries("A", None), second)
    assert ask(talk(model, drawer, ledger), *"ab") == ["A", None]
    assert [failure.about for failure in drawer.failures] == ["entry of b"]
    assert (ledger.total.failed, len(drawer.kept)) == (1, 1)


def test_missing_server_ends_it_and_what_came_before_is_kept() -> None:
    drawer = Drawer()
    model = scripted(entries("A", "B"), ModelError("no server"))
    with pytest.raises(ModelError, match="no server"):
        ask(talk(model, drawer), *"abcd", size=2)
    again = shouting()
    assert ask(talk(again, drawer), *"abcd", size=2) == list("ABCD")
    assert [data(messages, "items") for messages in again.asked] == ["[1] c\n[2] d"]


def test_spent_budget_ends_it_and_is_no_failure() -> None:
    drawer, ledger = Drawer(), Ledger(Budget(max_tokens=900))
    model = shouting()
    with pytest.raises(BudgetError):
        ask(talk(model, drawer, ledger), *(f"{n} {'word ' * 20}" for n in range(99)), size=1)
    assert model.asked
    assert drawer.failures == []
    assert len(drawer.kept) == len(model.asked)


def test_batches_may_be_asked_for_at_once() -> None:
    def each(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterable[Any]:
        with ThreadPoolExecutor(4) as pool:
            return list(pool.map(function, items))

    drawer, ledger = Drawer(), Ledger()
    conversation = Conversation(shouting(), ledger, drawer, each)
    items = [f"item {n}" for n in range(50)]
    assert ask(conversation, *items, size=3) == [item.upper() for item in items]
    assert (ledger.total.asked, ledger.total.calls) == (50, 17)


def test_same_thing_is_asked_for_once() -> None:
    model, ledger = shouting(), Ledger()
    assert ask(talk(model, ledger=ledger), *"abab", size=3) == list("ABAB")
    assert [data(messages, "items") for messages in model.asked] == ["[1] a\n[2] b"]
    assert ledger.total.asked == 2


def test_same_thing_that_several_ask_for_at_once_is_asked_for_once() -> None:
    def slow(messages: Sequence[Message]) -> Say:
        sleep(0.05)
        return shouted(messages)

    model, ledger = Recorder(slow), Ledger()
    conversation = talk(model, ledger=ledger)
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda items: ask(conversation, *items), ["abc", "cda", "bd"]))
    assert ["".join(map(str, texts)) for texts in found] == ["ABC", "CDA", "BD"]
    told = " ".join(data(messages, "items") for messages in model.asked)
    assert sorted(re.findall(r"\b[a-d]\b", told)) == list("abcd")
    assert (ledger.total.asked, ledger.total.cached) == (8, 4)


@given(
    st.lists(st.text("abc", min_size=1), unique=True, max_size=8),
    st.integers(1, 5),
    st.sets(st.integers(0, 20)),
)
def test_every_thing_is_answered_in_its_place_or_recorded(
    items: list[str], size: int, left_out: set[int]
) -> None:
    calls = 0

    def answer(messages: Sequence[Message]) -> Say:
        nonlocal calls
        calls += 1
        told = shouted(messages)["entries"]
        return {"entries": [e for e in told if e["number"] * calls not in left_out]}

    drawer, ledger = Drawer(), Ledger()
    found = ask(talk(Recorder(answer), drawer, ledger), *items, size=size)
    assert all(text in (None, item.upper()) for item, text in zip(items, found, strict=True))
    lost = {f"entry of {item}" for item, text in zip(items, found, strict=True) if text is None}
    assert {failure.about for failure in drawer.failures} == lost
    assert ledger.total.failed == len(lost)
    assert len(drawer.kept) == len(items) - len(lost)
