import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.sources.markdown import read_markdown


def texts(markdown: str) -> list[str]:
    return [block.text for block in read_markdown(markdown).blocks if block.text]


@pytest.mark.parametrize(
    ("markdown", "blocks"),
    [
        ("A *b* **c** `d` [e](http://x) ~~f~~.", ["A b c d e f."]),
        ("one\ntwo  \nthree", ["one two\nthree"]),
        ("- a\n- b\n  - c\n\n1. d", ["a", "b", "c", "d"]),
        ("- [x] done\n- [ ] open", ["done", "open"]),
        ("> quoted\n> on", ["quoted on"]),
        ("> [!NOTE]\n> Careful.", ["Careful."]),
        ("before\n\n```py\ncode()\n```\n\nafter", ["before", "after"]),
        ("a <!-- hidden --> b\n\n<!-- gone -->", ["a  b"]),
        ("![logo](x.png)\n\ntext", ["text"]),
        ("| N | B |\n|---|---|\n| Ada | *1815* |\n| Bo | |", ["N: Ada; B: 1815.", "N: Bo."]),
        ("# T { #anchor }\n\nsee [x](y){.link target=_blank}", ["T", "see x"]),
        ('!!! note "TL;DR"\n    First.\n\n    Second.', ["TL;DR", "First.", "Second."]),
        ("!!! warning\n    Text.\n\nAfter.", ["Text.", "After."]),
        ("??? tip\n    Text.", ["Text."]),
        ("/// note | Details\n\nText.\n\n///", ["Details", "Text."]),
        ('=== "Linux"\n\n    Use it.', ["Linux", "Use it."]),
        ("{* ../src/a.py hl[3] *}\n\n::: pkg.func\n\ntext {% raw %}", ["text "]),
        ("See [`get`][pkg.get] and [[Page|the page]].[^1]", ["See get and the page."]),
        ("a[^1]\n\n[^1]: The note.", ["a", "The note."]),
        ("Term\n: Its meaning", ["Term", "Its meaning"]),
        ("<h1 align=center>\nHTTPX\n</h1>\n\nA client.", ["HTTPX", "A client."]),
        ("<p><em>Fast</em> <b>framework</b></p>", ["Fast framework"]),
        ("Text [link](](x) **bold", ["Text [link](](x) **bold"]),
        ("日本の\n建築家", ["日本の建築家"]),
    ],
)
def test_markup_is_reduced_to_its_words(markdown: str, blocks: list[str]) -> None:
    assert [text.rstrip() for text in texts(markdown)] == [text.rstrip() for text in blocks]


def test_headings_of_every_depth_are_headings() -> None:
    page = read_markdown("# a\n\n###### f\n\n####### g\n\nSetext\n===\n")
    assert [b.level for b in page.blocks] == [1, 6, 6, 1]


@pytest.mark.parametrize(
    ("markdown", "title"),
    [
        ("---\ntitle: Front\n---\n# Heading\n", "Front"),
        ("text\n\n# Heading\n\n# Other\n", "Heading"),
        ("## Only\n\ntext\n\n### Below\n", "Only"),
        ("## One\n\n## Two\n", ""),
        ("text\n\n## Section\n", ""),
        ("text", ""),
    ],
)
def test_the_title(markdown: str, title: str) -> None:
    assert read_markdown(markdown).title == title


def test_front_matter_is_metadata_as_it_is_written() -> None:
    page = read_markdown("---\ntitle: No\ndate: 2024-01-05\ntags: [a, b]\nmap: {x: y}\n---\ntext")
    assert page.metadata == (("title", "No"), ("date", "2024-01-05"), ("tags", "a"), ("tags", "b"))
    assert [b.text for b in page.blocks] == ["text"]


def test_broken_front_matter_loses_no_text() -> None:
    page = read_markdown("---\ntitle: Foo: the guide\ntags: [a\n---\ntext")
    assert page.title == "Foo: the guide"
    assert [b.text for b in page.blocks] == ["text"]


@pytest.mark.parametrize("text", ["---\nOnly a ruler.\n\n---\nMore.", "---\ntitle: never closed"])
def test_what_only_looks_like_front_matter_is_text(text: str) -> None:
    assert "".join(texts(text)).replace("\n", " ").startswith(("Only a ruler.", "title: never"))


@given(st.text(alphabet="ab #*_`[]()<>|-!:\n{}~=\"'&1.", max_size=120))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(read_markdown(text).title, str)
