from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from mder.models.patience import LONGEST_WAIT, Patience, retry_after


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("2", 2.0), ("0", 0.0), (" 1.5 ", 1.5), ("86400", LONGEST_WAIT), ("soon", None), ("", None)],
)
def test_wait_is_read_in_seconds(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}) == seconds


def test_server_that_says_nothing_asks_for_nothing() -> None:
    assert retry_after({}) is None


def test_milliseconds_are_more_exact() -> None:
    assert retry_after({"retry-after": "1", "retry-after-ms": "250"}) == 0.25


def test_wait_is_read_from_a_date() -> None:
    later = datetime.now(UTC) + timedelta(seconds=30)
    wait = retry_after({"retry-after": format_datetime(later, usegmt=True)})
    assert wait is not None
    assert 25 < wait <= 30


def test_date_that_is_over_is_no_wait() -> None:
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0


def test_unknown_server_is_given_the_time_of_a_slow_processor() -> None:
    limit = Patience().limit(tokens_in=2000, tokens_out=600)
    assert limit >= 60 + 2000 / 20 + 150 / 3
    assert limit < 2 * (60 + 2000 / 20 + 150 / 3)


def test_reply_of_the_greatest_length_is_not_waited_for() -> None:
    assert 60 + 4096 / 4 / 3 < Patience().limit(500, 4096) < 500


def test_no_request_is_given_more_than_a_quarter_of_an_hour() -> None:
    assert Patience().limit(100_000, 100_000) == 900
    patience = Patience()
    patience.saw(100, 10, 1000.0)
    assert patience.limit(1000, 500) == 900


def test_fast_server_is_given_less_time_and_never_less_than_a_minute() -> None:
    patience = Patience()
    patience.saw(2000, 500, 5.0)
    assert 60 <= patience.limit(2000, 4096) < 70
    patience = Patience()
    patience.saw(2000, 500, 0.01)
    assert patience.limit(2000, 4096) == 60


def test_slowest_reply_counts() -> None:
    patience, slow = Patience(), Patience()
    slow.saw(100, 100, 40.0)
    for seconds in (2.0, 40.0, 1.0):
        patience.saw(100, 100, seconds)
    assert patience.limit(100, 500) == slow.limit(100, 500)


def test_limit_comes_from_what_replies_have_taken() -> None:
    patience = Patience()
    patience.saw(500, 300, 20.0)
    # Ten times the slowest for a reply of some length, and enough for one of the greatest length.
    assert 20.0 * 4096 / 300 / 2 < patience.limit(500, 4096) < 300


def test_longest_reply_is_what_others_are_taken_to_be() -> None:
    patience, brief = Patience(), Patience()
    patience.saw(500, 3000, 200.0)
    brief.saw(500, 300, 20.0)
    assert patience.limit(500, 4096) > 2 * brief.limit(500, 4096)


def test_longer_prompts_get_more_time() -> None:
    assert Patience().limit(8000, 100) > Patience().limit(100, 100)
