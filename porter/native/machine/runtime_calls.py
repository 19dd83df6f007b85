"""The functions that a port calls, as the machine takes them: what porter's own do to the trace, what HIP's give.

Everything that is waited for has happened, so waits, arrivals and fences do nothing. A function that is not listed is
executed as it is written.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Optional

import numpy as np

from porter.native.ir.module import Instruction, Type
from porter.native.machine.arithmetic import mixed
from porter.native.machine.copies import bulk_load, each_thread, tensor_load, tensor_multicast, tensor_store
from porter.native.machine.lanes import Many, each, gathered, is_whole, listed
from porter.native.machine.loaded_values import Value, plain
from porter.native.machine.machine import Machine, Registers
from porter.native.machine.matrix_products import mfma, mma_sync, wgmma
from porter.native.machine.values import (
    PRIVATE,
    SHARED,
    Asserted,
    Refused,
    Scalar,
    Sync,
    Term,
    bound,
    of_thread,
    signed,
    zero,
)
from porter.native.machine.warp_instructions import ldmatrix, shared_address, shuffled, stmatrix

__all__ = ["MATHS", "call", "intrinsic", "named"]

MATHS = frozenset("expf __expf exp2f logf __logf tanhf erff sqrtf rsqrtf fabsf powf __fdividef".split())

_PORTER = re.compile(r"^@_ZN(?:6porter6detail(?=\d+shuffle)|6porter3fp8(?=\d+encode)|6porter|11porter_bf16)(\d+)(\w+)")
_BF16 = re.compile(r"^@_ZN14__hip_bfloat16C[12]Ef$")  # its constructor
_PLAIN = re.compile(r"^@_ZL?(\d+)(\w+)")


@lru_cache(maxsize=4096)
def named(callee: str) -> tuple[str, str]:
    """("porter" or "", name) of a function of porter's or of no namespace."""
    match = _PORTER.match(callee)
    if match:
        return "porter", match[2][: int(match[1])]
    match = _PLAIN.match(callee)
    return "", match[2][: int(match[1])] if match else callee.lstrip("@")


def call(m: Machine, one: Instruction, r: Registers) -> Value | None:
    callee = str(one.detail)
    loaded = [m.raw(o, r) for o in one.operands]
    if callee.startswith("%"):
        raise Refused("a call through a pointer")
    if callee.startswith("@llvm.amdgcn.mfma."):
        return mfma(m, callee[len("@llvm.amdgcn.mfma.") :], loaded)
    if callee.startswith("@llvm."):
        return intrinsic(m, callee[6:], one, [plain(v) for v in loaded])
    if _BF16.match(callee):
        m.memory.store(loaded[0], Type("int", 16), each(m.state.active, lambda v: Term("bf16", (v,)), loaded[1]))
        return None
    space, name = named(callee)
    handler = (_OWN if space else _OTHERS).get(name)
    if handler is None and space:
        handler = next((shared for prefix, shared in _PREFIXES if name.startswith(prefix)), None)
    if handler is not None:
        return handler(m, one, loaded if handler in (mma_sync, wgmma) else [plain(v) for v in loaded])
    function = m.module.functions.get(callee)
    if function is None:
        raise Refused(f"{name} is called")
    return m.call(function, loaded)


def intrinsic(m: Machine, name: str, one: Instruction, values: list[Value]) -> Value | None:
    if name.startswith(("memcpy", "memmove")):
        _copy(m, values[0], values[1], m.known(values[2]))
        return None
    if name.startswith("memset"):
        to = _place(values[0])
        for i in range(m.known(values[2])):
            m.memory.store(to + i, Type("int", 8), values[1])
        return None
    if name.startswith("amdgcn.workgroup.id."):
        return m.state.block.index["xyz".index(name[-1])]
    if name.startswith("amdgcn.readfirstlane"):
        return _first_lanes(m, values[0])
    if name.startswith("amdgcn.mbcnt."):
        return _lanes_before(m, name, values)
    if name.startswith("amdgcn.s.barrier"):
        _barrier(m, one, values)
        return None
    if name.startswith("expect"):
        return values[0]
    if name.startswith(
        ("lifetime", "assume", "amdgcn.s.", "dbg", "experimental.noalias", "amdgcn.wave.barrier", "stack")
    ):
        return None
    bits = one.type.bits
    return each(m.state.active, lambda *v: _value_of(name, one.type, bits, v), *values)


def _value_of(name: str, kind: Type, bits: int, values: Sequence[Scalar]) -> Scalar:
    """An intrinsic function of numbers and symbols."""
    wholes = [v for v in values if type(v) is int]
    if name.startswith(("umin", "umax", "smin", "smax")) and len(wholes) == len(values):
        shown = [signed(v, bits) if name[0] == "s" else v for v in wholes]
        return (min if "min" in name else max)(shown) & (1 << bits) - 1
    if name.startswith(("fmuladd", "fma")):
        return mixed("fadd", kind, mixed("fmul", kind, values[0], values[1]), values[2])
    if name.startswith("amdgcn.is."):
        first = SHARED if "shared" in name else PRIVATE
        return int(type(values[0]) is int and first <= values[0] < 2 * first)
    if name.startswith("ctpop") and type(values[0]) is int:
        return values[0].bit_count()
    if values and type(values[0]) is float:
        number = values[0]
        function = next((of for prefix, of in _OF_NUMBERS.items() if name.startswith(prefix)), None)
        if function is not None and number > 0:
            return function(number)
        if name.startswith("is.fpclass") and type(values[1]) is int:
            return int(bool(values[1] & _class_of(number)))
    if name.startswith("is."):
        return Term(".".join(name.split(".")[:2]), tuple(values))
    return Term(name.split(".")[0] if not name.startswith("amdgcn.") else name, tuple(values))


_OF_NUMBERS: dict[str, Callable[[float], float]] = {
    "amdgcn.rsq.": lambda x: 1.0 / math.sqrt(x), "sqrt.": math.sqrt, "amdgcn.rcp.": lambda x: 1.0 / x,
    "canonicalize": lambda x: x,
}  # fmt: skip
_SMALLEST = 2.0**-126  # of normal numbers


def _class_of(value: float) -> int:
    """Its bit in LLVM's is.fpclass."""
    if math.isnan(value):
        return 3
    kind = 3 if math.isinf(value) else 2 if abs(value) >= _SMALLEST else 1 if value else 0
    return 64 << kind if math.copysign(1.0, value) > 0 else 32 >> kind


def _lanes_before(m: Machine, name: str, values: Sequence[Value]) -> Value:
    if not m.state.mirrored or values[0] != 0xFFFFFFFF:
        raise Refused("it asks how many of the active lanes come before one, as atomics and elections of a lane do")
    lane = np.arange(len(m.state.index), dtype=np.uint64) % 64
    low = np.minimum(lane, np.uint64(32))
    before: np.ndarray = (low if name.endswith("lo") else lane - low) + values[1]
    return before


def _first_lanes(m: Machine, value: Value) -> Value:
    """Of each warp's first active thread."""
    if type(value) is not Many and not of_thread(value):
        return value
    values = listed(value, len(m.state.active.mask))
    results: list[Scalar | None] = [None] * len(values)
    first: dict[int, int] = {}
    for thread in m.state.active.threads:
        source = first.setdefault(thread // m.state.warp, thread)
        results[thread] = bound(values[source], source)
    return gathered(m.state.active, results)


def _place(address: Value) -> int | np.ndarray:
    if not is_whole(address):
        raise Refused("a copy whose address depends on data")
    return address


def _copy(m: Machine, target: Value, origin: Value, size: int) -> None:
    """Of the widest parts that lie there."""
    to, source = _place(target), _place(origin)
    at = 0
    while at < size:
        cell = m.memory.private.get(source + at) if type(source) is int else None
        first = int(source[m.state.active.first]) if isinstance(source, Many) else source
        if cell and cell[0] + at <= size:
            length = cell[0]
        else:
            length = next(n for n in (8, 4, 2, 1) if n <= size - at and (first + at) % n == 0)
        kind = Type("int", 8 * length)
        value = cell[1] if cell and cell[0] == length else m.memory.load(source + at, kind, min(size, 16))
        m.memory.store(to + at, kind, value)
        at += length


# porter's functions and HIP's

_Handler = Callable[[Machine, Instruction, list[Value]], Optional[Value]]


def _done(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    """Waits, arrivals, fences: everything that is waited for has happened."""
    return None if one.type.kind == "void" else zero(one.type)


def _at_bar(m: Machine, bar: Value, event: Callable[..., Sync], *values: Value) -> None:
    m.state.happens((thread, event(*of)) for thread, of in each_thread(m, (shared_address(m, bar), *values)))


def _init(m: Machine, one: Instruction, values: list[Value]) -> None:
    _at_bar(m, values[0], lambda bar, count: Sync("init", bar, count), values[1])


def _arrive(op: str, expects: bool = False) -> _Handler:
    """How many arrive is said, or how many bytes are expected."""

    def handler(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
        m.state.tokens += 1
        token = m.state.tokens
        of = (lambda bar, n: Sync(op, bar, 1, n, token)) if expects else lambda bar, n: Sync(op, bar, n, 0, token)
        _at_bar(m, values[0], of, values[1])
        return token

    return handler


def _wait(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    """Everything that is waited for has happened; the order of it is looked at later."""
    parity = "parity" in named(str(one.detail))[1]
    of = (lambda bar, n: Sync("wait", bar, n & 1)) if parity else lambda bar, n: Sync("token", bar, token=n)
    _at_bar(m, values[0], of, values[1])
    return 1


def _commit(m: Machine, one: Instruction, values: list[Value]) -> None:
    m.state.synchronised(Sync("commit"))


def _settle(m: Machine, one: Instruction, values: list[Value]) -> None:
    wait = re.search(r"wgmma_wait_group<(\d+)", m.module.title(str(one.detail)))
    m.state.synchronised(Sync("settle", count=int(wait[1]) if wait else 0))


def _first(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    return values[0]


def _barrier(m: Machine, one: Instruction, values: list[Value]) -> None:
    m.state.synchronised(Sync("meet"))
    m.memory.meet(bool((m.state.active.mask | m.state.ended).all()))


def _named_barrier(m: Machine, one: Instruction, values: list[Value]) -> None:
    """With the number of threads that it is for."""
    count = values[1] if len(values) > 1 else 0
    op = "pass" if "arrive" in named(str(one.detail))[1] else "meet"
    m.state.happens((thread, Sync(op, *of)) for thread, of in each_thread(m, (values[0], count)))
    m.memory.meet(type(count) is int and len(m.state.active.threads) == count * (2 if m.state.mirrored else 1))


def _shuffled(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    return shuffled(m, one, named(str(one.detail))[1], values)


def _to_shared(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    return shared_address(m, values[0])


def _begin_cluster(m: Machine, one: Instruction, values: list[Value]) -> None:
    x, y, z = (m.known(v) for v in values)
    m.state.cluster = (x, y, z) if x else m.state.launched


def _cluster_member(m: Machine, one: Instruction, values: list[Value]) -> None:
    """Its constructor and its destructor."""
    if len(values) == 4:
        _begin_cluster(m, one, values[1:])


def _cluster_part(find: Callable[[int, int], int]) -> _Handler:
    """Three numbers, of the block's index and the cluster's size."""

    def handler(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
        return tuple(find(i, size) for i, size in zip(m.state.block.index, m.state.cluster))

    return handler


def _elect(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    leader = (m.state.index % 32 == 0).astype(np.uint64)
    m.memory.store(values[1], Type("int", 8), leader)
    first: np.ndarray = m.state.index & np.uint64(0xFFFFFFE0)
    return first if one.type.bits == 32 else leader


def _thread(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    x, y, z = m.state.block.shape
    if y == z == 1:
        return (m.state.index, 0, 0)
    return (m.state.index % x, m.state.index // x % y, m.state.index // (x * y))


def _number(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    return m.state.index


def _lane(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    return m.state.index % 32


def _warp(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    return m.state.index // 32


def _group(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    return m.state.block.index[m.known(values[0])]


def _groups(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    return m.state.block.grid[m.known(values[0])]


def _block_dim(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    return m.state.block.shape


def _narrowed(name: str) -> _Handler:
    def handler(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
        return each(m.state.active, lambda v: v if type(v) is float and v == 0 else Term(name, (v,)), values[0])

    return handler


def _narrow(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
    if "mode)0" not in m.module.title(str(one.detail)):
        raise Refused("results that are not rounded to the nearest")
    return each(m.state.active, lambda v: Term("bf16", (v,)), values[0])


def _narrowed_pair(name: str, swapped: bool) -> _Handler:
    def pair(*values: Scalar) -> Scalar:
        parts = [Term(name, (v,)) for v in values]
        return Term("pack", tuple(reversed(parts) if swapped else parts))

    def handler(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
        return each(m.state.active, pair, *values[:2])

    return handler


def _fp8_pair(name: str) -> _Handler:
    """Two codes in the lower half of a word."""

    def handler(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
        if "<true" not in m.module.title(str(one.detail)):
            raise Refused(f"results of {name} that do not saturate")
        return each(
            m.state.active, lambda *of: Term("zext", (Term("pack", tuple(Term(name, (v,)) for v in of)),)), *values
        )

    return handler


def _unknown(what: str) -> _Handler:
    def handler(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
        raise Refused(what)

    return handler


_OWN: dict[str, _Handler] = {
    "thread_index": _thread, "block_dim": _block_dim, "lane_id": _lane, "warpid": _warp, "linear_tid": _number,
    "cvta_generic_to_shared": _to_shared, "elect_sync": _elect, "wgmma": wgmma, "wgmma_kept": wgmma, "stmatrix": stmatrix, "ldmatrix": ldmatrix, "narrow": _narrow,
    "keep": _done, "present": _done,  # how accumulators are held is not what they are
    "begin_cluster": _begin_cluster,
    "cluster_member": _cluster_member, "cluster_rank": lambda m, o, v: m.state.rank,
    "cluster_blocks": lambda m, o, v: math.prod(m.state.cluster), "cluster_dims": _cluster_part(lambda i, size: size),
    "cluster_block": _cluster_part(lambda i, size: i % size), "cluster_index": _cluster_part(lambda i, size: i // size),
    "block_index": _cluster_part(lambda i, size: i), "cluster_arrive": _done, "cluster_arrive_relaxed": _done,
    "cluster_wait": _done, "mapa": _first, "tensor_multicast": tensor_multicast,
    "tensor_load": tensor_load, "tensor_store": tensor_store,
    "wgmma_fence": _done, "wgmma_commit_group": _commit, "wgmma_wait_group": _settle,
    "wgmma_order": _done,
    "cvt_rn_bf16_f32": _narrowed("bf16"), "cvt_rn_f16_f32": _narrowed("f16"),
    "cvt_rn_bf16x2": _narrowed_pair("bf16", True), "cvt_rn_f16x2": _narrowed_pair("f16", True),
    "floats2bfloat162_rn": _narrowed_pair("bf16", False), "floats2half2_rn": _narrowed_pair("f16", False),
    "encode_e4m3x2": _fp8_pair("e4m3"), "encode_e5m2x2": _fp8_pair("e5m2"),
    "syncwarp": _done, "nanosleep": _done,
}  # fmt: skip
_PREFIXES: tuple[tuple[str, _Handler], ...] = (
    ("begin_", _done), ("mbarrier_try_wait", _wait), ("mbarrier_test_wait", _wait), ("mbarrier_inval", _done),
    ("mbarrier_init", _init), ("mbarrier_arrive_drop_expect_tx", _arrive("drop", True)), ("mbarrier_arrive_drop", _arrive("drop")),
    ("mbarrier_arrive_expect_tx", _arrive("arrive", True)), ("mbarrier_arrive", _arrive("arrive")),
    ("mbarrier_expect_tx", _arrive("expect", True)), ("mbarrier_complete_tx", _unknown("an mbarrier's bytes that threads count")),
    ("named_barrier_", _named_barrier),
    ("wgmma_a", wgmma),
    ("wgmma_", _unknown("a matrix product of another kind")), ("cluster_mbarrier_", _done),
    ("cluster_", _unknown("shared memory of other blocks")), ("shfl_", _shuffled), ("shuffle", _shuffled),
    ("bulk_load", bulk_load), ("bulk_", _unknown("bulk copies beside those of tensor maps")),
    ("tensor_", _unknown("reductions by tensor maps")), ("mma_", mma_sync),
)  # fmt: skip


def _maths(name: str) -> _Handler:
    def handler(m: Machine, one: Instruction, values: list[Value]) -> Value | None:
        return each(m.state.active, lambda *v: Term(name, v), *values)

    return handler


def _asserted(m: Machine, one: Instruction, values: list[Value]) -> None:
    raise Asserted("an assertion of the kernel fails on the problems that were tried")


_OTHERS: dict[str, _Handler] = {
    **{name: _maths(name) for name in MATHS},
    "__assert_fail": _asserted, "__assertfail": _asserted, "__trap": _asserted, "abort": _asserted,
    "__syncthreads": _barrier, "__syncwarp": _done, "__threadfence": _done, "__threadfence_block": _done,
    "__threadfence_system": _done, "__nanosleep": _done,
    "__ockl_get_group_id": _group, "__ockl_get_num_groups": _groups,
    "__shfl": _shuffled, "__shfl_sync": _shuffled, "__shfl_xor": _shuffled, "__shfl_up": _shuffled, "__shfl_down": _shuffled,
    "__float2bfloat16": _narrowed("bf16"), "__float2bfloat16_rn": _narrowed("bf16"),
    "__floats2bfloat162_rn": _narrowed_pair("bf16", False), "__floats2half2_rn": _narrowed_pair("f16", False),
    "__float2half": _narrowed("f16"), "__float2half_rn": _narrowed("f16"),
}  # fmt: skip
