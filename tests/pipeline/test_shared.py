"""Runs over the shared collection, with the Embedder of the tests; skipped where it is absent."""

from pathlib import Path

import pytest

from mder.graph.generations import Home
from mder.graph.validate import violations
from tests.pipeline.look import opened, sources
from tests.samples import run_index


@pytest.mark.parametrize("collection", ["messy", "multilang"])
def test_whatever_is_found_is_indexed_or_named(data: Path, home: Home, collection: str) -> None:
    report = run_index(home, data / "docs" / collection, jobs=2)
    graph = opened(home)
    assert report.read == len(sources(home)) > 10
    assert graph.statistics()["unverified"] == 0
    assert violations(graph) == []
    assert all("\n" not in reason for reason in report.skipped)
