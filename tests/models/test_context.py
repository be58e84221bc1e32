import threading

import pytest

from mder.models.base import Message
from mder.models.context import Ladder, says_too_long, was_cut, with_margin
from mder.models.tokens import prompt_tokens

LONG = [Message("system", "Be brief."), Message("user", "The quick brown fox is here. " * 500)]
SHORT = [Message("user", "Where is Tokyo?")]


@pytest.mark.parametrize(
    "words",
    [
        # Ollama, by versions and templates
        "the prompt is longer than the context length currently available to the model",
        "the input length exceeds the context length",
        # llama-server
        "request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it",
        "exceed_context_size_error",
        # vLLM
        "This model's maximum context length is 4096 tokens. However, you requested 4931 tokens",
        "max_tokens must be at least 1, got -186.",
        # LM Studio
        "Trying to keep the first 11149 tokens when context the overflows.",
        # OpenAI
        "context_length_exceeded",
        "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 41000.",
        # others
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
        "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "Please reduce the length of the messages or completion.",
    ],
)
def test_words_of_servers_for_too_long_are_known(words: str) -> None:
    assert says_too_long(words)


@pytest.mark.parametrize(
    "words",
    [
        "model requires more system memory (9.1 GiB) than is available (6.0 GiB)",
        "server busy, please try again. maximum pending requests exceeded",
        "Unsupported value: 'temperature'",
        "Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1.",
        "Invalid schema for response_format 'reply'",
    ],
)
def test_other_refusals_are_not_about_length(words: str) -> None:
    assert not says_too_long(words)


@pytest.mark.parametrize(
    ("tokens", "context"), [(1, 4096), (4096, 4096), (4097, 8192), (9000, 16384), (99_999, 32768)]
)
def test_context_is_a_power_of_two_that_holds_what_is_needed(tokens: int, context: int) -> None:
    assert Ladder(32768).reach(tokens) == context


def test_context_never_shrinks() -> None:
    ladder = Ladder(32768)
    assert [ladder.reach(tokens) for tokens in (5000, 100, 9000, 5000)] == [
        8192,
        8192,
        16384,
        16384,
    ]


def test_context_that_found_no_room_is_not_asked_for_again() -> None:
    ladder = Ladder(32768)
    assert ladder.stay_below(ladder.reach(20_000))
    assert ladder.reach(20_000) == 16384
    assert ladder.most == 16384
    assert ladder.stay_below(16384)
    assert ladder.stay_below(8192)
    assert not ladder.stay_below(4096)
    assert ladder.reach(20_000) == 4096


def test_threads_climb_together() -> None:
    ladder = Ladder(32768)
    threads = [threading.Thread(target=ladder.reach, args=(n,)) for n in range(1000, 17_000, 1000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert ladder.reach(1) == 16384


def test_count_that_agrees_with_the_estimate_is_whole() -> None:
    assert not was_cut(LONG, prompt_tokens(LONG), 16384)
    assert not was_cut(LONG, int(prompt_tokens(LONG) * 0.85), 16384)


@pytest.mark.parametrize("context", [1024, 2048, 4096])
@pytest.mark.parametrize("spare", [2, 3])
def test_half_a_context_and_a_little_is_what_is_left_of_a_prompt(context: int, spare: int) -> None:
    assert was_cut(LONG, context // 2 + spare, 16384)


def test_full_context_is_what_is_left_of_a_prompt() -> None:
    assert was_cut(LONG, 8192, 8192)
    assert was_cut(LONG, 2048, 16384)


def test_fewer_tokens_than_words_is_what_is_left_of_a_prompt() -> None:
    assert was_cut(LONG, 1500, 16384)


@pytest.mark.parametrize("context", [0, 4096])
def test_missing_count_proves_nothing(context: int) -> None:
    assert not was_cut(LONG, 0, context)


def test_short_prompt_is_never_cut() -> None:
    assert not was_cut(SHORT, 1, 4096)


def test_tokenizer_that_knows_the_language_well_is_not_suspected() -> None:
    chinese = [Message("user", "黑豹队的防守只丢了三百分在联赛中排名第六。" * 100)]
    assert not was_cut(chinese, prompt_tokens(chinese) // 3, 16384)


def test_margin_is_generous() -> None:
    assert with_margin(1000) == 1300
