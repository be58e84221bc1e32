"""What both commands share: errors as one line, exit codes, progress, JSON."""

import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from mder.errors import BudgetError, MderError, UsageError

FAILED, USAGE, PARTLY, INTERRUPTED = 1, 2, 3, 130


def application(help_text: str) -> typer.Typer:
    """Return a command with the look that both share."""
    return typer.Typer(
        help=help_text,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def run(app: typer.Typer, name: str) -> None:
    """Run a command; known errors become one line on standard error and an exit code.

    0 is done, 1 failed, 2 wrong usage, 3 partly done.
    """
    lines = _Lines()
    logging.getLogger("mder").addHandler(lines)
    try:
        app(prog_name=name)
    except UsageError as error:
        _fail(f"{name}: {error}", USAGE)
    except BudgetError as error:
        _fail(f"{name}: {error}; what was done is kept, raise it to go on", PARTLY)
    except MderError as error:
        _fail(f"{name}: {error}", FAILED)
    except SystemExit as stop:
        # Typer makes this of Control-C.
        if stop.code != INTERRUPTED:
            raise
        _fail(f"{name}: stopped; what was done is kept, run the same command to go on", INTERRUPTED)
    except BrokenPipeError:
        # The reader of the pipe has what it wanted; nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _fail(f"{name}: {error}", FAILED)
    finally:
        # Whoever runs a second command in this process is told everything once.
        logging.getLogger("mder").removeHandler(lines)


class _Lines(logging.Handler):
    """Shows warnings of the library as one line each, above any progress bar."""

    def emit(self, record: logging.LogRecord) -> None:
        text = " ".join(record.getMessage().split())
        if sys.stderr.isatty() and "tqdm" in sys.modules:
            from tqdm import tqdm

            tqdm.write(text, file=sys.stderr)
        else:
            warn(text)


def _fail(message: str, code: int) -> None:
    typer.echo(" ".join(message.split()), err=True)
    raise SystemExit(code)


def read_lines() -> Iterator[str]:
    """Yield the lines of standard input; bytes that are no UTF-8 become U+FFFD."""
    for line in typer.get_binary_stream("stdin"):
        yield line.decode("utf-8", errors="replace").rstrip("\r\n")


def say(text: str) -> None:
    """Write to standard output."""
    typer.echo(text)


def say_json(value: object) -> None:
    """Write one JSON value on one line."""
    typer.echo(json.dumps(value, ensure_ascii=False, default=str))


def warn(text: str) -> None:
    """Write one line to standard error."""
    typer.echo(" ".join(text.split()), err=True)


def aside(text: str) -> None:
    """Write to standard error as it is."""
    typer.echo(text, err=True)


@contextmanager
def progress_bars(shown: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Give a function that shows how far each stage is, on a terminal only."""
    if not shown or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from tqdm import tqdm

    bars: dict[str, tqdm[object]] = {}

    def update(stage: str, done: int, total: int) -> None:
        if stage not in bars:
            bars[stage] = tqdm(iterable=(), desc=stage, total=total, unit="", leave=False)
        bars[stage].n = done
        bars[stage].refresh() if done == total else bars[stage].update(0)

    try:
        yield update
    finally:
        for bar in bars.values():
            bar.close()
