"""Where a kernel that was written anew is launched or named otherwise, and what becomes of that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from porter.frontend.lexer import Kind, TokenFile, launch_arguments, template_end
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.native.changes import Change
from porter.native.gemm import Emitted
from porter.native.values import Refused

__all__ = ["parameter_name", "parameter_token", "uses"]

_HARMLESS = re.compile(r"cudaOccupancy\w*|cudaFuncGetAttributes|cudaFuncSetCacheConfig")
_SETTING = "cudaFuncAttributeMaxDynamicSharedMemorySize"


def parameter_name(file: TokenFile, first: int, last: int) -> str:
    index = parameter_token(file, first, last)
    return file.tokens[index].text if index >= 0 else ""


def parameter_token(file: TokenFile, first: int, last: int) -> int:
    end = next((k for k in range(first, last) if file.tokens[k].text in ("=", "[")), last)
    return next((k for k in range(end - 1, first - 1, -1) if file.tokens[k].kind == Kind.IDENT), -1)


def uses(
    unit: Unit, kernel: Function, emitted: Emitted, variable: str = "", places: range | None = None
) -> Iterator[Change]:
    """Changes of the launches and of what else names the kernel, or a variable which stands for it.

    Refused where that is not understood.
    """
    file = unit.file
    name = variable or kernel.name
    for index in range(len(file.tokens)) if places is None else places:
        token = file.tokens[index]
        if token.text != name or token.kind != Kind.IDENT or kernel.first <= index <= kernel.body[1]:
            continue
        after = index + 1
        if unit.text(after) == "<":
            after = max(after, template_end(file, after, len(file.tokens), parameters=True))
        if unit.text(index - 1) == "*" and unit.text(index - 2) == "(" and unit.text(after) == ")":
            after += 1  # (*kernel)<<<...>>>
        if unit.text(after) == "<<<":
            scope = "" if variable else _qualifier(unit, index)
            qualified = replace(emitted, grid=scope + emitted.grid, block=scope + emitted.block)
            yield from _launch(unit, after, qualified, kernel)
            continue
        call = _enclosing_call(file, index)
        called = file.tokens[call - 1].text if call > 0 else ""
        if called == "cudaFuncSetAttribute":
            parts = file.arguments(call)
            if len(parts) == 3 and file.source(*parts[1]).endswith(_SETTING):
                first, last = parts[1][1] - 1, parts[2][1] - 1  # the setting, too: nothing is left to say of its limit
                yield Change(first, last, f"{_SETTING.replace('cuda', 'hip')}, {emitted.shared}")
            continue
        if _HARMLESS.fullmatch(called) or (unit.text(after) == "=" and variable):
            continue
        function = unit.scope(index).function
        before = index - 1
        while unit.text(before) in ("&", "::"):
            before -= 1 if unit.text(before) == "&" else 2
        held = "" if variable else _variable(unit, before, after, kernel)
        if held and function is not None:
            yield from uses(unit, kernel, emitted, held, range(index, function.body[1]))
        elif unit.text(after) != ";" or unit.text(before) != ">":  # an explicit instantiation
            raise Refused("it is launched in a way that is not rewritten yet")


def _variable(unit: Unit, before: int, after: int, kernel: Function) -> str:
    """The variable that the kernel, or one of its instantiations by a condition, is the value of."""
    if unit.text(before) not in ("=", "?", ":") or unit.text(after) not in (";", ":"):
        return ""
    first = before
    while first > 0 and unit.text(first) not in ("=", ";", "{", "}"):
        first -= 1
    last = next((k for k in range(after, len(unit.tokens)) if unit.text(k) == ";"), after)
    kernels = {f.name for f in unit.scopes.functions if f.kernel}
    if unit.text(first) != "=" or {unit.text(k) for k in range(first, last)} & kernels != {kernel.name}:
        return ""
    return unit.text(first - 1)


def _qualifier(unit: Unit, index: int) -> str:
    """The namespaces before a name: what is written beside the kernel has them too."""
    first = index
    while unit.text(first - 1) == "::":
        first -= 2 if unit.tokens[first - 2].kind == Kind.IDENT else 1
    return unit.file.source(first, index)


def _enclosing_call(file: TokenFile, index: int) -> int:
    depth = 0
    for at in range(index - 1, max(0, index - 200), -1):
        text = file.tokens[at].text
        depth += (text == ")") - (text == "(")
        if depth < 0:
            return at
        if text in (";", "{", "}"):
            return -1
    return -1


def _launch(unit: Unit, opening: int, emitted: Emitted, kernel: Function) -> Iterator[Change]:
    file = unit.file
    parts = launch_arguments(file, opening)
    closing = next(i for i in range(opening, len(file.tokens)) if file.tokens[i].text == ">>>")
    given = [file.source(*part) for part in file.arguments(closing + 1)]
    names = [parameter_name(file, *part) for part in file.arguments(kernel.params[0])]
    arguments = dict(zip(names, given))
    grid = emitted.grid.format(**arguments)
    texts = [grid, emitted.block, emitted.shared]
    if len(parts) == 2 and emitted.shared != "0":
        texts[1] += f", {emitted.shared}"
    for part, text in zip(parts, texts):
        yield Change(part[0], part[1] - 1, text)
    yield from _unneeded(unit, opening, [file.source(*part) for part in parts[:3]])


def _unneeded(unit: Unit, index: int, texts: Sequence[str]) -> Iterator[Change]:
    """Declarations of variables that only the launch's configuration used."""
    function = unit.scope(index).function
    if function is None:
        return
    tokens = unit.tokens
    for text in texts:
        if not text.isidentifier():
            continue
        places = [k for k in range(*function.body) if tokens[k].text == text]
        if len(places) < 2 or _configures(unit, places[0]) or not all(_configures(unit, k) for k in places[1:]):
            continue
        if unit.text(places[0] + 1) not in ("(", "=", "{", ";") or unit.text(places[0] - 1) in (",", "("):
            continue
        first = places[0]
        while unit.text(first - 1) not in (";", "{", "}", ")"):
            first -= 1
        last = places[0]
        while unit.text(last) not in (";", ""):
            last = unit.file.partner(last) + 1 if unit.text(last) in ("(", "{") else last + 1
        if unit.text(first) in ("const", "constexpr", "dim3", "int", "auto", "size_t", "unsigned", "uint32_t"):
            yield Change(first, last, "")


def _configures(unit: Unit, index: int) -> bool:
    """Is this a part of a launch's configuration?"""
    while index > 0 and unit.text(index) not in ("<<<", ">>>", ";", "{", "}"):
        index -= 1
    return unit.text(index) == "<<<"
