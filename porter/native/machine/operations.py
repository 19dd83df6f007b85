"""LLVM's instructions on numbers and symbols."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from porter.native.ir.module import Constant, Instruction, Operand, Type
from porter.native.machine.arithmetic import integer, mixed
from porter.native.machine.lanes import COMPARISONS, Many, compared, each, is_whole, listed, whole_numbers, widened
from porter.native.machine.loaded_values import Loaded, Value, joined_parts
from porter.native.machine.machine import Machine, Operation, Registers
from porter.native.machine.runtime_calls import call
from porter.native.machine.values import (
    GLOBAL,
    NULL,
    SHARED,
    Element,
    Refused,
    Scalar,
    Sum,
    Term,
    convert,
    element_address,
    signed,
)

__all__ = ["OPERATIONS"]


def _alloca(m: Machine, one: Instruction, r: Registers) -> Value:
    m.memory.top = -(-m.memory.top // 64) * 64
    at = m.memory.top
    m.memory.top += max(1, one.type.size)
    return at


def _load(m: Machine, one: Instruction, r: Registers) -> Value:
    kind = one.operands[0][0]
    address = m.value(one.operands[0], r)
    if kind.space == 3:
        address = _generic(address)
    elif type(address) is int:
        cell = m.memory.private.get(address)
        if cell is not None and cell[0] == one.type.size and _is_of(one.type, cell[1], m.state.active.all):
            return cell[1]
    return m.memory.load(address, one.type)


def _is_of(kind: Type, value: Value, by_all: bool) -> bool:
    """Is what lies in memory a value of this type as it is?"""
    whole = kind.kind == "ptr" or (kind.kind == "int" and kind.bits == 8 * kind.size)
    if type(value) is int:
        return whole
    if type(value) is Many:
        return whole and by_all and value.dtype != object
    return type(value) in _SYMBOLS or (type(value) is float and kind.kind == "float")


_SYMBOLS = frozenset((Term, Element, Sum))


def _generic(address: Value) -> Value:
    return address + (np.uint64(SHARED) if type(address) is Many else SHARED) if is_whole(address) else address


def _store(m: Machine, one: Instruction, r: Registers) -> None:
    address = m.value(one.operands[1], r)
    if one.operands[1][0].space == 3:
        address = _generic(address)
    m.memory.store(address, one.type, m.raw(one.operands[0], r))


def _gep(m: Machine, one: Instruction, r: Registers) -> Value:
    plan = m.plans.get(id(one))
    if plan is None:
        plan = m.plans[id(one)] = _plan(m, one)
    if plan:
        offset, steps = plan
        at = m.value(one.operands[0], r)
        if type(at) is int:
            at += offset
            for operand, bits, step in steps:
                index = m.value(operand, r)
                if type(index) is not int:
                    break
                at += signed(index, bits) * step
            else:
                return at
    values = [m.value(o, r) for o in one.operands]
    types = [t for t, _ in one.operands]
    if not any(type(v) is Many for v in values):
        return element_address(one.detail, types, values)
    # Addresses are sums of products: the parts that differ between threads are added to what is the same.
    same = [0 if type(v) is Many else v for v in values]
    at = element_address(one.detail, types, same)
    for number, (index_type, value) in enumerate(zip(types, values)):
        if type(value) is Many:
            if value.dtype == object:
                return each(m.state.active, lambda *v: element_address(one.detail, types, v), *values)
            step = 1 if number == 0 else _step(one.detail, number, [v for v in same if type(v) is int])
            many = value if number == 0 else widened(value, index_type.bits, (1 << 64) - 1)
            at = many * np.uint64(step) + (at if type(at) is Many else np.uint64(at & (1 << 64) - 1))
    return at


def _plan(m: Machine, one: Instruction) -> tuple[int, list[tuple[tuple[Type, Operand], int, int]]]:
    """What is added to the address in any case, and each other index with its bits and how far apart elements are."""
    values = [m.raw(o, {}) if isinstance(o[1], Constant) else 0 for o in one.operands[1:]]
    numbers = [v if type(v) is int else 0 for v in values]
    offset = element_address(one.detail, [t for t, _ in one.operands], [0, *numbers])
    steps = [
        (operand, operand[0].bits, _step(one.detail, number, [0, *numbers]))
        for number, operand in enumerate(one.operands)
        if number and not isinstance(operand[1], Constant)
    ]
    return offset, steps


def _step(base: Type, number: int, values: Sequence[int]) -> int:
    """How far apart elements are that the number-th index of a getelementptr counts."""
    kind = base
    for at in range(2, number + 1):
        kind = kind.member(values[at])
    return kind.size


def _cast(m: Machine, one: Instruction, r: Registers) -> Value:
    op, source, target = one.op, one.operands[0][0], one.type
    if op in ("sext", "trunc", "zext"):
        value = m.value(one.operands[0], r)
        if type(value) is int:
            return (signed(value, source.bits) if op == "sext" else value) & target.mask
    if op == "bitcast":
        same = _same_bytes(source, target, m.raw(one.operands[0], r))
        if same is not None:
            return same
    value = m.value(one.operands[0], r)
    if type(value) is Many and value.dtype != object:
        if op in ("trunc", "ptrtoint", "inttoptr"):
            bits = target.bits if op == "trunc" else 8 * target.size
            low: Many = value & np.uint64((1 << bits) - 1)
            return low
        if op == "zext":
            return value
        if op == "sext":
            return widened(value, source.bits, (1 << target.bits) - 1)
        if op == "addrspacecast":
            if source.space == 3 and target.space != 3:
                generic: Many = value + np.uint64(SHARED)
                return generic
            if target.space == 3 and source.space != 3:
                return np.where(value == 0, value, value - np.uint64(SHARED))
            return value
    if type(value) is tuple and any(type(v) is Many for v in value):
        if op == "bitcast":
            return each(m.state.active, lambda *v: convert(op, source, target, v), *value)
        kinds = source.fields[0], target.fields[0]
        return tuple(each(m.state.active, lambda v: convert(op, *kinds, v), part) for part in value)
    return each(m.state.active, lambda v: convert(op, source, target, v), value)


def _same_bytes(source: Type, target: Type, value: Value) -> Value | None:
    """What was loaded as another type; None where it is anything else."""
    parts = value if isinstance(value, tuple) else ()
    whole = joined_parts([(source.fields[0].size, v) for v in parts]) if parts else value
    inner = target.fields[0] if target.kind == "vector" else target
    if type(whole) is not Loaded or whole.size != target.size or whole.is_number(inner):
        return None
    if target.kind != "vector":
        return whole
    pieces = [whole.piece(at, inner.size) for at in range(0, target.size, inner.size)]
    known = tuple(piece for piece in pieces if piece is not None)
    return known if len(known) == len(pieces) else None


def _binary(m: Machine, one: Instruction, r: Registers) -> Value:
    return _worked_out(m, one.op, one.type, m.value(one.operands[0], r), m.value(one.operands[1], r))


def _worked_out(m: Machine, op: str, kind: Type, left: Value, right: Value) -> Value:
    if type(left) is int and type(right) is int:
        return integer(op, left, right, kind.bits)
    if type(left) is tuple and type(right) is tuple:
        return tuple(_worked_out(m, op, kind.fields[0], a, b) for a, b in zip(left, right))
    if not isinstance(left, (Many, tuple, Loaded)) and not isinstance(right, (Many, tuple, Loaded)):
        return mixed(op, kind, left, right)
    if is_whole(left) and is_whole(right):
        return whole_numbers(m.state.active, op, left, right, kind.bits)
    return each(
        m.state.active,
        lambda a, b: integer(op, a, b, kind.bits) if type(a) is int and type(b) is int else mixed(op, kind, a, b),
        left,
        right,
    )


def _compare(m: Machine, one: Instruction, r: Registers) -> Value:
    left, right = m.value(one.operands[0], r), m.value(one.operands[1], r)
    kind, predicate = one.operands[0][0], str(one.detail)
    bits = 8 * kind.size if kind.kind == "ptr" else kind.bits
    if (type(left) is Many or type(right) is Many) and is_whole(left) and is_whole(right):
        return compared(predicate, left, right, bits)
    return each(m.state.active, lambda a, b: _outcome(one.op, predicate, a, b, bits), left, right)


def _outcome(op: str, predicate: str, left: Scalar, right: Scalar, bits: int) -> Scalar:
    if op == "icmp" and type(left) is int and type(right) is int:
        for one, other in ((left, right), (right, left)):
            if other == 0 and one >= GLOBAL and one % GLOBAL == 0 and predicate in ("eq", "ne"):
                return Term("compare", (Term("parameter", (one // GLOBAL - 1,)), NULL), predicate)
        if predicate[0] == "s":
            left, right = signed(left, bits), signed(right, bits)
        return int(COMPARISONS[predicate[-2:]](left, right))
    if op == "fcmp" and type(left) is float and type(right) is float:
        if predicate[1:] in COMPARISONS and not (math.isnan(left) or math.isnan(right)):
            return int(COMPARISONS[predicate[1:]](left, right))
        if predicate in ("uno", "ord"):
            return int((math.isnan(left) or math.isnan(right)) == (predicate == "uno"))
    return Term("compare", (left, right), predicate)


def _select(m: Machine, one: Instruction, r: Registers) -> Value:
    condition = m.value(one.operands[0], r)
    if type(condition) is int:
        return m.raw(one.operands[1 if condition & 1 else 2], r)
    yes, no = m.value(one.operands[1], r), m.value(one.operands[2], r)
    if type(yes) is tuple or type(no) is tuple:
        yes, no = _threads(m, yes), _threads(m, no)
    return each(
        m.state.active,
        lambda c, a, b: (a if c & 1 else b) if type(c) is int else Term("select", (c, a, b)),
        condition,
        yes,
        no,
    )


def _threads(m: Machine, value: Value) -> Value:
    """An aggregate as one value for each thread."""
    if type(value) is not tuple:
        return value
    array = np.empty(len(m.state.active.mask), object)
    for thread, parts in enumerate(zip(*(listed(v, len(array)) for v in value))):
        array[thread] = parts
    return array


def _parts(value: Value) -> tuple[Value, ...]:
    if not isinstance(value, tuple):
        raise Refused("an aggregate that is a symbol")
    return value


def _extract(m: Machine, one: Instruction, r: Registers) -> Value:
    value = m.raw(one.operands[0], r)
    for index in one.detail:
        value = _parts(value)[index]
    return value


def _insert(m: Machine, one: Instruction, r: Registers) -> Value:
    return _inserted(m.raw(one.operands[0], r), m.raw(one.operands[1], r), one.detail)


def _inserted(whole: Value, new: Value, indices: tuple[int, ...]) -> Value:
    items = list(_parts(whole))
    items[indices[0]] = new if len(indices) == 1 else _inserted(items[indices[0]], new, indices[1:])
    return tuple(items)


def _of_vector(m: Machine, one: Instruction, r: Registers) -> Value:
    values = [m.raw(o, r) for o in one.operands]
    if one.op == "extractelement":
        if type(values[1]) is Many:
            return each(m.state.active, lambda v, at: v[at], _threads(m, values[0]), values[1])
        return _parts(values[0])[m.known(values[1])]
    if one.op == "insertelement":
        return _inserted(values[0], values[1], (m.known(values[2]),))
    both = (*_parts(values[0]), *_parts(values[1]))
    return tuple(both[i] if type(i) is int else Term("undefined") for i in _parts(values[2]))


def _unary(m: Machine, one: Instruction, r: Registers) -> Value:
    if one.op == "freeze":
        return m.raw(one.operands[0], r)
    value = m.value(one.operands[0], r)
    return each(m.state.active, lambda v: -v if type(v) is float else Term("fneg", (v,)), value)


def _nothing(m: Machine, one: Instruction, r: Registers) -> None:
    return None


def _refuse(m: Machine, one: Instruction, r: Registers) -> NoReturn:
    if one.op == "asm":
        raise Refused("inline assembly in the kernel")
    raise Refused("atomics in the kernel: tiles that blocks fetch from a queue, or sums that several blocks add to")


def _asm(m: Machine, one: Instruction, r: Registers) -> Value | None:
    """An empty text keeps a value where it is, or the compiler from moving something."""
    if one.detail != '""':
        _refuse(m, one, r)
    if one.type.kind == "void":
        return None
    values = [m.raw(o, r) for o in one.operands]
    return values[0] if one.type.kind != "struct" else tuple(values[: len(one.type.fields)])


OPERATIONS: dict[str, Operation] = {
    **dict.fromkeys("add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem".split(), _binary),
    **dict.fromkeys(
        "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast".split(), _cast
    ),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    **dict.fromkeys(("extractelement", "insertelement", "shufflevector"), _of_vector),
    **dict.fromkeys(("atomicrmw", "cmpxchg"), _refuse),
    **dict.fromkeys(("fneg", "freeze"), _unary),
    "alloca": _alloca, "load": _load, "store": _store, "getelementptr": _gep, "select": _select, "call": call,
    "extractvalue": _extract, "insertvalue": _insert, "fence": _nothing, "asm": _asm,
}  # fmt: skip
