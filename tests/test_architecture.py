"""The arrows between the modules, and what each of them costs to import."""

import ast
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(path for package in ("mder", "dr") for path in (ROOT / package).rglob("*.py"))

STAGES = ("chunk", "summarize", "translate", "map", "disambiguate", "enrich", "reduce", "link")
# What people call, and what is decided there.
ABOVE = (
    "mder.cli",
    "mder.console",
    "mder.library",
    "mder.choice",
    "mder.estimate",
    "mder.settings",
)
STAGE_MODULES = tuple(f"mder.{stage}" for stage in STAGES)

# What a Reasoner may know of models: how they are opened, asked, counted and remembered.
SEAM = tuple(f"mder.models{name}" for name in ("", ".base", ".ledger", ".replies", ".tokens"))

# Who may import what is not of the standard library: modules, or packages with all that is in them.
OWNERS = {
    "bm25s": {"mder.graph.words"},
    "charset_normalizer": {"mder.sources.encoding"},
    "filelock": {"mder.graph.generations"},
    "httpx": {"mder.models.ollama", "mder.models.openai"},
    "json_repair": {"mder.reasoners.llm.reply"},
    "lxml": {"mder.sources"},
    "markdown_it": {"mder.sources.markdown"},
    "matplotlib": {"dr.evaluate.plots"},
    "mdit_py_plugins": {"mder.sources.markdown"},
    "msgspec": {
        "dr.evaluate.datasets",
        "mder.graph",
        "mder.journal",
        "mder.pipeline",
        "mder.reasoners.llm",
    },
    "numpy": {
        "dr.evaluate",
        "dr.resolve",
        "dr.retrievers",
        "mder.chunk",
        "mder.disambiguate.proposals",
        "mder.embedders",
        "mder.graph.products",
        "mder.graph.segments",
        "mder.graph.vectors",
        "mder.graph.words",
    },
    "ollama": {"mder.embedders.ollama", "mder.models.ollama"},
    "onnx": {"mder.embedders.bert"},
    "onnxruntime": {"mder.embedders.onnxruntime"},
    "openai": {"mder.embedders.openai", "mder.models.openai"},
    "py3langid": {"mder.languages"},
    "pyoxigraph": {"mder.graph"},
    "sentence_transformers": {"mder.embedders.sentence_transformers"},
    "sentencex": {"mder.sentences"},
    "spacy": {"mder.reasoners.syntax"},
    "tokenizers": {"mder.embedders.onnxruntime"},
    "tqdm": {"mder.console"},
    "trafilatura": {"mder.sources.html"},
    "transformers": {"mder.embedders.sentence_transformers"},
    "typer": {"dr.cli", "mder.cli", "mder.console"},
    "xllamacpp": {"mder.models.gguf"},
    "yaml": {"mder.sources.markdown"},
}
# Where others may name the types of a library for the type checker, one module runs it.
RUN_BY = {"ollama": {"mder.models.ollama"}, "openai": {"mder.models.openai"}}
RUN_BY["spacy"] = {"mder.reasoners.syntax.parser"}

HEAVY = "lxml onnx onnxruntime openai ollama spacy sentence_transformers torch trafilatura".split()
HEAVY += "httpx markdown_it py3langid sentencex tokenizers tqdm transformers typer yaml".split()
HEAVY += ["bm25s", "json_repair", "matplotlib", "scipy", "xllamacpp"]


@dataclass(frozen=True, slots=True)
class Import:
    """A module that another one imports.

    :param checked: for the type checker only.
    """

    importer: str
    imported: str
    checked: bool


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


MODULES = {module_name(path) for path in FILES}


@cache
def imports() -> tuple[Import, ...]:
    return tuple(
        Import(module_name(path), name, checked)
        for path in FILES
        for node, checked in _nodes(tree(path), checked=False)
        for name in _names(node)
    )


def _nodes(node: ast.AST, *, checked: bool) -> Iterator[tuple[ast.AST, bool]]:
    for child in ast.iter_child_nodes(node):
        yield child, checked
        guard = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        yield from _nodes(child, checked=checked or guard)


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"a relative import of {node.module}"
        for alias in node.names:
            # "from mder.graph import store" imports the module mder.graph.store.
            whole = f"{node.module}.{alias.name}"
            yield whole if whole in MODULES else str(node.module)


def within(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def arrows(*packages: str) -> set[tuple[str, str]]:
    """Return (importer, imported) of the imports that modules of these packages make."""
    return {(i.importer, i.imported) for i in imports() if within(i.importer, *packages)}


def test_the_walk_sees_imports_wherever_they_stand() -> None:
    assert ("mder.library", "mder.pipeline") in arrows("mder.library")
    assert ("mder.pipeline.run", "mder.graph.store") in arrows("mder.pipeline")
    assert ("mder.graph.store", "mder.graph.vectors") in arrows("mder.graph")
    assert ("mder.reasoners.syntax.parser", "spacy") in arrows("mder.reasoners.syntax.parser")
    checked = [i for i in imports() if i.imported == "spacy.tokens" and i.checked]
    assert checked


def test_mder_never_imports_dr() -> None:
    assert not {arrow for arrow in arrows("mder") if within(arrow[1], "dr")}


@pytest.mark.parametrize("stage", STAGE_MODULES)
def test_a_stage_knows_no_other_stage_no_store_and_no_order(stage: str) -> None:
    others = [other for other in STAGE_MODULES if other != stage]
    forbidden = [*others, "mder.graph", "mder.pipeline", "mder.journal", "mder.sources", *ABOVE]
    forbidden += ["mder.models", "pathlib", "os", "pyoxigraph"]
    assert arrows(stage)
    assert not {arrow for arrow in arrows(stage) if within(arrow[1], *forbidden)}


def test_only_the_pipeline_knows_the_stages() -> None:
    users = {i.importer for i in imports() if within(i.imported, *STAGE_MODULES)}
    outside = {user for user in users if not within(user, "mder.pipeline", *STAGE_MODULES)}
    assert not outside


def test_only_the_library_knows_the_pipeline_and_one_command_its_threads() -> None:
    arrows = {(i.importer, i.imported) for i in imports() if not i.checked}
    used = {arrow for arrow in arrows if within(arrow[1], "mder.pipeline")}
    outside = {arrow for arrow in used if not within(arrow[0], "mder.pipeline", "mder.library")}
    assert outside == {("mder.cli.doctor", "mder.pipeline.pool")}


def test_the_state_knows_what_it_keeps_and_nothing_else() -> None:
    used = {imported for _, imported in arrows("mder.pipeline.state") if within(imported, "mder")}
    assert used == {
        "mder.disambiguate",
        "mder.graph.tables",
        "mder.pipeline.state.base",
        "mder.pipeline.state.entities",
        "mder.pipeline.state.facts",
        "mder.pipeline.state.senses",
        "mder.pipeline.state.words",
        "mder.records",
    }


def test_the_stages_of_the_whole_set_know_neither_files_nor_journal_nor_run() -> None:
    forbidden = ["mder.sources", "mder.journal", "mder.models", "pyoxigraph", "pathlib", "os"]
    forbidden += [m for m in MODULES if within(m, "mder.pipeline.run", "mder.pipeline.documents")]
    found = {arrow for arrow in arrows("mder.pipeline.whole") if within(arrow[1], *forbidden)}
    assert not found


def test_databases_are_opened_by_the_journal_and_for_tables_alone() -> None:
    users = {i.importer for i in imports() if within(i.imported, "sqlite3")}
    assert users == {"mder.journal", "mder.graph.tables"}


@pytest.mark.parametrize("room", ["reasoners", "models", "embedders", "sources"])
def test_a_room_behind_a_seam_knows_neither_graph_nor_stages(room: str) -> None:
    forbidden = ("mder.graph", "mder.pipeline", "mder.journal", *ABOVE, *STAGE_MODULES)
    assert not {arrow for arrow in arrows(f"mder.{room}") if within(arrow[1], *forbidden)}


def test_rooms_behind_seams_do_not_know_each_other_but_for_the_models() -> None:
    rooms = [f"mder.{room}" for room in ("reasoners", "embedders", "sources")]
    crossing = {
        (importer, imported)
        for room in rooms
        for importer, imported in arrows(*rooms, "mder.models")
        if within(imported, room) and not within(importer, room)
    }
    assert not crossing


def test_models_know_nothing_of_what_they_are_asked_for() -> None:
    used = {imported for _, imported in arrows("mder.models") if within(imported, "mder")}
    assert not {name for name in used if not within(name, "mder.models", "mder.errors")}


def test_the_reasoners_know_no_server() -> None:
    servers = {m for m in MODULES if within(m, "mder.models")} - set(SEAM)
    assert "mder.models.ollama" in servers
    assert not {arrow for arrow in arrows("mder.reasoners") if arrow[1] in servers}


def test_the_graph_knows_records_and_names_only() -> None:
    used = {imported for _, imported in arrows("mder.graph") if within(imported, "mder")}
    allowed = ("mder.graph", "mder.records", "mder.names", "mder.errors", "mder.resources")
    assert not {name for name in used if not within(name, *allowed, "mder.embedders.base")}


def test_each_library_has_its_owner() -> None:
    foreign: dict[str, set[str]] = {}
    for found in imports():
        library = found.imported.partition(".")[0]
        if library not in sys.stdlib_module_names and library not in {"mder", "dr"}:
            foreign.setdefault(library, set()).add(found.importer)
    assert set(foreign) <= set(OWNERS)
    strays = {
        (importer, library)
        for library, importers in foreign.items()
        for importer in importers
        if not within(importer, *OWNERS[library])
    }
    assert not strays


@pytest.mark.parametrize("library", RUN_BY)
def test_what_only_the_type_checker_needs_is_not_run(library: str) -> None:
    users = {i.importer for i in imports() if within(i.imported, library) and not i.checked}
    strays = {user for user in users if user not in RUN_BY[library]}
    assert not strays


def test_threads_are_started_by_the_pipeline_and_by_one_retriever_that_searches_in_one() -> None:
    users = {i.importer for i in imports() if within(i.imported, "concurrent", "asyncio")}
    assert all(within(user, "mder.pipeline", "dr.retrievers.dr") for user in users)


def test_no_thread_is_started_by_hand() -> None:
    starts = {
        (module_name(path), node.lineno)
        for path in FILES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("Thread", "Process"))
    }
    assert not starts


def run(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("packages", ["mder, dr", "mder.library", "mder.pipeline"])
def test_importing_loads_nothing_heavy(packages: str) -> None:
    loaded = json.loads(run(f"import json, sys, {packages}; print(json.dumps([*sys.modules]))"))
    heavy = set(HEAVY) - ({"markdown_it", "yaml"} if packages == "mder.pipeline" else set())
    assert not heavy.intersection(loaded)


def test_the_graph_is_opened_without_numpy() -> None:
    loaded = json.loads(run("import json, sys, mder.show; print(json.dumps([*sys.modules]))"))
    assert "numpy" not in loaded


@pytest.mark.parametrize("command", ["mder", "dr"])
def test_help_comes_at_once(command: str) -> None:
    def seconds() -> float:
        began = time.perf_counter()
        run(f"import sys; sys.argv = ['x', '--help']; from {command}.cli import main; main()")
        return time.perf_counter() - began

    # Half a second is meant; the rest is for machines with other work.
    assert min(seconds() for _ in range(3)) < 1.0


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_a_module_is_no_drawer(path: Path) -> None:
    assert path.stem not in {"utils", "util", "helpers", "common", "misc"}
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300
    for function in functions(path):
        # The options of a command stand in its signature.
        assert (function.end_lineno or 0) - function.body[0].lineno < 50, function.name
        assert not isinstance(function, ast.AsyncFunctionDef), function.name


def test_the_library_prints_nothing() -> None:
    calls = {
        (module_name(path), node.lineno)
        for path in FILES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"print", "breakpoint", "input"}
    }
    assert not calls
