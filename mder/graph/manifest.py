"""The record of a Generation: what it was made by and of."""

from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from mder.errors import GraphError

RECORD = "manifest.json"
"""The file of a Generation that holds its Manifest."""


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


class Basis(msgspec.Struct, frozen=True, kw_only=True):
    """What the same Documents give the same graph by.

    :param version: of the program.
    :param stages: of those of its stages that need the whole set.
    :param embedder: name of the Embedder.
    :param reasoners: the name of the Reasoner of each stage.
    :param prompts: the digest of its prompts, for each stage that has some.
    """

    version: str
    embedder: str
    stages: int = 0
    reasoners: dict[str, str] = {}
    prompts: dict[str, str] = {}
    settings: dict[str, str | int | float | bool] = {}


class Manifest(Basis, frozen=True, kw_only=True):
    """What a Generation was made by and of.

    :param dimension: how long its vectors are.
    :param created: ISO 8601 time.
    :param costs: what language models were asked for it.
    :param documents: the key of each Document's results in the journal, by source.
    :param counts: what it holds; filled in when it is written, like ``files``.
    :param files: its files by their path in it, but for this record and its seal.
    """

    dimension: int
    created: str
    documents: dict[str, str] = {}
    costs: list[Cost] = []
    counts: Counts = Counts()
    files: dict[str, File] = {}


def read_manifest(generation: Path) -> Manifest:
    """Return what a Generation was made by and of.

    :raises GraphError: when that cannot be read.
    """
    path = generation / RECORD
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError) as error:
        raise GraphError(f"{generation}: cannot open: {error}; run mder index again") from error


def differences(made: Basis, wanted: Basis, apart: Collection[str] = ()) -> list[str]:
    """Tell in what a graph was made otherwise than is wanted, a phrase each.

    :param apart: names of settings that make no difference.
    """
    found = []
    if made.version != wanted.version:
        found.append(f"mder-dr {made.version} → {wanted.version}")
    elif made.stages != wanted.stages:
        found.append(f"another state of mder-dr {wanted.version}")
    if made.embedder != wanted.embedder:
        found.append(f"embedder {made.embedder} → {wanted.embedder}")
    settings = _other(made.settings, wanted.settings, {"embedder", *apart})
    # Which Reasoner does what comes from the settings, normally.
    found += settings or _other(made.reasoners, wanted.reasoners)
    stages = {s for s in wanted.prompts if made.prompts.get(s, "") != wanted.prompts[s]}
    same = (s for s in sorted(stages) if made.reasoners.get(s) == wanted.reasoners.get(s))
    return found + [f"another prompt to {stage}" for stage in same]


def _other(
    made: Mapping[str, object], wanted: Mapping[str, object], apart: Collection[str] = ()
) -> list[str]:
    names = sorted({*made, *wanted}.difference(apart))
    return [
        f"{name} {made.get(name)!r} → {wanted.get(name)!r}"
        for name in names
        if made.get(name) != wanted.get(name)
    ]
