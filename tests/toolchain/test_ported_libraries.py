"""CUDA programs that use CUB and Thrust, ported and run in the emulator with the stand-ins for hipCUB and rocThrust."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import porter

from porter.toolchain import find_toolchain

pytestmark = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)

PROGRAMS = Path(__file__).parent / "programs"


def ported(name: str, folder: Path) -> Path:
    port = folder / f"{name}.hip"
    done = porter("convert", PROGRAMS / f"{name}.cu", "-o", port)
    assert done.returncode == 0, done.stdout + done.stderr  # nothing for review or left
    return port


def printed(port: Path) -> list[str]:
    done = porter("run", "--emulate", port)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_warps_have_32_lanes(tmp_path: Path) -> None:
    first, second = sum(range(1, 33)), sum(range(33, 65))
    assert printed(ported("cub_warps", tmp_path)) == [
        *(f"{i}: {first} {second}" for i in range(5)),
        f"5: 1 {second}",
        f"6: {first} {second}",
        f"7: 0 {second - 64}",
        "8: 0 31",
        "9: 0 1",
        "10: 32 32",
        "11: 32 32",
        "same 1 sorted 1",
    ]


def test_kernels_of_libraries_have_no_mirrors(tmp_path: Path) -> None:
    port = ported("mirrored_sum", tmp_path)
    text = port.read_text()
    assert text.index("<hipcub/hipcub.hpp>") < text.index("porter/mirror.h")
    total = 8 * sum(range(128))
    assert printed(port) == [f"{total} 1 {total}"]
