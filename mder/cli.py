"""The command ``mder``: build the graph, and look at it."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from mder.console import (
    FAILED,
    PARTLY,
    application,
    progress_bars,
    read_lines,
    run,
    say,
    say_json,
    warn,
)
from mder.errors import UsageError

if TYPE_CHECKING:
    from mder.pipeline import Report

app = application(
    "Build a knowledge graph from documents, and look at it.\n\n"
    "Example: mder index ./docs && mder stats && mder show 'Marie Curie'"
)

Format: TypeAlias = Literal["table", "json", "csv", "tsv", "turtle"]
Dump: TypeAlias = Literal["nquads", "trig", "ntriples"]
Kg: TypeAlias = Annotated[
    Path | None,
    typer.Option("--kg", metavar="DIR", help="The graph's directory [MDER_KG, else .mder]."),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON object on one line.")]


@app.callback(invoke_without_command=True)
def _version(
    *, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    if version:
        from mder import VERSION

        say(VERSION)
        raise typer.Exit


@app.command()
def index(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Files and folders.")],
    kg: Kg = None,
    llm: Annotated[
        str | None,
        typer.Option(
            metavar="PROVIDER/MODEL", help="ollama/…, openai/… or syntax, the default: no LLM."
        ),
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A sentence-transformers name, ollama/… or openai/…"),
    ] = None,
    include: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only files that match.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="No files that match.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Documents read at a time.")] = 1,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting, such as merge_threshold=0.9."),
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Bring the graph to the state of these documents.

    What did not change costs nothing; documents not named stay. Exit code 3: some files could not
    be read.

    Example: mder index ./docs notes.md --exclude '*.draft.md'
    """
    from mder import library

    with progress_bars(shown=not as_json) as progress:
        graph, report = library.index(
            paths,
            kg,
            llm=llm,
            embedder=embedder,
            assignments=setting or (),
            include=include or (),
            exclude=exclude or (),
            jobs=jobs,
            progress=progress,
        )
    counts = graph.statistics()
    _tell(report, counts, as_json=as_json)
    if not report.read + report.kept:
        warn("mder: no document was found that can be read")
        raise typer.Exit(FAILED)
    if report.skipped or report.failed:
        raise typer.Exit(PARTLY)


def _tell(report: "Report", counts: dict[str, int | dict[str, int]], *, as_json: bool) -> None:
    for reason in report.skipped:
        warn(f"skipped {reason}")
    for source in report.failed:
        warn(f"{source}: not mapped whole; run the same command again to try the rest")
    if report.gone:
        warn(f"{len(report.gone)} documents stay though their files are gone: {report.gone[0]} …")
    for source, language in report.unread:
        warn(f"{source}: text in {language!r} gives no triples, but can be searched")
    if as_json:
        say_json({**asdict(report), "counts": counts})
        return
    held = ", ".join(f"{counts[k]} {k}" for k in ("documents", "chunks", "triples", "entities"))
    skipped = len(report.skipped)
    say(f"read {report.read}, unchanged {report.kept}, skipped {skipped}; the graph holds {held}")


@app.command()
def query(
    sparql: Annotated[
        str | None, typer.Argument(metavar="'SELECT …'", help="The query; - reads it from stdin.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("-f", "--file", metavar="FILE", help="Read the query from here.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="How to print.")] = "table",
    kg: Kg = None,
) -> None:
    """Ask the graph in SPARQL; the prefixes mder, ent, rel, type, skos, dcterms, prov are known.

    Example: mder query 'SELECT ?a ?b { ?a rel:WAS_BORN_IN ?b }'
    """
    from mder.library import open_graph

    say(open_graph(kg).query(_text(sparql, file)).render(form).rstrip("\n"))


def _text(sparql: str | None, file: Path | None) -> str:
    if (sparql is None) == (file is None):
        raise UsageError("give the query either as an argument or with -f FILE")
    if file is not None and str(file) != "-":
        try:
            return file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{file}: cannot read the query: {error}") from error
    return "\n".join(read_lines()) if "-" in {sparql, str(file)} else str(sparql)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="A name or alias of an entity.")],
    kg: Kg = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show what is known of an entity: types, aliases, summary, triples, sources.

    Example: mder show 'Marie Curie'
    """
    from mder.library import open_graph
    from mder.show import lines, portraits

    found = portraits(open_graph(kg), name)
    if as_json:
        say_json([asdict(portrait) for portrait in found])
    else:
        say("\n\n".join("\n".join(lines(portrait)) for portrait in found))


@app.command()
def stats(kg: Kg = None, *, as_json: AsJson = False) -> None:
    """Count what the graph holds, and tell what it was built with.

    Example: mder stats --json
    """
    from mder.library import open_graph

    graph = open_graph(kg)
    made = graph.manifest
    facts: dict[str, object] = {
        **graph.statistics(),
        "generation": int(graph.path.name),
        "built": {
            "with": f"mder-dr {made.version}",
            "at": made.created,
            "reasoner": made.reasoner,
            "embedder": made.embedder,
            "dimension": made.dimension,
            "settings": made.settings,
        },
    }
    if as_json:
        say_json(facts)
    else:
        say("\n".join(_listed(facts)))


def _listed(facts: dict[str, object], indent: str = "") -> list[str]:
    listed: list[str] = []
    for key, value in facts.items():
        if isinstance(value, dict):
            listed += [f"{indent}{key}:", *_listed(value, indent + "  ")]
        else:
            listed.append(f"{indent}{key}: {value}")
    return listed


@app.command()
def export(
    kg: Kg = None,
    form: Annotated[
        Dump, typer.Option("--format", help="With or without the named graphs.")
    ] = "nquads",
) -> None:
    """Write the whole graph to standard output, for other RDF tools.

    Example: mder export > graph.nq
    """
    from mder.graph.export import dump
    from mder.library import open_graph

    dump(open_graph(kg), form, typer.get_binary_stream("stdout"))


def main() -> None:
    """Run the command."""
    run(app, "mder")
