from pathlib import Path

import pytest

from mder.graph.generations import Home


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the documents of a test are, and its graph in them."""
    return tmp_path


@pytest.fixture
def home(folder: Path) -> Home:
    return Home.create(folder / ".mder")
