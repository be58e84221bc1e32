import itertools
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from dr.records import Hop
from dr.resolve import Resolver
from mder.embedders.base import Embedder, Vectors
from mder.graph.store import Graph
from mder.names import spoken
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Binding, Evidence, Kind, QueryTriple, Question, is_placeholder

DIRECTOR = QueryTriple("The Blue Ferry", "HAS_DIRECTOR", "X")
BORN = QueryTriple("X", "WAS_BORN_IN", "Y")
BIRTHPLACE = Question("Where was the director born?", (DIRECTOR, BORN), asks="Y", expects="place")

# It tells Entities of one name apart.
ASKED = np.eye(1, 384, dtype=np.float32)[0]


class Scripted(SyntaxReasoner):
    """Proposes what it was told for a known name, and notes the triples that it was asked."""

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self.values = values
        self.asked: list[QueryTriple] = []

    def ground(
        self,
        triple: QueryTriple,
        question: Question,  # noqa: ARG002
        evidence: Sequence[Evidence],
    ) -> tuple[Binding, ...]:
        self.asked.append(triple)
        known = next(n for n in (triple.subject, triple.object) if not is_placeholder(n))
        return tuple(
            Binding(value, 1 / rank, tuple(e.id for e in evidence[:1]))
            for rank, value in enumerate(self.values.get(known, ()), start=1)
        )


def chosen(hops: Sequence[Hop]) -> list[str | None]:
    return [hop.chosen.value if hop.chosen else None for hop in hops]


@pytest.fixture
def resolver(graph: Graph, embedder: Embedder) -> Resolver:
    return Resolver(graph, embedder, SyntaxReasoner())


@pytest.fixture
def scripted(graph: Graph, embedder: Embedder) -> Callable[..., tuple[Resolver, Scripted]]:
    def _scripted(**values: Sequence[str]) -> tuple[Resolver, Scripted]:
        reasoner = Scripted({name.replace("_", " "): v for name, v in values.items()})
        return Resolver(graph, embedder, reasoner), reasoner

    return _scripted


@pytest.mark.parametrize("name", ["Silver Gate", "SILVER GATE", "silver  gate"])
def test_an_anchor_is_found_by_its_name(resolver: Resolver, name: str) -> None:
    (anchor,) = resolver.anchors(name, ASKED)
    assert (anchor.entity, anchor.score) == ("Silver Gate", 1.0)


def test_an_anchor_is_found_by_likeness_where_no_name_is_the_same(resolver: Resolver) -> None:
    anchors = list(resolver.anchors("The Silver Gates", ASKED))
    assert anchors[0].entity == "Silver Gate"
    assert 0.6 <= anchors[0].score < 1.0
    assert [a.score for a in anchors] == sorted((a.score for a in anchors), reverse=True)


def test_a_name_like_no_other_has_no_anchor(resolver: Resolver) -> None:
    assert list(resolver.anchors("Quantum chromodynamics", ASKED)) == []


def test_no_more_anchors_than_allowed(graph: Graph, embedder: Embedder) -> None:
    narrow = Resolver(graph, embedder, SyntaxReasoner(), top_k=1)
    assert len(list(narrow.anchors("Ventimiglia Venn", ASKED))) <= 1


def test_a_value_is_carried_into_the_next_triple(resolver: Resolver) -> None:
    first = QueryTriple("Silver Gate", "HAS_DIRECTOR", "X")
    hops = resolver.resolve(Question("?", (first, BORN), asks="Y", expects="place"), ASKED)
    assert chosen(hops) == ["Clara Venn", "Halden"]
    assert hops[1].asked == BORN
    assert hops[1].resolved == QueryTriple("Clara Venn", "WAS_BORN_IN", "Y")


def test_triples_are_resolved_in_the_order_in_which_they_can_be(resolver: Resolver) -> None:
    first = QueryTriple("Silver Gate", "HAS_DIRECTOR", "X")
    hops = resolver.resolve(Question("?", (BORN, first), asks="Y", expects="place"), ASKED)
    assert chosen(hops) == ["Clara Venn", "Halden"]


def test_a_triple_is_resolved_from_its_far_end(resolver: Resolver) -> None:
    asked = QueryTriple("X", "DIRECTED", "Glass Meadow")
    (hop,) = resolver.resolve(Question("?", (asked,), asks="X", expects="person"), ASKED)
    assert chosen([hop]) == ["Jon Brekke"]


def test_evidence_is_about_the_anchor_and_best_first(resolver: Resolver) -> None:
    asked = QueryTriple("Clara Venn", "WAS_BORN_IN", "X")
    (hop,) = resolver.resolve(Question("?", (asked,), asks="X", expects="place"), ASKED)
    scores = [e.score for e in hop.evidence]
    assert scores == sorted(scores, reverse=True)
    assert {e.entity for e in hop.evidence} == {"Clara Venn"}
    assert hop.evidence[0].quote == "She was born in Halden."
    assert hop.chosen is not None
    assert set(hop.chosen.evidence) <= {e.id for e in hop.evidence}


def test_a_hop_encodes_what_is_asked_and_nothing_that_the_graph_states(
    graph: Graph, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[str] = []

    def noting(texts: Sequence[str]) -> Vectors:
        encoded.extend(texts)
        return encode(texts)

    encode = embedder.encode
    monkeypatch.setattr(embedder, "encode", noting)
    for relation, type_ in (("WAS_BORN_IN", "place"), ("GREW_UP_IN", "village")):
        asked = QueryTriple("Clara Venn", relation, "X")
        question = Question("?", (asked,), asks="X", expects=type_)
        (hop,) = Resolver(graph, embedder, SyntaxReasoner()).resolve(question, ASKED)
        assert hop.evidence
    assert encoded == ["grew up in", "village"]


def test_what_a_relation_leads_to_is_part_of_what_it_means(
    graph: Graph, embedder: Embedder
) -> None:
    asked = QueryTriple("Clara Venn", "WAS_BORN", "X")
    resolver = Resolver(graph, embedder, SyntaxReasoner())
    scores = {}
    for expects in ("place", "date"):
        question = Question("?", (asked,), asks="X", expects=expects)
        (hop,) = resolver.resolve(question, ASKED)
        (born,) = (e.score for e in hop.evidence if e.quote == "She was born in Halden.")
        scores[expects] = born
    assert scores["place"] > scores["date"]


def test_no_more_evidence_than_allowed(graph: Graph, embedder: Embedder) -> None:
    narrow = Resolver(graph, embedder, SyntaxReasoner(), max_evidence=2)
    asked = QueryTriple("Clara Venn", "WAS_BORN_IN", "X")
    (hop,) = narrow.resolve(Question("?", (asked,), asks="X"), ASKED)
    assert len(hop.evidence) == 2


def test_the_second_best_value_is_tried_where_the_next_hop_finds_nothing(
    scripted: Callable[..., tuple[Resolver, Scripted]],
) -> None:
    resolver, reasoner = scripted(
        The_Blue_Ferry=["Ann Strand", "Nils Lunde"], Nils_Lunde=["Skagen"]
    )
    hops = resolver.resolve(BIRTHPLACE, ASKED)
    assert chosen(hops) == ["Nils Lunde", "Skagen"]
    assert [b.value for b in hops[0].bindings] == ["Ann Strand", "Nils Lunde"]
    assert [t.subject for t in reasoner.asked] == ["The Blue Ferry", "Ann Strand", "Nils Lunde"]


def test_the_best_value_stays_where_no_other_leads_further(
    scripted: Callable[..., tuple[Resolver, Scripted]],
) -> None:
    resolver, _ = scripted(The_Blue_Ferry=["Ann Strand", "Nils Lunde"])
    hops = resolver.resolve(BIRTHPLACE, ASKED)
    assert chosen(hops) == ["Ann Strand", None]


def test_no_other_value_is_tried_where_the_best_leads_to_the_end(
    scripted: Callable[..., tuple[Resolver, Scripted]],
) -> None:
    resolver, reasoner = scripted(
        The_Blue_Ferry=["Nils Lunde", "Ann Strand"], Nils_Lunde=["Skagen"], Ann_Strand=["Oslo"]
    )
    assert chosen(resolver.resolve(BIRTHPLACE, ASKED)) == ["Nils Lunde", "Skagen"]
    assert len(reasoner.asked) == 2


def test_a_hop_that_fails_is_reported_and_so_are_those_that_need_it(resolver: Resolver) -> None:
    first = QueryTriple("Silver Gate", "HAS_SINGER", "X")
    hops = resolver.resolve(Question("?", (first, BORN), asks="Y", expects="place"), ASKED)
    assert len(hops) == 2
    assert hops[1].failed
    assert hops[1].resolved == hops[1].asked == BORN


def test_hops_that_do_not_need_a_failed_one_go_on(
    scripted: Callable[..., tuple[Resolver, Scripted]],
) -> None:
    resolver, _ = scripted(Clara_Venn=["3 May 1951"])
    triples = (
        QueryTriple("Nobody Known", "WAS_BORN", "X1"),
        QueryTriple("Clara Venn", "WAS_BORN", "X2"),
    )
    hops = resolver.resolve(Question("?", triples, kind=Kind.COMPARISON), ASKED)
    assert chosen(hops) == [None, "3 May 1951"]
    assert hops[0].anchors == ()


def test_nothing_asked_gives_no_hops(resolver: Resolver) -> None:
    assert resolver.resolve(Question("?", ()), ASKED) == ()


def test_a_triple_without_a_known_end_fails(resolver: Resolver) -> None:
    (hop,) = resolver.resolve(Question("?", (BORN,), asks="Y"), ASKED)
    assert hop.failed
    assert hop.evidence == ()


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        (QueryTriple("Clara Venn", "WAS_BORN_IN", "Halden"), "yes"),
        (QueryTriple("Jon Brekke", "DIRECTED", "Glass Meadow"), "yes"),
        (QueryTriple("Glass Meadow", "DIRECTED", "Jon Brekke"), None),
        (QueryTriple("Karl Ott", "VISITED", "Paris"), "no"),
        (QueryTriple("Jon Brekke", "WAS_BORN_IN", "Halden"), None),
        (QueryTriple("Clara Venn", "DIED_IN", "Halden"), None),
    ],
)
def test_a_complete_triple_is_stated_denied_or_neither(
    resolver: Resolver, asked: QueryTriple, value: str | None
) -> None:
    (hop,) = resolver.resolve(Question("?", (asked,), kind=Kind.YES_NO), ASKED)
    assert chosen([hop]) == [value]


def test_resolving_twice_gives_the_same(resolver: Resolver) -> None:
    assert resolver.resolve(BIRTHPLACE, ASKED) == resolver.resolve(BIRTHPLACE, ASKED)


def test_predicates_are_spoken_as_words() -> None:
    assert spoken("WAS_BORN_IN") == "was born in"


def test_a_long_chain_that_ends_in_nothing_is_not_tried_for_ever(
    graph: Graph, embedder: Embedder
) -> None:
    values = {name: ["Clara Venn", "Karl Ott"] for name in ("Silver Gate", "Halden")}
    values |= {"Clara Venn": ["Halden", "Silver Gate"], "Karl Ott": ["Silver Gate", "Halden"]}
    reasoner = Scripted(values)
    names = ["Silver Gate", *(f"X{n}" for n in range(11))]
    chain = [QueryTriple(a, f"LED_{b}_TO", b) for a, b in itertools.pairwise(names)]
    last = QueryTriple("X10", "LED_TO", "The Blue Ferry")
    Resolver(graph, embedder, reasoner).resolve(Question("?", (*chain, last), asks="X10"), ASKED)
    assert len(reasoner.asked) < 60
