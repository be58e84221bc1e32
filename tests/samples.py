"""Small documents and what a Reasoner may have read in them."""

import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from mder.graph.generations import Home
from mder.journal import Journal
from mder.names import canonical
from mder.pipeline import Report, index
from mder.reasoners.base import Reasoner
from mder.reasoners.cast import Cast
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Alias, Chunk, Document, Extraction, Mention, Reading, Triple
from mder.settings import Settings
from tests.doubles import HashingEmbedder

CURIE = """\
---
date: 2024-05-01
---
# Marie Curie

Marie Curie was a chemist. She was born in Warsaw on 7 November 1867. She married Pierre Curie.

## Work

Marie Curie discovered polonium. She worked at the University of Paris.
"""
WARSAW = "# Warsaw\n\nWarsaw is the capital of Poland. It lies on the Vistula.\n"
TRADE = (
    "World Trade Organization\n\n"
    "The World Trade Organization (WTO) is an organization. The WTO is based in Geneva.\n"
)
MOSCOW = (
    "# Москва\n\n"
    "Москва является столицей России и стоит на реке, которая носит то же самое имя. "
    "В этом городе живёт много людей, и они говорят на русском языке.\n"
)
PAGES = {"curie.md": CURIE, "warsaw.md": WARSAW, "trade.txt": TRADE}

_SENTENCE = re.compile(r"[^.\s][^.]*\.?")


def save(folder: Path, pages: dict[str, str]) -> Path:
    """Write pages as files of a folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run_index(
    home: Home,
    *paths: Path,
    settings: Settings | None = None,
    reasoner: Reasoner | None = None,
    jobs: int = 1,
) -> Report:
    """Index files with the syntax Reasoner and the Embedder of the tests."""
    with home.lock(), Journal(home.journal) as journal:
        return index(
            paths,
            home,
            journal,
            settings or Settings(),
            Cast.of(reasoner or SyntaxReasoner()),
            HashingEmbedder(),
            jobs=jobs,
        )


def person(name: str, *, local: bool = False) -> Mention:
    return Mention(name, ("person",), local)


def place(name: str) -> Mention:
    return Mention(name, ("place",))


def date(name: str) -> Mention:
    return Mention(name, ("date",))


Statement = tuple[Mention | str, str, Mention | str]


def reading(
    title: str,
    text: str,
    *statements: Statement,
    source: str = "",
    aliases: Sequence[tuple[str, str]] = (),
    mentions: Sequence[Mention] = (),
) -> Reading:
    """Return a Document of one Chunk, with triples that point at the sentence of both names."""
    source = source or f"{title}.md"
    document = Document(source, title, text, sha256(text.encode()).hexdigest(), "en")
    triples = tuple(_triple(source, text, statement) for statement in statements)
    stated = tuple(Alias(source, name, alias) for name, alias in aliases)
    chunk = Chunk(source, 0, len(text), text, "en", text, text)
    return Reading(document, (chunk,), Extraction(triples, tuple(mentions), stated))


def names_in(found: Reading) -> set[str]:
    """Return every name of a Reading, as the graph stores it."""
    extraction = found.extraction
    names = {m.name for t in extraction.triples for m in (t.subject, t.object)}
    names |= {m.name for m in extraction.mentions} | {found.document.title}
    names |= {name for a in extraction.aliases for name in (a.name, a.alias)}
    return {canonical(name) for name in names}


def _triple(source: str, text: str, statement: Statement) -> Triple:
    subject, predicate, thing = statement
    left = subject if isinstance(subject, Mention) else Mention(subject)
    right = thing if isinstance(thing, Mention) else Mention(thing)
    start, end = _place(text, left.name, right.name)
    return Triple(left, predicate, right, source, 0, start, end)


def _place(text: str, *names: str) -> tuple[int, int]:
    for match in _SENTENCE.finditer(text):
        if all(name in match[0] for name in names):
            return match.span()
    return 0, len(text)
