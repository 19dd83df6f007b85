"""The compiler for gfx942, for the tests of this folder."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from porter.paths import RUNTIME_INCLUDE
from porter.toolchain import Toolchain, find_toolchain


@pytest.fixture(scope="module")
def toolchain() -> Toolchain:
    chain = find_toolchain()
    if not chain.complete:
        pytest.skip("no HIP compiler: " + ", ".join(p.name for p in chain.missing) + " not found")
    return chain


@pytest.fixture
def compile_hip(toolchain: Toolchain, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    def run_compiler(source: str, *flags: str) -> subprocess.CompletedProcess[str]:
        path = tmp_path / "unit.hip"
        path.write_text(source)
        command = [
            *toolchain.command, "-x", "hip", *toolchain.flags, *toolchain.prelude, "--cuda-device-only",
            "--offload-arch=gfx942", "-std=c++17", f"-I{RUNTIME_INCLUDE}", "-ferror-limit=0", *flags, str(path),
        ]  # fmt: skip
        return subprocess.run(command, capture_output=True, text=True)

    return run_compiler
