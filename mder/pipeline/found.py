"""The Documents that a run finds in files, which it reads twice rather than hold them all."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mder.errors import SourceError
from mder.names import escaped
from mder.pipeline.clock import Clock
from mder.pipeline.whole import Progress
from mder.records import Document
from mder.sources import file_of, is_there, read


@dataclass(slots=True)
class Found:
    """Files, and what each of them holds.

    :param beside: the folder of the graph; files below it are known by their path from there, so
        that both can be moved together.
    :ivar skipped: files and rows that could not be read, with the reason.
    :ivar cut: files of which more may be there than could be read.
    """

    files: Sequence[Path]
    beside: Path
    clock: Clock
    progress: Progress
    skipped: list[str] = field(default_factory=list)
    cut: set[str] = field(default_factory=set)

    def keys(self, key: Callable[[Document], str]) -> dict[str, str]:
        """Return what each Document is known by in the journal, by its source."""
        found: dict[str, str] = {}
        for done, path in enumerate(self.files, start=1):
            with self.clock.time("sources"):
                for document in read(path, self._source(path)):
                    if isinstance(document, SourceError):
                        self.skipped.append(str(document))
                        if isinstance(document.__cause__, OSError):
                            self.cut.add(self._source(path))
                    else:
                        found[document.source] = key(document)
            self.progress("sources", done, len(self.files))
        return found

    def documents(self, sources: frozenset[str]) -> Iterator[Document]:
        """Yield the Documents with these sources, as they are now."""
        files = {file_of(source) for source in sources}
        for path in self.files:
            if self._source(path) in files:
                for document in read(path, self._source(path)):
                    if isinstance(document, Document) and document.source in sources:
                        yield document

    def missing(self, sources: Sequence[str]) -> list[str]:
        """Return those of the sources whose files are no longer there."""
        return sorted(s for s in sources if not is_there(self.beside, file_of(s)))

    def _source(self, path: Path) -> str:
        """Return the identity of a file, whatever way led to it."""
        absolute, base = path.resolve(), self.beside
        below = absolute.relative_to(base) if absolute.is_relative_to(base) else absolute
        return escaped(below.as_posix())
