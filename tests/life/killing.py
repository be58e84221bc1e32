"""Kills ``mder index`` at random moments, and looks at what comes of it."""

import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dr.engine import Engine
from mder.embedders import open_embedder
from mder.embedders.base import Embedder
from mder.errors import MderError
from mder.graph.store import Graph
from mder.journal import Journal
from mder.library import open_graph
from mder.reasoners.syntax import SyntaxReasoner
from tests import stubs
from tests.doubles import Done, HashingEmbedder
from tests.life.corpora import written
from tests.life.state import State, difference, state
from tests.life.worker import Worker
from tests.pipeline.served import ASKING, CHAT, answer
from tests.samples import save
from tests.stubs import Recorded, StubUrl

QUESTION = "Who is the mayor of Fjordby?"
BEFORE, AFTER = "Ida Holm", "Nils Berg"
LLM = ("--llm", "ollama/tiny", *ASKING, "--set", "llm_batch=1")
_PAUSE = 0.1  # seconds between questions, so that the run that is asked beside has its share
MAYOR = "# Fjordby\n\nFjordby is a town in Norway. The mayor of Fjordby is {name}.\n"


@dataclass(frozen=True, slots=True)
class Stage:
    """A folder whose documents changed since they were indexed.

    :param goal: the graph when they are indexed again, without being killed.
    :param seconds: what that takes.
    """

    folder: Path
    options: tuple[str, ...]
    goal: State
    seconds: float


@dataclass(slots=True)
class Trial:
    """What one kill, or several, did.

    :param killed: times that the command was still running.
    :param asked_twice: replies that were asked for again though they had been kept.
    :param wrong: how the graph differs from the one without a kill.
    :param answers: what was answered meanwhile, and how often.
    """

    killed: int = 0
    asked_twice: int = 0
    wrong: list[str] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)

    @property
    def sound(self) -> bool:
        """Say whether the old graph, or the new one, answered all the while."""
        return bool(self.answers) and self.answers.keys() <= {BEFORE, AFTER}


@contextmanager
def staged(worker: Worker, folder: Path, *, llm: bool, pages: int = 12) -> Iterator["Killer"]:
    """Index some pages, change a part of them, and give what tries kills on that."""
    with stubs.ollama(answer) if llm else nullcontext() as server:
        worker.environment["OLLAMA_HOST"] = server or stubs.refused()
        options = LLM if llm else ()
        begin = folder / "begin"
        corpus = written(pages)
        part = dict(list(corpus.items())[: pages // 2])
        save(begin / "docs", {**part, "mayor.md": MAYOR.format(name=BEFORE)})
        worker.timed(begin, "mder", "index", "docs", *options)
        changed = {**corpus, **written(pages // 4, seed=1)}
        save(begin / "docs", {**changed, "mayor.md": MAYOR.format(name=AFTER)})
        times = []
        for name in ("after", "again"):
            after = Path(shutil.copytree(begin, folder / name))
            times.append(worker.timed(after, "mder", "index", "docs", *options))
        goal = Stage(begin, options, state(open_graph(after / ".mder")), min(times))
        yield Killer(worker, goal, server)


@dataclass(slots=True)
class Killer:
    """Tries kills on copies of one folder."""

    worker: Worker
    stage: Stage
    server: StubUrl | None

    def trial(self, random: Random, *, kills: int = 1, jobs: int = 1) -> Trial:
        """Kill a run at random moments, resume it to its end, and compare."""
        folder = self.stage.folder.with_name("trial")
        shutil.copytree(self.stage.folder, folder)
        command = ("mder", "index", "docs", *self.stage.options, "--jobs", jobs)
        asked = Asked(self.server, folder / ".mder" / "journal.sqlite")
        trial = Trial()
        with asking(folder / ".mder", trial.answers, hashing=self.worker.hashing):
            for _ in range(kills):
                running = self.worker.start(folder, *command)
                time.sleep(random.random() * self.stage.seconds)
                running.kill()
                trial.killed += running.wait().code < 0
                trial.asked_twice += asked.again()
            trial.wrong = self._end(folder, self.worker.run(folder, *command))
            trial.asked_twice += asked.again()
        shutil.rmtree(folder)
        return trial

    def _end(self, folder: Path, done: Done) -> list[str]:
        if done.code:
            return [f"exit code {done.code}: {done.err}"]
        return difference(self.stage.goal, state(open_graph(folder / ".mder")))


class Asked:
    """What a server was asked in several runs, each but the last one killed."""

    def __init__(self, server: StubUrl | None, journal: Path) -> None:
        self._requests: list[Recorded] = [] if server is None else server.requests
        self._requests.clear()
        self._journal = journal
        self._kept = _kept(journal)
        self._before: set[str] = set()
        self._lost = 0

    def again(self) -> int:
        """Return how many replies that had been kept were asked for again in the last run."""
        # A request of which a kill cut off the end says nothing.
        said = [r.body.get("messages") for r in self._requests if r.path in CHAT.values()]
        prompts = [str(messages) for messages in said if messages]
        self._requests.clear()
        repeated = sum(prompt in self._before for prompt in prompts)
        twice = max(repeated - self._lost, 0)
        kept = _kept(self._journal)
        # What was in hand at the kill was asked, and is not kept.
        self._lost += len(prompts) - (kept - self._kept) - min(repeated, self._lost)
        self._before |= set(prompts)
        self._kept = kept
        return twice


def _kept(journal: Path) -> int:
    """Return how many requests of all time were answered with what is kept."""
    with Journal(journal, writes=False) as kept:
        return sum(spent.calls for spent in kept.spending().values())


@contextmanager
def asking(kg: Path, answers: Counter[str], *, hashing: bool) -> Iterator[None]:
    """Ask a graph all the while, opening it anew each time, and count the answers.

    Errors are counted as answers.
    """
    ended = threading.Event()
    embedder: Embedder = HashingEmbedder() if hashing else open_embedder()

    def ask() -> None:
        try:
            answers[asked(open_graph(kg), embedder, QUESTION)] += 1
        except (MderError, OSError, RuntimeError) as error:
            answers[f"{type(error).__name__}: {error}"] += 1

    def go_on() -> None:
        while not ended.wait(_PAUSE):
            ask()

    thread = threading.Thread(target=go_on)
    ask()
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        ask()


def asked(graph: Graph, embedder: Embedder, question: str) -> str:
    """Return the short answer of the syntax Reasoner: what its text begins with."""
    reasoner = SyntaxReasoner(lambda text: bool(graph.find(text)))
    return Engine(graph, embedder, reasoner).ask(question).text.split(".")[0]


def trials(
    killer: Killer, count: int, seed: int = 0, jobs: Sequence[int] = (1, 1, 4)
) -> Iterator[Trial]:
    """Yield the trials of a seed; in each fourth, what resumes a killed run is killed as well."""
    random = Random(seed)
    for number in range(count):
        kills = 2 if number % 4 == 3 else 1
        yield killer.trial(random, kills=kills, jobs=jobs[number % len(jobs)])
