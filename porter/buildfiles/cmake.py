"""CMakeLists.txt and *.cmake: the CUDA language, FindCUDA's commands, targets, properties and flags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from porter.buildfiles.cmake_emptied import without_emptied
from porter.buildfiles.cmake_flags import flag_findings, ported_text
from porter.buildfiles.cmake_lexer import Argument, Command, lex_cmake
from porter.buildfiles.cmake_names import Packages, argument_removal, name_findings
from porter.buildfiles.cmake_properties import property_findings
from porter.buildfiles.flags import LITERAL_ROOT, FlagContext
from porter.buildfiles.renames import Renames, source_words
from porter.buildfiles.tables import tables
from porter.findings import Edit, Finding, Safety

__all__ = ["port"]

_NO_FLAGS = frozenset(
    {
        "project", "message", "option", "if", "elseif", "else", "endif", "while", "cmake_minimum_required", "file",
        "find_package", "find_library", "find_path", "include", "function", "macro", "endfunction", "endmacro",
        "install", "cmake_policy", "source_group", "foreach", "endforeach",
    }
)  # fmt: skip
_NO_SOURCES = frozenset({"message", "project", "option", "cmake_minimum_required", "find_package"})
_CUDA_PACKAGES = frozenset({"CUDA", "CUDAToolkit"})
_OTHER_PACKAGES = {
    "CUDNN": "MIOpen's interface differs from cuDNN's",
    "TENSORRT": "TensorRT has no counterpart; MIGraphX is AMD's inference library",
    "THRUST": "rocThrust is found as rocthrust and linked as roc::rocthrust",
    "CUB": "hipCUB is found as hipcub and linked as hip::hipcub",
    "CCCL": "rocThrust and hipCUB are found as rocthrust and hipcub",
    "LIBCUDACXX": "libhipcxx is a project of its own",
    "NVIDIACUTLASS": "CUTLASS has no counterpart; Composable Kernel is AMD's library of tiles",
    "NVTX3": "roctx takes the place of NVTX",
}
_LEGACY_LEFT = {
    "cuda_compile": "build the sources as an object library",
    "cuda_compile_ptx": "make code objects with hipcc --genco in a custom command",
    "cuda_compile_fatbin": "make code objects with hipcc --genco in a custom command",
    "cuda_compile_cubin": "make code objects with hipcc --genco in a custom command",
    "cuda_wrap_srcs": "name the sources in the target",
    "cuda_build_clean_target": "no counterpart is wanted",
    "cuda_link_separable_compilation_objects": "compile with -fgpu-rdc, link with -fgpu-rdc --hip-link",
    "cuda_compute_separable_compilation_object_file_name": "compile with -fgpu-rdc, link with -fgpu-rdc --hip-link",
    "check_cuda_compiler_flag": "CheckCompilerFlag takes the language: check_compiler_flag(HIP ...)",
    "check_cuda_source_compiles": "CheckSourceCompiles takes the language: check_source_compiles(HIP ...)",
    "thrust_create_target": "rocThrust is linked as roc::rocthrust",
}
_LANGUAGE_FIRST = frozenset({"check_compiler_flag", "check_source_compiles", "check_source_runs", "check_linker_flag"})
_ROOT_VALUE = re.compile(
    rf"\$\{{(?:CUDA_TOOLKIT_ROOT_DIR|CUDAToolkit_ROOT\w*)\}}|\$ENV\{{CUDA_\w+\}}|{LITERAL_ROOT.pattern}"
)
_HIP_SINCE = (3, 21)
_SOURCE_COMMANDS = frozenset(
    {"add_executable", "add_library", "target_sources", "set", "list", "cuda_add_executable", "cuda_add_library"}
)


@dataclass
class _File:
    text: str
    names: Renames
    commands: list[Command]
    packages: Packages = field(default_factory=Packages)
    own: set[str] = field(default_factory=set)  # the project's targets
    has_language: bool = False  # the file turns on CUDA or HIP as a language
    turned_on: bool = False  # the port turns on HIP
    found_hip: Command | None = None  # the find_package(CUDA...) that became find_package(hip)
    roots: set[str] = field(default_factory=set)  # the project's own names for the toolkit's folder
    is_hip: set[str] = field(default_factory=set)  # sources with LANGUAGE CUDA or HIP already

    def indent(self, command: Command) -> str:
        line = self.text.rfind("\n", 0, command.start) + 1
        return re.match(r"[ \t]*", self.text[line : command.start])[0]  # type: ignore[index]

    def after(self, command: Command, *lines: str) -> Edit:
        newline = "\r\n" if "\r\n" in self.text else "\n"
        return Edit(command.end, command.end, "".join(newline + self.indent(command) + line for line in lines))

    def replaced(self, command: Command, *lines: str) -> Edit:
        """The whole command by others; without any, its line goes if it stands alone there."""
        if lines:
            newline = "\r\n" if "\r\n" in self.text else "\n"
            return Edit(command.start, command.end, (newline + self.indent(command)).join(lines))
        start, end = command.start - len(self.indent(command)), command.end
        rest = re.compile(r"[ \t]*\r?\n").match(self.text, end)
        if rest and (start == 0 or self.text[start - 1] == "\n"):
            return Edit(start, rest.end(), "")
        return Edit(command.start, command.end, "")


def port(text: str, names: Renames) -> list[Finding]:
    """The findings of a CMakeLists.txt or *.cmake file, with their edits."""
    commands = lex_cmake(text)
    file = _File(text, names, commands)
    findings: list[Finding] = []
    for command in commands:
        _survey(file, command)
    dual = _dual(file)
    if dual is not None:
        findings.append(dual)
    depth = 0
    for command in commands:
        depth += {"function": 1, "macro": 1, "endfunction": -1, "endmacro": -1}.get(command.name, 0)
        own: list[Finding] = []
        if command.name not in _NO_SOURCES and command.arguments:
            own.extend(source_words(text, command.arguments[0].start, command.end, names, "CMake"))
        if dual is None:
            own.extend(_command(file, command, depth > 0))
        findings.extend(without_emptied(text, command, own))
    if dual is None:
        findings.extend(_packages(file))
        findings.extend(_minimum(file))
    return sorted(findings, key=lambda f: (f.start, f.end))


def _survey(file: _File, command: Command) -> None:
    values = command.values
    if command.name in ("add_library", "add_executable", "cuda_add_library", "cuda_add_executable") and values:
        file.own.add(values[0])
    if (
        command.name == "set"
        and len(values) > 1
        and _ROOT_VALUE.fullmatch(values[1])
        and not tables().variable(values[0])
    ):
        file.roots.add(values[0])
    languages = values[1:] if command.name == "project" else values if command.name == "enable_language" else []
    if {"CUDA", "HIP"}.intersection(languages):
        file.has_language = True
    if command.name in ("set_source_files_properties", "set_property") and "LANGUAGE" in values:
        file.is_hip.update(values)


def _dual(file: _File) -> Finding | None:
    """A project that knows HIP already: its CUDA branch must stay one."""
    hip = cuda = None
    for command in file.commands:
        values = command.values
        if command.name in ("enable_language", "project"):
            hip = hip or (command if "HIP" in values[command.name == "project" :] else None)
            cuda = cuda or (command if "CUDA" in values[command.name == "project" :] else None)
        elif command.name == "find_package" and values:
            hip = hip or (command if values[0] in ("hip", "HIP") else None)
            cuda = cuda or (command if values[0] in _CUDA_PACKAGES else None)
        elif command.name.startswith("hip_add_"):
            hip = hip or command
    if hip is None or cuda is None:
        return None
    message = "this project has a branch for HIP already: select that one; the branch for CUDA is left as it is"
    return Finding("build-dual", hip.start, hip.end, Safety.REVIEW, message)


def _command(file: _File, command: Command, in_function: bool) -> Iterator[Finding]:
    text = file.text
    yield from _language(file, command, in_function)
    rewritten = list(_rewritten(file, command))
    yield from rewritten
    if any(e.start <= command.start and e.end >= command.end for f in rewritten for e in f.edits):
        return
    yield from _legacy(file, command)
    yield from property_findings(text, command, file.names.target, lambda *lines: file.replaced(command, *lines))
    if rewritten:
        return
    yield from name_findings(text, command, file.packages, file.own, file.roots)
    yield from _features(command)
    yield from _compilers(command)
    if command.name not in _NO_FLAGS:
        yield from _flags(file, command)
    yield from _kept_sources(file, command)


def _context(file: _File) -> Callable[[bool], FlagContext]:
    return lambda nvcc: FlagContext(file.names.target, nvcc)


def _flags(file: _File, command: Command) -> list[Finding]:
    values = command.values
    first = 1 if command.name in ("set", "list", "string") else 0
    arguments = command.arguments[first:]
    if command.name.startswith("cuda_add_") and "OPTIONS" in values:
        arguments = command.arguments[: values.index("OPTIONS")]
    nvcc = any(re.search(r"NVCC|CUDA_FLAGS|HIP_FLAGS", v) for v in values[: first + 1]) if first else False
    nvcc = nvcc or any(re.search(r"(?:\A|/)nvcc\Z|CUDA_COMPILER\}\Z|NVCC_EXECUTABLE\}\Z", v) for v in values)
    return flag_findings(file.text, command, arguments, _context(file), nvcc)


def _language(file: _File, command: Command, in_function: bool) -> Iterator[Finding]:
    values = command.values
    rule, message = "build-cmake-language", "the language is HIP"
    if command.name in ("enable_language", "check_language", *_LANGUAGE_FIRST):
        for argument in command.arguments[:1] if command.name in _LANGUAGE_FIRST else command.arguments:
            if argument.value == "CUDA":
                file.turned_on = True
                yield Finding(rule, argument.start, argument.end, Safety.EXACT, message, (_value(argument, "HIP"),))
    elif command.name == "project":
        for index, argument in enumerate(command.arguments):
            if (
                index
                and argument.value == "CUDA"
                and values[index - 1] not in ("DESCRIPTION", "HOMEPAGE_URL", "VERSION")
            ):
                file.turned_on = True
                yield Finding(rule, argument.start, argument.end, Safety.EXACT, message, (_value(argument, "HIP"),))
    elif "IN_LIST" in values:
        for argument in command.arguments:
            if argument.value == "CUDA":
                yield Finding(rule, argument.start, argument.end, Safety.EXACT, message, (_value(argument, "HIP"),))
    elif command.name == "find_package" and values:
        yield from _find_package(file, command, in_function)
    elif command.name == "include" and values and re.match(r"FindCUDA|CheckCUDA|CUDA", values[0]):
        message = f"{values[0]} is a module for CUDA: HIP has none of the kind"
        yield Finding("build-cmake-package", command.start, command.end, Safety.LEFT, message)


def _find_package(file: _File, command: Command, in_function: bool) -> Iterator[Finding]:
    values = command.values
    name, rule = values[0], "build-cmake-package"
    if name == "NCCL":
        edit = _value(command.arguments[0], "rccl")
        yield Finding(
            rule, command.start, command.end, Safety.REVIEW, "RCCL is linked as roc::rccl, NCCL by variables", (edit,)
        )
        return
    if name.upper() in _OTHER_PACKAGES:
        yield Finding(rule, command.start, command.end, Safety.LEFT, f"{name}: {_OTHER_PACKAGES[name.upper()]}")
        return
    if name not in _CUDA_PACKAGES:
        return
    edits = [_value(command.arguments[0], "hip")]
    for argument in command.arguments[1:]:
        if argument.value not in ("REQUIRED", "QUIET", "CONFIG"):  # versions, components and modes of CUDA's package
            edits.append(argument_removal(file.text, argument))
    message = f"{name} is found as hip; a version of CUDA says nothing about HIP"
    if file.found_hip is None:
        file.found_hip = command
    safety = Safety.EXACT
    if name == "CUDA" and not file.has_language:
        # FindCUDA needs no language; the HIP sources do.
        if in_function:
            safety = Safety.REVIEW
            message += "; call enable_language(HIP) at the top level, it may not stand in a function"
        else:
            file.has_language = file.turned_on = True
            newline = ("\r\n" if "\r\n" in file.text else "\n") + file.indent(command)
            lines = ["enable_language(HIP)"]
            if "REQUIRED" not in values:
                lines = ["include(CheckLanguage)", "check_language(HIP)", "if(CMAKE_HIP_COMPILER)"]
                lines += ["  enable_language(HIP)", "endif()"]
            edits.append(Edit(command.start, command.start, "".join(line + newline for line in lines)))
            message += "; the sources need the HIP language"
    yield Finding(rule, command.start, command.end, safety, message, tuple(edits))


def _value(argument: Argument, new: str) -> Edit:
    return Edit(argument.inner, argument.inner_end, new)


def _rewritten(file: _File, command: Command) -> Iterator[Finding]:
    """Commands that are written anew: FindCUDA's flag lists, relocatable device code, settings of nvcc alone."""
    values = command.values
    place = 1 if command.name in ("list", "string") else 0
    if command.name not in ("set", "list", "string", "unset", "option") or len(values) <= place:
        return
    row = tables().variable(values[place])
    if row is None:
        return
    rule = "build-cmake-variable"
    if row.kind == "gone":
        yield Finding(
            rule, command.start, command.end, row.safety, f"{row.cuda}: {row.note}", (file.replaced(command),)
        )
    elif row.kind == "rdc":
        on = command.name == "set" and values[1:2] and values[1].upper() in ("ON", "TRUE", "1", "YES")
        lines = _RDC_EVERYWHERE if on else ()
        message = "relocatable device code: compiled and linked with -fgpu-rdc; check targets linked otherwise"
        safety = Safety.REVIEW if on else Safety.EXACT
        yield Finding(
            "build-cmake-separable", command.start, command.end, safety, message, (file.replaced(command, *lines),)
        )
    elif row.kind == "flags":
        yield from _flag_list(file, command, row.hip, place)
    elif row.cuda == "CMAKE_CUDA_ARCHITECTURES" and command.name != "unset":
        yield from _architectures(file, command, row.hip, place)


_RDC_EVERYWHERE = (
    "add_compile_options($<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>)",
    "add_link_options($<$<LINK_LANGUAGE:HIP>:-fgpu-rdc> $<$<LINK_LANGUAGE:HIP>:--hip-link>)",
)


def _tail(command: Command, first: int) -> int:
    """Where the value of set() ends: at CACHE or PARENT_SCOPE."""
    for index in range(first, len(command.arguments)):
        if command.arguments[index].value in ("CACHE", "PARENT_SCOPE"):
            return index
    return len(command.arguments)


def _flag_list(file: _File, command: Command, hip: str, place: int) -> Iterator[Finding]:
    first = place + 1
    last = _tail(command, first) if command.name == "set" else len(command.arguments)
    arguments = command.arguments[first:last]
    name = command.arguments[place]
    if (
        command.name in ("unset", "option")
        or (command.name == "list" and command.values[0] != "APPEND")
        or not arguments
    ):
        ported = command.name == "unset" or not arguments
        renamed = (_value(name, hip),) if ported else ()
        safety = Safety.EXACT if ported else Safety.LEFT
        yield Finding(
            "build-cmake-variable", command.start, command.end, safety, f"{hip} is a string, not a list", renamed
        )
        return
    words, changes = ported_text(file.text, arguments, FlagContext(file.names.target, True))
    words = [re.sub(r"CUDA_NVCC_FLAGS(\w*)", r"CMAKE_HIP_FLAGS\1", w) for w in words]
    lead = " " if command.name in ("list", "string") else ""
    span = Edit(arguments[0].start, arguments[-1].end, f'"{lead}{" ".join(words)}"')
    edits = [_value(name, hip), span]
    if command.name == "list":
        edits.append(Edit(command.start, command.name_end, "string"))
    message = f"{name.value} is a list, {hip} one string"
    yield Finding("build-cmake-variable", command.start, command.end, Safety.EXACT, message, tuple(edits))
    for change in changes:
        if change.safety is not Safety.EXACT:
            yield Finding(change.rule, arguments[0].start, arguments[-1].end, change.safety, change.message)


def _architectures(file: _File, command: Command, hip: str, place: int) -> Iterator[Finding]:
    first = place + 1
    last = _tail(command, first) if command.name == "set" else len(command.arguments)
    name = command.arguments[place]
    values = command.arguments[first:last]
    edits = [_value(name, hip)]
    target = file.names.target
    safety = Safety.EXACT
    if values and not (len(values) == 1 and values[0].value.upper() in ("OFF", "FALSE", target.upper(), "")):
        edits.append(_value(values[0], target))
        edits.extend(argument_removal(file.text, argument) for argument in values[1:])
        if any("${" in a.value for a in values):
            safety = Safety.REVIEW
    message = f"{name.value} is now {hip}, and the GPU {target}"
    yield Finding("build-cmake-architectures", command.start, command.end, safety, message, tuple(edits))


def _legacy(file: _File, command: Command) -> Iterator[Finding]:
    """FindCUDA's commands."""
    rule, values = "build-cmake-command", command.values
    if command.name in _LEGACY_LEFT:
        message = f"{command.name}() has no counterpart: {_LEGACY_LEFT[command.name]}"
        yield Finding(rule, command.start, command.end, Safety.LEFT, message)
        return
    libraries = {"cuda_add_cublas_to_target": "cublas", "cuda_add_cufft_to_target": "cufft"}
    if command.name in libraries and values:
        row = tables().libraries[libraries[command.name]]
        file.packages.want(row, command)
        at = command.arguments[-1].end
        edits = (Edit(command.start, command.name_end, "target_link_libraries"), Edit(at, at, f" {row.target}"))
        yield Finding(rule, command.start, command.end, Safety.EXACT, f"links {row.target}", edits)
    elif command.name == "cuda_select_nvcc_arch_flags" and values:
        new = f"set({values[0]} --offload-arch={file.names.target})"
        message = "the flags that name the GPU"
        yield Finding(rule, command.start, command.end, Safety.EXACT, message, (file.replaced(command, new),))
    elif command.name == "cuda_include_directories":
        edit = Edit(command.start, command.name_end, "include_directories")
        yield Finding(
            rule, command.start, command.end, Safety.EXACT, "HIP sources use the common include path", (edit,)
        )
    elif command.name in ("cuda_add_executable", "cuda_add_library") and values:
        yield from _add_target(file, command)


def _add_target(file: _File, command: Command) -> Iterator[Finding]:
    new = command.name.removeprefix("cuda_")
    edits = [Edit(command.start, command.name_end, new)]
    values, lines = command.values, list(_language_lines(file, command))
    safety, message = Safety.EXACT, f"a target with HIP sources is made by {new}()"
    if "OPTIONS" in values:
        at = values.index("OPTIONS")
        options = command.arguments[at + 1 :]
        words, changes = ported_text(file.text, options, FlagContext(file.names.target, True))
        edits.append(Edit(command.arguments[at - 1].end, command.arguments[-1].end, ""))
        if words:
            lines.append(f"target_compile_options({values[0]} PRIVATE $<$<COMPILE_LANGUAGE:HIP>:{';'.join(words)}>)")
        if {"DEBUG", "RELEASE", "RELWITHDEBINFO", "MINSIZEREL"}.intersection(words):
            safety, message = Safety.REVIEW, message + "; options of one configuration need $<CONFIG:...>"
        for change in changes:
            if change.safety is not Safety.EXACT:
                yield Finding(change.rule, options[0].start, options[-1].end, change.safety, change.message)
    if lines:
        edits.append(file.after(command, *lines))
    yield Finding("build-cmake-command", command.start, command.end, safety, message, tuple(edits))


def _kept(file: _File, argument: Argument) -> bool:
    """A .cu file that keeps its name: CMake knows no language for it once CUDA is off."""
    value = argument.value
    if not re.search(r"[\w}]\.cu\Z", value) or "*" in value or value in file.is_hip:
        return False
    new = file.names.find(re.sub(r"\$\{\w+\}/?", "", value))
    return (new is not None and new.endswith(".cu")) or (new is None and file.names.suffix(".cu") in ("", ".cu"))


def _language_lines(file: _File, command: Command) -> Iterator[str]:
    kept = [file.text[a.start : a.end] for a in command.arguments if _kept(file, a)]
    if kept:
        yield f"set_source_files_properties({' '.join(kept)} PROPERTIES LANGUAGE HIP)"


def _kept_sources(file: _File, command: Command) -> Iterator[Finding]:
    values = command.values
    rule, message = "build-cmake-language", "CMake knows .hip by its name; a .cu file must be told that it is HIP"
    if command.name == "file" and len(values) > 2 and values[0].upper() in ("GLOB", "GLOB_RECURSE"):
        patterns = [v for v in values[2:] if v not in ("CONFIGURE_DEPENDS", "FOLLOW_SYMLINKS")]
        cuda = [v for v in patterns if v.endswith(".cu")]
        variable = f"${{{values[1]}}}"
        if not cuda or file.names.suffix(".cu") not in ("", ".cu") or variable in file.is_hip:
            return
        if len(cuda) < len(patterns):
            reason = f"{message}: {values[1]} mixes .cu files with others"
            yield Finding(rule, command.start, command.end, Safety.REVIEW, reason)
            return
        line = f"set_source_files_properties({variable} PROPERTIES LANGUAGE HIP)"
        yield Finding(rule, command.start, command.end, Safety.EXACT, message, (file.after(command, line),))
    elif (command.name in _SOURCE_COMMANDS and not command.name.startswith("cuda_")) or "SOURCES" in values:
        lines = list(_language_lines(file, command))
        if lines:
            yield Finding(rule, command.start, command.end, Safety.EXACT, message, (file.after(command, *lines),))


def _features(command: Command) -> Iterator[Finding]:
    for argument in command.arguments:
        for match in re.finditer(r"(?<!\w)cuda_std_(?=\d\d)", argument.value):
            start = argument.inner + match.start()
            edit = Edit(start, start + 4, "hip")
            yield Finding(
                "build-cmake-property", start, start + 11, Safety.EXACT, "the C++ standard of HIP sources", (edit,)
            )


def _compilers(command: Command) -> Iterator[Finding]:
    """nvcc and the other tools by name, in custom commands and find_program()."""
    if command.name not in ("add_custom_command", "add_custom_target", "execute_process", "find_program", "set"):
        return
    for argument in command.arguments[0 if command.name != "set" else 1 :]:
        tool = argument.value.rpartition("/")[2]
        if tool == "nvcc" and argument.kind in ("bare", "quoted"):
            edit = Edit(argument.inner_end - 4, argument.inner_end, "hipcc")
            if not re.match(r"/(?:usr/local|opt)/", argument.value):  # a literal path is ported as a whole
                yield Finding(
                    "build-nvcc", argument.start, argument.end, Safety.EXACT, "hipcc takes nvcc's place", (edit,)
                )
        elif tool in tables().tools and command.name != "set":
            message = f"{tool} is one of NVIDIA's tools; on AMD: {tables().tools[tool]}"
            yield Finding("build-cuda-tool", argument.start, argument.end, Safety.LEFT, message)


def _packages(file: _File) -> Iterator[Finding]:
    """find_package() for the targets that the port links."""
    known = {c.values[0] for c in file.commands if c.name == "find_package" and c.values}
    wanted = {p: c for p, c in file.packages.wanted.items() if p not in known and not (p == "hip" and file.found_hip)}
    required = " REQUIRED" if file.found_hip is None or "REQUIRED" in file.found_hip.values else ""
    by_place: dict[int, tuple[Command, list[str]]] = {}
    for package, command in wanted.items():
        place = file.found_hip or command
        by_place.setdefault(place.start, (place, []))[1].append(f"find_package({package}{required})")
    for place, lines in by_place.values():
        message = "ROCm's libraries are packages of their own"
        if place is file.found_hip:
            edit = file.after(place, *lines)
        else:
            newline = ("\r\n" if "\r\n" in file.text else "\n") + file.indent(place)
            edit = Edit(place.start, place.start, "".join(line + newline for line in lines))
        yield Finding("build-cmake-package", place.start, place.end, Safety.EXACT, message, (edit,))


def _minimum(file: _File) -> Iterator[Finding]:
    """HIP is a language since CMake 3.21."""
    for command in file.commands:
        if command.name != "cmake_minimum_required" or not file.turned_on:
            continue
        for argument in command.arguments:
            version = re.match(r"(\d+)\.(\d+)(?:\.\d+)*", argument.value)
            if version and (int(version[1]), int(version[2])) < _HIP_SINCE:
                edit = Edit(argument.inner, argument.inner + version.end(), "3.21")
                message = "HIP is a language of CMake since 3.21"
                yield Finding("build-cmake-version", argument.start, argument.end, Safety.EXACT, message, (edit,))
