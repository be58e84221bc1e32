"""Addresses of servers, as the environment names them."""

import os
from urllib.parse import urlsplit

from mder.errors import UsageError


def address(variable: str, form: str) -> str:
    """Return the address that a variable holds, ``""`` where it holds none.

    :param form: how to write one; without ``http://``, that may be left out.
    :raises UsageError: when it can be none.
    """
    given = os.environ.get(variable, "")
    whole = given if "://" in f"{given} {form}" else f"http://{given}"
    if given and not _usable(whole):
        raise UsageError(f"{variable} is {given!r}, which is no address; set it as {form}")
    return given


def _usable(whole: str) -> bool:
    try:
        parts = urlsplit(whole)
        return parts.scheme in ("http", "https") and bool(parts.netloc) and parts.port != 0
    except ValueError:
        return False
