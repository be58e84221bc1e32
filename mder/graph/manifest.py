"""The record of a Generation: what it was made by and of."""

from pathlib import Path

import msgspec

from mder.errors import GraphError


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a Generation was made by and of.

    :param version: of the program.
    :param embedder: name of the Embedder, whose vectors are ``dimension`` long.
    :param created: ISO 8601 time.
    :param reasoner: name of the Reasoner, whom the graph is attributed to.
    :param documents: the key of each Document's results in the journal, by source.
    """

    version: str
    embedder: str
    dimension: int
    created: str
    reasoner: str
    settings: dict[str, str | int | float | bool] = {}
    documents: dict[str, str] = {}


def read_manifest(generation: Path) -> Manifest:
    """Return what a Generation was made by and of.

    :raises GraphError: when that cannot be read.
    """
    path = generation / "manifest.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError) as error:
        raise GraphError(f"{generation}: cannot open: {error}; run mder index again") from error
