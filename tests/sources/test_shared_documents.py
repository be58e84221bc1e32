"""Everything in the shared collection of documents is read or named; skipped where it is absent."""

import os
from pathlib import Path

import pytest

from mder.errors import SourceError
from mder.records import Document
from mder.sources import discover, read

DATA = Path(os.environ.get("MDER_TEST_DATA") or Path(__file__).parents[3] / "shared" / "data")
DOCS = DATA / "docs"

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason=f"no documents in {DOCS}")

UNREADABLE = {
    "csv_semicolon_cp1252.csv",
    "empty.md",
    "empty.txt",
    "not_really.pdf",
    "only_bom.txt",
    "only_whitespace.txt",
    "pdf_bytes_named.txt",
    "truncated.pdf",
}


def documents(folder: str) -> dict[str, Document]:
    return {
        path.name: made
        for path in discover([DOCS / folder])
        for made in read(path, path.name)
        if isinstance(made, Document)
    }


def test_messy_files_are_read_or_named() -> None:
    failed = {
        path.name
        for path in discover([DOCS / "messy"])
        for made in read(path, path.name)
        if isinstance(made, SourceError)
    }
    assert failed == UNREADABLE


def test_messy_files_say_what_they_mean() -> None:
    made = documents("messy")
    assert "Tesla war bekannt für seine wissenschaftlichen" in made["latin1_de.txt"].text
    assert made["nfd_decomposed_fr.txt"].text == made["nfc_composed_fr.txt"].text
    assert made["zero_width_chars.txt"].text.startswith("Ada Lovelace worked with Charles Babbage")
    assert made["html_bad_markup.html"].title == "Café & co"
    assert made["nul_bytes.txt"].title == made["duplicate_a.txt"].title
    assert made["duplicate_a.txt"].digest == made["duplicate_b.txt"].digest


@pytest.mark.parametrize("folder", ["wikipedia_en", "httpx_docs", "multilang", "fastapi_docs/fr"])
def test_whole_folders_are_read(folder: str) -> None:
    made = documents(folder)
    assert made
    for document in made.values():
        assert "```" not in document.text
        assert all(document.text.startswith(s.title, s.start) for s in document.sections)


def test_titles_are_those_of_the_pages() -> None:
    titles = {name: made.title for name, made in documents("wikipedia_en").items()}
    assert titles["Android_robot_.txt"] == "Android (robot)"
    assert titles["Alien.txt"] == "Alien"


def test_the_main_text_of_pages_is_found() -> None:
    from lxml.html import fromstring

    made = documents("html")
    for name in ("heise", "ietf-1", "lemonde-1", "wikipedia-3", "wikipedia"):
        expected = DOCS / "html" / "expected_text" / f"{name}.expected.html"
        wanted = set(fromstring(expected.read_text("utf-8")).text_content().split())
        got = set(made[f"{name}.html"].text.split())
        assert len(wanted & got) > 0.85 * len(wanted), name
