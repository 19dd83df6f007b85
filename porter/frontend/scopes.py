"""Which function each token is in, and whether that function runs on the device.

Worked out from tokens, so that it holds in inactive `#ifdef` branches and in templates that nobody
instantiates, too.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from porter.frontend.lexer import Kind, Token, TokenFile, template_begin
from porter.frontend.once import once_per_file

__all__ = ["Function", "Scope", "Scopes", "find_scopes", "kernel_macros", "macros_for_kernels", "scopes_with"]

_DEVICE_MARKS = frozenset({"__global__", "__device__"})
_MARKS = _DEVICE_MARKS | {"__host__"}
_NO_MARKS: frozenset[str] = frozenset()
_NOT_FUNCTIONS = frozenset(
    {"if", "for", "while", "switch", "catch", "return", "sizeof", "alignof", "decltype", "noexcept", "requires",
     "constexpr", "consteval", "__launch_bounds__", "__attribute__", "__declspec", "alignas", "__align__", "asm", "static_assert",
     "__cluster_dims__", "__maxnreg__", "__block_size__"}
)  # fmt: skip
_BEFORE_CONDITION = frozenset({"if", "else", "for", "while", "switch"})
# What stands in their brackets belongs to the declaration: __launch_bounds__(decltype(size(Tile{}))::value)
_OF_DECLARATIONS = frozenset(
    {"decltype", "noexcept", "__launch_bounds__", "__attribute__", "__declspec", "alignas", "__align__", "__cluster_dims__",
     "__maxnreg__", "__block_size__"}
)  # fmt: skip
_TAIL_WORDS = frozenset({"const", "noexcept", "override", "final", "mutable", "volatile", "try"})


@dataclass(frozen=True, slots=True)
class Function:
    name: str  # "" for a lambda
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


@once_per_file
def find_scopes(file: TokenFile) -> Scopes:
    return Scopes(file, list(_functions(file)))


@once_per_file
def kernel_macros(file: TokenFile) -> Mapping[str, frozenset[str]]:
    """`#define KERNEL __global__ static`: macros of a file that make kernels, with the marks that they stand for."""
    return {name: marks for name, marks in _mark_macros(file).items() if "__global__" in marks}


def macros_for_kernels(files: Iterable[TokenFile]) -> dict[str, frozenset[str]]:
    """Those macros of several files."""
    return {name: marks for file in files for name, marks in kernel_macros(file).items()}


def scopes_with(file: TokenFile, macros: Mapping[str, frozenset[str]]) -> Scopes:
    """The functions of a file whose kernels macros of other files may mark."""
    used = {name: marks for name, marks in macros.items() if file.places(name)}
    return Scopes(file, list(_functions(file, used))) if used.keys() - kernel_macros(file).keys() else find_scopes(file)


def _mark_macros(file: TokenFile) -> dict[str, frozenset[str]]:
    """`#define HD __host__ __device__`: macros that stand for marks, in this file."""
    tokens = file.tokens
    by_name: dict[str, frozenset[str]] = {}
    for directive in file.directives:
        first, last = directive.first, directive.last
        if directive.name != "define" or last - first < 2:
            continue
        if tokens[first + 1].text == "(" and tokens[first + 1].start == tokens[first].end:
            continue
        if any(t.kind == Kind.PUNCT and t.text not in "()" for t in tokens[first + 1 : last]):
            continue  # more than marks and attributes: a whole function, say
        marks = frozenset[str]().union(
            *(by_name.get(t.text, _NO_MARKS) | ({t.text} & _MARKS) for t in tokens[first + 1 : last])
        )
        if marks:  # the other definition, for host compilers, is empty
            by_name[tokens[first].text] = by_name.get(tokens[first].text, _NO_MARKS) | marks
    return by_name


class _Marks:
    """Which marks stand between two tokens; macros for them count, the preprocessor's own lines do not."""

    def __init__(self, file: TokenFile, more: Mapping[str, frozenset[str]]) -> None:
        macros: Mapping[str, frozenset[str]] = {**more, **_mark_macros(file)}
        self._at: list[int] = []
        self._marks: list[frozenset[str]] = []
        for index, token in enumerate(file.tokens):
            if token.kind == Kind.IDENT and token.directive < 0:
                marks = macros.get(token.text) or ({token.text} & _MARKS)
                if marks:
                    self._at.append(index)
                    self._marks.append(frozenset(marks))

    def between(self, first: int, last: int) -> set[str]:
        low, high = bisect.bisect_left(self._at, first), bisect.bisect_left(self._at, last)
        return set[str]().union(*self._marks[low:high])

    def of(self, index: int) -> set[str]:
        return self.between(index, index + 1)


def _functions(file: TokenFile, macros: Mapping[str, frozenset[str]] = MappingProxyType({})) -> list[Function]:
    tokens = file.tokens
    marks = _Marks(file, macros)
    functions: list[Function] = []
    begin = 0  # first token of the declaration being read
    index = 0
    size = len(tokens)
    while index < size:
        token = tokens[index]
        if token.directive >= 0:
            begin = index + 1 if begin == index else begin
            index += 1
            continue
        if token.kind == Kind.PUNCT:
            if token.text in (";", "{", "}"):
                begin = index + 1
            elif token.text == ":" and tokens[index - 1].text in ("public", "private", "protected"):
                begin = index + 1
            elif token.text == "(":
                function = _function_at(file, index, begin, marks)
                if function is not None:
                    functions.append(function)
                    # the body is scanned too: lambdas and local classes hold functions of their own
                    index = function.body[0] if function.body[0] >= 0 else function.params[1]
                    begin = index + 1
                elif file.partner(index) > index and (
                    tokens[index - 1].text in _OF_DECLARATIONS or not _lambda_inside(file, index)
                ):
                    index = file.partner(index)
        index += 1
    return functions


def _lambda_inside(file: TokenFile, opening: int) -> bool:
    close = file.partner(opening)
    return any(file.tokens[k].text == "{" for k in range(opening, close))


def _function_at(file: TokenFile, opening: int, begin: int, marks: _Marks) -> Function | None:
    """The function whose parameter list opens at tokens[opening], if it is one."""
    tokens = file.tokens
    close = file.partner(opening)
    if close < 0 or opening == 0:
        return None
    before = tokens[opening - 1]
    introducer = opening - 1  # of a lambda: [] __device__ (int x) {...}
    while introducer > begin and marks.of(introducer):
        introducer -= 1
    named = _name_before(file, introducer)
    is_lambda = tokens[named].text == "]"
    if not is_lambda and not _may_be_called(tokens, opening, begin):
        return None
    if before.text in _NOT_FUNCTIONS or (opening > 1 and tokens[opening - 2].text in _BEFORE_CONDITION):
        return None  # `if CONSTEXPR (condition) {`
    # a lambda's marks follow its introducer; what stands before that belongs to the statement around it
    tail = _tail(file, close + 1, marks if is_lambda else None)
    kept = marks.between(introducer if is_lambda else begin, opening) | tail.marks
    what = tokens[tail.end].text if tail.end < len(tokens) else ""
    if what == "{":
        name, body = "" if is_lambda else tokens[named].text, (tail.end, file.partner(tail.end))
        if body[1] < 0:
            return None
    elif what == ";" and kept and not is_lambda and _may_be_declared(tokens, named):
        name, body = tokens[named].text, (-1, -1)
    else:
        return None
    first = _declaration_start(file, begin, named)
    return Function(name, named, first, (opening, close), body, frozenset(kept))


def _name_before(file: TokenFile, last: int) -> int:
    """The name that tokens[last] is, or is the end of the template arguments of: `f` of `f<int>(`, `]` of `[]<class T>(`."""
    if file.tokens[last].text not in _ENDS_ARGUMENTS or file.tokens[last - 1].text == "operator":
        return last
    begin = template_begin(file, last)
    return begin if file.tokens[begin].kind == Kind.IDENT or file.tokens[begin].text == "]" else last


def _may_be_called(tokens: Sequence[Token], opening: int, begin: int) -> bool:
    """Is there a name before the parameters, `operator` and its sign, or a template's arguments?"""
    before = tokens[opening - 1]
    if before.kind == Kind.IDENT or before.text in _ENDS_ARGUMENTS:
        return True
    return any(tokens[k].text == "operator" for k in range(max(begin, opening - 3), opening))


_ENDS_ARGUMENTS = frozenset({">", ">>"})
_WITH_BRACKETS = frozenset({"noexcept", "__attribute__", "__launch_bounds__"})


@dataclass(frozen=True, slots=True)
class _Tail:
    end: int  # the first token that is no part of it
    marks: frozenset[str]


def _tail(file: TokenFile, index: int, lambda_marks: _Marks | None) -> _Tail:
    """What may stand between a function's parameters and its body: qualifiers, its type, initialisers; a lambda's marks."""
    tokens = file.tokens
    size = len(tokens)
    kept: set[str] = set()
    while index < size:
        text = tokens[index].text
        if tokens[index].directive >= 0 or text in _TAIL_WORDS or text in ("&", "&&"):
            index += 1
        elif lambda_marks is not None and lambda_marks.of(index):  # [](int x) __device__ {...}
            kept |= lambda_marks.of(index)
            index += 1
        elif (text in _WITH_BRACKETS or text == "requires") and _is(tokens, index + 1, "("):
            index = file.partner(index + 1) + 1
        elif text == "(" and tokens[index - 1].text in _WITH_BRACKETS:
            index = file.partner(index) + 1 if file.partner(index) > 0 else size
        elif text == "->":
            index += 1
            while index < size and tokens[index].text not in ("{", ";", "="):
                index += 1
        elif text == ":" and lambda_marks is None:
            index = _skip_initialisers(file, index + 1)
        else:
            break
    return _Tail(index, frozenset(kept))


_BEGINS = frozenset({"template", "__global__", "__device__", "__host__", "static", "inline", "extern"})


def _declaration_start(file: TokenFile, begin: int, name: int) -> int:
    """Where the declaration of tokens[name] begins: after the preprocessor's lines, and after a macro call that
    stands on lines of its own without a semicolon, `DEFINE_KERNEL(square)`."""
    tokens = file.tokens
    first = index = begin
    while index < name:
        token = tokens[index]
        if token.directive >= 0:
            begun = any(one.text in _BEGINS for one in tokens[first:index])
            after = _past_condition(file, token.directive) if begun else -1
            if first < index < after <= name:  # `template <int> __global__`, and an attribute by a condition
                index = after
                continue
            first = index + 1
        elif token.text == "(" and begin < index < file.partner(index) < name:
            close = file.partner(index)
            called = tokens[index - 1]
            own_line = file.position(tokens[close].start)[0] < file.position(tokens[close + 1].start)[0]
            if index - 1 == first and called.kind == Kind.IDENT and own_line and called.text not in _NOT_FUNCTIONS:
                first = close + 1
            index = close
        index += 1
    return first


def _past_condition(file: TokenFile, number: int) -> int:
    """The first token past the #endif of a directive that begins a condition; -1 for others."""
    depth = 0
    for directive in file.directives[number:]:
        depth += directive.name.startswith("if")
        depth -= directive.name == "endif"
        if depth == 0:
            return directive.last if directive.name == "endif" else -1
    return -1


def _may_be_declared(tokens: Sequence[Token], name: int) -> bool:
    """`T f(int);` and not the call in `T x = f(1);`"""
    before = tokens[name - 1] if name else None
    return before is not None and (before.kind == Kind.IDENT or before.text in ("*", "&", "&&", ">", "::"))


def _is(tokens: Sequence[Token], index: int, text: str) -> bool:
    return index < len(tokens) and tokens[index].text == text


_IN_INITIALISERS = frozenset({"::", "<", ">", ">>", ",", "...", "*", "&"})  # besides names and what is in brackets


def _skip_initialisers(file: TokenFile, index: int) -> int:
    """Past a constructor's `: a(1), b{2}`, at the `{` of its body; past the end where it is none, as in `c ? f(x) : y`."""
    tokens = file.tokens
    while index < len(tokens):
        token = tokens[index]
        if token.directive >= 0:
            index += 1
        elif token.text in ("(", "["):
            index = file.partner(index) + 1 if file.partner(index) > 0 else len(tokens)
        elif token.text == "{":
            if tokens[index - 1].kind == Kind.IDENT or tokens[index - 1].text == ">":
                after = file.partner(index) + 1
                while 0 < after < len(tokens) and tokens[after].directive >= 0:
                    after += 1
                if after > 0 and (_is(tokens, after, ",") or _is(tokens, after, "{")):
                    index = after
                    continue
                return len(tokens)  # `c ? f(x) : T{};`
            return index
        elif token.kind == Kind.PUNCT and token.text not in _IN_INITIALISERS:
            return len(tokens)
        else:
            index += 1
    return index
