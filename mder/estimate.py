"""What a run would cost, from one that was rehearsed."""

from collections.abc import Mapping
from dataclasses import dataclass

from mder.models.ledger import Prices, Spent
from mder.settings import Settings

# Writing a token takes about as long as reading ten, on the servers that people run themselves.
_WRITING = 10


@dataclass(frozen=True, slots=True)
class Line:
    """What one stage would ask of its model.

    :param seconds: None where nobody knows how fast the model is.
    :param cost: None where no price was given.
    """

    model: str
    calls: int
    tokens_in: int
    tokens_out: int
    cached: int
    seconds: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would cost.

    :param stages: by stage, in their order.
    :param share: of the Documents to be read, those that the estimate rests on.
    """

    stages: Mapping[str, Line]
    share: float

    @property
    def total(self) -> Line:
        """All stages together."""
        lines = list(self.stages.values())
        seconds = [line.seconds for line in lines]
        costs = [line.cost for line in lines]
        return Line(
            model="",
            calls=sum(line.calls for line in lines),
            tokens_in=sum(line.tokens_in for line in lines),
            tokens_out=sum(line.tokens_out for line in lines),
            cached=sum(line.cached for line in lines),
            seconds=None if None in seconds else sum(s or 0.0 for s in seconds),
            cost=None if None in costs else sum(c or 0.0 for c in costs),
        )


def priced(
    stages: Mapping[str, Spent],
    settings: Settings,
    models: Mapping[str, str],
    before: Mapping[tuple[str, str], Spent],
    share: float,
    jobs: int,
) -> dict[str, Line]:
    """Return what each stage would cost.

    :param stages: what it took in the rehearsal.
    :param models: the name of the model of each stage.
    :param before: what was spent until now, by model and stage; it tells how fast a model is.
    :param share: of the Documents to be read, those that were rehearsed.
    """
    prices = Prices(settings.price_in, settings.price_out)
    lines = {}
    for stage, rehearsed in stages.items():
        model, spent = models[stage], rehearsed.scaled(1 / share)
        known = sum((s for (name, _), s in before.items() if name == model), Spent())
        seconds = _seconds(spent, settings, known)
        lines[stage] = Line(
            model,
            spent.calls,
            spent.tokens_in,
            spent.tokens_out,
            spent.cached,
            None if seconds is None else seconds / jobs,
            prices.of(spent) if settings.price_in or settings.price_out else None,
        )
    return lines


def _seconds(spent: Spent, settings: Settings, known: Spent) -> float | None:
    if settings.speed_in and settings.speed_out:
        return spent.tokens_in / settings.speed_in + spent.tokens_out / settings.speed_out
    weight = known.tokens_in + _WRITING * known.tokens_out
    if not weight or not known.seconds:
        return None
    return known.seconds * (spent.tokens_in + _WRITING * spent.tokens_out) / weight
