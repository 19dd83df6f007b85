"""Which files get the header of CUDA's mathematical overloads, or C's math.h."""

from __future__ import annotations

from pathlib import Path

import pytest
from porting import port

OVERLOADS = '#include "porter/cuda_math.h"\n'
C_PLUS_PLUS = "#include <math.h>\n"


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("__device__ unsigned f(int a, unsigned b) { return min(a, b); }", True),
        ("__device__ unsigned f(int a) { return min(a, threadIdx.x); }", True),
        ("__device__ unsigned f(char a, unsigned char b) { return ::max(a, b); }", True),
        ("#define LEAST(a, b) min(a, b)\n__global__ void k() {}", True),
        ("template <class T> __device__ T f(T a, T b) { return min(a, b); }", True),
        ("float f(float a, float b) { return fmaxf(a, max(a, b)); }", True),
        ("__host__ __device__ unsigned f(unsigned a, unsigned b) { return max(a, b); }", True),
        ("__device__ double f(float a) { return std::pow(a, 2); }", True),
        ("__device__ void f(float a, float *s, float *c) { sincos(a, s, c); }", True),
        ("float f(float a) { return rsqrtf(a); }", True),
        ("__device__ int f(int a, int b) { return min(a, b); }", False),
        ("__device__ unsigned f(unsigned a, unsigned b) { return max(a, b); }", False),
        ("__device__ float f(float a, float b) { return min(a, b) + pow(a, b) + rsqrtf(a); }", False),
        ("__device__ double f(double a, int n, double *s, double *c) { sincos(a, s, c); return pow(a, n); }", False),
        ("#include <algorithm>\ndouble f(double a, double b) { return std::min(a, b); }", False),
        (
            "namespace own { unsigned min(int, unsigned); }\nunsigned f(int a, unsigned b) { return own::min(a, b); }",
            False,
        ),
        ("template <class T> int f(T a, T b) { return Of<T>::min(a, b); }", False),
        ("struct Own { unsigned min(int, unsigned); };\nunsigned f(Own o) { return o.min(1, 2u); }", False),
    ],
)
def test_overloads(source: str, wanted: bool, tmp_path: Path) -> None:
    assert (OVERLOADS in port(f"#include <cuda_runtime.h>\n{source}\n", tmp_path, parse=True).port) is wanted


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("float f(float x) { return sqrt(x); }", True),
        ("template <class T> T f(T x, T y) { return atan2(x, y); }", True),
        ("__host__ __device__ float f(float x) { return fmod(x, 2.0f); }", True),
        ("float f(float x) { return std::sqrt(x) + sqrtf(x); }", False),
        ("double f(double x, float y) { return sqrt(x) + pow(y, x) + ldexp(x, 3); }", False),
        ("__device__ float f(float x) { return sqrt(x); }", False),
        ("using namespace std;\nfloat f(float x) { return sqrt(x); }", False),
    ],
)
def test_float_overloads_of_c_plus_plus(source: str, wanted: bool, tmp_path: Path) -> None:
    """Of the host: without math.h a float's sqrt is C's, of a double."""
    text = f"#include <cuda_runtime.h>\n#include <cmath>\n{source}\n"
    assert (C_PLUS_PLUS in port(text, tmp_path, parse=True).port) is wanted


def test_what_another_compiler_reads_keeps_its_functions(tmp_path: Path) -> None:
    text = "#include <algorithm>\n#include <cuda_runtime.h>\nusing namespace std;\nunsigned f(unsigned a) { return min(a, 5u); }\n"
    assert OVERLOADS not in port(text, tmp_path, "a.cpp", parse=True).port
    assert OVERLOADS in port(text, tmp_path, "b.cu", parse=True).port
