from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.errors import SourceError
from mder.sources.encoding import decode

ENGLISH = "Marie Curie was born in Warsaw and worked in Paris with Pierre.\n"
FRENCH = "L'été où la forêt équatoriale était déjà là, près d'un « château » à 5 €, c'était Noël.\n"
POLISH = "Mikołaj Kopernik urodził się w Toruniu, a zmarł we Fromborku; sformułował teorię.\n" * 3
RUSSIAN = "Москва — столица России, город федерального значения на реке Москве.\n" * 3
JAPANESE = "建築家とは、建物の設計や工事の監理などを職業とする専門家のことである。\n" * 3
CHINESE = "华沙是波兰的首都、也是最大的城市、位于维斯瓦河畔。\n" * 3


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-8"])
@pytest.mark.parametrize("text", [ENGLISH, FRENCH, JAPANESE])
def test_unicode_is_read_with_its_mark(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_is_known_by_its_nuls(encoding: str) -> None:
    assert decode(FRENCH.encode(encoding)) == FRENCH


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (FRENCH, "cp1252"),
        (FRENCH[:30], "latin-1"),
        (POLISH, "cp1250"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (CHINESE, "gb18030"),
    ],
)
def test_the_encodings_of_old_files_are_guessed(text: str, encoding: str) -> None:
    data = text.encode(encoding, errors="ignore")
    assert decode(data) == data.decode(encoding)


def test_what_a_page_declares_is_believed_where_utf8_fails() -> None:
    assert decode("Łódź".encode("iso8859-2"), declared="ISO-8859-2") == "Łódź"
    assert decode("“Łódź”".encode(), declared="windows-1252") == "“Łódź”"
    assert decode("日本".encode("iso2022_jp"), declared="iso-2022-jp") == "日本"
    assert decode(b"caf\xe9 \x93", declared="iso-8859-1") == "café “"


@pytest.mark.parametrize("declared", ["unicode_escape", "hex", "utf-7", "no such", "\0", ""])
def test_a_label_that_is_no_encoding_of_pages_is_ignored(declared: str) -> None:
    assert decode(rb"a \x41 +AGE-", declared=declared) == r"a \x41 +AGE-"


def test_a_few_damaged_bytes_do_not_change_the_encoding() -> None:
    damaged = FRENCH.encode() + b"\xff\xfe tail"
    assert decode(damaged) == FRENCH + "\ufffd\ufffd tail"


def test_a_few_nuls_do_not_make_a_text_binary() -> None:
    assert decode(b"\0" + ENGLISH.encode()) == "\0" + ENGLISH


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"%PDF-1.5\n...", "a PDF"),
        (b"PK\x03\x04....", "ZIP"),
        (bytes(range(256)) * 20, "binary"),
        (b"\x7fELF\x02\x01\x01" + b"\0" * 500, "binary"),
    ],
)
def test_what_is_no_text_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        decode(data)


@given(st.binary(max_size=300), st.text(max_size=20))
def test_any_bytes_give_text_or_a_source_error(data: bytes, declared: str) -> None:
    with suppress(SourceError):
        assert isinstance(decode(data, declared), str)
