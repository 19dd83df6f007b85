"""A made-up second row in `CHIPS`: what takes a chip's name builds for that chip, or refuses and names those it knows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from commands import porter

from porter.chip import CHIPS, GFX942, Board
from porter.errors import CompileError
from porter.toolchain import Options, assemble, bundle, code_object, device_assembly, syntax_check

SECOND = replace(
    GFX942,
    target="gfx950",
    isa_version=9500,
    elf_machine=0x4F,
    boards=(Board("MI350X", 8000, 6500, 1000),),
    compute_units=256,
    lds_bytes=160 << 10,
    lds_banks=64,
)
KERNEL = """#include <cuda_runtime.h>
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__gfx950__)
#error "built for another chip"
#endif
__global__ void k(float *p) { p[threadIdx.x] = expf(p[threadIdx.x]); }
"""
HIP = KERNEL.replace("cuda_runtime.h", "hip/hip_runtime.h")
# An instruction that gfx942 lacks
NEW = """#include <hip/hip_runtime.h>
__global__ void k(unsigned *p) { asm volatile("v_permlane32_swap_b32 %0, %1" : "+v"(p[0]), "+v"(p[1])); }
"""


def add_second() -> None:
    CHIPS[SECOND.target] = SECOND  # type: ignore[index]


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(CHIPS, SECOND.target, SECOND)  # type: ignore[arg-type]
    return SECOND.target


def convert(folder: Path, source: str, *options: str) -> CompletedProcess[str]:
    (folder / "k.cu").write_text(source)
    return porter("convert", "k.cu", "--target", "gfx950", *options, cwd=folder, before=add_second)


def write(folder: Path, text: str) -> Path:
    source = folder / "k.hip"
    source.write_text(text)
    return source


def test_convert_builds_for_the_target(tmp_path: Path) -> None:
    done = convert(tmp_path, KERNEL, "--build")
    assert done.returncode == 0 and "compiles. " in done.stdout, done.stdout + done.stderr


def test_the_registers_of_a_port_are_those_of_the_target(tmp_path: Path) -> None:
    done = convert(tmp_path, KERNEL, "--resources")
    assert done.returncode == 0 and "compiled for gfx950: 1 kernel" in done.stdout, done.stdout + done.stderr


def test_the_toolchain_builds_for_the_target(second: str, tmp_path: Path) -> None:
    source, options = write(tmp_path, HIP + "int main() {}\n"), Options(target=second)
    assembly = device_assembly(source, options)
    assert f"--{second}" in assembly.read_text()
    code = code_object(assembly, target=second).read_bytes()
    assert code[48] == SECOND.elf_machine and second.encode() in bundle(code, second)
    assert syntax_check(source, target=second).passed
    assert [error.message for error in syntax_check(source).errors] == ['"built for another chip"']


def test_the_assembler_takes_what_the_target_has(second: str, tmp_path: Path) -> None:
    source = write(tmp_path, NEW)
    assert assemble(device_assembly(source, Options(target=second)), target=second).is_file()
    with pytest.raises(CompileError, match="not supported on this GPU"):
        assemble(device_assembly(source))
