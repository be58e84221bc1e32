"""Answers to comparisons: the values found for each option, set beside one another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from mder.names import bare_title, normalise
from mder.reasoners.syntax.origins import ORIGINS, same_origin
from mder.reasoners.syntax.passages import STOP
from mder.reasoners.syntax.values import date_of, ordinal
from mder.records import Binding, QueryTriple, Question

_LONGEST = 4  # words that values may have in common


@dataclass(frozen=True, slots=True)
class Comparison:
    """An outcome with what it rests on; ``shown`` spells the values out."""

    outcome: str
    bindings: tuple[Binding, ...]
    shown: str


def compare(question: Question, bindings: Mapping[str, Binding]) -> Comparison | None:
    """Compare what was found for each option; None where something is missing or equal."""
    found = {option: _reached(option, question, bindings) for option in question.options}
    if len(found) < 2 or not all(found.values()):
        return None
    used = tuple(binding for values in found.values() for binding in values)
    shown = "; ".join(f"{option}: {_spoken(values)}" for option, values in found.items())
    outcome = _same(question, found) if question.order == "same" else _chosen(question, found)
    return Comparison(outcome, used, shown) if outcome else None


def _reached(
    option: str, question: Question, bindings: Mapping[str, Binding]
) -> tuple[Binding, ...]:
    """Return what stands at the ends of an option's chains of query triples."""
    ends: list[str] = []
    front = [option]
    rest = list(question.triples)
    while front:
        name = front.pop(0)
        leading = [(t, _other(t, name)) for t in rest if name in {t.subject, t.object}]
        rest = [t for t in rest if t not in {triple for triple, _ in leading}]
        front += [far for _, far in leading]
        ends += [name] if not leading and name != option else []
    return tuple(bindings[end] for end in ends) if all(e in bindings for e in ends) else ()


def _other(triple: QueryTriple, name: str) -> str:
    return triple.object if triple.subject == name else triple.subject


def _spoken(values: tuple[Binding, ...]) -> str:
    return " to ".join(bare_title(value.value) for value in values)


def _same(question: Question, found: Mapping[str, tuple[Binding, ...]]) -> str:
    """Say whether the values are the same; where the value itself is asked for, say it."""
    yearly = question.expects in {"date", "year"} and "year" in question.text.lower()
    values = [bare_title(ends[-1].value) for ends in found.values()]
    same = len({_form(value, yearly=yearly) for value in values}) == 1
    if question.expects in ORIGINS:
        same = all(same_origin(values[0], value) for value in values)
    if question.asks:
        return values[0] if same else _shared(values, question.text)
    return "Yes" if same else "No"


def _shared(values: Sequence[str], said: str) -> str:
    """Return the longest run of words that all values have in common, beside the question's.

    >>> _shared(["British stage actor and film director", "a film director, writer"], "?")
    'film director'
    """
    first, *others = [_runs(value) for value in values]
    known = set(normalise(said).split())
    common = [run for run in first if all(run in other for other in others)]
    return max(
        (run for run in common if not known.issuperset(run.split())),
        key=lambda run: len(run.split()),
        default="",
    )


def _runs(value: str) -> list[str]:
    """Return the runs of at most four words between commas that begin and end with meaning."""
    return [
        " ".join(words[i:j])
        for words in (normalise(part).split() for part in value.split(","))
        for i, j in combinations(range(len(words) + 1), 2)
        if j - i <= _LONGEST and words[i] not in STOP and words[j - 1] not in STOP
    ]


def _form(value: str, *, yearly: bool) -> str:
    date = date_of(value) if yearly else None
    return str(date[0]) if date else normalise(bare_title(value))


def _chosen(question: Question, found: Mapping[str, tuple[Binding, ...]]) -> str:
    keys = {option: _key(question, values) for option, values in found.items()}
    known = {option: key for option, key in keys.items() if key is not None}
    if len(known) < len(found) or len(set(known.values())) < 2:
        return ""
    choose = min if question.order == "least" else max
    return choose(known, key=lambda option: known[option])


def _key(question: Question, values: tuple[Binding, ...]) -> tuple[float, ...] | None:
    """Return what an option sorts by: its value, or the time between two of them."""
    if question.expects != "duration":
        return ordinal(values[-1].value)
    dates = [date for value in values if (date := date_of(value.value)) is not None]
    if len(dates) < 2:
        return None
    days = sorted(year * 372 + month * 31 + day for year, month, day in dates)
    return (float(days[-1] - days[0]),)
