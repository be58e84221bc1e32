"""An Answer for readers: as lines of text, and as a record for JSON."""

from collections.abc import Iterator
from dataclasses import asdict

from dr.records import Answer, Hop
from mder.records import QueryTriple

_CANDIDATES = 5
_EVIDENCE = 3


def lines(answer: Answer, *, trace: bool) -> Iterator[str]:
    """Yield an Answer with its citations; with ``trace``, the hops before it."""
    if trace:
        yield f"question: {answer.question}"
        asked = answer.decomposition
        if asked.triples:
            yield f"kind: {asked.kind}, expects: {asked.expects or '?'}"
        for number, hop in enumerate(answer.hops, start=1):
            yield from _hop(number, hop)
        if not answer.hops or any(hop.failed for hop in answer.hops):
            yield from _passages(answer)
    yield answer.text
    for citation in answer.citations:
        quote = " ".join(citation.quote.split())
        yield f'  [{citation.number}] {citation.title} ({citation.source}): "{quote}"'
    if not answer.citations and answer.sources:
        yield f"  looked at: {'; '.join(answer.sources[:_CANDIDATES])}"


def _hop(number: int, hop: Hop) -> Iterator[str]:
    failed = "  ← this hop failed" if hop.failed else ""
    yield f"hop {number}: {_spelled(hop.asked)}  →  {_spelled(hop.resolved)}{failed}"
    for anchor in hop.anchors[:_CANDIDATES]:
        yield f"    known as {anchor.entity} ({anchor.score:.2f})"
    for binding in hop.bindings[:_CANDIDATES]:
        mark = "*" if binding == hop.chosen else " "
        yield f"  {mark} candidate {binding.value} ({binding.score:.2f})"
    used = hop.chosen.evidence if hop.chosen else ()
    shown = [e for e in hop.evidence if e.id in used] or hop.evidence
    for evidence in shown[:_EVIDENCE]:
        text = " ".join(evidence.text.split())
        yield f"    evidence ({evidence.score:.2f}) {evidence.title}: {text}"


def _passages(answer: Answer) -> Iterator[str]:
    """Yield what the Reasoner was shown first, and how the graph led to it."""
    for piece in answer.evidence[:_CANDIDATES]:
        yield f"    evidence ({piece.score:.2f}) {piece.title}: {' '.join(piece.text.split())}"
        if piece.path:
            yield f"      by way of {' → '.join(' '.join(step.split()) for step in piece.path)}"


def _spelled(triple: QueryTriple) -> str:
    return f"{triple.subject} {triple.predicate} {triple.object}"


def as_record(answer: Answer, *, trace: bool) -> dict[str, object]:
    """Return what ``dr ask --json`` prints."""
    record: dict[str, object] = {
        "question": answer.question,
        "answered": answer.answered,
        "answer": answer.text,
        "citations": [asdict(citation) for citation in answer.citations],
        "sources": list(answer.sources),
        "failed_hop": next((n for n, h in enumerate(answer.hops, start=1) if h.failed), None),
    }
    if trace:
        record["decomposition"] = asdict(answer.decomposition)
        record["evidence"] = [asdict(piece) for piece in answer.evidence]
        record["hops"] = [{**asdict(hop), "failed": hop.failed} for hop in answer.hops]
    return record
