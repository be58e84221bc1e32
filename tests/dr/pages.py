"""Eight small pages about things that do not exist, linked to one another."""

from pathlib import Path

PAGES = {
    "silver-gate.md": (
        "# Silver Gate\n\n"
        "Silver Gate is a 1994 drama film directed by Clara Venn. It was filmed in Halden.\n"
    ),
    "clara-venn.md": (
        "# Clara Venn\n\n"
        "Clara Venn (born 3 May 1951) is a Norwegian film director. She was born in Halden. "
        "She married Karl Ott in 1981.\n"
    ),
    "karl-ott.md": (
        "# Karl Ott\n\n"
        "Karl Ott (2 June 1948 – 7 July 2009) was a Danish composer. He was born in Odder. "
        "He never visited Paris.\n"
    ),
    "halden.md": (
        "# Halden\n\n"
        "Halden is a town in Norway. It was founded in 1105. The mayor of Halden is Ida Holm.\n"
    ),
    "glass-meadow.md": (
        "# Glass Meadow\n\n"
        "Glass Meadow is a 1971 comedy film directed by Jon Brekke. "
        "The film won the Golden Bell.\n"
    ),
    "jon-brekke.md": (
        "# Jon Brekke\n\n"
        "Jon Brekke (born 9 October 1938) is a Swedish film director. He was born in Malung.\n"
    ),
    "blue-ferry.md": (
        "# The Blue Ferry\n\n"
        "The Blue Ferry is a film directed by Ann Strand and Nils Lunde. "
        "It was released in 1988.\n"
    ),
    "nils-lunde.md": (
        "# Nils Lunde\n\n"
        "Nils Lunde is a Danish film director. He was born in Skagen. He studied law in Odder.\n"
    ),
}


def written(folder: Path) -> Path:
    """Write the pages below a folder and return where they are."""
    pages = folder / "pages"
    pages.mkdir()
    for name, text in PAGES.items():
        (pages / name).write_text(text, encoding="utf-8")
    return pages
