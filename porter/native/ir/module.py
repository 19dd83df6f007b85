"""LLVM's textual IR, as much of it as clang writes for unoptimised device code.

Functions are read when they are first asked for; types are read once and known by their names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from porter.native.ir.reader import Reader, instruction
from porter.native.ir.types import Block, Constant, Global, Instruction, Operand, Register, Type, Unread

__all__ = [
    "Block",
    "Code",
    "Constant",
    "End",
    "Function",
    "Global",
    "Instruction",
    "Module",
    "Operand",
    "Register",
    "Stretch",
    "Type",
    "Unread",
    "parse",
    "spaces_of",
]


@dataclass(frozen=True, slots=True)
class End:
    """What a block ends with. Blocks are given by their number."""

    op: str
    operands: tuple[tuple[Type, Operand], ...]
    targets: tuple[int, ...]  # of a switch: the default
    cases: dict[int, int]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A block as it is executed."""

    name: str
    phis: tuple[Instruction, ...]
    body: tuple[Instruction, ...]
    end: End | None


@dataclass(frozen=True, slots=True)
class Code:
    blocks: tuple[Stretch, ...]
    crossing: frozenset[str]  # registers that a block sets and another one uses


@dataclass
class Function:
    name: str
    returns: Type
    parameters: tuple[tuple[Type, str, Type | None], ...]  # type, register, what it points to where it is by value
    kernel: bool
    group: str  # of its attributes, which the file gives after all functions
    debug: int
    lines: list[str]
    module: Module

    @property
    def attributes(self) -> str:
        return self.module.attributes.get(self.group, "")

    @cached_property
    def blocks(self) -> dict[str, Block]:
        return _blocks(self)

    @cached_property
    def instructions(self) -> list[Instruction]:
        return [one for block in self.blocks.values() for one in block.instructions]

    def number(self, instruction: Instruction) -> int:
        return next(number for number, one in enumerate(self.instructions) if one is instruction)

    @cached_property
    def code(self) -> Code:
        numbers = {name: number for number, name in enumerate(self.blocks)}
        stretches = []
        homes: dict[str, int] = {}
        crossing = set()
        for number, block in enumerate(self.blocks.values()):
            phis, body, end = [], [], None
            for one in block.instructions:
                if one.result:
                    homes[one.result] = number
                if one.op == "phi":
                    phis.append(one)
                elif one.op in _ENDS:
                    end = _end(one, numbers)
                    break
                else:
                    body.append(one)
            stretches.append(Stretch(block.name, tuple(phis), tuple(body), end))
        for number, stretch in enumerate(stretches):
            crossing |= {one.result for one in stretch.phis}
            crossing |= {v.name for one in stretch.phis for v, _ in one.detail if isinstance(v, Register)}
            used = [one.operands for one in stretch.body] + ([stretch.end.operands] if stretch.end else [])
            for operands in used:
                crossing |= {o.name for _, o in operands if isinstance(o, Register) and homes.get(o.name) != number}
        return Code(tuple(stretches), frozenset(crossing))


_DEBUG = re.compile(r"!dbg !(\d+)")
_ENDS = ("br", "switch", "ret", "unreachable")


def _end(one: Instruction, numbers: dict[str, int]) -> End:
    if one.op == "br":
        return End(one.op, one.operands, tuple(numbers[label] for label in one.detail), {})
    if one.op == "switch":
        default, cases = one.detail
        return End(one.op, one.operands, (numbers[default],), {n: numbers[label] for n, label in cases.items()})
    return End(one.op, one.operands, (), {})


class Module:
    def __init__(self) -> None:
        self.functions: dict[str, Function] = {}
        self.globals: dict[str, Global] = {}
        self.attributes: dict[str, str] = {}
        self.type_texts: dict[str, str] = {}
        self._types: dict[str, Type] = {}
        self.metadata: dict[int, str] = {}
        self._titles: dict[str, str] = {}

    def type_named(self, name: str) -> Type:
        known = self._types.get(name)
        if known is None:
            text = self.type_texts.get(name, "opaque")
            known = Type("opaque") if text == "opaque" else Reader(self.type_named, text).type()
            self._types[name] = known
        return known

    def title(self, function: str) -> str:
        """A function's name with template arguments and without namespaces, from the debug information."""
        if function not in self._titles:
            known = self.functions.get(function)
            text = self.metadata.get(known.debug, "") if known else ""
            name = re.search(r'name: "((?:[^"\\]|\\.)*)"', text)
            self._titles[function] = name[1] if name else function.lstrip("@")
        return self._titles[function]

    def place(self, function: str, number: int) -> tuple[str, int]:
        """File and line of a function's instruction, from the debug information."""
        name, line, _ = self.spot(self.functions[function].instructions[number])
        return name, line

    def spot(self, instruction: Instruction) -> tuple[str, int, int]:
        """File, line and column, from the debug information; "" and zeros without."""
        text = self.metadata.get(instruction.line, "")
        line, column = re.search(r"\bline: (\d+)", text), re.search(r"\bcolumn: (\d+)", text)
        while "DIFile(" not in text:
            above = re.search(r"\bfile: !(\d+)", text) or re.search(r"\bscope: !(\d+)", text)
            if above is None or int(above[1]) not in self.metadata:
                return "", 0, 0
            text = self.metadata[int(above[1])]
        name = re.search(r'filename: "([^"]*)"', text)
        return (name[1], int(line[1]), int(column[1]) if column else 1) if name and line else ("", 0, 0)

    def initialiser(self, name: str) -> tuple[Type, Operand] | None:
        known = self.globals.get(name)
        if known is None or not known.value:
            return None
        reader = Reader(self.type_named, known.value)
        return known.type, reader.value(known.type)


_DEFINE = re.compile(r"^define\b(.*?)(@(?:\"[^\"]*\"|[\w.$-]+))\((.*)\)([^()]*(?:\([^()]*\)[^()]*)*)\{$")
_GLOBAL = re.compile(
    r"^(@(?:\"[^\"]*\"|[\w.$-]+)) = .*?(?:addrspace\((\d+)\) )?(?:externally_initialized )?\b(?:global|constant) (.*)$"
)


def parse(text: str) -> Module:
    module = Module()
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("define"):
            body = []
            for inner in lines:
                if inner == "}":
                    break
                body.append(inner)
            _define(module, line, body)
        elif line.startswith("%") and " = type " in line:
            name, _, rest = line.partition(" = type ")
            module.type_texts[name] = rest
        elif line.startswith("@"):
            variable = _GLOBAL.match(line)
            if variable:
                reader = Reader(
                    module.type_named, variable[3].split(", align")[0].split(", section")[0].split(", comdat")[0]
                )
                try:
                    kind = reader.type()
                except Unread:
                    continue
                value = " ".join(reader.words[reader.at :])
                module.globals[variable[1]] = Global(variable[1], kind, int(variable[2] or 0), value)
        elif line.startswith("attributes #"):
            name, _, rest = line[len("attributes ") :].partition(" = ")
            module.attributes[name] = rest
        elif line.startswith("!") and " = " in line:
            number, _, rest = line[1:].partition(" = ")
            if number.isdigit():
                module.metadata[int(number)] = rest.removeprefix("distinct ")
    return module


def _define(module: Module, line: str, body: list[str]) -> None:
    define = _DEFINE.match(line)
    if define is None:
        return
    head, name, inside, tail = define.groups()
    words = head.split()
    reader = Reader(module.type_named, inside)
    parameters: list[tuple[Type, str, Type | None]] = []
    while reader.peek():
        if reader.skip("..."):
            break
        kind = reader.type()
        by_value = reader.attributes()
        register = reader.take() if reader.peek().startswith("%") else f"%{len(parameters)}"
        parameters.append((kind, register, by_value))
        reader.skip(",")
    group = re.search(r"#\d+", tail)
    debug = re.search(r"!dbg !(\d+)", tail)
    returns = Type("void")
    for at in range(len(words)):  # the linkage, visibility and attributes before it are plain words
        try:
            result = Reader(module.type_named, " ".join(words[at:]))
            returns = result.type()
        except (Unread, IndexError):
            continue
        if not result.peek():
            break
    module.functions[name] = Function(
        name, returns, tuple(parameters), not {"amdgpu_kernel", "ptx_kernel"}.isdisjoint(words), group[0] if group else "",
        int(debug[1]) if debug else 0, body, module,
    )  # fmt: skip


_LABEL = re.compile(r'^("[^"]*"|[\w.$-]+):')


def _blocks(function: Function) -> dict[str, Block]:
    # An entry block without a label has the number after the parameters'.
    entry = current = Block(f"%{len(function.parameters)}")
    blocks = {current.name: current}
    lines = iter(function.lines)
    for line in lines:
        if not line or line.lstrip().startswith((";", "#dbg")):
            continue
        label = _LABEL.match(line)
        if label and not line.startswith(" "):
            current = Block("%" + label[1])
            if current is not entry and not entry.instructions:
                blocks.pop(entry.name, None)
            blocks[current.name] = current
            continue
        if line.lstrip().startswith("switch") and line.rstrip().endswith("["):
            for inner in lines:
                line += " " + inner.strip()
                if inner.strip().startswith("]"):
                    break
        one = instruction(function.module.type_named, line)
        debug = _DEBUG.search(line)
        one.line = int(debug[1]) if debug else 0
        current.instructions.append(one)
    return blocks


def spaces_of(mangled: str) -> tuple[str, ...]:
    """The namespaces that a function's name says, without anonymous ones."""
    spaces: list[str] = []
    at = len("@_ZN")
    while mangled.startswith("@_ZN") and (number := re.compile(r"\d+").match(mangled, at)):
        at = number.end() + int(number[0])
        spaces.append(mangled[number.end() : at])
    return tuple(name for name in spaces[:-1] if not name.startswith("_GLOBAL_"))
