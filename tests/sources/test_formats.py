from pathlib import PurePath

import pytest

from mder.sources.formats import READ, UNREAD, Format, format_of, is_document


def test_no_suffix_is_both_read_and_unread() -> None:
    assert not READ.keys() & UNREAD.keys()


@pytest.mark.parametrize(
    ("name", "taken"), [("a.MD", True), ("a.pdf", True), ("a.png", False), ("a", False)]
)
def test_documents_are_known_by_suffix(name: str, taken: bool) -> None:
    assert is_document(PurePath(name)) is taken


def test_an_unknown_suffix_is_plain_text() -> None:
    assert format_of(PurePath("Makefile.weird")) is Format.TEXT
