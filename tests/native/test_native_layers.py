"""An import within porter.native leads down the list of its docstring, or stays in its folder."""

from __future__ import annotations

import ast
import re

import porter.native
from porter.paths import PACKAGE

FOLDER = PACKAGE / "native"
ORDER = re.findall(r"^(\w+)/?  ", porter.native.__doc__ or "", re.MULTILINE)


def test_every_part_is_listed() -> None:
    parts = {path.stem for path in FOLDER.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert parts - {"__init__"} == set(ORDER)


def test_imports_lead_down() -> None:
    """Also those in functions and under TYPE_CHECKING."""
    wrong, seen = [], 0
    for path in sorted(FOLDER.rglob("*.py")):
        part = path.relative_to(FOLDER).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            module = node.module if isinstance(node, ast.ImportFrom) and node.module else ""
            if not module.startswith("porter.native."):
                continue
            other = module.split(".")[2]
            seen += 1
            if part == "__init__" or (other != part and ORDER.index(other) <= ORDER.index(part)):
                wrong.append(f"{path.relative_to(FOLDER)} imports {module}")
    assert seen > 50
    assert not wrong
