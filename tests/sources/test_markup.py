import pytest

from mder.sources.markup import blocks_of, parse, read_fragment


@pytest.mark.parametrize(
    ("markup", "texts"),
    [
        ("<p>Unclosed <b>bold</b><p>Second &eacute;", ["Unclosed bold", "Second é"]),
        ("<p>in\n  one <img src=x> line</p>", ["in one line"]),
        ("<ul><li>a<li>b</ul>tail", ["a", "b", "tail"]),
        ("<p>a</p><script>x()</script><pre>code</pre><p>b", ["a", "b"]),
        ("One line.<br>Two.<br><br>Three.", ["One line.", "Two.", "Three."]),
        ("consent is a<br>simple way to<br>save", ["consent is a simple way to save"]),
        ("<code>x</code> is <code>y = 1\nz = 2</code> here", ["x is", "here"]),
    ],
)
def test_elements_become_paragraphs(markup: str, texts: list[str]) -> None:
    assert [" ".join(block.text.split()) for block in read_fragment(markup)] == texts


def test_headings_keep_their_level() -> None:
    found = read_fragment("<h1>Top<br>line</h1><div><h3>Deep</h3>text</div>")
    assert [(b.level, b.text) for b in found] == [
        (1, "Top line"),
        (3, "Deep"),
        (0, "text"),
    ]


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        ("<tr><th>N<th>B<tr><td>Ada<td>1815", ["N: Ada; B: 1815."]),
        ("<tr><th>Founded<td>1998<tr><th>Founder<td>N.", ["Founded: 1998.", "Founder: N."]),
        ("<caption>All</caption><tr><td>a<td>b<td>c", ["All", "a; b; c."]),
    ],
)
def test_tables_of_values_become_sentences(table: str, lines: list[str]) -> None:
    assert [b.text for b in read_fragment(f"<table>{table}</table>")] == lines


def test_tables_for_layout_are_walked_through() -> None:
    found = read_fragment("<table><tr><td><p>One.</p><td><table><tr><td>Two.</table></table>")
    assert [b.text for b in found] == ["One.", "Two."]


@pytest.mark.parametrize("markup", ["", "  ", "<!-- x -->", "<?php ?>"])
def test_no_element_is_no_block(markup: str) -> None:
    assert parse(markup) is None
    assert read_fragment(markup) == ()
    assert list(blocks_of(None)) == []
