"""The checks name a bug that was put into a correct kernel, and say nothing about the correct one."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import numpy as np
import pytest

from porter.emu.device import Check, FaultKind, Launch, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import device_assembly

KERNELS = Path(__file__).parent / "kernels"
SIZE = 128
ALL = tuple(Check)
POISON = 0x7FA5A5A5


@pytest.fixture(scope="module")
def gemm() -> str:
    return device_assembly(KERNELS / "staged_gemm.hip").read_text()


def to_bf16(x: np.ndarray) -> np.ndarray:
    return (x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def from_bf16(x: np.ndarray) -> np.ndarray:
    return (x.astype(np.uint32) << 16).view(np.float32)


def run_gemm(assembly: str, *, short: int = 0, checks=ALL, seed: int = 0) -> tuple[Launch, bool]:
    """One run, with `short` bytes of the result's buffer withheld; whether the product was right."""
    random = np.random.default_rng(1)
    a, b = (to_bf16(random.standard_normal((SIZE, SIZE))) for _ in range(2))
    c = np.full((SIZE, SIZE), 0, dtype=np.float32)
    c.view(np.uint32)[:] = POISON
    allow(a.ctypes.data, a.nbytes)
    allow(b.ctypes.data, b.nbytes)
    allow(c.ctypes.data, c.nbytes - short)
    arguments = struct.pack("<QQQii", a.ctypes.data, b.ctypes.data, c.ctypes.data, SIZE, SIZE)
    try:
        with Module(build_image(assembly)) as module:
            done = module.launch("staged_gemm", (SIZE // 64, SIZE // 64), 256, arguments, checks=checks, seed=seed)
    finally:
        for array in (a, b, c):
            forbid(array.ctypes.data)
    right = np.allclose(c, from_bf16(a) @ from_bf16(b).T, atol=1e-3)
    return done, right


def lines_of(assembly: str, mnemonic: str) -> list[int]:
    """Numbers of the kernel's lines with this instruction."""
    return [n for n, line in enumerate(assembly.split("\n")) if re.match(rf"\t{mnemonic}\b", line)]


def without(assembly: str, number: int) -> str:
    lines = assembly.split("\n")
    lines[number] = "\ts_nop 0"
    return "\n".join(lines)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_correct_kernel_has_no_findings(gemm, seed):
    done, right = run_gemm(gemm, seed=seed)
    assert right
    assert done.findings == ()


def test_every_barrier_is_needed(gemm):
    barriers = lines_of(gemm, "s_barrier")
    assert len(barriers) >= 2
    for number in barriers:
        done, _ = run_gemm(without(gemm, number))
        kinds = {finding.kind for finding in done.findings}
        assert FaultKind.LDS_RACE in kinds, f"line {number}"
        assert all(finding.file.endswith("staged_gemm.hip") and finding.line for finding in done.findings)


def test_every_wait_is_needed(gemm):
    waits = lines_of(gemm, "s_waitcnt")
    assert len(waits) >= 4
    lines = gemm.split("\n")
    seen = set()
    for number in waits:
        done, _ = run_gemm(without(gemm, number))
        kinds = {finding.kind for finding in done.findings}
        assert kinds and kinds <= {FaultKind.MISSING_WAIT, FaultKind.BARRIER_WAIT}, lines[number]
        seen |= kinds
    assert len(seen) == 2


@pytest.mark.parametrize(("stores", "missing"), [(62, True), (63, False)])
def test_a_wave_waits_where_the_counter_is_full(tmp_path, stores, missing):
    text = "global_load_dword %0, %1, off\\n" + "global_store_dword %1, %2, off offset:4\\n" * stores
    text += "v_mov_b32 %0, %0\\ns_waitcnt vmcnt(0)"
    body = f'int y; asm volatile("{text}" : "=&v"(y) : "v"(x), "v"(1)); x[2] = y;'
    source = tmp_path / "k.hip"
    source.write_text(f'#include <hip/hip_runtime.h>\nextern "C" __global__ void k(int *x) {{ {body} }}\n')
    words = np.zeros(4, dtype=np.int32)
    allow(words.ctypes.data, words.nbytes)
    with Module(build_image(device_assembly(source).read_text())) as module:
        done = module.launch("k", 1, 1, struct.pack("<Q", words.ctypes.data), checks=(Check.WAIT,))
    forbid(words.ctypes.data)
    assert {f.kind for f in done.findings} == ({FaultKind.MISSING_WAIT} if missing else set())


def test_one_element_short(gemm):
    done, _ = run_gemm(gemm, short=4)
    (finding,) = done.findings
    assert finding.kind is FaultKind.OUT_OF_BOUNDS
    assert finding.instruction.startswith("global_store_dword")
    assert done.faulted


def written_before(lines: list[str], number: int, register: int) -> bool:
    """Whether any instruction before this one writes the vector register."""
    for line in lines[:number]:
        written = re.match(r"\t[a-z]\w+ v(?:(\d+)|\[(\d+):(\d+)\])(?:,|$)", line)
        if not written or re.match(r"\t(?:global_store|ds_write|scratch_store)", line):
            continue
        first = int(written[1] or written[2])
        if first <= register <= int(written[3] or first):
            return True
    return register == 0  # the work item's number


def test_dropped_initialisation(gemm):
    """Without the move that clears it, a register of the accumulator enters the first product undefined."""
    lines = gemm.split("\n")
    product = lines_of(gemm, "v_mfma_f32_32x32x8_bf16")[0]
    tried = 0
    for number in range(product):
        move = re.match(r"\tv_mov_b32_e32 v(\d+), 0$", lines[number])
        if not move or written_before(lines, number, int(move[1])):
            continue
        tried += 1
        done, _ = run_gemm(without(gemm, number))
        assert FaultKind.UNINITIALISED in {finding.kind for finding in done.findings}, lines[number]
    assert tried >= 4


@pytest.mark.parametrize("check", list(Check))
def test_one_check_alone_is_silent_on_a_correct_kernel(gemm, check):
    done, right = run_gemm(gemm, checks=(check,))
    assert right
    assert done.findings == ()
