from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from mder.models.base import CallableModel, Message
from mder.models.replies import request_key
from tests.models.doubles import ASKED, Counting


def test_key_depends_on_everything_that_shapes_a_reply() -> None:
    model = CallableModel(Counting(), options={"temperature": 0})
    base = request_key(model, ASKED, None)
    others = {
        request_key(replace(model, name="callable/other"), ASKED, None),
        request_key(replace(model, options={"temperature": 1}), ASKED, None),
        request_key(model, [Message("system", ASKED[0].content)], None),
        request_key(model, ASKED, {"type": "object"}),
        request_key(model, [], None),
    }
    assert len(others) == 5
    assert base not in others


@given(st.lists(st.text()), st.lists(st.text()))
def test_keys_differ_whenever_messages_do(one: list[str], other: list[str]) -> None:
    model = CallableModel(Counting())
    keys = {request_key(model, [Message("user", t) for t in texts], None) for texts in (one, other)}
    assert len(keys) == (1 if one == other else 2)
