"""The warp's size: warpSize in device code and in the device properties.

With --warp 64 too: what widen.py widened it has claimed, and the rest keeps its 32 lanes.
"""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for index, token in enumerate(unit.tokens):
        if token.text != "warpSize" or token.kind != Kind.IDENT:
            continue
        finding = _member(unit, index) if unit.is_member(index) else _builtin(unit, index)
        if finding is not None:
            findings.append(finding)
    return findings


def _builtin(unit: Unit, index: int) -> Finding | None:
    token = unit.tokens[index]
    if unit.is_user_symbol(index) or _declared_here(unit, index):
        return None
    message = f"warpSize is {unit.chip.wave} on {unit.chip.target}; the logical warps of the port have 32 lanes"
    return Finding("warp-size", token.start, token.end, Safety.EXACT, message, (Edit(token.start, token.end, "32"),))


def _declared_here(unit: Unit, index: int) -> bool:
    """A variable or parameter of that name around the use, for what the AST did not resolve."""
    function = unit.scope(index).function
    if function is None:
        return unit.tokens[index - 1].kind == Kind.IDENT if index else False
    for k in range(function.params[0], function.body[1] if function.body[1] > 0 else function.params[1]):
        if unit.text(k) == "warpSize" and k > 0 and unit.tokens[k - 1].kind == Kind.IDENT and unit.text(k - 1) not in (
            "return", "case", "else"
        ):  # fmt: skip
            return True
    return False


def _member(unit: Unit, index: int) -> Finding | None:
    """`prop.warpSize`, where prop is CUDA's cudaDeviceProp and not a struct of the project."""
    if unit.is_user_symbol(index):
        return None
    first = index - 2
    while first > 0:
        if unit.text(first) in ("]", ")"):
            first = unit.file.partner(first) - 1 if unit.file.partner(first) > 0 else first - 1
        elif unit.text(first - 1) in (".", "->", "::"):
            first -= 2
        else:
            break
    if unit.text(first - 1) in ("&",) and unit.text(first - 2) in ("(", ",", "="):
        return None  # its address is taken: a constant has none
    if unit.text(index + 1) in ("=", "+=", "-=", "++", "--") and unit.text(index + 1) != "==":
        return None
    start, end = unit.tokens[first].start, unit.tokens[index].end
    message = f"the properties' warpSize is {unit.chip.wave} on {unit.chip.target}; the logical warps of the port have 32 lanes"
    return Finding("warp-size", start, end, Safety.EXACT, message, (Edit(start, end, "32"),))
