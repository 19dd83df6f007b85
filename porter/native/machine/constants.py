"""Constants of a module: operands that are no registers, the addresses of its variables, and what those begin with."""

from __future__ import annotations

from porter.native.ir.module import Module, Operand, Register, Type, Unread
from porter.native.machine.arithmetic import integer
from porter.native.machine.values import (
    MODULE,
    One,
    Scalar,
    Term,
    bits_of,
    convert,
    element_address,
    filled,
    joined,
    piece,
    zero,
)

__all__ = ["Constants"]


class Constants:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._shared: dict[str, int] = {}  # addresses of shared variables
        self._bases: dict[str, int] = {}  # and of others
        self._next_shared = 0x100

    def value(self, kind: Type, one: Operand) -> One:
        if isinstance(one, Register):
            raise Unread("a register among constants")
        if one.kind == "int":
            return int(one.value) & (1 << kind.bits) - 1
        if one.kind == "float":
            return float(one.value)
        if one.kind == "zero":
            return zero(kind)
        if one.kind == "undef":
            return filled(kind, Term("undefined"))
        if one.kind == "global":
            return self.address(str(one.value))
        if one.kind == "list":
            return tuple(self.value(t, v) for t, v in one.parts)
        if one.kind == "cast":
            ((source, inner),) = one.parts
            op, target = one.value
            return convert(op, source, target, self.value(source, inner))
        if one.kind == "arithmetic":
            left, right = (self.value(t, v) for t, v in one.parts)
            if type(left) is not int or type(right) is not int:
                raise Unread("arithmetic of constants that are no whole numbers")
            return integer(str(one.value), left, right, kind.bits)
        if one.kind == "element":
            values = [self.value(t, v) for t, v in one.parts]
            return element_address(one.value, [t for t, _ in one.parts], values)
        raise Unread(one.kind)

    def address(self, name: str) -> int:
        """Of a global variable, in its own address space."""
        known = self._module.globals.get(name)
        if known is None:
            return MODULE - 1  # a function's address
        if known.space == 3:
            if name not in self._shared:
                size = known.type.size
                self._shared[name] = -(-self._next_shared // 1024) * 1024
                self._next_shared = self._shared[name] + (size or 1 << 20)
            return self._shared[name]
        if name not in self._bases:
            self._bases[name] = MODULE + (len(self._bases) + 1 << 32)
        return self._bases[name]

    def initial(self, address: int, kind: Type) -> One:
        """What a constant of the module holds."""
        for name, base in self._bases.items():
            known = self._module.globals[name]
            if base <= address < base + max(1, known.type.size):
                constant = self._module.initialiser(name)
                if constant is None:
                    break
                return _part(constant[0], self.value(constant[0], constant[1]), address - base, kind.size)
        return Term("variable", (address,))


def _part(kind: Type, value: One, at: int, size: int) -> One:
    """`size` bytes of a constant."""
    if kind.kind not in ("array", "struct", "vector"):
        return value if isinstance(value, tuple) or at + size > kind.size else piece(value, kind.size, at, size)
    if type(value) is not tuple:
        return Term("undefined")
    count = kind.count if kind.kind != "struct" else len(kind.fields)
    parts: list[tuple[int, Scalar]] = []
    index = max(i for i in range(count) if kind.offset(i) <= at)
    while size and index < count:
        member, begin = kind.member(index), at - kind.offset(index)
        length = min(size, member.size - begin)
        part = _part(member, value[index], begin, length)
        if length == size and not parts:
            return part
        if isinstance(part, tuple) or length <= 0:
            return Term("undefined")
        parts.append((length, part))
        at, size, index = at + length, size - length, index + 1
    return joined([(n, bits_of(v, n) if type(v) is float else v) for n, v in parts]) if not size else Term("undefined")
