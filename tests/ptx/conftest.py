"""The compiler for gfx942, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from compiling import hip

from porter.paths import RUNTIME_INCLUDE
from porter.toolchain import Toolchain, find_toolchain
from porter.toolchain.verdict import Verdict


@pytest.fixture(scope="module")
def toolchain() -> Toolchain:
    chain = find_toolchain()
    if not chain.complete:
        pytest.skip("no HIP compiler: " + ", ".join(p.name for p in chain.missing) + " not found")
    return chain


@pytest.fixture
def compile_hip(toolchain: Toolchain, tmp_path: Path) -> Callable[..., Verdict]:
    def run_compiler(source: str, *flags: str) -> Verdict:
        path = tmp_path / "unit.hip"
        path.write_text(source)
        return hip(path, f"-I{RUNTIME_INCLUDE}", "-ferror-limit=0", *flags)

    return run_compiler
