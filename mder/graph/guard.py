"""What a foreign query may not do: reach the network, or write."""

import re

from pyoxigraph import Store

from mder.errors import QueryError
from mder.graph.vocabulary import PREFIXES

_SERVICE = re.compile("service", re.IGNORECASE)
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_UPDATE = re.compile(
    r"\b(?:INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY)\b(?!\s*[:(])", re.IGNORECASE
)
_QUERY = re.compile(r"\b(?:SELECT|ASK|CONSTRUCT|DESCRIBE)\b", re.IGNORECASE)


def refuse_service(sparql: str) -> None:
    """Refuse a query that calls another server.

    The store's own parser is the judge, so that no string, comment or name can mislead: with the
    word spelled otherwise everywhere, a query stays valid unless the word was the keyword.

    :raises QueryError: when the query holds a SERVICE clause.
    """
    plain = _ESCAPE.sub(_character, sparql)
    spelled_out = len(_SERVICE.findall(plain)) == len(_SERVICE.findall(sparql))
    for text in [sparql] if spelled_out else [sparql, plain]:
        if _SERVICE.search(text) and not _parses(_SERVICE.sub("serxice", text)):
            raise QueryError(
                "SERVICE is refused (or the query that names it is not valid SPARQL): "
                "queries are answered from this graph alone"
            )


def is_update(sparql: str) -> bool:
    """Say whether a text that the parser refused as a query looks like an update."""
    update, query = _UPDATE.search(sparql), _QUERY.search(sparql)
    return update is not None and (query is None or update.start() < query.start())


def _parses(sparql: str) -> bool:
    try:
        Store().query(sparql, prefixes=dict(PREFIXES))
    except (SyntaxError, ValueError):
        return False
    return True


def _character(match: re.Match[str]) -> str:
    try:
        return chr(int(match[1] or match[2], 16))
    except (ValueError, OverflowError):
        return match[0]
