"""Where things and people are from, as sentences about them tell it."""

import re
from collections.abc import Iterator, Sequence

from mder.reasoners.syntax.passages import Passage, form

ORIGINS = frozenset({"nationality", "country", "citizenship", "ethnicity", "nation"})
_CLASS = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one of the) (?P<what>[^;:()]+)")
_ADJECTIVE = re.compile(r"(?:[a-z0-9-]+,? )*(?P<name>[A-Z][\w-]+)")
_NAME = r"[A-Z][\w'.-]+(?: [A-Z][\w'.-]+)*"
_PLACED = re.compile(rf"\b(?:in|from|of|at) (?:the )?({_NAME}(?:, {_NAME})*)")
_FAR = 4  # sentences from the beginning that tell where something is
# Names and adjectives of one country that do not begin alike.
_ONE = tuple(
    frozenset(line.split(","))
    for line in (
        "american,america,united states,us,u s,usa,united states of america",
        "british,english,scottish,welsh,britain,england,scotland,wales,united kingdom,uk",
        "dutch,netherlands,holland",
        "french,france",
    )
)


def origins(near: Sequence[Passage]) -> Iterator[tuple[str, Passage]]:
    """Yield where something is from, most certain first: by adjective, then by place.

    :param near: the passages of the Document about it, in their order.
    """
    for passage in near[:_FAR]:
        said = _CLASS.search(passage.text)
        adjective = _ADJECTIVE.match(said["what"]) if said else None
        if adjective:
            yield adjective["name"], passage
    for passage in near[:_FAR]:
        for placed in _PLACED.findall(passage.text):
            # The last of "Halden, Ostfold, Norway" is the widest.
            yield from ((part.strip(" -."), passage) for part in reversed(placed.split(",")))


def classes(near: Sequence[Passage]) -> Iterator[tuple[str, Passage]]:
    """Yield what something is said to be: "Norwegian painter and engraver"."""
    for passage in near[:_FAR]:
        said = _CLASS.search(passage.text)
        if said:
            yield said["what"].strip(" ."), passage


def same_origin(one: str, other: str) -> bool:
    """Say whether two names or adjectives are of one country.

    >>> same_origin("Canadian", "Canada"), same_origin("Norwegian", "Danish")
    (True, False)
    """
    a, b = form(one), form(other)
    return a[:4] == b[:4] or any({a, b} <= names for names in _ONE)
