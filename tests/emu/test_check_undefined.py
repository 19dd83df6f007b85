"""What nobody wrote is a finding where it decides something, whatever it travelled through; code that only moves it is none."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from porter.emu.device import Check, FaultKind, Finding, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import Options, device_assembly

KERNELS = Path(__file__).parent / "kernels"
LEVELS = ("0", "1", "3")
POISON = 0x7FA5A5A5
OUT = np.dtype({"names": ["a", "c", "d", "s", "l"], "formats": ["i4", "i1", "f8", "i2", "i8"],
                "offsets": [0, 4, 8, 16, 24], "itemsize": 32})  # fmt: skip


@pytest.fixture(scope="module", params=LEVELS)
def spills(request: pytest.FixtureRequest) -> Iterator[tuple[str, Module]]:
    text = device_assembly(KERNELS / "spills.hip", Options(level=request.param)).read_text()
    with Module(build_image(text)) as module:
        yield text, module


@pytest.fixture(scope="module", params=LEVELS)
def undefined(request: pytest.FixtureRequest) -> Iterator[Module]:
    text = device_assembly(KERNELS / "undefined.hip", Options(level=request.param)).read_text()
    with Module(build_image(text)) as module:
        yield module


@contextmanager
def allowed(*arrays: np.ndarray) -> Iterator[None]:
    for array in arrays:
        allow(array.ctypes.data, array.nbytes)
    try:
        yield
    finally:
        for array in arrays:
            forbid(array.ctypes.data)


def run(module: Module, kernel: str, arguments: Sequence[np.ndarray | int]) -> tuple[Finding, ...]:
    """What is found; an array stands for its address."""
    packed = b"".join(
        struct.pack("<i", a) if isinstance(a, int) else struct.pack("<Q", a.ctypes.data) for a in arguments
    )
    with allowed(*(a for a in arguments if not isinstance(a, int))):
        return module.launch(kernel, 1, 64, packed, checks=tuple(Check)).findings


def fresh(count: int, kind: np.dtype | type) -> np.ndarray:
    """Memory as the emulator's allocations are."""
    return np.full(count * np.dtype(kind).itemsize // 4, POISON, dtype=np.uint32).view(kind)


# ---- nothing to find ------------------------------------------------------------------------------------------------


def wrapped(x: int) -> int:
    return (x + (1 << 63)) % (1 << 64) - (1 << 63)


@pytest.mark.sample(1)
def test_spilled_scalars(spills: tuple[str, Module]) -> None:
    text, module = spills
    assert text.count("v_writelane_b32") > 80 and text.count("v_readlane_b32") > 80
    data, out, n = np.arange(160, dtype=np.int32) * 7 % 101, fresh(64, np.int64), 4
    assert run(module, "pressure", (data, out, n)) == ()
    for lane in (0, 1, 63):
        total = 0
        for j in range(n):
            for k in range(40):
                one, other = int(data[k * n]), int(data[(k + 7) % 40 * n])
                total = wrapped(total + one * (other + j) + (total >> 3))
                total ^= lane if one > 70 + j else 0
        assert out[lane] == total


def test_calls_and_loops(spills: tuple[str, Module]) -> None:
    out = fresh(64, np.int64)
    assert run(spills[1], "calls", (out, 9)) == ()
    assert [walk(lane, 0, 0) + where(lane, 9) for lane in range(64)] == list(out)


def walk(lane: int, node: int, depth: int) -> int:
    flag, more = (lane ^ node) & 1, node < 3 and (lane + node) % 5
    rest = depth + 1 if flag else depth + 2
    return (lane * node if flag else 0) + (walk(lane, node + 1, rest) if more else rest)


def where(lane: int, n: int) -> int:
    found = at = k = 0
    while k < n and not found:
        if (k + lane % 3) % 2 == 0 and (lane ^ k % 4) & 1:
            found, at = 1, k
        elif k <= lane:
            for m in range(k):
                if m * k == lane:
                    break
                at += m
        k += 1
    kind = lane % 5
    at = at + 5 if kind == 0 else 3 * at if kind == 1 else at if kind == 2 else at ^ 77
    return at - (walk(lane, 0, 1) if kind in (1, 2) else 0) + found


def test_structures_partly_set(spills: tuple[str, Module]) -> None:
    out = fresh(64, np.int64)
    assert run(spills[1], "partly_set", (out, 5)) == ()
    fibonacci = (0, 1, 1, 2, 3, 5, 8)
    for lane in range(64):
        total = fibonacci[lane % 7]
        for j in range(4 if lane > 60 else 5):
            if lane % 3 != j:
                total += 3 * lane if j > 0 and lane % 2 else lane
        assert out[lane] == total


def test_gaps_of_structures(spills: tuple[str, Module]) -> None:
    """They are copied with the members, to memory and LDS and back."""
    source, out, again, shared = (fresh(64, OUT) for _ in range(4))
    assert run(spills[1], "fill", (source,)) == ()
    assert run(spills[1], "copies", (out, again, source)) == ()
    assert run(spills[1], "shared", (shared,)) == ()
    for result in (out, again):
        assert (result["c"] == 5).all() and (result["d"] == 5.5).all() and (result["s"] == 8).all()
    assert list(again["a"]) == list(range(63, -1, -1))
    assert list(shared["l"]) == [lane ^ 1 for lane in range(64)]


def test_members_that_nobody_wrote(spills: tuple[str, Module]) -> None:
    """The same copies, of memory that was never filled."""
    source, out, again = (fresh(64, OUT) for _ in range(3))
    reported = run(spills[1], "copies", (out, again, source))
    assert reported and {finding.kind for finding in reported} == {FaultKind.UNINITIALISED}


# ---- values that decide ---------------------------------------------------------------------------------------------

DECIDE = (
    "stored", "branched", "uniform_branch", "uniform_loop", "scalar_address", "scalar_sum", "flag", "chosen", "passed",
    "spilled",
)  # fmt: skip
FORGIVEN = ("not_chosen", "masked")


def places(name: str) -> range:
    """The lines of a kernel's body."""
    lines = (KERNELS / "undefined.hip").read_text().split("\n")
    first = next(n for n, line in enumerate(lines, 1) if line.startswith(f"KERNEL {name}("))
    return range(first, next(n for n in range(first, len(lines) + 1) if lines[n - 1] == "}"))


@pytest.mark.parametrize("kernel", (*DECIDE, *FORGIVEN))
def test_an_unwritten_variable(undefined: Module, kernel: str) -> None:
    out, data = np.zeros(128, dtype=np.int32), np.full(64, 4, dtype=np.int32)
    assert run(undefined, kernel, (out, data, 8)) == ()
    reported = run(undefined, kernel, (out, data, 100))
    assert {finding.kind for finding in reported} == ({FaultKind.UNINITIALISED} if kernel in DECIDE else set())
    if kernel != "passed":  # the function it calls stands in front of it
        assert all(finding.line in places(kernel) for finding in reported)


def test_registers_by_number(tmp_path: Path) -> None:
    """A small array is a row of registers, which an index in M0 chooses from."""
    source = tmp_path / "rows.hip"
    source.write_text((KERNELS / "undefined.hip").read_text().replace("a[128]", "a[16]"))
    text = device_assembly(source).read_text()
    assert "s_set_gpr_idx_on" in text
    out, data = np.zeros(128, dtype=np.int32), np.full(64, 4, dtype=np.int32)
    with Module(build_image(text)) as module:
        for kernel in DECIDE:
            assert run(module, kernel, (out, data, 8)) == ()
