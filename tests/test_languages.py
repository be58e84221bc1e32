import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mder.languages import detect

DATA = Path(os.environ.get("MDER_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Marie Curie was born in Warsaw and moved to Paris, where she studied physics.", "en"),
        ("Il gatto dorme sul divano mentre fuori piove.", "it"),
        ("La tour Eiffel se trouve à Paris et mesure plus de trois cents mètres.", "fr"),
        ("Die Katze schläft in der Küche, und der Hund ist im Garten.", "de"),
        ("Москва — столица России и крупнейший город страны.", "ru"),
        ("東京は日本の首都です。人口は約千四百万人です。", "ja"),
        ("北京是中华人民共和国的首都和全国的政治中心。", "zh"),
        ("القاهرة هي عاصمة جمهورية مصر العربية وأكبر مدنها.", "ar"),
        ("Mae'r gath yn cysgu ar y mat yn y gegin heddiw.", "cy"),
    ],
)
def test_a_sentence_is_enough(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "OK",
        "1,234 56.7 89%",
        "Marie Curie",
        "Paris, Texas",
        "Alan Turing, Ada Lovelace, Grace Hopper, John von Neumann",
        "```python\nimport httpx\nprint(httpx.get('https://www.example.org/'))\n```",
        "https://www.example.org/the/long/and/the/short/of/it",
    ],
)
def test_what_is_no_text_has_no_language(text: str) -> None:
    assert detect(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "The House of Pulcini (Italian: La casa dei pulcini) is a 1924 Italian silent film "
        "directed by Mario Camerini and starring Amleto Novelli.",
        "Mieczysław Krawicz was a Polish film director who was born in the city of Warsaw.",
        "Prince Henri of Orléans was the son of Prince Robert, Duke of Chartres.",
    ],
)
def test_foreign_names_do_not_change_the_language(text: str) -> None:
    assert detect(text) == "en"


def test_code_does_not_change_the_language() -> None:
    text = (
        "Diese Funktion liefert die Antwort als Text zurück.\n\n"
        "```python\n# Get the response and return the text of it to the caller\nreturn r\n```\n"
    )
    assert detect(text) == "de"


@settings(deadline=None)  # the first example also loads the model
@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    language = detect(text)
    assert language == "" or (len(language) == 2 and language.isalpha())


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the shared data")
@pytest.mark.parametrize(
    ("corpus", "language", "share"),
    [("2wiki_164", "en", 0.98), ("xquad_es", "es", 1.0), ("xquad_zh", "zh", 1.0)],
)
def test_corpora_are_of_one_language(corpus: str, language: str, share: float) -> None:
    rows = (DATA / "qa" / f"{corpus}.corpus.jsonl").read_text(encoding="utf-8").splitlines()[:300]
    right = sum(detect(json.loads(row)["text"]) == language for row in rows)
    assert right >= share * len(rows)
