"""Files: shared where they can be, durable when they have to be, and kept while they are in use."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mder.errors import GraphError

if sys.platform != "win32":
    import fcntl


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Do what writes below ``path``.

    :raises GraphError: when the disk fails.
    """
    try:
        yield
    except OSError as error:
        raise GraphError(
            f"{path}: cannot write the graph: {error}; free some space, or mend its rights"
        ) from error


def share(source: Path, target: Path) -> None:
    """Give a file that never changes a second place, as a copy where the disk has no hard links."""
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)


def sync_new(folder: Path) -> None:
    """Make durable all of a folder but the files that it shares, for these are so already."""
    for path in folder.rglob("*"):
        if path.is_dir() or path.stat().st_nlink == 1:
            sync(path)
    sync(folder)


def sync(path: Path) -> None:
    """Make a file or folder durable."""
    if os.name == "nt" and path.is_dir():  # Windows opens no directory
        return
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def hold(file: Path) -> int:
    """Open a file so that :func:`remove_unused` leaves its folder alone.

    :returns: the descriptor, to be closed at the end; a process that dies closes it as well.
    :raises OSError: when there is no such file, or its folder is being removed.
    """
    return _locked(file, alone=False)


def remove_unused(folder: Path, file: Path, aside: Path) -> None:
    """Remove a folder unless it is in use: somebody holds its ``file``.

    :param aside: where it is moved first, so that half of it is not taken for the whole.
    """
    with suppress(OSError):
        # On Windows a folder with an open file cannot be moved, so that no lock has to tell.
        told = os.name != "nt" and file.exists()
        descriptor = _locked(file, alone=True) if told else None
        try:
            folder.replace(aside)
        finally:
            if descriptor is not None:
                os.close(descriptor)
        shutil.rmtree(aside, ignore_errors=True)


def _locked(file: Path, *, alone: bool) -> int:
    descriptor = os.open(file, os.O_RDONLY)
    if sys.platform != "win32":
        try:
            fcntl.flock(descriptor, fcntl.LOCK_NB | (fcntl.LOCK_EX if alone else fcntl.LOCK_SH))
        except BlockingIOError:
            os.close(descriptor)
            raise
        except OSError:
            pass  # a disk that knows no locks
    return descriptor
