from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mder.errors import UsageError
from mder.settings import APART, STAGES, Settings, assigned, load, save


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
        ("model = 'x'", "no setting 'model'; there are: llm, llm_small"),
        ("top_k = 'many'", "top_k = 'many' must be of type int"),
        ("top_k = 1.5", "top_k = 1.5 must be of type int"),
        ("top_k = true", "top_k = True must be of type int"),
        ("merge_threshold = false", "merge_threshold = False must be of type float"),
        ("llm = 5", "llm = 5 must be of type str"),
        ("llm_batch = 0", "llm_batch = 0 must be at least 1"),
        ("failed_share = -0.1", "failed_share = -0.1 must not be less than 0"),
        ("price_in = nan", "price_in = nan must not be less than 0"),
        ("merge_threshold = 1.5", "merge_threshold = 1.5 must be a cosine, from -1 to 1"),
        ("requests_per_minute = -1", "requests_per_minute = -1 must be at least 0"),
        ("chunk_min_sentences = 21", "chunk_min_sentences must not be more than"),
        ("[llm]\nname = 'x'", "must be of type str"),
    ],
)
def test_a_wrong_file_is_refused_with_the_value(path: Path, text: str, message: str) -> None:
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)


def test_one_model_does_every_stage_unless_others_are_named() -> None:
    assert Settings(llm="a/1").models == dict.fromkeys(STAGES, "a/1")
    assert set(Settings().models.values()) == {""}


def test_a_small_and_a_large_model_share_the_stages() -> None:
    made = Settings(llm_small="a/small", llm_large="a/large").models
    assert {stage for stage, model in made.items() if model == "a/large"} == {"map", "reduce"}
    assert set(made.values()) == {"a/small", "a/large"}
    assert Settings(llm="a/1", llm_large="a/large").models["enrich"] == "a/1"


@pytest.mark.parametrize("stage", STAGES)
def test_the_model_of_a_stage_goes_before_all_others(stage: str) -> None:
    made = Settings(llm="a/1", llm_small="a/s", llm_large="a/l")
    own = made.changed({f"llm_{stage}": "a/own"}).models
    assert [s for s, model in own.items() if model == "a/own"] == [stage]
    without = made.changed({f"llm_{stage}": "syntax"}).models
    assert [s for s, model in without.items() if not model] == [stage]


@pytest.mark.parametrize(
    ("assignment", "value"),
    [("llm_reduce=ollama/a=b", "ollama/a=b"), ("top_k=7", 7), ("price_in=2", 2)],
)
def test_a_setting_is_assigned_in_words(assignment: str, value: object) -> None:
    name = assignment.partition("=")[0]
    assert getattr(assigned(Settings(), assignment), name) == value


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("top_k=many", "top_k = 'many' must be a number"),
        ("top_k", "top_k = '' must be a number"),
        ("fast=1", "no setting 'fast'"),
    ],
)
def test_a_wrong_assignment_is_refused(assignment: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        assigned(Settings(), assignment)


def test_what_is_set_apart_is_a_setting() -> None:
    assert set(asdict(Settings())) > APART


FLOATS = st.floats(-1, 1)
ANY = st.builds(
    Settings,
    llm=st.text(),
    llm_map=st.text(),
    price_in=st.floats(0, 1e9),
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
