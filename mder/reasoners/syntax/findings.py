"""What has been found in a Document so far, and what is known of its names by the end."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace

from mder.reasoners.syntax.discourse import Discourse, is_person
from mder.records import VALUES, Alias, Extraction, Mention, Triple


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands: the start of its Chunk, and its span in the Document."""

    chunk: int
    start: int
    end: int


@dataclass(slots=True)
class Findings:
    """Collects triples, names and aliases; dicts keep their order and each only once."""

    source: str
    discourse: Discourse
    triples: dict[Triple, None] = field(default_factory=dict)
    mentions: dict[Mention, None] = field(default_factory=dict)
    aliases: dict[Alias, None] = field(default_factory=dict)

    def state(
        self,
        subject: Mention,
        predicate: str,
        thing: Mention,
        place: Place,
        *,
        negated: bool = False,
    ) -> None:
        """Add a triple; a value is not a subject, and nothing is related to itself."""
        same = subject.name.casefold() == thing.name.casefold()
        if not same and not VALUES.intersection(subject.types):
            chunk, start, end = place.chunk, place.start, place.end
            triple = Triple(
                subject, predicate, thing, self.source, chunk, start, end, negated=negated
            )
            self.triples[triple] = None

    def keep(self, name: Mention | None) -> None:
        """Add a name, whatever is stated of it."""
        if name is not None and not VALUES.intersection(name.types):
            self.mentions[name] = None

    def call(self, name: str, alias: str) -> None:
        """Add another name for something."""
        if alias and alias != name:
            self.aliases[Alias(self.source, name, alias)] = None

    def extraction(self) -> Extraction:
        """Return everything, each name with the types that its Document gives it.

        Stated types come first. The parser labels each occurrence anew; the label that it gives
        most often counts.
        """
        labels: dict[str, Counter[str]] = defaultdict(Counter)
        for name in (m for t in self.triples for m in (t.subject, t.object)):
            labels[name.name].update(name.types)

        def typed(name: Mention) -> Mention:
            return replace(name, types=self._types(name, labels[name.name]))

        triples = (
            replace(t, subject=typed(t.subject), object=typed(t.object)) for t in self.triples
        )
        return Extraction(
            tuple(dict.fromkeys(triples)),
            tuple(dict.fromkeys(typed(m) for m in self.mentions)),
            tuple(self.aliases),
        )

    def _types(self, name: Mention, labels: Counter[str]) -> tuple[str, ...]:
        stated = self.discourse.types.get(name.name, [])
        usual = [kind for kind, _ in labels.most_common(1)] or list(name.types)
        if stated and "person" in usual and not is_person(stated):
            # What is said to be a film is no person, whatever the label.
            usual = []
        if "person" in stated:
            stated, usual = ["person", *(kind for kind in stated if kind != "person")], []
        return tuple(dict.fromkeys((*stated, *usual)))
