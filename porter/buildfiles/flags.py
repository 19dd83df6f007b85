"""nvcc's command line as hipcc takes it: a list of words in, what becomes of each out.

The three kinds of build file spell words differently (a Makefile's value, a CMake list, Python
string literals), so this module knows only their values; the callers turn a Change into edits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from porter.buildfiles.tables import FlagRow, canonical, tables
from porter.findings import Safety

__all__ = ["Change", "FlagContext", "port_flags", "port_path", "split_value"]


def _no_variable(name: str) -> bool:
    return False


@dataclass(frozen=True)
class FlagContext:
    target: str
    nvcc: bool = False  # the words are known to reach nvcc
    # Whether a variable that names an architecture is itself ported, so that a reference to it may stay.
    ported_variable: Callable[[str], bool] = _no_variable


@dataclass(frozen=True, slots=True)
class Change:
    """words[first:last] become `words`; None leaves them."""

    first: int
    last: int
    words: tuple[str, ...] | None
    rule: str
    safety: Safety
    message: str


# Switches that mean the same once and twice, wherever they stand.
_SWITCHES = frozenset({"-Rpass-analysis=kernel-resource-usage", "-g", "-c", "-fgpu-rdc", "-w", "-O0", "-save-temps"})
# What hipcc does where nothing else is said, and the flag that says otherwise.
_DEFAULTS = {
    "-fno-gpu-flush-denormals-to-zero": "-fgpu-flush-denormals-to-zero",
    "-fhip-fp32-correctly-rounded-divide-sqrt": "-fno-hip-fp32-correctly-rounded-divide-sqrt",
    "-ffp-contract=fast": "-ffp-contract=off",
    "-fno-gpu-rdc": "-fgpu-rdc",
    "-fgpu-default-stream=legacy": "-fgpu-default-stream=per-thread",
}
_HOST_COMPILER = re.compile(r"(?:.*/)?(?:g\+\+|gcc|clang\+\+|clang|c\+\+|icpc|icpx)(?:-[\d.]+)?\Z")
_VARIABLE = re.compile(r"\$\((\w+)\)\Z|\$\{(\w+)\}\Z")
_LIBRARY_FILE = re.compile(r"(?P<front>.*/)?lib(?P<name>[\w-]+)\.(?:so(?:\.[\d.]+)?|a)\Z")


def port_flags(words: Sequence[str], context: FlagContext) -> list[Change]:
    """The changes to one command line or list of flags, in order."""
    changes: list[Change] = []
    at = 0
    arch_done = any(w.startswith("--offload-arch=") for w in words)
    linked: set[str] = {w[2:] for w in words if w.startswith("-l") and tables().library(w[2:]) is None}
    emitted: set[str] = set()
    while at < len(words):
        change = _flag(words, at, context, arch_done) or _library(words, at, linked)
        if change is None:
            at += 1
            continue
        arch_done = arch_done or change.rule == "build-nvcc-arch"
        change = _once(words, change, emitted)
        if change.words != tuple(words[change.first : change.last]):
            changes.append(change)
        at = change.last
    return [_without_default(words, change, changes) for change in changes]


def _without_default(words: Sequence[str], change: Change, changes: Sequence[Change]) -> Change:
    """A flag goes that asks for what hipcc does anyway, unless a flag beside it, or in a variable, says otherwise."""
    if change.words is None or len(change.words) != 1 or change.words[0] not in _DEFAULTS:
        return change
    ported = {word for other in changes for word in other.words or ()}
    if _DEFAULTS[change.words[0]] in ported | set(words) or any("$" in word or word[:1] == "@" for word in words):
        return change
    shown = " ".join(words[change.first : change.last])
    return replace(change, words=(), message=f"{shown} goes: it is what hipcc does anyway")


def _once(words: Sequence[str], change: Change, emitted: set[str]) -> Change:
    """Without the switches that the command line has already: four of nvcc's can become one of clang's."""
    if change.words is None or change.rule != "build-nvcc-flag" or not all(w in _SWITCHES for w in change.words):
        return change
    others = {*words[: change.first], *words[change.last :], *emitted}
    new = tuple(w for w in change.words if w not in others)
    emitted.update(new)
    return replace(change, words=new)


def _flag(words: Sequence[str], at: int, context: FlagContext, arch_done: bool) -> Change | None:
    word = words[at]
    if len(word) < 2 or not word.startswith("-"):
        return None
    known = tables().flags
    row = known.get(canonical(word))
    value: str | None = None
    last = at + 1
    if row is None:
        name, equals, rest = word.partition("=")
        row = known.get(canonical(name)) if equals else None
        if row is None or row.kind in ("switch", "apart"):
            return None
        value = rest
    elif row.kind != "switch":
        if at + 1 >= len(words):
            if row.kind != "host":
                return None
            # `$(addprefix -Xcompiler ,$(CFLAGS))`: the values stand elsewhere, and need no prefix any more
            return Change(at, last, (), "build-host-flag", row.safety, f"{word} goes: {row.note}")
        value, last = words[at + 1], at + 2
        if value.startswith("-") and not row.nvcc.startswith("X") and not row.nvcc.endswith("-options"):
            return None
    if not (row.anywhere or context.nvcc):
        return None
    if row.kind == "arch":
        if last == at + 2 and not context.nvcc and not re.search(r"(?:sm|compute)_|arch=", value or ""):
            return None  # `-arch x86_64` is another compiler's
        return _arch(row, at, last, value or "", context, arch_done)
    rule = "build-host-flag" if row.kind in ("host", "linker") else "build-nvcc-flag"
    shown = " ".join(words[at:last])
    if row.hipcc is None:
        return Change(at, last, None, rule, Safety.LEFT, f"{shown}: {row.note}")
    new, safety, note = _replacement(row, value or "")
    if new is None:
        return Change(at, last, None, rule, Safety.LEFT, f"{shown}: {note}")
    became = " ".join(new) if new else "nothing"
    return Change(at, last, new, rule, safety, f"{shown} becomes {became}: {note}")


def _replacement(row: FlagRow, value: str) -> tuple[tuple[str, ...] | None, Safety, str]:
    assert row.hipcc is not None
    if row.kind == "host":
        return tuple(split_value(value, commas=True)), row.safety, row.note
    if row.kind == "linker":
        return ("-Wl," + ",".join(split_value(value, commas=True)),), row.safety, row.note
    if row.kind == "ptxas":
        return _ptxas(value, row.note)
    if row.nvcc in ("ccbin", "compiler-bindir") and _HOST_COMPILER.match(value):
        return (), Safety.EXACT, "clang compiles host code itself"
    value = "hip" if (row.nvcc, value) == ("-x", "cu") else value
    return tuple(w.replace("{}", value) for w in row.hipcc), row.safety, row.note


def _ptxas(value: str, note: str) -> tuple[tuple[str, ...] | None, Safety, str]:
    new: list[str] = []
    safety, notes = Safety.EXACT, [note]
    for word in split_value(value, commas=True):
        name = word.partition("=")[0]
        row = tables().ptxas.get(canonical(word)) or tables().ptxas.get(canonical(name))
        if row is None:
            return None, Safety.LEFT, f"ptxas' {word} has no known counterpart"
        if row.hipcc is None:
            return None, Safety.LEFT, row.note
        new.extend(w for w in row.hipcc if w not in new)
        notes.append(row.note)
    return tuple(new), safety, "; ".join(dict.fromkeys(notes))


def _arch(row: FlagRow, at: int, last: int, value: str, context: FlagContext, done: bool) -> Change:
    rule, safety = "build-nvcc-arch", Safety.EXACT
    variable = _VARIABLE.match(value)
    if not row.hipcc or done:
        return Change(at, last, (), rule, safety, f"-{row.nvcc} {value}: {row.note}")
    new = context.target
    message = f"-{row.nvcc} {value} becomes --offload-arch={new}"
    if variable:
        name = variable[1] or variable[2]
        if context.ported_variable(name):
            new, message = value, f"the GPU's name comes from {name}"
        else:
            safety = Safety.REVIEW
            message = f"{message}: {name} is not set here, so it may name an NVIDIA GPU"
    elif not re.search(r"(?:sm|compute|lto)_|native|all", value):
        safety, message = Safety.REVIEW, f"{message}: '{value}' is no architecture that is known"
    return Change(at, last, tuple(w.replace("{}", new) for w in row.hipcc or ()), rule, safety, message)


def _library(words: Sequence[str], at: int, linked: set[str]) -> Change | None:
    word, last = words[at], at + 1
    front, name = "-l", ""
    if word == "-l" and at + 1 < len(words):
        name, last = words[at + 1], at + 2
    elif word.startswith("-l"):
        name = word[2:]
        if name.startswith(":"):
            file = _LIBRARY_FILE.match(name[1:])
            name = file["name"] if file else name
    else:
        file = _LIBRARY_FILE.match(word)
        if file is None or word.startswith("-"):
            return None
        front, name = port_path(file["front"] or "") + "lib", file["name"]
    row = tables().library(name)
    if row is None:
        if re.match(r"cu(?:da|blas|fft|rand|sparse|solver|dnn|pti|tensor|file)|npp[a-z]|nv(?:rtc|jpeg|shmem|ml)", name):
            message = f"lib{name} is no CUDA library that porter knows: find its counterpart"
            return Change(at, last, None, "build-cuda-library", Safety.LEFT, message)
        return None
    if not row.hip and row.safety is Safety.LEFT:
        return Change(at, last, None, "build-cuda-library", Safety.LEFT, f"lib{name}: {row.note}")
    if not row.hip or row.hip in linked:
        reason = row.note if not row.hip else f"lib{row.hip} is already linked"
        return Change(at, last, (), "build-cuda-library", row.safety, f"lib{name} is no longer linked: {reason}")
    linked.add(row.hip)
    new = f"{front}{row.hip}" + ("" if front == "-l" else ".so")
    return Change(at, last, (new,), "build-cuda-library", row.safety, f"lib{name} becomes lib{row.hip}: {row.note}")


def split_value(value: str, commas: bool = False) -> Iterator[str]:
    """The words of an option's value: quotes taken off, cut at blanks and commas but not inside $(...)."""
    depth = 0
    word = ""
    quote = ""
    escaped = "\\" in value
    for char in value:
        if char in "({" and (depth or word.endswith("$")):
            depth += 1
        elif char in ")}" and depth:
            depth -= 1
        if char in "\"'" and not depth and not escaped and quote in ("", char):
            quote = "" if quote else char
        elif not depth and not escaped and (char.isspace() or (commas and char == ",")):
            if word:
                yield word
            word = ""
        else:
            word += char
    if word:
        yield word


# Where a toolkit's folders lie in ROCm; tried in order on what follows the root.
LAYOUT = (
    (re.compile(r"/targets/[\w-]+/include(?![\w-])"), "/include"),
    (re.compile(r"/targets/[\w-]+/lib(?:/stubs)?(?![\w-])"), "/lib"),
    (re.compile(r"/lib(?:64)?(?:/stubs)?(?![\w-])"), "/lib"),
    (re.compile(r"/bin/nvcc(?![\w-])"), "/bin/hipcc"),
    (re.compile(r"/(?:include|bin)(?![\w-])"), None),
)
LITERAL_ROOT = re.compile(
    r"(?:/(?:usr/local|opt|opt/nvidia|usr/lib)/cuda(?:-[\d.]+|-\$[({]\w+[)}])?"
    r"|/opt/nvidia/hpc_sdk/[\w.-]+/[\w.-]+/(?:cuda|math_libs)(?:/\d[\d.]*)?)(?![\w.-])"
)


def port_path(text: str) -> str:
    """A literal path into a CUDA installation as a path into ROCm; others come back as they are."""
    root = LITERAL_ROOT.match(text)
    if root is None:
        return text
    rest = text[root.end() :]
    for pattern, new in LAYOUT:
        layout = pattern.match(rest)
        if layout:
            return "/opt/rocm" + (rest if new is None else new + rest[layout.end() :])
    return "/opt/rocm" + rest
