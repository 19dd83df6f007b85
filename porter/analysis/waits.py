"""Barriers of libcu++ and mbarriers in PTX: do all threads of a kernel come to a wait together, or do warps have roles?

A wave that holds two CUDA warps can wait for a barrier as one where all its threads wait for the same barrier at the same
place. Anything else wants a wave for each warp (roles.py). Worked out from the tokens of one file; in doubt, warps have
roles. Such a wait stands under a condition that may differ between threads, after an exit under such a condition, or in
a lambda. A wait in a function counts by the function's calls, and where the file has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from porter.frontend.asm.statements import AsmStatement, find_asm
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.ptx import instructions, parse_ptx
from porter.frontend.scopes import Function
from porter.frontend.source_file import SourceFile

__all__ = ["asm_waits_apart", "waits_apart"]

_HEADERS = frozenset(
    {"cuda/barrier", "cuda/pipeline", "cuda/std/barrier", "cuda_awbarrier_primitives.h", "cuda_pipeline.h"}
)
_MEMBERS = frozenset(
    {"wait", "wait_parity", "arrive_and_wait", "try_wait_for", "try_wait_until", "try_wait_parity_for",
     "try_wait_parity_until", "consumer_wait", "consumer_wait_for", "consumer_wait_until", "producer_acquire"}
)  # fmt: skip
_FUNCTIONS = frozenset(
    {"__mbarrier_test_wait", "__mbarrier_test_wait_parity", "__mbarrier_try_wait", "__mbarrier_try_wait_parity"}
)
_WAYS_OUT = frozenset({"return", "break", "continue", "goto"})
_PLAIN = frozenset({"do", "try", "constexpr", ";", "{", "}", ":"})  # what stands before a block that all threads enter
_ASSIGNS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
# What is called in a condition and gives all threads the same; of everything else this cannot be told.
_UNIFORM = frozenset(
    {"if", "for", "while", "switch", "sizeof", "alignof", "int", "unsigned", "long", "bool", "size_t", "uint32_t", "int32_t",
     "uint64_t", "int64_t", "min", "max", "ceil_div", "cdiv", "size", "num_threads", "num_blocks", "group_index",
     "dim_threads", "dim_blocks", "dim3", "return", "assert", "__cvta_generic_to_shared", "asm", "__asm__", "volatile",
     "__volatile__"}
)  # fmt: skip
_MOVES = ("cvta.", "cvt.", "mov.", "selp.")
_OF_THE_LANE = ("%tid", "%laneid", "%warpid", "%lanemask")


def waits_apart(
    source: SourceFile, beside: Sequence[TokenFile], runs: Callable[[int], bool] = lambda index: True
) -> bool:
    """Whether threads may wait apart for barriers of libcu++ or of CUDA's primitives, where tokens[index] `runs`."""
    if not _HEADERS.intersection(source.includes) and b"__mbarrier_" not in source.data:
        return False
    file = source.tokens
    shared = any(t.text in ("barrier", "pipeline_shared_state") or t.text in _FUNCTIONS for t in file.tokens)
    if not shared:
        return False  # a pipeline of one thread waits for nobody
    reader = _Reader(source, beside)
    return any(reader.apart(index) for index in _waits(file) if runs(index))


def asm_waits_apart(source: SourceFile, waits: Sequence[AsmStatement], beside: Sequence[TokenFile]) -> bool:
    """Whether threads may wait apart at some of these asm statements, which wait for an mbarrier."""
    reader = _Reader(source, beside)
    return any(reader.apart(asm.first, which=(asm.first, asm.last)) for asm in waits)


def _waits(file: TokenFile) -> Iterator[int]:
    tokens = file.tokens
    for index, token in enumerate(tokens):
        if token.kind != Kind.IDENT or index + 1 >= len(tokens) or tokens[index + 1].text != "(":
            continue
        if token.text in _FUNCTIONS or (token.text in _MEMBERS and tokens[index - 1].text in (".", "->")):
            yield index


def _gives_all_the_same(asm: AsmStatement) -> bool:
    """Where something lies, and what all who wait for one barrier hear."""
    mnemonics = [i.mnemonic for i in instructions(parse_ptx(asm.text).statements)]
    alike = all(m.startswith((*_MOVES, "mbarrier.", "bra")) for m in mnemonics)
    return alike and not any(word in asm.text for word in _OF_THE_LANE)


class _Reader:
    """The functions of a file, and who calls them."""

    def __init__(self, source: SourceFile, beside: Sequence[TokenFile]) -> None:
        self._file, self._scopes = source.tokens, source.scopes
        self._bodies: dict[int, _Body | None] = {}  # by their first token; None while one is worked out
        self._alike: dict[str, bool] = {}  # by function: see gives_all_the_same
        self._asm = list(find_asm(self._file, beside))

    def apart(self, index: int, callees: tuple[int, ...] = (), which: tuple[int, int] | None = None) -> bool:
        """Of a wait, or of a call of a function that waits; the barrier is named by the tokens `which`."""
        function = self._scopes.at(index).function
        if function is None or not function.name or function.body[0] in callees:
            return True
        body = self._body(function)
        if body is None or body.apart(index, bool(callees), which):
            return True
        if function.kernel:
            return False
        calls = list(self._calls(function))
        return not calls or any(self.apart(k, (*callees, function.body[0])) for k, _ in calls)

    def gives_all_the_same(self, name: str) -> bool:
        """Is it a function of the file that makes the same of the same, whichever thread calls it?"""
        if name not in self._alike:
            self._alike[name] = False  # one that calls itself
            bodies = [f.body for f in self._scopes.functions if f.name == name and f.body[0] >= 0]
            self._alike[name] = bool(bodies) and all(self._is_alike(*body) for body in bodies)
        return self._alike[name]

    def _is_alike(self, first: int, last: int) -> bool:
        tokens = self._file.tokens
        for k in range(first, last):
            name = tokens[k].text
            if tokens[k].kind != Kind.IDENT:
                continue
            if name == "threadIdx" or name.startswith("atomic"):
                return False
            if tokens[k + 1].text == "(" and name not in _UNIFORM and not self.gives_all_the_same(name):
                return False
        return all(_gives_all_the_same(asm) for asm in self._asm if first < asm.first < last)

    def varying_by_asm(self, function: Function) -> set[str]:
        """Names that asm of a function gives values that may differ."""
        first, last = function.body
        places = [
            (operand.first, operand.last)
            for asm in self._asm
            if first < asm.first < last and not _gives_all_the_same(asm)
            for operand in asm.outputs
        ]
        tokens = self._file.tokens
        return {tokens[k].text for a, b in places for k in range(a, b) if tokens[k].kind == Kind.IDENT}

    def _body(self, function: Function) -> _Body | None:
        first = function.body[0]
        if first not in self._bodies:
            self._bodies[first] = None
            varying = set() if function.kernel else self._parameters(function)
            self._bodies[first] = _Body(self, self._file, function, varying)
        return self._bodies[first]

    def _parameters(self, function: Function) -> set[str]:
        """The variables that may differ between threads."""
        names: list[str] = []
        for first, last in self._file.arguments(function.params[0]):
            words = [t.text for t in self._file.tokens[first:last] if t.kind == Kind.IDENT]
            names.append(words[-1] if words else "")
        varying: set[str] = set()
        for index, opening in self._calls(function):
            caller = self._scopes.at(index).function
            body = self._body(caller) if caller is not None and caller.name else None
            for name, place in zip(names, self._file.arguments(opening)):
                if body is None or body.varies(*place):
                    varying.add(name)
        return varying

    def _calls(self, function: Function) -> Iterator[tuple[int, int]]:
        """Tokens of the name and of the opening bracket."""
        tokens = self._file.tokens
        for index, token in enumerate(tokens):
            if token.text != function.name or self._scopes.at(index).function is None:
                continue
            opening = index + 1
            if tokens[opening].text == "<":
                opening = next((k for k in range(opening, opening + 30) if tokens[k].text == "("), opening)
            if tokens[opening].text == "(":
                yield index, opening


class _Body:
    """What may differ between the threads in one function."""

    def __init__(self, reader: _Reader, file: TokenFile, function: Function, varying: set[str]) -> None:
        self._reader, self._file = reader, file
        self._first, self._last = function.body
        self._varying = {"threadIdx", *varying, *reader.varying_by_asm(function)}
        while self._spread():
            pass
        self._exits = [
            k for k in range(self._first, self._last) if self._text(k) in _WAYS_OUT and self._under_condition(k)
        ]

    def apart(self, index: int, a_call: bool, which: tuple[int, int] | None = None) -> bool:
        loop = self._outermost_loop(index)
        if any(k < index or loop[0] < k < loop[1] for k in self._exits):
            return True
        return self._under_condition(index) or (not a_call and self.varies(*(which or self._of_which(index))))

    def _text(self, index: int) -> str:
        return self._file.tokens[index].text

    def varies(self, first: int, last: int) -> bool:
        for k in range(first, last):
            token = self._file.tokens[k]
            if token.kind != Kind.IDENT:
                continue
            if token.text in self._varying:
                return True
            if self._text(k + 1) == "(" and token.text not in _UNIFORM:
                if not self._reader.gives_all_the_same(token.text):
                    return True
        return False

    def _spread(self) -> bool:
        """Names that get a value which varies, or get one where not all threads are."""
        before = len(self._varying)
        for k in range(self._first + 1, self._last):
            if self._text(k) not in _ASSIGNS and not (self._text(k) in "({" and self._declares(k)):
                continue
            name = k - 1
            while self._text(name) == "]":
                name = self._file.partner(name) - 1
            end = self._end(k) if self._text(k) in _ASSIGNS else self._file.partner(k)
            if self._file.tokens[name].kind == Kind.IDENT and (self.varies(k + 1, end) or self._under_condition(k)):
                self._varying.add(self._text(name))
        return len(self._varying) > before

    def _declares(self, index: int) -> bool:
        """`int lane(...)`, `auto x{...}`: an initialiser in brackets."""
        tokens = self._file.tokens
        return tokens[index - 1].kind == Kind.IDENT and tokens[index - 2].kind == Kind.IDENT

    def _end(self, index: int) -> int:
        """Past the expression that begins after index."""
        while index < self._last and self._text(index) not in (";", ")", "}"):
            index = self._past(index)
        return index

    def _past(self, index: int) -> int:
        """The token after this one, or after what it opens."""
        return max(index, self._file.partner(index) if self._text(index) in ("(", "{", "[") else index) + 1

    def _of_which(self, index: int) -> tuple[int, int]:
        """The barrier that a wait names: what stands before `.wait`, or the first argument."""
        if self._text(index) in _FUNCTIONS:
            return self._file.arguments(index + 1)[0]
        first = index - 2
        while first > self._first and (self._text(first) in ("]", ")") or self._text(first - 1) in (".", "->", "::")):
            first = self._file.partner(first) - 1 if self._text(first) in ("]", ")") else first - 2
        return first, index - 1

    def _around(self, index: int) -> Iterator[int]:
        """The keywords of the statements around a token, from the inside: `if`, `else`, `for`, `?`, ..."""
        k = index
        while k > self._first + 1:
            k -= 1
            text = self._text(k)
            if text in (")", "]", "}"):
                k = self._file.partner(k)
                if text == ")" and self._controls(k, index):
                    yield k - 1
            elif text == "{":
                at = k - 1
                if self._text(at) == ")":
                    at = self._file.partner(at) - 1
                yield at
                k = at
            elif text in ("else", "?", "&&", "||", "case") and self._same_statement(k, index):
                yield k

    def _controls(self, opening: int, index: int) -> bool:
        """`if (...) statement;` without braces, around index."""
        return self._text(opening - 1) in ("if", "for", "while", "switch") and self._same_statement(
            self._file.partner(opening), index
        )

    def _same_statement(self, first: int, index: int) -> bool:
        """Nothing between the two ends a statement: neither a semicolon nor a block."""
        k = first + 1
        while k < index:
            text = self._text(k)
            if text in (";", "}") or (k == first + 1 and text == "{"):
                return False
            k = self._past(k) if self._past(k) <= index else k + 1
        return True

    def _under_condition(self, index: int) -> bool:
        for k in self._around(index):
            word = self._text(k)
            if word in ("if", "for", "while", "switch"):
                if self.varies(k + 2, self._file.partner(k + 1)):
                    return True
            elif word in ("else", "?", "&&", "||", "case"):
                if word != "else" or self._else_varies(k):
                    return True
            elif word not in _PLAIN:
                return True  # a lambda, or what this does not know
        return False

    def _else_varies(self, index: int) -> bool:
        """Of the `if` that an else belongs to."""
        at = index - 1
        if self._text(at) == "}":
            at = self._file.partner(at) - 1
            if self._text(at) == ")":
                opening = self._file.partner(at)
                return self._text(opening - 1) != "if" or self.varies(opening + 1, at)
            if self._text(at) == "else":
                return self._else_varies(at)
        return True

    def _outermost_loop(self, index: int) -> tuple[int, int]:
        loop = (index, index)
        for k in self._around(index):
            if self._text(k) in ("for", "while", "do"):
                head = k if self._text(k) == "do" else self._file.partner(k + 1)
                body = head + 1
                loop = (k, self._file.partner(body) if self._text(body) == "{" else self._end(body))
        return loop
