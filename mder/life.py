"""What becomes of a graph that is there: Documents taken out, Generations gone back to."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

from mder.choice import Models
from mder.errors import GraphError, UsageError
from mder.graph.disk import writing
from mder.graph.generations import Home
from mder.graph.manifest import read_manifest
from mder.graph.seal import check
from mder.graph.store import Graph
from mder.graph.vocabulary import PREFIXES, document_iri
from mder.library import index
from mder.names import escaped
from mder.settings import APART, Settings, load, save

if TYPE_CHECKING:
    from mder.models.ledger import Spent
    from mder.pipeline import Progress, Report

LISTING = "mder query 'SELECT ?source { ?document mder:hasUri ?source }'"


class How(TypedDict, total=False):
    """How a run goes, as :func:`mder.library.index` takes it."""

    models: Models
    assignments: Sequence[str]
    keep: int
    max_tokens: int
    max_cost: float
    jobs: int
    progress: "Progress"
    stopped: "Callable[[Mapping[str, Spent]], None]"
    told: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Generation:
    """One state of a graph that is kept.

    :param created: ISO 8601 time; ``""`` where its record cannot be read, and then no counts.
    :param size: bytes on disk, without the files that it shares with an older one.
    :param current: whether readers open this one.
    :param damage: what is wrong with it; ``""`` where it is whole.
    """

    number: int
    created: str
    documents: int | None
    entities: int | None
    triples: int | None
    size: int
    current: bool
    damage: str


class _Known(NamedTuple):
    """A Document and its file, which holds others too where it is one of rows.

    :param path: absolute, as ``file_path`` is.
    """

    source: str
    file: str
    path: str
    file_path: str


def remove(
    documents: Sequence[str | Path], kg: str | Path | None = None, **how: Unpack[How]
) -> "tuple[Graph, Report]":
    """Take Documents out of a graph; their files are left alone.

    :param documents: files, folders, sources or IRIs; see :func:`named`.
    :param how: as for :func:`mder.library.index`; a graph that was built with a server needs it
        named, for summaries may be asked for again.
    :raises UsageError: when one is not in the graph; then none is taken out.
    :raises MderError: see :mod:`mder.errors`.
    """
    return index((), kg, remove=named(documents, _home(kg)), **how)


def reembed(
    embedder: str | None = None, kg: str | Path | None = None, **how: Unpack[How]
) -> "tuple[Graph, Report]":
    """Make the vectors of a graph anew, and the merges that rest on them; nothing is read again.

    :param embedder: name of the embedding model; by default the one that the settings name.
    :param how: as for :func:`mder.library.index`.
    :raises MderError: see :mod:`mder.errors`.
    """
    if embedder is not None:
        how["models"] = replace(how.get("models", Models()), embedder=embedder)
    return index((), kg, reembed=True, **how)


def generations(kg: str | Path | None = None) -> tuple[Generation, ...]:
    """Return the Generations that are kept, oldest first. Every file of them is read.

    :param kg: where the graph is kept; by default ``MDER_KG``, else ``.mder`` here or above.
    :raises GraphError: when there is none.
    """
    home = _home(kg)
    current = home.number() or int(home.current().name)
    seen: set[tuple[int, int]] = set()
    found = [(path, _described(path, current, seen)) for _, path in home.kept()]
    # One that a writer has pruned meanwhile is not damaged.
    return tuple(generation for path, generation in found if path.is_dir())


def rollback(kg: str | Path | None = None) -> Generation:
    """Go back to the newest whole Generation before the current one, and to its settings.

    The next run of :func:`mder.library.index` brings the graph to the state of the sources again.

    :returns: the Generation that is current now.
    :raises GraphError: when there is none, or another process writes.
    """
    home = _home(kg)
    settings = load(home.settings)

    def restore(generation: Path) -> None:
        made = read_manifest(generation).settings
        kept = {k: v for k, v in made.items() if k in Settings.__slots__ and k not in APART}
        save(settings.changed(kept), home.settings)

    with home.lock(), writing(home.path):
        # With other settings the next run would only make again what was gone back from.
        number = home.rollback(restore)
    return _described(home.generations / str(number), number, set())


def named(documents: Iterable[str | Path], home: Home) -> frozenset[str]:
    """Return the sources of Documents of the current Generation that a user names.

    A name is the path of a file or a folder, be it there or gone, a source as it is shown, or
    the IRI of a Document, in full or with its prefix. A file of rows stands for all of them.

    :raises UsageError: when a name stands for none.
    """
    known = list(_known(read_manifest(home.current()).documents, home.path.resolve().parent))
    found: set[str] = set()
    for name in map(str, documents):
        meant = _meant(name, known)
        if not meant:
            raise UsageError(f"no document {name!r} in {home.path}; list them with: {LISTING}")
        found |= meant
    return frozenset(found)


def present(sources: Iterable[str], kg: str | Path | None = None) -> tuple[str, ...]:
    """Return those of the files that Documents are from that are still there, sorted."""
    from mder.sources import file_of, is_there

    beside = _home(kg).path.resolve().parent
    return tuple(sorted(f for f in {file_of(s) for s in sources} if is_there(beside, f)))


def _home(kg: str | Path | None) -> Home:
    return Home.find(None if kg is None else Path(kg))


def _described(path: Path, current: int, seen: set[tuple[int, int]]) -> Generation:
    created, counts, damage = "", None, ""
    with suppress(GraphError):
        made = read_manifest(path)
        created, counts = made.created, made.counts
    try:
        check(path, thorough=True)
    except GraphError as error:
        # The number stands beside it, and what mends it depends on which one it is.
        problem = str(error).removesuffix("; run mder index again")
        damage = problem.partition(": ")[2] or problem
    return Generation(
        number=int(path.name),
        created=created,
        documents=counts.documents if counts else None,
        entities=counts.entities if counts else None,
        triples=counts.triples if counts else None,
        size=sum(_sizes(path, seen)),
        current=int(path.name) == current,
        damage=damage,
    )


def _sizes(folder: Path, seen: set[tuple[int, int]]) -> Iterator[int]:
    """Yield the sizes of the files that were not seen under another name."""
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            status = path.stat()
            if path.is_file() and (status.st_dev, status.st_ino) not in seen:
                seen.add((status.st_dev, status.st_ino))
                yield status.st_size


def _known(sources: Iterable[str], beside: Path) -> Iterator[_Known]:
    # Imported here, for it brings the readers of all formats.
    from mder.sources import file_of

    base = Path(escaped(str(beside)))
    for source in sources:
        file = file_of(source)
        yield _Known(source, file, (base / source).as_posix(), (base / file).as_posix())


def _meant(name: str, known: Iterable[_Known]) -> set[str]:
    """Return what a name stands for; a path from here comes before one as it is shown."""
    if not name:  # as a path it would be this folder
        return set()
    path = escaped(Path(name).resolve().as_posix())
    below = f"{path.rstrip('/')}/"
    return (
        {d.source for d in known if path in (d.path, d.file_path) or d.file_path.startswith(below)}
        or {d.source for d in known if name in (d.source, d.file)}
        or {d.source for d in known if document_iri(d.source).value == _expanded(name)}
    )


def _expanded(name: str) -> str:
    prefix, colon, rest = name.partition(":")
    return PREFIXES["doc"] + rest if (prefix, colon) == ("doc", ":") else name.strip("<>")
