"""Build a graph, ask it, and query it, without the command line.

Run it from anywhere: ``python examples/library.py [FOLDER-FOR-THE-GRAPH]``.
"""

import sys
import tempfile
from pathlib import Path

from dr import Answer, open_engine
from mder import Graph, build

HERE = Path(__file__).parent
QUESTION = "Where was the mother of Irène Joliot-Curie born?"


def main(kg: Path) -> None:
    """Index the example documents into ``kg``, ask one question, and run one query."""
    graph = build(HERE / "documents", kg)
    engine = open_engine(graph)
    show(engine.ask(QUESTION))
    show_timeline(graph)


def show(answer: Answer) -> None:
    """Print an answer, the passages it rests on, and the steps that led to it."""
    print(answer.question)
    print(answer.text)
    for citation in answer.citations:
        print(f"  [{citation.number}] {citation.title}: {citation.quote}")
    for hop in answer.hops:
        found = hop.chosen.value if hop.chosen else "nothing"
        print(f"  {hop.resolved.subject} {hop.resolved.predicate} {hop.resolved.object}: {found}")


def show_timeline(graph: Graph) -> None:
    """Print the first rows of the timeline query."""
    rows = list(graph.query((HERE / "queries" / "timeline.rq").read_text(encoding="utf-8")))
    print(f"\n{len(rows)} dated statements; the first five:")
    for _, date, _, _, title, description in rows[:5]:
        print(f"  {date}: {description} ({title})")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder))
