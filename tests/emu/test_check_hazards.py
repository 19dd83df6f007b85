"""The check of matrix hazards: every rule one wait state short and just right; what clang compiles is silent, and
one wait state less in any of its s_nops before a dependent instruction is found.

The numbers are those of LLVM's hazard recogniser and of rocRoller.
"""

from __future__ import annotations

import functools
import re
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from families import family

from porter.emu.device import Check, FaultKind, Finding, Module, allow, forbid
from porter.emu.image import build_image
from porter.emu.table import DWORDS, instructions
from porter.toolchain import device_assembly

KERNELS = Path(__file__).parent / "kernels"

HEAD = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.text
\t.globl pairs
\t.type pairs,@function
pairs:
\t.file 1 "pairs.s"
\ts_mov_b64 exec, 0
"""
TAIL = """\ts_endpgm
\t.section .rodata,"a",@progbits
\t.amdhsa_kernel pairs
\t\t.amdhsa_next_free_vgpr 512
\t\t.amdhsa_accum_offset 256
\t.end_amdhsa_kernel
\t.text
\t.set pairs.num_vgpr, 256
\t.set pairs.num_agpr, 256
"""


def wait(states: int) -> list[str]:
    return [f"\ts_nop {min(16, states - at) - 1}" for at in range(0, states, 16)]


def findings_of(pairs: list[tuple[str, list[str], str]]) -> dict[int, Finding]:
    """The findings of pairs of instructions with something between, by the pair's number. No lane is active, so that
    memory instructions touch nothing."""
    by_pair: dict[int, Finding] = {}
    for start in range(0, len(pairs), 200):
        lines = []
        for number, (first, between, second) in enumerate(pairs[start : start + 200], 1):
            lines += [f"\t.loc 1 {number} 0", "\t" + first, *between, "\t" + second, *wait(32)]
        with Module(build_image(HEAD + "\n".join(lines) + "\n" + TAIL)) as module:
            done = module.launch("pairs", 1, 64, b"", checks=(Check.HAZARD,))
        assert not done.faulted
        assert {finding.kind for finding in done.findings} <= {FaultKind.MFMA_HAZARD}
        assert len({finding.line for finding in done.findings}) == len(done.findings)
        by_pair |= {start + finding.line - 1: finding for finding in done.findings}
    return by_pair


# ---- rules ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rule:
    what: str
    first: str
    second: str
    states: int

    def __str__(self) -> str:
        return self.what


# Passes of each instruction, by AMD's matrix instruction calculator (--architecture cdna3 --detail-instruction)
PASSES = {
    2: "f32_4x4x1_16b_f32 f32_4x4x4_16b_f16 f32_4x4x4_16b_bf16 i32_4x4x4_16b_i8",
    4: "f32_16x16x8_xf32 f32_16x16x16_f16 f32_16x16x16_bf16 i32_16x16x32_i8 f64_4x4x4_4b_f64 f32_16x16x32_bf8_bf8 "
    "f32_16x16x32_bf8_fp8 f32_16x16x32_fp8_bf8 f32_16x16x32_fp8_fp8",
    8: "f32_32x32x4_xf32 f32_16x16x1_4b_f32 f32_16x16x4_f32 f32_16x16x4_4b_f16 f32_32x32x8_f16 i32_16x16x4_4b_i8 "
    "i32_32x32x16_i8 f32_16x16x4_4b_bf16 f32_32x32x8_bf16 f64_16x16x4_f64 f32_32x32x16_bf8_bf8 f32_32x32x16_bf8_fp8 "
    "f32_32x32x16_fp8_bf8 f32_32x32x16_fp8_fp8",
    16: "f32_32x32x1_2b_f32 f32_32x32x2_f32 f32_32x32x4_2b_f16 i32_32x32x4_2b_i8 f32_32x32x4_2b_bf16",
}
PASSES_SPARSE = {
    4: "f32_16x16x32_f16 f32_16x16x32_bf16 i32_16x16x64_i8 f32_16x16x64_bf8_bf8 f32_16x16x64_bf8_fp8 "
    "f32_16x16x64_fp8_bf8 f32_16x16x64_fp8_fp8",
    8: "f32_32x32x16_f16 f32_32x32x16_bf16 i32_32x32x32_i8 f32_32x32x32_bf8_bf8 f32_32x32x32_bf8_fp8 "
    "f32_32x32x32_fp8_bf8 f32_32x32x32_fp8_fp8",
}
BY_NAME = {"v_mfma_" + name: n for n, names in PASSES.items() for name in names.split()} | {
    "v_smfmac_" + name: n for n, names in PASSES_SPARSE.items() for name in names.split()
}

# One of each kind and length
XDL = {
    2: "v_mfma_f32_4x4x4_16b_f16", 4: "v_mfma_f32_16x16x16_f16", 8: "v_mfma_f32_32x32x8_f16",
    16: "v_mfma_f32_32x32x4_2b_f16",
}  # fmt: skip
F32 = {2: "v_mfma_f32_4x4x1_16b_f32", 8: "v_mfma_f32_16x16x4_f32", 16: "v_mfma_f32_32x32x2_f32"}
F64 = {4: "v_mfma_f64_4x4x4_4b_f64", 8: "v_mfma_f64_16x16x4_f64"}


def span(first: int, count: int, letter: str = "v") -> str:
    return f"{letter}{first}" if count == 1 else f"{letter}[{first}:{first + count - 1}]"


def width(name: str) -> int:
    return DWORDS[instructions()[name].outs[0]]


def matrix(name: str, d: int = 64, a: int = 2, b: int = 8, c: int | None = None, letter: str = "v") -> str:
    row = instructions()[name]
    out = span(d, width(name), letter)
    last = span(16, 1) if "+" in row.ins else "0" if c is None else span(c, width(name), letter)
    return f"{name} {out}, {span(a, DWORDS[row.ins[0]])}, {span(b, DWORDS[row.ins[1]])}, {last}"


def kind_of(name: str) -> str:
    """How long after its passes the result is there, by its kind."""
    return "f64" if name.endswith("f64") else "f32" if re.search(r"\d_?(?:\d+b_)?f32$", name) else "xdl"


def ready(name: str, passes: int) -> int:
    return {"xdl": passes + 3, "f32": passes + 2, "f64": {4: 6, 8: 11}.get(passes, 0)}[kind_of(name)]


def stored(name: str, passes: int) -> int:
    return {4: 9, 8: 18}[passes] if kind_of(name) == "f64" else ready(name, passes)


def rules() -> list[Rule]:
    all_rules: list[Rule] = []

    def add(what: str, first: str, second: str, states: int) -> None:
        all_rules.append(Rule(what, first, second, states))

    for passes, name in [*XDL.items(), *F32.items(), *F64.items(), (4, "v_smfmac_f32_16x16x32_f16")]:
        first, last, after = matrix(name), 64 + width(name) - 1, ready(name, passes)
        add(f"{name}, vector read", first, f"v_add_u32_e32 v10, 1, v{last}", after)
        add(f"{name}, vector write", first, "v_mov_b32_e32 v64, 0", after)
        add(f"{name}, LDS load", first, "ds_read_b32 v64, v0", after)
        add(f"{name}, global store", first, f"global_store_dword v[0:1], v{last}, off", stored(name, passes))
        add(f"{name}, address", first, f"global_load_dword v10, v{last}, s[2:3]", stored(name, passes))
        add(f"{name}, flat store", first, f"flat_store_dword v[0:1], v{last}", stored(name, passes))
        add(f"{name}, buffer store", first, f"buffer_store_dword v{last}, off, s[0:3], 0", stored(name, passes))
        add(f"{name}, LDS store", first, f"ds_write_b32 v0, v{last}", stored(name, passes))
        add(f"{name}, LDS address", first, f"ds_read_b32 v10, v{last}", stored(name, passes))
        for other in (XDL[4], F32[8], F64[8]):
            add(f"{name}, A of {other}", first, matrix(other, d=128, a=64), after)
            add(f"{name}, B of {other}", first, matrix(other, d=128, b=64), after)
            # C that shares some registers, but is not just the result
            part = matrix(other, d=128, c=62)
            states = {
                "xdl": passes + 1, "f32": passes, "f64": {4: 4, 8: 9}.get(passes, 0)
            }[kind_of(name)]  # fmt: skip
            add(
                f"{name}, part of C of {other}",
                first,
                part,
                0 if other == XDL[4] and kind_of(name) != "xdl" else states,
            )
        same = 2 if passes == 2 else 4 if name == F64[4] else 0
        add(f"{name}, C of itself", first, matrix(name, c=64), same)
        add(f"{name}, C of itself, another result", first, matrix(name, d=128, c=64), same)
        add(f"{name}, overwritten by itself", first, matrix(name), same if "smfmac" in name else 0)
        if "smfmac" not in name:
            reads_c = matrix(name, d=128, c=64)
            add(
                f"{name} reads C, vector write",
                reads_c,
                f"v_mov_b32_e32 v{last}, 0",
                passes - 1 if name in XDL.values() else 0,
            )
            add(
                f"{name} reads C, LDS load",
                reads_c,
                f"ds_read_b32 v{last}, v0",
                passes - 1 if name in XDL.values() else 0,
            )
            add(f"{name} reads A, vector write", matrix(name), "v_mov_b32_e32 v2, 0", 0)
            # accumulation registers
            there = matrix(name, d=64, letter="a")
            add(f"{name}, accumulator read", there, f"v_accvgpr_read_b32 v10, a{last}", after)
            add(f"{name}, accumulator write", there, f"v_accvgpr_write_b32 a{last}, v1", after)
            add(f"{name}, accumulator stored", there, f"global_store_dword v[0:1], a{last}, off", stored(name, passes))
            add(f"{name}, vector register of that number", there, f"v_mov_b32_e32 v10, v{last}", 0)
        add(f"vector write, A of {name}", "v_mov_b32_e32 v2, 0", matrix(name), 2)
        add(f"vector write, B of {name}", "v_mov_b32_e32 v8, 0", matrix(name), 2)
        add(f"v_cmpx, {name}", "v_cmpx_eq_u32_e32 vcc, v0, v1", matrix(name), 4)
        if "smfmac" not in name:
            add(f"vector write, C of {name}", "v_mov_b32_e32 v64, 0", matrix(name, d=128, c=64), 2)
            add(
                f"accumulator write, C of {name}",
                "v_accvgpr_write_b32 a64, v1",
                matrix(name, d=128, c=64, letter="a"),
                2,
            )
    sparse = "v_smfmac_f32_16x16x32_f16"
    add("index of a sparse product", matrix(XDL[4], d=16), matrix(sparse, d=128), 7)
    add("vector write, index of a sparse product", "v_mov_b32_e32 v16, 0", matrix(sparse), 2)
    add("vector write, sum of a sparse product", "v_mov_b32_e32 v64, 0", matrix(sparse), 2)
    for name in F64.values():
        add(f"{name}, unrelated v_fma_f64", matrix(name), "v_fma_f64 v[20:21], v[22:23], v[24:25], v[26:27]", 2)
        add(f"{name}, unrelated v_fmac_f64", matrix(name), "v_fmac_f64_e32 v[20:21], v[22:23], v[24:25]", 2)
        add(f"{name}, unrelated v_add_f64", matrix(name), "v_add_f64 v[20:21], v[22:23], v[24:25]", 0)
    dot = "v_dot2_f32_f16 v64, v2, v3, v4"
    add("dot product, vector read", dot, "v_mov_b32_e32 v10, v64", 3)
    add("dot product, vector write", dot, "v_mov_b32_e32 v64, v10", 3)
    add("dot product, store", dot, "ds_write_b32 v0, v64", 3)
    add("dot product, A of the same", dot, "v_dot2_f32_f16 v65, v64, v3, v4", 3)
    add("dot product, C of the same", dot, "v_dot2_f32_f16 v65, v2, v3, v64", 0)
    add("dot product, C of another", dot, "v_dot4_i32_i8 v65, v2, v3, v64", 3)
    add("dot product, overwritten by the same", dot, "v_dot2_f32_f16 v64, v2, v3, v4", 0)
    add("dot product, its old value", "v_dot2c_f32_f16_e32 v64, v2, v3", "v_dot2c_f32_f16_e32 v64, v2, v3", 0)
    add("dot product, A of a matrix product", dot, matrix(XDL[4], d=128, a=64), 0)
    add("vector write, vector read", "v_mov_b32_e32 v64, 0", "v_mov_b32_e32 v10, v64", 0)
    add("load, A of a matrix product", "ds_read_b32 v2, v0", matrix(XDL[4]), 0)
    return all_rules


RULES = rules()


@functools.cache
def run_rules() -> dict[int, Finding]:
    pairs = []
    for rule in RULES:
        pairs.append((rule.first, wait(rule.states), rule.second))
        pairs.append((rule.first, wait(max(rule.states - 1, 0)), rule.second))
        pairs.append((rule.first, [], rule.second))
    return findings_of(pairs)


@family("number", range(len(RULES)), ids=lambda number: RULES[number])
def test_rule(number: int) -> None:
    rule, by_pair = RULES[number], run_rules()
    enough, short, none = (by_pair.get(3 * number + k) for k in range(3))
    assert enough is None
    if rule.states == 0:
        return
    for finding, missing in ((short, 1), (none, rule.states)):
        assert finding is not None
        assert finding.size == missing
        assert finding.count == 1
        assert finding.instruction.split()[0] == rule.second.split()[0]
        assert finding.other.split()[0] == rule.first.split()[0]


def test_passes_of_every_matrix_instruction() -> None:
    wanted: list[int] = []
    pairs: list[tuple[str, list[str], str]] = []
    names = [row.name for row in instructions().values() if row.family == "mfma"]
    for name in names:
        semantics = instructions()[name].semantics.split()
        original = semantics[2].removeprefix("op_") if "mfma_alias" in semantics else name
        wanted.append(ready(original, BY_NAME[original]))
        pairs.append((matrix(name), [], f"v_mov_b32_e32 v10, v{64 + width(name) - 1}"))
    by_pair = findings_of(pairs)
    assert {name: by_pair[at].size for at, name in enumerate(names)} == dict(zip(names, wanted, strict=True))


def test_what_stands_between_counts_one_each() -> None:
    first, second = matrix(XDL[8]), "v_mov_b32_e32 v10, v64"
    between = ["\tv_mov_b32_e32 v20, 0", "\ts_mov_b32 s8, 0", "\tds_read_b32 v21, v0", f"\t{matrix(XDL[16], d=128)}"]
    by_pair = findings_of(
        [(first, between[:n], second) for n in range(5)] + [(first, [*between, "\ts_nop 0x6"], second)]
    )
    assert {at: finding.size for at, finding in by_pair.items()} == {n: 11 - n for n in range(5)}


def test_two_results_are_two_findings() -> None:
    """An instruction that uses two results names both; of one that it uses twice it says the larger lack."""
    lines = [matrix(XDL[8]), matrix(XDL[4], d=128), "v_add_u32_e32 v64, v64, v128"]
    body = "".join(f"\t{line}\n" for line in lines)
    with Module(build_image(HEAD + body + TAIL)) as module:
        done = module.launch("pairs", 1, 64, b"", checks=(Check.HAZARD,))
    assert {(finding.other.split()[0], finding.size) for finding in done.findings} == {(XDL[8], 10), (XDL[4], 7)}
    assert len(done.findings) == 2


def test_an_overwritten_result_is_no_longer_waited_for() -> None:
    first = matrix(XDL[16])
    by_pair = findings_of([(first, [*wait(19), "\tv_mov_b32_e32 v64, 0"], matrix(XDL[4], d=128, c=64))])
    assert by_pair[0].other.startswith("v_mov_b32")
    assert by_pair[0].size == 2


# ---- a program that has but one ----------------------------------------------------------------------------------

# Programs in which no way brings two dependent instructions too near are not looked at while they run.


def only_findings(lines: list[str]) -> list[tuple[str, str, int]]:
    body = "".join(f"{line}\n" if line.endswith(":") else f"\t{line.strip()}\n" for line in lines)
    with Module(build_image(HEAD + body + TAIL)) as module:
        done = module.launch("pairs", 1, 64, b"", checks=(Check.HAZARD,))
    return [(finding.instruction.split()[0], finding.other.split()[0], finding.size) for finding in done.findings]


@family("rule", [rule for rule in RULES if rule.states][::5], ids=str)
def test_a_pair_alone(rule: Rule) -> None:
    wanted = (rule.second.split()[0], rule.first.split()[0], 1)
    assert only_findings([rule.first, *wait(rule.states - 1), rule.second]) == [wanted]
    assert only_findings([rule.first, *wait(rule.states), rule.second]) == []


@pytest.mark.parametrize(("states", "missing"), [(8, 2), (9, 1), (10, 0)])
def test_a_pair_that_a_loop_brings_together(states: int, missing: int) -> None:
    first, second = matrix(XDL[8]), "v_mov_b32_e32 v10, v64"
    loop = ["s_mov_b32 s8, 2", "again:", second, "s_sub_u32 s8, s8, 1", "s_cmp_lg_u32 s8, 0", first]
    seen = only_findings([*loop, *wait(states), "s_cbranch_scc1 again"])  # the branch is a wait state too
    assert seen == ([(second.split()[0], first.split()[0], missing)] if missing else [])


@pytest.mark.parametrize(("states", "missing"), [(8, 2), (9, 1), (10, 0)])
@pytest.mark.parametrize("branch", ["s_branch there", "s_cbranch_scc0 there"])
def test_a_pair_that_a_branch_brings_together(branch: str, states: int, missing: int) -> None:
    first, second = matrix(XDL[8]), "v_mov_b32_e32 v10, v64"
    between = [*wait(30), "v_mov_b32_e32 v11, 0", *wait(30)]
    seen = only_findings(["s_cmp_lg_u32 0, 0", first, *wait(states), branch, *between, "there:", second])
    assert seen == ([(second.split()[0], first.split()[0], missing)] if missing else [])


# ---- what compilers make --------------------------------------------------------------------------------------------

NAMES = ["halves", "small", "bytes", "chained", "doubles", "small_doubles", "sparse", "many"]


@pytest.fixture(scope="module")
def compiled() -> str:
    return device_assembly(KERNELS / "matrix_uses.hip").read_text()


def run(assembly: str, kernel: str) -> tuple[Finding, ...]:
    data, out = np.ones(1 << 14, dtype=np.float32), np.zeros(1 << 16, dtype=np.float32)
    for array in (data, out):
        allow(array.ctypes.data, array.nbytes)
    try:
        with Module(build_image(assembly)) as module:
            arguments = struct.pack("<QQ", out.ctypes.data, data.ctypes.data)
            done = module.launch(kernel, 1, 64, arguments, checks=(Check.HAZARD,))
    finally:
        for array in (data, out):
            forbid(array.ctypes.data)
    assert not done.faulted
    return done.findings


def test_the_kernels_use_what_they_are_for(compiled: str) -> None:
    for name in ("f32_16x16x16_f16", "fp8_bf8", "f64_16x16x4", "f64_4x4x4", "v_smfmac", "32x32x4_2b"):
        assert name in compiled
    assert re.search(r"v_mfma_f32_32x32x4_2b_f16 .*\ba\[", compiled)


@pytest.mark.parametrize("kernel", NAMES)
def test_compiled_kernels_have_no_hazards(compiled: str, kernel: str) -> None:
    assert run(compiled, kernel) == ()


REGISTERS = re.compile(r"\b([va])(?:(\d+)|\[(\d+):(\d+)\])")


def registers(text: str) -> set[str]:
    return {
        register[1] + str(n)
        for register in REGISTERS.finditer(text)
        for n in range(int(register[2] or register[3]), int(register[2] or register[4]) + 1)
    }


def nops_after_products(lines: list[str]) -> list[int]:
    """Where an s_nop stands between a matrix instruction and one that uses its result."""
    nops, code = [], [n for n, line in enumerate(lines) if re.match(r"\t[vsgdbf]\w*_\w+", line)]
    for at, number in enumerate(code):
        following = [lines[n] for n in code[at + 1 : at + 3] if not lines[n].startswith("\ts_nop")]
        if not lines[number].startswith("\ts_nop") or not following:
            continue
        products = [lines[n] for n in code[max(at - 6, 0) : at] if "mfma" in lines[n]]
        results = set().union(*(registers(line.split(",")[0]) for line in products)) if products else set()
        if registers(following[0]) & results:
            nops.append(number)
    return nops


def shortened(lines: list[str], number: int) -> str:
    states = int(lines[number].split()[1])
    less = f"\ts_nop {states - 1}" if states else ""
    return "\n".join([*lines[:number], less, *lines[number + 1 :]])


@pytest.mark.parametrize("kernel", NAMES)
def test_every_nop_of_compiled_kernels_is_needed(compiled: str, kernel: str) -> None:
    lines = compiled.split("\n")
    begin = next(n for n, line in enumerate(lines) if line.startswith(f"{kernel}:"))
    end = next(n for n in range(begin, len(lines)) if "s_endpgm" in lines[n])
    numbers = [number for number in nops_after_products(lines) if begin < number < end]
    assert numbers
    for number in numbers:
        findings = run(shortened(lines, number), kernel)
        assert findings, f"{kernel}: {lines[number]} in line {number + 1}"
        assert {finding.size for finding in findings} == {1}
