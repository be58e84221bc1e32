import re

import pytest

from mder import errors
from mder.errors import MderError, MissingPackageError, ModelError, ReplyError, TooLongError

CLASSES = [value for value in vars(errors).values() if isinstance(value, type)]
# A node of the tree in the docstring: what draws it, and its name.
NODE = re.compile(r"^    ([│├└─ ]*)(\w+Error)\b", re.MULTILINE)


def drawn() -> dict[str, str]:
    """Return the parent of each error by the tree that the docstring draws."""
    parents: dict[str, str] = {}
    above: list[str] = []
    for branch, name in NODE.findall(errors.__doc__ or ""):
        depth = len(branch) // 4
        above[depth:] = [name]
        parents[name] = above[depth - 1] if depth else "Exception"
    return parents


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    assert drawn() == {cls.__name__: cls.__base__.__name__ for cls in CLASSES if cls.__base__}


def test_one_class_catches_all() -> None:
    assert all(issubclass(cls, MderError) for cls in CLASSES)
    assert all(cls.__doc__ for cls in CLASSES)


def test_a_missing_extra_is_named_with_the_command_that_installs_it() -> None:
    error = MissingPackageError("pyshacl", "mder-dr[shacl]")
    assert str(error) == "pyshacl is not installed; run: pip install 'mder-dr[shacl]'"


@pytest.mark.parametrize("retryable", [True, False])
def test_a_model_error_says_whether_to_ask_again(*, retryable: bool) -> None:
    assert ModelError("x", retryable=retryable).retryable is retryable


def test_a_reply_error_keeps_the_reply() -> None:
    error = ReplyError("no JSON", "I think that")
    assert (str(error), error.reply, error.retryable) == ("no JSON", "I think that", False)


def test_a_model_error_says_how_long_to_wait_where_the_server_does() -> None:
    assert ModelError("x").retry_after is None
    assert ModelError("x", retryable=True, retry_after=2.5).retry_after == 2.5


def test_what_is_too_long_is_not_asked_again_as_it_is() -> None:
    error = TooLongError("it was cut", "half a re")
    assert (error.retryable, error.reply) == (False, "half a re")
