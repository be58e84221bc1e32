"""The whole graph as a file that other tools read."""

from typing import IO, TYPE_CHECKING
from typing import Literal as OneOf

import pyoxigraph as ox

from mder.errors import UsageError
from mder.graph.vocabulary import PREFIXES

if TYPE_CHECKING:
    from mder.graph.store import Graph

FORMATS = {
    "nquads": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "ntriples": ox.RdfFormat.N_TRIPLES,
}
"""N-Quads and TriG keep the named graphs; N-Triples are their union."""


def dump(graph: "Graph", form: OneOf["nquads", "trig", "ntriples"], output: IO[bytes]) -> None:
    """Write a whole graph to a binary stream.

    :raises UsageError: for an unknown form.
    """
    if form not in FORMATS:
        raise UsageError(f"unknown export format {form!r}; known: {', '.join(FORMATS)}")
    if form == "ntriples":
        everything = graph.store.query(
            "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", use_default_graph_as_union=True
        )
        ox.serialize(everything, output, FORMATS[form])  # type: ignore[arg-type]
    else:
        graph.store.dump(output, FORMATS[form], prefixes=PREFIXES)
