"""Runs that end before they are done: nothing that was paid for is asked for again."""

import json
import os
import signal
import threading
from pathlib import Path

import pytest

from mder.library import open_graph
from tests import stubs
from tests.doubles import Done
from tests.pipeline.served import (
    ASKING,
    PAGES,
    Command,
    answer,
    connect,
    knowledge,
    report,
    stats,
)
from tests.samples import save

TINY = ("--llm", "ollama/tiny", *ASKING)
CALLS = 13


@pytest.fixture
def docs(elsewhere: Path) -> Path:
    return save(elsewhere / "docs", PAGES)


def run(
    mder: Command, monkeypatch: pytest.MonkeyPatch, *options: object, faults: stubs.Faults = ()
) -> tuple[Done, list[str]]:
    """Index with a server of its own; return what was done and the requests, as they came."""
    with stubs.ollama(answer, faults=faults) as url:
        connect(monkeypatch, url)
        done = mder("index", *options)
    return done, [json.dumps(r.body) for r in url.requests if r.path == "/api/chat"]


@pytest.mark.parametrize("jobs", [1, 4])
@pytest.mark.parametrize("after", [0, 1, 5, 9, 12])
def test_a_run_that_died_goes_on_where_it_was(
    after: int, jobs: int, mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = iter(range(after))
    gone = stubs.Status(401, "go away")
    died, first = run(
        mder,
        monkeypatch,
        docs,
        *TINY,
        "--jobs",
        jobs,
        faults=lambda _: None if next(left, None) is not None else gone,
    )
    assert died.code == 1
    assert "go away" in died.err.splitlines()[-1]
    assert not (docs.parent / ".mder" / "CURRENT").exists()

    done, rest = run(mder, monkeypatch, docs, *TINY, "--jobs", jobs, "--json")
    assert done.code == 0
    assert len(rest) == CALLS - after
    assert not any(spent["failed"] for spent in report(done)["spent"].values())
    assert not set(rest) & set(first[:after] if jobs == 1 else ())
    assert sum(told["calls"] for told in stats(mder)["ledger"].values()) == CALLS
    run(mder, monkeypatch, docs, *TINY, "--kg", "sound")
    assert knowledge(open_graph()) == knowledge(open_graph("sound"))


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_budget_is_kept_to_and_run_after_run_the_graph_is_done(
    jobs: int, mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = 3500
    seen: list[str] = []
    for _ in range(9):
        done, requests = run(
            mder, monkeypatch, docs, *TINY, "--max-tokens", limit, "--jobs", jobs, "--json"
        )
        assert not set(requests) & set(seen)
        seen += requests
        if not done.code:
            break
        assert done.code == 3
        stopped = report(done)
        assert stopped["stopped"] is True
        spent = stopped["spent"].values()
        assert sum(told["tokens_in"] + told["tokens_out"] for told in spent) <= limit
        assert f"the budget of {limit} tokens is used up in " in done.err.splitlines()[-1]
        assert "what was done is kept" in done.err.splitlines()[-1]
        assert not (docs.parent / ".mder" / "CURRENT").exists()
    assert done.code == 0
    assert len(seen) == CALLS
    spent = report(done)["spent"].values()
    assert sum(told["tokens_in"] + told["tokens_out"] for told in spent) <= limit
    ledger = stats(mder)["ledger"].values()
    assert sum(told["tokens_in"] + told["tokens_out"] for told in ledger) > limit
    assert mder("failures").out == ""


def test_a_budget_that_is_too_small_for_anything_asks_nothing(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, requests = run(mder, monkeypatch, docs, *TINY, "--max-tokens", 9)
    assert (done.code, done.out, requests) == (3, "", [])
    assert mder("failures").out == ""


def test_the_graph_that_was_there_stays_when_the_budget_is_spent(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mder("index", docs / "halden.md")
    before = knowledge(open_graph())
    done, _ = run(mder, monkeypatch, docs, *TINY, "--max-tokens", 2000)
    assert done.code == 3
    assert knowledge(open_graph()) == before


def test_a_budget_of_money_needs_prices(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, requests = run(mder, monkeypatch, docs, *TINY, "--max-cost", 0.01)
    assert (done.code, requests) == (2, [])
    assert "needs prices; say --set price_in=… --set price_out=…" in done.err
    prices = ("--set", "price_in=1", "--set", "price_out=2")
    done, requests = run(mder, monkeypatch, docs, *TINY, "--max-cost", 0.004, *prices)
    assert done.code == 3
    assert "the budget of 0.004 is used up in " in done.err
    assert 0 < len(requests) < CALLS
    done, rest = run(mder, monkeypatch, docs, *TINY, "--max-cost", 1, *prices)
    assert done.code == 0
    assert len(rest) == CALLS - len(requests)


PROSE = "Anna Holt lived in town number {}, and she liked it well. "
LONG = "\n\n".join("".join(PROSE.format(10 * k + n) for n in range(10)) for k in range(40))


@pytest.mark.parametrize("jobs", [1, 4])
def test_control_c_ends_a_run_soon_and_loses_nothing(
    jobs: int, mder: Command, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(elsewhere / "docs", {"long.md": LONG, "short.md": PAGES["halden.md"]})
    options = ("docs", "--llm", "ollama/tiny", "--jobs", jobs)
    count = iter(range(1, 10_000))

    def press(_: stubs.Recorded) -> stubs.Fault:
        if next(count) == 6:
            threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
        return stubs.Slow(0.05)

    done, first = run(mder, monkeypatch, *options, faults=press)
    assert (done.code, done.out) == (130, "")
    assert "run the same command to go on" in done.err
    assert len(first) <= 6 + 4 * jobs  # of 43

    done, rest = run(mder, monkeypatch, *options, "--json")
    assert done.code == 0
    again = set(first) & set(rest)
    assert len(again) <= (1 if jobs == 1 else 0)
    assert sum(s["failed"] for s in report(done)["spent"].values()) == 0
