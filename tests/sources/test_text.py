from hypothesis import given
from hypothesis import strategies as st

from mder.sources.page import Page
from mder.sources.text import read_paragraphs, read_text


def texts(page: Page) -> list[str]:
    return [block.text for block in page.blocks]


def headings(page: Page) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in page.blocks if block.level]


def test_a_short_first_line_that_stands_apart_is_the_title() -> None:
    page = read_text("Android (robot)\n\nAn android is a humanoid robot.\n")
    assert page.title == "Android (robot)"
    assert texts(page) == ["Android (robot)", "An android is a humanoid robot."]


def test_a_first_sentence_is_no_title() -> None:
    assert read_text("Rome is a city.\n\nIt is old.").title == ""
    assert read_text("One line only").title == ""
    assert read_text("Chapter 1\n\nIt was a dark night.").title == ""


def test_a_line_before_prose_is_a_heading_and_a_run_of_lines_is_not() -> None:
    page = read_text("Alien\n\nIt is a word.\n\nHistory\n\nIt began early.\n\nA\n\nB\n\nC")
    assert headings(page) == [(1, "Alien"), (2, "History")]


def test_markdown_headings_and_rulers_lose_their_marks() -> None:
    page = read_text("# ABC (television)\n\nText.\n\n## Past\nMore text.\n\nUnder\n=====\n\nEnd.")
    assert headings(page) == [(1, "ABC (television)"), (2, "Past"), (2, "Under")]
    assert page.title == "ABC (television)"


def test_wrapped_lines_are_one_paragraph() -> None:
    wrapped = (
        "This ebook is for the use of anyone anywhere in the United States and\n"
        "most other parts of the world at no cost and with almost no restrictions\n"
        "whatsoever."
    )
    assert [b.text for b in read_paragraphs(wrapped)] == [wrapped.replace("\n", " ")]


def test_lists_and_verse_keep_their_lines() -> None:
    listed = "Alien (law), a person in a country\n Enemy alien, the above in times of war\n Aliens"
    assert len(read_paragraphs(listed)) == 3
    bullets = "- first item that is\n  continued here\n- second\n* third"
    assert [b.text for b in read_paragraphs(bullets)] == [
        "first item that is continued here",
        "second",
        "third",
    ]


def test_a_number_that_begins_a_line_is_kept() -> None:
    assert read_paragraphs("12. Mai 1935 war ein Sonntag.")[0].text.startswith("12. Mai")


def test_one_paragraph_a_line_stays_so() -> None:
    assert len(read_paragraphs("A long sentence here. " * 9 + "\n" + "Another one. " * 12)) == 2


@given(st.text(alphabet="ab A.-*#=1\n", max_size=200))
def test_no_word_is_lost(text: str) -> None:
    kept = "".join(block.text for block in read_text(text).blocks)
    assert [c for c in kept if c in "abA"] == [c for c in text if c in "abA"]
