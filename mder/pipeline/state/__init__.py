"""What a Generation was worked out from, kept beside it, so that the next need not begin anew."""

from pathlib import Path

from mder.pipeline.state.base import Base
from mder.pipeline.state.entities import Entities, Spelling
from mder.pipeline.state.facts import Facts
from mder.pipeline.state.senses import Senses
from mder.pipeline.state.words import Words

__all__ = ["Spelling", "State"]


class State:
    """The Senses, Entities, facts and words of all Documents."""

    def __init__(self, path: Path | None = None) -> None:
        """Open the state in a file, made where it is missing; None is one in memory.

        :raises GraphError: when the file is no state or cannot be written.
        """
        base = Base(path)
        self.close = base.close
        self.senses = Senses(base)
        self.entities = Entities(base)
        self.facts = Facts(base)
        self.words = Words(base)
