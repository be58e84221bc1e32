"""Documents to a knowledge graph: Map, Disambiguate, Enrich, Reduce."""

from importlib.metadata import version

VERSION = version("mder-dr")
