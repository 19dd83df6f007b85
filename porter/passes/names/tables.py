"""1:1 names: every CUDA identifier that has a row in rules/names, wherever it stands in the file."""

from __future__ import annotations

from collections.abc import Mapping

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.passes.declared import declared_in_unit
from porter.passes.device.conditions import in_macro_body
from porter.passes.host.library_context import is_context_pointer
from porter.passes.qualified import scope_begin
from porter.rules import NameRow, RuleSet

__all__ = ["run"]

_BY_NAME = frozenset(
    {"cudaGetDriverEntryPoint", "cudaGetDriverEntryPointByVersion", "cuGetProcAddress", "cuGetProcAddress_v2"}
)


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    names = rules.names
    declared: frozenset[str] = frozenset()  # a walk over whole files, so only where a beginning asks
    known = (text for text in unit.file.texts() if text in names or rules.qualified_rows(text))
    for index in unit.file.places(*known):
        token = unit.tokens[index]
        if token.kind != Kind.IDENT or is_context_pointer(unit, index):
            continue
        finding = _qualified(unit, index, rules)
        if finding is not None:
            findings.append(finding)
            continue
        row = names.get(token.text)
        if row is None or not _applies(unit, index, row, names):
            continue
        if names.has_no_row_of_its_own(token.text):
            declared = declared or declared_in_unit(unit)
            if token.text in declared:
                continue
        edits = (Edit(token.start, token.end, row.hip),) if row.hip and row.hip != token.text else ()
        space, _, own = row.hip.rpartition("::")
        if (
            space and unit.text(index - 1) in ("struct", "class") and unit.text(index + 1) == ";"
        ):  # declared, to be used below
            text = f"namespace {space} {{ struct {own}; }}"
            edits = (Edit(unit.tokens[index - 1].start, unit.tokens[index + 1].end, text),)
        needs = (row.include,) if row.include.startswith("porter/") and row.hip else ()
        entry = _entry(unit, index, row, names)
        seen = entry is not None or _has_a_text(unit, index, row) or _given_by_uses(unit, index, row, names)
        settled = row.safety is Safety.REVIEW and seen
        safety = Safety.EXACT if settled else row.safety
        findings.append(Finding(row.rule, token.start, token.end, safety, _message(row, safety), edits, needs))
        if entry is not None and entry.edits:
            findings.append(entry)
    return findings


def _entry(unit: Unit, index: int, row: NameRow, names: Mapping[str, NameRow]) -> Finding | None:
    """The text of a call that asks for a driver function by name, as HIP has it; None where it is not known."""
    first = index + 2
    if row.cuda not in _BY_NAME or unit.text(index + 1) != "(" or unit.text(first + 1) != ",":
        return None
    wanted = unit.tokens[first]
    known = names.get(wanted.text.strip('"')) if wanted.kind == Kind.STRING else None
    if known is None or not _is_function(known) or known.safety is not Safety.EXACT:
        return None
    edits = (Edit(wanted.start, wanted.end, f'"{known.hip}"'),) if known.hip != known.cuda else ()
    return Finding(known.rule, wanted.start, wanted.end, Safety.EXACT, _message(known, Safety.EXACT), edits)


def _given_by_uses(unit: Unit, index: int, row: NameRow, names: Mapping[str, NameRow]) -> bool:
    """Whether the call stands in a macro that makes the text of its parameter, and each use of the macro gives it a driver
    function that is ported there."""
    if row.cuda not in _BY_NAME or not in_macro_body(unit, index) or unit.text(index + 1) != "(":
        return False
    define = unit.file.directives[unit.tokens[index].directive]
    parameters = [unit.text(first) for first, _ in unit.file.arguments(define.first + 1)]
    first, last = unit.file.arguments(index + 1)[0]
    wanted = [parameters.index(unit.text(k)) for k in range(first, last) if unit.text(k) in parameters]
    text = unit.text(first) == "#" or (unit.text(first + 1) == "(" and last == first + 4)
    given = _given(unit, unit.text(define.first), wanted[0]) if text and len(wanted) == 1 else []
    return bool(given) and all(_is_function(names.get(name)) for name in given)


def _given(unit: Unit, macro: str, number: int) -> list[str]:
    """What the unit's uses of a macro give a parameter; "" for what is no single word, or may be another macro's parameter."""
    words = []
    for file in (unit.file, *unit.beside):
        for at in file.places(macro):
            home = file.tokens[at].directive
            if home >= 0 and file.directives[home].first == at:
                continue
            first, last = ([*file.arguments(at + 1), *[(0, 0)] * (number + 1)])[number]
            words.append(file.tokens[first].text if home < 0 and last == first + 1 else "")
    return words


def _is_function(row: NameRow | None) -> bool:
    return row is not None and row.kind == "func" and row.hip != "" and "::" not in row.hip


def _has_a_text(unit: Unit, index: int, row: NameRow) -> bool:
    """Is the enumerator one of a table of texts: `case cudaErrorAssert: return "assert"`, `{cudaErrorAssert, "assert"}`?"""
    at = index + 3 if unit.text(index + 2) == "return" else index + 2
    follows = unit.text(index + 1) in (",", ":") and at < len(unit.tokens) and unit.tokens[at].kind == Kind.STRING
    return row.kind == "enum" and unit.text(index - 1) in ("case", "{") and follows


def _qualified(unit: Unit, index: int, rules: RuleSet) -> Finding | None:
    """`thrust::cuda::par`, through a namespace's alias or `using namespace` as well; `prop.major` for a member's row."""
    last = unit.text(index)
    for row in rules.qualified_rows(last):
        scope = row.cuda.split("::")[:-1]
        if unit.is_member(index):
            if row.kind == "var" and unit.ast is not None and unit.ast.member_of(unit.tokens[index].start) == scope[-1]:
                start, end = unit.tokens[index].start, unit.tokens[index].end
                return Finding(row.rule, start, end, row.safety, _message(row, row.safety))
            continue
        first = scope_begin(unit, index, scope)
        if first is None:
            continue
        if row.kind == "namespace" and unit.text(index + 1) == "::" and _qualified(unit, index + 2, rules) is not None:
            return None  # cuda::device of cuda::device::memcpy_async_tx, which has a row of its own
        start, end = unit.tokens[first].start, unit.tokens[index].end
        hip = row.hip.split("::")
        edits: list[Edit] = []
        written_out = index - first == 2 * len(scope)
        if row.hip and len(hip) == len(scope) + 1 and written_out:
            for k, wanted in enumerate(hip):
                token = unit.tokens[first + 2 * k]
                if wanted not in (token.text, row.cuda.split("::")[k]):
                    edits.append(Edit(token.start, token.end, wanted))
        elif row.hip and (written_out or not _ported_with(rules.names.get("::".join(scope)), row, last)):
            edits.append(Edit(start, end, row.hip))
        needs = (row.include,) if row.include.startswith("porter/") and row.hip else ()
        return Finding(row.rule, start, end, row.safety, _message(row, row.safety), tuple(edits), needs)
    return None


def _ported_with(namespace: NameRow | None, row: NameRow, last: str) -> bool:
    """Is the name what it is in HIP once its namespace is, whose alias or `using namespace` is ported?"""
    return namespace is not None and row.hip == f"{namespace.hip}::{last}"


def _message(row: NameRow, safety: Safety) -> str:
    if not row.hip:
        return f"{row.cuda} has no HIP counterpart: {row.note}"
    if safety is Safety.EXACT:
        return f"{row.cuda} is {row.hip}" if row.hip != row.cuda else f"{row.cuda}: {row.note or 'same name'}"
    return f"{row.cuda} becomes {row.hip}: {row.note}"


def _applies(unit: Unit, index: int, row: NameRow, names: Mapping[str, NameRow]) -> bool:
    before = unit.text(index - 1)
    if unit.is_member(index):
        return False
    if before == "::" and unit.text(index - 2) not in ("", "std") and row.kind != "namespace":
        qualifier = unit.tokens[index - 2]
        scoped_enumerator = row.kind == "enum" and qualifier.text in names
        if qualifier.kind == Kind.IDENT and not scoped_enumerator:
            return False  # my::umin is not CUDA's umin
    if before == "::" and unit.text(index - 2) == "std":
        return False
    if row.kind == "namespace" and not (unit.text(index + 1) in ("::", ";", "=", "{") or before in ("namespace", "=")):
        return False
    if unit.text(index + 1) == "=" and before in (",", "{", "(") and row.kind in ("device", "func"):
        return False  # a designated initialiser or a parameter of that name
    return not unit.is_user_symbol(index)
