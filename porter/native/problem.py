"""What a recognised kernel computes: C = f(A B^T), its operands by the names of the kernel's parameters."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Gemm", "Operand", "Result"]


@dataclass(frozen=True, slots=True)
class Operand:
    """A: M rows of K elements; B: N rows of K elements. Sizes and strides are read from the tensor map."""

    map: str  # the kernel's CUtensorMap
    element: str  # "bf16", "f16", "e4m3", "e5m2", "tf32", "s8"
    k_major: bool = True  # elements of k are neighbours in memory; else those of m or n are


@dataclass(frozen=True, slots=True)
class Result:
    """Element (row, column) of C lies at row * pitch + column, or at column * pitch + row."""

    parameter: str  # a pointer, or a CUtensorMap that says where and how C lies
    is_map: bool
    element: str  # "bf16", "f16", "f32", "s32"
    row_major: bool = True
    pitch: str = ""  # C++ over the kernel's parameters; unused with a map
    value: str = "sum"  # C++ over the sum, `row`, `column` and the kernel's parameters, before it is converted
    bounds: tuple[str, str] = (
        "",
        "",
    )  # the parameters that rows and columns of stores are less than, where there are any


@dataclass(frozen=True, slots=True)
class Gemm:
    kernel: str  # its name
    parameters: str  # the text between the parentheses of its definition
    a: Operand
    b: Operand
    c: Result
    sizes: tuple[str, str] | None = None  # the parameters that are M and N, where the maps lie in global memory
