"""What a SPARQL query found, as rows or as text."""

import csv
import io
from collections.abc import Iterator
from typing import Literal as OneOf
from typing import TypeAlias

import pyoxigraph as ox

from mder.errors import QueryError
from mder.graph.node import Term
from mder.graph.vocabulary import PREFIXES, shortened

Format: TypeAlias = OneOf["table", "json", "csv", "tsv", "turtle"]
Raw: TypeAlias = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples

_SOLUTIONS = {
    "json": ox.QueryResultsFormat.JSON,
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
}
_STATEMENT = ["subject", "predicate", "object"]
_WIDEST = 80  # characters in a column of a table


class Results:
    """The results of one query; they can be read or rendered once.

    A SELECT gives a row a solution, a CONSTRUCT or DESCRIBE a row a statement, an ASK one row.
    """

    def __init__(self, raw: Raw) -> None:
        self._raw = raw

    @property
    def variables(self) -> list[str]:
        """Names of the columns."""
        if isinstance(self._raw, ox.QuerySolutions):
            return [variable.value for variable in self._raw.variables]
        return ["answer"] if isinstance(self._raw, ox.QueryBoolean) else list(_STATEMENT)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """Yield rows: literals and IRIs as plain strings, ``""`` for what is unbound.

        :raises QueryError: when the store fails while it evaluates.
        """
        if isinstance(self._raw, ox.QueryBoolean):
            yield ("true" if self._raw else "false",)
            return
        for row in self._terms(self._raw):
            yield tuple(_plain(term) for term in row)

    def __bool__(self) -> bool:
        """Return the answer of an ASK; true for all other queries."""
        return bool(self._raw) if isinstance(self._raw, ox.QueryBoolean) else True

    def render(self, form: Format = "table") -> str:
        """Return the results as text that ends with a newline.

        JSON of a CONSTRUCT or DESCRIBE is JSON-LD.

        :raises QueryError: for turtle of a SELECT or ASK, or when the store fails.
        """
        if form == "turtle":
            return self._turtle()
        if form == "table":
            return _table(self.variables, [self._shortened(row) for row in self])
        if isinstance(self._raw, ox.QuerySolutions):
            return _decoded(self._raw.serialize(format=_SOLUTIONS[form]))
        if form != "json":
            return _separated(self.variables, self, "," if form == "csv" else "\t")
        if isinstance(self._raw, ox.QueryBoolean):
            return _decoded(self._raw.serialize(format=ox.QueryResultsFormat.JSON))
        return _decoded(self._raw.serialize(format=ox.RdfFormat.JSON_LD))

    def _turtle(self) -> str:
        if not isinstance(self._raw, ox.QueryTriples):
            raise QueryError("turtle is for CONSTRUCT and DESCRIBE; use table, json, csv or tsv")
        return _decoded(ox.serialize(self._raw, format=ox.RdfFormat.TURTLE, prefixes=PREFIXES))

    def _terms(self, raw: "ox.QuerySolutions | ox.QueryTriples") -> Iterator[list[Term | None]]:
        try:
            for row in raw:
                yield list(row)
        except (OSError, RuntimeError, ValueError) as error:
            raise QueryError(f"the query failed: {error}") from error

    @staticmethod
    def _shortened(row: tuple[str, ...]) -> list[str]:
        return [shortened(" ".join(value.split())) for value in row]


def _plain(term: Term | None) -> str:
    if isinstance(term, ox.NamedNode | ox.Literal):
        return term.value
    return "" if term is None else str(term)


def _table(header: list[str], rows: list[list[str]]) -> str:
    """Lay columns out; a value wider than its column is cut, the last column never."""
    widths = [min(max(map(len, column)), _WIDEST) for column in zip(header, *rows, strict=True)]
    lines = [_line(header, widths), _line(["-" * width for width in widths], widths)]
    lines += [_line(row, widths) for row in rows]
    return "\n".join(lines) + "\n"


def _line(row: list[str], widths: list[int]) -> str:
    cells = [
        (value if len(value) <= width else value[: width - 1] + "…").ljust(width)
        for value, width in zip(row[:-1], widths[:-1], strict=True)
    ]
    return "  ".join([*cells, *row[-1:]]).rstrip()


def _separated(header: list[str], rows: "Results", delimiter: str) -> str:
    output = io.StringIO()
    writer = csv.writer(output, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return output.getvalue()


def _decoded(data: bytes | None) -> str:
    text = (data or b"").decode()
    return text if text.endswith("\n") else text + "\n"
