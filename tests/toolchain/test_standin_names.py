"""porter's stand-ins for HIP's headers have nothing that HIP's own lack: such a name would compile here and not there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from compiling import DEVICE, HOST, hip

from porter.paths import RUNTIME_INCLUDE
from porter.toolchain import find_toolchain
from porter.toolchain.verdict import Verdict

pytestmark = [
    pytest.mark.skipif(not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"),
    pytest.mark.skipif(find_toolchain().kind == "rocm", reason="ROCm's own headers are in use"),
]

RELEASES = ("6",)  # what HIP 6.3 has, 7 has as well
BRINGS = {"hip/hip_fp8.h": ("hip/hip_fp16.h", "hip/hip_bf16.h")}  # in HIP as here
# What programs count on with any of them, as in HIP.
STANDARD = ("hip/hip_runtime.h", "cassert", "climits", "cmath", "limits", "type_traits", "math.h")
# Of what these headers may declare; members, and names of parameters, are none of it.
NAME = re.compile(r"__\w+|h2?[a-z]+\d*|half2?|hip\w+|make_\w+|(?:amd|unsafe|atomic)\w+|HIP\w+")
PARAMETERS = frozenset({"high", "halves"})


def table() -> Mapping[str, frozenset[str]]:
    names_by_header: dict[str, set[str]] = {}
    header = ""
    for line in Path(__file__).with_name("rocm_names.tbl").read_text().splitlines():
        if line.startswith("@header"):
            header = line.split()[1]
        elif line and line[0] != "#" and line.split()[0] in RELEASES:
            names_by_header.setdefault(header, set()).update(line.split()[1:])
    return {name: frozenset(names) for name, names in names_by_header.items()}


ROCM = table()


def clang(source: Path, *flags: str, host: bool = False) -> Verdict:
    words = (f"-I{source.parent}", "-idirafter", str(RUNTIME_INCLUDE), "-w", "-fno-color-diagnostics", *flags)
    return hip(source, *words, side=HOST if host else DEVICE, precompiled=flags == ("-fsyntax-only",))


def declared(headers: Iterable[str], folder: Path) -> frozenset[str]:
    """Every name of a declaration or macro in a unit that includes these."""
    source = folder / "names.hip"
    source.write_text("".join(f"#include <{header}>\n" for header in headers))
    listed = clang(source, "-fsyntax-only", "-Xclang", "-ast-list")
    macros = clang(source, "-dM", "-E")
    assert listed.status == macros.status == 0, listed.err
    return frozenset(listed.out.split("\n")) | frozenset(re.findall(r"^#define (\w+)", macros.out, re.MULTILINE))


@pytest.mark.parametrize("header", sorted(ROCM))
@pytest.mark.sample(3)
def test_a_stand_in_has_no_name_that_hip_lacks(header: str, tmp_path: Path) -> None:
    known = ROCM[header].union(*(ROCM[brought] for brought in BRINGS.get(header, ())))
    ours = declared((*STANDARD, header), tmp_path) - declared(STANDARD, tmp_path)
    shown = {name for name in ours if NAME.fullmatch(name) and name not in PARAMETERS}
    assert len(shown) >= min(len(known), 2)
    assert shown - known == set()


def test_a_name_that_is_not_in_the_table_would_be_found(tmp_path: Path) -> None:
    own = tmp_path / "own.h"
    own.write_text("__device__ inline int __hown(int a) { return a; }\n#define HIP_OWN 1\n")
    source = declared((*STANDARD, "hip/hip_complex.h"), tmp_path)
    assert {"__hown", "HIP_OWN"} <= declared((*STANDARD, "own.h"), tmp_path) - source


ON_THE_DEVICE = (
    "__hfma(h, h, h)",
    "__half2int_rd(h)",
    "__int2half_rn(1)",
    "hexp(h)",
    "h2exp(__half2(h, h))",
    "__hfma(b, b, b)",
)


@pytest.mark.parametrize("call", ON_THE_DEVICE)
@pytest.mark.sample(2)
def test_what_hip_has_for_device_code_is_not_for_host_code(call: str, tmp_path: Path) -> None:
    source = tmp_path / "a.hip"
    text = "#include <hip/hip_fp16.h>\n#include <hip/hip_bf16.h>\nSIDE void f(__half h, __hip_bfloat16 b) { CALL; }\n"
    source.write_text(text.replace("CALL", call).replace("SIDE", "__device__"))
    assert clang(source, "-fsyntax-only").status == 0
    source.write_text(text.replace("CALL", call).replace("SIDE", ""))
    assert "no matching function" in clang(source, "-fsyntax-only", host=True).err


@pytest.mark.parametrize("value", ["1l", "1ll", "1ul", "make_float2(1, 2)"])
def test_conversions_that_hip_refuses(value: str, tmp_path: Path) -> None:
    source = tmp_path / "a.hip"
    kind = "__hip_bfloat162" if "2" in value else "__hip_bfloat16"
    source.write_text(f"#include <hip/hip_bf16.h>\n__device__ {kind} f() {{ return {value}; }}\n")
    assert "conversion from" in clang(source, "-fsyntax-only").err


def test_one_type_does_not_bring_the_other(tmp_path: Path) -> None:
    for header, other in (("hip_bf16", "__half"), ("hip_bfloat16", "__hip_bfloat16"), ("hip_fp16", "__hip_bfloat16")):
        source = tmp_path / f"{header}.hip"
        source.write_text(f"#include <hip/{header}.h>\n__device__ void f({other} *p) {{}}\n")
        assert f"unknown type name '{other}'" in clang(source, "-fsyntax-only").err
