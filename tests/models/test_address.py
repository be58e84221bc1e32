import pytest

from mder.errors import UsageError
from mder.models.address import address

BARE, WHOLE = "host:11434", "http://host:port/v1"


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("", BARE),
        ("127.0.0.1", BARE),
        (":11434", BARE),
        ("[::1]:11434", BARE),
        ("example.org/path", BARE),
        ("https://example.org", BARE),
        ("", WHOLE),
        ("http://localhost:8000/v1", WHOLE),
        ("https://example.org/v1", WHOLE),
    ],
)
def test_address_is_taken_as_it_is(value: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVER", value)
    assert address("SERVER", form) == value


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("foo:bar", BARE),
        ("foo:99999", BARE),
        ("foo:0", BARE),
        ("http://[::1", BARE),
        ("ftp://foo", BARE),
        ("localhost:8000/v1", WHOLE),
        ("example.org/v1", WHOLE),
        ("http://foo:bar/v1", WHOLE),
        ("http://", WHOLE),
    ],
)
def test_what_is_no_address_is_shown_with_how_to_write_one(
    value: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVER", value)
    with pytest.raises(UsageError) as caught:
        address("SERVER", form)
    assert str(caught.value) == f"SERVER is {value!r}, which is no address; set it as {form}"


def test_variable_that_is_not_set_names_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SERVER", raising=False)
    assert address("SERVER", BARE) == ""
