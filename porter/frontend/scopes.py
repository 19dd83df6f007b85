"""Which function each token is in, and whether that function runs on the device.

Worked out from tokens, so that it holds in inactive `#ifdef` branches and in templates that nobody
instantiates, too.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from porter.frontend.lexer import Kind, Token, TokenFile

__all__ = ["Function", "Scope", "Scopes", "find_scopes"]

_DEVICE_MARKS = frozenset({"__global__", "__device__"})
_NOT_FUNCTIONS = frozenset(
    {"if", "for", "while", "switch", "catch", "return", "sizeof", "alignof", "decltype", "noexcept", "requires",
     "__launch_bounds__", "__attribute__", "__declspec", "alignas", "__align__", "asm", "static_assert",
     "__cluster_dims__", "__maxnreg__", "__block_size__"}
)  # fmt: skip
_TAIL_WORDS = frozenset({"const", "noexcept", "override", "final", "mutable", "volatile", "try"})


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    name_index: int  # token index of the name
    first: int  # first token of the declaration (return type, attributes)
    params: tuple[int, int]  # token indices of ( and )
    body: tuple[int, int]  # token indices of { and }; (-1, -1) for a declaration
    marks: frozenset[str]  # __global__, __device__, __host__

    @property
    def device(self) -> bool:
        return bool(self.marks & _DEVICE_MARKS)

    @property
    def kernel(self) -> bool:
        return "__global__" in self.marks


@dataclass(frozen=True, slots=True)
class Scope:
    function: Function | None
    device: bool
    unknown: bool = False  # neither host nor device can be told, e.g. a macro body


_OUTSIDE = Scope(None, False)
_MACRO = Scope(None, False, True)


class Scopes:
    def __init__(self, file: TokenFile, functions: list[Function]) -> None:
        self._file = file
        self.functions = functions
        self._bodies = sorted((f for f in functions if f.body[0] >= 0), key=lambda f: f.body[0])
        self._starts = [f.body[0] for f in self._bodies]
        self._depth: list[int] = []  # how many bodies enclose each
        ends: list[int] = []
        for function in self._bodies:
            while ends and ends[-1] < function.body[0]:
                ends.pop()
            self._depth.append(len(ends))
            ends.append(function.body[1])

    def at(self, index: int) -> Scope:
        """The innermost function around tokens[index]; a lambda inherits the side of the function it is in."""
        if index < len(self._file.tokens) and self._file.tokens[index].directive >= 0:
            return _MACRO
        inner: Function | None = None
        device = False
        # Bodies nest, so the enclosing ones are found by walking back from the last that begins before index.
        at = bisect.bisect_right(self._starts, index) - 1
        while at >= 0:
            function = self._bodies[at]
            if index <= function.body[1]:
                inner = inner or function
                device = device or function.device
                if function.marks:
                    break
            elif self._depth[at] == 0:
                break  # a function of its own that ended before index: nothing further back encloses it
            at -= 1
        return Scope(inner, device) if inner else _OUTSIDE


def find_scopes(file: TokenFile) -> Scopes:
    return Scopes(file, list(_functions(file)))


def _functions(file: TokenFile) -> list[Function]:
    tokens = file.tokens
    found: list[Function] = []
    begin = 0  # first token of the declaration being read
    index = 0
    size = len(tokens)
    while index < size:
        token = tokens[index]
        if token.directive >= 0:
            index += 1
            continue
        if token.kind == Kind.PUNCT:
            if token.text in (";", "{", "}"):
                begin = index + 1
            elif token.text == ":" and tokens[index - 1].text in ("public", "private", "protected"):
                begin = index + 1
            elif token.text == "(":
                function = _function_at(file, index, begin)
                if function is not None:
                    found.append(function)
                    # the body is scanned too: lambdas and local classes hold functions of their own
                    index = function.body[0] if function.body[0] >= 0 else function.params[1]
                    begin = index + 1
                elif file.partner(index) > index and not _lambda_inside(file, index):
                    index = file.partner(index)
        index += 1
    return found


def _lambda_inside(file: TokenFile, opening: int) -> bool:
    close = file.partner(opening)
    return any(file.tokens[k].text == "{" for k in range(opening, close))


def _function_at(file: TokenFile, opening: int, begin: int) -> Function | None:
    """The function whose parameter list opens at tokens[opening], if it is one."""
    tokens = file.tokens
    close = file.partner(opening)
    if close < 0 or opening == 0:
        return None
    before = tokens[opening - 1]
    is_lambda = before.text == "]"
    is_operator = before.text != "]" and any(
        tokens[k].text == "operator" for k in range(max(begin, opening - 3), opening)
    )
    if not (before.kind == Kind.IDENT or is_lambda or is_operator or before.text == ">"):
        return None
    if before.text in _NOT_FUNCTIONS:
        return None
    marks = {tokens[k].text for k in range(begin, opening) if tokens[k].text.startswith("__")}
    index = close + 1
    size = len(tokens)
    while index < size:
        text = tokens[index].text
        if tokens[index].directive >= 0 or text in _TAIL_WORDS or text in ("&", "&&"):
            index += 1
        elif text in ("__device__", "__host__"):  # lambda: [] __device__ (int x) {...} or (...) __device__ {
            marks.add(text)
            index += 1
        elif text in ("noexcept", "__attribute__", "__launch_bounds__", "requires") and _is(tokens, index + 1, "("):
            index = file.partner(index + 1) + 1
        elif text == "(" and tokens[index - 1].text in ("noexcept", "__attribute__", "__launch_bounds__"):
            index = file.partner(index) + 1 if file.partner(index) > 0 else size
        elif text == "->":
            index += 1
            while index < size and tokens[index].text not in ("{", ";", "="):
                index += 1
        elif text == ":" and not is_lambda:
            index = _skip_initialisers(file, index + 1)
        elif text == "{":
            end = file.partner(index)
            if end < 0:
                return None
            kept = frozenset(m for m in marks if m in ("__global__", "__device__", "__host__"))
            if is_lambda:
                kept = frozenset(m for m in kept if m != "__global__")
            return Function(before.text, opening - 1, begin, (opening, close), (index, end), kept)
        elif text == ";" and marks & (_DEVICE_MARKS | {"__host__"}) and not is_lambda:
            kept = frozenset(m for m in marks if m in ("__global__", "__device__", "__host__"))
            return Function(before.text, opening - 1, begin, (opening, close), (-1, -1), kept)
        else:
            return None
    return None


def _is(tokens: Sequence[Token], index: int, text: str) -> bool:
    return index < len(tokens) and tokens[index].text == text


def _skip_initialisers(file: TokenFile, index: int) -> int:
    """Past a constructor's `: a(1), b{2}`, at the `{` of its body."""
    tokens = file.tokens
    while index < len(tokens):
        text = tokens[index].text
        if text in ("(", "["):
            index = file.partner(index) + 1 if file.partner(index) > 0 else len(tokens)
        elif text == "{":
            if tokens[index - 1].kind == Kind.IDENT or tokens[index - 1].text == ">":
                close = file.partner(index)
                if close > 0 and (_is(tokens, close + 1, ",") or _is(tokens, close + 1, "{")):
                    index = close + 1
                    continue
            return index
        elif text == ";":
            return index
        else:
            index += 1
    return index
