"""What a recognised kernel computes: C = f(A B^T), its operands by the names of the kernel's parameters."""

from __future__ import annotations

from dataclasses import dataclass

from porter.native.machine.product_kinds import BYTES

__all__ = ["BYTES", "Behind", "Gemm", "Operand", "Result"]


@dataclass(frozen=True, slots=True)
class Behind:
    """How far the matrix of one of several products is behind the one before."""

    kind: str = ""  # "": all have the same; "map": a tensor map's last dimension counts them; "rows"; "elements"
    much: str = ""  # C++ over the kernel's parameters: one, or the product of two


@dataclass(frozen=True, slots=True)
class Operand:
    """A: M rows of K elements; B: N rows of K elements."""

    source: str  # the kernel's CUtensorMap, which knows sizes and strides; a pointer, if there is a pitch
    element: str  # "bf16", "f16", "e4m3", "e5m2", "tf32", "s8"
    k_major: bool = True  # elements of k are neighbours in memory; else those of m or n are
    pitch: str = ""  # C++ over the kernel's parameters
    in_chunks: bool = True  # the source loads no less than 16 bytes at once: rows begin at a multiple of that
    behind: Behind = Behind()
    chunked: bool = False  # a tensor map's third dimension counts chunks of columns


@dataclass(frozen=True, slots=True)
class Result:
    """Element (row, column) of C lies at row * pitch + column, or at column * pitch + row."""

    parameter: str  # a pointer, or a CUtensorMap that says where and how C lies
    is_map: bool
    element: str  # "bf16", "f16", "e4m3", "e5m2", "f32", "s32"
    row_major: bool = True
    pitch: str = ""  # C++ over the kernel's parameters; unused with a map
    # C++ over `sum`, `row`, `column`, `before` (what the element was) and the kernel's parameters, before it is converted;
    # d[place]: the element of a matrix d that lies as C does
    value: str = "sum"
    bounds: tuple[str, str] = (
        "",
        "",
    )  # the parameters that rows and columns of stores are less than, where there are any
    behind: Behind = Behind()
    chunked: bool = False  # as an operand's


@dataclass(frozen=True, slots=True)
class Gemm:
    kernel: str  # its name
    parameters: str  # the text between the parentheses of its definition
    a: Operand
    b: Operand
    c: Result
    sizes: tuple[str, ...] | None = None  # the parameters that are M, N and K, where the host cannot ask a tensor map
    elements: tuple[tuple[str, str], ...] = ()  # of a template: for which arguments (C++) elements are "f16" or "bf16"
    others: tuple[tuple[str, Gemm], ...] = ()  # of a template: what it computes for such arguments (C++) instead
    limits: tuple[str, str, str] = ("", "", "")  # C++ of what M, N and K are less than or equal to, by numbers of tiles
    axis: str = ""  # of blockIdx: which of several products a block of the source takes part in
    count: str = ""  # C++ of how many products there are, where the kernel looks at that
    halves: bool = False  # the source rounds sums to f16 after each step
