"""Documents to a knowledge graph: Map, Disambiguate, Enrich, Reduce.

>>> import mder
>>> graph = mder.build("./docs")  # doctest: +SKIP
>>> print(graph.query("SELECT ?name { ?e mder:hasName ?name } LIMIT 5").render())  # doctest: +SKIP
"""

from importlib.metadata import version

VERSION = version("mder-dr")

from mder.errors import MderError  # noqa: E402  VERSION is what the rest is stamped with
from mder.graph.store import Graph  # noqa: E402
from mder.library import build, open_graph  # noqa: E402
from mder.settings import Settings  # noqa: E402

__all__ = ["VERSION", "Graph", "MderError", "Settings", "build", "open_graph"]
