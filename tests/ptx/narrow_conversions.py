"""A CUDA program of every cvt of rules/ptx with a narrow floating-point type that Hopper has, over all special values.

`python tests/ptx/narrow_conversions.py > c.cu && nvcc -arch=sm_90a -o c c.cu && ./c` prints a line for each form: a digest of
its results, and one in which all NaNs are one. narrow_conversions_h200.txt is what an H200 printed; test_narrow_conversions.py
holds the port in the emulator to it. `./c FILE` also writes all results.

Inputs are all bits of types of 8 and 16 bits. Of f32 and f64 they are all exponents (of f64 those near f32's) with both signs,
and mantissas that are a tie, just beside one, or a whole number of the narrow type, for each length; zeros, infinities and NaNs
are among them.
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["forms", "program"]

TABLE = Path(__file__).parents[2] / "rules" / "ptx" / "convert.tbl"
NARROW = {"f16", "f16x2", "bf16", "bf16x2", "tf32", "e4m3x2", "e5m2x2"}
BLACKWELL = {"e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2"}
WIDE = {"f32", "f64", "u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"}
REGISTER = {  # type: its C type, the constraint of its register
    **dict.fromkeys(("f16", "bf16", "e4m3x2", "e5m2x2", "u16", "s16"), ("unsigned short", "h")),
    **dict.fromkeys(("f16x2", "bf16x2", "tf32", "u32", "s32", "u8", "s8"), ("unsigned", "r")),
    **dict.fromkeys(("u64", "s64"), ("unsigned long long", "l")),
    "f32": ("float", "f"),
    "f64": ("double", "d"),
}
_NEWER = re.compile(r"cvt\.r[nz]\.(satfinite\S*\.tf32|bf16x2\.e)")  # than Hopper, says NVIDIA's assembler


def forms() -> list[tuple[str, int]]:
    """Each form of which the table has an example, and how many operands it takes."""
    operands_of: dict[str, int] = {}
    for line in TABLE.read_text("utf-8").splitlines():
        example = re.match(r"    (cvt[.\w]*) ([^;]*);  =>", line)
        if example is None:
            continue
        if (
            set(_types(example[1])) & NARROW
            and set(_types(example[1])) <= NARROW | WIDE
            and not _NEWER.search(example[1])
        ):
            operands_of[example[1]] = example[2].count(",")
    return sorted(operands_of.items())


def _types(form: str) -> list[str]:
    """What it makes, and of what."""
    return [part for part in form.split(".") if part in NARROW | WIDE | BLACKWELL][-2:]


def program(chosen: list[tuple[str, int]]) -> str:
    kernels, rows = [], []
    for number, (form, operands) in enumerate(chosen):
        to, of = _types(form)
        (result, out), (_, into) = REGISTER[to], REGISTER[of]
        places = ", ".join(f"%{1 + k}" for k in range(operands))
        given = ", ".join(f'"{into}"({of}_at({source}))' for source in ("i", "other(i)")[:operands])
        kernels.append(
            f"__global__ void k{number}(uint64_t *to) {{\n"
            f"  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            f"  {result} d;\n"
            f'  asm volatile("{form} %0, {places};" : "={out}"(d) : {given});\n'
            f"  to[i] = bits(d);\n"
            f"}}"
        )
        one = "as_it_is" if to.startswith("e") or to[0] in "us" else f"one_{to}"
        rows.append(f'  {{k{number}, "{form}", {one}}},')
    return "\n".join([_BEFORE, *kernels, _TABLE.replace("ROWS", "\n".join(rows)), _AFTER])


_BEFORE = r"""#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr unsigned N = 1 << 16;

__device__ unsigned other(unsigned i) { return (i * 40503u + 977u) % N; }

// Its upper bits are 0, 1 or all ones; its rest is nothing, half of their last place, or beside that. Then single bits.
__device__ uint64_t mantissa(unsigned m, int length) {
  const int lengths[] = {0, 1, 2, 3, 6, 7, 9, 10};
  if (m >= 96) return 1ull << (m - 96 < 23 ? length - 1 - (m - 96) : m - 119);
  int rest_length = length - lengths[m % 8];
  uint64_t half = 1ull << (rest_length - 1), upper = m < 48 ? lengths[m % 8] & 1 : (1ull << lengths[m % 8]) - 1;
  const uint64_t rests[] = {0, 1, half - 1, half, half + 1, 2 * half - 1};
  return upper << rest_length | rests[m / 8 % 6];
}
__device__ float f32_at(unsigned i) { return __uint_as_float((i / 128) << 23 | (unsigned)mantissa(i % 128, 23)); }
__device__ double f64_at(unsigned i) {
  unsigned power = i / 128 % 256;
  uint64_t exponent = power == 255 ? 2047 : power == 254 ? 2046 : power == 0 ? 0 : 1023 - 126 + power - (power < 40 ? 30 : 0);
  return __longlong_as_double((uint64_t)(i / 128 / 256) << 63 | exponent << 52 | mantissa(i % 128, 52));
}
__device__ uint64_t u64_at(unsigned i) {
  uint64_t value = (1ull << (i % 64)) + (uint64_t)(i / 64 % 64 * (1ull << (i % 64 > 12 ? i % 64 - 12 : 0))) + i / 4096 - 8;
  return i & 1 ? value : 0 - value;
}
__device__ uint64_t s64_at(unsigned i) { return u64_at(i); }
__device__ unsigned u32_at(unsigned i) { return u64_at(i); }
__device__ unsigned s32_at(unsigned i) { return u64_at(i); }
__device__ unsigned u8_at(unsigned i) { return i; }
__device__ unsigned s8_at(unsigned i) { return i; }
__device__ unsigned short u16_at(unsigned i) { return i; }
__device__ unsigned short s16_at(unsigned i) { return i; }
__device__ unsigned short f16_at(unsigned i) { return i; }
__device__ unsigned short bf16_at(unsigned i) { return i; }
__device__ unsigned short e4m3x2_at(unsigned i) { return i; }
__device__ unsigned short e5m2x2_at(unsigned i) { return i; }
__device__ unsigned f16x2_at(unsigned i) { return i | other(i) << 16; }
__device__ unsigned bf16x2_at(unsigned i) { return i | other(i) << 16; }

__device__ uint64_t bits(unsigned short v) { return v; }
__device__ uint64_t bits(unsigned v) { return v; }
__device__ uint64_t bits(unsigned long long v) { return v; }
__device__ uint64_t bits(float v) { return __float_as_uint(v); }
__device__ uint64_t bits(double v) { return __double_as_longlong(v); }

// A result in which every NaN is the same one.
uint64_t one(uint64_t v, uint64_t infinity) { return (v & (infinity | (infinity & -infinity) - 1)) > infinity ? infinity + 1 : v; }
uint64_t one_f16(uint64_t v) { return one(v, 0x7c00); }
uint64_t one_bf16(uint64_t v) { return one(v, 0x7f80); }
uint64_t one_f32(uint64_t v) { return one(v, 0x7f800000); }
uint64_t one_tf32(uint64_t v) { return one(v, 0x7f800000); }
uint64_t one_f64(uint64_t v) { return one(v, 0x7ffull << 52); }
uint64_t one_f16x2(uint64_t v) { return one_f16(v >> 16) << 16 | one_f16(v & 0xffff); }
uint64_t one_bf16x2(uint64_t v) { return one_bf16(v >> 16) << 16 | one_bf16(v & 0xffff); }
uint64_t as_it_is(uint64_t v) { return v; }
"""

_TABLE = r"""
struct Form { void (*kernel)(uint64_t *); const char *name; uint64_t (*one)(uint64_t); };
const Form FORMS[] = {
ROWS
};
"""

_AFTER = r"""int main(int argc, char **argv) {
  uint64_t *device;
  std::vector<uint64_t> results(N);
  FILE *all = argc > 1 ? fopen(argv[1], "wb") : nullptr;
  cudaMalloc(&device, N * sizeof(uint64_t));
  for (const Form &form : FORMS) {
    cudaMemset(device, 0xee, N * sizeof(uint64_t));
    form.kernel<<<N / 256, 256>>>(device);
    cudaMemcpy(results.data(), device, N * sizeof(uint64_t), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) return 1;
    uint64_t exact = 0xcbf29ce484222325, alike = exact;
    for (uint64_t v : results) {
      exact = (exact ^ v) * 0x100000001b3;
      alike = (alike ^ form.one(v)) * 0x100000001b3;
    }
    printf("%s %016llx %016llx\n", form.name, (unsigned long long)exact, (unsigned long long)alike);
    if (all) fwrite(results.data(), sizeof(uint64_t), N, all);
  }
  return all && fclose(all) ? 1 : 0;
}
"""

if __name__ == "__main__":
    print(program(forms()))
