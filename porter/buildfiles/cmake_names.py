"""Names in CMake's arguments: variables, libraries, generator expressions, folders of the toolkit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.buildfiles.cmake_lexer import Argument, Command
from porter.buildfiles.flags import LAYOUT, LITERAL_ROOT, port_path
from porter.buildfiles.tables import LibraryRow, tables
from porter.findings import Edit, Finding, Safety

__all__ = ["Packages", "argument_removal", "library_names", "name_findings"]

_VARIABLE = re.compile(r"(?<![\w-])(?P<define>-D)?(?P<name>(?:CMAKE_)?CUDA(?:Toolkit)?_\w+)(?!\w)")
_LIBRARY_VARIABLE = re.compile(r"\$\{CUDA_(?P<name>\w+?)_(?:LIBRARY|LIBRARIES)\}|\$\{(?P<all>CUDA_LIBRARIES)\}")
_TARGET = re.compile(r"(?<!\w)CUDA::(\w+)")
_LANGUAGE = re.compile(r"\$<(?:COMPILE_LANGUAGE|LINK_LANGUAGE|COMPILE_LANG_AND_ID|LINK_LANG_AND_ID):(?P<list>[^<>]*)>")
_COMPILER_GENEX = re.compile(r"\$<CUDA_COMPILER_(?:ID|VERSION)(?::[^<>]*)?>")
_ENVIRONMENT = re.compile(r"\$ENV\{(CUDA_(?:HOME|PATH|ROOT|DIR|TOOLKIT_ROOT_DIR|BIN_PATH))\}")
_CONDITIONS = frozenset({"if", "elseif", "while"})
# Where a bare word can be a library.
_LINKING = frozenset({"target_link_libraries", "link_libraries", "find_library"})
_ROOTS = frozenset({"CUDA_TOOLKIT_ROOT_DIR", "CUDAToolkit_ROOT", "CUDAToolkit_ROOT_DIR", "CUDAToolkit_TARGET_DIR"})
_PROPERTY_COMMANDS = re.compile(r"(?:set|get)_\w*propert")


class Packages:
    """What find_package must find for the targets that the port links, with the first command that wants it."""

    def __init__(self) -> None:
        self.wanted: dict[str, Command] = {}

    def want(self, row: LibraryRow, command: Command) -> None:
        if row.package not in ("", "-"):
            self.wanted.setdefault(row.package, command)


def argument_removal(text: str, argument: Argument) -> Edit:
    """Takes an argument out with the blanks in front of it."""
    start = argument.start
    while text[start - 1] in " \t\r\n":
        start -= 1
    comment = text.rfind("#", text.rfind("\n", 0, start) + 1, start) >= 0
    return Edit(argument.start if comment or text[start - 1] == "(" else start, argument.end, "")


def name_findings(text: str, command: Command, packages: Packages, own: set[str], roots: set[str]) -> Iterator[Finding]:
    """`own`: the project's targets, which win over a library of that name; `roots`: its names for the toolkit."""
    for argument in command.arguments:
        yield from _root_aliases(argument, roots)
        yield from _variables(command, argument)
        yield from _library_variables(command, argument, packages)
        yield from _genex(argument)
        yield from _paths(text, argument)
    yield from _libraries(text, command, packages, own)


def _variables(command: Command, argument: Argument) -> Iterator[Finding]:
    for reference in _VARIABLE.finditer(argument.value):
        name = reference["name"]
        start, end = argument.inner + reference.start("name"), argument.inner + reference.end("name")
        row = tables().variable(name)
        if row is None:
            if name.startswith("CMAKE_CUDA_") and not name.startswith("CMAKE_CUDA_STANDARD_"):
                message = f"{name} has no counterpart that porter knows"
                yield Finding("build-cmake-variable", start, end, Safety.LEFT, message)
            continue
        if row.kind == "prop" and not _PROPERTY_COMMANDS.match(command.name):
            continue
        rule = "build-cmake-property" if row.kind == "prop" else "build-cmake-variable"
        if row.kind in ("gone", "rdc"):
            # The command that sets it goes; a use must be looked at.
            if command.name in _CONDITIONS or f"${{{name}}}" in argument.value:
                yield Finding(
                    "build-cmake-variable", start, end, Safety.LEFT, f"{name} has no meaning for HIP: {row.note}"
                )
            continue
        if row.kind == "version" and command.name not in _CONDITIONS:
            yield Finding(
                "build-cmake-variable",
                start,
                end,
                Safety.EXACT,
                f"{name} is now {row.hip}",
                (Edit(start, end, row.hip),),
            )
            continue
        if row.safety is Safety.LEFT:
            yield Finding(rule, start, end, Safety.LEFT, f"{name}: {row.note}")
            continue
        hip = "hip_HIPCC_EXECUTABLE" if _runs_compiler(command, argument, name) else row.hip
        edits = [Edit(start, end, hip)]
        if name in _ROOTS:
            edits.extend(_layout(argument, reference.end() + 1))
        message = f"{name} is now {hip}: {row.note}"
        yield Finding(rule, start, end, row.safety, message, tuple(edits))


def _runs_compiler(command: Command, argument: Argument, name: str) -> bool:
    """${CMAKE_CUDA_COMPILER} as a command of its own wants hipcc, which knows where ROCm lies."""
    return (
        name == "CMAKE_CUDA_COMPILER"
        and argument.value == "${CMAKE_CUDA_COMPILER}"
        and command.name in ("add_custom_command", "add_custom_target", "execute_process")
    )


def _layout(argument: Argument, at: int) -> Iterator[Edit]:
    for pattern, new in LAYOUT:
        folder = pattern.match(argument.value, at)
        if folder:
            if new is not None and folder.group() != new:
                yield Edit(argument.inner + folder.start(), argument.inner + folder.end(), new)
            return


def _root_aliases(argument: Argument, roots: set[str]) -> Iterator[Finding]:
    for match in re.finditer(r"\$\{(\w+)\}", argument.value):
        edits = tuple(_layout(argument, match.end())) if match[1] in roots else ()
        if edits:
            message = f"{match[1]} now holds ROCm's folder, which is laid out otherwise"
            start = argument.inner + match.start()
            yield Finding("build-cuda-path", start, edits[0].end, Safety.EXACT, message, edits)
    for match in re.finditer(r"TORCH_CUDA_ARCH_LIST", argument.value):
        start = argument.inner + match.start()
        message = "torch reads PYTORCH_ROCM_ARCH under ROCm: set that to the GPUs wanted"
        yield Finding("build-nvcc-arch", start, start + len(match.group()), Safety.LEFT, message)


def _library_variables(command: Command, argument: Argument, packages: Packages) -> Iterator[Finding]:
    for library in _LIBRARY_VARIABLE.finditer(argument.value):
        start, end = argument.inner + library.start(), argument.inner + library.end()
        name = "cudart" if library["all"] else library["name"]
        row = tables().library(name) or tables().library(name.lower())
        if row is None:
            continue
        if not row.target:
            yield Finding("build-cuda-library", start, end, Safety.LEFT, f"{library.group()}: {row.note}")
            continue
        packages.want(row, command)
        message = f"{library.group()} becomes {row.target}: {row.note}"
        yield Finding("build-cuda-library", start, end, row.safety, message, (Edit(start, end, row.target),))


def _genex(argument: Argument) -> Iterator[Finding]:
    for match in _LANGUAGE.finditer(argument.value):
        base = argument.inner
        languages = match["list"].split(",")
        if "CUDA" not in languages:
            continue
        start = base + match.start("list") + len(",".join(languages[: languages.index("CUDA")]))
        start += 1 if languages.index("CUDA") else 0
        edits = [Edit(start, start + 4, "HIP")]
        if "_AND_ID" in match.group() and "NVIDIA" in languages:
            at = base + match.start("list") + match["list"].index("NVIDIA")
            edits.append(Edit(at, at + len("NVIDIA"), "Clang"))
        message = "the language of the sources is HIP"
        yield Finding(
            "build-cmake-language", base + match.start(), base + match.end(), Safety.EXACT, message, tuple(edits)
        )
    for match in _COMPILER_GENEX.finditer(argument.value):
        start, end = argument.inner + match.start(), argument.inner + match.end()
        message = "asks for nvcc's name or version, which says nothing about clang"
        yield Finding("build-cmake-variable", start, end, Safety.LEFT, message)


def _paths(text: str, argument: Argument) -> Iterator[Finding]:
    for root in LITERAL_ROOT.finditer(text, argument.inner, argument.inner_end):
        rest = re.match(r"[^\s;\"]*", text[root.start() : argument.inner_end])
        old = rest.group() if rest else root.group()
        edit = Edit(root.start(), root.start() + len(old), port_path(old))
        message = f"{root.group()} is the CUDA toolkit; ROCm lies in /opt/rocm"
        yield Finding("build-cuda-path", root.start(), root.start() + len(old), Safety.EXACT, message, (edit,))
    for root in _ENVIRONMENT.finditer(argument.value):
        start, end = argument.inner + root.start(1), argument.inner + root.end(1)
        edits = (Edit(start, end, "ROCM_PATH"), *_layout(argument, root.end()))
        message = f"the environment's {root[1]} becomes ROCM_PATH, which ROCm does not always set"
        yield Finding("build-cuda-path", start, end, Safety.REVIEW, message, edits)


def library_names(command: Command) -> Iterator[Argument]:
    """Arguments that can be the bare name of a library."""
    values = command.values
    if command.name in _LINKING:
        yield from (a for a in command.arguments[1:] if a.kind in ("bare", "quoted"))
    elif command.name in ("set", "list"):
        place = 0 if command.name == "set" else 1
        if (
            len(values) > place
            and re.search(r"LIB", values[place], re.I)
            and not re.search(r"PATH|DIR", values[place], re.I)
        ):
            yield from command.arguments[place + 1 :]
    elif not re.match(
        r"if|elseif|while|message|project|option|find_|include|add_|install|function|macro|cmake_", command.name
    ) or (command.name.startswith("add_") and "LINK_LIBRARIES" in values):
        linking = False
        for argument in command.arguments:
            if re.fullmatch(r"[A-Z][A-Z_]+", argument.value):
                linking = "LIB" in argument.value
            elif linking:
                yield argument


def _libraries(text: str, command: Command, packages: Packages, own: set[str]) -> Iterator[Finding]:
    seen: set[str] = set()
    bare = {a.start for a in library_names(command)}
    for argument in command.arguments:
        whole = tables().library(argument.value) if argument.start in bare and argument.value not in own else None
        target = _TARGET.fullmatch(argument.value)
        if whole is not None and argument.value not in ("toolkit",):
            yield from _library(text, command, argument, whole, argument.inner, argument.value, packages, seen)
        elif target and argument.start == argument.inner:
            row = tables().library(target[1])
            yield from _library(text, command, argument, row, argument.inner, argument.value, packages, seen)
        else:
            for cuda_target in _TARGET.finditer(argument.value):
                row = tables().library(cuda_target[1])
                at = argument.inner + cuda_target.start()
                yield from _library(text, command, None, row, at, cuda_target.group(), packages, set())


def _library(
    text: str,
    command: Command,
    argument: Argument | None,
    row: LibraryRow | None,
    at: int,
    shown: str,
    packages: Packages,
    seen: set[str],
) -> Iterator[Finding]:
    end = at + len(shown)
    if row is None or (not row.target and row.safety is Safety.LEFT):
        message = f"{shown}: " + (row.note if row else "no counterpart that porter knows")
        yield Finding("build-cuda-library", at, end, Safety.LEFT, message)
        return
    if command.name == "find_library":
        if row.hip:
            edit = Edit(at, end, row.hip)
            yield Finding("build-cuda-library", at, end, row.safety, f"{shown} becomes {row.hip}: {row.note}", (edit,))
        return
    if argument is not None and (not row.target or row.target in seen):
        why = row.note if not row.target else f"{row.target} is already linked"
        edit = argument_removal(text, argument)
        yield Finding("build-cuda-library", at, end, row.safety, f"{shown} is no longer linked: {why}", (edit,))
        return
    seen.add(row.target)
    packages.want(row, command)
    message = f"{shown} becomes {row.target}: {row.note}"
    yield Finding("build-cuda-library", at, end, row.safety, message, (Edit(at, end, row.target),))
