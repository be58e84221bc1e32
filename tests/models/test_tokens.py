import json
from pathlib import Path

import pytest

from mder.models.base import Message
from mder.models.tokens import estimate, fewest, prompt_tokens

# Counted with the tokenizer of SmolLM2.
ENGLISH = (
    "Port Blair is the capital of the Andaman and Nicobar Islands, a union territory of India "
    "situated in the Bay of Bengal. It is also the local administrative sub-division of the "
    "islands, the headquarters for the district of South Andaman, and is the territory's only "
    "notified town. It houses the headquarters of the police and the first integrated command."
)
TRIPLES = json.dumps(
    [
        {
            "subject": name,
            "subject_type": "person",
            "predicate": predicate,
            "object": thing,
            "object_type": kind,
            "evidence": f"{name} {said} {thing}.",
        }
        for name, predicate, thing, kind, said in (
            ("Elizabeth Taylor", "WAS_BORN_IN", "Hampstead Garden Suburb", "place", "was born in"),
            ("Elizabeth Taylor", "STARRED_IN", "Cleopatra", "film", "had the leading part in"),
            ("Marie Curie", "WAS_AWARDED", "Nobel Prize in Physics", "prize", "was awarded the"),
            ("Marie Curie", "DIED_IN", "1934", "year", "died in"),
        )
    ]
)
RUSSIAN = (
    "Москва — столица России, город федерального значения. Крупнейший по численности населения "
    "город России, население составляет более тринадцати миллионов человек. Первое летописное "
    "упоминание относится к 1147 году."
)
CHINESE = (
    "黑豹队的防守只丢了 308分，在联赛中排名第六，同时也以 24 次拦截领先国家橄榄球联盟，"
    "并且四次入选职业碗。他的队友贡献了六次擒杀。"
)
GERMAN = (
    "Die Stadt liegt an der Mündung des Flusses in die Nordsee und ist seit dem Mittelalter ein "
    "bedeutender Handelsplatz. Ihre Bürgermeister wurden jedes Jahr von der Bürgerschaft gewählt."
)
ARABIC = (
    "وارسو هي عاصمة بولندا وأكبر مدنها. تقع على نهر فيستولا ويبلغ عدد سكانها أكثر من مليون "
    "وسبعمائة ألف نسمة."
)


@pytest.mark.parametrize(("text", "count"), [(ENGLISH, 72), (TRIPLES, 243)])
def test_english_and_json_are_estimated_within_a_tenth(text: str, count: int) -> None:
    assert estimate(text) == pytest.approx(count, rel=0.1)


@pytest.mark.parametrize(
    ("text", "count"), [(RUSSIAN, 160), (CHINESE, 126), (GERMAN, 68), (ARABIC, 99)]
)
def test_other_languages_are_never_far_below(text: str, count: int) -> None:
    assert 0.75 * count <= estimate(text) <= 1.35 * count


def test_nothing_costs_nothing() -> None:
    assert (estimate(""), estimate("   \t ")) == (0, 0)


@pytest.mark.parametrize("text", ["👍🏽 🇩🇪", "\ud800", "a" * 100_000, "\x00", "ქართული", "한국어"])
def test_any_text_has_an_estimate(text: str) -> None:
    assert estimate(text) >= 0


def test_twice_the_text_costs_twice_as_much() -> None:
    assert estimate(ENGLISH * 10) == pytest.approx(10 * estimate(ENGLISH), rel=0.02)


@pytest.mark.parametrize("text", [ENGLISH, TRIPLES, RUSSIAN, CHINESE, GERMAN, ARABIC])
def test_fewest_is_below_what_any_tokenizer_makes(text: str) -> None:
    assert 0 < fewest([text]) < estimate(text)


def test_request_costs_its_messages_their_template_and_the_schema() -> None:
    messages = [Message("system", "Be brief."), Message("user", ENGLISH)]
    plain = prompt_tokens(messages)
    assert plain > estimate("Be brief.") + estimate(ENGLISH)
    assert prompt_tokens(messages, {"type": "object"}) > plain


def test_files_of_many_languages_cost_more_than_a_quarter_of_their_characters(data: Path) -> None:
    for page in sorted(data.glob("docs/multilang/*/*.md")):
        text = page.read_text(encoding="utf-8")
        assert estimate(text) > len(text) / 4.6, page
