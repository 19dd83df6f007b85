"""Inline PTX in a macro's body whose text its parameters complete: `"wgmma.mma_async.sync.aligned.m64n" #N "k16..."`.

What the macro is given where the file uses it says what the text may be. Each of these has its port in a macro of its own,
which the body chooses by pasting: `PORTER_PTX_NAME_##N`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from porter.findings import Edit, Finding, Safety
from porter.frontend.asm.macros import Word
from porter.frontend.asm.statements import AsmStatement, find_asm
from porter.frontend.asm.uses import expansions
from porter.frontend.lexer import Kind, TokenFile, lex, newline_of
from porter.frontend.ptx import parse_ptx
from porter.ptx.cpp import Block
from porter.ptx.match import Refusal
from porter.ptx.operands import translate_asm
from porter.ptx.table import PtxTable

__all__ = ["port_by_uses"]

_ORDER = tuple(Safety)


def port_by_uses(
    file: TokenFile,
    asm: AsmStatement,
    table: PtxTable,
    header: str,
    renamed: Container[str] = (),
    beside: Sequence[TokenFile] = (),
) -> Finding | Refusal | None:
    """None: not in a macro, or what it stands for cannot be said. `renamed`: words that get another name in the port, so
    that nothing can be named after them."""
    expanded = expansions(file, asm, beside)
    if expanded is None:
        return None
    # All that the text is made of, or what tells as much: a function's name. Not what is an operand: uses that are not
    # seen here may give the same destination and another number.
    keys = [p for p in expanded.parameters if all(_pastes(values[p], renamed) for values, _ in expanded.uses)]
    keys = [p for p in keys if p not in expanded.others]
    deciding = tuple(p for p in keys if p in expanded.deciding)
    texts: list[tuple[dict[str, str], str, Block]] = []
    for values, text in expanded.uses:
        block = _translated(text, table)
        if not isinstance(block, Block):
            return block
        texts.append(({p: values[p][0].text for p in keys}, text, block))
    several = (deciding,) if len(deciding) == len(expanded.deciding) else (*((key,) for key in keys), tuple(keys))
    for chosen in several if keys else ():
        ports = {tuple(key[p] for p in chosen): (text, block) for key, text, block in texts}
        if all(ports[tuple(key[p] for p in chosen)][0] == text for key, text, _ in texts):
            return _finding(file, asm, (expanded.name, chosen, expanded.others), ports, header)
    return None  # something decides that cannot be pasted


def _pastes(value: Sequence[Word], renamed: Container[str]) -> bool:
    if len(value) != 1 or value[0].text in renamed:
        return False
    return value[0].kind in (Kind.IDENT, Kind.NUMBER) and value[0].text.replace("_", "a").isalnum()


def _translated(text: str, table: PtxTable) -> Block | Refusal | None:
    file = lex(text)
    asm = next(find_asm(file), None)
    if asm is None or asm.problem or asm.opaque or asm.others:
        return None
    operands = [tuple(replace(o, macro=(0, 1)) for o in part) for part in (asm.outputs, asm.inputs)]
    asm = replace(asm, outputs=operands[0], inputs=operands[1], directive=0)
    return translate_asm(file, asm, parse_ptx(asm.text), table)


def _finding(
    file: TokenFile, asm: AsmStatement, macro: tuple[str, Sequence[str], Sequence[str]],
    ports: Mapping[tuple[str, ...], tuple[str, Block]], header: str,
) -> Finding:  # fmt: skip
    name, keys, others = macro
    start = file.directives[asm.directive].start
    newline = newline_of(file.text)
    prefix = f"PORTER_PTX_{name}"
    listed = f"({', '.join(others)})"
    definitions = ""
    for key, (_, block) in ports.items():
        lines = ["{", *("  " + line.replace("\t", "  ") for line in block.lines), "}"]
        text = "".join(f" \\{newline}  {line}" for line in lines)
        definitions += f"#define {'_'.join((prefix, *key))}{listed}{text}{newline}"
    blocks = [block for _, block in ports.values()]
    closing = file.tokens[asm.last - (2 if asm.ended else 1)].end
    call = f"{prefix}_##{'##_##'.join(keys)}{listed}"
    edits = (Edit(start, start, definitions), Edit(asm.start, closing, call))
    constructs = ", ".join(dict.fromkeys(c for block in blocks for c in block.constructs))
    notes = "; ".join(dict.fromkeys(n for block in blocks for n in block.notes))
    message = f"inline PTX: {constructs}" + (f" ({notes})" if notes else "")
    headers = dict.fromkeys(h for block in blocks for h in block.headers)
    safety = max((block.safety for block in blocks), key=_ORDER.index)
    return Finding("inline-ptx", asm.start, asm.end, safety, message, edits, (header, *headers))
