import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.errors import SourceError
from mder.sources.page import Block, Page, document, join_lines, row_sentence

BLOCKS = st.builds(Block, st.text(max_size=30), st.integers(0, 6))


def test_blocks_stand_apart_and_sections_point_at_headings() -> None:
    page = Page((Block("Top", 1), Block("First  line\nsecond"), Block("Below", 2), Block("End.")))
    made = document("a.md", page, "a")
    assert made.text == "Top\n\nFirst line\nsecond\n\nBelow\n\nEnd."
    assert [(s.level, s.title) for s in made.sections] == [(1, "Top"), (2, "Below")]


@given(st.lists(BLOCKS, max_size=8))
def test_every_section_begins_with_its_title(blocks: list[Block]) -> None:
    try:
        made = document("a", Page(tuple(blocks)), "a")
    except SourceError:
        return
    for section in made.sections:
        assert made.text.startswith(section.title, section.start)


def test_the_digest_is_of_title_and_text() -> None:
    made = document("a", Page((Block("x"),), "T"), "name")
    assert made.digest == hashlib.sha256(b"T\0x").hexdigest()


def test_the_name_is_the_title_where_the_page_states_none() -> None:
    assert document("a", Page((Block("x"),)), "name").title == "name"


def test_a_page_without_text_is_an_error() -> None:
    with pytest.raises(SourceError, match="empty"):
        document("a", Page((Block(" \u200b\n"),), "Title"), "a")


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        ("born in\nWarsaw", "born in Warsaw"),
        ("a well-\nknown physicist", "a well-known physicist"),
        ("日本の\n建築家", "日本の建築家"),
    ],
)
def test_wrapped_lines_are_joined_as_their_script_asks(lines: str, joined: str) -> None:
    assert join_lines(lines) == joined


@pytest.mark.parametrize(
    ("header", "cells", "line"),
    [
        (["Name", "Born"], ["Ada", "1815"], "Name: Ada; Born: 1815."),
        (["Name", "Born"], ["Ada", ""], "Name: Ada."),
        (["Name:"], ["Ada", "extra."], "Name: Ada; extra."),
        ([], ["a", "b"], "a; b."),
        (["Name"], [""], ""),
    ],
)
def test_a_row_reads_as_a_sentence(header: list[str], cells: list[str], line: str) -> None:
    assert row_sentence(header, cells) == line
