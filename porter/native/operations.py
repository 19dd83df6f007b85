"""LLVM's instructions on numbers and symbols."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from porter.native.arithmetic import integer, mixed
from porter.native.ir import Instruction
from porter.native.library import call
from porter.native.values import SHARED, Refused, Term, convert, element_address, signed

if TYPE_CHECKING:
    from porter.native.machine import Machine

__all__ = ["OPERATIONS"]


def _alloca(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    m.top = -(-m.top // 64) * 64
    at = m.top
    m.top += max(1, one.type.size)
    return at


def _load(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    kind = one.operands[0][0]
    address = m.value(one.operands[0], r)
    if kind.space == 3 and type(address) is int:
        address += SHARED
    return m.load(address, one.type)


def _store(m: Machine, one: Instruction, r: dict[str, Any]) -> None:
    address = m.value(one.operands[1], r)
    if one.operands[1][0].space == 3 and type(address) is int:
        address += SHARED
    m.store(address, one.type, m.value(one.operands[0], r))


def _gep(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    values = [m.value(o, r) for o in one.operands]
    return element_address(one.detail, [t for t, _ in one.operands], values)


def _cast(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    return convert(one.op, one.operands[0][0], one.type, m.value(one.operands[0], r))


def _binary(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    left, right = m.value(one.operands[0], r), m.value(one.operands[1], r)
    if type(left) is int and type(right) is int:
        return integer(one.op, left, right, one.type.bits)
    return mixed(one.op, one.type, left, right)


_PREDICATES: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip


def _compare(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    left, right = m.value(one.operands[0], r), m.value(one.operands[1], r)
    predicate = str(one.detail)
    if one.op == "icmp" and type(left) is int and type(right) is int:
        if predicate[0] == "s":
            bits = 8 * one.operands[0][0].size if one.operands[0][0].kind == "ptr" else one.operands[0][0].bits
            left, right = signed(left, bits), signed(right, bits)
        return int(_PREDICATES[predicate[-2:]](left, right))
    if one.op == "fcmp" and type(left) is float and type(right) is float:
        if predicate[1:] in _PREDICATES and not (math.isnan(left) or math.isnan(right)):
            return int(_PREDICATES[predicate[1:]](left, right))
        if predicate in ("uno", "ord"):
            return int((math.isnan(left) or math.isnan(right)) == (predicate == "uno"))
    return Term("compare", (predicate, left, right))


def _select(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    condition = m.value(one.operands[0], r)
    if type(condition) is int:
        return m.value(one.operands[1] if condition & 1 else one.operands[2], r)
    return Term("select", (condition, m.value(one.operands[1], r), m.value(one.operands[2], r)))


def _extract(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    value = m.value(one.operands[0], r)
    for index in one.detail:
        value = value[index]
    return value


def _insert(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    return _inserted(m.value(one.operands[0], r), m.value(one.operands[1], r), one.detail)


def _inserted(whole: Any, new: Any, indices: tuple[int, ...]) -> Any:
    items = list(whole)
    items[indices[0]] = new if len(indices) == 1 else _inserted(items[indices[0]], new, indices[1:])
    return tuple(items)


def _of_vector(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    values = [m.value(o, r) for o in one.operands]
    if one.op == "extractelement":
        return values[0][m.known(values[1])]
    if one.op == "insertelement":
        return _inserted(values[0], values[1], (m.known(values[2]),))
    both = (*values[0], *values[1])
    return tuple(both[i] if type(i) is int else Term("undefined") for i in values[2])


def _unary(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    value = m.value(one.operands[0], r)
    if one.op == "freeze":
        return value
    return -value if type(value) is float else Term("fneg", (value,))


def _nothing(m: Machine, one: Instruction, r: dict[str, Any]) -> None:
    return None


def _refuse(m: Machine, one: Instruction, r: dict[str, Any]) -> None:
    what = {"atomicrmw": "atomics", "cmpxchg": "atomics", "asm": "inline assembly", "unreachable": "a trap"}[one.op]
    raise Refused(f"{what} in the kernel")


def _asm(m: Machine, one: Instruction, r: dict[str, Any]) -> Any:
    """An empty text keeps a value where it is, or the compiler from moving something."""
    if one.detail != '""':
        return _refuse(m, one, r)
    if one.type.kind == "void":
        return None
    values = [m.value(o, r) for o in one.operands]
    return values[0] if one.type.kind != "struct" else tuple(values[: len(one.type.fields)])


_Operation = Callable[["Machine", Instruction, "dict[str, Any]"], Any]
OPERATIONS: dict[str, _Operation] = {
    **dict.fromkeys("add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem".split(), _binary),
    **dict.fromkeys(
        "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast".split(), _cast
    ),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    **dict.fromkeys(("extractelement", "insertelement", "shufflevector"), _of_vector),
    **dict.fromkeys(("atomicrmw", "cmpxchg", "unreachable"), _refuse),
    **dict.fromkeys(("fneg", "freeze"), _unary),
    "alloca": _alloca, "load": _load, "store": _store, "getelementptr": _gep, "select": _select, "call": call,
    "extractvalue": _extract, "insertvalue": _insert, "fence": _nothing, "asm": _asm,
}  # fmt: skip
