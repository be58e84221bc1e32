"""Who reads and writes: ``syntax``, built in, or a language model."""

from collections.abc import Callable

from mder.models.cache import Replies
from mder.reasoners.base import Reasoner


def open_reasoner(
    llm: str = "",
    language: str = "en",
    replies: Replies | None = None,
    known: Callable[[str], bool] | None = None,
) -> Reasoner:
    """Return the Reasoner of this name.

    :param llm: ``provider/model``, or ``""`` for the built-in syntax Reasoner.
    :param language: the index language, ISO 639-1.
    :param replies: where validated replies are kept, so that none is paid for twice.
    :param known: says whether a string is a name in the graph, for questions.
    :raises UsageError: when the name has no known provider, or the provider needs a key.
    """
    if not llm:
        from mder.reasoners.syntax import SyntaxReasoner

        return SyntaxReasoner(known)
    from mder.models import open_model
    from mder.models.cache import CachedModel
    from mder.reasoners.llm import LlmReasoner

    model = open_model(llm)
    return LlmReasoner(CachedModel(model, replies) if replies is not None else model, language)
