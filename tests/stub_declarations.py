"""What the stub headers of CUDA declare, as libclang reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import clang.cindex as ci

from porter.frontend.ast import ParseOptions, translation_unit
from porter.paths import CUDA_STUBS

_FUNCTIONS = (ci.CursorKind.FUNCTION_DECL, ci.CursorKind.FUNCTION_TEMPLATE)


def stub_functions(header: str, folder: str) -> set[str]:
    """The functions that come with a header and stand in a folder of porter_stubs."""
    main = Path("/porter-sample.cu")  # in memory only
    unit = translation_unit(main, {main: f"#include <{header}>\n"}, ParseOptions())
    assert unit is not None
    return set(_functions(unit.cursor, str(CUDA_STUBS / "porter_stubs" / folder)))


def _functions(scope: Any, folder: str) -> Iterator[str]:
    for cursor in scope.get_children():
        if cursor.location.file is not None and os.path.realpath(cursor.location.file.name).startswith(folder):
            if cursor.kind in _FUNCTIONS:
                yield cursor.spelling
            else:
                yield from _functions(cursor, folder)
