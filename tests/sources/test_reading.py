import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mder.errors import SourceError
from mder.records import Document
from mder.sources import read


def only(path: Path, key: str = "key") -> Document:
    (made,) = read(path, key)
    assert isinstance(made, Document)
    return made


def error(path: Path) -> str:
    (made,) = read(path, "key")
    assert isinstance(made, SourceError)
    return str(made)


def write(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize(
    ("name", "data", "title", "text"),
    [
        ("a.md", "# T\n\n*text*", "T", "T\n\ntext"),
        ("a.MARKDOWN", "*text*", "a", "text"),
        ("a.txt", "T\n\nSome text.", "T", "T\n\nSome text."),
        ("a.htm", "<title>T</title><p>text", "T", "text"),
        ("a.rst", "*text*", "a", "*text*"),
        ("notes", "Text.", "notes", "Text."),
        ("a.py", "x = 1", "a", "x = 1"),
    ],
)
def test_each_format_has_its_reader(
    tmp_path: Path, name: str, data: str, title: str, text: str
) -> None:
    made = only(write(tmp_path / name, data), "the key")
    assert (made.source, made.title, made.text, made.language) == ("the key", title, text, "")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Academy_Awards.txt", "Academy Awards"),
        ("event-hooks.md", "event hooks"),
        ("Jean-Paul_Sartre.txt", "Jean-Paul Sartre"),
        ("Android_robot_.txt", "Android robot"),
        ("e\u0301te\u0301.txt", "\u00e9t\u00e9"),
        ("___.txt", "___"),
    ],
)
def test_the_name_of_a_file_makes_a_title(tmp_path: Path, name: str, title: str) -> None:
    assert only(write(tmp_path / name, "A text.")).title == title


def test_an_index_page_is_named_after_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "my-project"
    folder.mkdir()
    assert only(write(folder / "README.md", "A text.")).title == "my project"


def test_a_page_in_an_old_encoding_is_read_as_it_declares(tmp_path: Path) -> None:
    data = '<meta charset="iso-8859-2"><title>Łódź</title><p>Miasto Łódź'.encode("iso-8859-2")
    assert only(write(tmp_path / "a.html", data)).text == "Miasto Łódź"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_rows_come_in_any_unicode(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path / "a.jsonl", '{"title": "è", "text": "Łódź"}\n\n'.encode(encoding))
    made = only(path)
    assert (made.title, made.text) == ("è", "Łódź")
    assert made.source.startswith("key#")


def test_bad_rows_are_named_with_their_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"text": "good"}\nbad\n')
    good, bad = read(path, "key")
    assert isinstance(good, Document)
    assert str(bad).startswith(f"{path}: line 2: not JSON")


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("empty.md", b"", "empty"),
        ("bom.txt", b"\xef\xbb\xbf", "empty"),
        ("blank.txt", b" \n\t\r\n", "empty"),
        ("code.md", b"```\nonly code\n```", "empty"),
        ("empty.jsonl", b"\n", "empty"),
        ("a.pdf", b"%PDF-1.5", "PDF is not read by this version"),
        ("a.docx", b"PK", "Word is not read by this version"),
        ("named.txt", b"%PDF-1.5", "a PDF"),
        ("binary.txt", bytes(range(256)) * 9, "binary, not text"),
    ],
)
def test_what_cannot_be_read_is_named_with_the_reason(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    message = error(write(tmp_path / name, data))
    assert message.startswith(f"{tmp_path / name}: {reason}")


def test_what_is_no_file_is_named_with_the_reason(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert error(tmp_path / "pipe.md").endswith("not a file")
    assert error(tmp_path / "gone.md").endswith("No such file or directory")
    assert error(tmp_path).endswith("a folder that cannot be opened")


def test_a_file_larger_than_the_limit_is_not_taken_into_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate((256 << 20) + 1)
    assert error(path).endswith("larger than 256 MB; split it")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.binary(max_size=400), st.sampled_from(["a.md", "a.txt", "a.html", "a.jsonl"]))
def test_no_file_raises(tmp_path: Path, data: bytes, name: str) -> None:
    for made in read(write(tmp_path / name, data), "key"):
        if isinstance(made, SourceError):
            assert "\n" not in str(made)
        else:
            assert made.text
            assert made.title
            assert f"{made.title}{made.text}".encode()
