import inspect
from types import ModuleType

import pytest

import dr
import mder


@pytest.mark.parametrize("package", [mder, dr], ids=lambda package: package.__name__)
def test_everything_that_is_public_is_there_and_documented(package: ModuleType) -> None:
    assert package.__all__ == sorted(package.__all__, key=lambda n: (not n.isupper(), n))
    for name in package.__all__:
        value = getattr(package, name)
        if not isinstance(value, str):
            assert inspect.getdoc(value), name


def test_the_whole_job_is_public() -> None:
    assert set(mder.__all__) >= {"Graph", "MderError", "Settings", "build", "open_graph"}
    assert set(dr.__all__) >= {"Answer", "Citation", "Engine", "open_engine"}


@pytest.mark.parametrize("value", [mder.build, mder.open_graph, dr.open_engine])
def test_public_functions_are_typed(value: object) -> None:
    assert callable(value)
    signature = inspect.signature(value)
    assert signature.return_annotation is not inspect.Signature.empty
    kinds = [p.annotation for p in signature.parameters.values()]
    assert inspect.Parameter.empty not in kinds
