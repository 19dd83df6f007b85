"""Runs one memory instruction in the emulator, with chosen registers and memory, and gives back all that it left."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import numpy as np

from porter.emu.device import Launch, Module, allow, forbid
from porter.emu.image import build_image

LANES = 64
ROWS = 16  # v1 to v16 are set before and read after
LDS_SIZE = 4096
SCRATCH_SIZE = 64
GLOBAL_SIZE = 8192
ALL = (1 << LANES) - 1

_SCALARS = "s[48:63]"


@dataclass
class State:
    """What the instruction can see and change; `registers[r]` is v<r+1>."""

    registers: np.ndarray
    memory: np.ndarray = field(default_factory=lambda: np.zeros(GLOBAL_SIZE, np.uint8))
    other: np.ndarray = field(default_factory=lambda: np.zeros(256, np.uint8))  # a second allocation
    lds: np.ndarray = field(default_factory=lambda: np.zeros(LDS_SIZE, np.uint8))
    scratch: np.ndarray = field(default_factory=lambda: np.zeros((LANES, SCRATCH_SIZE), np.uint8))
    exec: int = ALL
    m0: int = 0
    soffset: int = 0  # s23
    saddr: int = 0  # s[24:25]
    rsrc: tuple[int, int, int, int] = (0, 0, 0, 0)  # s[28:31]

    def copy(self) -> State:
        return State(
            self.registers.copy(), self.memory.copy(), self.other.copy(), self.lds.copy(), self.scratch.copy(),
            self.exec, self.m0, self.soffset, self.saddr, self.rsrc,
        )  # fmt: skip


def random_state(rng: np.random.Generator) -> State:
    def fill(*shape: int) -> np.ndarray:
        return rng.integers(0, 256, shape, dtype=np.uint8)

    registers = rng.integers(0, 1 << 32, (ROWS, LANES), dtype=np.uint32)
    return State(registers, fill(GLOBAL_SIZE), fill(256), fill(LDS_SIZE), fill(LANES, SCRATCH_SIZE))


def _kernel(name: str, text: str, scalar: bool) -> str:
    lines = [
        f"{name}:",
        "s_load_dwordx16 s[16:31], s[0:1], 0x0",
        "s_load_dwordx8 s[32:39], s[0:1], 0x40",
        "v_lshlrev_b32 v40, 2, v0",
        f"s_load_dwordx16 {_SCALARS}, s[16:17], 0x0",
        "s_mov_b32 m0, s22",
    ]
    lines += [f"global_load_dword v{r + 1}, v40, s[16:17] offset:{256 * r}" for r in range(ROWS - 1)]
    lines.append(f"global_load_dword v{ROWS}, v40, s[16:17] offset:{256 * (ROWS - 1)}")
    for i in range(LDS_SIZE // 256):
        lines.append(f"global_load_dword v41, v40, s[32:33] offset:{256 * i}")
        lines.append(f"ds_write_b32 v40, v41 offset:{256 * i}")
    for i in range(SCRATCH_SIZE // 4):
        lines.append(f"global_load_dword v41, v40, s[36:37] offset:{256 * i}")
        lines.append(f"scratch_store_dword off, v41, off offset:{4 * i}")
    lines += ["s_mov_b64 exec, s[20:21]", text, "s_mov_b64 exec, -1"]
    if scalar:
        lines += [f"v_mov_b32 v{i + 1}, s{48 + i}" for i in range(16)]
    lines += [f"global_store_dword v40, v{r + 1}, s[18:19] offset:{256 * r}" for r in range(ROWS)]
    for i in range(LDS_SIZE // 256):
        lines.append(f"ds_read_b32 v41, v40 offset:{256 * i}")
        lines.append(f"global_store_dword v40, v41, s[34:35] offset:{256 * i}")
    for i in range(SCRATCH_SIZE // 4):
        lines.append(f"scratch_load_dword v41, off, off offset:{4 * i}")
        lines.append(f"global_store_dword v40, v41, s[38:39] offset:{256 * i}")
    lines.append("s_endpgm")
    body = "\n".join(lines[:1] + ["\t" + line for line in lines[1:]])
    return f"""\t.text
{body}
\t.section .rodata,"a",@progbits
\t.amdhsa_kernel {name}
\t\t.amdhsa_group_segment_fixed_size {LDS_SIZE}
\t\t.amdhsa_private_segment_fixed_size {SCRATCH_SIZE}
\t\t.amdhsa_kernarg_size 96
\t\t.amdhsa_user_sgpr_count 2
\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1
\t\t.amdhsa_next_free_vgpr 48
\t.end_amdhsa_kernel
"""


class Machine:
    """A module with one kernel for each instruction text."""

    def __init__(self, texts: list[str], scalar: bool = False) -> None:
        self.texts = {text: f"k{n}" for n, text in enumerate(dict.fromkeys(texts))}
        self.module = Module(build_image("".join(_kernel(name, t, scalar) for t, name in self.texts.items())))

    def run(self, text: str, before: State) -> tuple[State, Launch]:
        """The state afterwards; `memory` and `other` of `before` are changed in place, as device code does."""
        after = before.copy()
        lds, scratch = before.lds.copy(), before.scratch.copy()
        # Scratch travels as rows of dwords, dword after dword.
        scratch_in = np.ascontiguousarray(scratch.view(np.uint32).T)
        scratch_out = np.zeros_like(scratch_in)
        registers = np.ascontiguousarray(before.registers)
        arrays = [registers, after.registers, lds, after.lds, scratch_in, scratch_out, before.memory, before.other]
        pointers = [array.ctypes.data for array in arrays]
        arguments = struct.pack(
            "<QQQIIQQ4I4Q", pointers[0], pointers[1], before.exec, before.m0, before.soffset, before.saddr, 0,
            *before.rsrc, *pointers[2:6],
        )  # fmt: skip
        for array in arrays:
            allow(array.ctypes.data, array.nbytes)
        try:
            done = self.module.launch(self.texts[text], 1, 64, arguments, threads=1)
        finally:
            for array in arrays:
                forbid(array.ctypes.data)
        after.memory, after.other = before.memory, before.other
        after.scratch = np.ascontiguousarray(scratch_out.T).view(np.uint8)
        return after, done


def lanes(mask: int) -> list[int]:
    return [lane for lane in range(LANES) if mask >> lane & 1]
