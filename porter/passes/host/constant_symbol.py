"""Constants of device code that host code names as symbols: clang gives a plain `__device__ const` no symbol."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["TAKE_SYMBOLS", "run"]

_RULE = "constant-symbol"
_MESSAGE = (
    "clang keeps a constant of device code without a symbol, which the runtime is asked for: it is __constant__, too"
)
TAKE_SYMBOLS = (  # functions of the runtime
    "cudaGetSymbolAddress", "cudaGetSymbolSize", "cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync", "cudaMemcpyToSymbol",
    "cudaMemcpyToSymbolAsync",
)  # fmt: skip


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if not unit.file.places("__device__"):
        return []
    named = {name for source in unit.members for name in _named(source.tokens)} | _named(unit.file)
    findings: list[Finding] = []
    for index in unit.file.places("__device__"):
        words = _declaration(unit.file, index) if named and unit.tokens[index].directive < 0 else []
        if words and words[-1] in named and {"const", "constexpr"} & set(words) and "__constant__" not in words:
            token = unit.tokens[index]
            edit = Edit(token.end, token.end, " __constant__")
            findings.append(Finding(_RULE, token.start, token.end, Safety.EXACT, _MESSAGE, (edit,)))
    return findings


def _named(file: TokenFile) -> set[str]:
    """The variables that calls of the runtime name as symbols."""
    return {
        file.tokens[first].text
        for call in file.places(*TAKE_SYMBOLS)
        if call + 1 < len(file.tokens) and file.tokens[call + 1].text == "("
        for first, last in file.arguments(call + 1)
        if last == first + 1 and file.tokens[first].kind == Kind.IDENT
    }


def _declaration(file: TokenFile, index: int) -> list[str]:
    """The words of a variable's declaration, its name last; none of a function's."""
    tokens, first, last = file.tokens, index, index
    while first > 0 and tokens[first - 1].kind == Kind.IDENT and tokens[first - 1].directive < 0:
        first -= 1
    while last < len(tokens) and tokens[last].text not in ("=", ";", "{", "(", "["):
        last += 1
    if last == len(tokens) or tokens[last].text == "(":
        return []
    return [token.text for token in tokens[first:last]]
