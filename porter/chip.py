"""One row of facts for each chip. Python reads it, and the emulator's C gets its constants from it.

A second chip is a second row in `CHIPS`. Code looks the row of its target up (`Unit.chip`, `KernelFacts.chip`).
`DEFAULT_CHIP` is where nobody names a chip: the command line and the options of a conversion or a compilation. `EMULATED`
and `SCHEDULED` are what porter cannot do for every chip. Device code under porter/runtime asks the compiler instead.

Sources, where a row names no other: "AMD Instinct MI300" Instruction Set Architecture (the ISA document), "AMD CDNA 3
Architecture" (the white paper), LLVM's "User Guide for AMDGPU Backend" (LLVM).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["CHIPS", "DEFAULT_CHIP", "EMULATED", "GFX942", "SCHEDULED", "WAVE", "Board", "Chip"]

WAVE = 64  # lanes of a wave of every chip that porter ports to: ports, headers and proofs are made for it


@dataclass(frozen=True, slots=True)
class Board:
    """A product with this chip: what the data sheet of that name says."""

    name: str  # part of the device's name as torch and HIP give it
    memory_gbs: int  # 1e9 bytes a second
    read_gbs: int = 0  # that reads reach: published, or fitted to large copies
    write_gbs: int = 0  # that writes reach, where they are slower
    cache_gbs: int = 11900  # what reads reach from the last cache: published for the MI300X, fitted for the MI300A
    cache_write_gbs: int = 3700  # fitted: what writes reach there, from all dies together
    watts: int = 0
    xcds: int = 0  # dies, where the board has not all of the chip's
    # Measured: what two events add to a launch, and the least that they are apart
    events_us: tuple[float, float] = (3.45, 5.65)
    # What only the board that the emulator pretends to be needs to say
    memory_bytes: int = 0
    memory_clock_mhz: int = 0
    pci_id: int = 0


@dataclass(frozen=True, slots=True)
class Chip:
    target: str  # as compilers call it
    isa_version: int  # as AMD's device libraries number it
    elf_machine: int  # as code objects number it, in e_flags (LLVM)
    capability: tuple[int, int]  # what HIP gives as major and minor
    boards: tuple[Board, ...]  # the emulator pretends to be the first

    compute_units: int
    xcds: int  # dies; workgroups go round them
    clock_mhz: int
    timer_khz: int  # of the counter of real time

    wave: int  # lanes: WAVE
    simds: int  # of a compute unit
    max_waves: int  # of a SIMD
    max_threads: int  # of a workgroup

    registers: int  # 32-bit registers a lane of a SIMD, which its waves share: vector and accumulation registers
    register_granule: int  # in which waves get them
    accumulator_alignment: int  # accumulation registers begin at a multiple of it
    vgprs: int  # that instructions can name
    agprs: int
    sgprs: int
    vmcnt: int  # most vector memory operations of a wave under way

    lds_bytes: int  # of a compute unit, and of a workgroup
    lds_granule: int
    lds_banks: int  # of 4 bytes
    lds_read_b128: tuple[tuple[int, ...], ...]  # lanes that a 16-byte read takes at a time
    line_bytes: int  # of L2 and global memory
    l2_bytes: int  # of an XCD
    cache_bytes: int  # the last level, behind all L2
    memory_bits: int  # of the bus

    fp8: str  # "fnuz": no infinity, no -0, 0x80 is the NaN; "ocp": as NVIDIA's
    fp8_bias: int  # of the exponents of e4m3
    bf8_bias: int  # ... and of e5m2
    # Passes, of four cycles, of matrix instructions: by rows and registers of the result. "xdl" are all but those whose
    # inputs are plain f32 and f64.
    passes: Mapping[str, Mapping[tuple[int, int], int]]
    # Operations that a compute unit does in a clock, dense, a multiply-add being two; f32 is that of the vector units.
    flops_a_clock: Mapping[str, int]

    @property
    def max_group_waves(self) -> int:
        return self.max_threads // self.wave

    def waves_of(self, threads: int) -> int:
        """How many waves so many threads are."""
        return -(-threads // self.wave)

    @property
    def die_units(self) -> int:
        """Compute units of a die."""
        return self.compute_units // self.xcds

    def dies_of(self, board: Board) -> int:
        """Dies that a board has of the chip's."""
        return board.xcds or self.xcds

    def board(self, name: str) -> Board | None:
        """The board of that name; the first one for ""."""
        return next((board for board in self.boards if not name or board.name.lower() == name.lower()), None)

    def units_of(self, board: Board) -> int:
        """Compute units of a board."""
        return self.die_units * self.dies_of(board)

    def tflops(self, kind: str, board: Board | None = None) -> float:
        """The peak of a board at the full clock, in the tenths that data sheets print. Default: all dies."""
        units = self.units_of(board) if board else self.compute_units
        return round(self.flops_a_clock[kind] * units * self.clock_mhz / 1e6, 1)

    def waves_per_simd(self, vgprs: int, agprs: int) -> int:
        """How many waves fit into the registers of a SIMD, one at least."""
        used = vgprs if not agprs else _up(vgprs, self.accumulator_alignment) + agprs
        granules = max(self.register_granule, _up(used, self.register_granule))
        return max(1, min(self.max_waves, self.registers // granules))

    def registers_for(self, threads: int) -> int:
        """Vector registers, accumulators included, that each lane of a workgroup of so many threads can have."""
        waves = max(1, -(-threads // (self.wave * self.simds)))
        return min(self.registers, self.registers // waves // self.register_granule * self.register_granule)


def _up(value: int, step: int) -> int:
    return -(-value // step) * step


GFX942 = Chip(
    target="gfx942",
    isa_version=9402,
    elf_machine=0x4C,
    capability=(9, 4),
    boards=(
        Board("MI300X", 5300, 4140, watts=750, memory_bytes=196592 << 20, memory_clock_mhz=1300, pci_id=0x74A1),
        Board("MI325X", 6000, 5090, watts=1000),
        Board("MI300A", 5300, 3800, write_gbs=2520, cache_gbs=4460, watts=550, xcds=6, events_us=(3.45, 4.5)),
    ),
    compute_units=304,  # 8 x 38 of 40 (white paper)
    xcds=8,
    clock_mhz=2100,  # data sheet
    timer_khz=100_000,  # s_memrealtime (LLVM)
    wave=64,
    simds=4,
    max_waves=8,  # LLVM
    max_threads=1024,  # LLVM
    registers=512,
    register_granule=8,  # LLVM
    accumulator_alignment=4,  # ACCUM_OFFSET of compute_pgm_rsrc3 (LLVM)
    vgprs=256,
    agprs=256,
    sgprs=102,  # SGPR 0 to 101 (ISA, Scalar Operands)
    vmcnt=63,  # six bits (ISA, S_WAITCNT)
    lds_bytes=64 << 10,
    lds_granule=512,  # LLVM
    lds_banks=32,
    # shark-ai's guide to optimising for AMD GPUs; Composable Kernel's documentation of bank conflicts
    lds_read_b128=(
        (0, 1, 2, 3, 20, 21, 22, 23), (4, 5, 6, 7, 16, 17, 18, 19),
        (8, 9, 10, 11, 28, 29, 30, 31), (12, 13, 14, 15, 24, 25, 26, 27),
        (32, 33, 34, 35, 52, 53, 54, 55), (36, 37, 38, 39, 48, 49, 50, 51),
        (40, 41, 42, 43, 60, 61, 62, 63), (44, 45, 46, 47, 56, 57, 58, 59),
    ),
    line_bytes=128,
    l2_bytes=4 << 20,
    cache_bytes=256 << 20,  # Infinity Cache
    memory_bits=8192,
    fp8="fnuz",
    fp8_bias=8,
    bf8_bias=16,
    # AMD's matrix instruction calculator, --architecture cdna3 --detail-instruction
    passes={
        "xdl": {(4, 4): 2, (16, 4): 4, (16, 16): 8, (32, 16): 8, (32, 32): 16},
        "f32": {(4, 4): 2, (16, 4): 8, (16, 16): 8, (32, 16): 16, (32, 32): 16},
        "f64": {(4, 2): 4, (16, 8): 8},
    },
    flops_a_clock={"f16": 2048, "bf16": 2048, "fp8": 4096, "i8": 4096, "xf32": 1024, "f32": 256, "f64": 256},
)  # fmt: skip

CHIPS: Mapping[str, Chip] = {chip.target: chip for chip in (GFX942,)}
DEFAULT_CHIP = GFX942
EMULATED = GFX942  # what the emulator is, whose C is compiled with this row; the model of time predicts for its boards
SCHEDULED = (GFX942,)  # what native schedules are tuned for
