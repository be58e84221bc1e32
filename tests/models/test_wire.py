import pytest

from mder.models.wire import complaint, decoded, one_line, spoken


def test_bytes_that_are_no_text_do_not_lose_the_reply() -> None:
    assert decoded(b'{"a": "b\xff"}') == {"a": "b\ufffd"}


@pytest.mark.parametrize("body", [b"", b"[]", b"hello", b'{"a"', b"null"])
def test_anything_but_an_object_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        decoded(body)


@pytest.mark.parametrize(
    "body",
    [
        b'{"error": "no room"}',
        b'{"error": {"message": "no room", "code": 1}}',
        b'{"object": "error", "message": "no room"}',
        b'{"detail": "no room"}',
        b"no\n  room",
    ],
)
def test_words_of_an_error_are_found(body: bytes) -> None:
    assert complaint(body) == "no room"


def test_error_of_any_form_is_one_short_line() -> None:
    page = b"<html>\n" + b"<p>502 Bad Gateway</p>\n" * 100
    assert "\n" not in complaint(page)
    assert len(complaint(page)) < 320
    assert one_line("a\n b") == "a b"


@pytest.mark.parametrize(
    ("content", "thoughts", "expected"),
    [
        ("yes", "", ("yes", False)),
        ("yes", "hm", ("yes", False)),
        ("", "", ("", False)),
        ("", "hm", ("", True)),
        ("", '{"a": 1}', ('{"a": 1}', False)),
        (" \n", ' ["a"]', (' ["a"]', False)),
    ],
)
def test_text_is_told_from_thoughts(
    content: str, thoughts: str, expected: tuple[str, bool]
) -> None:
    assert spoken(content, thoughts, json_wanted=True) == expected


def test_thoughts_are_no_answer_where_no_json_was_wanted() -> None:
    assert spoken("", '{"a": 1}', json_wanted=False) == ("", True)
