import pytest

from mder.choice import Models
from mder.errors import UsageError
from mder.settings import STAGES, Settings

SERVED = Settings(llm="ollama/tiny")


def test_nothing_named_leaves_all_as_it_was() -> None:
    made = Settings(embedder="a-name", top_k=7)
    assert Models().chosen(made) == made


@pytest.mark.parametrize(
    ("models", "assignments"),
    [
        (Models(llm="ollama/tiny"), ()),
        (Models(small="ollama/tiny"), ()),
        (Models(large="ollama/tiny"), ()),
        (Models(), ("llm_reduce=ollama/tiny",)),
        (Models(embedder="ollama/tiny-embed"), ()),
    ],
)
def test_what_is_named_now_may_be_asked_and_once_only(
    models: Models, assignments: tuple[str, ...]
) -> None:
    made = models.chosen(Settings(), assignments)
    assert made != Settings()
    assert models.chosen(made, assignments) == made
    with pytest.raises(UsageError, match=r"this graph was built with ollama/tiny.* again to send"):
        Models().chosen(made)


@pytest.mark.parametrize(
    ("before", "flag"),
    [
        (SERVED, r"say --llm ollama/tiny again to send documents there, or --llm syntax to do"),
        (Settings(llm_map="ollama/tiny"), r"for map; say --set llm_map=ollama/tiny again"),
        (Settings(llm_small="ollama/tiny"), r"for summarize; say --set llm_summarize=ollama/tiny"),
        (Settings(embedder="openai/tiny"), r"built with openai/tiny; say --embedder openai/tiny"),
    ],
)
def test_a_server_that_only_a_file_names_is_refused_with_what_to_say(
    before: Settings, flag: str
) -> None:
    with pytest.raises(UsageError, match=flag):
        Models().chosen(before)


@pytest.mark.parametrize("stage", STAGES)
def test_naming_one_model_does_not_let_another_through(stage: str) -> None:
    before = Settings().changed({f"llm_{stage}": "ollama/other"})
    with pytest.raises(UsageError, match=f"built with ollama/other for {stage}"):
        Models(small="ollama/tiny", large="ollama/tiny").chosen(before)


def test_a_model_for_all_stages_ends_what_was_chosen_for_some() -> None:
    before = Settings(llm_small="a/1", llm_map="a/2", llm_batch=3)
    made = Models(llm="ollama/tiny").chosen(before)
    assert set(made.models.values()) == {"ollama/tiny"}
    assert made.llm_batch == 3


def test_syntax_asks_no_server_at_all() -> None:
    before = Settings(llm="a/1", llm_large="a/2", llm_enrich="a/3")
    made = Models(llm="syntax").chosen(before)
    assert made == Settings()


def test_one_stage_goes_to_a_model_and_the_others_to_syntax() -> None:
    made = Models(llm="syntax").chosen(SERVED, ("llm_reduce=ollama/tiny",))
    assert {stage for stage, model in made.models.items() if model} == {"reduce"}


def test_one_stage_goes_to_syntax_and_the_others_to_a_model() -> None:
    made = Models(llm="ollama/tiny").chosen(Settings(), ("llm_map=syntax",))
    assert {stage for stage, model in made.models.items() if not model} == {"map"}


def test_assignments_come_last() -> None:
    made = Models(llm="a/1", large="a/2").chosen(Settings(), ("llm_large=a/3", "top_k=9"))
    assert (made.llm, made.llm_large, made.top_k) == ("a/1", "a/3", 9)


def test_another_embedder_may_be_chosen_instead_of_a_server() -> None:
    assert Models(embedder="").chosen(Settings(embedder="ollama/tiny")).embedder == ""
