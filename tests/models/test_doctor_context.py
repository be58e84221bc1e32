import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from mder.models.base import Completion, Message
from tests.models.patients import Patient, Schema, advised, examined


def test_a_prompt_that_is_cut_in_silence_is_found_by_its_count() -> None:
    found = examined(Patient(cuts=3000, name="openai/tiny"))
    assert found.context
    assert (found.context.accepted, found.context.recalled) == (2048, 2048)
    assert (found.context.limited, found.context.ended) == (
        True,
        "4096: cut in silence to 3000 tokens",
    )
    assert not found.unusable
    advice = advised(found)
    assert (advice["llm_batch"].value, advice["context"].value) == (2, 8192)
    assert advice["context"].reason.startswith("more than 2048 is refused or cut; start with")


def test_where_nothing_is_counted_a_cut_is_found_by_what_was_forgotten() -> None:
    found = examined(Patient(cuts=3000, counts=False))
    assert found.context
    assert not found.context.counted
    assert (found.context.accepted, found.context.recalled) == (8192, 2048)
    assert advised(found)["context"].value == 2048
    assert examined(Patient(cuts=1500, counts=False)).unusable == (
        "ollama/tiny has a context below 2048 tokens: it forgets the beginning of longer prompts"
    )


def test_a_model_that_forgets_is_told_from_a_server_that_cuts() -> None:
    found = examined(Patient(forgets=1500))
    assert found.context
    assert (found.context.accepted, found.context.recalled) == (8192, 1024)
    assert not found.context.limited
    assert not found.unusable
    assert (advised(found)["llm_batch"].value, advised(found)["context"].value) == (2, 8192)


def test_a_model_that_does_not_understand_the_question_proves_nothing() -> None:
    found = examined(Patient(forgets=10, counts=False))
    assert found.context
    assert (found.context.short, found.context.accepted) == (False, 8192)
    assert not found.unusable


def test_a_prompt_that_is_refused_ends_the_growth() -> None:
    found = examined(Patient(refuses=5000))
    assert found.context
    assert (found.context.accepted, found.context.limited) == (4096, True)
    assert re.fullmatch(r"8192: \d+ tokens do not fit into 5000", found.context.ended)
    assert advised(found)["llm_batch"].value == 4


@pytest.mark.parametrize(("refuses", "cuts"), [(1500, 10**6), (10**6, 1500)])
def test_a_context_below_2048_is_unusable(refuses: int, cuts: int) -> None:
    reason = examined(Patient(refuses=refuses, cuts=cuts)).unusable
    assert reason.startswith("ollama/tiny has a context below 2048 tokens: 2048: ")


@pytest.mark.parametrize(("limit", "most"), [(2048, 2048), (3000, 3000), (100, 2048)])
def test_no_prompt_is_longer_than_asked_for(limit: int, most: int) -> None:
    patient = Patient()
    found = examined(patient, limit)
    assert found.context
    assert found.context.accepted == most
    assert 0.8 * most < patient.longest <= most


def test_prompts_that_would_take_too_long_are_not_sent() -> None:
    found = examined(Patient(reads=50))
    assert found.context
    assert (found.context.accepted, found.context.limited) == (4096, False)
    assert found.context.ended.startswith("8192: not tried, for it would take ")
    assert advised(found)["context"].reason.startswith("no more was tried")
    slow = examined(Patient(reads=1))
    assert slow.context
    assert slow.context.accepted == 2048
    assert not slow.unusable


def test_prompts_fit_their_size_whatever_a_word_counts() -> None:
    class Letters(Patient):
        def complete(self, messages: Sequence[Message], schema: Schema = None) -> Completion:
            letters = sum(len(message.content) for message in messages)
            return replace(super().complete(messages, schema), tokens_in=letters // 3)

    found = examined(Letters())
    assert found.context
    for probe in found.context.probes:
        assert 0.9 * probe.size < probe.tokens + 64 <= probe.size
