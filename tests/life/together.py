"""One indexes over and over, another asks all the while."""

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import get_args

from dr.engine import Engine
from mder.embedders import open_embedder
from mder.embedders.base import Embedder
from mder.errors import MderError
from mder.graph.store import Graph, Which
from mder.graph.vocabulary import CHUNK, ENTITY, ENTITY_TYPE, RELATIONSHIP, TRIPLE
from mder.library import open_graph
from mder.reasoners.syntax import SyntaxReasoner
from tests.doubles import HashingEmbedder
from tests.life.corpora import written
from tests.life.worker import Worker
from tests.samples import save

QUESTION = "Where was the mayor of Fjordby born?"
# Each version of the documents has one mayor, and says of that one alone where they were born.
MAYORS = {
    "Nils Berg": "Odder",
    "Ida Holm": "Skagen",
    "Karl Lund": "Halden",
    "Sofia Dahl": "Uppsala",
}
_SETS: dict[str, tuple[Which, ...]] = {
    ENTITY.value: ("names", "summaries"),
    TRIPLE.value: ("triples",),
    CHUNK.value: ("chunks",),
    RELATIONSHIP.value: ("relations",),
    ENTITY_TYPE.value: ("relations",),
}


@dataclass(slots=True)
class Seen:
    """What was seen from beside.

    :param answers: how often each was given.
    :param generations: how many were answered from.
    :param torn: answers that are of no Generation, and Generations that are not whole.
    :param failed: runs of ``mder index`` that did.
    """

    answers: Counter[str] = field(default_factory=Counter)
    generations: set[str] = field(default_factory=set)
    torn: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def together(worker: Worker, folder: Path, seconds: float) -> Seen:
    """Index and ask at once, and return what was seen."""
    seen = Seen()
    save(folder / "docs", written(5))
    _write(folder, 0)
    worker.timed(folder, "mder", "index", "docs")
    embedder: Embedder = HashingEmbedder() if worker.hashing else open_embedder()
    ended = threading.Event()
    writer = threading.Thread(target=_index, args=(worker, folder, ended, seen.failed))
    writer.start()
    try:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            _ask(folder / ".mder", embedder, seen)
    finally:
        ended.set()
        writer.join()
    return seen


def _write(folder: Path, number: int) -> None:
    name, town = list(MAYORS.items())[number % len(MAYORS)]
    mayor = f"# Fjordby\n\nFjordby is a town in Norway. The mayor of Fjordby is {name}.\n"
    save(folder / "docs", {"a.md": mayor, "z.md": f"# {name}\n\n{name} was born in {town}.\n"})


def _index(worker: Worker, folder: Path, ended: threading.Event, failed: list[str]) -> None:
    for number in count(1):
        if ended.is_set():
            return
        _write(folder, number)
        done = worker.run(folder, "mder", "index", "docs")
        if done.code:
            failed.append(done.err)


def _ask(kg: Path, embedder: Embedder, seen: Seen) -> None:
    try:
        graph = open_graph(kg)
        reasoner = SyntaxReasoner(lambda text: bool(graph.find(text)))
        answer = Engine(graph, embedder, reasoner).ask(QUESTION)
        torn = list(_torn(graph))
    except (MderError, OSError, RuntimeError) as error:
        seen.torn.append(f"{type(error).__name__}: {error}")
        return
    quotes = [citation.quote for citation in answer.citations]
    seen.answers[answer.text.split(".")[0]] += 1
    seen.generations.add(graph.path.name)
    seen.torn += torn + ([] if _agree(answer.text, quotes) else [f"{answer.text} {quotes}"])


def _agree(text: str, quotes: Sequence[str]) -> bool:
    """Say whether an answer and all that is cited for it are of one version."""
    named = {name for name in MAYORS if any(name in quote for quote in quotes)}
    return len(named) == 1 and text.startswith(MAYORS[named.pop()])


def _torn(graph: Graph) -> list[str]:
    """Return the sets of vectors that are not of the things that the store holds."""
    held: defaultdict[Which, set[str]] = defaultdict(set)
    for kind, sets in _SETS.items():
        found = graph.query(f"SELECT ?s {{ ?s a <{kind}> }}")
        iris = {iri for (iri,) in found}
        for which in sets:
            held[which] |= iris
    return [
        f"{which} of {graph.path.name}"
        for which in get_args(Which)
        if held[which] != set(graph.vectors(which).ids)
    ]
