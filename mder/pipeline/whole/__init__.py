"""The stages that need the whole set, done again for what a change bears on, and for no more.

What two ways lead to is the same: a graph brought up to date is the one made from scratch.
"""

from collections.abc import Collection, Mapping

from mder.pipeline.whole.documents import about, respell, write_documents
from mder.pipeline.whole.entities import write_entities
from mder.pipeline.whole.meanings import settle
from mder.pipeline.whole.work import Progress, Work

__all__ = ["STAGES", "Progress", "Work", "update"]

# Raised when these stages give other results for the same input.
STAGES = 4


def update(work: Work, changed: Collection[str], keys: Mapping[str, str]) -> None:
    """Disambiguate, Enrich, Link and Reduce what Documents bear on that came, went or changed.

    :param keys: the Documents there are now, by their sources.
    """
    there = {source for source in changed if source in keys}
    with work.clock.time("disambiguate"):
        settled = settle(work, changed, keys)
    with work.clock.time("link"):
        sources = there | settled.sources | respell(work, settled, there)
    # What mentions an Entity may say something else now, though it stands in the same place.
    mentioned = {e for source in there for e in work.state.facts.mentioned(source)}
    stated, moved = write_documents(work, sources, set(changed) - there)
    mentioned |= moved
    silent = {entity for entity in mentioned if not work.state.facts.count(entity)}
    write_entities(work, settled, stated | silent | {about(work, source) for source in there})
    with work.clock.time("write"):
        work.draft.index(work.state.words.each)
