"""What a run asks of language models: counted by stage, and held to a budget."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from threading import Event, Lock

from mder.errors import BudgetError

_MILLION = 1_000_000
_FIRST_REPLY = 256  # tokens that a stage's first reply is taken to have


@dataclass(frozen=True, slots=True)
class Spent:
    """What was asked, and what it took.

    :param asked: things that an answer was wanted for: a Chunk's triples, a verdict on a pair.
    :param calls: requests that got a reply, good or bad; one may ask for many things.
    :param cached: things of which the answer was kept from before.
    :param failed: things that have no answer now.
    :param seconds: summed over the requests, though several ran at once.
    """

    asked: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0
    failed: int = 0
    seconds: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def scaled(self, factor: float) -> "Spent":
        """Return so many times as much, in whole tokens and calls."""
        given = {f.name: getattr(self, f.name) * factor for f in fields(self)}
        whole = {name: round(value) for name, value in given.items() if name != "seconds"}
        return Spent(**whole, seconds=given["seconds"])

    @property
    def failed_share(self) -> float:
        """Share of what was asked that has no answer, from 0 to 1."""
        return self.failed / self.asked if self.asked else 0.0


@dataclass(frozen=True, slots=True)
class Prices:
    """Money for a million tokens, in whatever currency."""

    tokens_in: float = 0.0
    tokens_out: float = 0.0

    def of(self, spent: Spent) -> float:
        """Return what something cost."""
        return (spent.tokens_in * self.tokens_in + spent.tokens_out * self.tokens_out) / _MILLION


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a run may spend; 0 is no limit."""

    max_tokens: int = 0
    max_cost: float = 0.0
    prices: Prices = Prices()


class Ledger:
    """Counts by stage; safe to use from several threads."""

    def __init__(self, budget: Budget = Budget()) -> None:
        self.budget = budget
        self._stages: dict[str, Spent] = {}
        self._open = Spent()
        self.stopped = Event()
        self._lock = Lock()

    @property
    def stages(self) -> Mapping[str, Spent]:
        """What each stage spent so far, in the order of their beginning."""
        with self._lock:
            return dict(self._stages)

    @property
    def total(self) -> Spent:
        """What all stages spent so far."""
        return sum(self.stages.values(), Spent())

    def add(self, stage: str, spent: Spent, held: Spent = Spent()) -> None:
        """Count, in the place of what was held for it by :meth:`reserve`."""
        with self._lock:
            self._stages[stage] = self._stages.get(stage, Spent()) + spent
            self._open += held.scaled(-1)

    def reserve(self, stage: str, tokens_in: int) -> Spent:
        """Hold what a request is likely to take, until it is counted or released.

        Its reply is taken to be as long as those of its stage are on average, so that what is spent
        may exceed the budget by as much as the requests under way exceed that.

        :param tokens_in: tokens of the prompt, about.
        :raises BudgetError: when the budget does not reach for it, or the run is stopped.
        """
        with self._lock:
            if self.stopped.is_set():
                raise BudgetError("the run was stopped")
            before = self._stages.get(stage, Spent())
            mean_out = before.tokens_out // before.calls if before.calls else _FIRST_REPLY
            wanted = Spent(tokens_in=tokens_in, tokens_out=mean_out)
            self._check(stage, sum(self._stages.values(), self._open + wanted))
            self._open += wanted
        return wanted

    def release(self, reserved: Spent) -> None:
        """Give back what was held for a request that failed."""
        with self._lock:
            self._open += reserved.scaled(-1)

    def stop(self) -> None:
        """Let no further request begin: the run is ending, and waits for those under way only."""
        self.stopped.set()

    def _check(self, stage: str, spent: Spent) -> None:
        budget = self.budget
        tokens, cost = spent.tokens_in + spent.tokens_out, budget.prices.of(spent)
        if budget.max_tokens and tokens > budget.max_tokens:
            raise BudgetError(f"the budget of {budget.max_tokens} tokens is used up in {stage}")
        if budget.max_cost and cost > budget.max_cost:
            raise BudgetError(f"the budget of {budget.max_cost:g} is used up in {stage}")
