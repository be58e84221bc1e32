"""Senses that may mean something else now, worked out a batch at a time.

What Disambiguate finds about a Sense rests on those alone that it shares a key with, directly or
through others, or whose labels are near. The former are known beforehand and always come in one
batch. The latter show only when labels are there: then those are worked out again, together.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from mder.disambiguate import Partition, Resolved, disambiguate, label, meeting, stacked
from mder.disambiguate.names import Name
from mder.embedders.base import Vectors
from mder.pipeline.whole.work import Work
from mder.records import Entity, Merge

_BATCH = 4000  # Senses, or as many more as share keys
_LABELS = 4096  # of Senses elsewhere, compared at a time
Pair = tuple[int, int]
"""Two Senses, or two sets of them by their representatives."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """What the Senses of a batch were compared by in any round.

    :param senses: one behind each label.
    :param texts: the labels, ``""`` where it is the one of the Entity that is meant now.
    :param near: pairs of Senses whose labels were near each other.
    """

    senses: Sequence[int]
    texts: Sequence[str]
    vectors: Vectors
    near: Sequence[Pair]

    def without(self, senses: bytearray) -> "_Compared":
        """Leave out what Senses were compared by that are marked with their number."""
        kept = [place for place, sense in enumerate(self.senses) if not senses[sense]]
        return _Compared(
            array("q", (self.senses[place] for place in kept)),
            [self.texts[place] for place in kept],
            self.vectors[kept],
            [pair for pair in self.near if not senses[pair[0]]],
        )


class Region:
    """Senses by id, what they mean, and what they were compared by.

    They are as many as the names in all Documents, so that a few bytes are kept of each, and more
    of Entities only.

    :ivar senses: those worked out.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._limit = work.state.senses.last() + 1
        self._sets = Partition(self._limit)
        self._meant = array("q", [-1]) * self._limit
        self._things: list[tuple[Entity, Sequence[Merge]]] = []
        self._compared: list[_Compared] = []
        self.senses = array("q")

    def work_out(self, senses: Iterable[int]) -> None:
        """Work out what Senses mean, and all whose labels turn out to be near theirs.

        :param senses: with all that share keys with them.
        """
        anew = self._added(senses)
        while anew:
            apart = self._pass(anew)
            beyond = {far for _, far in apart if self._meant[far] < 0}
            self._added(self._work.state.senses.reach(beyond))
            for pair in apart:
                self._sets.join(*pair)
            again = {self._sets.find(one) for one, _ in apart}
            anew = array("q", (s for s in self.senses if self._sets.find(s) in again))

    def meanings(self) -> Iterator[tuple[int, str]]:
        """Yield each Sense with the name of the Entity that it means."""
        return ((sense, self._things[self._meant[sense]][0].name) for sense in self.senses)

    def near(self) -> Iterator[Pair]:
        """Yield pairs of Senses whose labels were near each other."""
        return (pair for compared in self._compared for pair in compared.near)

    def labels(self) -> Iterator[tuple[int, str, bytes]]:
        """Yield (Sense, label, vector) of what is the label of no Entity now."""
        for made in self._compared:
            for sense, text, vector in zip(made.senses, made.texts, made.vectors, strict=True):
                if text:
                    yield sense, text, vector.tobytes()

    def things(self) -> list[tuple[Entity, Sequence[Merge]]]:
        """Return the Entities that are meant and the Merges into each, by name."""
        places = {self._meant[sense] for sense in self.senses}
        return sorted((self._things[place] for place in places), key=lambda t: t[0].name)

    def _added(self, senses: Iterable[int]) -> "array[int]":
        new = array("q", (sense for sense in senses if self._meant[sense] < 0))
        self.senses.extend(new)
        for pair in self._work.state.senses.alike(new):
            self._sets.join(*pair)
        return new

    def _pass(self, senses: Sequence[int]) -> set[Pair]:
        """Work these out; return pairs of which one has to be worked out with the other."""
        self._forget(senses)
        apart: set[Pair] = set()
        together: set[Pair] = set()
        made: list[_Compared] = []
        for batch in self._batches(senses):
            compared = self._batch(batch)
            for other in self._compared:
                apart |= self._meeting(compared, other)
            together |= self._meeting(compared, compared)
            self._compared.append(compared)
            made.append(compared)
        for pair in together:
            self._sets.join(*pair)
        return apart.union(*map(self._beyond, made)) if self._work.base else apart

    def _forget(self, senses: Iterable[int]) -> None:
        marked = bytearray(self._limit)
        for sense in senses:
            marked[sense] = 1
        self._compared = [compared.without(marked) for compared in self._compared]

    def _batches(self, senses: Sequence[int]) -> Iterator[Sequence[int]]:
        """Yield these Senses, those of one set in one batch."""
        ordered = array("q", sorted(senses, key=self._sets.find))
        start = 0
        for at, (sense, before) in enumerate(zip(ordered[1:], ordered, strict=False), start=1):
            if at - start >= _BATCH and self._sets.find(sense) != self._sets.find(before):
                yield ordered[start:at]
                start = at
        yield ordered[start:]

    def _batch(self, senses: Sequence[int]) -> _Compared:
        settings = self._work.settings
        rows = list(self._work.state.senses.of(senses))
        resolved = disambiguate(
            (sense for _, sense in rows),
            self._work.cast.disambiguate,
            self._work.embedder,
            threshold=settings.merge_threshold,
            rounds=settings.merge_rounds,
        )
        ids = {(sense.source, name): i for i, sense in rows for name in sense.uses}
        merges: dict[str, list[Merge]] = defaultdict(list)
        for merge in resolved.merges:
            merges[merge.entity].append(merge)
        places = {e.name: place for place, e in enumerate(resolved.entities, len(self._things))}
        self._things += [(entity, merges[entity.name]) for entity in resolved.entities]
        for name, sense in ids.items():
            self._meant[sense] = places[resolved.names[name]]
        return self._labels(resolved, ids)

    def _labels(self, resolved: Resolved, ids: dict[Name, int]) -> _Compared:
        now = {entity.name: label(entity.name, entity.types) for entity in resolved.entities}
        labels = sorted(resolved.labels)
        return _Compared(
            array("q", (ids[name] for _, name in labels)),
            [text if text != now[resolved.names[name]] else "" for text, name in labels],
            self._work.embedder.encode([text for text, _ in labels]),
            [(ids[one], ids[other]) for one, other in resolved.near],
        )

    def _meeting(self, one: _Compared, other: _Compared) -> set[Pair]:
        """Return the sets that have labels near each other, by their representatives."""
        threshold, find = self._work.settings.merge_threshold, self._sets.find
        found = meeting(one.vectors, other.vectors, threshold)
        return {(find(one.senses[i]), find(other.senses[j])) for i, j in found}

    def _beyond(self, compared: _Compared) -> Iterator[Pair]:
        """Yield pairs of a Sense here and one elsewhere that is near by a label of its own.

        That is the one of its Entity, or one it had on the way.
        """
        base, state = self._work.base, self._work.state.senses
        threshold = self._work.settings.merge_threshold
        if base is None or not compared.senses:
            return
        for row, iri, _ in base.vectors("names").above(compared.vectors, threshold):
            sense = state.sense_of(iri)
            if sense is not None and self._meant[sense] < 0:
                yield compared.senses[row], sense
        known = state.labels()
        while part := list(islice(known, _LABELS)):
            vectors = stacked([vector for _, vector in part])
            for row, place in meeting(compared.vectors, vectors, threshold):
                if self._meant[part[place][0]] < 0:
                    yield compared.senses[row], part[place][0]
