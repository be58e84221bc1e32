"""A graph of things that are not there, in any size, written by what writes real ones.

Each Document is one Chunk of a few sentences about an Entity of its own, which name some others,
few of them often; each sentence is a Triple. Names are syllables and vectors chance, both from a
seed, but for those of relations and types, which are real words.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path
from random import Random

import numpy as np

from mder import VERSION
from mder.embedders import PACKAGED, open_embedder
from mder.embedders.base import Vectors
from mder.embedders.memory import digest
from mder.graph import convert, provenance
from mder.graph import vocabulary as v
from mder.graph.draft import Draft
from mder.graph.generations import Home
from mder.graph.knowledge import document_graph
from mder.graph.manifest import Manifest
from mder.graph.store import Which
from mder.graph.words import words
from mder.records import Chunk, Document, Entity, Link, Mention, Reading, Triple

DIMENSION = 384
KINDS = ("person", "company", "city", "film", "river", "school", "band", "book")
VERBS = (
    *("was born in", "founded", "married", "directed", "wrote", "joined", "moved to", "led"),
    *("taught", "praised", "funded", "visited", "painted", "published", "sold", "opened", "hired"),
    *("acquired", "defended", "restored", "recorded", "named", "sponsored", "renamed", "mapped"),
    *("criticised", "bordered", "supplied", "translated", "produced", "coached", "governed"),
)
ENDINGS = ("", " near", " with", " after", " under", " before", " against", " behind")
SYLLABLES = tuple(c + w + e for c in "bdfgklmnprstvz" for w in "aeiou" for e in ("", "n", "r", "l"))
SENTENCES = 4
_AT_ONCE = 4096  # vectors


class World:
    """What is told of so many Entities, each with a Document of its own."""

    def __init__(self, size: int, seed: int = 0) -> None:
        self.size, self.seed = size, seed
        random = self._chance("names")
        first = list(islice(_words(random, 2), 1000))
        last = list(islice(_words(random, 3), max(size // 5, 10)))
        pairs = (f"{random.choice(first)} {random.choice(last)}".title() for _ in count())
        self.names = list(islice(_distinct(pairs), size))
        self._fillers = list(islice(_words(random, 4), 5000))
        self._phrases = [verb + ending for ending in ENDINGS for verb in VERBS]

    def kind(self, number: int) -> str:
        """Return the type of an Entity."""
        return KINDS[number % len(KINDS)]

    def told(self, number: int) -> list[tuple[int, str, int]]:
        """Return what each sentence of a Document states: subject, words between, object."""
        random = self._chance(f"told {number}")
        others = [self._few(random, self.size) for _ in range(SENTENCES)]
        subjects = [number, *(random.choice((number, other)) for other in others[:-1])]
        phrases = [self._phrases[self._few(random, len(self._phrases))] for _ in others]
        return list(zip(subjects, phrases, others, strict=True))

    def reading(self, number: int) -> tuple[Reading, list[Triple]]:
        """Return a Document with its Chunk, and its Triples."""
        random, source, text = self._chance(f"words {number}"), self.source(number), ""
        triples = []
        for subject, phrase, thing in self.told(number):
            stated = f"{self.names[subject]} {phrase} {self.names[thing]}"
            start, text = len(text), f"{text}{stated}, {self._filler(random)}. "
            ends = [Mention(self.names[end], (self.kind(end),)) for end in (subject, thing)]
            predicate = phrase.replace(" ", "_").upper()
            place = source, 0, start, len(text) - 1
            triples.append(Triple(ends[0], predicate, ends[1], *place, description=stated))
        document = Document(source, self.names[number], text, f"{number:064x}", "en")
        chunk = Chunk(source, 0, len(text), text, "en", text, text)
        return Reading(document, (chunk,)), triples

    def source(self, number: int) -> str:
        """Return what a Document is called."""
        return f"made/{number:07}.md"

    def entity(self, number: int) -> Entity:
        """Return an Entity with a summary."""
        _, phrase, thing = self.told(number)[0]
        summary = f"{self.names[number]} {phrase} {self.names[thing]}."
        kind, source = self.kind(number), self.source(number)
        return Entity(self.names[number], (kind,), (), summary, (source,))

    def questions(self, most: int) -> list[tuple[str, str]]:
        """Return questions, every other one of two hops, with a name that each holds."""
        random = self._chance("questions")
        found: list[tuple[str, str]] = []
        while len(found) < most:
            _, phrase, thing = self.told(random.randrange(self.size))[0]
            outer, name = random.choice(VERBS[1:]), self.names[thing]
            two = f"Who {outer} the {random.choice(KINDS)} that {phrase} {name}?"
            found.append((two if len(found) % 2 else f"Who {phrase} {name}?", name))
        return found

    def _filler(self, random: Random) -> str:
        few = (self._fillers[self._few(random, len(self._fillers))] for _ in range(9))
        return " ".join(few)

    def _chance(self, use: str) -> Random:
        return Random(f"{self.seed} {use}")  # noqa: S311

    @staticmethod
    def _few(random: Random, size: int) -> int:
        """Return a number below a size, small ones more often."""
        return int(size * random.random() ** 2)


def build(world: World, kg: Path) -> None:
    """Write a graph of a World."""
    home = Home.create(kg)
    with home.lock():
        staged = home.begin()
        draft = Draft.begin(staged, None)
        agent = v.agent_iri("syntax")
        draft.node(agent, provenance.agent_quads(["syntax"]))
        random = np.random.default_rng(world.seed)
        spoken: list[tuple[str, str]] = []
        said: dict[str, str] = {}
        for start in range(0, world.size, _AT_ONCE):
            numbers = range(start, min(start + _AT_ONCE, world.size))
            spoken += _written(world, draft, numbers, random, said)
        vectors = open_embedder(PACKAGED).encode(list(said.values()))
        draft.vectors["relations"].put(list(said), list(map(digest, said.values())), vectors)
        spoken.sort()
        draft.index(lambda: spoken)
        manifest = Manifest(
            version=VERSION,
            embedder=PACKAGED,
            dimension=DIMENSION,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            reasoners={"map": "syntax"},
        )
        draft.finish(manifest)
        home.publish(staged)


def _written(
    world: World,
    draft: Draft,
    numbers: range,
    random: np.random.Generator,
    said: dict[str, str],
) -> Iterator[tuple[str, str]]:
    """Write some Documents and their Entities; yield the words of the Chunks by IRI.

    :param said: gets the words of Relationships and EntityTypes by IRI.
    """
    agent = v.agent_iri("syntax")
    ids: dict[Which, list[str]] = {"names": [], "triples": [], "chunks": []}
    for number in numbers:
        (reading, triples), entity = world.reading(number), world.entity(number)
        mentioned = sorted({end.name for t in triples for end in (t.subject, t.object)})
        source = reading.document.source
        links = [Link(source, 0, name) for name in mentioned]
        draft.document(source, document_graph(reading, triples, links, entity.name, agent))
        node, chunk = v.entity_iri(entity.name), v.chunk_iri(source, 0).value
        draft.node(node, convert.entity_quads(entity, agent))
        kind = v.type_iri(entity.types[0])
        draft.declare(kind, convert.type_quads(entity.types[0]))
        said[kind.value] = entity.types[0]
        for triple in triples:
            relation = v.relation_iri(triple.predicate)
            draft.declare(relation, convert.relationship_quads(triple.predicate))
            said[relation.value] = triple.predicate.replace("_", " ").lower()
        ids["names"].append(node.value)
        ids["chunks"].append(chunk)
        ids["triples"] += dict.fromkeys(v.triple_iri(triple).value for triple in triples)
        yield chunk, " ".join(words(reading.document.text))
    ids["summaries"] = ids["names"]
    for which, some in ids.items():
        digests = [digest(f"{which} {iri}") for iri in some]
        draft.vectors[which].put(some, digests, _units(random, len(some)))


def _units(random: np.random.Generator, count: int) -> Vectors:
    """Return vectors of any direction."""
    found = random.standard_normal((count, DIMENSION), dtype=np.float32)
    units: Vectors = found / np.linalg.norm(found, axis=1, keepdims=True)
    return units


def _words(random: Random, syllables: int) -> Iterator[str]:
    made = ("".join(random.choices(SYLLABLES, k=syllables)) for _ in count())
    return _distinct(made)


def _distinct(texts: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text
