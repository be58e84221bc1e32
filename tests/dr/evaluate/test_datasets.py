import json

import pytest

from dr.evaluate.datasets import Example, read_examples
from mder.errors import UsageError


def lines(*rows: object) -> bytes:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()


def read(data: str | bytes, name: str = "q.jsonl", limit: int | None = None) -> list[Example]:
    return read_examples(data.encode() if isinstance(data, str) else data, name, limit)


def wrong(data: str | bytes, name: str = "q.jsonl") -> str:
    with pytest.raises(UsageError) as caught:
        read(data, name)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_row_of_json_is_a_question_with_what_is_expected() -> None:
    row = {
        "id": 7,
        "question": "Who\u2028 is it?",
        "answers": ["Ada", " "],
        "supporting_titles": ["Ada", "Ada"],
        "supporting_idx": [3, 1, 3],
        "type": "who",
        "whatever": {},
    }
    assert read(lines(row)) == [
        Example("q.jsonl, line 1", "7", "Who is it?", "who", ("Ada",), ("Ada",), (3, 1))
    ]


def test_a_question_alone_is_enough_and_one_answer_may_be_a_string() -> None:
    alone, with_answer = read(lines({"question": "Why?"}, {"question": "Who?", "answer": "Ada"}))
    assert (alone.id, alone.answers, alone.expected, alone.unanswerable) == ("0", None, (), False)
    assert (with_answer.id, with_answer.expected) == ("1", ("Ada",))


def test_without_answers_and_documents_the_right_thing_is_to_decline() -> None:
    found = read(
        lines(
            {"question": "?", "answers": []},
            {"question": "?", "answers": ["Insufficient information."], "type": "null_query"},
            {"question": "?", "answers": [], "supporting_idx": [0]},
            {"question": "?", "supporting_titles": []},
        )
    )
    assert [e.unanswerable for e in found] == [True, True, False, False]
    assert found[1].expected == ()


def test_csv_has_several_answers_in_a_cell_and_quoted_commas() -> None:
    text = (
        "\ufeffid,question,answer,supporting_titles,supporting_idx,type\r\n"
        'x,"Where, and when?",Rome | Roma,"Paris, Texas|Rome",0|2,two\r\n'
        ",Who?,,,,\r\n"
    )
    first, second = read(text, "q.csv")
    assert first == Example(
        "q.csv, line 2",
        "x",
        "Where, and when?",
        "two",
        ("Rome", "Roma"),
        ("Paris, Texas", "Rome"),
        (0, 2),
    )
    assert (second.id, second.unanswerable) == ("1", True)


def test_csv_of_questions_alone_says_nothing_of_answers() -> None:
    (found,) = read("question\nWho?\n", "q.csv")
    assert found.answers is None
    assert not found.unanswerable


def test_what_has_no_telling_name_is_told_by_how_it_begins() -> None:
    assert read(lines({"question": "Who?"}), "-")[0].question == "Who?"
    assert read("question\nWho?\n", "-")[0].question == "Who?"


def test_csv_of_an_old_spreadsheet_is_read_too() -> None:
    data = "question,answer\nWo wurde Frau Müller geboren?,Köln\n".encode("cp1252")
    assert read(data, "q.csv")[0].expected == ("Köln",)


def test_only_the_first_rows_are_read_where_there_is_a_limit() -> None:
    data = lines({"question": "1"}, {"question": "2"}) + b"broken\n"
    assert [e.question for e in read(data, limit=2)] == ["1", "2"]


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        (lines({"question": "?"}) + b"\n{broken\n", 3, "malformed"),
        (lines({"answers": ["x"]}), 1, "missing required field `question`"),
        (lines({"question": "  "}), 1, "empty"),
        (lines({"question": "?", "answers": "x"}), 1, "$.answers"),
        (lines({"question": "?", "supporting_idx": [-1]}), 1, "$.supporting_idx"),
        (lines(["?"]), 1, "array"),
    ],
)
def test_a_bad_row_of_json_is_named_with_its_line(data: bytes, line: int, says: str) -> None:
    message = wrong(data)
    assert message.startswith(f"q.jsonl, line {line}: ")
    assert says in message


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("frage,answer\nWho?,Ada\n", 1, "no column 'question'"),
        ("question,answer\nWho, then?,Ada\n", 2, "more cells than columns"),
        ("question,supporting_idx\n?,0\n?,first\n", 3, "supporting_idx"),
        ('question,answer\n?,"Ada\n', 2, "unexpected end of data"),
        ("question,answer\n,Ada\n", 2, "empty"),
    ],
)
def test_a_bad_row_of_csv_is_named_with_its_line(text: str, line: int, says: str) -> None:
    message = wrong(text, "q.csv")
    assert message.startswith(f"q.csv, line {line}: ")
    assert says in message


@pytest.mark.parametrize("name", ["q.jsonl", "q.csv", "-"])
def test_nothing_to_ask_is_wrong_usage(name: str) -> None:
    assert wrong("\n" if name == "q.jsonl" else "question\n", name)


def test_what_is_no_text_is_wrong_usage() -> None:
    assert "q.jsonl" in wrong(b"\0\1\2\3" * 100)
