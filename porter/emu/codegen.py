"""From the table of instructions to C: one handler a row, and the list that gives each its number."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from porter.emu.table import Instruction, instructions

__all__ = ["handler", "sources", "table_hash"]


class _Lane(NamedTuple):
    """A type in lane-wise C: how lane l of row {p} is read, and what is stored for {x} where the old word is {o}."""

    c: str
    kind: str  # of operands in core/emu.h: what modifiers mean
    load: str
    store: str = ""


_LANES = {
    "u32": _Lane("u32", "T_B32", "{p}[l]", "{x}"),
    "i32": _Lane("i32", "T_B32", "(i32){p}[l]", "(u32){x}"),
    "b32": _Lane("u32", "T_B32", "{p}[l]", "{x}"),
    "f32": _Lane("f32", "T_F32", "as_f32({p}[l])", "of_f32({x})"),
    "u64": _Lane("u64", "T_B64", "GET64({p}, l)", "{x}"),
    "i64": _Lane("i64", "T_B64", "(i64)GET64({p}, l)", "(u64){x}"),
    "f64": _Lane("f64", "T_F64", "as_f64(GET64({p}, l))", "of_f64({x})"),
    "u16": _Lane("u16", "T_B16", "(u16){p}[l]", "(u16){x}"),
    "u16+": _Lane("u16", "T_B16", "(u16){p}[l]", "((u16){x} | ({o} & 0xffff0000u))"),
    "i16": _Lane("i16", "T_I16", "(i16){p}[l]", "(u16){x}"),
    "i16+": _Lane("i16", "T_I16", "(i16){p}[l]", "((u16){x} | ({o} & 0xffff0000u))"),
    "f16": _Lane("f16", "T_F16", "as_f16({p}[l])", "of_f16({x})"),
    "f16+": _Lane("f16", "T_F16", "as_f16({p}[l])", "(of_f16({x}) | ({o} & 0xffff0000u))"),
    "pk": _Lane("u32", "T_PK16", "{p}[l]", "{x}"),
    "pkf": _Lane("u32", "T_PKF16", "{p}[l]", "{x}"),
    "pkf32": _Lane("u64", "T_PKF32", "GET64({p}, l)", "{x}"),
    "mix": _Lane("f32", "T_MIX", "as_f32({p}[l])"),
    "u8+": _Lane("u32", "T_B8", "{p}[l]", "(({x} & 0xffu) | ({o} & 0xffffff00u))"),
    "mask": _Lane("u32", "", "({p} >> l & 1)"),
    "vcc": _Lane("u32", "", "({p} >> l & 1)"),
}
_MASKS = ("mask", "vcc", "exec")  # destinations that take a bit of each lane
_HALF = ("f16", "pkf")
# f16 instructions that take denormals as they are, whatever MODE says
_KEEPS_TINY_HALVES = ("v_cmp_class_f16", "v_cmpx_class_f16", "v_dot2_f32_f16", "v_dot2c_f32_f16", "v_pack_b32_f16")
_WIDE = frozenset({"u64", "i64", "f64", "pkf32"})
_NAMES = "abcgh"
_ASSIGNS = re.compile(r"\b(d|e|f|scc)\s*=(?!=)|&[de]\b(?! )|;")


def sources() -> dict[str, str]:
    """The generated C files by name, one for each family of instructions; `table.c` numbers the handlers."""
    rows = list(instructions().values())
    families: dict[str, list[str]] = {}
    for row in rows:
        if not row.native:
            families.setdefault(row.family, []).append(handler(row))
    files = {f"isa_{name}.c": '#include "ops.h"\n\n' + "\n".join(parts) for name, parts in families.items()}
    files["natives.h"] = _natives(row for row in rows if row.native and row.semantics != "native")
    files["table.c"] = _numbering(rows)
    return files


def _natives(rows: Iterable[Instruction]) -> str:
    """`native NAME ARGS` becomes NATIVE_NAME(symbol, ARGS), in the core's files that define NATIVE_NAME."""
    groups: dict[str, list[str]] = {}
    for row in rows:
        _, name, *arguments = row.semantics.split(maxsplit=2)
        groups.setdefault(name, []).append(f"NATIVE_{name}({', '.join([row.symbol, *arguments])})")
    return "\n".join(f"#ifdef NATIVE_{name}\n" + "\n".join(lines) + "\n#endif" for name, lines in groups.items())


def _numbering(rows: Iterable[Instruction]) -> str:
    rows = list(rows)
    lines = ['#include "emu.h"', ""]
    lines += [f"const Ins *{row.symbol}(Wave *w, const Ins *I);" for row in rows]
    lines += ["", "const Handler handlers[] = {", *(f"    {row.symbol}," for row in rows), "};"]
    lines += [f"const u32 handler_count = {len(rows)};"]
    lines += [f"const u64 table_hash = 0x{table_hash():x}ull;", ""]
    return "\n".join(lines)


def handler(row: Instruction) -> str:
    return _vector(row) if row.vector else _scalar(row)


def _statements(row: Instruction, first: str) -> str:
    """The semantics as statements: a bare expression is the value of the first destination."""
    text = row.semantics
    return f"{text};" if _ASSIGNS.search(text) else f"{first} = {text};"


# ---- lane-wise ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shape:
    """What decides how the handler of a lane-wise row looks."""

    row: Instruction
    main: str  # the type of the destination that is no mask, if there is one
    masks: tuple[str, ...]
    flushes: bool  # f16 denormals, where MODE wants zeros
    own_mode: bool  # f16 and f64 have their own rounding and denormals in MODE

    @classmethod
    def of(cls, row: Instruction) -> _Shape:
        types = (*row.outs, *row.ins)
        return cls(
            row,
            next((out for out in row.outs if out not in _MASKS), ""),
            tuple(out for out in row.outs if out in _MASKS),
            row.name not in _KEEPS_TINY_HALVES and any(_is_half(part) for part in types),
            any("f64" in part or "f16" in part or part == "pkf" for part in types),
        )


def _is_half(kind: str) -> bool:
    return kind.rstrip("+") in _HALF


def _vector(row: Instruction) -> str:
    shape = _Shape.of(row)
    lines = ["const u32 tiny = unlikely(~w->mode & HALF_DENORMALS);"] if shape.flushes else []
    loads = []
    for j in range(len(row.ins)):
        pointer, load = _source(shape, j)
        lines += pointer
        loads.append(load)
    lines.append("const u64 mask = EXEC;")
    if shape.own_mode:
        lines += ["const bool mixed = unlikely(MIXED_MODE(w));", "if (mixed) _mm_setcsr(mxcsr_of_mode(w->mode >> 2));"]
    lines += _lanes(shape, _lane_body(shape, loads))
    lines += _mask_results(shape)
    if shape.own_mode:
        lines.append("if (mixed) _mm_setcsr(w->mxcsr);")
    head = f"const Ins *{row.symbol}(Wave *w, const Ins *I) {{"
    return "\n".join([head, *(f"  {line}" for line in lines), "  NEXT;", "}", ""])


def _source(shape: _Shape, j: int) -> tuple[list[str], str]:
    """Statements that find source j, and the one that takes a lane's value from there."""
    kind = shape.row.ins[j]
    place = f"p{j}"
    lines = []
    if kind == "+":
        kind = shape.row.outs[0]
        if shape.flushes and _is_half(kind):
            lines.append(f"const u32 *{place} = w->R + I->d;")
        else:
            place = "O"
    elif kind == "vcc":
        lines.append(f"const u64 {place} = VCC;")
    elif kind == "mask":
        lines.append(f"const u64 {place} = scalar64(w, I->s[{j}]);")
    else:
        lines.append(f"const u32 *{place} = source(w, I, {j}, {_LANES[kind].kind});")
    if shape.flushes and _is_half(kind):
        lines.append(f"if (tiny) {place} = half_inputs(w, {place}, w->tmp[{j}]);")
    lane = _LANES[kind]
    return lines, f"{lane.c} {_NAMES[j]} = {lane.load.format(p=place)};"


def _lane_body(shape: _Shape, loads: list[str]) -> str:
    """What happens in one lane: `d` and `e` are the destination and the bit of the mask."""
    statements = _statements(shape.row, "d" if shape.main else "e")
    body = " ".join(loads) + " "
    if shape.main:
        body += f"{_LANES[shape.main].c} d; "
    if shape.masks:
        body += "u32 e = 0; "
    body += statements if shape.main else statements.replace("d =", "e =")
    return body + (" E[l] = (u8)(e & 1); " if shape.masks else " ")


def _lanes(shape: _Shape, body: str) -> list[str]:
    """The loop over the lanes, with the destination's new words."""
    gathered = ["u8 E[LANE_COUNT];"] if shape.masks else []
    if not shape.main:
        return [*gathered, f"LANES {{ {body} }}"]
    full, partial = _stores(shape.main)
    lines = [
        "const bool post = unlikely(I->flags & F_POST);",
        "u32 *O = w->R + I->d, *D = post ? w->tmp[4] : O;",
        *gathered,
        "if (likely(mask == ALL_LANES) || post) {",
        f"  LANES {{ {body}{full} }}",
        "} else {",
        "  u32 M[LANE_COUNT]; expand(mask, M);",
        f"  LANES {{ {body}{partial} }}",
        "}",
    ]
    if shape.flushes and _is_half(shape.main):
        upper = "true" if shape.main == "pkf" else "false"
        lines.append(f"if (tiny) half_results(w, D, post ? ALL_LANES : mask, {upper});")
    lines.append(f"if (post) finish(w, I, {_LANES[shape.main].kind}, D);")
    return lines


def _mask_results(shape: _Shape) -> list[str]:
    if not shape.masks:
        return []
    stores = {
        "vcc": "VCC = bits;",
        "mask": f"set_scalar64(w, I->{'d2' if shape.main else 'd'}, bits);",
        "exec": "EXEC = bits;",
    }
    return [
        "u64 bits = bits_of(E) & mask;",
        "if (unlikely(I->flags & F_DPP)) bits &= w->dpp_mask;",
        *(store for kind, store in stores.items() if kind in shape.masks),
    ]


def _stores(out: str) -> tuple[str, str]:
    """What stores a lane's result where all lanes are on, and where only those of M are."""
    lane = _LANES[out]
    if out in _WIDE:
        value = lane.store.format(x="d", o="")
        return (
            f"const u64 r = {value}; D[l] = (u32)r; D[LANE_COUNT + l] = (u32)(r >> 32);",
            f"const u64 r = {value}; D[l] = (M[l] & (u32)r) | (~M[l] & D[l]); "
            "D[LANE_COUNT + l] = (M[l] & (u32)(r >> 32)) | (~M[l] & D[LANE_COUNT + l]);",
        )
    value = lane.store.format(x="d", o="O[l]")
    return f"D[l] = {value};", f"const u32 r = {value}; D[l] = (M[l] & r) | (~M[l] & D[l]);"


# ---- scalar ---------------------------------------------------------------------------------------------------------

_SCALAR = {
    "u32": ("u32", "scalar32(w, I->s[{j}])"),
    "i32": ("i32", "(i32)scalar32(w, I->s[{j}])"),
    "f32": ("f32", "as_f32(scalar32(w, I->s[{j}]))"),
    "u64": ("u64", "scalar64(w, I->s[{j}])"),
    "i64": ("i64", "(i64)scalar64(w, I->s[{j}])"),
    "scc": ("u32", "SCC"),
    "exec": ("u64", "EXEC"),
    "vcc": ("u64", "VCC"),
    "m0": ("u32", "M0"),
    "imm": ("i32", "I->imm"),
}


def _scalar(row: Instruction) -> str:
    lines = [f"const Ins *{row.symbol}(Wave *w, const Ins *I) {{"]
    for j, kind in enumerate(row.ins):
        if kind == "+":
            ctype = _SCALAR[row.outs[0]][0]
            width = "64" if row.outs[0] in _WIDE else "32"
            lines.append(f"  const {ctype} {_NAMES[j]} = ({ctype})scalar{width}(w, I->d);")
        else:
            ctype, expression = _SCALAR[kind]
            lines.append(f"  const {ctype} {_NAMES[j]} = {expression.format(j=j)};")
    stores = []
    only_scc = row.outs == ("scc",)
    if only_scc:
        lines.append("  u32 scc;")
    for out in row.outs:
        if out == "scc":
            if not only_scc:
                lines.append("  u32 scc = 0;")
            stores.append("  SCC = scc;")
        elif out == "exec":
            lines.append("  u64 f = 0;")
            stores.append("  EXEC = f;")
        elif out == "m0":
            lines.append("  u32 f = 0;")
            stores.append("  M0 = f;")
        else:
            ctype = _SCALAR[out][0]
            lines.append(f"  {ctype} d;")
            width = "64" if out in _WIDE else "32"
            value = "of_f32(d)" if out == "f32" else f"(u{width})d"
            stores.append(f"  set_scalar{width}(w, I->d, {value});")
    lines.append("  " + _statements(row, "scc" if only_scc else "d"))
    lines += [*stores, "  NEXT;", "}", ""]
    return "\n".join(lines)


@functools.cache
def table_hash() -> int:
    """Of the numbering of the operations: an image and the core that runs it must agree."""
    text = " ".join(row.name for row in instructions().values())
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
