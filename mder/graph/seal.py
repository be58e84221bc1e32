"""By which a Generation that is damaged is known for it, before anything is read from it."""

import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from mder.errors import GraphError
from mder.graph.disk import sync_new, writing
from mder.graph.manifest import RECORD, File, Manifest

SEAL = "seal"
_BLOCK = 1 << 20


def seal(generation: Path, manifest: Manifest, known: Mapping[str, File] | None = None) -> None:
    """Write the record of a Generation of which all else is written, and make it durable.

    :param known: files of the Generation before, some of which this one shares.
    :raises GraphError: when the disk fails.
    """
    with writing(generation):
        found = {path.relative_to(generation).as_posix(): path for path in _files(generation)}
        files = {name: _seen(path, (known or {}).get(name)) for name, path in found.items()}
        whole = msgspec.structs.replace(manifest, files=files)
        data = msgspec.json.format(msgspec.json.encode(whole))
        (generation / RECORD).write_bytes(data)
        (generation / SEAL).write_text(_text(zlib.crc32(data)), encoding="ascii")
        sync_new(generation)


def check(generation: Path, *, thorough: bool = False) -> Manifest:
    """Return the record of a Generation of which all is there that the record tells of.

    :param thorough: read every file; otherwise only those that were written or copied since.
    :raises GraphError: naming the first file that is missing or is another one.
    """
    manifest = _manifest(generation)
    for name, file in manifest.files.items():
        if problem := _problem(generation / name, file, thorough=thorough):
            raise _damaged(generation, f"{name}: {problem}")
    return manifest


def _manifest(generation: Path) -> Manifest:
    if not generation.is_dir():
        raise GraphError(f"generation {generation.name} is missing; run mder index again")
    try:
        data = (generation / RECORD).read_bytes()
        sealed = (generation / SEAL).read_text(encoding="ascii", errors="replace")
    except FileNotFoundError as error:
        missing = Path(error.filename).name
        if missing == SEAL:
            missing += " (was it made by an earlier version?)"
        raise _damaged(generation, f"no {missing}") from error
    except OSError as error:
        raise _damaged(generation, str(error)) from error
    if sealed.strip() != _text(zlib.crc32(data)):
        raise _damaged(generation, f"{RECORD}: not as it was sealed")
    try:
        return msgspec.json.decode(data, type=Manifest)
    except msgspec.MsgspecError as error:
        raise _damaged(generation, f"{RECORD}: {error}") from error


def _problem(path: Path, file: File, *, thorough: bool) -> str:
    try:
        found = path.stat()
        if found.st_size != file.size:
            return f"{found.st_size} bytes, where {file.size} were written"
        if (thorough or found.st_mtime_ns != file.modified) and _checksum(path) != file.checksum:
            return "not as it was written"
    except FileNotFoundError:
        return "missing"
    except OSError as error:
        return f"cannot read: {error.strerror}"
    return ""


def _damaged(generation: Path, problem: str) -> GraphError:
    return GraphError(f"generation {generation.name} is damaged: {problem}; run mder index again")


def _files(generation: Path) -> Iterator[Path]:
    for path in sorted(generation.rglob("*")):
        # RocksDB writes these while it is open, for people and against other writers.
        told = path.name.startswith("LOG") or path.name in {"LOCK", RECORD, SEAL}
        if path.is_file() and not told:
            yield path


def _seen(path: Path, known: File | None) -> File:
    found = path.stat()
    if known and (known.size, known.modified) == (found.st_size, found.st_mtime_ns):
        return known
    return File(found.st_size, found.st_mtime_ns, _checksum(path))


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
    return checksum


def _text(checksum: int) -> str:
    return f"{checksum:08x}"
