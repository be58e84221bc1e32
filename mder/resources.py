"""Where the ontology and the prompts are: in the package, or beside it in a checkout."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def resource(*parts: str) -> Traversable:
    """Return a shipped text file, such as ``resource("ontology", "mder.ttl")``."""
    packaged = files("mder").joinpath("_data", *parts)
    # An editable install need not serve folders outside the package (setuptools documentation).
    return packaged if packaged.is_file() else Path(__file__).parents[1].joinpath(*parts)


def read_text(*parts: str) -> str:
    """Return the text of a shipped file."""
    return resource(*parts).read_text(encoding="utf-8")
