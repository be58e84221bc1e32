"""Evidence made of sentences, for what reads them."""

from mder.records import Evidence, EvidenceKind, Mention, Triple


def chunk(title: str, text: str, score: float = 0.6, path: tuple[str, ...] = ()) -> Evidence:
    """Return the Chunk that is all of a Document."""
    return Evidence(
        f"chunk:{title}",
        EvidenceKind.CHUNK,
        text,
        f"{title}.md",
        title,
        text,
        0,
        len(text),
        score,
        path=path,
    )


def stated(
    page: Evidence, subject: Mention, predicate: str, thing: Mention, quote: str
) -> Evidence:
    """Return the Evidence of a triple that a sentence of a page states."""
    start = page.quote.index(quote)
    end = start + len(quote)
    triple = Triple(subject, predicate, thing, page.source, 0, start, end, description=quote)
    return Evidence(
        f"triple:{page.title}:{predicate}",
        EvidenceKind.TRIPLE,
        quote,
        page.source,
        page.title,
        quote,
        start,
        end,
        page.score,
        subject.name,
        triple,
    )
