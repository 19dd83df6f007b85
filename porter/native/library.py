"""The functions that a port calls, as the machine takes them: what porter's own do to the trace, what HIP's give.

Everything that is waited for has happened, so waits, arrivals and fences do nothing. A function that is not listed is
executed as it is written.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from porter.native.arithmetic import mixed
from porter.native.ir import Instruction, Type
from porter.native.values import (
    GLOBAL,
    MODULE,
    PARAMETER,
    PRIVATE,
    SHARED,
    Asserted,
    Load,
    Product,
    Refused,
    Sum,
    Term,
    TileStore,
    signed,
    zero,
)  # fmt: skip

if TYPE_CHECKING:
    from porter.native.machine import Machine

__all__ = ["call"]

_PORTER = re.compile(r"^@_ZN(?:6porter|11porter_bf16)(\d+)(\w+)")
_BF16 = re.compile(r"^@_ZN14__hip_bfloat16C[12]Ef$")  # its constructor
_PLAIN = re.compile(r"^@_ZL?(\d+)(\w+)")


@lru_cache(maxsize=4096)
def _named(callee: str) -> tuple[str, str]:
    """("porter" or "", name) of a function of porter's or of no namespace."""
    found = _PORTER.match(callee)
    if found:
        return "porter", found[2][: int(found[1])]
    found = _PLAIN.match(callee)
    return "", found[2][: int(found[1])] if found else callee.lstrip("@")


def call(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    callee = str(one.detail)
    values = [m.value(o, r) for o in one.operands]
    if callee.startswith("%"):
        raise Refused("a call through a pointer")
    if callee.startswith("@llvm."):
        return _intrinsic(m, callee[6:], one, values)
    if _BF16.match(callee):
        m.store(values[0], Type("int", 16), Term("bf16", (values[1],)))
        return None
    if callee.startswith("@_ZN6nvcuda"):
        raise Refused("nvcuda::wmma instead of wgmma")
    space, name = _named(callee)
    handler = (_OWN if space else _OTHERS).get(name)
    if handler is not None:
        return handler(m, one, values)
    if space:
        for prefix, shared in _PREFIXES:
            if name.startswith(prefix):
                return shared(m, one, values)
    function = m.module.functions.get(callee)
    if function is None:
        raise Refused(f"{name} is called")
    return m.call(function, values)


def _intrinsic(m: Machine, name: str, one: Instruction, values: list[Any]) -> Any:
    if name.startswith(("memcpy", "memmove")):
        _copy(m, values[0], values[1], m.known(values[2]))
        return None
    if name.startswith("memset"):
        for i in range(m.known(values[2])):
            m.store(values[0] + i, Type("int", 8), values[1])
        return None
    if name.startswith("amdgcn.workgroup.id."):
        return m.block.index["xyz".index(name[-1])]
    if name.startswith(("umin", "umax", "smin", "smax")) and all(type(v) is int for v in values):
        bits = one.type.bits
        shown = [signed(v, bits) if name[0] == "s" else v for v in values]
        return (min if "min" in name else max)(shown) & (1 << bits) - 1
    if name.startswith("amdgcn.readfirstlane") or name.startswith("expect"):
        return values[0]
    if name.startswith(
        ("lifetime", "assume", "amdgcn.s.", "dbg", "experimental.noalias", "amdgcn.wave.barrier", "stack")
    ):
        return None
    if name.startswith(("fmuladd", "fma")):
        product = mixed("fmul", one.type, values[0], values[1])
        return mixed("fadd", one.type, product, values[2])
    if name.startswith("amdgcn.is."):
        first = SHARED if "shared" in name else PRIVATE
        return int(type(values[0]) is int and first <= values[0] < 2 * first)
    if name.startswith("ctpop") and type(values[0]) is int:
        return values[0].bit_count()
    return Term(name.split(".")[0] if not name.startswith("amdgcn.") else name, tuple(values))


def _copy(m: Machine, to: Any, source: Any, size: int) -> None:
    if type(to) is not int or type(source) is not int:
        raise Refused("a copy whose address depends on data")
    at = 0
    while at < size:
        found = m.memory.get(source + at)
        length = (
            found[0]
            if found and found[0] + at <= size
            else next(n for n in (8, 4, 2, 1) if n <= size - at and (source + at) % n == 0)
        )
        kind = Type("int", 8 * length)
        m.store(to + at, kind, found[1] if found and found[0] == length else m.load(source + at, kind))
        at += length


# porter's functions and HIP's

_Handler = Callable[["Machine", Instruction, "list[Any]"], Any]


def _done(m: Machine, one: Instruction, values: list[Any]) -> Any:
    """Waits, arrivals, fences: everything that is waited for has happened."""
    return None if one.type.kind == "void" else zero(one.type)


def _yes(m: Machine, one: Instruction, values: list[Any]) -> Any:
    return 1


def _first(m: Machine, one: Instruction, values: list[Any]) -> Any:
    return values[0]


def _shuffled(m: Machine, one: Instruction, values: list[Any]) -> Any:
    """Only what is the same in all lanes of a warp may be shuffled."""
    value = values[0] if one.operands[0][0] == one.type and len(values) < 4 else values[1]
    if type(value) is not int:
        raise Refused("shuffles of data")
    return value


def _shared_address(value: Any) -> int:
    if type(value) is not int:
        raise Refused("an address of shared memory depends on data")
    return value - SHARED if value >= SHARED else value


def _to_shared(m: Machine, one: Instruction, values: list[Any]) -> Any:
    return _shared_address(values[0])


def _parameter(value: Any) -> int:
    if type(value) is not int:
        raise Refused("a tensor map's address depends on data")
    if PARAMETER <= value < MODULE and value & 0xFFFFFFFF == 0:
        return value - PARAMETER >> 32
    if value >= GLOBAL and value % GLOBAL == 0:
        return value // GLOBAL - 1
    raise Refused("a tensor map that is not a parameter of the kernel")


def _map_of(m: Machine, value: Any) -> int:
    """A parameter's number; by-value parameters are copied to the stack first."""
    if type(value) is int and PRIVATE <= value < PARAMETER:
        origin = m.load(value, Type("int", 64))
        if isinstance(origin, Term) and origin.op == "parameter" and origin.parts[1] == 0:
            return int(origin.parts[0])
    return _parameter(value)


def _coordinates(values: Sequence[Any]) -> tuple[int, ...]:
    if not all(type(v) is int for v in values):
        raise Refused("a tile's coordinates depend on data")
    return tuple(signed(v, 32) for v in values)


def _tensor_load(m: Machine, one: Instruction, values: list[Any]) -> None:
    to, tensor, _, *at = values
    m.events.append(Load(_map_of(m, tensor), _shared_address(to), _coordinates(at)))


def _tensor_multicast(m: Machine, one: Instruction, values: list[Any]) -> None:
    to, tensor, _, ranks, *at = values
    m.events.append(Load(_map_of(m, tensor), _shared_address(to), _coordinates(at), m.known(ranks)))


def _begin_cluster(m: Machine, one: Instruction, values: list[Any]) -> None:
    x, y, z = (m.known(v) for v in values)
    if x == 0:
        raise Refused("the size of its clusters is given at launch")
    m.cluster = (x, y, z)


def _cluster_member(m: Machine, one: Instruction, values: list[Any]) -> None:
    """Its constructor and its destructor."""
    if len(values) == 4:
        _begin_cluster(m, one, values[1:])


def _cluster_part(find: Callable[[int, int], int]) -> _Handler:
    """Three numbers, of the block's index and the cluster's size."""

    def handler(m: Machine, one: Instruction, values: list[Any]) -> Any:
        return tuple(find(i, size) for i, size in zip(m.block.index, m.cluster))

    return handler


def _tensor_store(m: Machine, one: Instruction, values: list[Any]) -> None:
    tensor, source, *at = values
    m.events.append(TileStore(_map_of(m, tensor), _shared_address(source), _coordinates(at)))


def _stmatrix(m: Machine, one: Instruction, values: list[Any]) -> None:
    m.events += [Term("shared", (_shared_address(values[0]), 4, value)) for value in values[1:]]


def _elect(m: Machine, one: Instruction, values: list[Any]) -> Any:
    leader = int(m.thread % 32 == 0)
    m.store(values[1], Type("int", 8), leader)
    return m.thread & ~31 & 0xFFFFFFFF if one.type.bits == 32 else leader


def _thread(m: Machine, one: Instruction, values: list[Any]) -> Any:
    return (m.thread, 0, 0)


def _lane(m: Machine, one: Instruction, values: list[Any]) -> Any:
    return m.thread % 32


def _warp(m: Machine, one: Instruction, values: list[Any]) -> Any:
    return m.thread // 32


def _group(m: Machine, one: Instruction, values: list[Any]) -> Any:
    return m.block.index[m.known(values[0])]


def _groups(m: Machine, one: Instruction, values: list[Any]) -> Any:
    return m.block.grid[m.known(values[0])]


def _block_dim(m: Machine, one: Instruction, values: list[Any]) -> Any:
    return (m.block.threads, 1, 1)


def _narrowed(name: str) -> _Handler:
    def handler(m: Machine, one: Instruction, values: list[Any]) -> Any:
        return values[0] if type(values[0]) is float and values[0] == 0 else Term(name, (values[0],))

    return handler


def _narrow(m: Machine, one: Instruction, values: list[Any]) -> Any:
    if "mode)0" not in m.module.title(str(one.detail)):
        raise Refused("results that are not rounded to the nearest")
    return Term("bf16", (values[0],))


def _narrowed_pair(name: str, swapped: bool) -> _Handler:
    def handler(m: Machine, one: Instruction, values: list[Any]) -> Any:
        parts = [Term(name, (v,)) for v in values[:2]]
        return Term("pack", tuple(reversed(parts) if swapped else parts))

    return handler


_WGMMA = re.compile(r"wgmma(?:_kept)?<(.*)>$", re.DOTALL)


def _wgmma(m: Machine, one: Instruction, values: list[Any]) -> None:
    title = m.module.title(str(one.detail))
    found = _WGMMA.search(title)
    if found is None or len(values) < 4:
        raise Refused("a matrix product whose type could not be read")
    kind = re.sub(r"(?:, (?:float|unsigned int|int|uint32_t))+$", "", found[1])
    a, b, add, *places = values
    if type(a) is not int or type(b) is not int or type(add) is not int:
        raise Refused("a matrix product's operands depend on data")
    columns = re.search(r">, (\d+)", kind)
    m.multiplied += 1
    product = Product(m.multiplied, a, b, kind, int(columns[1]) if columns else 0)
    m.events.append(product)
    target = Type("float", 32)
    chains: dict[int, tuple[Product, ...]] = {}
    for number, place in enumerate(places):
        old = m.load(place, target) if add & 1 else 0.0
        if isinstance(old, Sum) and old.element == number:
            chain = chains.get(id(old.products))
            if chain is None:
                chain = chains[id(old.products)] = (*old.products, product)
            m.store(place, target, Sum(number, chain))
        elif old == 0.0 or old == 0:
            chain = chains.setdefault(0, (product,))
            m.store(place, target, Sum(number, chain))
        else:
            m.store(place, target, Term("fadd", (old, Sum(number, (product,)))))


def _unknown(what: str) -> _Handler:
    def handler(m: Machine, one: Instruction, values: list[Any]) -> Any:
        raise Refused(what)

    return handler


_OWN: dict[str, _Handler] = {
    "thread_index": _thread, "block_dim": _block_dim, "lane_id": _lane, "warpid": _warp, "linear_tid": lambda m, o, v: m.thread,
    "cvta_generic_to_shared": _to_shared, "elect_sync": _elect, "wgmma": _wgmma, "wgmma_kept": _wgmma, "stmatrix": _stmatrix, "narrow": _narrow,
    "keep": _done, "present": _done,  # how accumulators are held is not what they are
    "begin_cluster": _begin_cluster,
    "cluster_member": _cluster_member, "cluster_rank": lambda m, o, v: m.rank,
    "cluster_blocks": lambda m, o, v: math.prod(m.cluster), "cluster_dims": _cluster_part(lambda i, size: size),
    "cluster_block": _cluster_part(lambda i, size: i % size), "cluster_index": _cluster_part(lambda i, size: i // size),
    "block_index": _cluster_part(lambda i, size: i), "cluster_arrive": _done, "cluster_arrive_relaxed": _done,
    "cluster_wait": _done, "mapa": _first, "tensor_multicast": _tensor_multicast,
    "tensor_load": _tensor_load, "tensor_store": _tensor_store,
    "wgmma_fence": _done, "wgmma_commit_group": _done, "wgmma_wait_group": _done,
    "wgmma_order": _done,
    "cvt_rn_bf16_f32": _narrowed("bf16"), "cvt_rn_f16_f32": _narrowed("f16"),
    "cvt_rn_bf16x2": _narrowed_pair("bf16", True), "cvt_rn_f16x2": _narrowed_pair("f16", True),
    "floats2bfloat162_rn": _narrowed_pair("bf16", False), "floats2half2_rn": _narrowed_pair("f16", False),
    "syncwarp": _done, "nanosleep": _done,
}  # fmt: skip
_PREFIXES: tuple[tuple[str, _Handler], ...] = (
    ("begin_", _done), ("mbarrier_try_wait", _yes), ("mbarrier_test_wait", _yes), ("mbarrier_", _done), ("named_barrier_", _done),
    ("wgmma_a", _unknown("A of a matrix product comes from registers")),
    ("wgmma_", _unknown("a matrix product of another kind")), ("cluster_mbarrier_", _done),
    ("cluster_", _unknown("shared memory of other blocks")), ("shfl_", _shuffled),
    ("bulk_", _unknown("bulk copies beside those of tensor maps")),
    ("cp_async", _unknown("copies by cp.async")), ("tensor_", _unknown("reductions by tensor maps")),
    ("mma_", _unknown("mma.sync instead of wgmma")), ("ldmatrix", _unknown("mma.sync instead of wgmma")),
)  # fmt: skip


def _asserted(m: Machine, one: Instruction, values: list[Any]) -> None:
    raise Asserted("an assertion of the kernel fails on the problems that were tried")


_OTHERS: dict[str, _Handler] = {
    "__assert_fail": _asserted, "__assertfail": _asserted, "__trap": _asserted, "abort": _asserted,
    "__syncthreads": _done, "__syncwarp": _done, "__threadfence": _done, "__threadfence_block": _done,
    "__threadfence_system": _done, "__nanosleep": _done,
    "__ockl_get_group_id": _group, "__ockl_get_num_groups": _groups,
    "__shfl": _shuffled, "__shfl_sync": _shuffled, "__shfl_xor": _unknown("shuffles of data"),
    "__float2bfloat16": _narrowed("bf16"), "__float2bfloat16_rn": _narrowed("bf16"),
    "__floats2bfloat162_rn": _narrowed_pair("bf16", False), "__floats2half2_rn": _narrowed_pair("f16", False),
    "__float2half": _narrowed("f16"), "__float2half_rn": _narrowed("f16"),
}  # fmt: skip
