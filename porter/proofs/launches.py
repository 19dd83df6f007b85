"""The block sizes with which a file launches a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from porter.chip import Chip
from porter.frontend.cpp.constants import ASSIGNMENTS, Definition
from porter.frontend.lexer import Kind, split_commas
from porter.frontend.scopes import Function
from porter.proofs.program import Program, Refused

__all__ = ["Launch", "launches"]

_DEEPEST = 12
_READING = frozenset({"dim3", "min", "max", "printf", "fprintf", "sizeof", "assert", ">>>", "to_string"})
_HARMLESS = frozenset(
    {"cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaFuncGetAttributes", "cudaFuncSetSharedMemConfig",
     "cudaOccupancyMaxActiveBlocksPerMultiprocessor"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Launch:
    index: int
    threads: int
    integers: tuple[tuple[str, int], ...]  # template parameters


def launches(program: Program, kernel: Function, chip: Chip) -> list[Launch]:
    """Every launch of the kernel. Raises Refused where a use of it cannot be followed."""
    tokens = program.file.tokens
    same_name = [f for f in program.functions.get(kernel.name, ()) if f.name_index != kernel.name_index]
    if same_name:
        raise Refused(kernel.name_index, f"{kernel.name} is overloaded")
    all_launches: list[Launch] = []
    for index, token in enumerate(tokens):
        if token.text != kernel.name or token.kind != Kind.IDENT or index == kernel.name_index:
            continue
        if any(f.name_index == index for f in program.scopes.functions):
            continue  # a declaration
        if token.directive >= 0:
            raise Refused(index, f"{kernel.name} is launched from a macro")
        opening, template = index + 1, None
        if program.text(opening) == "<":
            opening = _after_template(program, opening)
            template = (index + 2, opening - 1)
        if opening > 0 and program.text(opening) == "<<<":
            all_launches.append(_launch(program, kernel, index, opening, template, chip))
        elif not _harmless(program, index) and not _local(program, index):
            raise Refused(index, f"{kernel.name} is used here other than by a launch")
    if not all_launches:
        raise Refused(kernel.name_index, "no launch of it is in this file, so its block size is not known")
    return all_launches


def _after_template(program: Program, opening: int) -> int:
    tokens = program.file.tokens
    depth = 0
    for k in range(opening, min(len(tokens), opening + 80)):
        text = program.text(k)
        if text == "<":
            depth += 1
        elif text == ">":
            depth -= 1
        elif text == "<<<":
            return k if depth == 0 else -1
        elif text in (";", "{", "}"):
            return -1
        if depth == 0:
            return k + 1
    return -1


def _local(program: Program, index: int) -> bool:
    """Is this a parameter or variable of the function around it that happens to have the kernel's name?"""
    name = program.text(index)
    if program.text(index - 1) in (".", "->"):
        return True
    for function in program.scopes.functions:
        if not (function.params[0] <= index <= max(function.body[1], function.params[1])):
            continue
        for k in range(function.params[0] + 1, index + 1):
            if (
                program.text(k) == name
                and _declared(program, k)
                and program.text(k + 1) in (",", ")", ";", "=", "[", "{")
            ):
                return True
    return False


def _declared(program: Program, index: int) -> bool:
    """Does a type stand before the name? `float *k` does, `= &k` takes an address."""
    at = index - 1
    while program.text(at) in ("*", "&"):
        at -= 1
    before = program.file.tokens[at]
    return before.text == ">" or (before.kind == Kind.IDENT and before.text not in ("return", "else", "case", "and"))


def _harmless(program: Program, index: int) -> bool:
    for k in range(index, max(0, index - 20), -1):
        if program.text(k) in (";", "{", "}"):
            return False
        if program.text(k) in _HARMLESS:
            return True
    return False


def _launch(
    program: Program, kernel: Function, index: int, opening: int, template: tuple[int, int] | None, chip: Chip
) -> Launch:
    tokens = program.file.tokens
    close = opening
    while close < len(tokens) and program.text(close) != ">>>":
        if program.text(close) in (";", "{", "}"):
            raise Refused(index, "this launch cannot be read")
        close += 1
    parts = split_commas(program.file, opening + 1, close)
    if len(parts) < 2:
        raise Refused(index, "this launch cannot be read")
    threads = _block(program, *parts[1])
    if threads is None:
        raise Refused(index, "the block of this launch is not a constant number of threads along x")
    if threads % chip.wave or threads > chip.max_threads or threads == 0:
        raise Refused(index, f"blocks of {threads} threads are not whole waves of {chip.wave}")
    return Launch(index, threads, _integers(program, kernel, template))


def _constant(program: Program, first: int, last: int, depth: int = 0) -> int | None:
    """A constant that does not lean on a template parameter's default, which a caller may override."""
    if depth > _DEEPEST:
        return None
    for k in range(first, last):
        if program.file.tokens[k].kind == Kind.IDENT:
            definition = program.constants.definition(program.text(k), k)
            if definition is not None and (
                definition.kind == "template"
                or (definition.kind == "variable" and not _is_kept(program, definition))
                or _constant(program, *definition.value, depth + 1) is None
            ):
                return None
    return program.constants.value(first, last)


def _is_kept(program: Program, definition: Definition) -> bool:
    """Does a variable keep its first value?"""
    uses = range(definition.index + 2, definition.scope[1])
    return all(_is_read(program, k) for k in uses if program.text(k) == definition.name)


def _block(program: Program, first: int, last: int, depth: int = 0) -> int | None:
    """Threads of a one-dimensional block; None where it is not known to be one."""
    tokens = program.file.tokens
    value = _constant(program, first, last)
    if value is not None or depth > 4:
        return value
    if (
        program.text(first) == "dim3"
        and program.text(first + 1) in ("(", "{")
        and program.file.partner(first + 1) == last - 1
    ):
        return _dimensions(program, program.file.arguments(first + 1))
    if program.text(first) == "{" and program.file.partner(first) == last - 1:
        return _dimensions(program, program.file.arguments(first))
    if last == first + 1 and tokens[first].kind == Kind.IDENT:
        return _dim3_variable(program, first, depth)
    return None


def _dimensions(program: Program, parts: Sequence[tuple[int, int]]) -> int | None:
    values = [_constant(program, *part) for part in parts]
    if not values or any(v is None for v in values) or any(v != 1 for v in values[1:]):
        return None
    return values[0]


def _dim3_variable(program: Program, use: int, depth: int) -> int | None:
    """`dim3 block(256);`, given its value once and never changed."""
    tokens, name = program.file.tokens, program.text(use)
    function = program.scopes.at(use).function
    first, last = function.body if function is not None else (0, len(tokens) - 1)
    declared: list[int] = []
    for k in range(first, last):
        if program.text(k) != name:
            continue
        if program.text(k - 1) == "dim3" and program.text(k + 1) in ("(", "{", "="):
            declared.append(k)
        elif not _is_read(program, k):
            return None
    if len(declared) != 1:
        if declared or function is None:
            return None
        return _global_dim3(program, use, name, depth)
    return _initialiser(program, declared[0], depth)


def _is_read(program: Program, index: int) -> bool:
    """Is a variable only asked for its value? A function may change what it gets by reference."""
    before, after = program.text(index - 1), program.text(index + 1)
    if after == "." and program.text(index + 2) in ("x", "y", "z"):
        after = program.text(index + 3)
    if before in ("++", "--", "&", ">>") or after in ASSIGNMENTS:
        return before == "&" and program.text(index - 2) not in ("(", ",", "=", "return")
    if before not in ("(", ",") or after not in (")", ","):
        return True
    opening = index - 1
    while program.text(opening) not in ("(", "<<<", ";", "{", "}", ""):
        opening = min(program.file.partner(opening), opening) if program.text(opening) in (")", "]") else opening
        opening -= 1
    return (
        program.text(opening) != "("
        or program.text(opening - 2) == "dim3"
        or _takes_values(program, program.text(opening - 1))
    )


def _takes_values(program: Program, name: str) -> bool:
    """Is this a function that changes none of its arguments, or a macro of this file?"""
    if name in _READING or name.startswith("cuda"):
        return True
    functions = [function for function in program.scopes.functions if function.name == name]
    if any(program.text(k) == "&" for function in functions for k in range(*function.params)):
        return False
    tokens, directives = program.file.tokens, program.file.directives
    return bool(functions) or any(
        d.name == "define" and d.first < d.last and tokens[d.first].text == name for d in directives
    )


def _global_dim3(program: Program, use: int, name: str, depth: int) -> int | None:
    tokens = program.file.tokens
    declared = [k for k in range(1, len(tokens) - 1) if program.text(k) == name and program.text(k - 1) == "dim3"]
    constant = [k for k in declared if program.text(k - 2) in ("const", "constexpr")]
    return _initialiser(program, constant[0], depth) if len(constant) == len(declared) == 1 else None


def _initialiser(program: Program, index: int, depth: int) -> int | None:
    file = program.file
    if program.text(index + 1) == "=":
        end = index + 2
        while program.text(end) not in (";", ",", ""):
            end = max(file.partner(end), end) + 1
        return _block(program, index + 2, end, depth + 1)
    return _dimensions(program, file.arguments(index + 1))


def _integers(program: Program, kernel: Function, template: tuple[int, int] | None) -> tuple[tuple[str, int], ...]:
    given = split_commas(program.file, *template) if template is not None else []
    integers: list[tuple[str, int]] = []
    for number, parameter in enumerate(program.template(kernel)):
        span = given[number] if number < len(given) else parameter.default
        value = _constant(program, *span) if span is not None and not parameter.is_type else None
        if value is not None:
            integers.append((parameter.name, value))
    return tuple(integers)
