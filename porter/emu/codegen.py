"""From the table of instructions to C: one handler a row, and the list that gives each its number."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable

from porter.emu.table import Instruction, instructions

__all__ = ["handler", "sources", "table_hash"]

# type: (C type, operand kind, expression for lane l of row pointer p)
_LANE = {
    "u32": ("u32", "T_B32", "{p}[l]"),
    "i32": ("i32", "T_B32", "(i32){p}[l]"),
    "b32": ("u32", "T_B32", "{p}[l]"),
    "f32": ("f32", "T_F32", "as_f32({p}[l])"),
    "u64": ("u64", "T_B64", "GET64({p}, l)"),
    "i64": ("i64", "T_B64", "(i64)GET64({p}, l)"),
    "f64": ("f64", "T_F64", "as_f64(GET64({p}, l))"),
    "u16": ("u16", "T_B16", "(u16){p}[l]"),
    "i16": ("i16", "T_I16", "(i16){p}[l]"),
    "f16": ("f16", "T_F16", "as_f16({p}[l])"),
    "pk": ("u32", "T_PK16", "{p}[l]"),
    "pkf": ("u32", "T_PKF16", "{p}[l]"),
    "pkf32": ("u64", "T_PKF32", "GET64({p}, l)"),
    "mix": ("f32", "T_MIX", "as_f32({p}[l])"),
    "u8+": ("u32", "T_B8", "{p}[l]"),
    "mask": ("u32", "", "({p} >> l & 1)"),
    "vcc": ("u32", "", "({p} >> l & 1)"),
}
# type: what is stored for the value x in lane l of row D whose old word is o
_STORE = {
    "u32": "{x}",
    "i32": "(u32){x}",
    "b32": "{x}",
    "f32": "of_f32({x})",
    "u16": "(u16){x}",
    "i16": "(u16){x}",
    "f16": "of_f16({x})",
    "u16+": "((u16){x} | ({o} & 0xffff0000u))",
    "i16+": "((u16){x} | ({o} & 0xffff0000u))",
    "f16+": "(of_f16({x}) | ({o} & 0xffff0000u))",
    "u8+": "(({x} & 0xffu) | ({o} & 0xffffff00u))",
    "pk": "{x}",
    "pkf": "{x}",
    "u64": "{x}",
    "i64": "(u64){x}",
    "f64": "of_f64({x})",
    "pkf32": "{x}",
}
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


def _vector(row: Instruction) -> str:
    head, load, kind = [], [], "T_B32"
    flushes = row.name not in _KEEPS_TINY_HALVES and any(part.rstrip("+") in _HALF for part in (*row.outs, *row.ins))
    if flushes:
        head.append("const u32 tiny = unlikely(~w->mode & HALF_DENORMALS);")
    for j, kind_name in enumerate(row.ins):
        name = _NAMES[j]
        if kind_name == "+":
            ctype, _, expression = _LANE[row.outs[0].removesuffix("+")]
            old = "O"
            if flushes and row.outs[0].rstrip("+") in _HALF:
                old = f"p{j}"
                head.append(f"const u32 *p{j} = w->R + I->d;")
                head.append(f"if (tiny) p{j} = half_inputs(w, p{j}, w->tmp[{j}]);")
            load.append(f"{ctype} {name} = {expression.format(p=old)};")
            continue
        ctype, operand, expression = _LANE[kind_name]
        if kind_name == "vcc":
            head.append(f"const u64 p{j} = VCC;")
        elif kind_name == "mask":
            head.append(f"const u64 p{j} = scalar64(w, I->s[{j}]);")
        else:
            head.append(f"const u32 *p{j} = source(w, I, {j}, {operand});")
            if flushes and kind_name in _HALF:
                head.append(f"if (tiny) p{j} = half_inputs(w, p{j}, w->tmp[{j}]);")
        load.append(f"{ctype} {name} = {expression.format(p=f'p{j}')};")

    masks = [out for out in row.outs if out in ("mask", "vcc", "exec")]
    main = next((out for out in row.outs if out not in masks), None)
    halves = any("f64" in part or "f16" in part or part == "pkf" for part in (*row.outs, *row.ins))
    first = "d" if main else "e"
    body = " ".join(load) + " "
    if main:
        ctype = _LANE[main.removesuffix("+") if main != "u8+" else main][0]
        body += f"{ctype} d; "
    if masks:
        body += "u32 e = 0; "
    statements = _statements(row, first)
    body += statements if main else statements.replace("d =", "e =")
    lines = [f"const Ins *{row.symbol}(Wave *w, const Ins *I) {{"]
    lines += [f"  {text}" for text in head]
    lines.append("  const u64 mask = EXEC;")
    if halves:  # f16 and f64 have their own rounding and denormals in MODE
        lines.append("  const bool mixed = unlikely(MIXED_MODE(w));")
        lines.append("  if (mixed) _mm_setcsr(mxcsr_of_mode(w->mode >> 2));")
    if main:
        kind = _LANE[main.removesuffix("+") if main != "u8+" else main][1]
        lines.append("  const bool post = unlikely(I->flags & F_POST);")
        lines.append("  u32 *O = w->R + I->d, *D = post ? w->tmp[4] : O;")
    if masks:
        lines.append("  u8 E[LANE_COUNT];")
    gather = "E[l] = (u8)(e & 1); " if masks else ""
    full, partial = "", ""
    if main:
        full, partial = _stores(main)
    if main:
        lines.append("  if (likely(mask == ALL_LANES) || post) {")
        lines.append(f"    LANES {{ {body} {gather}{full} }}")
        lines.append("  } else {")
        lines.append("    u32 M[64]; expand(mask, M);")
        lines.append(f"    LANES {{ {body} {gather}{partial} }}")
        lines.append("  }")
        if flushes and main.rstrip("+") in _HALF:
            upper = "true" if main == "pkf" else "false"
            lines.append(f"  if (tiny) half_results(w, D, post ? ALL_LANES : mask, {upper});")
        lines.append(f"  if (post) finish(w, I, {kind}, D);")
    else:
        lines.append(f"  LANES {{ {body} {gather} }}")
    if masks:
        where = "I->d2" if main else "I->d"
        lines.append("  u64 bits = bits_of(E) & mask;")
        lines.append("  if (unlikely(I->flags & F_DPP)) bits &= w->dpp_mask;")
        if "vcc" in masks:
            lines.append("  VCC = bits;")
        if "mask" in masks:
            lines.append(f"  set_scalar64(w, {where}, bits);")
        if "exec" in masks:
            lines.append("  EXEC = bits;")
    if halves:
        lines.append("  if (mixed) _mm_setcsr(w->mxcsr);")
    lines += ["  NEXT;", "}", ""]
    return "\n".join(lines)


def _stores(out: str) -> tuple[str, str]:
    if out in _WIDE:
        value = _STORE[out].format(x="d", o="")
        return (
            f"const u64 r = {value}; D[l] = (u32)r; D[64 + l] = (u32)(r >> 32);",
            f"const u64 r = {value}; D[l] = (M[l] & (u32)r) | (~M[l] & D[l]); "
            "D[64 + l] = (M[l] & (u32)(r >> 32)) | (~M[l] & D[64 + l]);",
        )
    value = _STORE[out].format(x="d", o="O[l]")
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
