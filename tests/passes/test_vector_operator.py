"""Operators on float2 that mean something else than HIP's: the port compiles, and calls the project's."""

from __future__ import annotations

from pathlib import Path

from porter.findings import Safety
from porter.toolchain import syntax_check
from tests.porting import port

# Results of other types than float2 show whose operator is called.
SOURCE = """#include <type_traits>
#define HD __host__ __device__ __forceinline__
struct value { float x; };
HD value operator*(float2 a, float2 b) { return {a.x * b.x - a.y * b.y}; }
  inline __host__
  __device__ value operator/(const float2 &a, const float2 &b) { return {a.x}; }
__host__ __device__ value operator*=(float2 &a, float2 b) { return a * b; }
__device__ value operator-(float2 a) { return {-a.x}; }
template <class T> HD void in_templates(T a, T b) {
  static_assert(std::is_same<decltype(a * b), value>::value, "");
  value c = a / b, d = (a *= b);
}
HD void on_both_sides(float2 a, float2 b) { value c = a * b; c = a / b; c = a *= b; in_templates(a, b); }
__global__ void kernel(float2 a, float2 b) { value c = a * b; c = -a; on_both_sides(a, b); }
void host(float2 a, float2 b) { value c = a * b; c = a *= b; on_both_sides(a, b); }
"""


def test_a_function_for_each_side(tmp_path: Path) -> None:
    result = port(SOURCE, tmp_path)
    of_rule = [f for f in result.findings if f.rule == "vector-operator"]
    assert [f.safety for f in of_rule] == [Safety.EXACT] * 3
    body = "value operator*(float2 a, float2 b) { return {a.x * b.x - a.y * b.y}; }"
    assert f"\n__device__ __forceinline__ {body}\n__host__ __forceinline__ {body}\n" in result.port
    assert "\n  inline __device__ value operator/(" in result.port
    made = tmp_path / "a.hip"
    made.write_text(result.port)
    assert not syntax_check(made, runtime=True).errors


def test_one_that_is_declared_before_is_left(tmp_path: Path) -> None:
    declared = "__host__ __device__ float2 operator*(float2 a, float2 b);\n"
    result = port(declared + declared.replace(";", " { return a; }"), tmp_path)
    (finding,) = (f for f in result.findings if f.rule == "vector-operator")
    assert finding.safety is Safety.LEFT and finding.message.endswith("is ambiguous")
