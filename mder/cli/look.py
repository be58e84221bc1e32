"""The commands that read a graph: query, show, stats, failures, export."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from mder.cli.options import AsJson, Kg
from mder.console import read_lines, say, say_json
from mder.errors import UsageError

if TYPE_CHECKING:
    from mder.graph.manifest import Cost

Format: TypeAlias = Literal["table", "json", "csv", "tsv", "turtle"]
Dump: TypeAlias = Literal["nquads", "trig", "ntriples"]


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
            "reasoners": made.reasoners,
            "embedder": made.embedder,
            "dimension": made.dimension,
            "settings": made.settings,
        },
        "ledger": _ledger(made.costs),
    }
    if as_json:
        say_json(facts)
    else:
        say("\n".join(_listed(facts)))


def _ledger(costs: "Sequence[Cost]") -> dict[str, dict[str, object]]:
    """Return what was asked of models by stage, over all runs until the graph was made."""
    ledger: dict[str, dict[str, object]] = {}
    for cost in costs:
        figures: dict[str, object] = {"model": cost.model, **cost.figures}
        before = ledger.get(cost.stage)
        if before is not None:
            # Another model did this stage before.
            figures |= {k: before[k] + v for k, v in cost.figures.items()}  # type: ignore[operator]
            figures["model"] = f"{before['model']}, {cost.model}"
        ledger[cost.stage] = figures
    return ledger


def failures(kg: Kg = None, *, as_json: AsJson = False) -> None:
    """Show what is missing because no reply of a model could be used, with the last reply.

    Example: mder failures && mder index --retry-failed --llm ollama/gpt-oss:20b
    """
    from mder.library import failures as failed

    found = failed(kg)
    if as_json:
        say_json([asdict(failure) for failure in found])
        return
    for failure in found:
        reply = " ".join(failure.reply.split())
        say(f"{failure.stage}: no {failure.about}: {failure.problem}\n  reply: {reply or 'none'}")


def _listed(facts: dict[str, object], indent: str = "") -> list[str]:
    listed: list[str] = []
    for key, value in facts.items():
        if isinstance(value, dict):
            listed += [f"{indent}{key}:", *_listed(value, indent + "  ")]
        else:
            listed.append(f"{indent}{key}: {value}")
    return listed


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
