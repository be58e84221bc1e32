from concurrent.futures import ThreadPoolExecutor

from mder.models.base import CallableModel
from mder.models.cache import CachedModel
from mder.models.ledger import MeteredModel
from tests.models.doubles import ASKED, Counting, Shelf


def test_calls_and_tokens_add_up_over_threads() -> None:
    model = MeteredModel(CallableModel(Counting()))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(model.complete, [ASKED] * 100))
    usage = model.usage
    assert (usage.calls, usage.cached, usage.tokens_in, usage.tokens_out) == (100, 0, 300, 200)
    assert usage.seconds > 0


def test_kept_replies_cost_nothing() -> None:
    model = MeteredModel(CachedModel(CallableModel(Counting()), Shelf()))
    model.complete(ASKED).keep("Japan")
    model.complete(ASKED)
    assert (model.usage.calls, model.usage.cached, model.usage.tokens_in) == (2, 1, 3)
