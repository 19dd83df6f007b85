"""The emulator's C and C++ under the address and undefined-behaviour sanitizers, running the code that we have."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from commands import porter

from porter.cpp_library import has_system_cxx
from porter.emu import hostlib
from porter.emu.build import core_files
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain import c_library, find_pip_clang, find_rocm

ROOT = Path(__file__).resolve().parents[2]
# Alignment: device code may load from any address. Enum: programs may hand any number to the runtime. vptr and function
# need run-time support that only clang brings.
SANITIZERS = (
    "-fsanitize=address,undefined",
    "-fno-sanitize=alignment,enum,vptr,function",
)


def _runtimes() -> list[str]:
    """gcc's, which clang's instructions call as well."""
    if not has_system_cxx():
        return []
    names = ("libasan.so", "libubsan.so")
    paths = [
        subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
        for name in names
    ]
    return paths if all(map(os.path.isabs, paths)) else []


# Kernels with headers of ThunderKittens need its folder.
CASES = [path for path in sorted(ROOT.glob("reference_kernels/*/case.py")) if "THUNDERKITTENS" not in path.read_text()]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_rocm().complete or not find_pip_clang().complete, reason="NOT RUN: of pip's compiler"),
    pytest.mark.skipif(not _runtimes(), reason="NOT RUN: no sanitizers of gcc"),
]


FLAGS = (
    *("-O1", "-g1", "-w", "-fPIC", "-pthread", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-omit-frame-pointer"),
    *SANITIZERS,
)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A cache whose emulator is the one with sanitizers."""
    folder = tmp_path_factory.mktemp("sanitized")
    for name, text in core_files().items():
        (folder / name).write_text(text)
    include = find_pip_clang().hip_headers
    assert include
    (folder / "stubs.c").write_text(hostlib.stubs(include))
    (folder / "exports").write_text(hostlib.EXPORTS)
    folders = (f"-iquote{hostlib.HOST}", f"-I{folder}", f"-isystem{include}", f"-idirafter{RUNTIME_INCLUDE}")
    core = [folder / name for name in core_files() if name.endswith(".c")]
    library = c_library(
        [*core, folder / "stubs.c", *sorted(hostlib.HOST.rglob("*.cpp"))],
        (*FLAGS, "-D__HIP_PLATFORM_AMD__", *folders),
        link=(SANITIZERS[0], f"-Wl,--version-script,{folder / 'exports'}", *hostlib.LINK),
    )
    emulator = c_library(core, (*FLAGS, f"-I{folder}"), link=(SANITIZERS[0], "-lm", "-pthread"))
    cache = folder / "cache"
    environment = {**os.environ, "PORTER_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    code = (
        "from porter.emu.hostlib import host_library_place; from porter.emu.build import core_library_place\n"
        "print(host_library_place()); print(core_library_place())"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    for made, place in zip((library, emulator), map(Path, done.stdout.split()), strict=True):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(made.read_bytes())
    options = f"log_path={folder / 'sanitizer'}"
    return {
        **environment,
        "LD_PRELOAD": ":".join(_runtimes()),
        "ASAN_OPTIONS": f"detect_leaks=0:detect_stack_use_after_return=0:{options}",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    }


@pytest.fixture
def complaints(environment: dict[str, str]) -> Iterator[Callable[[], str]]:
    """What the sanitizers have written, with what was there before removed."""
    folder = Path(environment["PORTER_CACHE"]).parent

    def text() -> str:
        return "".join(path.read_text() for path in sorted(folder.glob("sanitizer.*")))

    yield text
    for path in folder.glob("sanitizer.*"):
        path.unlink()


@pytest.mark.parametrize("case", [path.parent.name for path in CASES])
def test_a_reference_kernel(environment: dict[str, str], complaints: Callable[[], str], case: str) -> None:
    done = porter("verify", ROOT / "reference_kernels" / case, "--check", "all", env=environment, timeout=3600)
    assert (done.returncode, complaints()) == (0, ""), (done.stdout + done.stderr)[-20000:]


@pytest.mark.parametrize("folder", ["tests/emu", "tests/hopper"])
def test_the_tests_that_run_code(environment: dict[str, str], complaints: Callable[[], str], folder: str) -> None:
    """Code objects of other compilers and damaged ones, host programs, faults that kernels are meant to have."""
    command = [sys.executable, "-m", "pytest", folder, "-n0", "-s", "-p", "no:cacheprovider"]
    environment = {**environment, "UBSAN_OPTIONS": "print_stacktrace=1"}  # one run finds them all
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=3600)
    output = done.stdout + done.stderr
    assert " passed" in output, output[-20000:]  # a few that count seconds may fail, where all is so slow
    assert "runtime error" not in output + complaints(), output[-20000:]
    assert not complaints()
