"""What an entry is called with: its parameters, byte by byte or by name."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from porter.errors import PorterError

__all__ = ["Entry", "Parameter", "SignatureError"]


class SignatureError(PorterError):
    """An entry that is not there, or takes what the harness cannot give."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One value: a whole parameter, or a field of a struct that is one."""

    name: str
    kind: str  # "pointer", "scalar", "stream"
    dtype: str  # of torch, for pointers: "" where the signature leaves it open (void, bytes, bit patterns)
    code: str  # of the struct module, for scalars
    constant: bool  # points to const: never an output
    offset: int = 0  # within the parameter
    argument: int = 0  # the number of the parameter
    type: str = ""  # as it is written

    @property
    def width(self) -> int:
        return 2 if self.code == "bf16" else struct.calcsize(self.code) if self.code else 8


@dataclass(frozen=True, slots=True)
class Entry:
    name: str  # as C++ spells it, template arguments included
    kernel: bool  # __global__: needs a launch configuration
    returns: bool  # a number or an error; of Python, a tensor or several
    parameters: tuple[Parameter, ...]
    sizes: tuple[int, ...]  # bytes of each argument
    module: str = ""  # of Python: the entry is one of its functions

    @property
    def pointers(self) -> tuple[Parameter, ...]:
        return tuple(p for p in self.parameters if p.kind == "pointer")
