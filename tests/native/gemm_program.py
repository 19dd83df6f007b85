"""A translation unit and a case around an emitted kernel: tensor maps over plain matrices, and a launch."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path

from porter.chip import GFX942
from porter.native.emit.gemm import emit
from porter.native.recognise.problem import Gemm, Operand, Result

ELEMENTS = {  # C++'s type, the tensor map's, bytes
    "bf16": ("__hip_bfloat16", "BFLOAT16", 2),
    "f16": ("__half", "FLOAT16", 2),
    "tf32": ("float", "FLOAT32", 4),
    "f32": ("float", "FLOAT32", 4),
    "s8": ("int8_t", "UINT8", 1),
    "s32": ("int", "INT32", 4),
    "e4m3": ("porter::fp8_e4m3", "UINT8", 1),
    "e5m2": ("porter::fp8_e5m2", "UINT8", 1),
}

_HOST = """

static bool encode(CUtensorMap* map, CUtensorMapDataType type, int bytes, const void* base, int rows, int columns, int pitch) {
  const uint64_t sizes[2] = {uint64_t(columns), uint64_t(rows)}, strides[1] = {uint64_t(pitch) * bytes};
  const uint32_t box[2] = {uint32_t(128 / bytes), 64}, steps[2] = {1, 1};
  return cuTensorMapEncodeTiled(map, type, 2, const_cast<void*>(base), sizes, strides, box, steps,
                                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == hipSuccess;
}

// Pitches are in elements.
extern "C" hipError_t product(const @TA@* A, const @TB@* B, @TC@* C, const float* bias, float alpha, int m, int n, int k,
                              int pitch_a, int pitch_b, int pitch_c, hipStream_t stream) {
  CUtensorMap map_a, map_b, map_c;
  if (!encode(&map_a, CU_TENSOR_MAP_DATA_TYPE_@MA@, sizeof *A, A, @SA@, pitch_a)) return hipErrorInvalidValue;
  if (!encode(&map_b, CU_TENSOR_MAP_DATA_TYPE_@MB@, sizeof *B, B, @SB@, pitch_b)) return hipErrorInvalidValue;
  if (@IS_MAP@ && !encode(&map_c, CU_TENSOR_MAP_DATA_TYPE_@MC@, sizeof *C, C, @SC@, pitch_c)) return hipErrorInvalidValue;
  gemm<<<@GRID@, @BLOCK@, @SHARED@, stream>>>(map_a, map_b, @C@, bias, alpha, pitch_c);
  return hipGetLastError();
}
"""

_CASE = '''
"""An emitted kernel."""

import torch

ENTRY = "product"
VALUES = {values!r}
A_ROWS, B_ROWS, C_ROWS, A_TYPE, B_TYPE, C_TYPE = {facts!r}


def shape(m, n, k, pad=0, pad_c=0):
    whole = lambda x: (x + 15) // 16 * 16 + pad
    return dict(m=m, n=n, k=k, pitch_a=whole(k if A_ROWS else m), pitch_b=whole(k if B_ROWS else n),
                pitch_c=(n if C_ROWS else m) + pad_c)


SHAPES = [shape(*sizes) for sizes in {shapes!r}]


def numbers(rows, columns, kind):
    if kind == "s8":
        return torch.randint(-128, 128, (rows, columns), dtype=torch.int8)
    return torch.randn(rows, columns)


def inputs(m, n, k, pitch_a, pitch_b, pitch_c):
    return {{
        "A": numbers(m if A_ROWS else k, pitch_a, A_TYPE),
        "B": numbers(n if B_ROWS else k, pitch_b, B_TYPE),
        "C": torch.zeros(m if C_ROWS else n, pitch_c, dtype=torch.int32) if C_TYPE == "s32"
             else torch.randn(m if C_ROWS else n, pitch_c),
        "bias": torch.randn(n),
        "alpha": 0.75,
    }}


def reference(A, B, C, bias, alpha, m, n, k):
    a = A[:m, :k] if A_ROWS else A[:k, :m].T
    b = B[:n, :k] if B_ROWS else B[:k, :n].T
    if A_TYPE == "tf32":
        a, b = cut(a), cut(b)
    sum = a.double() @ b.double().T
    row, column = torch.arange(m)[:, None], torch.arange(n)[None, :]
    C = C.clone()
    before = C[:, :n] if C_ROWS else C[:, :m].T
    value = {value}
    (C[:, :n] if C_ROWS else C[:, :m].T)[:] = value.to(C.dtype)
    return {{"C": C}}


def cut(x):
    return (x.float().contiguous().view(torch.int32) & ~0x1FFF).view(torch.float32)
'''


@dataclass(frozen=True)
class Program:
    """`value` in C++, and in torch over the same names."""

    a: str = "bf16"
    b: str = ""
    c: str = "bf16"
    a_k_major: bool = True
    b_k_major: bool = True
    c_row_major: bool = True
    c_is_map: bool = False
    value: tuple[str, str] = ("sum", "sum")
    units: int = 304  # compute units that the choice of the tile reckons with: with one, large tiles are for all sizes
    board: str = ""

    @property
    def problem(self) -> Gemm:
        c_type = ELEMENTS[self.c][0]
        c = "const CUtensorMap map_c" if self.c_is_map else f"{c_type}* c"
        return Gemm(
            kernel="gemm",
            parameters=f"const CUtensorMap map_a, const CUtensorMap map_b, {c}, const float* bias, float alpha, int pitch",
            a=Operand("map_a", self.a, self.a_k_major),
            b=Operand("map_b", self.b or self.a, self.b_k_major),
            c=Result(
                "map_c" if self.c_is_map else "c", self.c_is_map, self.c, self.c_row_major, "pitch", self.value[0]
            ),
        )

    def source(self, inline: bool = False) -> str:
        emitted = emit(self.problem, GFX942, GFX942.board(self.board) or GFX942.boards[0], inline=inline)
        kernel = emitted.kernel
        if self.units != 304:
            own = f"\n  static constexpr int kComputeUnits = {self.units};"
            kernel = kernel.replace("\n  using A = ", f"{own}\n  using A = ")
            assert own in kernel
        (ta, ma, _), (tb, mb, _), (tc, mc, _) = (ELEMENTS[x] for x in (self.a, self.b or self.a, self.c))

        def sizes(rows: str, columns: str, plain: bool) -> str:
            return f"{rows}, {columns}" if plain else f"{columns}, {rows}"

        host = _HOST
        for name, text in {
            "TA": ta, "TB": tb, "TC": tc, "MA": ma, "MB": mb, "MC": mc,
            "SA": sizes("m", "k", self.a_k_major), "SB": sizes("n", "k", self.b_k_major),
            "SC": sizes("m", "n", self.c_row_major), "IS_MAP": str(self.c_is_map).lower(),
            "GRID": emitted.grid.format(map_a="map_a", map_b="map_b"), "BLOCK": emitted.block,
            "SHARED": emitted.shared, "C": "map_c" if self.c_is_map else "C",
        }.items():  # fmt: skip
            host = host.replace(f"@{name}@", text)
        types = (
            "hip/hip_bf16.h",
            "hip/hip_fp16.h",
            "porter/fp8_types.h",
        )  # the source's own, of the kernel's parameters
        return "".join(f"#include <{name}>\n" for name in (*emitted.headers, *types)) + "\n" + kernel + host

    def write(
        self, folder: Path, shapes: list[tuple[int, ...]], values: tuple[str, ...] = ("normal",), inline: bool = False
    ) -> Path:
        """Puts gemm.hip and case.py there."""
        facts = (self.a_k_major, self.b_k_major, self.c_row_major, self.a, self.b or self.a, self.c)
        (folder / "gemm.hip").write_text(self.source(inline))
        case = folder / "case.py"
        case.write_text(
            textwrap.dedent(_CASE).lstrip().format(values=values, facts=facts, shapes=shapes, value=self.value[1])
        )
        return case
