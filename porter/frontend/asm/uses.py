"""Asm statements in macros' bodies, with what the macros are given where the file uses them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from porter.frontend.asm.macros import Macro, Word, definitions, filled, joined, macros, uses, words
from porter.frontend.asm.statements import AsmStatement, find_asm
from porter.frontend.lexer import Kind, TokenFile, lex

__all__ = ["Expansions", "asm_context", "asm_texts", "expansions"]


@dataclass(frozen=True, slots=True)
class Expansions:
    name: str  # of the macro
    parameters: tuple[str, ...]
    deciding: tuple[str, ...]  # in the text or in the operands' constraints
    others: tuple[str, ...]  # in the operands' expressions alone: they stay in the statement
    uses: tuple[tuple[Mapping[str, list[Word]], str], ...]  # what the parameters are, and the statement with it


def asm_texts(file: TokenFile, beside: Sequence[TokenFile] = ()) -> Iterator[tuple[int, str]]:
    """Of all statements, with the token where each begins; those in macros as they are used."""
    for asm in find_asm(file, beside):
        yield asm.first, asm.text
        if asm.opaque and asm.directive >= 0:
            expanded = expansions(file, asm, beside)
            for _, text in expanded.uses if expanded else ():
                yield from ((asm.first, made.text) for made in find_asm(lex(text)))


def asm_context(file: TokenFile, beside: Sequence[TokenFile]) -> Hashable:
    """Everything in the other files that the asm statements of this one can depend on: equal for units that mean the same.

    These are the macros that its words lead to; and all of the files, where one uses a macro of this file with asm in it.
    """
    elsewhere: dict[str, list[Macro]] = {}
    for one in beside:
        for name, macro in definitions(one):
            elsewhere.setdefault(name, []).append(macro)
    reached: set[str] = set()
    todo = elsewhere.keys() & file.texts()
    while todo:
        name = todo.pop()
        reached.add(name)
        todo |= {w.text for macro in elsewhere[name] for w in macro.body if w.text in elsewhere} - reached
    own = {name for name, macro in definitions(file) if any("asm" in w.text for w in macro.body)}
    used = bool(own) and any(not one.texts().isdisjoint(own) for one in beside)
    others = tuple(map(id, beside)) if used else ()  # what such a macro is given there may come from any of them
    return frozenset((name, tuple(elsewhere[name])) for name in reached), others


def expansions(file: TokenFile, asm: AsmStatement, beside: Sequence[TokenFile] = ()) -> Expansions | None:
    """None: it is in no macro with parameters, or what it is given cannot be said."""
    if asm.directive < 0:
        return None
    name = file.tokens[file.directives[asm.directive].first].text
    known = macros(file, beside)
    macro = known.get(name)
    given = uses(file, name, beside) if macro is not None and macro.parameters else []
    if macro is None or not macro.parameters or not given:
        return None
    body = [replace(w, index=-1) for w in words(file, asm.first, asm.last - (1 if asm.ended else 0))]
    deciding = _deciding(file, asm, macro.parameters)
    others = tuple(p for p in macro.parameters if p not in deciding and any(w.text == p for w in body))
    if "__VA_ARGS__" in others:
        return None
    inner = {n: m for n, m in known.items() if n != name}
    used_values = []
    for values in given:
        made = filled(body, {p: values[p] for p in deciding}, inner)
        if made is None:
            return None
        used_values.append((values, joined(made)))
    return Expansions(name, macro.parameters, tuple(deciding), others, tuple(used_values))


def _deciding(file: TokenFile, asm: AsmStatement, parameters: Sequence[str]) -> list[str]:
    """Parameters in the text or in the operands' constraints, without parameters that only expressions use."""
    plain = {i for o in asm.operands if not o.expanded for i in range(o.first, o.last)} if not asm.problem else set()
    if asm.problem:  # the expressions of operands that are written there
        for index in range(asm.first, asm.last):
            if file.tokens[index].kind == Kind.STRING and file.tokens[index + 1].text == "(":
                plain.update(range(index + 2, file.partner(index + 1)))
    used = {file.tokens[i].text for i in range(asm.first, asm.last) if i not in plain}
    return [p for p in parameters if p in used]
