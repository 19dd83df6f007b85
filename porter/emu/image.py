"""Packs a parsed program for the C core: the layout is core/image.h's, byte for byte."""

from __future__ import annotations

import functools
import hashlib
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from porter.emu.assembly import AssemblyError, Kernel, Program, parse
from porter.emu.codegen import table_hash
from porter.emu.decode import decode
from porter.emu.encoding import AGPR_BASE, Decoded, Pool, UnknownInstruction
from porter.emu.places import place_of
from porter.emu.registers import record
from porter.emu.table import instructions

__all__ = ["build_image", "image_key", "pack"]

_MAGIC = 0x324D455245545250
_UNDEFINED, _CODE, _DATA, _ABSOLUTE = range(4)
_RELOCATIONS = {
    "abs64": 0, "abs32@lo": 1, "abs32@hi": 2, "abs32": 1, "rel32@lo": 3, "rel32@hi": 4, "rel32": 3,
    "gotpcrel32@lo": 5, "gotpcrel32@hi": 6, "rel64": 7,
}  # fmt: skip
_ARGUMENTS = {
    "by_value": 0, "global_buffer": 1, "dynamic_shared_pointer": 2,
    **{f"hidden_block_count_{axis}": 16 + n for n, axis in enumerate("xyz")},
    **{f"hidden_group_size_{axis}": 19 + n for n, axis in enumerate("xyz")},
    **{f"hidden_remainder_{axis}": 22 + n for n, axis in enumerate("xyz")},
    **{f"hidden_global_offset_{axis}": 25 + n for n, axis in enumerate("xyz")},
    "hidden_grid_dims": 28, "hidden_dynamic_lds_size": 29, "hidden_shared_base": 30, "hidden_private_base": 31,
    "hidden_multigrid_sync_arg": 33,
}  # fmt: skip
_HIDDEN_OTHER = 32
_INSTRUCTION_BYTES = 8  # INS_BYTES of core/emu.h
_USER = (
    ("user_sgpr_private_segment_buffer", 1), ("user_sgpr_dispatch_ptr", 2), ("user_sgpr_queue_ptr", 4),
    ("user_sgpr_kernarg_segment_ptr", 8), ("user_sgpr_dispatch_id", 16), ("user_sgpr_flat_scratch_init", 32),
    ("user_sgpr_private_segment_size", 64), ("system_sgpr_workgroup_id_x", 256),
    ("system_sgpr_workgroup_id_y", 512), ("system_sgpr_workgroup_id_z", 1024), ("system_sgpr_workgroup_info", 2048),
)  # fmt: skip
_DYNAMIC_STACK = 16384  # bytes a lane where the compiler cannot tell (recursion, indirect calls)


class _Strings:
    def __init__(self) -> None:
        self.bytes = bytearray(1)
        self.known: dict[str, int] = {"": 0}

    def at(self, text: str) -> int:
        if text not in self.known:
            self.known[text] = len(self.bytes)
            self.bytes += text.encode("utf-8", "replace") + b"\0"
        return self.known[text]


@dataclass(frozen=True, slots=True)
class _Symbols:
    numbers: dict[str, int]
    packed: list[bytes]


def build_image(assembly: str) -> bytes:
    """The image of one assembly text. Raises AssemblyError with the line that is not understood."""
    return pack(parse(assembly))


@functools.cache
def image_key() -> str:
    """Changes whenever the same assembly would give another image: the table, the decoder or the layout changed."""
    here = Path(__file__).parent
    texts = [path.read_bytes() for path in sorted([*here.glob("*.py"), *here.glob("isa/*.isa"), here / "core/image.h"])]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def pack(program: Program) -> bytes:
    strings = _Strings()
    pool = Pool()
    symbols = _Symbols({}, [])
    encoded: list[bytes] = []
    extensions: list[bytes] = []
    places: list[bytes] = []
    registers: list[bytes] = []
    label_of: dict[int, int] = {}  # fixup's place in the pool: the instruction that names it
    known_places: dict[tuple[int, int, int], tuple[int, int, int, int]] = {}
    numbers = {name: number for number, name in enumerate(instructions())}
    cache: dict[str, tuple[Decoded, int, bytes]] = {}
    for index, line in enumerate(program.lines):
        text = _with_distances(line.text, program.labels)
        known = cache.get(text)
        if known is None:
            try:
                decoded = decode(text, pool)
            except (UnknownInstruction, ValueError, KeyError, IndexError) as error:
                place = place_of(program.files[line.file], line.line, program.callers[line.callers])
                raise AssemblyError(
                    f"{place}{': ' if place.line else ''}the emulator does not know this instruction: {line.text} ({error}; assembly line {line.number})"
                ) from error
            number = 0
            if decoded.extension:
                number = len(extensions)
                extensions.append(decoded.extension.packed())
            known = decoded, number, record(decoded)
            if "@" not in text:  # the address of a symbol depends on where the instruction is
                cache[text] = known
        decoded, number, touched = known
        registers.append(touched)
        if decoded.label:
            if decoded.label not in program.labels:
                raise AssemblyError(f"label {decoded.label} is not defined (assembly line {line.number})")
            imm = program.labels[decoded.label]
        else:
            imm = decoded.imm
        for fixup in pool.fixups[len(label_of) :]:
            label_of[fixup.pool] = index
        encoded.append(
            struct.pack(
                "<QQ2i4i2iHHIII", 0, 0, decoded.d, decoded.d2, *decoded.s, _signed(imm), decoded.imm2,
                numbers[decoded.row.name], decoded.flags, number, decoded.n, index,
            )
        )  # fmt: skip
        source = line.file, line.line, line.callers
        if source not in known_places:
            place = place_of(program.files[line.file], line.line, program.callers[line.callers])
            inner = strings.at(place.inner_file), place.inner_line
            known_places[source] = (strings.at(place.file), place.line, *inner)
        places.append(struct.pack("<5I", *known_places[source], strings.at(line.text)))
    kernels, arguments = _kernels(program, strings)
    for name in (*program.labels, *program.objects):
        if not name.startswith((".L", "L")) or name in program.objects:
            _symbol(program, strings, symbols, name)
    relocations = [
        struct.pack(
            "<QqIIII",
            f.pool,
            f.addend,
            1,
            _RELOCATIONS[f.kind],
            _symbol(program, strings, symbols, f.symbol),
            label_of[f.pool],
        )
        for f in pool.fixups
    ]
    for r in program.references:
        kind = 7 if r.relative and r.size == 8 else 0 if r.size == 8 else 1
        relocations.append(
            struct.pack("<QqIIII", r.place, r.addend, 0, kind, _symbol(program, strings, symbols, r.symbol), 0)
        )
    pool_bytes = struct.pack(f"<{len(pool.words)}I", *pool.words)
    parts = {
        "ins": b"".join(encoded), "ext": b"".join(extensions), "pool": pool_bytes, "kernel": b"".join(kernels),
        "arg": b"".join(arguments), "symbol": b"".join(symbols.packed), "reloc": b"".join(relocations),
        "place": b"".join(places), "regs": b"".join(registers), "string": bytes(strings.bytes), "data": bytes(program.data),
    }  # fmt: skip
    header_size = struct.calcsize("<QQ8I11I4I") + 8
    at, offset = {}, -(-header_size // 64) * 64
    for name, part in parts.items():
        at[name] = offset
        offset += -(-len(part) // 64) * 64
    header = struct.pack(
        "<QQ8I11I4I", _MAGIC, table_hash(), offset, len(encoded), len(extensions), len(pool.words), len(kernels),
        len(arguments), len(symbols.packed), len(relocations), at["ins"], at["ext"], at["pool"], at["kernel"],
        at["arg"], at["symbol"], at["reloc"], at["place"], at["regs"], at["string"],
        len(parts["string"]), at["data"], len(program.data), 16, 0,
    )  # fmt: skip
    out = bytearray(offset)
    out[: len(header)] = header
    for name, part in parts.items():
        out[at[name] : at[name] + len(part)] = part
    return bytes(out)


_DISTANCE = re.compile(r"\(([\w.$]+)-([\w.$]+)\)(&4294967295|>>32)")


def _with_distances(text: str, labels: Mapping[str, int]) -> str:
    """How far apart two labels are, in halves: what a jump adds to s_getpc's address where a branch does not reach."""
    if "(" not in text or not text.startswith(("s_add", "s_sub")):
        return text

    def number(found: re.Match[str]) -> str:
        if found[1] not in labels or found[2] not in labels:
            return found[0]
        distance = (labels[found[1]] - labels[found[2]]) * _INSTRUCTION_BYTES
        return str((distance >> 32 if found[3] == ">>32" else distance) & 0xFFFFFFFF)

    return _DISTANCE.sub(number, text)


def _signed(value: int) -> int:
    return value - (1 << 32) if value >= 1 << 31 else value


def _symbol(program: Program, strings: _Strings, symbols: _Symbols, name: str) -> int:
    if name in symbols.numbers:
        return symbols.numbers[name]
    kind, value = _UNDEFINED, 0
    target = name
    while target in program.values and _is_name(program.values[target]):
        target = program.values[target]
    if target in program.labels:
        kind, value = _CODE, program.labels[target]
    elif target in program.objects:
        kind, value = _DATA, program.objects[target]
    elif target in program.values:
        kind, value = _ABSOLUTE, program.evaluate(target)
    elif target in _WELL_KNOWN:
        kind, value = _ABSOLUTE, _WELL_KNOWN[target]
    symbols.numbers[name] = len(symbols.packed)
    symbols.packed.append(struct.pack("<IIQQ", strings.at(name), kind, value, program.sizes.get(name, 0)))
    return symbols.numbers[name]


_WELL_KNOWN: dict[str, int] = {}


def _is_name(text: str) -> bool:
    return bool(text) and (text[0].isalpha() or text[0] in "_.$") and all(c.isalnum() or c in "_.$" for c in text)


def _kernels(program: Program, strings: _Strings) -> tuple[list[bytes], list[bytes]]:
    kernels: list[bytes] = []
    arguments: list[bytes] = []
    for kernel in program.kernels.values():
        if kernel.name not in program.labels:
            continue
        first = len(arguments)
        for argument in kernel.arguments:
            kind = _ARGUMENTS.get(argument.kind, _HIDDEN_OTHER if argument.kind.startswith("hidden") else 3)
            arguments.append(struct.pack("<4I", argument.offset, argument.size, kind, strings.at(argument.name)))
        kernels.append(_kernel(program, kernel, strings, first, len(arguments) - first))
    return kernels, arguments


def _kernel(program: Program, kernel: Kernel, strings: _Strings, first: int, count: int) -> bytes:
    def number(key: str, default: int = 0) -> int:
        text = kernel.descriptor.get(key)
        return default if text is None else program.evaluate(text)

    about = kernel.metadata
    vgprs = number("next_free_vgpr")
    agprs = int(about.get(".agpr_count", "0"))
    name = kernel.name
    if f"{name}.num_agpr" in program.values:
        agprs = program.evaluate(f"{name}.num_agpr")
        vgprs = program.evaluate(f"{name}.num_vgpr")
    elif agprs:
        vgprs = min(vgprs, number("accum_offset", 256))
    scratch = number("private_segment_fixed_size")
    dynamic = number("uses_dynamic_stack") or about.get(".uses_dynamic_stack") == "true"
    if dynamic:
        scratch += _DYNAMIC_STACK
    scratch = -(-scratch // 16) * 16
    user = sum(bit for key, bit in _USER if number(key))
    mode = (
        number("float_round_mode_32")
        | number("float_round_mode_16_64") << 2
        | number("float_denorm_mode_32", 3) << 4
        | number("float_denorm_mode_16_64", 3) << 6
        | number("dx10_clamp", 1) << 8
        | number("ieee_mode", 1) << 9
    )
    rows = AGPR_BASE + agprs if agprs else max(vgprs, 3)
    return struct.pack(
        "<20I", strings.at(name), program.labels[name], rows, AGPR_BASE, number("next_free_sgpr"),
        number("group_segment_fixed_size"), scratch, number("kernarg_size"), 16, user, number("user_sgpr_count"),
        number("user_sgpr_kernarg_preload_length"), number("user_sgpr_kernarg_preload_offset"), mode,
        int(about.get(".max_flat_workgroup_size", "1024")), first, count, int(bool(dynamic)), vgprs, agprs,
    )  # fmt: skip
