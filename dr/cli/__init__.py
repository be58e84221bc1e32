"""The command ``dr``: ask the graph, and measure how well it answers."""

from dr.cli import ask, evaluate
from mder.console import application, run

app = application(
    "Answer multi-hop questions from a knowledge graph, with citations.\n\n"
    "Example: dr ask 'Where was the mother of Ada Lovelace born?' --trace"
)
app.command()(ask.ask)
app.command("eval")(evaluate.evaluate)


def main() -> None:
    """Run the command."""
    run(app, "dr")
