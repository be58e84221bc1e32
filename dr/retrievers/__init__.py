"""Retrievers: all give ranked Evidence, which maps to Documents and passages."""

from collections.abc import Callable

from dr.retrievers.base import Means, Retrieved, Retriever
from mder.errors import UsageError

__all__ = ["DEFAULT", "RETRIEVERS", "Means", "Retrieved", "Retriever", "open_retriever"]

DEFAULT = "dr"
RETRIEVERS = (DEFAULT, "hybrid", "vector", "bm25", "llm-only")


def open_retriever(name: str, means: Means) -> Retriever:
    """Return a Retriever.

    :raises UsageError: when there is none of this name.
    """
    if name not in RETRIEVERS:
        raise UsageError(f"no retriever {name!r}; choose one of {', '.join(RETRIEVERS)}")
    from dr.retrievers.chunks import Bm25, Vector
    from dr.retrievers.dr import DecomposeResolve
    from dr.retrievers.hybrid import Hybrid
    from dr.retrievers.llm_only import LlmOnly

    kinds: dict[str, Callable[[Means], Retriever]] = {
        "dr": DecomposeResolve,
        "hybrid": Hybrid,
        "vector": Vector,
        "bm25": Bm25,
        "llm-only": LlmOnly,
    }
    return kinds[name](means)
