"""``dr eval``."""

import logging
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from mder.console import FAILED, PARTLY, progress_bars, say, say_json
from mder.errors import UsageError

if TYPE_CHECKING:
    from dr.evaluate.asking import Judge, Outcome
    from mder.graph.store import Graph
    from mder.pipeline import Progress

# Tells as a warning of the library does: above any progress bar.
_tell = logging.getLogger("mder.console").warning


def evaluate(
    questions: Annotated[
        str, typer.Argument(help="JSONL or CSV with a question a row; - reads stdin.")
    ],
    corpus: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="The documents; rows count over all, in order."),
    ] = None,
    kg: Annotated[
        Path | None,
        typer.Option("--kg", metavar="DIR", help="A graph; made of the corpus if it is not there."),
    ] = None,
    retriever: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="One to ask with; may be repeated.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="The first N questions.")] = None,
    llm: Annotated[
        str, typer.Option(metavar="PROVIDER/MODEL", help="The one to answer; syntax is none.")
    ] = "syntax",
    judge: Annotated[
        str, typer.Option(metavar="PROVIDER/MODEL", help="The one to mark answers.")
    ] = "",
    embedder: Annotated[
        str, typer.Option(metavar="NAME", help="The embedding model, where it is a server.")
    ] = "",
    seed: Annotated[int, typer.Option(min=0, help="Of the resamples.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write results and plots.")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on one line.")] = False,
) -> None:
    """Ask questions whose answers are known, and measure how good the answers are.

    Without --kg, the corpus is indexed without a language model, and the graph thrown away. Exit
    code 3: some questions got no reply.

    Example: dr eval questions.jsonl --corpus corpus.jsonl --kg ./kg --limit 100 --out results
    """
    from dr.engine import open_engine
    from dr.evaluate.asking import Exam
    from dr.evaluate.datasets import read_examples
    from dr.evaluate.documents import documents_of
    from dr.evaluate.figures import figures_of
    from dr.evaluate.report import as_record, markdown
    from dr.evaluate.results import Results

    names = _checked(retriever, out)
    examples = read_examples(_read(questions), questions, limit)
    with (
        progress_bars(shown=not as_json) as progress,
        _graph(corpus or (), kg, embedder, progress) as graph,
    ):
        documents = documents_of(graph, corpus or (), counted=any(e.rows for e in examples))
        asked = [(example, documents.support(example)) for example in examples]
        _tell_missing(documents.missing([support for _, support in asked]))
        exam = Exam(asked, judge=_judge(judge, graph), told=_tell, progress=progress)
        opened = partial(open_engine, graph, llm=llm, embedder=embedder, ledger=exam.ledger)
        outcomes = exam.hold({name: partial(opened, retriever=name) for name in names})
    figures = figures_of(outcomes, [example.type for example in examples], seed)
    if out is not None:
        about = {"questions_file": questions, "corpora": list(map(str, corpus or ()))}
        made = {"graph": graph.manifest.settings, "llm": llm, "judge": judge}
        results = Results(asked, outcomes, figures, seed, {**about, **made})
        results.write(out, shlex.join(["dr", *sys.argv[1:]]))
    if as_json:
        say_json({name: as_record(one) for name, one in figures.items()})
    else:
        say(markdown(figures, seed).rstrip())
    _exit([outcome for found in outcomes.values() for outcome in found])


def _checked(retrievers: Sequence[str] | None, out: Path | None) -> list[str]:
    """Return the retrievers to ask with, and see that nothing fails after all was asked."""
    from dr.evaluate import plots
    from dr.retrievers import DEFAULT, RETRIEVERS

    names = list(dict.fromkeys(retrievers or (DEFAULT,)))
    for name in names:
        if name not in RETRIEVERS:
            raise UsageError(f"no retriever {name!r}; choose of {', '.join(RETRIEVERS)}")
    if out is not None:
        plots.require()
        out.mkdir(parents=True, exist_ok=True)
    return names


def _read(questions: str) -> bytes:
    if questions == "-":
        return typer.get_binary_stream("stdin").read()
    try:
        return Path(questions).read_bytes()
    except OSError as error:
        raise UsageError(
            f"{questions}: {error.strerror}; name a file of questions, or - for stdin"
        ) from error


@contextmanager
def _graph(
    corpora: Sequence[Path], kg: Path | None, embedder: str, progress: "Progress"
) -> Iterator["Graph"]:
    """Open the graph that is named, or make one of the corpora."""
    from mder import library
    from mder.choice import Models
    from mder.graph.generations import Home

    if not corpora or (kg is not None and Home.at(kg).published):
        yield library.open_graph(kg)
        return
    with TemporaryDirectory(ignore_cleanup_errors=True) as passing:
        graph, done = library.index(
            corpora,
            kg or Path(passing) / "kg",
            models=Models(llm="syntax", embedder=embedder or None),
            progress=progress,
            told=_tell,
        )
        for reason in done.skipped:
            _tell("skipped %s", reason)
        yield graph


def _judge(name: str, graph: "Graph") -> "Judge | None":
    """Open who marks answers, if anybody; what that takes is not counted as asking."""
    from mder.reasoners import Terms, open_reasoner
    from mder.settings import Settings

    if not name:
        return None
    settings = Settings().changed(graph.manifest.settings)
    terms = Terms(
        requests_per_minute=settings.requests_per_minute,
        tokens_per_minute=settings.tokens_per_minute,
        reply_tokens=settings.reply_tokens,
    )
    return open_reasoner("" if name == "syntax" else name, settings.language, terms=terms).judge


def _tell_missing(count: int) -> None:
    if count:
        _tell("not in the graph, so that they are never found: %d supporting documents", count)


def _exit(outcomes: "Sequence[Outcome]") -> None:
    failed = sum(bool(outcome.error) for outcome in outcomes)
    if failed:
        raise typer.Exit(FAILED if failed == len(outcomes) else PARTLY)
