// porter's stand-in for HIP's hip_bf16.h; HIP's own is taken where it is found.
//
// gfx942 has no bf16 arithmetic outside of matrix instructions: each operation is done in f32 and rounded to
// nearest even, here as in HIP. The type is its bits, so host compilers need no bf16 of their own. What is here, and
// with what meaning, is HIP's and no more: tests/toolchain/rocm_names.tbl has the names of its headers.
#ifndef PORTER_HIP_BF16_H  // no #pragma once: the next one may be this file again, by another folder
#pragma clang system_header

#if __has_include_next(<hip/hip_bf16.h>)
#include_next <hip/hip_bf16.h>
#else
#define PORTER_HIP_BF16_H

#include <hip/hip_runtime.h>

#include <climits>
#include <cmath>

#include <porter/standin_bf16.h>

#define PORTER_HD __host__ __device__ inline
#define PORTER_D __device__ inline

struct __hip_bfloat16_raw {
  unsigned short x;
};
struct __hip_bfloat162_raw {
  unsigned short x, y;
};

struct __attribute__((aligned(2))) __hip_bfloat16 {
  union {  // as in HIP, and for its effect: what is in a union may be read as another type, float4 say
    unsigned short __x;
  };

  __hip_bfloat16() = default;
  PORTER_HD constexpr __hip_bfloat16(const __hip_bfloat16_raw &a) : __x(a.x) {}
  PORTER_HD constexpr __hip_bfloat16(float a) : __x(porter_bf16::narrow(a)) {}
  PORTER_HD __hip_bfloat16(double a) : __x(porter_bf16::narrow(nearly_odd(a))) {}
#define PORTER_FROM(type) \
  PORTER_HD __hip_bfloat16(type a) : __x(porter_bf16::narrow(nearly_odd(a))) {}
  PORTER_FROM(int)  // HIP has no others: a long is ambiguous
  PORTER_FROM(unsigned int)
  PORTER_FROM(short)
  PORTER_FROM(unsigned short)
#undef PORTER_FROM
  PORTER_HD __hip_bfloat16(__bf16 a) : __x(__builtin_bit_cast(unsigned short, a)) {}

  PORTER_HD operator __hip_bfloat16_raw() const { return {__x}; }
  PORTER_HD operator __hip_bfloat16_raw() const volatile { return {__x}; }
  PORTER_HD operator __bf16() const { return __builtin_bit_cast(__bf16, __x); }
  PORTER_HD constexpr operator float() const { return porter_bf16::widen(__x); }
  PORTER_HD operator bool() const { return (__x & 0x7fff) != 0; }
#define PORTER_TO(type) \
  PORTER_HD operator type() const { return porter_bf16::to_integer<porter_bf16::mode::zero, type>(porter_bf16::widen(__x)); }
  PORTER_TO(char)
  PORTER_TO(signed char)
  PORTER_TO(unsigned char)
  PORTER_TO(short)
  PORTER_TO(unsigned short)
  PORTER_TO(int)
  PORTER_TO(unsigned int)
  PORTER_TO(long)
  PORTER_TO(unsigned long)
  PORTER_TO(long long)
  PORTER_TO(unsigned long long)
#undef PORTER_TO
  PORTER_HD __hip_bfloat16 &operator=(const __hip_bfloat16_raw &a) {
    __x = a.x;
    return *this;
  }
#define PORTER_FROM(type) \
  PORTER_HD __hip_bfloat16 &operator=(type a) { return *this = __hip_bfloat16(a); }
  PORTER_FROM(float)
  PORTER_FROM(double)
  PORTER_FROM(int)
  PORTER_FROM(unsigned int)
  PORTER_FROM(short)
  PORTER_FROM(unsigned short)
#undef PORTER_FROM

 private:
  // As in HIP: to odd only where a float would be larger in size, so what is a little above a tie may go down.
  PORTER_HD static float nearly_odd(double a) {
    float near = static_cast<float>(a);
    bool larger = (a > 0 && near > a) || (a < 0 && near < a);
    return larger ? __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, near) - 1) | 1u) : near;
  }
};

struct __attribute__((aligned(4))) __hip_bfloat162 {
  __hip_bfloat16 x, y;

  __hip_bfloat162() = default;
  PORTER_HD constexpr __hip_bfloat162(const __hip_bfloat162_raw &a)
      : x(__hip_bfloat16_raw{a.x}), y(__hip_bfloat16_raw{a.y}) {}
  PORTER_HD constexpr __hip_bfloat162(const __hip_bfloat16 &a, const __hip_bfloat16 &b) : x(a), y(b) {}
  PORTER_HD operator __hip_bfloat162_raw() const { return {x.__x, y.__x}; }
  PORTER_HD operator float2() const { return make_float2(porter_bf16::widen(x.__x), porter_bf16::widen(y.__x)); }
  PORTER_HD __hip_bfloat162 &operator=(const __hip_bfloat162_raw &a) { return *this = __hip_bfloat162(a); }
};
static_assert(sizeof(__hip_bfloat16) == 2 && sizeof(__hip_bfloat162) == 4);

// To and from float and double.
PORTER_HD float __bfloat162float(__hip_bfloat16 a) { return porter_bf16::widen(a.__x); }
PORTER_HD __hip_bfloat16 __float2bfloat16(float a) { return __hip_bfloat16(a); }
PORTER_HD __hip_bfloat16 __double2bfloat16(double a) { return __hip_bfloat16(a); }
PORTER_HD __hip_bfloat162 __float22bfloat162_rn(float2 a) { return {__hip_bfloat16(a.x), __hip_bfloat16(a.y)}; }
PORTER_HD float2 __bfloat1622float2(__hip_bfloat162 a) { return a; }
PORTER_HD float __low2float(__hip_bfloat162 a) { return __bfloat162float(a.x); }
PORTER_HD float __high2float(__hip_bfloat162 a) { return __bfloat162float(a.y); }

// Parts and pairs.
PORTER_HD __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) { return {a, b}; }
PORTER_HD __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 a) { return {a, a}; }
PORTER_HD __hip_bfloat16 __low2bfloat16(__hip_bfloat162 a) { return a.x; }
PORTER_HD __hip_bfloat16 __high2bfloat16(__hip_bfloat162 a) { return a.y; }
PORTER_HD __hip_bfloat162 __low2bfloat162(__hip_bfloat162 a) { return {a.x, a.x}; }
PORTER_HD __hip_bfloat162 __high2bfloat162(__hip_bfloat162 a) { return {a.y, a.y}; }
PORTER_HD __hip_bfloat162 __lows2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) { return {a.x, b.x}; }
PORTER_HD __hip_bfloat162 __highs2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) { return {a.y, b.y}; }
PORTER_HD __hip_bfloat162 __lowhigh2highlow(__hip_bfloat162 a) { return {a.y, a.x}; }
PORTER_HD short __bfloat16_as_short(__hip_bfloat16 a) { return static_cast<short>(a.__x); }
PORTER_HD unsigned short __bfloat16_as_ushort(__hip_bfloat16 a) { return a.__x; }
PORTER_HD __hip_bfloat16 __short_as_bfloat16(short a) { return __hip_bfloat16_raw{static_cast<unsigned short>(a)}; }
PORTER_HD __hip_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __hip_bfloat16_raw{a}; }

// Arithmetic, one rounding each; a pair is two of the same.
#define PORTER_PAIR2(name, one) \
  PORTER_HD __hip_bfloat162 name(__hip_bfloat162 a, __hip_bfloat162 b) { return {one(a.x, b.x), one(a.y, b.y)}; }
#define PORTER_ARITHMETIC(name, op)                                                                               \
  PORTER_HD __hip_bfloat16 __h##name(__hip_bfloat16 a, __hip_bfloat16 b) {                                        \
    return __hip_bfloat16(porter_bf16::widen(a.__x) op porter_bf16::widen(b.__x));                                \
  }                                                                                                               \
  PORTER_HD __hip_bfloat16 operator op(const __hip_bfloat16 a, const __hip_bfloat16 b) { return __h##name(a, b); } \
  PORTER_HD __hip_bfloat16 &operator op##=(__hip_bfloat16 &a, const __hip_bfloat16 b) { return a = __h##name(a, b); } \
  PORTER_HD __hip_bfloat162 operator op(const __hip_bfloat162 a, const __hip_bfloat162 b) {                       \
    return {__h##name(a.x, b.x), __h##name(a.y, b.y)};                                                            \
  }                                                                                                               \
  PORTER_HD __hip_bfloat162 &operator op##=(__hip_bfloat162 &a, const __hip_bfloat162 b) { return a = a op b; }
PORTER_ARITHMETIC(add, +)
PORTER_ARITHMETIC(sub, -)
PORTER_ARITHMETIC(mul, *)
PORTER_ARITHMETIC(div, /)
#undef PORTER_ARITHMETIC
PORTER_PAIR2(__hadd2, __hadd)
PORTER_PAIR2(__hsub2, __hsub)
PORTER_PAIR2(__hmul2, __hmul)
PORTER_PAIR2(__h2div, __hdiv)
PORTER_HD __hip_bfloat16 __hneg(__hip_bfloat16 a) { return __hip_bfloat16_raw{static_cast<unsigned short>(a.__x ^ 0x8000)}; }
PORTER_HD __hip_bfloat162 __hneg2(__hip_bfloat162 a) { return {__hneg(a.x), __hneg(a.y)}; }
PORTER_HD __hip_bfloat16 __habs(__hip_bfloat16 a) { return __hip_bfloat16_raw{static_cast<unsigned short>(a.__x & 0x7fff)}; }
PORTER_HD __hip_bfloat162 __habs2(__hip_bfloat162 a) { return {__habs(a.x), __habs(a.y)}; }
PORTER_HD __hip_bfloat16 operator+(const __hip_bfloat16 a) { return a; }
PORTER_HD __hip_bfloat16 operator-(const __hip_bfloat16 a) { return __hneg(a); }
PORTER_HD __hip_bfloat162 operator+(const __hip_bfloat162 a) { return a; }
PORTER_HD __hip_bfloat162 operator-(const __hip_bfloat162 a) { return __hneg2(a); }
#define PORTER_STEP(type, one, op, by)                               \
  PORTER_HD type &operator op(type &a) { return a = a by one; }      \
  PORTER_HD type operator op(type &a, int) {                         \
    type before = a;                                                 \
    a = a by one;                                                    \
    return before;                                                   \
  }
PORTER_STEP(__hip_bfloat16, __hip_bfloat16(1.0f), ++, +)
PORTER_STEP(__hip_bfloat16, __hip_bfloat16(1.0f), --, -)
PORTER_STEP(__hip_bfloat162, __hip_bfloat162(__hip_bfloat16(1.0f), __hip_bfloat16(1.0f)), ++, +)
PORTER_STEP(__hip_bfloat162, __hip_bfloat162(__hip_bfloat16(1.0f), __hip_bfloat16(1.0f)), --, -)
#undef PORTER_STEP
PORTER_D __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return __hip_bfloat16(__builtin_fmaf(porter_bf16::widen(a.__x), porter_bf16::widen(b.__x), porter_bf16::widen(c.__x)));
}
PORTER_D __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

// Comparisons, as in hip_fp16.h; the operators are here because those of float would be as good a match.
#define PORTER_COMPARE(name, ordered, unordered, second, both)                                                     \
  PORTER_HD bool __h##name(__hip_bfloat16 p, __hip_bfloat16 q) {                                                   \
    float a = porter_bf16::widen(p.__x), b = porter_bf16::widen(q.__x);                                            \
    return ordered;                                                                                                \
  }                                                                                                                \
  PORTER_HD bool __h##name##u(__hip_bfloat16 p, __hip_bfloat16 q) {                                                \
    float a = porter_bf16::widen(p.__x), b = porter_bf16::widen(q.__x);                                            \
    return unordered;                                                                                              \
  }                                                                                                                \
  PORTER_HD __hip_bfloat162 __h##name##2(__hip_bfloat162 a, __hip_bfloat162 b) {                                   \
    return {__hip_bfloat16(__h##name(a.x, b.x) ? 1.0f : 0.0f), __hip_bfloat16(second ? 1.0f : 0.0f)};              \
  }                                                                                                                \
  PORTER_HD bool __hb##name##2(__hip_bfloat162 a, __hip_bfloat162 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  PORTER_HD bool __hb##name##u2(__hip_bfloat162 a, __hip_bfloat162 b) { return __h##name##u(a.x, b.x) both __h##name##u(a.y, b.y); }
PORTER_COMPARE(eq, a == b, !(a < b || a > b), __heq(a.y, b.y), &&)
PORTER_COMPARE(ne, a != b, a != b, __hne(a.y, b.y), ||)  // HIP's holds for NaN
PORTER_COMPARE(lt, a < b, !(a >= b), __hlt(a.y, b.y), &&)
PORTER_COMPARE(le, a <= b, !(a > b), __hle(a.y, b.y), &&)
PORTER_COMPARE(gt, a > b, !(a <= b), true, &&)  // HIP's second number is 1 always
PORTER_COMPARE(ge, a >= b, !(a < b), __hge(a.y, b.y), &&)
#undef PORTER_COMPARE
#define PORTER_COMPARE(op, one, two)                                                                         \
  PORTER_HD bool operator op(const __hip_bfloat16 a, const __hip_bfloat16 b) { return one(a, b); }           \
  PORTER_HD bool operator op(const __hip_bfloat162 a, const __hip_bfloat162 b) { return two; }
PORTER_COMPARE(==, __heq, __hbeq2(a, b))
PORTER_COMPARE(!=, __hneu, !__hbeq2(a, b))
PORTER_COMPARE(<, __hlt, __hlt(a.x, b.x) && __hlt(a.x, b.y))  // HIP never looks at the second number of the first pair
PORTER_COMPARE(<=, __hle, __hle(a.x, b.x) && __hle(a.x, b.y))
PORTER_COMPARE(>, __hgt, __hgt(a.x, b.x) && __hgt(a.x, b.y))
PORTER_COMPARE(>=, __hge, __hge(a.x, b.x) && __hge(a.x, b.y))
#undef PORTER_COMPARE
PORTER_HD bool __hisnan(__hip_bfloat16 a) { return (a.__x & 0x7fff) > 0x7f80; }
PORTER_HD __hip_bfloat162 __hisnan2(__hip_bfloat162 a) {
  return {__hip_bfloat16(__hisnan(a.x) ? 1.0f : 0.0f), __hip_bfloat16(1.0f)};  // as in HIP
}
PORTER_HD int __hisinf(__hip_bfloat16 a) { return (a.__x & 0x7fff) == 0x7f80; }
PORTER_HD __hip_bfloat16 __hmax(__hip_bfloat16 a, __hip_bfloat16 b) { return __hip_bfloat16(__builtin_fmaxf(a, b)); }
PORTER_HD __hip_bfloat16 __hmin(__hip_bfloat16 a, __hip_bfloat16 b) { return __hip_bfloat16(__builtin_fminf(a, b)); }
PORTER_PAIR2(__hmax2, __hmax)
PORTER_PAIR2(__hmin2, __hmin)
#undef PORTER_PAIR2

// Mathematics, on the device, through f32.
#define PORTER_MATH(name, f)                                                                       \
  PORTER_D __hip_bfloat16 h##name(__hip_bfloat16 a) { return __hip_bfloat16(f(__bfloat162float(a))); } \
  PORTER_D __hip_bfloat162 h2##name(__hip_bfloat162 a) { return {h##name(a.x), h##name(a.y)}; }
PORTER_MATH(ceil, __ocml_ceil_f32)
PORTER_MATH(floor, __ocml_floor_f32)
PORTER_MATH(trunc, __ocml_trunc_f32)
PORTER_MATH(rint, __ocml_rint_f32)
PORTER_MATH(sqrt, __ocml_sqrt_f32)
PORTER_MATH(rsqrt, __ocml_rsqrt_f32)
PORTER_MATH(exp, __ocml_exp_f32)
PORTER_MATH(exp2, __ocml_exp2_f32)
PORTER_MATH(exp10, __ocml_exp10_f32)
PORTER_MATH(log, __ocml_log_f32)
PORTER_MATH(log2, __ocml_log2_f32)
PORTER_MATH(log10, __ocml_log10_f32)
PORTER_MATH(sin, __ocml_sin_f32)
PORTER_MATH(cos, __ocml_cos_f32)
PORTER_MATH(rcp, 1.0f /)
#undef PORTER_MATH

// Memory and other lanes.
#define PORTER_LOAD(name)                                                  \
  PORTER_D __hip_bfloat16 name(const __hip_bfloat16 *p) { return *p; }     \
  PORTER_D __hip_bfloat162 name(const __hip_bfloat162 *p) { return *p; }
PORTER_LOAD(__ldg)
#undef PORTER_LOAD
#define PORTER_SHUFFLE(name, type)                                                                       \
  PORTER_D __hip_bfloat16 name(__hip_bfloat16 a, type lane, int width = warpSize) {                      \
    return __ushort_as_bfloat16(static_cast<unsigned short>(name(static_cast<int>(a.__x), lane, width))); \
  }                                                                                                      \
  PORTER_D __hip_bfloat162 name(__hip_bfloat162 a, type lane, int width = warpSize) {                    \
    return __builtin_bit_cast(__hip_bfloat162, name(__builtin_bit_cast(int, a), lane, width));           \
  }
PORTER_SHUFFLE(__shfl, int)
PORTER_SHUFFLE(__shfl_up, unsigned int)
PORTER_SHUFFLE(__shfl_down, unsigned int)
PORTER_SHUFFLE(__shfl_xor, int)
#undef PORTER_SHUFFLE
PORTER_D __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162 *p, __hip_bfloat162 a) {
#if defined(__HIP_DEVICE_COMPILE__)
  using pair = short __attribute__((ext_vector_type(2)));
  return __builtin_bit_cast(__hip_bfloat162, __builtin_amdgcn_flat_atomic_fadd_v2bf16(
                                                 reinterpret_cast<pair *>(p), __builtin_bit_cast(pair, a)));
#else
  return *p;  // never called: a __device__ function
#endif
}
PORTER_D __hip_bfloat162 atomicAdd(__hip_bfloat162 *p, __hip_bfloat162 a) { return unsafeAtomicAdd(p, a); }

#define HIPRT_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
#define HIPRT_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define HIPRT_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define HIPRT_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define HIPRT_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define HIPRT_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define HIPRT_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)

#undef PORTER_HD
#undef PORTER_D
#endif
#endif
