"""What is true of a chip is said in porter/chip.py alone, and everybody else reads it there."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

import pytest

from porter.chip import CHIPS, DEFAULT_CHIP, GFX942, Board
from porter.emu.headers import chip_header
from porter.harness.timing.throughput import peak_of
from porter.paths import PACKAGE, RUNTIME_INCLUDE

PYTHON = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "chip.py")
C = sorted(path for folder in ("core", "host") for path in (PACKAGE / "emu" / folder).iterdir())

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


def docstrings(tree: ast.AST) -> set[int]:
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }


def literals(tree: ast.AST, kind: type) -> list[ast.Constant]:
    said = docstrings(tree)
    return [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is kind and id(node) not in said]  # fmt: skip


def numbers(tree: ast.AST) -> list[int]:
    """The literal numbers, and 64 << 10 and 64 * 1024 as what they come to."""
    shifts = [n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and isinstance(n.op, (ast.LShift, ast.Mult))]
    made = [ast.unparse(n) for n in shifts]
    return [n.value for n in literals(tree, int)] + [65536 for text in made if text in ("64 << 10", "64 * 1024")]


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_names_the_target(path) -> None:
    """Not even in a message: with a second chip that would be wrong."""
    named = [
        node for node in literals(ast.parse(path.read_text("utf-8")), str) if re.search(r"gfx942|MI300", node.value)
    ]
    assert not [f"line {node.lineno}: {node.value}" for node in named]


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_has_a_number_of_its_own(path) -> None:
    found = sorted(number for number in numbers(ast.parse(path.read_text("utf-8"))) if number in NUMBERS)
    known = ast.parse(_statements(OTHERS.get(str(path.relative_to(PACKAGE)), "")))
    assert found == sorted(number for number in numbers(known) if number in NUMBERS)


def _statements(text: str) -> str:
    return f"_ {text}" if text.startswith("//") else text


@pytest.mark.parametrize("path", C, ids=lambda path: path.name)
def test_the_emulator_has_no_number_of_its_own(path) -> None:
    code = re.sub(r"//[^\n]*", "", path.read_text())
    known = C_OTHERS.get(f"{path.parent.name}/{path.name}", "")
    assert sorted(C_NUMBER.findall(code)) == sorted(C_NUMBER.findall(known))
    assert not re.search(r"gfx942|MI300|\b9402\b", code)


def test_the_exceptions_are_there() -> None:
    assert {str(path.relative_to(PACKAGE)) for path in PYTHON} >= OTHERS.keys()
    assert {f"{path.parent.name}/{path.name}" for path in C} >= C_OTHERS.keys()


def test_rows() -> None:
    for target, chip in CHIPS.items():
        assert chip.target == target and chip.boards and chip.wave * chip.max_group_waves == chip.max_threads
        assert chip.compute_units % chip.xcds == 0
        for lanes in (chip.lds_read_b128[:4], chip.lds_read_b128[4:]):
            assert len({lane for row in lanes for lane in row}) == chip.wave // 2
    assert CHIPS[DEFAULT_CHIP.target] is DEFAULT_CHIP


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
    assert re.findall(r"constexpr int (kComputeUnits|kXcds) = (\d+);", text) == [
        ("kComputeUnits", str(GFX942.compute_units)),
        ("kXcds", str(GFX942.xcds)),
    ]
