"""clang's gfx942 assembly text as data: instructions with their source lines, labels, data, kernels.

Only what the compiler writes is understood, and what it writes for the debugger or the linker is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from porter.chip import EMULATED
from porter.emu.expressions import ExpressionError, evaluate
from porter.emu.places import inlined_at
from porter.errors import PorterError

__all__ = ["Argument", "AssemblyError", "Kernel", "Line", "Program", "Reference", "parse", "split_marks", "with_marks"]


_MARK = " ; region "
_MARKED = "; porter.region "  # what porter/region.h writes: "; porter.region +NAME"


class AssemblyError(PorterError):
    """The assembly text holds something that the emulator does not understand."""


@dataclass(frozen=True, slots=True)
class Line:
    """One instruction: its text, and the source line that it was compiled from (0: unknown)."""

    text: str
    number: int  # in the assembly text
    file: int  # index into Program.files
    line: int
    callers: int = 0  # index into Program.callers: where it was inlined
    column: int = 0
    marks: tuple[
        str, ...
    ] = ()  # +NAME: a region begins in front of it, -NAME: ends; ~ behind: but for those who jump here

    @property
    def marked(self) -> str:
        """The text with the marks, as images and recordings keep it."""
        return with_marks(self.text, self.marks)


def with_marks(text: str, marks: tuple[str, ...]) -> str:
    """The text of an instruction with its marks behind it."""
    return text + "".join(f"{_MARK}{mark}" for mark in marks)


def split_marks(text: str) -> tuple[str, tuple[str, ...]]:
    """The text of an instruction, and its marks."""
    own, *marks = text.split(_MARK)
    return own, tuple(marks)


@dataclass(frozen=True, slots=True)
class Reference:
    """Eight or four bytes of data that hold the address of a symbol."""

    place: int
    size: int
    symbol: str
    addend: int
    relative: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    offset: int
    size: int
    kind: str
    name: str = ""


@dataclass(slots=True)
class Kernel:
    name: str
    descriptor: dict[str, str] = field(default_factory=dict)  # .amdhsa_* without the prefix
    metadata: dict[str, str] = field(default_factory=dict)
    arguments: list[Argument] = field(default_factory=list)


@dataclass(slots=True)
class Program:
    target: str = EMULATED.target  # the chip that the text names
    lines: list[Line] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)  # code: index of the instruction
    objects: dict[str, int] = field(default_factory=dict)  # data: offset
    sizes: dict[str, int] = field(default_factory=dict)
    data: bytearray = field(default_factory=bytearray)  # what kernels may only read, then variables
    writable_at: int = 0  # where the variables begin
    references: list[Reference] = field(default_factory=list)
    kernels: dict[str, Kernel] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)  # .set, not evaluated
    files: list[str] = field(default_factory=lambda: [""])
    callers: list[tuple[tuple[str, int, int], ...]] = field(default_factory=lambda: [()])  # places, innermost first
    lds: dict[str, tuple[int, int]] = field(default_factory=dict)  # .amdgpu_lds: size, alignment

    def evaluate(self, text: str) -> int:
        """The number that an expression over `.set` symbols stands for."""
        try:
            return evaluate(text, self.values)
        except ExpressionError as error:
            raise AssemblyError(str(error)) from None


_TARGET = re.compile(r'"[\w-]*--(gfx\w+)')
_LABEL = re.compile(r"([A-Za-z_.$][\w.$@]*):")
_FILE = re.compile(r'\s*(\d+)\s+"((?:[^"\\]|\\.)*)"(?:\s+"((?:[^"\\]|\\.)*)")?')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_WIDTHS = {
    ".byte": 1,
    ".short": 2,
    ".word": 2,
    ".2byte": 2,
    ".hword": 2,
    ".long": 4,
    ".int": 4,
    ".4byte": 4,
    ".quad": 8,
    ".8byte": 8,
}
_READ_ONLY_SECTIONS = (".rodata", ".data.rel.ro")
_VARIABLES_ALIGNMENT = 256
_IGNORED_SECTIONS = (".debug", ".note", ".AMDGPU", ".comment", ".llvm", ".symtab", ".strtab")


def parse(text: str) -> Program:
    return _Parser(text).run()


class _Parser:
    def __init__(self, text: str) -> None:
        self.rows = text.split("\n")
        self.program = Program()
        self.kind = "code"  # of the section we are in: code, data or skip
        self.data = self.program.data  # of the section: read-only data, or the variables
        self.variables = bytearray()
        self.variable_names: set[str] = set()
        self.variable_references: list[Reference] = []
        self.place = (0, 0, 0, 0)
        self.numbers: dict[int, int] = {}  # .file number -> index into files
        self.named: dict[str, str] = {}  # a file as comments name it -> as it is in files
        self.comments: dict[str, int] = {}  # what follows a .loc -> index into callers
        self.marks: list[str] = []  # of the next instruction
        self.row = 0

    def run(self) -> Program:
        program = self.program
        rows = enumerate(self.rows, 1)
        for self.row, raw in rows:
            if not raw:
                continue
            first = raw[0]
            if first == "\t" and raw[1:2].islower():
                if self.kind == "code":
                    self._instruction(raw)
                continue
            if raw.startswith(("\t.loc\t", "\t.loc ")):
                self._loc(raw)
                continue
            text = _strip(raw)
            if not text:
                if self.kind == "code" and raw.lstrip().startswith(_MARKED):
                    self.marks.append(raw.strip().removeprefix(_MARKED))
                continue
            label = _LABEL.match(text)
            while label:
                self._label(label[1])
                text = text[label.end() :].strip()
                label = _LABEL.match(text)
            if not text:
                continue
            if text == ".amdgpu_metadata":
                self._metadata(rows)
            elif text.startswith(".amdhsa_kernel "):
                self._descriptor(text.split()[1], rows)
            elif text[0] == ".":
                self._directive(text)
            elif self.kind == "code":
                self._instruction(text)
        self._append_variables()
        for name, (size, align) in program.lds.items():
            program.sizes[name] = size
            program.values.setdefault(name, str(_lds_offset(program, name, align)))
        return program

    def _instruction(self, raw: str) -> None:
        place = (*self.place, 0, 0)[:4]
        self.program.lines.append(Line(_strip(raw), self.row, *place, tuple(self.marks)))
        if self.marks:
            self.marks.clear()

    def _label(self, name: str) -> None:
        if self.kind == "code":
            self.program.labels[name] = len(self.program.lines)
            self.marks[:] = [mark if mark.endswith("~") else f"{mark}~" for mark in self.marks]
        elif self.kind == "data":
            self._object(name)

    def _object(self, name: str) -> None:
        """Where the section's data have come to is called by this name."""
        self.program.objects[name] = len(self.data)
        if self.data is self.variables:
            self.variable_names.add(name)

    def _append_variables(self) -> None:
        """Puts the variables behind what is read-only, and moves what names their places."""
        program = self.program
        program.data += bytes(-len(program.data) % _VARIABLES_ALIGNMENT)
        at = program.writable_at = len(program.data)
        program.data += self.variables
        for name in self.variable_names:
            program.objects[name] += at
        program.references += (replace(r, place=r.place + at) for r in self.variable_references)

    def _directive(self, text: str) -> None:
        word, _, rest = text.partition("\t") if "\t" in text else text.partition(" ")
        rest = rest.strip()
        program = self.program
        if word == ".file":
            self._file(rest)
        elif word == ".amdgcn_target":
            named = _TARGET.match(rest)
            program.target = named[1] if named else rest
        elif word in (".text", ".data", ".bss"):
            self.kind = "code" if word == ".text" else "data"
            self.data = self.variables
        elif word == ".section":
            name = rest.split(",")[0].strip('"')
            self.kind = "code" if name.startswith(".text") else "data"
            self.data = program.data if name.startswith(_READ_ONLY_SECTIONS) else self.variables
            if name.startswith(_IGNORED_SECTIONS):
                self.kind = "skip"
        elif word == ".set":
            name, _, value = rest.partition(",")
            program.values[name.strip()] = value.strip()
        elif word == ".size":
            name, _, value = rest.partition(",")
            if value.strip().isdigit():
                program.sizes[name.strip()] = int(value)
        elif word == ".amdgpu_lds":
            name, size, *align = (part.strip() for part in rest.split(","))
            program.lds[name] = int(size, 0), int(align[0], 0) if align else 4
        elif word in (".comm", ".lcomm"):
            self._common(rest)
        elif self.kind == "data":
            self._data(word, rest)

    def _loc(self, raw: str) -> None:
        parts = raw.split(None, 4)
        column = int(parts[3]) if len(parts) > 3 and parts[3].isdigit() else 0
        self.place = (self.numbers.get(int(parts[1]), 0), int(parts[2]), 0, column)
        at = raw.find(" @[ ")
        if at < 0:
            return
        comment = raw[at:]
        known = self.comments.get(comment)
        if known is None:
            known = self.comments[comment] = len(self.program.callers)
            frames = inlined_at(comment)
            self.program.callers.append(tuple((self.named.get(name, name), line, at) for name, line, at in frames))
        self.place = (*self.place[:2], known, column)

    def _file(self, rest: str) -> None:
        match = _FILE.match(rest)
        if not match:
            return
        folder, name = (match[2], match[3]) if match[3] is not None else ("", match[2])
        path = name if not folder or name.startswith("/") else f"{folder}/{name}"
        if path not in self.program.files:
            self.program.files.append(path)
        self.numbers[int(match[1])] = self.program.files.index(path)
        self.named[name] = path

    # ---- data -------------------------------------------------------------------------------------------------------

    def _data(self, word: str, rest: str) -> None:
        data = self.data
        if word in _WIDTHS:
            for value in rest.split(","):
                self._value(_WIDTHS[word], value.strip())
        elif word in (".zero", ".skip", ".space"):
            size, _, byte = rest.partition(",")
            data += bytes([int(byte or "0", 0) & 255]) * int(size, 0)
        elif word == ".fill":
            times, width, filler = (int(part, 0) for part in [*rest.split(","), "1", "0"][:3])
            data += filler.to_bytes(width, "little") * times
        elif word in (".p2align", ".balign"):
            step = int(rest.split(",")[0], 0)
            step = 1 << step if word == ".p2align" else step
            data += bytes(-len(data) % step)
        elif word in (".ascii", ".asciz", ".string"):
            for quoted in _QUOTED.finditer(rest):
                data += _unescape(quoted[1])
                if word != ".ascii":
                    data.append(0)

    def _common(self, rest: str) -> None:
        """A variable of zeros, in whatever section; for this machine clang writes the alignment's logarithm."""
        name, size, *align = (part.strip() for part in rest.split(","))
        section, self.data = self.data, self.variables
        self.data += bytes(-len(self.data) % (1 << int(align[0]) if align else 16))
        self._object(name)
        self.program.sizes[name] = int(size, 0)
        self.data += bytes(int(size, 0))
        self.data = section

    def _value(self, width: int, text: str) -> None:
        data = self.data
        try:
            data += (int(text, 0) & ((1 << 8 * width) - 1)).to_bytes(width, "little")
            return
        except ValueError:
            pass
        difference = re.fullmatch(
            r"\(?([A-Za-z_.$][\w.$]*)(@rel32@lo|@rel32@hi|@rel32)?\)?\s*([+-]\s*\d+)?(?:-\.?[\w.$]+)?", text
        )
        if not difference or width < 4:
            raise AssemblyError(f"line {self.row}: cannot place {text!r} in the data")
        addend = int((difference[3] or "0").replace(" ", ""))
        references = self.variable_references if data is self.variables else self.program.references
        references.append(Reference(len(data), width, difference[1], addend, bool(difference[2])))
        data += bytes(width)

    # ---- kernels ----------------------------------------------------------------------------------------------------

    def _kernel(self, name: str) -> Kernel:
        return self.program.kernels.setdefault(name, Kernel(name))

    def _descriptor(self, name: str, rows: Iterator[tuple[int, str]]) -> None:
        kernel = self._kernel(name)
        for self.row, raw in rows:
            text = _strip(raw)
            if text == ".end_amdhsa_kernel":
                return
            key, _, value = text.partition(" ")
            kernel.descriptor[key.removeprefix(".amdhsa_")] = value.strip()

    def _metadata(self, rows: Iterator[tuple[int, str]]) -> None:
        """The YAML that clang writes: a list of kernels, each with a list of arguments."""
        kernels: list[tuple[dict[str, str], list[dict[str, str]]]] = []
        inside = False
        for self.row, raw in rows:
            text = raw.strip()
            if text == ".end_amdgpu_metadata":
                break
            depth = len(raw) - len(raw.lstrip(" "))
            if depth == 0:
                inside = text == "amdhsa.kernels:"
                continue
            if not inside:
                continue
            if depth == 2 and text.startswith("- "):
                kernels.append(({}, []))
                depth, text = 4, text[2:]
            if depth == 6 and text.startswith("- ."):
                kernels[-1][1].append({})
                depth, text = 8, text[2:]
            key, colon, value = text.partition(":")
            if not colon or not kernels:
                continue
            value = value.strip().strip("'\"")
            if depth == 4:
                kernels[-1][0][key] = value
            elif depth == 8 and kernels[-1][1]:
                kernels[-1][1][-1][key] = value
        for about, arguments in kernels:
            kernel = self._kernel(about.get(".name", ""))
            kernel.metadata = about
            kernel.arguments = [
                Argument(int(a[".offset"]), int(a[".size"]), a.get(".value_kind", ""), a.get(".name", ""))
                for a in arguments
            ]


def _strip(raw: str) -> str:
    """Without the comment; a semicolon or // inside quotes is text."""
    if ";" in raw and '"' not in raw:
        raw = raw[: raw.index(";")]
    elif ";" in raw:
        quoted = False
        for at, letter in enumerate(raw):
            if letter == '"' and raw[at - 1] != "\\":
                quoted = not quoted
            elif letter == ";" and not quoted:
                raw = raw[:at]
                break
    if "//" in raw and '"' not in raw:
        raw = raw[: raw.index("//")]
    return raw.strip()


_ESCAPES = {"n": 10, "t": 9, "r": 13, "b": 8, "f": 12, '"': 34, "\\": 92}


def _unescape(text: str) -> bytes:
    out = bytearray()
    at = 0
    while at < len(text):
        if text[at] != "\\":
            out += text[at].encode("utf-8")
            at += 1
            continue
        octal = re.compile(r"[0-7]{1,3}").match(text, at + 1)
        if octal:
            out.append(int(octal[0], 8) & 255)
            at = octal.end()
        else:
            out.append(_ESCAPES[text[at + 1]])
            at += 2
    return bytes(out)


def _lds_offset(program: Program, name: str, align: int) -> int:
    offset = 0
    for other, (size, step) in program.lds.items():
        offset += -offset % step
        if other == name:
            return offset + -offset % align
        offset += size
    return offset
