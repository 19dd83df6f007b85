"""Entries that Python calls: functions of a pybind11 module, and C++ functions on torch's tensors, which get a module
around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from porter.harness.cases.entry import Entry, Parameter, SignatureError
from porter.toolchain.torch_rocm import EXTENSION

__all__ = ["BOUND", "FUNCTION", "bound_entry", "is_of_tensors", "python_entry", "tensor_entry"]

BOUND, FUNCTION = "porter_bound", "entry"  # the module around a function of C++, and the function's name in it

_MODULE = re.compile(r"\bPYBIND11_MODULE\s*\(\s*(\w+)")
_TENSOR = re.compile(r"\bat::Tensor\b")
_WHOLE = re.compile(r"\b(?:int|long|short|char|SymInt)\b")


def python_entry(source: Path, name: str, arguments: Sequence[str]) -> Entry:
    """A function of the pybind11 module in a source: Python's own, so only the case knows what it takes."""
    module, _, function = name.partition(":")
    defined = _MODULE.search(source.read_text(errors="replace"))
    if module in ("", "module"):
        module = defined[1] if defined else module
    if defined is None or defined[1] != module:
        there = f"it has {defined[1]}" if defined else "it has none"
        raise SignatureError(f"{source}: no PYBIND11_MODULE({module}, ...)", there)
    if not arguments:
        raise SignatureError(
            f"{source}: what does {function} take?", 'say ARGUMENTS = ("A", "B", "C", "m") in the case, in its order'
        )
    module = EXTENSION if module == "TORCH_EXTENSION_NAME" else module
    return Entry(function, False, False, _named(arguments), (8,) * len(arguments), module)


def is_of_tensors(function: Any) -> bool:
    """Whether a function has a tensor among its parameters (one that may be missing, or a list of them) or returns one."""
    types = (function.result_type, *(argument.type for argument in function.get_arguments()))
    return any(_TENSOR.search(type_.get_canonical().spelling) for type_ in types)


def tensor_entry(name: str, function: Any) -> Entry:
    """The entry as its declaration has it."""
    parameters = tuple(
        _parameter(argument.spelling or f"argument{number + 1}", argument.type, number)
        for number, argument in enumerate(function.get_arguments())
    )
    returns = bool(_TENSOR.search(function.result_type.get_canonical().spelling))
    return Entry(name, False, returns, parameters, (8,) * len(parameters), BOUND)


def bound_entry(name: str, arguments: Sequence[str]) -> Entry:
    """The entry as a case has it, of whose parameters no more than the names is known."""
    return Entry(name, False, False, _named(arguments), (8,) * len(arguments), BOUND)


def _named(arguments: Sequence[str]) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, "pointer", "", "", False, 0, number) for number, name in enumerate(arguments))


def _parameter(name: str, type_: Any, number: int) -> Parameter:
    spelling = type_.get_canonical().spelling
    if _TENSOR.search(spelling):
        constant = spelling.startswith("const ")  # by torch's convention what such a tensor holds does not change
        return Parameter(name, "pointer", "", "", constant, 0, number, type_.spelling)
    code = "?" if "bool" in spelling else "d" if re.search(r"\b(?:double|float)\b", spelling) else ""
    code = code or ("q" if _WHOLE.search(spelling) and "<" not in spelling else "")
    return Parameter(name, "scalar", "", code, True, 0, number, type_.spelling)
