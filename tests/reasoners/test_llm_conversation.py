import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep

import pytest

from mder.errors import BudgetError, ModelError, ReplyError, TooLongError
from mder.models.base import Completion, Message
from mder.models.ledger import Budget, Ledger, Spent
from mder.models.tokens import prompt_tokens
from mder.reasoners.llm.acts import TRANSLATE
from mder.reasoners.llm.conversation import Conversation, Topic
from mder.reasoners.llm.prompt import render
from mder.reasoners.llm.shapes import schema_of, written
from tests.reasoners.doubles import Drawer, Recorder, cut, scripted, talk

SCHEMA = schema_of(TRANSLATE.kind)
GOOD = '{"text": "Hallo"}'
EMPTY = '{"text": ""}'


def translate(conversation: Conversation, text: str = "Hello", *, splits: bool = False) -> str:
    topic = Topic("translation", "curie.md")
    mended = (TooLongError,) if splits else ()
    return conversation.ask(TRANSLATE, written, topic, mended=mended, language="German", text=text)


def test_good_reply_takes_one_request() -> None:
    model = scripted(GOOD)
    assert translate(talk(model)) == "Hallo"
    assert len(model.asked) == 1


def test_faulty_json_is_mended_without_another_request() -> None:
    model = scripted("```json\n{'text': 'Hallo',}\n```")
    assert translate(talk(model)) == "Hallo"
    assert len(model.asked) == 1


def test_bad_reply_is_shown_back_once_with_its_fault() -> None:
    model = scripted(EMPTY, GOOD)
    assert translate(talk(model)) == "Hallo"
    first, second = model.asked
    assert list(second[:2]) == list(first)
    assert (second[2].role, second[2].content) == ("assistant", EMPTY)
    assert "the text is empty" in second[3].content


def test_long_bad_reply_is_shown_back_in_part() -> None:
    model = scripted("no " * 5000, GOOD)
    translate(talk(model))
    assert sum(len(message.content) for message in model.asked[1]) < 7000


@pytest.mark.parametrize("half", ["\ud83d", "\\ud83d"])
def test_half_a_character_in_a_reply_can_be_kept_and_used(half: str) -> None:
    drawer, model = Drawer(), scripted(f'{{"text": "Hallo {half}"}}')
    for _ in range(2):
        assert translate(talk(model, drawer)) == "Hallo \ufffd"
    assert len(model.asked) == 1
    assert all(text.encode() for text in drawer.kept.values())


def test_half_a_character_in_a_bad_reply_can_be_shown_back_and_recorded() -> None:
    drawer, model = Drawer(), scripted("no \ud83d", '{"texts": "\\ud83d"}\ud83d')
    with pytest.raises(ReplyError):
        translate(talk(model, drawer), "Hello \ud83d")
    assert all(m.content.encode() for asked in model.asked for m in asked)
    assert all(failure.reply.encode() for failure in drawer.failures)


def test_second_bad_reply_is_an_error_of_one_line_that_carries_it() -> None:
    with pytest.raises(ReplyError) as caught:
        translate(talk(scripted("Sorry,\nno.")))
    assert caught.value.reply == "Sorry,\nno."
    assert str(caught.value) == (
        "double/recorder: no usable reply to 'translate': it holds no complete JSON; "
        "it began 'Sorry,\\nno.'; try another model"
    )


def test_second_bad_reply_is_recorded_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    drawer, ledger = Drawer(), Ledger()
    with caplog.at_level(logging.WARNING), pytest.raises(ReplyError):
        translate(talk(scripted("no", EMPTY), drawer, ledger))
    (failure,) = drawer.failures
    assert (failure.stage, failure.source, failure.about) == (
        "translate",
        "curie.md",
        "translation",
    )
    assert (failure.problem, failure.reply) == ("the text is empty", EMPTY)
    assert ledger.total == Spent(
        asked=1, calls=2, tokens_in=14, tokens_out=6, failed=1, seconds=1.0
    )
    assert caplog.messages == ["no translation: the text is empty"]


def test_empty_reply_is_called_empty() -> None:
    model = scripted("", GOOD)
    assert translate(talk(model)) == "Hallo"
    assert "it is empty" in model.asked[1][3].content


def test_what_was_answered_is_not_asked_again() -> None:
    drawer, ledger, model = Drawer(), Ledger(), scripted(GOOD)
    assert translate(talk(model, drawer)) == "Hallo"
    assert translate(talk(model, drawer, ledger)) == "Hallo"
    assert len(model.asked) == 1
    assert ledger.total == Spent(asked=1, cached=1)


def test_other_data_another_model_and_other_options_are_asked_anew() -> None:
    drawer, model = Drawer(), scripted(GOOD)
    translate(talk(model, drawer))
    translate(talk(model, drawer), "Bye")
    other = Recorder(lambda _: GOOD, name="double/other")
    hotter = Recorder(lambda _: GOOD, options={"temperature": 1})
    translate(talk(other, drawer))
    translate(talk(hotter, drawer))
    assert [len(m.asked) for m in (model, other, hotter)] == [2, 1, 1]


def test_only_what_could_be_used_is_kept_and_all_is_paid_for() -> None:
    drawer = Drawer()
    with pytest.raises(ReplyError):
        translate(talk(scripted("no"), drawer))
    assert drawer.kept == {}
    assert drawer.spent["translate"].calls == 2
    assert translate(talk(scripted("no", GOOD), drawer)) == "Hallo"
    assert list(drawer.kept.values()) == [GOOD]
    assert drawer.spent["translate"] == Spent(calls=4, tokens_in=28, tokens_out=12, seconds=2.0)


def test_success_clears_the_failure() -> None:
    drawer = Drawer()
    with pytest.raises(ReplyError):
        translate(talk(scripted("no"), drawer))
    translate(talk(scripted(GOOD), drawer))
    assert drawer.failures == []


def test_kept_reply_that_no_longer_fits_is_asked_for_anew() -> None:
    drawer, model = Drawer(), scripted(GOOD)
    translate(talk(model, drawer))
    drawer.kept = dict.fromkeys(drawer.kept, EMPTY)
    assert translate(talk(model, drawer)) == "Hallo"
    assert len(model.asked) == 2


@pytest.mark.parametrize("splits", [True, False])
def test_reply_cut_at_length_is_never_used_even_if_it_parses(splits: bool) -> None:
    drawer, ledger, model = Drawer(), Ledger(), scripted(cut(GOOD))
    with pytest.raises(TooLongError, match="it was cut at the most tokens allowed"):
        translate(talk(model, drawer, ledger), splits=splits)
    assert drawer.kept == {}
    assert len(model.asked) == 1
    # Who asks for the parts instead has not failed yet.
    assert len(drawer.failures) == ledger.total.failed == (0 if splits else 1)


def test_prompt_that_does_not_fit_is_a_failure_unless_it_is_split() -> None:
    drawer = Drawer()
    for splits in (True, False):
        with pytest.raises(TooLongError):
            translate(talk(scripted(TooLongError("too long")), drawer), splits=splits)
    assert [failure.problem for failure in drawer.failures] == ["too long"]


def test_prompt_that_was_found_cut_by_its_reply_is_paid_for() -> None:
    drawer, ledger, error = Drawer(), Ledger(Budget(max_tokens=10_000)), TooLongError("cut")
    error.completion = Completion("{}", 40, 2, seconds=0.5)
    with pytest.raises(TooLongError):
        translate(talk(scripted(error), drawer, ledger), splits=True)
    cost = Spent(calls=1, tokens_in=40, tokens_out=2, seconds=0.5)
    assert ledger.total == cost + Spent(asked=1)
    assert drawer.spent == {"translate": cost}
    ledger.release(ledger.reserve("translate", 9956))


def test_failure_that_ends_the_run_is_raised_and_nothing_more() -> None:
    drawer, ledger, model = Drawer(), Ledger(), scripted(ModelError("gone"))
    with pytest.raises(ModelError, match="gone"):
        translate(talk(model, drawer, ledger))
    assert drawer.failures == []
    assert ledger.total == Spent(asked=1)


@pytest.mark.parametrize("error", [ModelError("timed out", retryable=True), ReplyError("nothing")])
def test_failure_of_the_server_is_recorded_and_raised(error: ModelError) -> None:
    drawer, ledger, model = Drawer(), Ledger(), scripted(error)
    with pytest.raises(type(error), match=str(error)):
        translate(talk(model, drawer, ledger))
    assert [failure.problem for failure in drawer.failures] == [str(error)]
    assert ledger.total == Spent(asked=1, failed=1)
    assert len(model.asked) == 1


def test_nothing_is_sent_beyond_the_budget() -> None:
    model, drawer, ledger = scripted(GOOD), Drawer(), Ledger(Budget(max_tokens=50))
    with pytest.raises(BudgetError, match="the budget of 50 tokens is used up"):
        translate(talk(model, drawer, ledger))
    assert model.asked == []
    assert drawer.failures == []
    assert ledger.total == Spent(asked=1)


def test_schema_counts_as_a_part_of_the_prompt() -> None:
    bare = prompt_tokens(render("translate", language="German", text="Hello"))
    model, ledger = scripted(GOOD), Ledger(Budget(max_tokens=bare))
    ledger.add("translate", Spent(calls=1))
    with pytest.raises(BudgetError):
        translate(talk(model, ledger=ledger))
    assert model.asked == []


def test_nothing_is_sent_again_beyond_the_budget() -> None:
    once = prompt_tokens(render("translate", language="German", text="Hello"), SCHEMA)
    model, drawer, ledger = scripted("no"), Drawer(), Ledger(Budget(max_tokens=once))
    ledger.add("translate", Spent(calls=1))
    with pytest.raises(BudgetError):
        translate(talk(model, drawer, ledger))
    assert len(model.asked) == 1
    assert drawer.failures == []


def test_cost_of_a_reply_counts_before_anything_else_is_sent() -> None:
    refused: list[bool] = []

    class Slow(Drawer):
        """A shelf that another thread is faster than."""

        def keep(self, replies: Mapping[str, str], model: str, stage: str, spent: Spent) -> None:
            with pytest.raises(BudgetError):
                translate(talk(dear, Drawer(), ledger))
            refused.append(True)
            super().keep(replies, model, stage, spent)

    dear, ledger = scripted(Completion(GOOD, 900, 100)), Ledger(Budget(max_tokens=1100))
    assert translate(talk(dear, Slow(), ledger)) == "Hallo"
    assert refused == [True]
    assert len(dear.asked) == 1


def test_threads_together_keep_to_the_budget() -> None:
    def answer(messages: Sequence[Message]) -> Completion:
        return Completion(GOOD, prompt_tokens(messages, SCHEMA), 30)

    model, drawer, ledger = Recorder(answer), Drawer(), Ledger(Budget(max_tokens=4000))
    conversation = talk(model, drawer, ledger)
    translate(conversation)

    def attempt(number: int) -> bool:
        try:
            return translate(conversation, f"Hello {number}") == "Hallo"
        except BudgetError:
            return False

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(attempt, range(60)))
    spent = ledger.total
    assert 0 < sum(done) == len(model.asked) - 1 < 60
    assert 3500 < spent.tokens_in + spent.tokens_out <= 4000
    assert drawer.failures == []


def test_what_several_ask_for_at_once_is_asked_for_once() -> None:
    together = Barrier(4)

    def slow(_: Sequence[Message]) -> str:
        sleep(0.05)
        return GOOD

    def attempt(_: int) -> str:
        together.wait()
        return translate(conversation)

    model, ledger = Recorder(slow), Ledger()
    conversation = talk(model, ledger=ledger)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(attempt, range(4))) == ["Hallo"] * 4
    assert len(model.asked) == 1
    assert (ledger.total.asked, ledger.total.cached) == (4, 3)


def test_what_failed_for_one_is_asked_for_by_the_next() -> None:
    conversation = talk(scripted("no", "no", GOOD))
    with pytest.raises(ReplyError):
        translate(conversation)
    assert translate(conversation) == "Hallo"


def test_what_is_kept_costs_no_budget() -> None:
    drawer = Drawer()
    translate(talk(scripted(GOOD), drawer))
    assert translate(talk(scripted(), drawer, Ledger(Budget(max_tokens=1)))) == "Hallo"


def test_reply_put_together_of_others_is_kept_as_one() -> None:
    drawer, model = Drawer(), scripted("never")
    conversation = talk(model, drawer)
    conversation.keep(TRANSLATE, TRANSLATE.kind("Hallo"), language="German", text="Hello")
    assert translate(conversation) == "Hallo"
    assert model.asked == []
    assert drawer.spent["translate"] == Spent()
