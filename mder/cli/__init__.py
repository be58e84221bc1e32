"""The command ``mder``: build the graph, and look at it."""

from typing import Annotated

import typer

from mder.cli import doctor, index, life, look
from mder.console import application, run, say

app = application(
    "Build a knowledge graph from documents, and look at it.\n\n"
    "Example: mder index ./docs && mder stats && mder show 'Marie Curie'"
)


@app.callback(invoke_without_command=True)
def _version(
    *, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    if version:
        from mder import VERSION

        say(VERSION)
        raise typer.Exit


looking = (look.query, look.show, look.stats, look.failures, look.export)
changing = (index.index, life.remove, life.reembed, life.generations, life.rollback)
for command in (*changing, *looking, doctor.doctor):
    app.command()(command)


def main() -> None:
    """Run the command."""
    run(app, "mder")
