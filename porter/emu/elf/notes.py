"""MessagePack as notes of code objects have it: maps, lists, texts, numbers and truth values."""

from __future__ import annotations

import struct
from typing import Any

__all__ = ["unpack"]

_NUMBERS = {
    0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q", 0xCA: ">f", 0xCB: ">d",
}  # fmt: skip
_TEXTS = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I", 0xC4: ">B", 0xC5: ">H", 0xC6: ">I"}
_LISTS = {0xDC: ">H", 0xDD: ">I"}
_MAPS = {0xDE: ">H", 0xDF: ">I"}
_CONSTANTS: dict[int, Any] = {0xC0: None, 0xC2: False, 0xC3: True}


def unpack(data: bytes) -> Any:
    """The first value. Raises ValueError where the bytes are no MessagePack."""
    return _value(data, 0)[0]


def _value(data: bytes, at: int) -> tuple[Any, int]:
    """The value at this place, and the place behind it."""
    head = data[at]
    at += 1
    if head < 0x80:
        return head, at
    if head >= 0xE0:
        return head - 256, at
    if head in _CONSTANTS:
        return _CONSTANTS[head], at
    if head in _NUMBERS:
        return _read(data, at, _NUMBERS[head])
    if head < 0x90:
        return _map(data, at, head & 15)
    if head < 0xA0:
        return _list(data, at, head & 15)
    if head < 0xC0:
        return _text(data, at, head & 31)
    for sizes, make in ((_TEXTS, _text), (_LISTS, _list), (_MAPS, _map)):
        if head in sizes:
            count, at = _read(data, at, sizes[head])
            return make(data, at, count)
    raise ValueError(f"MessagePack has no {head:#x} here")


def _read(data: bytes, at: int, layout: str) -> tuple[Any, int]:
    return struct.unpack_from(layout, data, at)[0], at + struct.calcsize(layout)


def _text(data: bytes, at: int, size: int) -> tuple[str, int]:
    return data[at : at + size].decode("utf-8", "replace"), at + size


def _list(data: bytes, at: int, count: int) -> tuple[list[Any], int]:
    items = []
    for _ in range(count):
        value, at = _value(data, at)
        items.append(value)
    return items, at


def _map(data: bytes, at: int, count: int) -> tuple[dict[Any, Any], int]:
    items = {}
    for _ in range(count):
        key, at = _value(data, at)
        items[key], at = _value(data, at)
    return items, at
