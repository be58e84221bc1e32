"""Every error that a user may meet.

::

    MderError                 message: what, with which value, and what mends it
    ├── UsageError            a wrong argument or setting (exit code 2)
    ├── SourceError           a file that cannot be read; the run goes on without it
    ├── GraphError            no graph here, a broken one, or one built otherwise
    │   └── QueryError        SPARQL that the store does not accept
    ├── MissingPackageError   a package is not installed
    ├── BudgetError           no more may be spent on a language model (exit code 3)
    └── ModelError            a model server or its reply; ``retryable`` says whether to ask again
        └── ReplyError        no usable reply to one request; others may do better
            └── TooLongError  the request or its reply does not fit; a shorter text may
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mder.models.base import Completion


class MderError(Exception):
    """Base of all errors of this project; its text is fit to be shown as it is."""


class UsageError(MderError):
    """An argument or a setting that cannot be."""


class SourceError(MderError):
    """A file that cannot be read, with the reason."""


class GraphError(MderError):
    """The graph is missing, broken, or does not fit what is asked of it."""


class QueryError(GraphError):
    """A SPARQL query that the store does not accept."""


class MissingPackageError(MderError):
    """A package is needed that is not installed.

    :param requirement: what pip has to be told, such as ``mder-dr[extra]``.
    """

    def __init__(self, package: str, requirement: str) -> None:
        super().__init__(f"{package} is not installed; run: pip install '{requirement}'")


class BudgetError(MderError):
    """What a run may spend on a language model is spent; what it got for that is kept."""


class ModelError(MderError):
    """A language model or embedding server failed.

    :param retryable: whether the same request may succeed later.
    :param retry_after: seconds that the server asks to wait before that, where it says so.
    :ivar completion: the reply that is of no use, where there was one: it has cost something.
    """

    completion: "Completion | None" = None

    def __init__(
        self, message: str, *, retryable: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.retry_after = retry_after


class ReplyError(ModelError):
    """One request got no reply that can be used; the model itself is there and works.

    :param reply: the reply, as it came; ``""`` where there was none.
    :param problem: what is wrong with it, in fewer words than the message.
    """

    def __init__(self, message: str, reply: str = "", problem: str = "") -> None:
        super().__init__(message)
        self.reply = reply
        self.problem = problem or message


class TooLongError(ReplyError):
    """The prompt does not fit the model's context, or the reply was cut; a shorter text may fit."""
