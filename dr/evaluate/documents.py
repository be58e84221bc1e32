"""Which Documents of a graph a question's answer rests on."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dr.evaluate.datasets import Example
from mder.errors import UsageError
from mder.graph.store import Graph
from mder.names import canonical, unescaped
from mder.sources import file_of, sources_of
from mder.sources.characters import one_line

Support = tuple[frozenset[str], ...]
"""What an answer rests on, each a set of sources of Documents of which any one will do."""

_DOCUMENTS = (
    "SELECT ?source ?title { ?d a mder:Document ; mder:hasUri ?source ; dcterms:title ?title }"
)


@dataclass(frozen=True, slots=True)
class Documents:
    """The Documents of a graph by title, and by the rows of the corpora that they come from.

    :param rows: sources over all corpora; None where they have no rows to count.
    """

    sources: frozenset[str]
    titles: Mapping[str, frozenset[str]]
    rows: tuple[str, ...] | None = None

    def support(self, example: Example) -> Support:
        """Return what a question's answer rests on; none where that is not known.

        By rows where they are given, since titles repeat; a title that no Document has gives an
        empty set, which is never found.

        :raises UsageError: when a row is named that is not there.
        """
        if example.unanswerable:
            return ()
        if example.rows:
            return tuple(dict.fromkeys(self._row(example.place, n) for n in example.rows))
        titles = dict.fromkeys(map(_title, example.titles))
        return tuple(self.titles.get(title, frozenset()) for title in titles)

    def _row(self, place: str, number: int) -> frozenset[str]:
        if self.rows is None:
            raise UsageError(
                f"{place}: supporting_idx counts the rows of JSONL; name it: --corpus FILE.jsonl"
            )
        if number >= len(self.rows):
            raise UsageError(
                f"{place}: no row {number} in corpora of {len(self.rows)} rows counted from 0; "
                "name all corpora, in their order"
            )
        return frozenset({self.rows[number]} - {""})

    def missing(self, supports: Sequence[Support]) -> int:
        """Count what answers rest on and the graph does not hold, so that it is never found."""
        return sum(not (wanted & self.sources) for support in supports for wanted in support)


def documents_of(graph: Graph, corpora: Sequence[Path], *, counted: bool) -> Documents:
    """Return the Documents of a graph.

    :param corpora: the JSONL files that rows are counted over, in this order.
    :param counted: whether rows are asked for; other files than JSONL will do where not.
    :raises UsageError: when the graph was not built from one of these files.
    :raises SourceError: when one of them has no rows.
    """
    titles: defaultdict[str, set[str]] = defaultdict(set)
    for source, title in graph.query(_DOCUMENTS):
        titles[_title(title)].add(source)
    sources = frozenset().union(*titles.values())
    rows = None
    if counted and corpora:
        keys = _files(graph, sources)
        rows = tuple(row for path in corpora for row in sources_of(path, _key(path, keys)))
    return Documents(sources, {t: frozenset(found) for t, found in titles.items()}, rows)


def _files(graph: Graph, sources: frozenset[str]) -> dict[Path, str]:
    """Return the files that Documents come from, with what they are known by in the graph."""
    # Files are known by their paths from the folder that the graph's directory is in.
    beside = graph.path.resolve().parents[2]
    return {beside / unescaped(file): file for file in set(map(file_of, sources))}


def _key(path: Path, files: Mapping[Path, str]) -> str:
    try:
        return files[path.resolve()]
    except KeyError as error:
        raise UsageError(
            f"{path}: the graph was not built from this file; index it, or leave out --kg"
        ) from error


def _title(title: str) -> str:
    return canonical(one_line(title))
