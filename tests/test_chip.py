"""What is true of a chip is said in porter/chip.py alone, and everybody else reads it there."""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import replace
from pathlib import Path

import pytest

from porter.chip import CHIPS, DEFAULT_CHIP, EMULATED, GFX942, SCHEDULED, WAVE, Board
from porter.emu.headers import chip_header
from porter.harness.timing.throughput import peak_of
from porter.paths import PACKAGE, RUNTIME_INCLUDE

PYTHON = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "chip.py")
C = sorted(path for folder in ("core", "host") for path in (PACKAGE / "emu" / folder).rglob("*.*"))

# Numbers that are facts of a chip where they stand alone. What else they are is named, by file.
NUMBERS = {65536, 64 << 10, 512, 1024, 304, 9402}
OTHERS = {
    "frontend/libclang.py": "KEEP_GOING = 0x200",
    "harness/running/devices.py": "GUARD = 512",
    "harness/running/golden.py": "LIMIT = 64 << 10",
    "emu/elf/modifier_text.py": "{0x130: 'wave_shl:1'}",
    "emu/elf/operand_text.py": "ACCUMULATOR = 512",
    "emu/image.py": "('system_sgpr_workgroup_id_y', 512), ('system_sgpr_workgroup_id_z', 1024)",
    "emu/modifiers.py": "{'wave_shl': 0x130}",
    "emu/registers.py": "COMPARE = 512; SELECT = 1024",
    "emu/device.py": "create_string_buffer(512)",
    "budget/problem.py": "_ALIGNMENT = 1024",
    "passes/hopper/dynamic_shared.py": "int(text) % 1024",
    "native/machine/values.py": "lru_cache(maxsize=1024)",
    "native/machine/constants.py": "// 1024 * 1024",
    "native/recognise/instantiations.py": "(128, 256, 384, 512, 64)",
    "native/recognise/recognise.py": "{'M': 512, 'N': 768, 'K': 128}; {'M': 768, 'N': 1280, 'K': 1024}",
    "native/recognise/tile_counts.py": "{'M': 512, 'N': 768, 'K': 128}",
}
C_NUMBER = re.compile(r"(?<![\w.])(?:65536|512|1024|304|0x10000|64 \* 1024|64 << 10)u?(?![\w.])")
C_OTHERS = {
    "core/check_counts.c": "#define PATTERNS 512",
    "core/check_races_global.c": "#define NEAR_PAGES 1024",
    "core/check_streams.c": "#define FIRST_SLOTS 1024",
    "core/image.h": "SYS_GROUP_Y = 512, SYS_GROUP_Z = 1024; ROLE_COMPARE = 512, ROLE_SELECT = 1024; UNIT_F32 = 512, UNIT_F64 = 1024",
    "core/operand.c": "wide(kind) ? 512 : 256",
    "host/memory/allocations.cpp": "ZONE = 1024",
    "host/devices/device.cpp": "stack = 1024",
    "host/devices/device_properties.cpp": "p->maxGridSize[1] = p->maxGridSize[2] = 65536",
    "host/rccl/elements.cpp": "(float)(1024 + mantissa)",
    "host/launches/launch.cpp": "SEGMENT = 65536",
    "host/memory/memory.cpp": "line[512]",
    "host/programs/programs.cpp": "why[512]; buffer[65536]",
}


# Where nobody has named a chip yet: the command line, and the options of a conversion, a compilation and a report.
EDGES = {
    "cli/app.py",
    "cli/compile_options.py",
    "cli/convert_request.py",
    "cli/doctor.py",
    "frontend/unit.py",
    "findings.py",
    "toolchain/build.py",
    "toolchain/check.py",
}

_INTEGER = re.compile(
    r"(?<![\w.])(?:0[xX][\da-fA-F]+(?:_[\da-fA-F]+)*|0[bB][01_]+[01]|0[oO][0-7]+|\d+(?:_\d+)*)(?![\w.])"
)
_TARGET = re.compile(r"gfx942|MI300")


def named(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def c_named(path: Path) -> str:
    return str(path.relative_to(PACKAGE / "emu"))


@functools.cache
def source(path: Path) -> str:
    return path.read_text("utf-8")


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(source(path))


def literals(tree: ast.AST, kind: type) -> list[ast.Constant]:
    """Without the docstrings."""
    nodes = list(ast.walk(tree))
    said = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [node for node in nodes if isinstance(node, ast.Constant) and type(node.value) is kind and id(node) not in said]  # fmt: skip


def numbers(tree: ast.AST) -> list[int]:
    """Those of NUMBERS among the literal ones, and 64 << 10 and 64 * 1024 as what they come to."""
    shifts = [n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and isinstance(n.op, (ast.LShift, ast.Mult))]
    made = [ast.unparse(n) for n in shifts]
    values = [n.value for n in literals(tree, int)] + [65536 for text in made if text in ("64 << 10", "64 * 1024")]
    return sorted(number for number in values if number in NUMBERS)


def may_have_numbers(text: str) -> bool:
    return (
        any(_value(word) in NUMBERS for word in _INTEGER.findall(text)) or re.search(r"64\s*<<\s*10", text) is not None
    )


def _value(word: str) -> int:
    return int(word, 0) if word.strip("0_") and (word[0] != "0" or word[1:2] in "xXbBoO") else 0


def test_no_module_names_the_target() -> None:
    """Not even in a message: with a second chip that would be wrong."""
    suspects = [path for path in PYTHON if _TARGET.search(source(path))]
    naming = [(path, node) for path in suspects for node in literals(tree(path), str) if _TARGET.search(node.value)]
    assert not [f"{named(path)}:{node.lineno}: {node.value}" for path, node in naming]


def test_no_module_has_a_number_of_its_own() -> None:
    wrong = []
    for path in PYTHON:
        known = numbers(ast.parse(_statements(OTHERS.get(named(path), ""))))
        present = numbers(tree(path)) if may_have_numbers(source(path)) else []
        if present != known:
            lines = [
                f"{node.value} in line {node.lineno}" for node in literals(tree(path), int) if node.value in NUMBERS
            ]
            wrong.append(f"{named(path)} has {', '.join(lines)}; known are {known}")
    assert not wrong


def _statements(text: str) -> str:
    return f"_ {text}" if text.startswith("//") else text


def test_the_emulator_has_no_number_of_its_own() -> None:
    wrong = []
    for path in C:
        known = C_NUMBER.findall(C_OTHERS.get(c_named(path), ""))
        lines = [re.sub(r"//.*", "", line) for line in source(path).splitlines()]
        hits = [(number, hit) for number, line in enumerate(lines, 1) for hit in C_NUMBER.findall(line)]
        if sorted(hit for _, hit in hits) != sorted(known):
            wrong.append(
                f"{c_named(path)} has {', '.join(f'{hit} in line {number}' for number, hit in hits)}; known are {known}"
            )
        named_in = [number for number, line in enumerate(lines, 1) if re.search(r"gfx942|MI300|\b9402\b", line)]
        wrong += [f"{c_named(path)}:{number} names the target" for number in named_in]
    assert not wrong


def test_the_default_chip_stands_at_the_edges_alone() -> None:
    """Whatever is behind them is told its chip: else --target builds for another one."""
    lines = [
        f"{named(path)}:{number}"
        for path in PYTHON
        if named(path) not in EDGES and "DEFAULT_CHIP" in source(path)
        for number, line in enumerate(source(path).splitlines(), 1)
        if "DEFAULT_CHIP" in line
    ]
    assert not lines
    assert all("DEFAULT_CHIP" in source(PACKAGE / edge) for edge in EDGES)


def test_the_exceptions_are_there() -> None:
    assert {named(path) for path in PYTHON} >= OTHERS.keys()
    assert {c_named(path) for path in C} >= C_OTHERS.keys()


def test_rows() -> None:
    for target, chip in CHIPS.items():
        assert chip.target == target and chip.boards and chip.wave * chip.max_group_waves == chip.max_threads
        assert chip.compute_units % chip.xcds == 0 and chip.wave == WAVE
        for lanes in (chip.lds_read_b128[:4], chip.lds_read_b128[4:]):
            assert len({lane for row in lanes for lane in row}) == chip.wave // 2
    assert all(CHIPS[chip.target] is chip for chip in (DEFAULT_CHIP, EMULATED, *SCHEDULED))


@pytest.mark.parametrize(
    "vgprs, agprs, waves",
    [(0, 0, 8), (1, 0, 8), (64, 0, 8), (65, 0, 7), (72, 0, 7), (80, 0, 6), (96, 0, 5), (128, 0, 4), (168, 0, 3), (169, 0, 2),
     (256, 0, 2), (256, 256, 1), (30, 32, 8), (61, 4, 7), (1, 252, 2)],
)  # fmt: skip
def test_waves(vgprs: int, agprs: int, waves: int) -> None:
    """LLVM's rule: registers in granules of 8 out of 512, accumulation registers from a multiple of 4 on."""
    assert GFX942.waves_per_simd(vgprs, agprs) == waves


@pytest.mark.parametrize("threads, registers", [(64, 512), (256, 512), (257, 256), (512, 256), (768, 168), (1024, 128)])
def test_registers(threads: int, registers: int) -> None:
    assert GFX942.registers_for(threads) == registers


def test_peaks_are_those_of_the_data_sheets() -> None:
    """AMD Instinct MI300X data sheet: peak half, fp8, single (vector), double (matrix) and memory."""
    peak = peak_of("AMD Instinct MI300X")
    assert peak is not None
    kinds = ("float16", "bfloat16", "float8_e4m3fnuz", "float32", "float64")
    assert [peak.tflops[kind] for kind in kinds] == [1307.4, 1307.4, 2614.9, 163.4, 163.4]
    assert (peak.gbs, peak.cache) == (5300, 256 << 20)


def test_the_header_has_the_row() -> None:
    other = replace(
        GFX942, target="gfx950", lds_bytes=160 << 10, lds_banks=64, fp8="ocp", boards=(Board("MI350X", 8000),)
    )
    text = chip_header(other)
    for line in ('TARGET "gfx950"', 'BOARD "MI350X"', "LDS_BYTES 163840", "LDS_BANKS 64", "FP8_FNUZ 0", "WAVE 64"):
        assert f"#define CHIP_{line}\n" in text
    assert "{{0, 1, 2, 3, 20, 21, 22, 23}, {4, " in text


def test_the_native_product_is_tuned_for_the_row() -> None:
    """porter/gemm.h is device code that a port may own: it has the numbers of its chip itself."""
    text = (RUNTIME_INCLUDE / "porter" / "gemm.h").read_text("utf-8")
    assert f"constexpr int kComputeUnits = {GFX942.compute_units}, kXcds = {GFX942.xcds};" in text
