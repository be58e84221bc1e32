"""Generations made by a Draft out of records."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from pyoxigraph import NamedNode, Quad

from mder.embedders.memory import digest
from mder.graph import vocabulary as v
from mder.graph.draft import Draft
from mder.graph.knowledge import quads
from mder.graph.store import SETS
from mder.records import Knowledge
from tests.graph.conftest import MANIFEST

NOTHING = Knowledge((), (), ())
Parts = Mapping[tuple[NamedNode, NamedNode | None], list[Quad]]


def parts(knowledge: Knowledge) -> Parts:
    """Return the quads of each graph, and in that of the Entities of each node."""
    found = defaultdict[tuple[NamedNode, NamedNode | None], list[Quad]](list)
    for quad in quads(knowledge, MANIFEST):
        assert isinstance(quad.graph_name, NamedNode)
        assert isinstance(quad.subject, NamedNode)
        node = quad.subject if quad.graph_name == v.ENTITIES else None
        found[quad.graph_name, node].append(quad)
    return found


def change(draft: Draft, before: Knowledge, after: Knowledge) -> None:
    """Bring a Draft to what ``after`` says; each Entity has a vector of its summary."""
    old, new = parts(before), parts(after)
    for graph, node in {**old, **new}:
        given = new.get((graph, node), [])
        if node is None:
            draft.graph(graph, given)
        else:
            draft.node(node, given)
    for which in SETS:
        draft.vectors[which].drop(v.entity_iri(entity.name).value for entity in before.entities)
        ids = [v.entity_iri(entity.name).value for entity in after.entities]
        texts = [digest(entity.summary) for entity in after.entities]
        rows = np.array([[*text[:3]] for text in texts], dtype=np.float32).reshape(-1, 3)
        draft.vectors[which].put(ids, texts, rows)


def generation(
    path: Path, knowledge: Knowledge, base: Path | None = None, before: Knowledge = NOTHING
) -> Path:
    """Make a finished Generation."""
    path.mkdir(parents=True, exist_ok=True)
    draft = Draft.begin(path, base)
    change(draft, before, knowledge)
    draft.finish(MANIFEST)
    return path
