import logging

import pytest

from mder.errors import ModelError, ReplyError
from mder.models.base import CallableModel, Completion
from mder.models.cache import CachedModel
from mder.reasoners.llm.conversation import Conversation
from mder.reasoners.llm.shapes import Written, written
from tests.models.doubles import Shelf
from tests.reasoners.doubles import Scripted

GOOD = '{"text": "Hallo"}'


def translate(model: CallableModel | CachedModel) -> str:
    return Conversation(model).ask("translate", Written, written, language="German", text="Hello")


def test_good_reply_takes_one_request() -> None:
    script = Scripted(GOOD)
    assert translate(script.model) == "Hallo"
    assert len(script.asked) == 1


def test_bad_reply_is_shown_back_once_with_its_fault() -> None:
    script = Scripted('{"text": ""}', GOOD)
    assert translate(script.model) == "Hallo"
    first, second = script.asked
    assert list(second[:2]) == list(first)
    assert (second[2].role, second[2].content) == ("assistant", '{"text": ""}')
    assert "the text is empty" in second[3].content


def test_second_bad_reply_is_an_error_of_one_line_that_carries_it() -> None:
    with pytest.raises(ReplyError) as caught:
        translate(Scripted("Sorry,\nno.").model)
    assert caught.value.reply == "Sorry,\nno."
    assert str(caught.value) == (
        "double/scripted: no usable reply to 'translate': it holds no complete JSON; "
        "it began 'Sorry,\\nno.'; try another model"
    )


def test_reply_that_was_cut_is_asked_for_shorter() -> None:
    class Cut(CallableModel):
        def complete(self, messages: object, schema: object = None) -> Completion:  # noqa: ARG002
            return Completion('{"text": "Hal', 1, 1, "length")

    with pytest.raises(ReplyError, match="it was cut at the most tokens allowed"):
        translate(Cut(lambda _messages, _schema: ""))


def test_only_what_could_be_used_is_kept() -> None:
    shelf = Shelf()
    with pytest.raises(ReplyError):
        translate(CachedModel(Scripted("no").model, shelf))
    assert shelf.kept == {}
    script = Scripted("no", GOOD)
    assert translate(CachedModel(script.model, shelf)) == "Hallo"
    assert list(shelf.kept.values()) == [GOOD]
    assert translate(CachedModel(script.model, shelf)) == "Hallo"
    assert len(script.asked) == 2


def _failing(error: ModelError) -> Conversation:
    def fail(_messages: object, _schema: object) -> str:
        raise error

    return Conversation(CallableModel(fail))


def _try(talk: Conversation) -> str:
    values = {"language": "German", "text": "Hello"}
    return talk.ask_or("Hello", "translation", "translate", Written, written, **values)


@pytest.mark.parametrize("error", [ModelError("timed out", retryable=True), ReplyError("too long")])
def test_failure_of_one_request_is_a_warning(
    error: ModelError, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert _try(_failing(error)) == "Hello"
    assert caplog.messages == [f"no translation: {error}"]


def test_missing_server_is_an_error_at_once() -> None:
    with pytest.raises(ModelError, match="no server"):
        _try(_failing(ModelError("no server")))
