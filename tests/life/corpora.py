"""Small corpora that are hard where documents meet: names that are shared, alike, or short."""

import json
from collections.abc import Mapping
from random import Random
from string import Formatter

from hypothesis import strategies as st

# Name of a file: its text.
Pages = dict[str, str]

WORDS: Mapping[str, tuple[str, ...]] = {
    "person": (
        "John Smith",
        "John Adams",
        "John Quincy Adams",
        "Anna Holt",
        "Anne Holt",
        "Anna Maria Holt",
        "Karl Ott",
        "Erwin Schrödinger",
        "Erwin Schrodinger",
        "Ada Paris",
    ),
    "short": ("Smith", "Adams", "Holt", "John", "Anna", "Schrödinger", "Mr. Ott", "Paris", "Karl"),
    "place": ("Paris", "Halden", "Odder", "Mercury Bay", "Göteborg", "Goteborg", "New York City"),
    "org": ("European Union", "World Trade Organization", "University of Paris", "Halden Museum"),
    "acronym": ("EU", "WTO", "UP", "HM", "NYC"),
    "thing": ("Mercury", "Mercury (planet)", "Mercury (element)", "Glass Meadow", "Glass Meadows"),
    "date": ("1931", "7 May 1931", "May 1931", "7 November 1867", "the 1931 season"),
    "kind": ("planet", "chemical element", "film", "town", "painter", "musician"),
    "common": ("house", "school", "river", "mayor", "novel"),
    "pronoun": ("He", "She", "It", "They"),
}
TITLES = (
    "Mercury (planet)",
    "Mercury (element)",
    "Mercury (film)",
    "Mercury",
    "Glass Meadow",
    "Glass Meadow (film)",
    "Paris",
    "Holt",
    "Anna Holt",
    "John Adams",
    "John Smith (painter)",
    "John Smith (musician)",
    "European Union",
    "EU",
    "WTO",
    "1931",
    "7 May 1931",
    "Odder",
    "Gothenburg",
    "Erwin Schrödinger",
    "Москва",
    "Мария Кюри",
    "北京",
    "Meadow",
    "house",
)
TEMPLATES = (
    "{person} was born in {place} on {date}.",
    "{person} and {person2} founded the {org} in {date}.",
    "{short} married {person}.",
    "{short} lived in {place}.",
    "{pronoun} studied at the {org}.",
    "{pronoun} moved to {place} in {date}.",
    "The {org} ({acronym}) is based in {place}.",
    "The {acronym} was led by {person}.",
    "{thing} is a {kind}.",
    "{thing} was described by {person} in {date}.",
    "{person}, also known as {short}, wrote {thing}.",
    "{thing} is a {kind} about {place} by {short}.",
    "{place} lies on the {common}.",
    "The {common} of {place} was built by {short}.",
    "The {common} stands near the {org}.",
    "{date} was the year of the {org}.",
    "{person} is a {kind} from {place}.",
    "{person} was the mother of {person2}.",
    "Мария Кюри родилась в городе Варшава, а жила она потом в городе Париж.",
    "北京是中国的首都，也是一座历史悠久的城市。",
)
FILES = tuple(f"{letter}.txt" for letter in "abcdefgh")
LATER = tuple(f"{letter}.md" for letter in "stuvw")


def _filled(template: str) -> st.SearchStrategy[str]:
    fields = sorted({name for _, name, _, _ in Formatter().parse(template) if name})
    words = {field: st.sampled_from(WORDS[field.rstrip("2")]) for field in fields}
    return st.fixed_dictionaries(words).map(lambda given: template.format(**given))


def _page(title: str, sentences: list[str]) -> str:
    return f"# {title}\n\n{' '.join(sentences)}\n"


sentences = st.sampled_from(TEMPLATES).flatmap(_filled)
# Some have a title and nothing else.
pages = st.builds(_page, st.sampled_from(TITLES), st.lists(sentences, max_size=4))


def corpora(
    names: tuple[str, ...] = FILES, *, least: int = 1, most: int = 6
) -> st.SearchStrategy[Pages]:
    """Give corpora of a few pages; two of them may have one title."""
    return st.dictionaries(st.sampled_from(names), pages, min_size=least, max_size=most)


def as_rows(texts: list[str]) -> str:
    """Return pages as JSON Lines."""
    found = (text.removeprefix("# ").split("\n\n", 1) for text in texts)
    # What has no text at all is no Document.
    rows = [{"title": title, "text": text.strip() or f"{title}."} for title, text in found]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def written(count: int, seed: int = 0) -> Pages:
    """Return a corpus of this many pages, always the same."""
    random = Random(seed)
    found: Pages = {}
    for number in range(count):
        told = []
        for template in random.sample(TEMPLATES, 4):
            fields = {name for _, name, _, _ in Formatter().parse(template) if name}
            words = {f: random.choice(WORDS[f.rstrip("2")]) for f in sorted(fields)}
            told.append(template.format(**words))
        found[f"page-{number:03}.txt"] = _page(random.choice(TITLES), told)
    return found
