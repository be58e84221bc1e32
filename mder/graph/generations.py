"""The ``.mder`` directory: where Generations are staged, published, found and pruned.

Nothing in it names its own place, so it can be moved or copied as it is.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp

import msgspec
from filelock import FileLock, Timeout

from mder.errors import GraphError

NAME = ".mder"
VARIABLE = "MDER_KG"
_STAGING = "staging-"


class _Writer(msgspec.Struct):
    """Who holds the lock, for the message to whoever else wants it."""

    pid: int
    since: str


@dataclass(frozen=True, slots=True)
class Home:
    """A ``.mder`` directory."""

    path: Path

    @classmethod
    def find(cls, kg: Path | None = None) -> "Home":
        """Find the graph: ``kg``, else ``MDER_KG``, else ``.mder`` here or in a folder above.

        :raises GraphError: when there is none.
        """
        named = _named(kg)
        if named is not None:
            if named.is_dir():
                return cls(named)
            raise GraphError(f"no graph at {named}; run: mder index PATH --kg {named}")
        above = _above()
        if above is None:
            raise GraphError(f"no {NAME} in {Path.cwd()} or above it; run: mder index PATH")
        return cls(above)

    @classmethod
    def at(cls, kg: Path | None = None) -> "Home":
        """Return where the graph is, or would be made: by default ``.mder`` here."""
        return cls(_named(kg) or _above() or Path.cwd() / NAME)

    @classmethod
    def create(cls, kg: Path | None = None) -> "Home":
        """Return where the graph is, made if it is missing.

        :raises GraphError: when the place cannot be written to.
        """
        home = cls.at(kg)
        try:
            home.generations.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise GraphError(
                f"{home.path}: {error.strerror}; name another place with --kg DIR"
            ) from error
        return home

    @property
    def settings(self) -> Path:
        """Where the settings that the graph was built with are kept."""
        return self.path / "settings.toml"

    @property
    def journal(self) -> Path:
        """Where model replies and the results of each Document are kept."""
        return self.path / "journal.sqlite"

    @property
    def generations(self) -> Path:
        """The folder of all Generations."""
        return self.path / "generations"

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Be the only writer; the lock of a process that died is free again.

        :raises GraphError: at once, when another writer holds the lock.
        """
        held = self.path / "writer.json"
        lock = FileLock(self.path / "lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise GraphError(f"{self.path} is being written{_by(held)}; wait for it") from error
        try:
            since = datetime.now(UTC).isoformat(timespec="seconds")
            held.write_bytes(msgspec.json.encode(_Writer(os.getpid(), since)))
            yield
        finally:
            held.unlink(missing_ok=True)
            lock.release()

    @property
    def published(self) -> bool:
        """Whether a Generation was ever published here, be it whole or damaged by now."""
        return (self.path / "CURRENT").exists()

    def current(self) -> Path:
        """Return the Generation that readers open.

        :raises GraphError: when none was published yet, or it is gone.
        """
        number = self._current()
        if number is None:
            raise GraphError(f"{self.path} holds no finished graph; run: mder index PATH")
        generation = self.generations / str(number)
        if not generation.is_dir():
            raise GraphError(f"{generation} is missing; run mder index again")
        return generation

    def begin(self) -> Path:
        """Return a new staging directory; what killed runs left is removed. Needs the lock."""
        for leftover in self.generations.glob(_STAGING + "*"):
            shutil.rmtree(leftover, ignore_errors=True)
        return Path(mkdtemp(prefix=_STAGING, dir=self.generations))

    def publish(self, staged: Path) -> int:
        """Make a staged Generation the current one, whole or not at all. Needs the lock.

        :returns: its number.
        """
        number = max(self._numbers(), default=0) + 1
        _sync_tree(staged)
        staged.replace(self.generations / str(number))
        _sync(self.generations)
        pointer = self.path / "CURRENT.new"
        pointer.write_text(f"{number}\n", encoding="ascii")
        _sync(pointer)
        pointer.replace(self.path / "CURRENT")
        _sync(self.path)
        return number

    def prune(self, keep: int = 2) -> None:
        """Remove all Generations but the current one and the ``keep - 1`` before it."""
        current = self._current()
        if current is None:
            return
        kept = sorted(n for n in self._numbers() if n <= current)[-max(keep, 1) :]
        for number in self._numbers():
            if number not in kept:
                shutil.rmtree(self.generations / str(number), ignore_errors=True)

    def _numbers(self) -> list[int]:
        names = (path.name for path in self.generations.iterdir())
        return [int(name) for name in names if name.isascii() and name.isdecimal()]

    def _current(self) -> int | None:
        pointer = self.path / "CURRENT"
        try:
            return int(pointer.read_text(encoding="ascii"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise GraphError(f"{pointer} names no generation; run mder index again") from error


def _above() -> Path | None:
    here = Path.cwd()
    folders = (folder / NAME for folder in (here, *here.parents))
    return next((folder for folder in folders if folder.is_dir()), None)


def _named(kg: Path | None) -> Path | None:
    if kg is not None:
        return kg
    value = os.environ.get(VARIABLE)
    return Path(value) if value else None


def _by(held: Path) -> str:
    try:
        writer = msgspec.json.decode(held.read_bytes(), type=_Writer)
    except (OSError, msgspec.MsgspecError):
        return " by another process"
    return f" by process {writer.pid} since {writer.since}"


def _sync_tree(folder: Path) -> None:
    for path in folder.rglob("*"):
        _sync(path)
    _sync(folder)


def _sync(path: Path) -> None:
    if os.name == "nt" and path.is_dir():  # Windows opens no directory
        return
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
