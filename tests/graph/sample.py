"""A small graph in several scripts, with everything that a record can hold."""

from mder.records import (
    Chunk,
    Document,
    Entity,
    Link,
    Mention,
    Merge,
    Reading,
    Section,
    Triple,
)
from tests.graphs import Knowledge

CURIE = "docs/curie.md"
MOSCOW = "docs/Москва.txt"

_FIRST = "Marie Curie was born in Warsaw. She did not stay there."
_SECOND = "Her daughter is Irène."
_CURIE_TEXT = f"{_FIRST} {_SECOND}"
_MOSCOW_TEXT = "Москва — столица."

CHUNKS = (
    Chunk(CURIE, 0, len(_FIRST), _FIRST, "en", "Curie was born.", "Curie was born."),
    Chunk(CURIE, len(_FIRST) + 1, len(_CURIE_TEXT), _SECOND, "en", _SECOND, _SECOND),
)
MOSCOW_CHUNK = Chunk(
    MOSCOW, 0, len(_MOSCOW_TEXT), _MOSCOW_TEXT, "ru", _MOSCOW_TEXT, "Moscow is the capital."
)

MARIE = Mention("Marie Curie", ("person", "chemist"))
WARSAW = Mention("Warsaw", ("city",))
IRENE = Mention("Irène", ("person",))

BORN = Triple(
    MARIE, "WAS_BORN_IN", WARSAW, CURIE, 0, 0, 31, description="Marie Curie was born in Warsaw."
)
STAYED = Triple(MARIE, "DID_NOT_STAY_IN", WARSAW, CURIE, 0, 32, 55, verified=False, negated=True)
DAUGHTER = Triple(
    IRENE, "IS_DAUGHTER_OF", MARIE, CURIE, CHUNKS[1].start, 56, 78, description="Irène is hers."
)

ENTITIES = (
    Entity("Irène", ("person",)),
    Entity("Marie Curie", MARIE.types, ("M. Curie", "Madame Curie"), "A chemist.", (CURIE,)),
    Entity("Warsaw", ("city",), ("Warszawa",)),
    Entity("Москва", ("city",), ("Moscow",), "Столица.", (MOSCOW,)),
)
MERGES = (
    Merge("Marie Curie", "Madame Curie", 0.97, "syntax", "same head", (CURIE,)),
    Merge("Warsaw", "Warszawa", 1.0, "alias", "stated"),
)

KNOWLEDGE = Knowledge(
    readings=(
        Reading(
            Document(
                CURIE,
                "Marie Curie",
                _CURIE_TEXT,
                "a" * 64,
                "en",
                (Section(0, 1, "Life"), Section(56, 2, "Family")),
                (("author", "N. N."), ("Tags", "a, b"), ("author", "M. M.")),
            ),
            CHUNKS,
        ),
        Reading(Document(MOSCOW, "Москва", _MOSCOW_TEXT, "b" * 64, "ru"), (MOSCOW_CHUNK,)),
    ),
    entities=ENTITIES,
    triples=(BORN, STAYED, DAUGHTER),
    links=(
        Link(CURIE, 0, "Marie Curie"),
        Link(CURIE, 0, "Warsaw"),
        Link(CURIE, CHUNKS[1].start, "Irène"),
        Link(MOSCOW, 0, "Москва"),
    ),
    merges=MERGES,
)
