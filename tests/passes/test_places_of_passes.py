"""A pass is where its rule says: rules/FOLDER/ID.toml, porter/passes/FOLDER/."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from families import family

from porter.paths import PACKAGE
from porter.rules import builtin_rules_dir, load_rules

FOLDERS = ("device", "host", "warp", "hopper", "ptx")
# Findings of stages that see what the passes have made: their places.
LATER = {
    "native-schedule": "native",
    "register-budget": "port",
    "uncalled-function": "port",
    "does-not-compile": "port",
    "nvrtc-option": "port",
}
RULE_FILES = [path for folder in FOLDERS for path in sorted((builtin_rules_dir() / folder).glob("*.toml"))]


@cache
def said() -> dict[Path, set[str]]:
    """By module: the literals that may be names of rules."""
    return {path: literals(path) for path in sorted(PACKAGE.rglob("*.py"))}


def literals(path: Path) -> set[str]:
    """The string literals of a module, but for members of sets: those ask which rule made a finding."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    asked = {id(member) for node in nodes if isinstance(node, ast.Set) for member in node.elts}
    constants = (node for node in nodes if isinstance(node, ast.Constant) and id(node) not in asked)
    return {node.value for node in constants if isinstance(node.value, str)}


@family("path", RULE_FILES, ids=lambda path: path.stem)
def test_place(path: Path) -> None:
    rule = load_rules().rules[path.stem]
    place = PACKAGE / LATER.get(rule.id, f"passes/{path.parent.name}")
    makers = [module for module, texts in said().items() if rule.id in texts and module.is_relative_to(place)]
    assert makers or rule.calls, f"no module of {place} makes findings of {rule.id}"


def test_every_folder_of_passes_has_rules() -> None:
    folders = {path.parent.name for path in said() if path.parent.parent == PACKAGE / "passes"}
    assert folders == {*FOLDERS, "names"}
    assert set(LATER) <= {path.stem for path in RULE_FILES}


def test_no_rule_elsewhere() -> None:
    """A rule without [[call]] patterns is no other folder's, among the passes."""
    wrong = [
        f"{module.relative_to(PACKAGE)} makes findings of {path.parent.name}/{path.stem}"
        for path in RULE_FILES
        if not load_rules().rules[path.stem].calls
        for module, texts in said().items()
        if path.stem in texts and module.is_relative_to(PACKAGE / "passes") and module.parent.name != path.parent.name
    ]
    assert not wrong
