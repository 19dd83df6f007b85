"""A machine with Python and pip's packages alone: a PATH without g++, gcc, clang, ld and as."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import porter

from porter import cpp_library
from porter.emu import hostlib
from porter.errors import NotHere
from porter.frontend import libclang
from porter.frontend.libclang import ParseOptions
from porter.harness.building.torch_sources import torch_source
from porter.toolchain import find_pip_clang, find_rocm, pip_clang, zig_environment, zig_linker
from porter.toolchain.build import cuda_ir

KERNELS = Path(__file__).resolve().parents[2] / "reference_kernels"
pytestmark = pytest.mark.skipif(
    find_rocm().complete or not find_pip_clang().complete, reason="NOT RUN: of the compiler from pip's packages"
)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """In which no program is found but Python."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    return {**os.environ, "PATH": str(tmp_path / "bin"), "PYTHONPATH": str(KERNELS.parent)}


def test_zig_takes_every_flag_of_the_runtimes_link(tmp_path: Path) -> None:
    """Arguments come before files: this ends at the file that is not there."""
    command = [*zig_linker(find_pip_clang().command[0]), "-shared", "-s", *hostlib.LINK, "none.o", "-o", "none.so"]
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | zig_environment(), capture_output=True, text=True, check=False
    )
    assert "none.o" in done.stderr, done.stderr
    unknown = subprocess.run([*command, "-Wl,-no-such-flag"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "unsupported linker arg" in unknown.stderr


def test_doctor_says_what_compiles_host_code(environment: dict[str, str]) -> None:
    done = porter("doctor", "--json", env=environment)
    row = next(check for check in json.loads(done.stdout)["checks"] if check["name"] == "C++ for host code")
    assert row["required"] and "its own C++ library" in row["found"] and "apt install g++" in row["found"]
    assert done.returncode == 0
    assert "everything that porter requires is installed" in porter("doctor", env=environment).stdout


def test_sources_with_torchs_headers_name_what_they_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip_clang, "has_system_cxx", lambda: False)
    source = tmp_path / "a.hip"
    source.write_text("#include <torch/extension.h>\n")
    with pytest.raises(NotHere, match="need g") as caught:
        torch_source([source], [])
    assert caught.value.fix == "apt install g++"


LIBRARY = "algorithm array atomic cmath cstdint functional iostream map memory string thread vector".split()
KERNEL = """
__global__ void k(float *p) { p[threadIdx.x] = std::sqrt(p[0]) + std::max(p[1], rsqrtf(p[2])) + sinpif(p[3]); }
int main() {
  std::vector<float> values(std::uint64_t(3));
  std::function<void()> launch = [&] { k<<<1, 1>>>(values.data()); };
  std::sort(values.begin(), values.end());
  std::cout << values[0] << std::string("done");
  launch();
}
"""


@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_sources_are_parsed_with_the_library_that_pip_brings(standard: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpp_library, "has_system_cxx", lambda: False)
    source = Path("/porter-sample.cu")  # in memory only
    text = "".join(f"#include <{header}>\n" for header in LIBRARY) + KERNEL
    arguments = libclang.arguments(ParseOptions(standard=standard), precompiled=False)
    unit = libclang.index().parse(str(source), args=arguments, unsaved_files=[(str(source), text)])
    assert [str(problem) for problem in unit.diagnostics] == []
    names = {include.include.name for include in unit.get_includes()}
    assert any("libcxx/include/vector" in name for name in names) and not any("/c++/" in name for name in names)


def test_kernels_are_compared_without_a_cuda_toolkit(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text("__global__ void k(int *p) { p[0] = __shfl_xor_sync(~0u, p[0], 1); }\n")
    ir = cuda_ir(source, [*libclang.device_arguments(ParseOptions()), f"--cuda-path={tmp_path}"])
    assert "define" in ir.read_text()


@pytest.mark.parametrize("system", ["glibc 2.31", "glibc 2.99", "", "musl"])
def test_programs_are_linked_for_the_c_library_that_is_here(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "confstr", lambda name: system)
    assert zig_linker("zig")[3] == f"x86_64-linux-gnu.2.{31 if '31' in system else 36}"


@pytest.mark.slow
def test_a_case_is_verified(environment: dict[str, str], cache: Path) -> None:
    """zig's C++ library, the emulator, its runtime, the port and a program are all compiled by pip's clang."""
    done = porter(
        "verify", KERNELS / "softmax" / "case.py", env={**environment, "PORTER_CACHE": str(cache)}, timeout=900
    )
    assert done.returncode == 0 and "all 12 runs passed" in done.stdout, done.stdout + done.stderr
