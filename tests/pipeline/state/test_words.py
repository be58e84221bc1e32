from mder.pipeline.state import State


def test_the_words_of_a_document_are_those_put_last() -> None:
    state = State()
    state.words.put("b", [("chunk:b", "old words"), ("chunk:b2", "more")])
    state.words.put("a", [("chunk:c", "a word")])
    state.words.put("b", [("chunk:b", "new")])
    assert list(state.words.each()) == [("chunk:b", "new"), ("chunk:c", "a word")]
    state.words.put("b", ())
    assert list(state.words.each()) == [("chunk:c", "a word")]
    state.close()
