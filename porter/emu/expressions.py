"""The expressions over `.set` symbols that clang writes into assembly."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

__all__ = ["ExpressionError", "evaluate"]


class ExpressionError(Exception):
    """An expression that cannot be evaluated; the text says why."""


def evaluate(text: str, values: Mapping[str, str]) -> int:
    """The number that `text` stands for; `values` are the symbols' own expressions."""
    return _Expression(values, text).value()


class _Expression:
    """`max(3, f.num_vgpr)`, `or(0, x)`, `4+alignto(a, 8)`: what clang writes for registers of kernels with calls."""

    _TOKEN = re.compile(r"\s*(0x[0-9a-fA-F]+|\d+|[A-Za-z_.$][\w.$]*|<<|>>|&&|\|\||[<>=!]=|[-+*/%&|^~!<>(),])")

    def __init__(self, values: Mapping[str, str], text: str, depth: int = 0) -> None:
        self.values = values
        self.text = text
        self.depth = depth
        if depth > 200:
            raise ExpressionError(f"the expression {text!r} refers to itself")
        self.tokens = self._TOKEN.findall(text)
        self.at = 0

    def value(self) -> int:
        result = self._binary(0)
        if self.at != len(self.tokens):
            raise ExpressionError(f"cannot evaluate {self.text!r}")
        return result

    _LEVELS = (
        ("||",),
        ("&&",),
        ("|",),
        ("^",),
        ("&",),
        ("==", "!=", "<", ">", "<=", ">="),
        ("<<", ">>"),
        ("+", "-"),
        ("*", "/", "%"),
    )

    def _binary(self, level: int) -> int:
        if level == len(self._LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self.at < len(self.tokens) and self.tokens[self.at] in self._LEVELS[level]:
            operator = self.tokens[self.at]
            self.at += 1
            right = self._binary(level + 1)
            left = _OPERATORS[operator](left, right)
        return left

    def _unary(self) -> int:
        token = self.tokens[self.at] if self.at < len(self.tokens) else ""
        self.at += 1
        if token in ("-", "~", "!"):
            inner = self._unary()
            return -inner if token == "-" else ~inner if token == "~" else int(not inner)
        if token == "(":
            inner = self._binary(0)
            self.at += 1
            return inner
        if token[:1].isdigit():
            return int(token, 0)
        if self.at < len(self.tokens) and self.tokens[self.at] == "(":
            return self._call(token)
        if token not in self.values:
            raise ExpressionError(f"{token or self.text!r} has no value")
        return _Expression(self.values, self.values[token], self.depth + 1).value()

    def _call(self, name: str) -> int:
        self.at += 1
        arguments = []
        while self.tokens[self.at] != ")":
            arguments.append(self._binary(0))
            if self.tokens[self.at] == ",":
                self.at += 1
        self.at += 1
        if name == "max":
            return max(arguments)
        if name == "or":
            total = 0
            for argument in arguments:
                total |= argument
            return total
        if name == "alignto":
            return -(-arguments[0] // arguments[1]) * arguments[1]
        if name == "totalnumvgprs":
            agprs, vgprs = arguments
            return -(-vgprs // 4) * 4 + agprs if agprs else max(vgprs, 1)
        raise ExpressionError(f"{name}() is not known")


_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": int.__add__, "-": int.__sub__, "*": int.__mul__, "/": int.__floordiv__, "%": int.__mod__,
    "&": int.__and__, "|": int.__or__, "^": int.__xor__, "<<": int.__lshift__, ">>": int.__rshift__,
    "&&": lambda a, b: int(bool(a and b)), "||": lambda a, b: int(bool(a or b)),
    "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b), ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b), ">=": lambda a, b: int(a >= b),
}  # fmt: skip
