"""The records that flow between the stages: frozen, slotted, with tuples inside.

Ids come from content (see :mod:`mder.graph.vocabulary` for IRIs), never from chance or order.
All character positions index into :attr:`Document.text`; ``end`` is exclusive.
"""

from dataclasses import dataclass
from enum import StrEnum

# Types of values: their names are compared as written and never disambiguated.
VALUES = frozenset({"date", "time", "number", "amount", "quantity"})


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a Document: where its text begins, its depth (1 is the top) and its words."""

    start: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Document:
    """One source: a file, a page or a row.

    :param source: identity of the source: a path, or ``path#row-key`` for a row.
    :param digest: SHA-256 (hex) of the content that was read.
    :param language: ISO 639-1 code, or ``""`` where none was detected.
    :param metadata: front matter and the like, as (key, value) pairs.
    """

    source: str
    title: str
    text: str
    digest: str
    language: str = ""
    sections: tuple[Section, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of whole sentences of a Document.

    :param source: the Document's :attr:`Document.source`.
    :param text: the original text, equal to ``document.text[start:end]``.
    :param summary: what the Reasoner kept of it, in the language of the Chunk.
    :param english: ``summary`` in the index language (English by default).
    """

    source: str
    start: int
    end: int
    text: str
    language: str = ""
    summary: str = ""
    english: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as it stands in a text, with the types seen for it.

    :param name: as written, without articles and trailing clauses.
    :param types: lower-case nouns, most certain first: ``("person", "chemist")``.
    :param local: the words identify something only within their Document ("the jury", "Anna").
    """

    name: str
    types: tuple[str, ...] = ()
    local: bool = False


@dataclass(frozen=True, slots=True)
class Triple:
    """A statement of one Chunk: subject, predicate, object.

    Before Disambiguate, the names are surface names; after it, they are names of Entities.

    :param source: the Document's source.
    :param chunk: start of the Chunk that states it.
    :param start: where the evidence (a sentence, normally) begins in the Document.
    :param verified: the evidence span exists in the Chunk and holds both names or their stand-ins.
    :param negated: the text denies it; the predicate says so too (``DID_NOT_WIN``).
    """

    subject: Mention
    predicate: str
    object: Mention
    source: str
    chunk: int
    start: int
    end: int
    verified: bool = True
    negated: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name that a Document states for something: "European Union (EU)"."""

    source: str
    name: str
    alias: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What Map found in one Document.

    :param mentions: all names, those as well that stand in no Triple.
    :param failed: starts of the Chunks that the Reasoner could not map.
    :param missed: starts of those that nobody answered about; the next run asks again.
    """

    triples: tuple[Triple, ...] = ()
    mentions: tuple[Mention, ...] = ()
    aliases: tuple[Alias, ...] = ()
    failed: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One Document as read so far: what the journal keeps and what Disambiguate needs."""

    document: Document
    chunks: tuple[Chunk, ...] = ()
    extraction: Extraction = Extraction()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One side of a pair that may be the same Entity, with the text that it stands in."""

    name: str
    types: tuple[str, ...]
    context: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two Candidates are one Entity, and on what ground."""

    same: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Merge:
    """The record of a name found to mean an Entity; it can be undone by leaving it out.

    :param entity: name of the Entity that was kept.
    :param name: the name that was merged into it.
    :param sources: the Documents in which it stood.
    :param score: cosine of the two names with their types, or 1.0 for the same normalised name.
    :param decided_by: the Reasoner, or the lexical rule.
    """

    entity: str
    name: str
    score: float
    decided_by: str
    evidence: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """A canonical name with its types, aliases and the one summary that retrieval reads.

    :param documents: sources of the Documents whose title names this Entity.
    """

    name: str
    types: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    summary: str = ""
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A Chunk that mentions an Entity."""

    source: str
    chunk: int
    entity: str


class Kind(StrEnum):
    """What form of answer a question asks for."""

    ENTITY = "entity"
    YES_NO = "yes_no"
    COMPARISON = "comparison"


@dataclass(frozen=True, slots=True)
class QueryTriple:
    """A triple of a question; unknown parts are Placeholders (X, Y, Z, X1 …)."""

    subject: str
    predicate: str
    object: str

    @property
    def placeholders(self) -> tuple[str, ...]:
        """The unknown parts, the object first."""
        return tuple(name for name in (self.object, self.subject) if is_placeholder(name))


def is_placeholder(name: str) -> bool:
    """Say whether a name stands for an Entity not known yet: X, Y, Z or X1, Y1 and so on."""
    return name[:1] in {"X", "Y", "Z"} and (len(name) == 1 or name[1:].isdecimal())


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart.

    :param text: the question in the index language.
    :param asks: the Placeholder whose value is the answer; ``""`` for a yes/no question.
    :param expects: the type that the answer should have ("person", "date", "place"), or ``""``.
    :param options: the names to choose from in a comparison.
    :param order: for a comparison, ``"least"``, ``"most"``, ``"same"`` or ``""``.
    """

    text: str
    triples: tuple[QueryTriple, ...]
    asks: str = ""
    kind: Kind = Kind.ENTITY
    expects: str = ""
    options: tuple[str, ...] = ()
    order: str = ""


class EvidenceKind(StrEnum):
    """What an Evidence is a piece of."""

    SUMMARY = "summary"
    TRIPLE = "triple"
    CHUNK = "chunk"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What supports a Resolution or an Answer; always with its Document.

    :param id: IRI of its node.
    :param text: an Entity's summary, a Triple's description or a Chunk's text.
    :param quote: the passage of the Document, as it stands there.
    :param score: higher is better; comparable within one search only.
    :param entity: name of the Entity it was found by, where there is one.
    :param triple: the Triple, for Evidence of that kind.
    :param path: how it was reached over the graph: names of Entities and titles of Documents.
    """

    id: str
    kind: EvidenceKind
    text: str
    source: str
    title: str
    quote: str
    start: int
    end: int
    score: float
    entity: str = ""
    triple: Triple | None = None
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Binding:
    """A value proposed for a Placeholder, with the ids of the Evidence that it rests on."""

    value: str
    score: float
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What a Reasoner answers, with the ids of the Evidence used, or that it cannot.

    :param value: the answer alone, without what it rests on: a name, a date, yes or no.
    :param guess: where nothing is answered, the best value found that was not sure enough.
    """

    text: str
    answered: bool = True
    cited: tuple[str, ...] = ()
    value: str = ""
    guess: str = ""
