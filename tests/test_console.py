import logging
import sys
from collections.abc import Callable

import pytest

from mder.console import application, progress_bars, run, say_json, warn
from mder.errors import (
    BudgetError,
    GraphError,
    MissingPackageError,
    ModelError,
    QueryError,
    SourceError,
    UsageError,
)

Attempt = Callable[[BaseException], tuple[object, str, str]]


@pytest.fixture
def attempt(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Attempt:
    """Run a command that raises; return the exit code and what was written."""

    def _attempt(error: BaseException) -> tuple[object, str, str]:
        app = application("A command that fails.")

        @app.callback()
        def _tool() -> None:
            """Keep ``fail`` a subcommand, though it is the only one."""

        @app.command()
        def fail() -> None:
            raise error

        monkeypatch.setattr("sys.argv", ["tool", "fail"])
        with pytest.raises(SystemExit) as caught:
            run(app, "tool")
        return caught.value.code, *capsys.readouterr()

    return _attempt


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("x"), 2),
        (GraphError("x"), 1),
        (QueryError("x"), 1),
        (SourceError("x"), 1),
        (ModelError("x", retryable=True), 1),
        (OSError("x"), 1),
    ],
)
def test_an_error_is_one_line_and_an_exit_code(
    attempt: Attempt, error: Exception, code: int
) -> None:
    assert attempt(error) == (code, "", "tool: x\n")


def test_what_is_missing_is_told_with_the_command_that_installs_it(attempt: Attempt) -> None:
    code, out, err = attempt(MissingPackageError("xllamacpp", "mder-dr[gguf]"))
    assert (code, out) == (1, "")
    assert err == "tool: xllamacpp is not installed; run: pip install 'mder-dr[gguf]'\n"


def test_a_spent_budget_is_a_part_done_and_says_how_to_go_on(attempt: Attempt) -> None:
    code, out, err = attempt(BudgetError("the budget of 5 tokens is used up in map"))
    assert (code, out) == (3, "")
    assert err.startswith("tool: the budget of 5 tokens is used up in map; what was done is kept")


def test_each_warning_of_the_library_is_one_line_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    app = application("A command that warns.")

    @app.command()
    def warns() -> None:
        logging.getLogger("mder.somewhere").warning("no %s:\n%s", "triples", "it is empty")

    monkeypatch.setattr("sys.argv", ["tool"])
    for _ in range(2):
        with pytest.raises(SystemExit):
            run(app, "tool")
        assert capsys.readouterr() == ("", "no triples: it is empty\n")


def test_a_message_of_several_lines_becomes_one(attempt: Attempt) -> None:
    assert attempt(GraphError("one\n  two\r\n\tthree"))[2] == "tool: one two three\n"


def test_whoever_stops_a_run_is_told_how_to_go_on(attempt: Attempt) -> None:
    code, out, err = attempt(KeyboardInterrupt())
    assert (code, out) == (130, "")
    assert "run the same command to go on" in err


def test_a_fault_of_the_program_is_not_hidden(attempt: Attempt) -> None:
    with pytest.raises(KeyError):
        attempt(KeyError("x"))


def test_json_is_one_line_in_any_script(capsys: pytest.CaptureFixture[str]) -> None:
    say_json({"name": "Москва\n東京", "kinds": ("a", "b")})
    assert capsys.readouterr().out == '{"name": "Москва\\n東京", "kinds": ["a", "b"]}\n'


def test_a_warning_is_one_line_beside_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    warn("one\ntwo")
    assert capsys.readouterr() == ("", "one two\n")


def test_progress_is_silent_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bars(shown=True) as progress:
        progress("read", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_progress_is_shown_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress_bars(shown=True) as progress:
        for done in range(3):
            progress("read", done, 2)
    with progress_bars(shown=False) as progress:
        progress("never", 1, 2)
    out, err = capsys.readouterr()
    assert out == ""
    assert "read" in err
    assert "never" not in err
