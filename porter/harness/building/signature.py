"""The entry of a kernel's source as libclang sees it: what it is called with, byte by byte."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import clang.cindex as ci

from porter.frontend.ast import Ast, ParseOptions, parse
from porter.harness.building.python_functions import is_of_tensors, tensor_entry
from porter.harness.cases.entry import Entry, Parameter, SignatureError

__all__ = ["CHOICE", "SignatureError", "address", "read_entry"]

# The element types by which torch knows what a pointer points to. Vector types hold several of one.
_RECORDS = {
    "__half": "float16", "__half2": "float16", "__nv_bfloat16": "bfloat16", "__nv_bfloat162": "bfloat16",
    "__hip_bfloat16": "bfloat16", "__hip_bfloat162": "bfloat16", "hip_bfloat16": "bfloat16",
    "__nv_fp8_e4m3": "float8_e4m3fn", "__nv_fp8x2_e4m3": "float8_e4m3fn", "__nv_fp8x4_e4m3": "float8_e4m3fn",
    "__nv_fp8_e5m2": "float8_e5m2", "__nv_fp8x2_e5m2": "float8_e5m2", "__nv_fp8x4_e5m2": "float8_e5m2",
    "fp8_e4m3": "float8_e4m3fn", "fp8x2_e4m3": "float8_e4m3fn", "fp8x4_e4m3": "float8_e4m3fn",
    "fp8_e5m2": "float8_e5m2", "fp8x2_e5m2": "float8_e5m2", "fp8x4_e5m2": "float8_e5m2",
    "__hip_fp8_e4m3": "float8_e4m3fn", "__hip_fp8_e5m2": "float8_e5m2",
    "__hip_fp8_e4m3_fnuz": "float8_e4m3fnuz", "__hip_fp8_e5m2_fnuz": "float8_e5m2fnuz",
}  # fmt: skip
_VECTORS = {
    "float": "float32", "double": "float64", "int": "int32", "longlong": "int64", "short": "int16", "char": "int8",
}  # fmt: skip
_SCALARS = {
    ci.TypeKind.FLOAT: ("float32", "f"), ci.TypeKind.DOUBLE: ("float64", "d"), ci.TypeKind.BOOL: ("bool", "?"),
    ci.TypeKind.CHAR_S: ("int8", "b"), ci.TypeKind.SCHAR: ("int8", "b"), ci.TypeKind.UCHAR: ("", "B"),
    ci.TypeKind.SHORT: ("int16", "h"), ci.TypeKind.USHORT: ("", "H"), ci.TypeKind.INT: ("int32", "i"),
    ci.TypeKind.UINT: ("", "I"), ci.TypeKind.LONG: ("int64", "q"), ci.TypeKind.ULONG: ("", "Q"),
    ci.TypeKind.LONGLONG: ("int64", "q"), ci.TypeKind.ULONGLONG: ("", "Q"),
    ci.TypeKind.HALF: ("float16", "e"),
}  # fmt: skip
_STREAMS = ("CUstream_st", "ihipStream_t")

# Which of several functions of one name: the one with these parameters. C++ has no expression for it without the result.
CHOICE = """\
namespace porter_entry {
template <class... P, class R> constexpr auto with(R (*function)(P...)) { return function; }
}  // namespace porter_entry
"""


def address(name: str) -> str:
    """The expression for an entry: &f, f<float> or, of several functions of a name, the one that f(int *, int) says."""
    function, parameters = name, ""
    if name.endswith(")"):
        depth = 0
        for index in range(len(name) - 1, -1, -1):
            depth += (name[index] == ")") - (name[index] == "(")
            if not depth:
                function, parameters = name[:index].rstrip(), name[index + 1 : -1].strip()
                break
        return f"porter_entry::with<{parameters}>(&{function})"
    return f"&{function}"


def read_entry(source: Path, name: str, options: ParseOptions) -> Entry:
    """The entry called `name`, or the only extern "C" function where there is no name."""
    with tempfile.TemporaryDirectory(prefix="porter-entry-") as folder:
        probe = Path(folder) / "entry.cu"
        text = f'#include "{source}"\n'
        if name:
            text += f"{CHOICE}static const auto porter_function = {address(name)};\n"
        probe.write_text(text)
        ast = parse(probe, source, options)
        if ast is None:
            raise SignatureError(f"{source}: libclang cannot read it", "name a port (.hip) or fix the source")
        function = _referenced(ast, probe) if name else _only_entry(ast, source)
        if function is None:
            problem, there = _why_not_found(ast, source, name)
            raise SignatureError(problem, _without_headers(ast) or there)
        guessed = next(filter(_guessed, function.get_arguments()), None)
        if guessed is not None:
            raise SignatureError(
                f"{source}: {name or function.spelling}: the type of parameter {guessed.spelling} is not known",
                _without_headers(ast) or "fix the source",
            )
        if is_of_tensors(function):
            return tensor_entry(name or function.spelling, function)
        return _entry(source, name or function.spelling, function)


def _without_headers(ast: Ast) -> str:
    """What to do about headers that the parse did not find; "" where it found them all."""
    missing = ", ".join(ast.missing_headers)
    return f"name the folders of {missing} in INCLUDES" if missing else ""


_TYPEDEFS = frozenset({ci.CursorKind.TYPEDEF_DECL, ci.CursorKind.TYPE_ALIAS_DECL})


def _guessed(declaration: Any) -> bool:
    """Whether clang does not know a type that a declaration is made of: it takes int for it, and goes on."""
    return _invalid(declaration) or _unknown(declaration.type)


def _unknown(type_: Any) -> bool:
    pointed = False
    while _kind(type_) in (ci.TypeKind.POINTER, ci.TypeKind.LVALUEREFERENCE, ci.TypeKind.RVALUEREFERENCE):
        pointed, type_ = pointed or _kind(type_) == ci.TypeKind.POINTER, type_.get_pointee()
    named = type_.get_declaration()
    if named.kind in _TYPEDEFS:
        return _invalid(named) or _unknown(named.underlying_typedef_type)
    if pointed or _kind(type_.get_canonical()) != ci.TypeKind.RECORD:
        return False
    return _invalid(named) or any(map(_guessed, type_.get_canonical().get_fields()))


def _kind(type_: Any) -> Any:
    """None for what cindex has no name for, as _Float16."""
    try:
        return type_.kind
    except ValueError:
        return None


def _invalid(declaration: Any) -> bool:
    ask = ci.conf.lib.clang_isInvalidDeclaration
    ask.argtypes, ask.restype = (ci.Cursor,), ctypes.c_uint
    return bool(ask(declaration))


def _referenced(ast: Ast, probe: Path) -> Any:
    for cursor in ast.declarations():
        if cursor.spelling == "porter_function" and cursor.location.file.name == str(probe):
            for part in cursor.walk_preorder():
                if part.kind == ci.CursorKind.DECL_REF_EXPR and part.referenced is not None:
                    kinds = (ci.CursorKind.FUNCTION_DECL, ci.CursorKind.CXX_METHOD)
                    if part.referenced.kind in kinds and part.referenced.location.file.name != str(probe):
                        return part.referenced
    return None


def _functions(ast: Ast, source: Path) -> Iterator[Any]:
    """Functions with a body in the source itself; those in extern "C" blocks and namespaces too."""
    waiting = list(ast.declarations())
    while waiting:
        cursor = waiting.pop(0)
        if cursor.location.file is None or cursor.location.file.name != str(source):
            continue
        if cursor.kind in (ci.CursorKind.LINKAGE_SPEC, ci.CursorKind.NAMESPACE, ci.CursorKind.UNEXPOSED_DECL):
            waiting[:0] = list(cursor.get_children())
        elif cursor.kind in (ci.CursorKind.FUNCTION_DECL, ci.CursorKind.FUNCTION_TEMPLATE) and cursor.is_definition():
            yield cursor


def _only_entry(ast: Ast, source: Path) -> Any:
    functions = [f for f in _functions(ast, source) if f.spelling != "main" and f.spelling == f.mangled_name]
    names = sorted({f.spelling for f in functions if not _is_device(f)})
    if len(names) > 1:
        raise SignatureError(f"{source}: which entry? {', '.join(names)}", f'say ENTRY = "{names[0]}" in the case')
    return next((f for f in functions if f.spelling in names), None)


def _is_device(function: Any) -> bool:
    return any(child.kind == ci.CursorKind.CUDADEVICE_ATTR for child in function.get_children())


_TEMPLATE_PARAMETERS = frozenset({ci.CursorKind.TEMPLATE_TYPE_PARAMETER, ci.CursorKind.TEMPLATE_NON_TYPE_PARAMETER})


def _why_not_found(ast: Ast, source: Path, name: str) -> tuple[str, str]:
    functions = [f for f in _functions(ast, source) if f.spelling != "main"]
    named = [f for f in functions if f.spelling == name.rpartition("::")[2]]
    if len(named) == 1 and named[0].kind == ci.CursorKind.FUNCTION_TEMPLATE:
        parameters = [p.spelling for p in named[0].get_children() if p.kind in _TEMPLATE_PARAMETERS]
        return f"{source}: {name} is a template", f"name its arguments: {name}<{', '.join(parameters)}>"
    several = [f.displayname for f in named]
    if len(several) > 1:
        return f"{source}: which {name}? {', '.join(several)}", f'say ENTRY = "{several[0]}" in the case'
    if named and not ast.missing_headers:  # a header has one, too
        fix = f'say ENTRY = "{named[0].displayname}" in the case, or call it otherwise'
        return f"{source}: {name} is also the name of something else that the source sees", fix
    names = sorted({f.spelling for f in functions})
    there = f"it has {', '.join(names[:12])}" if names else "it has no function with a body"
    if name:
        return f"{source}: no function {name} that can be called", there
    return f'{source}: no extern "C" function', f'say ENTRY = "..." in the case; {there}'


def _entry(source: Path, name: str, function: Any) -> Entry:
    kernel = any(child.kind == ci.CursorKind.CUDAGLOBAL_ATTR for child in function.get_children())
    result = function.result_type.get_canonical()
    if _kind(result) not in (ci.TypeKind.VOID, ci.TypeKind.ENUM, *_SCALARS) or _kind(result) in (
        ci.TypeKind.FLOAT, ci.TypeKind.DOUBLE,
    ):  # fmt: skip
        raise SignatureError(
            f"{source}: {name} returns {function.result_type.spelling}", "an entry returns nothing, an int or an error"
        )
    parameters: list[Parameter] = []
    sizes: list[int] = []
    for number, argument in enumerate(function.get_arguments()):
        type_ = argument.type.get_canonical()
        if _kind(type_) in (ci.TypeKind.LVALUEREFERENCE, ci.TypeKind.RVALUEREFERENCE):
            type_ = type_.get_pointee()
        where = f"{source}: {name}: parameter {argument.spelling or number + 1} ({argument.type.spelling})"
        parameters += _values(type_, argument.spelling or f"argument{number + 1}", 0, number, where)
        sizes.append(type_.get_size())
    return Entry(name, kernel, _kind(result) != ci.TypeKind.VOID, tuple(parameters), tuple(sizes))


def _values(type_: Any, name: str, offset: int, argument: int, where: str) -> Iterator[Parameter]:
    type_ = type_.get_canonical()
    written = type_.spelling
    if _kind(type_) == ci.TypeKind.POINTER:
        target = type_.get_pointee().get_canonical()
        record = target.get_declaration().spelling
        if record in _STREAMS:
            yield Parameter(name, "stream", "", "", False, offset, argument, written)
            return
        yield Parameter(name, "pointer", _element(target), "", target.is_const_qualified(), offset, argument, written)
    elif _kind(type_) in _SCALARS or _kind(type_) == ci.TypeKind.ENUM:
        code = _SCALARS[_kind(type_)][1] if _kind(type_) in _SCALARS else "i"
        yield Parameter(name, "scalar", "", code, True, offset, argument, written)
    elif _kind(type_) == ci.TypeKind.RECORD:
        half = _RECORDS.get(type_.get_declaration().spelling, "")
        if half in ("float16", "bfloat16") and type_.get_size() == 2:
            yield Parameter(name, "scalar", half, "e" if half == "float16" else "bf16", True, offset, argument, written)
            return
        fields = list(type_.get_fields())
        if not fields:
            raise SignatureError(f"{where}: a class without fields that can be filled", "pass a struct of plain fields")
        for field in fields:
            yield from _values(field.type, field.spelling, offset + field.get_field_offsetof() // 8, argument, where)
    else:
        raise SignatureError(f"{where}: the harness cannot make such a value", "write a function that takes pointers")


def _element(target: Any) -> str:
    """torch's name of what a pointer points to; "" where only the case can know."""
    if _kind(target) in _SCALARS:
        return _SCALARS[_kind(target)][0]
    if target.spelling.removeprefix("const ") == "_Float16":
        return "float16"
    name = target.get_declaration().spelling
    if name in _RECORDS:
        return _RECORDS[name]
    if name[-1:] in "1234" and name[:-1] in ("float", "double"):
        return _VECTORS[name[:-1]]
    return ""  # int4 and its kin carry anything: 16 bytes of bf16, more often than not
