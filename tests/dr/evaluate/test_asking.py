from functools import partial

import pytest

from dr.evaluate.asking import Exam, Outcome, marks
from dr.evaluate.datasets import Example
from dr.evaluate.documents import Support
from dr.records import Answer
from mder.errors import ModelError, ReplyError
from mder.models.ledger import Ledger, Spent
from tests.dr.evaluate.stand_in import Scripted, answer

SUPPORT = (frozenset({"a"}), frozenset({"b"}))
RECALL = {"recall@2", "recall@5", "recall@10", "all@5"}
WORDS = {"em", "f1", "soft_em", "lost"}


def example(question: str = "?", *answers: str, kind: str = "") -> Example:
    return Example("q, line 1", "0", question, kind, answers or None)


def test_a_right_answer_from_the_right_documents_is_marked_in_full() -> None:
    given = answer("Oslo", "a", "c", "b", text="Oslo. It is a town.")
    scores = marks(example("?", "oslo", "x"), SUPPORT, given)
    assert scores == {
        "recall@2": 0.5,
        "recall@5": 1,
        "recall@10": 1,
        "all@5": 1,
        "em": 1,
        "f1": 1,
        "soft_em": 1,
        "lost": 0,
        "declined_answerable": 0,
    }


def test_exact_match_looks_at_the_value_and_soft_match_at_the_whole_reply() -> None:
    scores = marks(example("?", "Norway"), (), answer("Oslo", text="Oslo. It is in Norway."))
    assert (scores["em"], scores["f1"], scores["soft_em"]) == (0, 0, 1)


def test_a_declined_answer_is_lost_where_the_guess_was_right() -> None:
    right = marks(example("?", "Oslo"), (), answer(guess="Oslo, Norway"))
    wrong = marks(example("?", "Oslo"), (), answer(guess="Bergen"))
    none = marks(example("?", "Oslo"), (), answer())
    assert [s["lost"] for s in (right, wrong, none)] == [1, 0, 0]
    assert {s["declined_answerable"] for s in (right, wrong, none)} == {1}
    assert {s[m] for s in (right, wrong, none) for m in ("em", "f1", "soft_em")} == {0}


def test_words_in_the_way_of_declining_are_no_answer() -> None:
    assert marks(example("?", "documents"), (), answer())["soft_em"] == 0


@pytest.mark.parametrize(("given", "declined"), [(answer(), 1), (answer("x", "a"), 0)])
def test_a_question_without_an_answer_counts_for_declined_alone(
    given: Answer, declined: int
) -> None:
    nothing = Example("q", "0", "?", "", ())
    assert marks(nothing, (), given) == {"declined": declined}
    null = example("?", "Insufficient information.", kind="null_query")
    assert marks(null, SUPPORT, given) == {"declined": declined}


def test_what_is_not_known_is_not_marked() -> None:
    assert marks(example(), (), answer("x", "a")) == {}
    assert set(marks(example(), SUPPORT, answer("x"))) == RECALL | {"declined_answerable"}
    assert set(marks(example("?", "x"), (), answer("x"))) == WORDS | {"declined_answerable"}


def ask(engine: Scripted, *questions: str, judged: bool = False) -> tuple[list[Outcome], list[str]]:
    told: list[str] = []

    def judge(question: str, expected: str, given: str) -> bool:
        if question == "unjudged":
            raise ReplyError("no usable verdict")
        return expected in given

    asked: list[tuple[Example, Support]] = [(example(q, "no", "yes"), ()) for q in questions]
    exam = Exam(asked, judge=judge if judged else None, told=told.append)
    (found,) = exam.hold({"dr": lambda: engine}).values()
    return found, told


def test_one_failed_reply_fails_one_question_and_is_told() -> None:
    engine = Scripted({"1": answer("x"), "2": ReplyError("no use"), "3": answer("y")})
    found, told = ask(engine, "1", "2", "3")
    assert [bool(o.error) for o in found] == [False, True, False]
    assert found[1].scores == {}
    assert told == ["dr: q, line 1: 2: no use"]


def test_a_server_that_is_gone_for_a_while_does_not_end_the_asking() -> None:
    engine = Scripted({"1": ModelError("away", retryable=True), "2": answer("x")})
    assert [bool(o.error) for o in ask(engine, "1", "2")[0]] == [True, False]


@pytest.mark.parametrize("end", [ModelError("no such model"), KeyboardInterrupt()])
def test_after_the_end_nothing_is_asked_and_the_rest_has_failed(end: BaseException) -> None:
    engine = Scripted({"1": answer("x"), "2": end})
    found, told = ask(engine, "1", "2", "3")
    assert engine.asked == ["1", "2"]
    assert [bool(o.error) for o in found] == [False, True, True]
    assert "of 3 questions not asked" in told[-1]


def test_control_c_ends_all_engines_but_an_error_its_own_only() -> None:
    def begun(end: BaseException) -> list[str]:
        exam = Exam([(example("1"), ())])
        engines = {"a": partial(Scripted, {"1": end}), "b": partial(Scripted, {"1": answer("x")})}
        return list(exam.hold(engines))

    assert begun(KeyboardInterrupt()) == ["a"]
    assert begun(ModelError("no such model")) == ["a", "b"]


def test_answers_are_judged_by_any_right_one_and_declined_ones_are_not() -> None:
    found, _ = ask(Scripted({"1": answer("yes!"), "2": answer()}), "1", "2", judged=True)
    assert [o.scores["judge"] for o in found] == [1, 0]
    assert "judge" not in ask(Scripted({"1": answer("yes")}), "1")[0][0].scores


def test_an_answer_that_cannot_be_judged_has_failed() -> None:
    found, told = ask(Scripted({"unjudged": answer("x")}), "unjudged", judged=True)
    assert found[0].error == "no usable verdict"
    assert told


def test_tokens_and_seconds_are_those_of_the_question() -> None:
    ledger = Ledger()

    class Costly(Scripted):
        def ask(self, text: str) -> Answer:
            ledger.add("ask", Spent(calls=1, tokens_in=10 * int(text), tokens_out=int(text)))
            return super().ask(text)

    engine = Costly({"1": answer("x"), "2": answer("y")})
    exam = Exam([(example(q), ()) for q in ("1", "2")], ledger)
    found = exam.hold({"dr": lambda: engine})["dr"]
    assert [o.scores["tokens_in"] for o in found] == [10, 20]
    assert [o.scores["tokens_out"] for o in found] == [1, 2]
    assert all(o.scores["seconds"] > 0 for o in found)


def test_where_no_model_is_asked_no_tokens_are_counted() -> None:
    found, _ = ask(Scripted({"1": answer("x")}), "1")
    assert "seconds" in found[0].scores
    assert not {"tokens_in", "tokens_out"} & set(found[0].scores)


def test_progress_is_told_by_engine() -> None:
    seen: list[tuple[str, int, int]] = []
    exam = Exam([(example("1"), ())] * 2, progress=lambda *step: seen.append(step))
    exam.hold({"dr": lambda: Scripted({"1": answer("x")})})
    assert seen == [("dr", 1, 2), ("dr", 2, 2)]
