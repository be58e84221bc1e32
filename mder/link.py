"""Link: every mention of a known name in a Chunk leads to its Entity.

Names are found by longest match on words. A common single word ("Night") is linked only where its
own Document was found to mean an Entity by it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mder.names import bare_title, normalise
from mder.records import VALUES, Entity, Link, Reading

_TOKEN = re.compile(r"\w+(?:['’.-]\w+)*[+#]*\.?")
_POSSESSIVE = re.compile(r"['’]s\.?$")
# Scripts that put no spaces between words: kana, Han, Hangul, Thai, Lao, Khmer, Burmese.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
_LONGEST = 12  # words

Table = Mapping[str, Sequence[str]]


def name_table(entities: Iterable[Entity]) -> dict[str, list[str]]:
    """Return the Entities that each normalised name may mean, for names fit to be looked for.

    Left out are values, and phrases in lower case that are nobody's title.
    """
    table: dict[str, list[str]] = defaultdict(list)
    for entity in entities:
        if VALUES.intersection(entity.types) and not entity.documents:
            continue
        for name in dict.fromkeys((entity.name, bare_title(entity.name), *entity.aliases)):
            if entity.documents or not name[:1].islower():
                table[normalise(name)].append(entity.name)
    return table


def link(
    reading: Reading,
    names: Mapping[str, str],
    table: Table,
    about: Mapping[str, set[str]],
) -> Iterator[Link]:
    """Yield the Entities that a Document's Chunks mention, each once a Chunk.

    :param names: the Entity that each name of this Document means.
    :param table: the Entities that a normalised name may mean, from :func:`name_table`.
    :param about: the words of each Entity's own page, to choose between homonyms.
    """
    source = reading.document.source
    own = {normalise(name): entity for name, entity in names.items()}
    for chunk in reading.chunks:
        found: dict[str, None] = {}
        for key, single in _matches(chunk.text, own, table):
            entity = own.get(key) or _choose(key, single, table, chunk.text, about)
            if entity:
                found[entity] = None
        for entity in sorted(found):
            yield Link(source, chunk.start, entity)


def _matches(text: str, own: Mapping[str, str], table: Table) -> Iterator[tuple[str, bool]]:
    """Yield (normalised name, whether it is a single word) of the longest matches in order."""
    tokens = list(_TOKEN.finditer(text))
    keys = [normalise(token[0]) for token in tokens]
    position = 0
    while position < len(tokens):
        capital = not tokens[position][0][0].islower()
        for size in range(min(_LONGEST, len(tokens) - position), 0, -1):
            start = keys[position : position + size - 1]
            last = tokens[position + size - 1][0]
            key = _known([*start, keys[position + size - 1]], own, table, capital)
            key = key or _known([*start, normalise(_POSSESSIVE.sub("", last))], own, table, capital)
            if key:
                yield key, size == 1
                position += size - 1
                break
        position += 1
    if _UNSPACED.search(text):
        folded = normalise(text)
        unspaced = (k for k in {*own, *table} if _UNSPACED.search(k) and k in folded)
        yield from ((key, False) for key in sorted(unspaced))


def _known(words: Sequence[str], own: Mapping[str, str], table: Table, capital: bool) -> str:
    key = " ".join(word for word in words if word)
    return key if key in own or (capital and key in table) else ""


def _choose(key: str, single: bool, table: Table, text: str, about: Mapping[str, set[str]]) -> str:
    candidates = table[key]
    if single and not any(name in about for name in candidates):
        return ""
    if len(candidates) == 1:
        return candidates[0]
    words = words_of(text)
    return min(candidates, key=lambda name: (-len(words & about.get(name, set())), name))


def words_of(text: str) -> set[str]:
    """Return the longer words of a text, folded, for comparing contexts."""
    return {word for word in normalise(text).split() if len(word) > 3}
