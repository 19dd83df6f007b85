"""A made-up second row in `CHIPS`: what takes a chip's name builds for that chip, or refuses and names those it knows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from commands import porter

from porter.chip import CHIPS, GFX942, Board
from porter.emu.assembly import AssemblyError
from porter.emu.image import build_image
from porter.errors import CompileError, PorterError, UsageError
from porter.frontend.branches import branches_of
from porter.frontend.lexer import lex
from porter.paths import RUNTIME_INCLUDE
from porter.perf.isa import compiled_kernels
from porter.perf.model.boards import board_named
from porter.perf.model.predict import follow
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
LDMATRIX = """#define PORTER_MIRRORED 1
#include <hip/hip_runtime.h>
#include "porter/ldmatrix.h"
extern __shared__ unsigned s[];
__global__ void k(unsigned *p) {
  unsigned a, b, c, d;
  porter::ldmatrix<false>(&s[p[threadIdx.x]], a, b, c, d);
  p[threadIdx.x] = a + b + c + d;
}
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


def test_build_files_of_a_tree_name_the_target(tmp_path: Path) -> None:
    tree = tmp_path / "t"
    tree.mkdir()
    (tree / "k.cu").write_text(KERNEL)
    (tree / "Makefile").write_text("k.o: k.cu\n\tnvcc -arch=sm_90 -c k.cu\n")
    (tree / "setup.py").write_text("import torch\ntorch.cuda.get_device_capability()\n")
    done = porter("convert", "t", "-o", "out", "--target", "gfx950", cwd=tmp_path, before=add_second)
    assert "--offload-arch=gfx950" in (tmp_path / "out" / "Makefile").read_text()
    assert "get_device_capability is (9, 4) on gfx950" in done.stdout


def test_native_schedules_refuse_it(tmp_path: Path) -> None:
    done = convert(tmp_path, KERNEL, "--schedule", "native")
    assert done.returncode == 2 and not (tmp_path / "k.hip").exists()
    assert "--schedule native: its kernels are tuned for gfx942, not for gfx950" in done.stderr


def test_the_emulator_refuses_it(second: str, tmp_path: Path) -> None:
    assembly = device_assembly(write(tmp_path, HIP), Options(target=second)).read_text()
    with pytest.raises(AssemblyError, match="it is for gfx950; the emulator is a gfx942 alone"):
        build_image(assembly)


def test_the_model_of_time_refuses_it(second: str) -> None:
    with pytest.raises(UsageError, match="unknown board MI350X") as refusal:
        board_named("MI350X")
    assert "predicted for gfx942: give one of MI300X" in refusal.value.fix
    with pytest.raises(PorterError, match="the model of time does not know gfx950"):
        follow(None, SECOND, SECOND.boards[0])  # type: ignore[arg-type]


def test_occupancy_is_that_of_the_chip_that_assembly_names(second: str, tmp_path: Path) -> None:
    text = HIP.replace(
        "float *p) {",
        "float *p) {\n  __shared__ float s[16384];\n  s[threadIdx.x ^ 1] = *p;\n  __syncthreads();\n  p[1] = s[threadIdx.x];",
    )
    (facts,) = compiled_kernels(device_assembly(write(tmp_path, text), Options(target=second)))
    assert facts.chip is SECOND and facts.limit != "LDS"  # two such workgroups of 16 waves: 8 a SIMD
    (tmp_path / "other.s").write_text('.amdgcn_target "amdgcn-amd-amdhsa--gfx90a:xnack+"\n')
    with pytest.raises(PorterError, match="the assembly is for gfx90a"):
        compiled_kernels(tmp_path / "other.s")


def test_a_branch_of_either_chip_may_be_compiled(second: str) -> None:
    """Which one the port is for is not known where files are read."""
    for target in CHIPS:
        file = lex(f"#ifdef __{target}__\nint a;\n#endif\n")
        assert branches_of(file).at(file.text.index("int")).port[0] is None


def test_ldmatrix_packs_addresses_only_where_lds_ends_at_64_kib(second: str, tmp_path: Path) -> None:
    """Two in 32 bits save an exchange; with 160 KiB of LDS the upper halves would be lost."""
    source = write(tmp_path, LDMATRIX)

    def exchanges(target: str) -> tuple[int, int]:
        (kernel,) = compiled_kernels(device_assembly(source, Options(target=target, includes=(RUNTIME_INCLUDE,))))
        return kernel.mnemonics["ds_bpermute_b32"], kernel.mnemonics["v_perm_b32"]

    assert exchanges("gfx942") == (1, 1)
    assert exchanges(second) == (2, 0)


def test_flags_name_the_chip_that_is_built_for(tmp_path: Path) -> None:
    write(tmp_path, HIP)
    flag = "--flag=--offload-arch="
    done = porter("build", "--genco", "k.hip", f"{flag}gfx950", cwd=tmp_path, before=add_second)
    assert done.returncode == 0 and "1 kernel" in done.stdout and "for gfx950" in done.stdout, done.stderr
    done = porter("asm", "k.hip", f"{flag}gfx950", cwd=tmp_path, before=add_second)
    assert done.returncode == 0, done.stderr
    done = porter("build", "--genco", "k.hip", "-o", "x.co", f"{flag}gfx950", cwd=tmp_path)
    assert done.returncode == 2 and "porter builds for gfx942 only" in done.stderr and not (tmp_path / "x.co").exists()
    write(tmp_path, HIP + "int main() { return hipDeviceSynchronize(); }\n")
    done = porter("run", "k.hip", "--emulate", f"{flag}gfx950", cwd=tmp_path, before=add_second)
    assert done.returncode == 2 and "it is for gfx950; the emulator is a gfx942 alone" in done.stderr, done.stderr
