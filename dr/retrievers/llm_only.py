"""No retrieval: what a language model knows by itself, to compare with."""

from dr.retrievers.base import Means, Retrieved
from mder.errors import UsageError
from mder.records import Question


class LlmOnly:
    """Looks for nothing."""

    name = "llm-only"

    def __init__(self, means: Means) -> None:
        """Take a Reasoner that knows something.

        :raises UsageError: when it is the built-in one.
        """
        if means.reasoner.name == "syntax":
            raise UsageError("llm-only asks a language model alone; add --llm provider/model")

    def retrieve(self, text: str) -> Retrieved:
        """Return no Evidence."""
        return Retrieved(Question(text, ()), recalled=True)
