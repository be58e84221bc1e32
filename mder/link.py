"""Link: every mention of a known name in a Chunk leads to its Entity.

Names are found by longest match on words. A common single word ("Night") is linked only where its
own Document was found to mean an Entity by it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mder.names import UNSPACED, bare_title, normalise
from mder.records import VALUES, Entity, Link, Reading

_TOKEN = re.compile(r"\w+(?:['’.-]\w+)*[+#]*\.?")
_POSSESSIVE = re.compile(r"['’]s\.?$")
_LONGEST = 12  # words


@dataclass(frozen=True, slots=True)
class NameTable:
    """Names fit to be looked for in texts.

    :param entities: the Entities that a normalised name may mean.
    :param longest: how many words the names have that begin with a word, at the most.
    :param unspaced: the names in scripts that put no spaces between words.
    """

    entities: Mapping[str, Sequence[str]]
    longest: Mapping[str, int]
    unspaced: Sequence[str]

    @classmethod
    def of(cls, entities: Mapping[str, Sequence[str]]) -> "NameTable":
        """Index names by their first words."""
        longest: dict[str, int] = {}
        for name in entities:
            words = name.split()[:_LONGEST] or [""]
            longest[words[0]] = max(longest.get(words[0], 0), len(words))
        return cls(entities, longest, sorted(n for n in entities if UNSPACED.search(n)))


def spellings(entity: Entity) -> tuple[str, ...]:
    """Return the normalised names that texts may mean an Entity by.

    A value has none, nor has a phrase that is nobody's title.
    """
    if VALUES.intersection(entity.types) and not entity.documents:
        return ()
    names = (entity.name, bare_title(entity.name), *entity.aliases)
    fit = (name for name in names if entity.documents or not name[:1].islower())
    return tuple(dict.fromkeys(map(normalise, fit)))


def head(spelling: str) -> str:
    """Return the first word of a spelling; ``""`` where its script puts no spaces between words."""
    return "" if UNSPACED.search(spelling) else spelling.partition(" ")[0]


def heads(reading: Reading) -> set[str]:
    """Return the first words of all spellings that a Document may hold."""
    tokens = list(_tokens(reading))
    found = {word for token in tokens for word in _heads(*token)}
    # A character such as "ｱ" is of such a script only once it is normalised.
    texts = (reading.document.text, *(key for key, _ in tokens))
    return found | ({""} if any(map(UNSPACED.search, texts)) else set())


def folded(reading: Reading) -> str:
    """Return the words of a Document such that each spelling in it follows a space."""
    tokens = list(_tokens(reading))
    words = [key for key, _ in tokens if key]
    # "Night's" may mean Night.
    others = dict.fromkeys(short for key, short in tokens if short and short != key)
    unspaced = [normalise(c.text) for c in reading.chunks if UNSPACED.search(c.text)]
    return " ".join(["", *words, *others, *unspaced])


def within(spelling: str) -> str:
    """Return what :func:`folded` words hold where they may hold a spelling."""
    return spelling if UNSPACED.search(spelling) else f" {spelling}"


def matters(spelling: str, *, about: bool) -> bool:
    """Say whether a spelling is linked at all: a single word is if a Document is about it."""
    return about or " " in spelling or bool(UNSPACED.search(spelling))


def link(
    reading: Reading,
    names: Mapping[str, str],
    table: NameTable,
    about: Mapping[str, set[str]],
) -> Iterator[Link]:
    """Yield the Entities that a Document's Chunks mention, each once a Chunk.

    :param names: the Entity that each name of this Document means.
    :param table: the spellings of all Entities that matter, or those with these :func:`heads`.
    :param about: the words of each Entity's own page, to choose between homonyms.
    """
    source = reading.document.source
    own = NameTable.of({normalise(name): [entity] for name, entity in names.items()})
    for chunk in reading.chunks:
        found: set[str] = set()
        for key, single in _matches(chunk.text, own, table):
            if key in own.entities:
                found.add(own.entities[key][0])
            elif entity := _choose(key, single, table, chunk.text, about):
                found.add(entity)
        yield from (Link(source, chunk.start, entity) for entity in sorted(found))


def _matches(text: str, own: NameTable, table: NameTable) -> Iterator[tuple[str, bool]]:
    """Yield (normalised name, whether it is a single word) of the longest matches in order."""
    tokens = [match[0] for match in _TOKEN.finditer(text)]
    forms = [_forms(token) for token in tokens]
    keys = [key for key, _ in forms]
    position = 0
    while position < len(tokens):
        tables = (own,) if tokens[position][0].islower() else (own, table)
        begun = _heads(*forms[position])
        most = max((t.longest.get(word, 0) for t in tables for word in begun), default=0)
        for size in range(min(most, len(tokens) - position), 0, -1):
            last = position + size - 1
            key = _known(keys[position:last], forms[last], tables)
            if key:
                yield key, size == 1
                position = last
                break
        position += 1
    if UNSPACED.search(text):
        folded = normalise(text)
        yield from ((n, False) for t in (own, table) for n in t.unspaced if n in folded)


def _tokens(reading: Reading) -> Iterator[tuple[str, str]]:
    for chunk in reading.chunks:
        yield from (_forms(match[0]) for match in _TOKEN.finditer(chunk.text))


def _forms(token: str) -> tuple[str, str]:
    """Return a word normalised, with and without the ending of a possessive."""
    return normalise(token), normalise(_POSSESSIVE.sub("", token))


def _heads(*forms: str) -> set[str]:
    # "Jean-Paul" is one word here, and two of a name.
    return {word for form in forms for word in form.split()[:1]}


def _known(words: Sequence[str], endings: Sequence[str], tables: Sequence[NameTable]) -> str:
    for ending in endings:
        key = " ".join(word for word in (*words, ending) if word)
        if any(key in table.entities for table in tables):
            return key
    return ""


def _choose(
    key: str, single: bool, table: NameTable, text: str, about: Mapping[str, set[str]]
) -> str:
    candidates = table.entities[key]
    if single and not any(name in about for name in candidates):
        return ""
    if len(candidates) == 1:
        return candidates[0]
    words = words_of(text)
    return min(candidates, key=lambda name: (-len(words & about.get(name, set())), name))


def words_of(text: str) -> set[str]:
    """Return the longer words of a text, folded, for comparing contexts."""
    return {word for word in normalise(text).split() if len(word) > 3}
