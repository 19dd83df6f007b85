"""porter's packages form layers: an import leads to the same layer's own package, or to a lower layer. Functions are short."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from porter.paths import PACKAGE

# From the bottom to the top; packages of one line do not know each other. docs/design/architecture.md draws them.
LAYERS = """
checks chip cpp_library errors line_matches paths
findings
cache_folder configuration settings
frontend
rules
ptx
analysis toolchain
budget native emu
proofs
passes buildfiles perf
port execute
harness
report
cli corpus pytest_plugin validation
__main__
"""
_LEVEL = {name: level for level, line in enumerate(LAYERS.split("\n")) for name in line.split()}
MODULES = {
    ".".join(("porter", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def imports(path: Path) -> set[str]:
    """The modules of porter that a file imports, in functions and under TYPE_CHECKING too."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "porter":
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                modules.add(inner if inner in MODULES else node.module)
        elif isinstance(node, ast.Import):
            modules |= {a.name for a in node.names if a.name.split(".")[0] == "porter" and a.name != "porter"}
    return modules - {"porter"}


def package(module: str) -> str:
    return module.split(".")[1]


def test_every_package_has_a_layer() -> None:
    assert {package(module) for module in MODULES if module != "porter"} == set(_LEVEL)


def test_the_drawing_in_the_docs_is_this_list() -> None:
    page = (PACKAGE.parent / "docs" / "design" / "architecture.md").read_text("utf-8")
    drawn = [line[28:].split() for line in page.split("```")[1].strip("\n").splitlines()]
    assert drawn == [line.split() for line in reversed(LAYERS.strip().splitlines())]


@pytest.mark.parametrize("name", sorted(_LEVEL))
def test_imports_lead_down(name: str) -> None:
    wrong = [
        f"{module} imports {other}"
        for module, path in MODULES.items()
        if module != "porter" and package(module) == name
        for other in sorted(imports(path))
        if package(other) != name and _LEVEL[package(other)] >= _LEVEL[name]
    ]
    assert not wrong


def test_no_circle() -> None:
    """Neither between modules of one package."""
    graph = {module: imports(path) - {module} for module, path in MODULES.items()}
    while True:
        ends = {module for module, others in graph.items() if not others & graph.keys()}
        if not ends:
            break
        graph = {module: others for module, others in graph.items() if module not in ends}
    used = set().union(*graph.values())
    assert not graph.keys() & used, sorted(graph.keys() & used)


def test_no_function_has_more_than_60_lines() -> None:
    """Options of commands are fields of a request (porter/cli/request.py): their functions need no exception."""
    lengths = {
        f"{module}.{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    assert {name: lines for name, lines in lengths.items() if lines > 60} == {}


def test_the_core_reaches_the_checks_by_hooks_alone() -> None:
    core = PACKAGE / "emu" / "core"
    including = {path.stem for path in core.glob("*.[ch]") if '#include "shadow.h"' in path.read_text("utf-8")}
    assert including and all(name.startswith("check") for name in including)
