"""Objects of namespace scope whose initialiser asks the runtime for a kernel or a symbol.

A file's kernels and symbols are registered after its objects of namespace scope are initialised, other than with nvcc.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.lexer import Kind, TokenFile, template_end
from porter.frontend.scopes import Function, Scopes, find_scopes
from porter.frontend.unit import Unit
from porter.passes.host.constant_symbol import TAKE_SYMBOLS
from porter.rules import RuleSet

__all__ = ["run"]

_RULE = "before-main"
# They take a kernel or a symbol by its address in host code, which the runtime looks up.
_LOOKED_UP = (
    "cudaFuncGetAttributes", "cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig",
    "cudaGetFuncBySymbol", "cudaLaunchCooperativeKernel", "cudaLaunchKernel", "cudaLaunchKernelEx", "cudaLaunchKernelExC",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaOccupancyMaxPotentialBlockSize", "<<<", *TAKE_SYMBOLS,
)  # fmt: skip
_NUMBERS = frozenset(
    "bool char short int long unsigned signed float double size_t int8_t int16_t int32_t int64_t uint8_t uint16_t "
    "uint32_t uint64_t std ::".split()
)
_MAKE = ("make_unique", "make_shared")
_STORAGE = frozenset({"static", "const"})
_BEFORE_USES = frozenset({"return", "case", "else", "do", "throw", "and", "or", "not"})
_WHY = "HIP registers kernels and symbols after objects of namespace scope are initialised"


@dataclass(frozen=True, slots=True)
class _Object:
    """`static int const name = initializer;` of namespace scope, by its tokens."""

    first: int
    name: int
    last: int  # its semicolon


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    files = (unit.file, *(source.tokens for source in unit.included))
    if not any(file.places(*_LOOKED_UP) for file in files):
        return []
    callers = _callers(files)
    objects = {found for call in _calls(unit.file, callers) if (found := _object(unit.file, call))}
    findings = {one.name: _finding(unit, one) for one in sorted(objects, key=lambda one: one.first)}
    for name in _constructed(unit, callers):
        findings.setdefault(name, _left(unit, name))
    return [finding for _, finding in sorted(findings.items())]


def _callers(files: Sequence[TokenFile]) -> frozenset[str]:
    """The runtime's functions that look something up, and the functions of these files that call one."""
    names, new = frozenset(_LOOKED_UP), frozenset(_LOOKED_UP)
    while new:
        around = (_around(find_scopes(file), call) for file in files for call in _calls(file, new))
        called = (function.name for function in around if function is not None)
        new = frozenset(name for name in called if name.isidentifier()) - names  # operators have no name to call
        names |= new
    return names


def _calls(file: TokenFile, names: frozenset[str]) -> Iterator[int]:
    for index in file.places(*names):
        followed = file.tokens[index + 1].text if index + 1 < len(file.tokens) else ""
        made = followed == ">" and file.tokens[index - 2].text in _MAKE  # std::make_unique<Device>()
        called = file.tokens[index].text == "<<<" or followed in ("(", "<", "{") or made
        if file.tokens[index].directive < 0 and called:
            yield index


def _constructed(unit: Unit, callers: frozenset[str]) -> Iterator[int]:
    """The names of objects of namespace scope whose class is called as one of these functions, its constructor, is."""
    tokens = unit.tokens
    for index in unit.file.places(*(callers - set(_LOOKED_UP))):
        name = template_end(unit.file, index + 1, len(tokens)) if unit.text(index + 1) == "<" else index + 1
        after = unit.text(name + 1)
        named = 0 < name < len(tokens) - 1 and tokens[name].kind == Kind.IDENT and tokens[index].directive < 0
        if (
            not named
            or after not in (";", "(", "{", "[", "=", ",", "::")
            or _outside_lambdas(unit.file, index) != index
        ):
            continue
        while unit.text(name + 1) == "::":  # a static member
            name += 2
        cursor = unit.ast.cursor(tokens[name].start) if unit.ast is not None else None
        if unit.text(name + 1) != "(" or (cursor is not None and cursor.kind.name == "VAR_DECL"):  # else a function
            yield name


def _around(scopes: Scopes, index: int) -> Function | None:
    """The function of host code around a token, which is no lambda."""
    function = scopes.at(index).function
    while function is not None and not function.name and function.first < index:
        index = function.first
        function = scopes.at(index).function
    return function if function is not None and function.name and not function.device else None


def _object(file: TokenFile, call: int) -> _Object | None:
    """The object of namespace scope in whose initialiser a call is."""
    tokens, first, equals = file.tokens, _outside_lambdas(file, call), -1
    if first < 0:
        return None
    while first > 0 and tokens[first - 1].directive < 0 and tokens[first - 1].text not in (";", "{", "}"):
        partner = file.partner(first - 1)
        first = partner if tokens[first - 1].text in (")", "]") and partner >= 0 else first - 1
        if tokens[first].text in ("(", "[") and partner > call:
            equals = -1  # a default of a parameter, or an argument
        elif tokens[first].text == "=":
            equals = first
    last = equals
    while 0 <= last < len(tokens) and tokens[last].text != ";":
        last = max(file.partner(last), last) + 1
    if equals <= first or last <= call or last >= len(tokens) or tokens[equals - 1].kind != Kind.IDENT:
        return None
    return _Object(first, equals - 1, last)


def _outside_lambdas(file: TokenFile, index: int) -> int:
    """The token, or the outermost lambda around it; -1 in functions and classes."""
    around = [k for k in file.places("{") if k < index < file.partner(k) and file.tokens[k].directive < 0]
    for opening in around:
        head = [token.text for token in file.tokens[max(0, opening - 8) : opening]]
        start = max((n + 1 for n, text in enumerate(head) if text in (";", "{", "}")), default=0)
        if {"namespace", "extern"} & set(head[start:]):
            continue
        before = opening - 1
        if file.tokens[before].text == ")":
            before = file.partner(before) - 1
        return file.partner(before) if file.tokens[before].text == "]" else -1
    return index


def _finding(unit: Unit, one: _Object) -> Finding:
    tokens, name = unit.tokens, unit.tokens[one.name]
    uses = _uses(unit, one)
    if not uses:
        return _left(unit, one.name)
    kind = " ".join(t.text for t in tokens[one.first : one.name] if t.text not in _STORAGE).replace(" :: ", "::")
    value = hole(tokens[one.name + 2].start, tokens[one.last - 1].end)
    text = f"static {kind} {name.text}() {{ static {kind} const value = {value}; return value; }}"
    edits = (
        Edit(tokens[one.first].start, tokens[one.last].end, text),
        *(Edit(tokens[k].end, tokens[k].end, "()") for k in uses),
    )
    message = f"{_WHY}: it is initialised at its first use; see that nothing needs it earlier"
    return Finding(_RULE, name.start, name.end, Safety.REVIEW, message, edits)


def _left(unit: Unit, name: int) -> Finding:
    message = f"{_WHY}, so its initialiser fails: make it a static variable of the function that needs it"
    return Finding(_RULE, unit.tokens[name].start, unit.tokens[name].end, Safety.LEFT, message)


def _uses(unit: Unit, one: _Object) -> list[int]:
    """Where functions read a number, if that is all that happens to it."""
    file, text = unit.file, unit.text(one.name)
    words = {token.text for token in file.tokens[one.first : one.name]}
    others = [source.tokens for source in unit.members if source.tokens is not file]
    if "const" not in words or not words - _STORAGE <= _NUMBERS or any(other.places(text) for other in others):
        return []
    uses = [k for k in file.places(text) if k > one.last]
    scopes = find_scopes(file)
    for k in uses:
        before = file.tokens[k - 1]
        declared = before.kind == Kind.IDENT and before.text not in _BEFORE_USES
        if declared or before.text in ("&", "*", "::", ".", "->") or scopes.at(k).function is None:
            return []
    return uses
