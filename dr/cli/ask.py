"""``dr ask``."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from dr.retrievers import DEFAULT, RETRIEVERS
from mder.console import PARTLY, read_lines, say, say_json, warn
from mder.errors import ReplyError, UsageError


def ask(
    question: Annotated[str, typer.Argument(help="The question; - reads one a line from stdin.")],
    kg: Annotated[
        Path | None,
        typer.Option("--kg", metavar="DIR", help="The graph's directory [MDER_KG, else .mder]."),
    ] = None,
    llm: Annotated[
        str,
        typer.Option(
            metavar="PROVIDER/MODEL", help="ollama/…, openai/… or syntax, the default: no LLM."
        ),
    ] = "syntax",
    embedder: Annotated[
        str,
        typer.Option(metavar="NAME", help="The graph's embedding model, where it is a server."),
    ] = "",
    retriever: Annotated[
        str, typer.Option(metavar="NAME", help=f"What finds evidence: {', '.join(RETRIEVERS)}.")
    ] = DEFAULT,
    top_k: Annotated[int | None, typer.Option(min=1, help="Entities tried for a name [5].")] = None,
    max_evidence: Annotated[
        int | None, typer.Option(min=1, help="The most evidence used [30].")
    ] = None,
    extra: Annotated[
        int | None, typer.Option(min=0, help="Summaries added by their likeness [10].")
    ] = None,
    *,
    trace: Annotated[bool, typer.Option(help="Show each hop.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a question.")] = False,
) -> None:
    """Answer a question from the graph alone.

    An answer that the graph does not support is not given; the exit code is 0 all the same.

    Example: dr ask 'Who directed the film that Ann Lee wrote?' --json
    """
    from dr.engine import open_engine
    from dr.trace import as_record, lines
    from mder.library import open_graph

    graph = open_graph(kg)
    engine = open_engine(
        graph,
        llm=llm,
        embedder=embedder,
        retriever=retriever,
        top_k=top_k,
        max_evidence=max_evidence,
        extra=extra,
    )
    failed = False
    for text in _questions(question):
        try:
            answer = engine.ask(text)
        except ReplyError as error:
            # One reply that cannot be used does not end a batch.
            failed = True
            warn(f"{text}: {error}")
            if as_json:
                say_json({"question": text, "answered": False, "error": str(error)})
            continue
        if as_json:
            say_json(as_record(answer, trace=trace))
        else:
            say("\n".join(lines(answer, trace=trace)))
    if failed:
        raise typer.Exit(PARTLY)


def _questions(question: str) -> Iterator[str]:
    if question == "-":
        texts = (line.strip() for line in read_lines())
        yield from (text for text in texts if text)
    elif question.strip():
        yield question.strip()
    else:
        raise UsageError("the question is empty; write one, or - to read them from stdin")
