"""Runs a command in this process, as its script would."""

import io
from collections.abc import Callable
from dataclasses import dataclass

import pytest


@dataclass(frozen=True, slots=True)
class Run:
    """What a command left behind."""

    code: int
    out: str
    err: str


class Console:
    """Runs commands and catches what they print."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, main: Callable[[], None], *arguments: object, stdin: str = "") -> Run:
        self._monkeypatch.setattr("sys.argv", ["command", *map(str, arguments)])
        typed = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        self._monkeypatch.setattr("sys.stdin", typed)
        self._capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        printed = self._capsys.readouterr()
        return Run(code, printed.out, printed.err)
