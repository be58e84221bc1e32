"""Answers from the knowledge graph: Decompose, Resolve.

>>> import dr, mder
>>> engine = dr.open_engine(mder.open_graph())  # doctest: +SKIP
>>> print(engine.ask("Where was the mother of Ada Lovelace born?").text)  # doctest: +SKIP
"""

from dr.engine import Engine, open_engine
from dr.records import Answer, Citation, Hop

__all__ = ["Answer", "Citation", "Engine", "Hop", "open_engine"]
