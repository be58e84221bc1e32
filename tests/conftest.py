import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from mder.graph.generations import Home
from mder.graph.store import Graph
from tests.doubles import Done, HashingEmbedder
from tests.samples import MOSCOW, PAGES, run_index, save

# The same examples in every run; HYPOTHESIS_PROFILE=explore looks for new ones, and for more.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

_DATA = Path(os.environ.get("MDER_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data")
_FOREIGN = ("MDER_KG", "OLLAMA_HOST", "OPENAI_API_KEY", "OPENAI_BASE_URL")


@pytest.fixture(scope="session")
def home_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home directory of nobody."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def _nobodys_state(home_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tests from what whoever runs them has set up, and that from the tests."""
    for name in _FOREIGN:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home_folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home_folder / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home_folder / "config"))


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def data() -> Path:
    """The shared collection of documents and questions; tests are skipped where it is absent."""
    if not _DATA.is_dir():
        pytest.skip(f"no data in {_DATA}")
    return _DATA


@pytest.fixture
def embedder() -> HashingEmbedder:
    return HashingEmbedder()


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A graph of a few pages, one of them in Russian; not to be changed."""
    folder = save(tmp_path_factory.mktemp("indexed"), {**PAGES, "moscow.txt": MOSCOW})
    home = Home.create(folder / ".mder")
    run_index(home, folder)
    return home


@pytest.fixture(scope="session")
def graph(indexed: Home) -> Graph:
    return Graph.open(indexed.current())


Command = Callable[..., Done]


@pytest.fixture
def mder(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command ``mder`` as its script does, in this process, with the tests' Embedder."""
    from mder.cli import main

    def _run(*args: object, stdin: str = "") -> Done:
        monkeypatch.setattr("sys.argv", ["mder", *map(str, args)])
        given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        monkeypatch.setattr("sys.stdin", given)
        monkeypatch.setattr("mder.embedders.open_embedder", lambda _name="": HashingEmbedder())
        capsys.readouterr()
        code: object = 0
        try:
            main()
        except SystemExit as done:
            code = done.code
        written = capsys.readouterr()
        return Done(code if isinstance(code, int) else 0, written.out, written.err)

    return _run
