"""The record of a Generation: what it was made by and of."""

from pathlib import Path

import msgspec

from mder.errors import GraphError


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What a stage asked of a model until this Generation was made, over all runs.

    :param cached: of what the last run asked, the things answered before.
    :param failed: the things that have no answer now.
    :param seconds: summed over the requests, though several ran at once.
    """

    stage: str
    model: str
    calls: int
    tokens_in: int
    tokens_out: int
    cached: int
    failed: int
    seconds: float

    @property
    def figures(self) -> dict[str, int | float]:
        """The numbers by name."""
        names = ("calls", "tokens_in", "tokens_out", "cached", "failed", "seconds")
        return {name: getattr(self, name) for name in names}


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How much of each kind a graph holds.

    :param languages: how many Documents are in each; ``""`` for those without one.
    """

    documents: int = 0
    chunks: int = 0
    triples: int = 0
    verified: int = 0
    unverified: int = 0
    entities: int = 0
    types: int = 0
    relationships: int = 0
    merges: int = 0
    languages: dict[str, int] = {}


class File(msgspec.Struct, frozen=True, array_like=True):
    """What a file of a Generation is known by.

    :param modified: in nanoseconds.
    :param checksum: CRC-32.
    """

    size: int
    modified: int
    checksum: int


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a Generation was made by and of.

    :param version: of the program.
    :param embedder: name of the Embedder, whose vectors are ``dimension`` long.
    :param created: ISO 8601 time.
    :param reasoners: the name of the Reasoner of each stage.
    :param costs: what language models were asked for it.
    :param documents: the key of each Document's results in the journal, by source.
    :param counts: what it holds; filled in when it is written, like ``files``.
    :param files: its files by their path in it, but for this record and its seal.
    """

    version: str
    embedder: str
    dimension: int
    created: str
    reasoners: dict[str, str] = {}
    settings: dict[str, str | int | float | bool] = {}
    documents: dict[str, str] = {}
    costs: list[Cost] = []
    counts: Counts = Counts()
    files: dict[str, File] = {}


def read_manifest(generation: Path) -> Manifest:
    """Return what a Generation was made by and of.

    :raises GraphError: when that cannot be read.
    """
    path = generation / "manifest.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError) as error:
        raise GraphError(f"{generation}: cannot open: {error}; run mder index again") from error
