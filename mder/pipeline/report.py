"""What a run did, and what it took."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from mder.graph.manifest import Cost
from mder.models.ledger import Spent
from mder.models.replies import Failure

Spending = Mapping[tuple[str, str], Spent]


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did.

    :param generation: number of the Generation that is current now.
    :param changed: whether this run made it.
    :param read: Documents read anew; ``kept`` were as before.
    :param removed: sources of the Documents that the graph no longer has.
    :param skipped: files and rows that could not be read, with the reason.
    :param failed: Documents of which a part could not be mapped.
    :param spent: what language models were asked, and what it took, by stage.
    :param gone: Documents whose files are no longer there; they stay in the graph.
    :param unread: Documents in a language that the Reasoner cannot map, with that language.
    :param seconds: time by what it went into, summed over jobs.
    """

    generation: int
    changed: bool
    read: int
    kept: int
    removed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    spent: Mapping[str, Spent] = field(default_factory=dict)

    @property
    def failed_share(self) -> float:
        """The share without an answer of what the worst stage asked, from 0 to 1."""
        return max((spent.failed_share for spent in self.spent.values()), default=0.0)


def costs(
    spending: Spending,
    failures: Iterable[Failure],
    now: Mapping[str, Spent],
    models: Mapping[str, str],
) -> Iterator[Cost]:
    """Yield what each stage asked of each model until now.

    :param spending: over all runs, by model and stage.
    :param failures: what is missing still.
    :param now: in this run, by stage; ``models`` tells whom.
    """
    failed = Counter((models[f.stage], f.stage) for f in failures if f.stage in models)
    asked = {(models[stage], stage): spent for stage, spent in now.items() if spent.asked}
    for model, stage in sorted({*spending, *asked, *failed}):
        spent, last = (by.get((model, stage), Spent()) for by in (spending, asked))
        yield Cost(
            stage=stage,
            model=model,
            calls=spent.calls,
            tokens_in=spent.tokens_in,
            tokens_out=spent.tokens_out,
            cached=last.cached,
            failed=failed[model, stage],
            seconds=round(spent.seconds, 3),
        )
