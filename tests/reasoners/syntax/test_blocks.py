import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.syntax.blocks import Block, blocks

_PIECES = st.sampled_from(
    [
        *"()\"“”«»'’?!.,:;-\n ",
        "Ann",
        "Who Goes?",
        "the long road",
        "Dust",
        "1901",
        "((",
        "née Holm",
        "é",
    ]
)
_TEXTS = st.lists(_PIECES, max_size=30).map("".join) | st.text(max_size=80)
_NAMES = st.lists(st.sampled_from(["Who Goes?", "the long road", "Ann", "Ann Who"]), max_size=3)


def parts(text: str, *names: str) -> list[str]:
    """Return the blocks as they stand in the text."""
    return [text[b.start : b.end] for b in blocks(text, names)]


@given(_TEXTS, _NAMES | st.lists(st.text(max_size=12), max_size=2))
def test_blocks_are_in_order_and_none_overlaps_another(text: str, names: list[str]) -> None:
    position = 0
    for block in blocks(text, names):
        assert position <= block.start < block.end <= len(text)
        position = block.end


@given(_TEXTS, _NAMES)
def test_a_bracket_says_what_stands_in_it(text: str, names: list[str]) -> None:
    for block in blocks(text, names):
        if block.aside:
            assert (
                text[block.start : block.end].strip()
                == text[text.index("(", block.start) : block.end]
            )
            assert block.aside == text[text.index("(", block.start) + 1 : block.end - 1].strip()


@given(_TEXTS, st.lists(st.sampled_from(["Who Goes?", "the long road", "Ann Who"]), max_size=3))
def test_the_order_of_the_names_does_not_matter(text: str, names: list[str]) -> None:
    assert blocks(text, names) == blocks(text, names[::-1])


def test_brackets_take_the_space_before_them_along() -> None:
    assert blocks("Ann (born 1901) ran.", ()) == [Block(3, 15, "born 1901")]


def test_a_bracket_may_hold_another() -> None:
    assert blocks("Ann (a (small) dog) ran.", ())[0].aside == "a (small) dog"


@pytest.mark.parametrize(
    "text", ["Ann () ran.", "Ann ( ) ran.", "Ann (ran.", "Ann) ran.", "(a\nb)"]
)
def test_what_is_no_bracket_with_words_is_left_alone(text: str) -> None:
    assert blocks(text, ()) == []


@pytest.mark.parametrize(
    "name",
    [
        "Who Goes?",
        "the long road",
        "Hope, Salt and Bread",
        "Go! Now",
        "What We Keep",
        "When It Rained",
    ],
)
def test_a_name_that_reads_like_ordinary_words_is_one_block(name: str) -> None:
    assert parts(f"Ann wrote {name} in 1951.", name) == [name]


@pytest.mark.parametrize("name", ["Ann Lee", "Dust"])
def test_a_name_that_reads_like_a_name_is_left_to_the_parser(name: str) -> None:
    assert parts(f"We saw {name} there.", name) == []


def test_a_name_is_not_cut_out_of_a_longer_one() -> None:
    assert parts("We read The long road Home and the long roads.", "the long road") == []


def test_the_longer_of_two_names_wins() -> None:
    names = ("the long road", "the long road home")
    assert parts("We read the long road home.", *names) == ["the long road home"]


@pytest.mark.parametrize(
    "text", ['"Dust and Rain"', "“Dust and Rain”", "«Dust and Rain»", '"Dust and Rain,"']
)
def test_a_title_in_quotation_marks_is_one_block(text: str) -> None:
    assert parts(f"Ann wrote {text} in 1951.") == ["Dust and Rain"]


def test_what_somebody_said_is_no_title() -> None:
    assert parts('Ann said "the sea was calm" in 1951.') == []
    assert parts('Ann said "The sea was calm" in 1951.') == []


def test_a_quotation_of_many_words_is_no_title() -> None:
    assert parts(f'Ann said "{"Salt " * 11}" in 1951.') == []


def test_an_empty_name_is_nowhere() -> None:
    assert blocks("Ann ran.", ("", " ")) == []
