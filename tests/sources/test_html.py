import logging

import pytest

from mder.sources.html import declared_charset, read_html

SENTENCE = "Marie Curie was a physicist who was born in Warsaw and worked for years in Paris. "
ARTICLE = f"<h1>Marie Curie</h1><p>{SENTENCE * 3}</p><h2>Work</h2><p>{SENTENCE * 3}</p>"


def test_the_main_text_is_taken_with_its_headings() -> None:
    page = read_html(
        f"<html><body><nav><a href=/>Home</a></nav><article>{ARTICLE}</article>"
        "<footer>Imprint</footer></body></html>"
    )
    assert [(b.level, b.text) for b in page.blocks if b.level] == [(1, "Marie Curie"), (2, "Work")]
    assert "Home" not in " ".join(b.text for b in page.blocks)


def test_all_of_the_body_is_taken_where_there_is_no_main_text() -> None:
    page = read_html("<title>T</title><body><p>A</p><p>B</p>")
    assert [b.text for b in page.blocks] == ["A", "B"]


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Mozilla - Wikipedia</title>", "<h1>Mozilla</h1>", "Mozilla"),
        ("<title>\n Two\n words </title>", "<h1>Other</h1>", "Two words"),
        ("<title>News | Site</title>", "", "News | Site"),
        ("<title>A - B</title><meta property=og:title content='A'>", "", "A"),
        ("<meta property=og:title content=Shared>", "<h1>H</h1>", "Shared"),
        ("", "<h1>Heading</h1>", "Heading"),
        ("", "<svg><title>icon</title></svg>", ""),
    ],
)
def test_the_title(head: str, body: str, title: str) -> None:
    page = read_html(f"<html><head>{head}</head><body>{body}<p>Text.</p></body></html>")
    assert page.title == title


def test_marks_of_notes_and_editors_are_left_out() -> None:
    noted = ARTICLE.replace("Paris.", "Paris<sup class=reference>[1]</sup>.").replace(
        "Work", "Work<span class=mw-editsection>[edit]</span>"
    )
    text = " ".join(b.text for b in read_html(f"<html><body>{noted}</body></html>").blocks)
    assert "[" not in text
    assert "in Paris." in text


def test_a_preformatted_page_is_read_as_plain_text() -> None:
    memo = "\n".join(f"{n}. Title\n\n  A line that is wrapped and\n  goes on.\n" for n in range(99))
    page = read_html(f"<title>Memo</title><body><p>Docs</p><pre><code>{memo}</code></pre>")
    assert page.blocks[-1].text == "A line that is wrapped and goes on."


def test_an_xml_declaration_is_no_obstacle() -> None:
    page = read_html("<?xml version='1.0' encoding='latin-1'?><html><body><p>è</p></body></html>")
    assert [b.text for b in page.blocks] == ["è"]


@pytest.mark.parametrize("text", ["", "<!-- only -->", "<html></html>", "<script>x</script>"])
def test_a_page_without_text_has_no_blocks_and_logs_nothing(
    text: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="mder"):
        assert read_html(text).blocks == ()
    assert caplog.records == []


@pytest.mark.parametrize(
    ("data", "charset"),
    [
        (b'<meta charset="windows-1252">', "windows-1252"),
        (b"<META http-equiv=x content='text/html; charset=koi8-r'>", "koi8-r"),
        (b'<?xml version="1.0" encoding="iso-8859-1"?>', "iso-8859-1"),
        (b"<p>", ""),
    ],
)
def test_the_declared_encoding(data: bytes, charset: str) -> None:
    assert declared_charset(data) == charset


def test_a_declaration_that_is_not_closed_is_no_obstacle() -> None:
    page = '<?xml version="1.0" encoding="utf-8"><html><body><p>It is read.</p></body></html>'
    assert any("It is read." in block.text for block in read_html(page).blocks)
