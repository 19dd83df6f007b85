"""What the kernel's parameters are while it is executed: numbers that were chosen, pointers, and symbols for the rest."""

from __future__ import annotations

from collections.abc import Sequence

from porter.native.ir.kernel_arguments import Given
from porter.native.ir.module import Function
from porter.native.machine.values import GLOBAL, PARAMETER, Scalar, Term, joined, piece

__all__ = ["Parameters"]


class Parameters:
    def __init__(self, knows: Sequence[Given], arguments: Sequence[int | None]) -> None:
        """arguments: a number for each thing that the kernel is given, None for what is no whole number."""
        self._knows = knows
        self._arguments = arguments
        self._members = {(g.parameter, g.offset): number for number, g in enumerate(knows) if g.offset >= 0}

    def of_call(self, kernel: Function) -> list[Scalar]:
        """What the kernel is called with: its parameters, and the addresses of structures among them."""
        return [
            PARAMETER + (number << 32) if by_value is not None else self._one(number)
            for number, (_, _, by_value) in enumerate(kernel.parameters)
        ]

    def _one(self, number: int) -> Scalar:
        """What a parameter or a member of one is."""
        kind, argument = self._knows[number].kind, self._arguments[number]
        if kind.kind == "ptr":
            return GLOBAL * (number + 1)
        if argument is None or kind.kind != "int":
            return Term("parameter", (number,))
        return argument & (1 << kind.bits) - 1

    def member(self, parameter: int, offset: int, size: int) -> Scalar:
        """What lies in a parameter that is a structure."""
        parts: list[tuple[int, Scalar]] = []
        at = offset
        while at < offset + size:
            number = self._members.get((parameter, at))
            if number is None and parts:  # what lies between members
                after = next(
                    (n for n in range(at + 1, offset + size) if (parameter, n) in self._members), offset + size
                )
                parts.append((after - at, Term("undefined")))
                at = after
                continue
            if number is None or self._knows[number].by_value is not None:
                return Term("parameter", (parameter, offset, size))
            length = self._knows[number].kind.size
            parts.append((length, self._one(number)))
            at += length
        return joined(parts) if at == offset + size else piece(parts[0][1], parts[0][0], 0, size)

    def tensor_map(self, parameter: int, offset: int) -> int | None:
        """The number of a tensor map that is a parameter or a member of one."""
        if offset == 0 and self._knows[parameter].is_map:
            return parameter
        number = self._members.get((parameter, offset))
        return number if number is not None and self._knows[number].is_map else None
