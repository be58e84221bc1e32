"""What was read of each Document, as the stages of the whole set ask for it."""

from collections.abc import Mapping

from mder.errors import GraphError
from mder.journal import Journal
from mder.records import Reading

_CHARACTERS = 500_000  # of the Documents kept in memory


class Readings:
    """Gives results of Documents by their sources; those asked for last are at hand.

    :param keys: of the results in the journal, by source.
    """

    def __init__(self, journal: Journal, keys: Mapping[str, str]) -> None:
        self._journal, self._keys = journal, keys
        self._known: dict[str, Reading] = {}
        self._characters = 0

    def __call__(self, source: str) -> Reading:
        """Return the results of a Document.

        :raises GraphError: when the journal does not have them.
        """
        found = self._known.pop(source, None)
        if found is None:
            found = self._journal.reading(self._keys[source])
            if found is None:
                raise GraphError(f"the journal lost {source}; run mder index on it again")
            self._characters += len(found.document.text)
        self._known[source] = found
        while self._characters > _CHARACTERS and len(self._known) > 1:
            oldest = self._known.pop(next(iter(self._known)))
            self._characters -= len(oldest.document.text)
        return found
