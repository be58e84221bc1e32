"""Retrievers: all give ranked Evidence, which maps to Documents and passages."""

from dr.retrievers.base import Means, Retrieved, Retriever
from mder.errors import UsageError

__all__ = ["DEFAULT", "RETRIEVERS", "Means", "Retrieved", "Retriever", "open_retriever"]

DEFAULT = "dr"
RETRIEVERS = (DEFAULT,)


def open_retriever(name: str, means: Means) -> Retriever:
    """Return a Retriever.

    :raises UsageError: when there is none of this name.
    """
    if name == "dr":
        from dr.retrievers.dr import DecomposeResolve

        return DecomposeResolve(means)
    raise UsageError(f"no retriever {name!r}; choose one of {', '.join(RETRIEVERS)}")
