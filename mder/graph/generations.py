"""The ``.mder`` directory: where Generations are staged, published, found and pruned.

Nothing in it names its own place, so it can be moved or copied as it is.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from math import inf
from pathlib import Path
from tempfile import mkdtemp

import msgspec
from filelock import FileLock, Timeout

from mder.errors import GraphError
from mder.graph.disk import remove_unused, sync
from mder.graph.seal import SEAL, check

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
        """Return the Generation that was published last, or that a rollback went back to.

        :raises GraphError: when none was published yet, or it is gone.
        """
        number = self.number()
        if number is None:
            raise GraphError(f"{self.path} holds no finished graph; run: mder index PATH")
        generation = self.generations / str(number)
        if not generation.is_dir():
            raise GraphError(f"{generation} is missing; run mder index again")
        return generation

    def readable(self) -> tuple[Path, str]:
        """Return the Generation that readers open, and what to tell when it is an older one.

        :raises GraphError: when none is whole.
        """
        try:
            path = self.current()
            check(path)
        except GraphError as error:
            older = self._before()
            if older is None:
                raise
            what, _, why = str(error).removesuffix("; run mder index again").partition(": ")
            return older, (
                f"{what}{f' ({why})' if why else ''}: answering from generation {older.name}; "
                "run mder index to mend it"
            )
        return path, ""

    def kept(self) -> list[tuple[int, Path]]:
        """Return the numbers and places of all Generations that are there, oldest first."""
        names = (path.name for path in self.generations.glob("*"))
        numbers = sorted(int(name) for name in names if name.isascii() and name.isdecimal())
        return [(number, self.generations / str(number)) for number in numbers]

    def begin(self) -> Path:
        """Return a new staging directory. Needs the lock.

        What killed runs left is removed, and what a rollback turned away.
        """
        for leftover in self.generations.glob(_STAGING + "*"):
            shutil.rmtree(leftover, ignore_errors=True)
        with suppress(GraphError):
            current = self.number()
            self._remove(number for number, _ in self.kept() if current and number > current)
        return Path(mkdtemp(prefix=_STAGING, dir=self.generations))

    def publish(self, staged: Path) -> int:
        """Make a staged Generation the current one, whole or not at all. Needs the lock.

        It was made durable when it was sealed, so that this takes as long for any graph.

        :returns: its number, which no other one had.
        """
        number = self._highest() + 1
        staged.replace(self.generations / str(number))
        sync(self.generations)
        self._point(number)
        return number

    def rollback(self, before: Callable[[Path], None] = lambda _: None) -> int:
        """Make the newest whole Generation before the current one current. Needs the lock.

        :param before: what is to be done first, with that Generation.
        :returns: its number.
        :raises GraphError: when there is none.
        """
        older = self._before()
        if older is None:
            raise GraphError(f"{self.path} has no older generation that is whole; run mder index")
        before(older)
        self._point(int(older.name))
        return int(older.name)

    def prune(self, keep: int = 2) -> None:
        """Remove all Generations but the current one and the ``keep - 1`` whole ones before it.

        One that is being read stays until the next time. Needs the lock.
        """
        current = self.number()
        if current is None:
            return
        numbers = [number for number, _ in self.kept()]
        older = (n for n, path in reversed(self.kept()) if n < current and _is_whole(path))
        wanted = {current, *islice(older, max(keep - 1, 0))}
        self._remove(number for number in numbers if number not in wanted)

    def number(self) -> int | None:
        """Return the number of the current Generation; None when none was published yet.

        :raises GraphError: when the file that says so is broken.
        """
        return self._pointer()[0]

    def said(self) -> str:
        """Return what the file says that names the current Generation; ``""`` without one."""
        with suppress(FileNotFoundError):
            return (self.path / "CURRENT").read_text(encoding="ascii", errors="replace")
        return ""

    def _pointer(self) -> tuple[int | None, int]:
        """Return the number of the current Generation, and the highest that one ever had."""
        if not self.published:
            return None, 0
        try:
            numbers = [int(word) for word in self.said().split()]
            return numbers[0], max(numbers)
        except (IndexError, ValueError) as error:
            raise GraphError(
                f"{self.path / 'CURRENT'} names no generation; run mder index again"
            ) from error

    def _point(self, number: int) -> None:
        highest = self._highest()
        pointer = self.path / "CURRENT.new"
        text = f"{number}\n" if number == highest else f"{number} {highest}\n"
        pointer.write_text(text, encoding="ascii")
        sync(pointer)
        pointer.replace(self.path / "CURRENT")
        sync(self.path)

    def _highest(self) -> int:
        """Return the highest number that a Generation ever had."""
        said = 0
        with suppress(GraphError):
            said = self._pointer()[1]
        return max([said, *(number for number, _ in self.kept())])

    def _before(self) -> Path | None:
        """Return the newest whole Generation before the current one; of all, if none is known."""
        limit = inf
        with suppress(GraphError):
            limit = self.number() or 0
        return next((p for n, p in reversed(self.kept()) if n < limit and _is_whole(p)), None)

    def _remove(self, numbers: Iterable[int]) -> None:
        for number in sorted(numbers):
            current, highest = self._pointer()
            if current is not None and number > highest:
                self._point(current)
            folder = self.generations / str(number)
            remove_unused(folder, folder / SEAL, self.generations / f"{_STAGING}{number}")


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


def _is_whole(generation: Path) -> bool:
    try:
        check(generation)
    except GraphError:
        return False
    return True
