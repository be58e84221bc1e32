"""Which files a run reads."""

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from mder.errors import UsageError
from mder.names import unescaped
from mder.sources.formats import is_document


def discover(
    paths: Sequence[Path], include: Sequence[str] = (), exclude: Sequence[str] = ()
) -> Iterator[Path]:
    """Return the files of the given paths, each once, in the order of their names.

    A file that is named is taken whatever it is. Folders are walked to the bottom; links to
    folders are not followed, hidden files and folders are left out, and so is what is no document
    by its suffix. Documents of formats that are not read come too, and so do folders that cannot
    be opened: :func:`mder.sources.read` says why they cannot be read.

    :param include: globs that a file in a folder must match, relative to the given path:
        ``*.md`` or ``drafts`` at any level, ``api/*.md``, ``**/x/*``; a match of a folder counts
        for all in it.
    :param exclude: globs of files and folders to leave out.
    :raises UsageError: when a path does not exist.
    """
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"{shown(path)}: no such file or folder")
    found = (
        file
        for path in paths
        for file in (_walk(path, include, exclude) if path.is_dir() else (path,))
    )
    # The same file by two ways (a link, a path given twice) is read once, under its first name.
    files: dict[str, Path] = {}
    for file in sorted(found, key=lambda file: file.parts):
        files.setdefault(os.path.realpath(file), file)
    return iter(files.values())


def is_there(folder: Path, name: str) -> bool:
    """Say whether there is a file of a name as sources have it, escaped where it must be."""
    return any((folder / form).exists() for form in (name, unescaped(name)))


def shown(path: PurePath) -> str:
    """Return a path fit for a message of one line on any terminal."""
    return "".join(c if c.isprintable() else "\ufffd" for c in str(path))


def _walk(root: Path, include: Sequence[str], exclude: Sequence[str]) -> Iterator[Path]:
    pending: list[tuple[str, ...]] = [()]
    while pending:
        inside = pending.pop()
        folder = root.joinpath(*inside)
        try:
            with os.scandir(folder) as listing:
                entries = [entry for entry in listing if not entry.name.startswith(".")]
        except OSError:
            yield folder
            continue
        for entry in entries:
            parts = (*inside, entry.name)
            if _matching(parts, exclude):
                continue
            if entry.is_dir(follow_symlinks=False):
                pending.append(parts)
            elif _is_file(entry) and _is_wanted(parts, include) and _inside(entry, root):
                yield folder / entry.name


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Tell files from pipes, sockets and devices, which could be waited for without end."""
    try:
        return entry.is_file()
    except OSError:
        return True


def _inside(entry: os.DirEntry[str], root: Path) -> bool:
    """Say whether a link leads to something below the folder that was named."""
    if not entry.is_symlink():
        return True
    try:
        return Path(entry.path).resolve(strict=True).is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        # A link that leads nowhere is named as unreadable.
        return True


def _is_wanted(parts: tuple[str, ...], include: Sequence[str]) -> bool:
    matching = _matching(parts, include)
    if include and not matching:
        return False
    suffix = PurePath(parts[-1]).suffix
    # Whoever asks for "*.log" means it, although no format is known by that suffix.
    return is_document(PurePath(parts[-1])) or any(suffix and g.endswith(suffix) for g in matching)


def _matching(parts: tuple[str, ...], globs: Sequence[str]) -> list[str]:
    return [glob for glob in globs if _matches(parts, _segments(glob))]


def _segments(glob: str) -> tuple[str, ...]:
    segments = tuple(part for part in glob.split("/") if part not in ("", "."))
    return segments if len(segments) > 1 or glob.startswith("/") else ("**", *segments)


def _matches(parts: tuple[str, ...], segments: tuple[str, ...]) -> bool:
    """Match a path, or a folder above it, segment by segment."""
    if not segments:
        return True
    if segments[0] == "**":
        return any(
            _matches(parts[i:], segments[1:]) for i in range(len(parts) + (len(segments) < 2))
        )
    return bool(parts) and fnmatchcase(parts[0], segments[0]) and _matches(parts[1:], segments[1:])
