"""Calls in a kernel: shuffles, atomics, mathematics, and functions whose bodies are not at hand."""

from __future__ import annotations

import re
from typing import Any

from porter.native.ir.module import Instruction, Type
from porter.native.machine.lanes import each, gathered, listed
from porter.native.machine.loaded_values import Value
from porter.native.machine.machine import Machine, Registers
from porter.native.machine.runtime_calls import intrinsic, named
from porter.native.machine.values import Refused, Scalar, Term, signed
from porter.proofs.addresses import moved
from porter.proofs.algebra import hashed
from porter.proofs.machine import Guarded
from porter.proofs.program import SHUFFLES

__all__ = ["call"]

_ALL_LANES = frozenset((0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF))
_EXTREMES = re.compile(r"(?:ull|ll|u|f|__h)?(max|min)f?")
_SUMS = {
    "__fadd_rn": "fadd", "__dadd_rn": "fadd", "__hadd": "fadd", "__hadd2": "fadd", "__fsub_rn": "fsub", "__hsub": "fsub",
    "__fmul_rn": "fmul", "__hmul": "fmul", "__hmul2": "fmul",
}  # fmt: skip
_OPERATORS = {"@_Zpl": "__hadd", "@_Zmi": "__hsub", "@_Zml": "__hmul"}  # of halves
_FUSED = frozenset(("fmaf", "fma", "__fmaf_rn", "__fma_rn", "__hfma"))
_LOADS = re.compile(r"__ld(?:g|cg|ca|cs|lu|cv)")
_FENCES = re.compile(r"__syncthreads|__threadfence(?:_block|_system)?")
_ATOMIC = re.compile(r"atomic(Add|Sub|Min|Max|And|Or|Xor)(?:_block|_system)?")
_VECTOR = re.compile(r"make_\w+?([1-4])")
_OF_LANES = re.compile(r"__(?:.*(?:ballot|match|activemask|reduce_|shfl).*|(?:any|all|uni)(?:_sync)?)")
_OF_BLOCK = re.compile(r"__syncthreads_(?:and|count|or)")
_METHOD = re.compile(
    r"@_ZNK?(?P<length>\d+)(?P<name>__(?:half|nv_bfloat)\w+?)(?P<constructor>C[12]E)?"
)  # of CUDA's numbers
_CHANGES_MEMORY = re.compile(r"[PR](?!K)")  # in a mangled name: a pointer or reference to what is not constant


def call(machine: Machine, instruction: Instruction, registers: Registers) -> Value | None:
    m = machine
    assert isinstance(m, Guarded)
    callee = str(instruction.detail)
    if callee.startswith("%"):
        raise Refused("a call through a pointer")
    values = [m.value(operand, registers) for operand in instruction.operands]
    if callee.startswith("@llvm."):
        return _intrinsic(m, callee[len("@llvm.") :], instruction, values)
    name = _OPERATORS.get(callee[:5], "") if "__half" in callee or "bfloat16" in callee else ""
    name = name or named(callee)[1]
    if name in SHUFFLES:
        return _shuffled(m, instruction, name, values)
    if name == "__syncwarp":
        _check_mask(m, values[0])
        return None
    if _FENCES.fullmatch(name):
        return None
    if _LOADS.fullmatch(name) and len(values) == 1:
        return m.memory.load(values[0], instruction.type)
    function = m.module.functions.get(callee)
    if function is not None and any(line.lstrip().startswith("ret ") for line in function.lines):
        return m.call(function, values)
    atomic = _ATOMIC.fullmatch(name)
    if atomic and len(values) == 2:
        return _atomic(m, instruction, atomic[1], values)
    result = _arithmetic(m, instruction, name, values)
    return _stranger(m, instruction, callee, name, values) if result is None else result


def _intrinsic(m: Guarded, name: str, one: Instruction, values: list[Value]) -> Value | None:
    if name.startswith(("memcpy", "memmove")):
        _copy(m, values[0], values[1], m.known(values[2]))
        return None
    if name.startswith("memset"):
        for at in range(m.known(values[2])):
            m.memory.store(moved(m.state.active, values[0], at), Type("int", 8), values[1])
        return None
    if name.startswith("nvvm.barrier"):
        if len({m.standing.guards[thread] for thread in m.state.active.threads}) > 1:
            raise Refused("a condition on data decides which threads come to a barrier")
        return None
    if name.startswith("nvvm."):
        raise Refused(f"{name} is not known")
    if name.startswith(("smax", "smin", "umax", "umin", "maxnum", "minnum")):
        return _extreme(m, one, name[1:4] if name[0] in "su" else name[:3], name[0] if name[0] in "su" else "o", values)
    return intrinsic(m, name, one, values)


def _copy(m: Guarded, target: Value, origin: Value, size: int) -> None:
    """Of values as wide as they were stored."""
    at = 0
    while at < size:
        source = moved(m.state.active, origin, at)
        wide = m.memory.width(source)
        length = wide if 0 < wide <= size - at else next(n for n in (4, 2, 1) if size % n == 0)
        kind = Type("int", 8 * length)
        m.memory.store(moved(m.state.active, target, at), kind, m.memory.load(source, kind))
        at += length


def _arithmetic(m: Guarded, instruction: Instruction, name: str, given: list[Value]) -> Value | None:
    """Of numbers alone; None for any other function."""
    if instruction.type.kind not in ("int", "float") and not _is_number(instruction.type):
        return None
    number = Type("int", 8 * instruction.type.size)
    values = [
        m.memory.load(v, number) if kind.kind == "ptr" else v for (kind, _), v in zip(instruction.operands, given)
    ]
    extreme = _EXTREMES.fullmatch(name)
    if extreme and len(values) == 2:
        return _as_type(instruction.type, _extreme(m, instruction, extreme[1], _order(instruction), values))
    if name in _SUMS and len(values) == 2:
        return _as_type(instruction.type, each(m.state.active, lambda a, b: Term(_SUMS[name], (a, b)), *values))
    if name in _FUSED and len(values) == 3:
        fused = each(m.state.active, lambda a, b, c: Term("fadd", (Term("fmul", (a, b)), c)), *values)
        return _as_type(instruction.type, fused)
    return None


def _is_number(type: Type) -> bool:
    """A structure that holds one number: __half."""
    return (
        type.kind == "struct" and len(type.fields) == 1 and (type.fields[0].kind == "int" or _is_number(type.fields[0]))
    )


def _as_type(type: Type, value: Value) -> Value:
    return (_as_type(type.fields[0], value),) if type.kind == "struct" else value


def _order(one: Instruction) -> str:
    """By which a function compares its last two operands: unsigned, signed, or as floating-point numbers."""
    if one.type.kind != "int":
        return "o"
    return "u" if str(one.detail)[-1] in "jmyh" else "s"


def _extreme(m: Guarded, one: Instruction, kind: str, order: str, values: list[Value]) -> Value:
    pick = max if kind == "max" else min
    bits = one.type.bits

    def of(a: Scalar, b: Scalar) -> Scalar:
        if type(a) is int and type(b) is int:
            return pick(a, b, key=lambda v: signed(v, bits) if order == "s" else v)
        if type(a) is float and type(b) is float:
            return pick(a, b)
        return Term(kind, (a, b), order)

    return each(m.state.active, of, *values)


# Lanes


def _check_mask(m: Guarded, mask: Value) -> None:
    if not all(v in _ALL_LANES for v in set(listed(mask, m.state.threads)) - {None}):
        raise Refused("the mask is not that of all lanes")


def _shuffled(m: Guarded, instruction: Instruction, name: str, values: list[Value]) -> Value:
    skip, kind = SHUFFLES[name]
    if skip:
        _check_mask(m, values[0])
    if instruction.type.kind not in ("int", "float") and not _is_number(instruction.type):
        raise Refused("lanes exchange structures")
    m.exchanged.setdefault(m.site(instruction), set()).add(instruction.type.kind)
    held, steps, widths = (
        listed(value, m.state.threads) for value in (m.memory.contents(values[skip]), *values[skip + 1 :])
    )
    _check_waves(m)
    results: list[Scalar | None] = [None] * m.state.threads
    for thread in m.state.active.threads:
        width, step = widths[thread], steps[thread]
        if type(width) is not int or not 1 < width <= m.wave or width & (width - 1):
            raise Refused("the width of the shuffle is not known")
        if type(step) is not int or (kind != "idx" and step >= m.wave):
            raise Refused("the lane that the shuffle reads is not known")
        lane = thread % m.wave
        first = lane - lane % width
        source = {"idx": first + step % width, "up": lane - step, "down": lane + step, "xor": lane ^ step}[kind]
        inside = source >= first if kind == "up" else source < first + width
        results[thread] = held[thread - lane + (source if inside else lane)]
    return _as_type(instruction.type, gathered(m.state.active, results))


def _check_waves(m: Guarded) -> None:
    mask, guards = m.state.active.mask, m.standing.guards
    for first in range(0, m.state.threads, m.wave):
        there = mask[first : first + m.wave]
        if there.any() and not there.all():
            raise Refused("not all lanes of the wave take part in the shuffle")
        if there.any() and any(guards[thread] != guards[first] for thread in range(first, first + m.wave)):
            raise Refused("a condition on data decides which lanes take part in the shuffle")


# Memory


def _atomic(m: Guarded, instruction: Instruction, kind: str, values: list[Value]) -> Value | None:
    """Added up by address: the order of a block's atomics is nobody's business."""
    active, algebra = m.state.active, m.algebra
    addresses, operands = (listed(value, m.state.threads) for value in values)
    summed: dict[tuple[str, int, int], Scalar] = {}  # by the shared array, if it is one, the address and the condition
    called: set[tuple[int, int, int]] = set()
    before = m.memory.prints_of(addresses[thread] for thread in active.threads)
    for thread in active.threads:
        address, guard = addresses[thread], m.standing.guards[thread]
        value = algebra.under(operands[thread], guard)
        condition = hashed(guard.clauses)
        called.add((algebra.print(address), algebra.print(value), condition))
        array = m.memory.name_of(address)
        if array and m.memory.is_known(address):
            old = m.memory.load_one(thread, address, instruction.type)
            new = algebra.chosen(guard, _accumulated(kind, instruction, old, value), old)
            m.memory.store_one(thread, address, instruction.type, new)
        else:
            key = array, algebra.print(address if array else m.memory.outside(address)), condition
            taken = "Add" if kind == "Sub" else kind
            summed[key] = _accumulated(taken, instruction, summed[key], value) if key in summed else value
            algebra.print(summed[key])  # step by step: a sum of all threads is nested too deeply for one go
    totals: dict[str, set[int]] = {}
    for (array, place, condition), value in summed.items():
        totals.setdefault(array, set()).add(hashed(kind, place, condition, algebra.print(value)))
    for array, changes in totals.items():
        if array:
            m.memory.scatter(array, changes)
        else:
            m.memory.effect("atomic", kind, frozenset(changes))
    m.calls += 1
    whole = hashed("old", frozenset(called), before, m.calls)
    return each(active, lambda thread: Term("old", (whole, thread)), m.state.index)


def _accumulated(kind: str, one: Instruction, old: Scalar, value: Scalar) -> Scalar:
    if kind in ("Max", "Min"):
        return Term(kind.lower(), (old, value), _order(one))
    return Term({"Add": "add", "Sub": "sub"}.get(kind, kind.lower()), (old, value))


def _stranger(m: Guarded, instruction: Instruction, callee: str, name: str, values: list[Value]) -> Value | None:
    """A function of CUDA's; of the project's own, its body would have to be here."""
    if name in m.foreign:
        raise Refused(f"{name} is defined in another file or is a macro")
    if _OF_LANES.fullmatch(name):
        raise Refused(f"{name} depends on the number of lanes")
    method = _METHOD.match(callee)
    if callee.startswith("@_ZN") and not method:
        raise Refused(f"what {m.module.title(callee)} does is not known")
    vector = _VECTOR.fullmatch(name)
    if vector and len(values) == int(vector[1]) and instruction.type.kind == "struct":
        return tuple(values)
    threads = m.state.active.threads
    columns = [listed(m.memory.contents(value), m.state.threads) for value in values]
    if method and method["constructor"]:
        _constructed(m, method["name"][: int(method["length"])], callee, values, columns)
        return None
    rows = [tuple(m.algebra.print(column[thread]) for column in columns) for thread in threads]
    result: list[Any] = [None] * m.state.threads
    if (
        instruction.type.kind != "void"
        and not _OF_BLOCK.fullmatch(name)
        and not _may_change(m, instruction, callee, name, values)
    ):
        known: dict[tuple[int, ...], Term] = {}
        for thread, row in zip(threads, rows):
            result[thread] = known.setdefault(row, Term("call", row, callee))
        return _typed(m, instruction.type, gathered(m.state.active, result))
    m.calls += 1
    guards = [hashed(m.standing.guards[thread].clauses) for thread in threads]
    before = m.memory.prints_of(address for column in columns for address in column)
    whole = hashed("all", callee, frozenset(zip(rows, guards, threads)), before, m.calls)
    m.memory.effect("call", name, whole)
    for number, value in enumerate(values):
        m.memory.forget(value, whole, number)
    for thread in threads:
        result[thread] = Term("result", (whole, thread))
    return None if instruction.type.kind == "void" else _typed(m, instruction.type, gathered(m.state.active, result))


def _may_change(m: Guarded, one: Instruction, callee: str, name: str, values: list[Value]) -> bool:
    """May a function change memory, or read other memory than variables of the thread?"""
    pointers = [value for (kind, _), value in zip(one.operands, values) if kind.kind == "ptr"]
    if not all(m.memory.is_variable(value) for value in pointers):
        return True
    if callee.startswith("@_ZNK"):
        return False
    return bool(pointers) and (not callee.startswith("@_Z") or bool(_CHANGES_MEMORY.search(callee.partition(name)[2])))


def _constructed(m: Guarded, name: str, callee: str, values: list[Value], columns: list[list[Any]]) -> None:
    """An object of one of CUDA's numbers: a copy, or a function of the arguments."""
    size = m.module.type_named(f"%struct.{name}").size
    results: list[Any] = [None] * m.state.threads
    for thread in m.state.active.threads:
        arguments = tuple(column[thread] for column in columns[1:])
        results[thread] = arguments[0] if callee.endswith("ERKS_") else Term("call", arguments, callee)
    m.memory.store(values[0], Type("int", 8 * size), gathered(m.state.active, results))


def _typed(m: Guarded, type: Type, value: Value) -> Value:
    if type.kind not in ("struct", "array", "vector"):
        return value
    count = len(type.fields) if type.kind == "struct" else type.count
    return tuple(each(m.state.active, lambda v, n=n: Term("field", (v, n)), value) for n in range(count))
