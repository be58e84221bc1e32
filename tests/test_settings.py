from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mder.errors import UsageError
from mder.settings import Settings, load, save


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def test_the_defaults_are_the_paper_s_but_for_the_chunk_threshold() -> None:
    made = Settings()
    assert (made.merge_threshold, made.top_k, made.max_evidence, made.extra) == (0.95, 5, 30, 10)
    assert made.language == "en"
    assert made.chunk_threshold == 0.45
    assert made.llm == made.embedder == ""


def test_a_missing_file_gives_the_defaults(path: Path) -> None:
    assert load(path) == Settings()


def test_what_a_file_does_not_name_has_its_default(path: Path) -> None:
    path.write_text('# mine\nllm = "ollama/tiny"\ntop_k = 7\n')
    assert load(path) == Settings(llm="ollama/tiny", top_k=7)


def test_a_whole_number_may_stand_for_a_fraction(path: Path) -> None:
    path.write_text("merge_threshold = 1\n")
    assert load(path).merge_threshold == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("llm = ", "not TOML.*mend it or delete it"),
        ("llm = \xff", "not TOML"),
        ("model = 'x'", "no setting 'model'; there are: llm, embedder"),
        ("top_k = 'many'", "top_k = 'many' must be of type int"),
        ("top_k = 1.5", "top_k = 1.5 must be of type int"),
        ("top_k = true", "top_k = True must be of type int"),
        ("merge_threshold = false", "merge_threshold = False must be of type float"),
        ("llm = 5", "llm = 5 must be of type str"),
        ("[llm]\nname = 'x'", "must be of type str"),
    ],
)
def test_a_wrong_file_is_refused_with_the_value(path: Path, text: str, message: str) -> None:
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)


FLOATS = st.floats(-1, 1)
ANY = st.builds(
    Settings,
    llm=st.text(),
    embedder=st.text(),
    language=st.text(max_size=3),
    chunk_threshold=FLOATS,
    merge_threshold=FLOATS,
    top_k=st.integers(1, 2**63 - 1),
)


@given(made=ANY)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_saved_is_loaded(path: Path, made: Settings) -> None:
    save(made, path)
    assert load(path) == made


def test_every_setting_is_saved(path: Path) -> None:
    save(Settings(), path)
    names = [line.partition(" = ")[0] for line in path.read_text().splitlines()]
    assert names == list(asdict(Settings()))
