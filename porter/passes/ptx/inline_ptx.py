"""Inline PTX becomes C++; what the table does not know becomes a call that stops the compiler.

The content decides whether an asm statement holds PTX. x86 and AMD assembly stay as they are. So do empty statements,
which are compiler barriers on every target.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from porter.findings import Edit, Finding, Safety
from porter.frontend.asm.statements import AsmOperand, AsmStatement, find_asm
from porter.frontend.lexer import TokenFile
from porter.frontend.ptx import (
    OPAQUE,
    Instruction,
    Ptx,
    Scope,
    VariableDecl,
    instructions,
    parse_ptx,
)
from porter.frontend.unit import Unit
from porter.passes.hopper.kept_accumulators import NOTHING_KEPT, kept_accumulators
from porter.passes.ptx.held_copies import held_copies
from porter.passes.ptx.late_copies import with_late_copies
from porter.passes.ptx.written_inputs import read_by_asm_alone, without_const, written_inputs
from porter.ptx.constants import by_constants, of_several
from porter.ptx.cpp import Block
from porter.ptx.macros import port_by_uses
from porter.ptx.match import Refusal
from porter.ptx.operands import translate_asm
from porter.ptx.table import PtxTable, ptx_table
from porter.rules import RuleSet

__all__ = ["port_asm", "run"]

HEADER = "porter/ptx.h"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    held = held_copies(unit)
    if next(find_asm(unit.file, unit.beside), None) is None:
        return held.findings(())  # before the table, which takes longer to load than a small file to port
    table = ptx_table(rules)
    kept = kept_accumulators(unit.file, unit.scopes, table, unit.beside) if unit.is_main else NOTHING_KEPT
    keeping = kept.statements | held.statements
    findings = port_asm(unit.file, table, keeping, rules.names, unit.beside, unit.facts.unclear_asm)
    return [*with_late_copies(unit, held.findings(findings), held.statements), *kept.findings]


def port_asm(
    file: TokenFile,
    table: PtxTable,
    kept: Container[int] = (),
    renamed: Container[str] = (),
    beside: Sequence[TokenFile] = (),
    unclear: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> list[Finding]:
    """`kept`: where statements start that are matrix products whose accumulators stay as the MFMAs have them."""
    findings: list[Finding] = []
    for asm in find_asm(file, beside):
        if asm.start in unclear:
            texts = ", ".join(json.dumps(" ".join(text.split())) for text in unclear[asm.start])
            reason = (
                f"units that include this header give it different PTX or operands: {texts}; write a function for each"
            )
            findings.append(_stub(file, asm, "ptx-unread", _short(asm), reason))
            continue
        rows = table.keeping if asm.start in kept else table
        finding = _port(file, asm, parse_ptx(asm.text), rows, renamed, beside)
        if finding is not None:
            findings.append(finding)
    return findings


def _port(
    file: TokenFile,
    asm: AsmStatement,
    ptx: Ptx,
    table: PtxTable,
    renamed: Container[str] = (),
    beside: Sequence[TokenFile] = (),
) -> Finding | None:
    if asm.cases and asm.problem:
        return _by_cases(file, asm, table, renamed, beside) or _stub(file, asm, "ptx-unread", _short(asm), asm.problem)
    if (given := _with_immediates(file, asm)) is not asm:
        asm, ptx = given, parse_ptx(given.text)
    if (constant := by_constants(file, asm, table, beside)) is not None:
        return _finding(file, asm, constant)
    by_uses = port_by_uses(file, asm, table, HEADER, renamed, beside) if asm.problem or asm.opaque else None
    if isinstance(by_uses, Finding):
        return by_uses
    verdict = _classify(asm, ptx, table)
    if verdict == "foreign":
        return None
    if by_uses is not None:
        rule = "ptx-unsupported" if by_uses.known else "ptx-unknown"
        return _stub(file, asm, rule, by_uses.construct, by_uses.reason)
    if verdict == "doubtful":
        return Finding(
            "asm-doubtful", asm.start, asm.end, Safety.LEFT,
            f"cannot tell whether this is PTX: {_short(asm)}",
        )  # fmt: skip
    if asm.problem:
        return _stub(file, asm, "ptx-unread", _short(asm), asm.problem)
    if asm.opaque:
        return _stub(
            file, asm, "ptx-unread", _short(asm),
            f"the preprocessor puts this text together from {', '.join(asm.opaque)}",
        )  # fmt: skip
    if ptx.problems:
        return _stub(file, asm, "ptx-unread", _short(asm), ptx.problems[0].message)
    result = translate_asm(file, asm, ptx, table)
    others = {text: translate_asm(file, asm, parse_ptx(text), table) for text in asm.others}
    if isinstance(result, Block):
        other = [block for block in others.values() if isinstance(block, Block) and block.lines != result.lines]
        if other or len(others) > sum(isinstance(block, Block) for block in others.values()):
            chosen = _by_text(file, asm, result, others)
            if chosen is None and asm.cases and (by_cases := _by_cases(file, asm, table, renamed, beside)) is not None:
                return by_cases
            if chosen is None:
                problem = "the branches of the preprocessor mean different things here"
                return _stub(file, asm, "ptx-unread", _short(asm), problem)
            result = chosen
    if isinstance(result, Refusal):
        rule = "ptx-unsupported" if result.known else "ptx-unknown"
        return _stub(file, asm, rule, result.construct, result.reason)
    return _finding(file, asm, result)


def _by_cases(
    file: TokenFile, asm: AsmStatement, table: PtxTable, renamed: Container[str], beside: Sequence[TokenFile]
) -> Finding | None:
    """The statement once for each way in which the #if lines inside may be taken, between lines that ask the same; None
    where one of them has no port."""
    ports: list[Finding] = []
    lines: list[str] = []
    for condition, one in asm.cases:
        if not one.text and not one.opaque:
            continue  # the source does not compile either
        port = _port(file, one, parse_ptx(one.text), table, renamed, beside)
        if port is None or port.safety is Safety.LEFT:
            return None
        ports.append(port)
        first = port.edits[0]
        text = first.text + file.text[first.end : asm.end]
        lines += [
            f"#{'elif' if lines else 'if'} {condition}" if condition else "#else",
            f"{_indent(file, asm.start)}{text}",
        ]
    if not lines or not lines[0].startswith("#if"):
        return None
    worst = max(ports, key=lambda one: list(Safety).index(one.safety))
    message = "; ".join(dict.fromkeys(one.message for one in ports))
    ported = Edit(*_as_lines(file, asm, [*lines, "#endif"]))
    more = dict.fromkeys(edit for one in ports for edit in one.edits[1:])
    includes = dict.fromkeys(header for one in ports for header in one.includes)
    return replace(worst, message=message, edits=(ported, *more), includes=tuple(includes))


def _with_immediates(file: TokenFile, asm: AsmStatement) -> AsmStatement:
    """`"bfe.u32 %0, %1, " #at ", 16;"` in a macro's body: a macro parameter that is a whole operand is a number, the
    same as `"n"(at)`. Files that use the macro need not be known for that."""
    pieces = [_PARAMETER.fullmatch(piece) for piece in asm.opaque]
    places = [k + 1 for k in range(asm.first, asm.last) if file.tokens[k].text == "#"]
    if asm.problem or asm.directive < 0 or not all(pieces) or len(places) != len(pieces) or asm.others:
        return asm
    whole_operands = list(_WHOLE_OPERAND.finditer(asm.text))
    if len(whole_operands) != len(pieces) or asm.text.count(OPAQUE) != len(pieces):
        return asm
    text, inputs, at = "", list(asm.inputs), 0
    for place, match in zip(places, whole_operands):
        name, number = file.tokens[place].text, f"%{len(asm.outputs) + len(inputs)}"
        inputs.append(AsmOperand("n", "", place, place + 1, name, (name,)))
        text += asm.text[at : match.start()] + number
        at = match.end()
    return replace(asm, text=text + asm.text[at:], inputs=tuple(inputs), opaque=())


_PARAMETER = re.compile(r"#\s*[A-Za-z_]\w*")
_WHOLE_OPERAND = re.compile(rf"(?<=[\s,{{+]){OPAQUE}(?=\s*[,;}}\]])")


def _by_text(file: TokenFile, asm: AsmStatement, block: Block, others: Mapping[str, Block | Refusal]) -> Block | None:
    """A macro in the text that is defined in two ways: the port asks it which, as it does all that it is compiled with.
    None where an #if stands in the statement itself."""
    first = next((k for k in range(asm.first, asm.last) if file.tokens[k].text == "("), asm.last) + 1
    last = next((k for k in range(first, asm.last) if file.tokens[k].text in (":", "::", ")")), first)
    inside = any(asm.start < directive.start < asm.end for directive in file.directives)
    blocks = {text: other for text, other in others.items() if isinstance(other, Block)}
    if inside or asm.directive >= 0 or last == first or len(blocks) < len(others) or not "".join(others).isascii():
        return None
    source = file.source(first, last)
    ports = [(f"porter::same_text({source}, {json.dumps(text)})", other) for text, other in blocks.items()]
    return of_several(ports, block.lines, block)


# What is PTX?

_PTX_CONSTRAINTS = frozenset({"h", "r", "l", "f", "d", "q", "n", "i", "C", "b"})
_BARE = frozenset({"ret", "exit", "trap", "brkpt", "bra", "call"})
_OWN = frozenset({"pragma", "pmevent", "tcgen05", "mbarrier", "wgmma", "nanosleep"})  # nobody else has these
_PTX_WORD = re.compile(
    r"[usbf](8|16|32|64|128)|bf16(x2)?|f16x2|[us]16x2|[us]8x4|tf32|pred|global|shared(::\w+)?|local|const|param"
    r"|sync|aligned|async|gpu|cta|cluster|sys|gl|approx|ftz|r[nzmp]i?|v[248]|warp|wait|arrive|mbarrier(::\w+)*"
    r"|release|acquire|proxy|bulk|inc|dec|uni|commit_group|wait_group|wait_all|launch_dependents|relaxed"
)


def _classify(asm: AsmStatement, ptx: Ptx, table: PtxTable) -> str:
    """ "ptx", "foreign" (another machine's assembly, or a barrier) or "doubtful"."""
    if asm.goto:
        return "foreign"
    all_instructions = list(instructions(ptx.statements))
    if not asm.text.replace(OPAQUE, "").strip(" \t\r\n;") and not asm.opaque:
        return "foreign"
    looks = [_looks_ptx(i, table) for i in all_instructions] or [
        any(isinstance(s, (Scope, VariableDecl)) for s in ptx.statements)
    ]
    kinds = {o.kind for o in asm.operands if not o.kind.isdigit()}
    alien = bool(kinds - _PTX_CONSTRAINTS)
    if not any(looks):
        # What the parser could not read may still have the looks of PTX.
        words = re.findall(r"\.([\w:]+)", asm.text)
        if (asm.opaque or ptx.problems) and not alien and any(map(_PTX_WORD.fullmatch, words)):
            opcodes = re.findall(r"(?:^|[;\s{])(\w+)\.", asm.text)
            return "ptx" if asm.opaque or any(map(table.is_ptx, opcodes)) else "doubtful"
        if "C" in kinds and not alien and asm.text.lstrip()[:1].isalpha():
            return "ptx"  # text that a constant completes
        nothing_else = asm.text.strip(" \t\r\n;") == OPAQUE and kinds and not alien
        return "doubtful" if nothing_else and asm.directive >= 0 else "foreign"
    if alien:
        return "doubtful"
    if all(looks) or ptx.problems or asm.opaque:
        return "ptx"
    return "ptx" if any(i.modifiers and ok for i, ok in zip(all_instructions, looks)) else "doubtful"


def _looks_ptx(instruction: Instruction, table: PtxTable) -> bool:
    if not table.is_ptx(instruction.opcode):
        return sum(_PTX_WORD.fullmatch(word) is not None for word in instruction.modifiers) >= 2
    if instruction.opcode in _BARE or instruction.opcode in _OWN:
        return True
    if instruction.modifiers and any(
        r.pattern.fullmatch(instruction.mnemonic) for r in table.rows.get(instruction.opcode, ())
    ):
        return True
    return any(_PTX_WORD.fullmatch(word) for word in instruction.modifiers)


# Findings


def _finding(file: TokenFile, asm: AsmStatement, block: Block) -> Finding:
    what = ", ".join(dict.fromkeys(block.constructs))
    message = f"inline PTX: {what}"
    if block.notes:
        message += " (" + "; ".join(block.notes) + ")"
    edits = [Edit(*_written(file, asm, block))]
    safety = block.safety
    if names := written_inputs(asm, block):
        message += f"; it writes {' and '.join(names)}, which it names as an input: the variable changes in the port"
        if not safety.needs_person and not all(read_by_asm_alone(file, asm, name) for name in names):
            safety = Safety.REVIEW
        edits += (edit for name in names for edit in without_const(file, asm, name))
    return Finding("inline-ptx", asm.start, asm.end, safety, message, tuple(edits), (HEADER, *block.headers))


def _written(file: TokenFile, asm: AsmStatement, block: Block) -> tuple[int, int, str]:
    """Span and text of the edit, with the macros that the statement defines and takes back around the text."""
    start, end, text = _block(file, asm, block)
    if not (asm.defines or asm.undefines):
        return start, end, text
    text = f"{_indent(file, asm.start)}{text}{file.text[end : asm.end]}"
    return _as_lines(file, asm, [*asm.defines, text, *asm.undefines])


def _as_lines(file: TokenFile, asm: AsmStatement, lines: Sequence[str]) -> tuple[int, int, str]:
    """Span and text of lines of their own in the place of a statement."""
    newline = _style(file, asm).newline
    before = file.text[: asm.start].rstrip(" \t")
    begun = before != "" and before[-1] not in "\r\n"
    more = file.text[asm.end :].lstrip(" \t")[:1] not in ("", "\r", "\n")
    text = newline.join([*([""] if begun else []), *lines, *([""] if more else [])])
    return asm.start if begun else len(before), asm.end, text


def _block(file: TokenFile, asm: AsmStatement, block: Block) -> tuple[int, int, str]:
    """Span and text; one plain statement leaves the source's own ';' where it is."""
    closing = file.tokens[asm.last - (2 if asm.ended else 1)].end
    if not block.lines:
        name = ", ".join(dict.fromkeys(block.constructs)).replace("*/", "* /") or "no instruction"
        return asm.start, closing, f"/* {name}: nothing to do on AMD */"
    if len(block.lines) == 1 and not block.locals and block.lines[0].endswith(";"):
        return asm.start, closing, block.lines[0][:-1]
    last = asm.end if asm.ended else closing
    style = _style(file, asm)
    if not block.locals and asm.directive < 0 and asm.first > 0 and file.tokens[asm.first - 1].text in (";", "{", "}"):
        lines = [style.indent + line.replace("\t", style.step) for line in block.lines]
        return asm.start, last, style.newline.join(lines).lstrip()
    # In a macro the statement may be the body of an if, and what uses it writes the ';'.
    opening, ending = ("{", "}") if asm.ended or asm.directive < 0 else ("do {", "} while (0)")
    body = [style.indent + style.step + line.replace("\t", style.step) for line in block.lines]
    return asm.start, last, style.newline.join([opening, *body, style.indent + ending])


class _Style(NamedTuple):
    indent: str
    step: str  # of one level
    newline: str


def _style(file: TokenFile, asm: AsmStatement) -> _Style:
    """How the lines of a block are laid out where the statement stands: in a macro of one line they are one line."""
    indent = _indent(file, asm.start)
    step = "\t" if "\t" in indent else ("  " if len(indent) % 4 == 2 else "    ")
    newline = "\r\n" if "\r\n" in file.text[:4096] else "\n"
    if asm.directive < 0:
        return _Style(indent, step, newline)
    if "\\" in file.text[asm.start : asm.end]:
        return _Style(indent, step, f" \\{newline}")
    return _Style("", "", " ")


def _indent(file: TokenFile, offset: int) -> str:
    begin = max(file.text.rfind("\n", 0, offset), file.text.rfind("\r", 0, offset)) + 1
    blanks = re.match(r"[ \t]*", file.text[begin:offset])
    return blanks.group() if blanks else ""


def _short(asm: AsmStatement) -> str:
    text = " ".join(asm.text.replace(OPAQUE, "...").split())
    return text if len(text) <= 80 else text[:77] + "..."


def _stub(file: TokenFile, asm: AsmStatement, rule: str, construct: str, reason: str) -> Finding:
    """The statement becomes a call that cannot be compiled, with the text and the reason in it."""
    closing = file.tokens[asm.last - (2 if asm.ended else 1)].end
    shown = _literal(" ".join(asm.text.replace(OPAQUE, " ... ").split()))
    edit = Edit(asm.start, closing, f'porter::unsupported_ptx("{shown}", "{_literal(reason)}")')
    message = f"{construct}: {reason}"
    return Finding(rule, asm.start, asm.end, Safety.LEFT, message, (edit,), (HEADER,))


def _literal(text: str) -> str:
    text = text if len(text) <= 200 else text[:197] + "..."
    return "".join(c if " " <= c <= "~" and c not in '"\\' else "?" if c not in '"\\' else "\\" + c for c in text)
