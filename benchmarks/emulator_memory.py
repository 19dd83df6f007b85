"""Nanoseconds that the emulator needs for one memory instruction of a full wave, by address pattern.

python benchmarks/emulator_memory.py [words of a mnemonic ...]
"""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass

import numpy as np

from porter.emu.device import Module, allow, forbid
from porter.emu.image import build_image

UNROLLED = 64
ROUNDS = 200
LDS_SIZE = 65536


@dataclass(frozen=True)
class Row:
    text: str
    pattern: str  # lane addresses: consecutive, strided, scattered, same; `half`: every second lane is off


ROWS = [
    Row("v_add_u32 v8, v8, v9", "consecutive"),
    Row("global_load_dword v8, v1, s[4:5]", "consecutive"),
    Row("global_load_dword v8, v1, s[4:5]", "scattered"),
    Row("global_load_dword v8, v1, s[4:5]", "half"),
    Row("global_load_dword v8, v[2:3], off", "consecutive"),
    Row("global_load_dwordx2 v[8:9], v1, s[4:5]", "consecutive"),
    Row("global_load_dwordx4 v[8:11], v1, s[4:5]", "consecutive"),
    Row("global_load_dwordx4 v[8:11], v1, s[4:5]", "scattered"),
    Row("global_load_dwordx4 v[8:11], v[2:3], off", "consecutive"),
    Row("global_load_dwordx4 v[8:11], v1, s[4:5]", "half"),
    Row("global_store_dwordx4 v1, v[8:11], s[4:5]", "half"),
    Row("global_load_ushort v8, v1, s[4:5]", "consecutive"),
    Row("global_store_dword v1, v8, s[4:5]", "consecutive"),
    Row("global_store_dwordx4 v1, v[8:11], s[4:5]", "consecutive"),
    Row("global_store_dwordx4 v1, v[8:11], s[4:5]", "scattered"),
    Row("global_store_short v1, v8, s[4:5]", "consecutive"),
    Row("global_load_lds_dword v1, s[4:5]", "consecutive"),
    Row("global_atomic_add v1, v8, s[4:5]", "consecutive"),
    Row("buffer_load_dwordx4 v[8:11], v1, s[4:7], 0 offen", "consecutive"),
    Row("buffer_load_dword v8, v1, s[4:7], 0 offen", "scattered"),
    Row("flat_load_dword v8, v[2:3]", "consecutive"),
    Row("scratch_load_dword v8, off, off offset:16", "consecutive"),
    Row("scratch_store_dwordx4 off, v[8:11], off offset:16", "consecutive"),
    Row("s_load_dwordx4 s[8:11], s[4:5], 0x10", "consecutive"),
    Row("ds_read_b32 v8, v1", "consecutive"),
    Row("ds_read_b32 v8, v1", "scattered"),
    Row("ds_read_b32 v8, v1", "half"),
    Row("ds_read_b64 v[8:9], v1", "scattered"),
    Row("ds_read_b128 v[8:11], v1", "consecutive"),
    Row("ds_read_b128 v[8:11], v1", "scattered"),
    Row("ds_read_b128 v[8:11], v1", "half"),
    Row("ds_read2_b32 v[8:9], v1 offset1:16", "scattered"),
    Row("ds_read2_b64 v[8:11], v1 offset1:8", "scattered"),
    Row("ds_read_u16 v8, v1", "scattered"),
    Row("ds_write_b32 v1, v8", "consecutive"),
    Row("ds_write_b64 v1, v[8:9]", "scattered"),
    Row("ds_write_b128 v1, v[8:11]", "consecutive"),
    Row("ds_write_b128 v1, v[8:11]", "scattered"),
    Row("ds_write2_b64 v1, v[8:9], v[10:11] offset1:8", "scattered"),
    Row("ds_write_b16 v1, v8", "scattered"),
    Row("ds_add_u32 v1, v8", "scattered"),
    Row("ds_bpermute_b32 v8, v1, v9", "scattered"),
    Row("ds_swizzle_b32 v8, v9 offset:0x401f", "consecutive"),
]


def kernel(name: str, row: Row) -> str:
    body = "\n".join(f"\t{row.text}" for _ in range(UNROLLED))
    half = "\ts_mov_b64 exec, s[14:15]\n" if row.pattern == "half" else ""
    return f"""\t.text
{name}:
\ts_load_dwordx8 s[8:15], s[0:1], 0x0
\tv_lshlrev_b32 v2, 2, v0
\tglobal_load_dword v1, v2, s[10:11]
\ts_mov_b64 s[4:5], s[8:9]
\ts_mov_b32 s6, 0x10000
\ts_mov_b32 s7, 0x20000
\tv_add_co_u32 v2, vcc, s8, v1
\tv_mov_b32 v4, s9
\tv_mov_b32 v3, 0
\tv_addc_co_u32 v3, vcc, v4, v3, vcc
\ts_mov_b32 m0, 0
\ts_mov_b32 s3, s12
{half}.L{name}:
{body}
\ts_sub_i32 s3, s3, 1
\ts_cmp_gt_i32 s3, 0
\ts_cbranch_scc1 .L{name}
\ts_endpgm
\t.section .rodata,"a",@progbits
\t.amdhsa_kernel {name}
\t\t.amdhsa_group_segment_fixed_size {LDS_SIZE}
\t\t.amdhsa_private_segment_fixed_size 64
\t\t.amdhsa_kernarg_size 32
\t\t.amdhsa_user_sgpr_count 2
\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1
\t\t.amdhsa_next_free_vgpr 16
\t.end_amdhsa_kernel
"""


def width(text: str) -> int:
    for word, size in (("x4", 16), ("b128", 16), ("x2", 8), ("b64", 8)):
        if word in text.split()[0]:
            return size
    return 4


def addresses(row: Row) -> np.ndarray:
    size = width(row.text)
    lanes = np.arange(64)
    if row.pattern == "scattered":  # rows of a padded tile, as matrix operands are read
        return lanes % 16 * 144 + lanes // 16 * size
    return lanes * size


def measure(module: Module, name: str, row: Row, memory: np.ndarray) -> float:
    offsets = addresses(row).astype(np.uint32)
    allow(offsets.ctypes.data, offsets.nbytes)
    arguments = struct.pack("<QQQQ", memory.ctypes.data, offsets.ctypes.data, ROUNDS, 0x5555555555555555)
    best = float("inf")
    for _ in range(20):
        done = module.launch(name, 1, 64, arguments, threads=1)
        if done.faulted:
            raise SystemExit(f"{row.text}: {done.findings}")
        best = min(best, done.seconds)
    forbid(offsets.ctypes.data)
    return best * 1e9 / (UNROLLED * ROUNDS)


def main(words: list[str]) -> None:
    rows = [row for row in ROWS if not words or any(word in row.text for word in words)]
    memory = np.zeros(1 << 16, np.uint8)
    allow(memory.ctypes.data, memory.nbytes)
    with Module(build_image("".join(kernel(f"k{n}", row) for n, row in enumerate(rows)))) as module:
        for n, row in enumerate(rows):
            print(f"{measure(module, f'k{n}', row, memory):8.1f} ns  {row.text:55} {row.pattern}", flush=True)
    forbid(memory.ctypes.data)


if __name__ == "__main__":
    main(sys.argv[1:])
