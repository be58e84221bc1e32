"""What a test sees of a graph."""

import io

from mder.graph import export
from mder.graph.generations import Home
from mder.graph.store import Graph


def opened(home: Home) -> Graph:
    return Graph.open(home.current())


def quads(home: Home) -> str:
    """Return a whole graph as canonical N-Quads; it has no blank nodes."""
    output = io.BytesIO()
    export.dump(opened(home), "nquads", output)
    return "\n".join(sorted(output.getvalue().decode().splitlines()))


def facts(home: Home) -> set[tuple[str, str, str]]:
    graph = opened(home)
    names = [name for (name,) in graph.query("SELECT ?n { ?e mder:hasName ?n ; a mder:Entity }")]
    triples = [triple for name in names for triple in graph.triples(name)]
    return {(t.subject.name, t.predicate, t.object.name) for t in triples}


def sources(home: Home) -> set[str]:
    rows = opened(home).query("SELECT ?s { ?d a mder:Document ; mder:hasUri ?s }")
    return {source for (source,) in rows}
