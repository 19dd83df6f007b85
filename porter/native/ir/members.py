"""Members of a kernel's parameters that are structures: how they are called and where they are, by the debug information.

The source does not say where the type depends on a template's parameters; the compiler knows for each instantiation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.native.ir.kernel_arguments import MOST_ELEMENTS
from porter.native.ir.module import Function, Module

__all__ = ["members"]

_ALIASES = frozenset(("DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type"))


def members(module: Module, function: Function) -> dict[int, list[tuple[str, int]]]:
    """By parameter: numbers, pointers and tensor maps, as the kernel may write them, and the byte that each begins at."""
    signature = _field(module.metadata.get(function.debug, ""), "type")
    types = _list(module, _field(module.metadata.get(signature, ""), "types"))
    return {number: list(_of(module, one, "", 0)) for number, one in enumerate(types[1:])}


def _of(module: Module, number: int, name: str, at: int) -> Iterator[tuple[str, int]]:
    text = module.metadata.get(number, "")
    while _tag(text) in _ALIASES:
        text = module.metadata.get(_field(text, "baseType"), "")
    tag = _tag(text)
    if tag in ("DW_TAG_structure_type", "DW_TAG_class_type") and _name(text) != "CUtensorMap_st":
        for element in _list(module, _field(text, "elements")):
            one = module.metadata.get(element, "")
            if _visible(one, tag) and _tag(one) in ("DW_TAG_member", "DW_TAG_inheritance"):
                inner = _name(one) if _tag(one) == "DW_TAG_member" else ""
                path = f"{name}.{inner}" if name and inner else name or inner
                yield from _of(module, _field(one, "baseType"), path, at + _field(one, "offset") // 8)
    elif tag == "DW_TAG_array_type" and name:
        counts = [_field(module.metadata.get(e, ""), "count") for e in _list(module, _field(text, "elements"))]
        if len(counts) == 1 and 0 < counts[0] <= MOST_ELEMENTS:
            size = _field(text, "size") // 8 // counts[0]
            for index in range(counts[0]):
                yield from _of(module, _field(text, "baseType"), f"{name}[{index}]", at + index * size)
    elif name and tag != "DW_TAG_union_type":
        yield name, at


def _visible(text: str, within: str) -> bool:
    """May the kernel name it?"""
    if "DIFlagBitField" in text or "DIFlagStaticMember" in text:
        return False
    hidden = "DIFlagPrivate" in text or "DIFlagProtected" in text
    return not hidden and (within != "DW_TAG_class_type" or "DIFlagPublic" in text)


def _tag(text: str) -> str:
    tag = re.search(r"\btag: (\w+)", text)
    return tag[1] if tag else "DW_TAG_base_type" if "DIBasicType(" in text else ""


def _name(text: str) -> str:
    name = re.search(r'\bname: "((?:[^"\\]|\\.)*)"', text)
    return name[1] if name else ""


def _field(text: str, name: str) -> int:
    """A number, or the number of a node."""
    number = re.search(rf"\b{name}: !?(\d+)", text)
    return int(number[1]) if number else 0


def _list(module: Module, number: int) -> list[int]:
    text = module.metadata.get(number, "")
    return [int(word[1:]) if word[:1] == "!" else 0 for word in text[2:-1].split(", ")] if text[:2] == "!{" else []
