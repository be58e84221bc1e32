"""Vectors on disk, in segments that never change once they are finished.

A segment is ``<set>.<number>.npy``, a row a vector. Beside it, ``.ids`` holds the ids as JSON
lines, ``.keys`` four uint64 a row (the digest of the id, and that of the text embedded), and
``.dead``, where there are any, the rows that count no more, as int64. Rows are counted from the
first of all segments of the set.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from mder.embedders.base import Vectors
from mder.errors import GraphError
from mder.graph.disk import writing

ID, TEXT = 0, 2  # columns of keys
ROW = np.dtype("<i8")
_WORD = np.dtype("<u8")
_BLOCK = 4096  # rows
_BYTES = 1 << 20
_HEADER = 128  # bytes; the shape is known last
_LINES = msgspec.json.Decoder(str)
_AGAIN = "run mder index again"


@dataclass(frozen=True, slots=True)
class Segment:
    """The files of one segment of a set."""

    directory: Path
    name: str
    number: int

    def path(self, suffix: str) -> Path:
        """Return where one of its files is."""
        return self.directory / f"{self.name}.{self.number}.{suffix}"

    def matrix(self) -> Vectors:
        """Map its vectors, a row each; nothing of them is read yet.

        :raises GraphError: when they are missing or broken, as for :meth:`ids`.
        """
        try:
            matrix: Vectors = np.load(self.path("npy"), mmap_mode="r")
        except (OSError, ValueError) as error:
            raise GraphError(f"{self.path('npy')}: cannot read: {error}; {_AGAIN}") from error
        return matrix

    def ids(self) -> list[str]:
        """Read the ids, in the order of the rows."""
        try:
            return _LINES.decode_lines(self.path("ids").read_bytes())
        except (OSError, msgspec.MsgspecError) as error:
            raise GraphError(f"{self.path('ids')}: cannot read: {error}; {_AGAIN}") from error

    def count(self) -> int:
        """Count the ids, one a line, without keeping them."""
        try:
            with self.path("ids").open("rb") as file:
                return sum(block.count(b"\n") for block in iter(lambda: file.read(_BYTES), b""))
        except OSError as error:
            raise GraphError(f"{self.path('ids')}: cannot read: {error}; {_AGAIN}") from error

    def dead(self) -> NDArray[np.int64]:
        """Read which rows of the whole set count no more, where this is the last segment."""
        path = self.path("dead")
        return np.fromfile(path, dtype=ROW) if path.exists() else np.empty(0, dtype=ROW)

    def text(self, row: int) -> bytes:
        """Read the digest of the text that a row is the vector of."""
        with self.path("keys").open("rb") as file:
            file.seek(row * 4 * _WORD.itemsize + TEXT * _WORD.itemsize)
            return file.read(2 * _WORD.itemsize)

    def append(self, ids: Sequence[str], keys: bytes, vectors: Vectors) -> None:
        """Write rows at the end of a segment that is not finished.

        :param keys: 32 bytes a row, in the layout of the columns ``ID`` and ``TEXT``.
        """
        rows = np.ascontiguousarray(vectors, dtype=np.dtype("<f4")).tobytes()
        lines = msgspec.json.Encoder().encode_lines(ids)
        for suffix, data in (("npy", rows), ("ids", lines), ("keys", keys)):
            with writing(self.path(suffix)), self.path(suffix).open("ab") as file:
                if suffix == "npy" and file.tell() == 0:
                    file.write(bytes(_HEADER))
                file.write(data)

    def finish(self, rows: int, dimension: int, dead: NDArray[np.int64]) -> None:
        """Write what is known when the last row is there.

        :param dead: rows of the whole set that count no more, sorted.
        """
        self.append([], b"", np.empty((0, dimension), dtype=np.float32))
        said = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {dimension})}}"
        with writing(self.path("npy")), self.path("npy").open("r+b") as file:
            # NumPy's format 1.0: how long the rest of the header is, padded, with a new line.
            file.write(b"\x93NUMPY\x01\x00" + (_HEADER - 10).to_bytes(2, "little"))
            file.write(f"{said:<{_HEADER - 11}}\n".encode("ascii"))
        if len(dead):
            dead.tofile(self.path("dead"))

    def remove(self) -> None:
        """Delete its files."""
        for suffix in ("npy", "ids", "keys", "dead"):
            self.path(suffix).unlink(missing_ok=True)


class Index:
    """Finds rows by the digest in one of the columns of keys, in one array and its sorting."""

    def __init__(self, keys: NDArray[np.uint64], column: int) -> None:
        self.keys, self._column = keys, column
        self._order = np.argsort(keys[:, column])
        self._sorted = keys[self._order, column]

    def rows(self, digest: bytes) -> Iterator[int]:
        """Yield the rows with this digest."""
        first, second = np.frombuffer(digest, dtype=_WORD)
        start = int(np.searchsorted(self._sorted, first, "left"))
        end = int(np.searchsorted(self._sorted, first, "right"))
        for row in self._order[start:end]:
            if self.keys[row, self._column + 1] == second:
                yield int(row)


def segments_of(directory: Path, name: str) -> list[Segment]:
    """Return the segments of a set, the first and largest first."""
    numbers = (int(path.name.split(".")[-2]) for path in directory.glob(f"{name}.*.npy"))
    return [Segment(directory, name, number) for number in sorted(numbers)]


def keys_of(segments: Sequence[Segment]) -> NDArray[np.uint64]:
    """Read the keys of segments, of shape (rows, 4)."""
    parts = [np.fromfile(segment.path("keys"), dtype=_WORD) for segment in segments]
    return np.concatenate([np.empty(0, dtype=_WORD), *parts]).reshape(-1, 4)


def digest_of(key: str) -> bytes:
    """Return the digest that an id is found by."""
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def merge(segments: Sequence[Segment], start: int, dead: NDArray[np.int64]) -> None:
    """Make one segment of all from the row ``start`` on, without the rows that count no more."""
    last = segments[-1]
    merged, row, count = Segment(last.directory, last.name, last.number + 1), 0, 0
    for segment in segments:
        size, dimension = segment.matrix().shape
        if row >= start:
            count += _copy(segment, merged, np.setdiff1d(np.arange(size), dead - row))
            segment.remove()
        row += size
    merged.finish(count, dimension, dead[dead < start])


def _copy(segment: Segment, to: Segment, rows: NDArray[np.int64]) -> int:
    """Write rows of a segment to another one, and return how many."""
    matrix, ids, keys = segment.matrix(), segment.ids(), keys_of([segment])
    for at in range(0, len(rows), _BLOCK):
        block = rows[at : at + _BLOCK]
        to.append([ids[row] for row in block], keys[block].tobytes(), matrix[block])
    return len(rows)
