"""CUDA's overloads of mathematical functions: the types that nvcc gives calls, and that their ports have."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from compiling import DEVICE, HOST, hip, kept

from porter.cpp_library import has_system_cxx
from porter.execute import RunOptions, run_program
from porter.findings import Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.passes.device.math_overload import HEADER, differs, float_too
from porter.paths import RUNTIME_INCLUDE
from porter.port.pipeline import port_source
from porter.toolchain import Options as BuildOptions
from porter.toolchain.pip_clang import find_pip_clang

CLANG = find_pip_clang()
PROGRAM = Path(__file__).parent / "programs" / "math_overloads.cu"
LETTERS = "bcahstijlmxyfd"
TYPES = {
    "b": "bool", "c": "char", "a": "signed char", "h": "unsigned char", "s": "short", "t": "unsigned short",
    "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long", "x": "long long", "y": "unsigned long long",
    "f": "float", "d": "double", "v": "void", "I": "int *", "F": "float *", "D": "double *",
}  # fmt: skip
BY_NAME = {name: letter for letter, name in TYPES.items()}


class Call(NamedTuple):
    name: str
    arguments: str
    host: bool


def expanded(pattern: str) -> Iterator[str]:
    parts = re.findall(r"\[(\w+)\]|(\*)|(\w)", pattern)
    for letters in itertools.product(*(group or one or LETTERS for group, _, one in parts)):
        yield "".join(letters)


def table() -> dict[Call, str]:
    """The letter of each call's type."""
    letters: dict[Call, str] = {}
    for line in Path(__file__).with_name("math_types.tbl").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, kind, *patterns = line.split()
        name, _, side = name.partition("@")
        for pattern in patterns:
            letters |= {Call(name, arguments, side != "device"): kind for arguments in expanded(pattern)}
    return letters


TABLE = table()


def functions(mark: str, calls: list[Call], body: str) -> list[str]:
    """A line for each call, whose arguments are parameters; `body` may use {call} and {kind}."""
    lines = []
    for number, call in enumerate(calls):
        parameters = ", ".join(f"{TYPES[letter]} p{k}" for k, letter in enumerate(call.arguments))
        written = f"{call.name}({', '.join(f'p{k}' for k in range(len(call.arguments)))})"
        text = body.format(call=written, kind=TYPES[TABLE[call]])
        lines.append(f"{mark} void call_{number}({parameters}) {{ {text} }}")
    return lines


def calls_of(device: bool) -> list[Call]:
    return [call for call in TABLE if device or call.host]


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc here")
@pytest.mark.parametrize("device", [True, False], ids=["device", "host"])
@pytest.mark.sample(1)
def test_the_table_is_nvccs(tmp_path: Path, device: bool) -> None:
    source = tmp_path / "types.cu"
    body = "static_assert(same<decltype({call}), {kind}>::value);"
    head = ["#include <cmath>", "template <class A, class B> struct same { static constexpr bool value = false; };"]
    head.append("template <class A> struct same<A, A> { static constexpr bool value = true; };")
    source.write_text("\n".join(head + functions("__device__" if device else "", calls_of(device), body)))
    done = kept(["nvcc", "-std=c++17", "-arch=sm_90", "-w", "-c", "-o", "/dev/null"], source)
    assert done.status == 0, done.err[:2000]


def types_in_hip(folder: Path, device: bool, header: str) -> dict[Call, str]:
    """What clang says of each call after that header; "" where it refuses the call."""
    calls = calls_of(device)
    head = ["#include <hip/hip_runtime.h>", header, "template <class T> struct Shown;"]
    source = folder / "types.hip"
    lines = functions("__device__" if device else "", calls, "Shown<decltype({call})> shown;")
    source.write_text("\n".join(head + lines) + "\n")
    words = ("-fsyntax-only", "-w", "-ferror-limit=0", "-fno-caret-diagnostics", "-fno-color-diagnostics")
    done = hip(source, *words, f"-I{RUNTIME_INCLUDE}", side=DEVICE if device else HOST)
    types_by_call: dict[Call, str] = {}
    for line in done.err.splitlines():
        said = re.match(rf"{re.escape(str(source))}:(\d+):\d+: error: (.*)", line)
        if said is None:
            continue
        at = int(said[1]) - 1 - len(head)
        assert at >= 0, line
        shown = re.search(r"undefined template 'Shown<(.*)>'", said[2])
        types_by_call.setdefault(calls[at], BY_NAME.get(shown[1], shown[1]) if shown else "")
    assert types_by_call.keys() == set(calls)
    return types_by_call


pytest_clang = pytest.mark.skipif(not CLANG.complete, reason=f"no compiler here: {CLANG.fix}")


@pytest_clang
@pytest.mark.parametrize("device", [True, False], ids=["device", "host"])
@pytest.mark.sample(1)
def test_ports_have_cudas_types(tmp_path: Path, device: bool) -> None:
    types_by_call = types_in_hip(tmp_path, device, f'#include "{HEADER}"')
    assert {call: kind for call, kind in types_by_call.items() if kind != TABLE[call]} == {}


@pytest_clang
@pytest.mark.parametrize("device", [True, False], ids=["device", "host"])
@pytest.mark.sample(1)
def test_the_header_comes_where_hip_has_other_types(tmp_path: Path, device: bool) -> None:
    """And nowhere else: the pass says of no call that HIP lacks its overload if clang gives it CUDA's type."""
    types_by_call = types_in_hip(tmp_path, device, "" if device else "#include <math.h>")
    wanted = {call for call, kind in types_by_call.items() if kind != TABLE[call]}
    says = {
        call
        for call in calls_of(device)
        if differs(call.name.removeprefix("std::"), [TYPES[letter] for letter in call.arguments], device)
    }
    assert says - wanted == set()
    assert wanted - says == set()


@pytest_clang
def test_float_overloads_of_c_plus_plus_come_with_a_header(tmp_path: Path) -> None:
    with_header, without = (types_in_hip(tmp_path, False, text) for text in ("#include <math.h>", ""))
    macros = ("is", "fpclassify", "signbit")  # C's, which <cmath> removes: they are asked for by name
    wanted = {call for call, kind in without.items() if kind != with_header[call] and not call.name.startswith(macros)}
    says = {
        call
        for call in calls_of(False)
        if not call.name.startswith("std::") and float_too(call.name, [TYPES[letter] for letter in call.arguments])
    }
    # libc++'s <math.h> comes with HIP's own headers.
    assert wanted == (says if has_system_cxx() else set())


@pytest_clang
def test_the_port_of_a_program_computes_what_cuda_does(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    port = tmp_path / "math_overloads.hip"
    result = port_source(Project(PROGRAM.parent), PROGRAM, port.name, Options(), {})
    assert not [finding for finding in result.findings if finding.safety is not Safety.EXACT]
    port.write_text(result.port)
    built = BuildOptions(includes=(RUNTIME_INCLUDE,))
    assert run_program([port], [], built, RunOptions(emulate=True)).code == 0, capfd.readouterr().out


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc here")
def test_the_program_says_of_host_code_what_nvcc_makes_of_it(tmp_path: Path) -> None:
    program = tmp_path / "program"
    subprocess.run(["nvcc", "-std=c++17", "-arch=sm_90", "-w", str(PROGRAM), "-o", str(program)], check=True)
    subprocess.run([str(program), "host"], check=True)
