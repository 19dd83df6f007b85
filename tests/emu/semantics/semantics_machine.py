"""Runs one instruction on many values at once: its text in a kernel that loads the sources and stores the results."""

from __future__ import annotations

import functools
import itertools
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from porter.emu.device import Module, allow, forbid
from porter.emu.image import build_image
from porter.emu.table import DWORDS, Instruction, instructions

__all__ = [
    "ALL",
    "DTYPES",
    "MODE",
    "SCALAR",
    "VECTOR",
    "Run",
    "kind_of",
    "literal",
    "prepare",
    "result_words",
    "rows_of",
    "run_scalar",
    "run_text",
    "run_vector",
    "scalar_text",
    "text_of",
]

ALL = (1 << 64) - 1
MODE = 0x3F0  # denormals kept, DX10 clamp, IEEE
VECTOR = (
    "valu_integer", "valu_lanes", "valu_half", "valu_float", "valu_double", "valu_convert", "valu_packed",
    "valu_compare_float", "valu_compare_integer",
)  # fmt: skip
SCALAR = ("scalar", "scalar_compare")

DTYPES = {
    "u32": np.uint32, "i32": np.int32, "f32": np.float32, "b32": np.uint32, "u64": np.uint64, "i64": np.int64,
    "f64": np.float64, "u16": np.uint16, "i16": np.int16, "f16": np.float16, "pk": np.uint32, "pkf": np.uint32,
    "pkf32": np.uint64, "mix": np.float32, "mask": np.bool_, "vcc": np.bool_, "scc": np.bool_, "exec": np.uint64,
    "imm": np.int64, "u8": np.uint8,
}  # fmt: skip
_LITERALS = {"v_fmamk_f32": (1, 0x40490FDB), "v_fmaak_f32": (2, 0xC0490FDB), "v_madmk_f16": (1, 0x4248), "v_madak_f16": (2, 0xC248)}  # fmt: skip
_ACCUMULATORS = {"v_accvgpr_write_b32": "a40", "v_accvgpr_write": "a40", "v_accvgpr_mov_b32": "a40"}


def rows_of(families: Sequence[str]) -> list[Instruction]:
    return [row for row in instructions().values() if row.family in families]


def kind_of(row: Instruction, j: int) -> str:
    """The type of source j; `+` has that of the destination."""
    kind = row.ins[j] if row.ins[j] != "+" else row.outs[0]
    return kind.removesuffix("+")


def literal(row: Instruction) -> tuple[int, int] | None:
    return _LITERALS.get(row.name)


def _span(letter: str, first: int, count: int) -> str:
    return f"{letter}{first}" if count == 1 else f"{letter}[{first}:{first + count - 1}]"


def _register(kind: str, j: int) -> str:
    return f"s[{20 + 2 * j}:{21 + 2 * j}]" if kind == "mask" else _span("v", 10 + 2 * j, DWORDS[kind])


def text_of(row: Instruction, sources: dict[int, str] | None = None, modifiers: str = "", suffix: str = "") -> str:
    """The instruction with source j in v[10+2j], the result in v40 and its mask in s[30:31]."""
    sources = sources or {}
    parts = []
    for kind in row.outs:
        if kind == "mask":
            parts.append("s[30:31]")
        elif kind not in ("vcc", "exec"):
            parts.append("a40" if row.name in _ACCUMULATORS else _span("v", 40, DWORDS[kind]))
    fixed = literal(row)
    for j, kind in enumerate(row.ins):
        if kind in ("+", "vcc", "exec"):
            continue
        if fixed and fixed[0] == j:
            parts.append(hex(fixed[1]))
        elif row.name.startswith(("v_accvgpr_read", "v_accvgpr_mov")):
            parts.append("a10")
        else:
            parts.append(sources.get(j, _register(kind, j)))
    name = row.name.removesuffix(".clamp")
    clamp = "clamp" if row.name.endswith(".clamp") else ""
    return " ".join(part for part in (name + suffix, ", ".join(parts), clamp, modifiers) if part)


_counter = itertools.count()
_SOURCES: list[str] = []
_PENDING: dict[tuple[str, ...], str] = {}


def _descriptor(name: str) -> str:
    return f"""
	.section	.rodata,"a",@progbits
	.amdhsa_kernel {name}
		.amdhsa_kernarg_size 32
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_next_free_vgpr 64
		.amdhsa_accum_offset 64
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .name: {name}
    .agpr_count: 64
...
	.end_amdgpu_metadata
	.text
"""


def vector_kernel(name: str, row: Instruction, text: str) -> str:
    """A lane's record: its sources, then the old words of the destination; its result: the new ones, mask, EXEC."""
    lines = [
        f"{name}:", "s_load_dwordx4 s[4:7], s[0:1], 0x0", "s_load_dwordx4 s[8:11], s[0:1], 0x10",
        "s_lshl_b32 s2, s2, 6", "v_add_u32_e32 v0, s2, v0", f"s_movk_i32 s3, {4 * record_words(row)}",
        "v_mul_lo_u32 v1, v0, s3", "s_waitcnt lgkmcnt(0)",
    ]  # fmt: skip
    at = 0
    for j in range(len(row.ins)):
        kind = row.ins[j]
        if kind == "+":
            continue
        for n in range(max(DWORDS[kind], 1)):
            lines.append(f"global_load_dword v{10 + 2 * j + n}, v1, s[4:5] offset:{4 * at}")
            at += 1
    for n in range(result_words(row)):
        lines.append(f"global_load_dword v{40 + n}, v1, s[4:5] offset:{4 * (at + n)}")
    lines.append("s_waitcnt vmcnt(0)")
    for j, kind in enumerate(row.ins):
        if kind in ("mask", "vcc"):
            target = "vcc" if kind == "vcc" else f"s[{20 + 2 * j}:{21 + 2 * j}]"
            lines.append(f"v_cmp_ne_u32_e64 {target}, 0, v{10 + 2 * j}")
    if "accvgpr" in row.name:
        lines += ["v_accvgpr_write_b32 a10, v10", "v_accvgpr_write_b32 a40, v40"]
    lines += ["s_setreg_b32 hwreg(HW_REG_MODE), s10", "s_mov_b64 exec, s[8:9]", text, "s_mov_b64 s[34:35], exec"]
    lines.append("s_mov_b64 exec, -1")
    if row.name in _ACCUMULATORS:
        lines.append("v_accvgpr_read_b32 v40, a40")
    lines += [f"s_movk_i32 s3, {4 * (result_words(row) + 2)}", "v_mul_lo_u32 v1, v0, s3"]
    for n in range(result_words(row)):
        lines.append(f"global_store_dword v1, v{40 + n}, s[6:7] offset:{4 * n}")
    mask = "vcc" if "vcc" in row.outs else "s[30:31]"
    for n, register in enumerate((mask, "s[34:35]")):
        lines.append(f"v_cndmask_b32_e64 v60, 0, 1, {register}")
        lines.append(f"global_store_dword v1, v60, s[6:7] offset:{4 * (result_words(row) + n)}")
    return "\n\t".join([*lines, "s_endpgm"]) + _descriptor(name)


def result_words(row: Instruction) -> int:
    return sum(DWORDS[kind] for kind in row.outs)


def record_words(row: Instruction) -> int:
    return sum(max(DWORDS[kind], 1) for kind in row.ins if kind != "+") + result_words(row)


@functools.cache
def _module(kernels: tuple[tuple[str, str, str, bool], ...]) -> Module:
    table = instructions()
    parts = []
    for name, row, text, scalar in kernels:
        parts.append((scalar_kernel if scalar else vector_kernel)(name, table[row], text))
    return Module(build_image("\t.text\n" + "\n".join(parts)))


_KNOWN: dict[tuple[str, str, bool], tuple[str, tuple[tuple[str, str, str, bool], ...]]] = {}


def prepare(wanted: Sequence[tuple[str, str]], scalar: bool = False) -> None:
    """Puts the kernels of these (row, text) into one module; others get one of their own when they run."""
    kernels = tuple((f"k{next(_counter)}", row, text, scalar) for row, text in wanted)
    for name, row, text, _ in kernels:
        _KNOWN[row, text, scalar] = name, kernels


def _kernel(row: str, text: str, scalar: bool) -> tuple[Module, str]:
    if (row, text, scalar) not in _KNOWN:
        prepare([(row, text)], scalar)
    name, kernels = _KNOWN[row, text, scalar]
    return _module(kernels), name


@dataclass(frozen=True)
class Run:
    """What came out, lane by lane: the words of the destination, the bit of the mask, the bit of EXEC."""

    words: np.ndarray
    mask: np.ndarray
    exec: np.ndarray


def words_of(values: np.ndarray, kind: str) -> list[np.ndarray]:
    """The register words of typed values."""
    if values.dtype == np.bool_:
        return [values.astype(np.uint32)]
    bits = values.view(f"u{values.dtype.itemsize}").astype(np.uint64)
    return [(bits >> np.uint64(32 * n)).astype(np.uint32) for n in range(max(DWORDS.get(kind, 1), 1))]


def _launch(row: str, text: str, scalar: bool, record: np.ndarray, out: np.ndarray, groups: int, tail: bytes) -> None:
    module, name = _kernel(row, text, scalar)
    for array in (record, out):
        allow(array.ctypes.data, array.nbytes)
    try:
        done = module.launch(
            name, groups, 64, struct.pack("<QQ", record.ctypes.data, out.ctypes.data) + tail, threads=1
        )
    finally:
        for array in (record, out):
            forbid(array.ctypes.data)
    assert not done.faulted, (text, done.findings)


def run_vector(
    row: Instruction,
    sources: Sequence[np.ndarray],
    old: np.ndarray,
    text: str | None = None,
    lanes: int = ALL,
    mode: int = MODE,
) -> Run:
    """`sources` by column of row.ins (without `+`), `old` the words of the destination, one row a lane."""
    count = len(sources[0])
    kinds = [kind for kind in row.ins if kind != "+"]
    columns = [word for values, kind in zip(sources, kinds) for word in words_of(values, kind)]
    record = np.stack([*columns, *old.T], axis=1).astype(np.uint32).copy()
    words = result_words(row)
    out = np.zeros((count, words + 2), np.uint32)
    _launch(row.name, text or text_of(row), False, record, out, count // 64, struct.pack("<QII", lanes, mode, 0))
    return Run(out[:, :words], out[:, words] != 0, out[:, words + 1] != 0)


# ---- scalars --------------------------------------------------------------------------------------------------------


def scalar_text(row: Instruction, imm: int = 0) -> str:
    parts = []
    for kind in row.outs:
        if kind not in ("scc", "exec"):
            parts.append(_span("s", 40, DWORDS[kind]))
    for j, kind in enumerate(row.ins):
        if kind == "imm":
            parts.append(hex(imm & 0xFFFF))
        elif kind not in ("+", "scc", "exec"):
            parts.append(_span("s", 20 + 2 * j, DWORDS[kind]))
    return f"{row.name} " + ", ".join(parts)


def scalar_kernel(name: str, row: Instruction, text: str) -> str:
    """A record of 16 words: four sources of two words, the old destination, SCC, EXEC."""
    lines = [
        f"{name}:", "s_load_dwordx4 s[4:7], s[0:1], 0x0", "s_lshl_b32 s8, s2, 6", "s_waitcnt lgkmcnt(0)",
        "s_add_u32 s4, s4, s8", "s_addc_u32 s5, s5, 0", "s_add_u32 s6, s6, s8", "s_addc_u32 s7, s7, 0",
        "s_load_dwordx8 s[20:27], s[4:5], 0x0", "s_load_dwordx2 s[40:41], s[4:5], 0x20",
        "s_load_dwordx4 s[44:47], s[4:5], 0x28", "s_waitcnt lgkmcnt(0)", "s_mov_b64 exec, s[46:47]",
        "s_cmp_lg_u32 s44, 0", text, "s_cselect_b32 s48, 1, 0", "s_mov_b64 s[50:51], exec", "s_mov_b64 exec, 1",
        "v_mov_b32_e32 v0, 0",
    ]  # fmt: skip
    for n, register in enumerate(("s40", "s41", "s48", "s50", "s51")):
        lines += [f"v_mov_b32_e32 v1, {register}", f"global_store_dword v0, v1, s[6:7] offset:{4 * n}"]
    return "\n\t".join([*lines, "s_endpgm"]) + _descriptor(name)


def run_scalar(
    row: Instruction, sources: Sequence[np.ndarray], old: np.ndarray, imm: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Destination (two words as one number), SCC and EXEC of every record."""
    count = len(old)
    record = np.zeros((count, 16), np.uint32)
    record[:, 12:14] = 0xFFFFFFFF
    record[:, 8], record[:, 9] = old & np.uint64(0xFFFFFFFF), old >> np.uint64(32)
    for j, kind in enumerate(row.ins):
        if kind in ("imm", "+"):
            continue
        words = words_of(sources[j], "u64" if kind == "exec" else kind)
        at = {"scc": 10, "exec": 12}.get(kind, 2 * j)
        for n, word in enumerate(words):
            record[:, at + n] = word
    out = np.zeros((count, 16), np.uint32)
    _launch(row.name, scalar_text(row, imm), True, record, out, count, b"")
    wide = out.astype(np.uint64)
    return wide[:, 0] | wide[:, 1] << np.uint64(32), out[:, 2] != 0, wide[:, 3] | wide[:, 4] << np.uint64(32)


# ---- any text -------------------------------------------------------------------------------------------------------


@functools.cache
def _text_module(text: str, words: int) -> Module:
    lines = ["text:", "s_load_dwordx4 s[4:7], s[0:1], 0x0", "s_load_dwordx4 s[8:11], s[0:1], 0x10"]
    lines += ["s_lshl_b32 s2, s2, 6", "v_add_u32_e32 v0, s2, v0", f"s_movk_i32 s3, {4 * words}"]
    lines += ["v_mul_lo_u32 v1, v0, s3", "s_waitcnt lgkmcnt(0)"]
    lines += [f"global_load_dword v{10 + n}, v1, s[4:5] offset:{4 * n}" for n in range(words)]
    lines += [f"v_mov_b32_e32 v{40 + n}, 0xdeadbeef" for n in range(4)]
    lines += ["s_setreg_b32 hwreg(HW_REG_MODE), s10", "s_mov_b64 exec, s[8:9]", text, "s_mov_b64 exec, -1"]
    lines += ["v_lshlrev_b32_e32 v1, 4, v0", "global_store_dwordx4 v1, v[40:43], s[6:7]", "s_endpgm"]
    return Module(build_image("\t.text\n" + "\n\t".join(lines) + _descriptor("text")))


def run_text(text: str, values: np.ndarray, lanes: int = ALL, mode: int = MODE) -> np.ndarray:
    """Runs `text` with the columns of `values` in v10 and on; v40 to v43 afterwards (0xdeadbeef before)."""
    module = _text_module(text, values.shape[1])
    record, out = values.astype(np.uint32).copy(), np.zeros((len(values), 4), np.uint32)
    for array in (record, out):
        allow(array.ctypes.data, array.nbytes)
    try:
        arguments = struct.pack("<QQQII", record.ctypes.data, out.ctypes.data, lanes, mode, 0)
        done = module.launch("text", len(values) // 64, 64, arguments, threads=1)
    finally:
        for array in (record, out):
            forbid(array.ctypes.data)
    assert not done.faulted, (text, done.findings)
    return out
