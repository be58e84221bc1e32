"""Parses of long Documents, kept so that a change in one place leaves the others parsed."""

from typing import Protocol


class Parses(Protocol):
    """Where parses are kept; the journal is one."""

    def parses(self, source: str, version: str) -> bytes | None:
        """Return what is kept of a Document, if it was made by this version of the parser."""

    def keep_parses(self, source: str, version: str, parses: bytes) -> None:
        """Keep what was parsed of a Document in place of all before; durable when this returns."""


class NoParses:
    """Keeps nothing: for a Document that is read once."""

    def parses(self, source: str, version: str) -> bytes | None:  # noqa: ARG002
        """Know nothing."""
        return None

    def keep_parses(self, source: str, version: str, parses: bytes) -> None:
        """Keep nothing."""


NOWHERE = NoParses()
