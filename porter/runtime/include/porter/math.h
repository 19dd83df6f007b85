// porter runtime: CUDA's arithmetic with a given rounding, and its fast division.
//
// The _rn functions of CUDA are never fused into a multiply-add; HIP's are plain operators, and
// hipcc fuses those. Directed rounding takes the nearest result and the sign of its error, which is
// computed without rounding, and moves the result by one place where it lies on the wrong side.
#ifndef PORTER_MATH_H
#define PORTER_MATH_H

#include <hip/hip_runtime.h>

#include <cmath>

namespace porter {

namespace rounding_detail {

enum mode { down, up, zero };

template <class T>
struct bits_of;
template <>
struct bits_of<float> { using type = unsigned; };
template <>
struct bits_of<double> { using type = unsigned long long; };

// The neighbour away from zero (by = 1) or towards it (by = -1), infinity and zero included.
template <class T>
__host__ __device__ inline T neighbour(T x, int by) {
  using U = typename bits_of<T>::type;
  return __builtin_bit_cast(T, U(__builtin_bit_cast(U, x) + U(by)));
}
template <class T>
__host__ __device__ inline bool negative(T x) {
  return __builtin_signbit(x);
}

// `nearest` is the exact value rounded to nearest, `error` has the sign of exact - nearest; an error
// that is not a number means that there is nothing to correct.
template <mode M, class T, class E>
__host__ __device__ inline T direct(T nearest, E error) {
  if constexpr (M == down) {
    if (error < 0) {
      if (nearest == 0) return -neighbour(T(0), 1);
      return neighbour(nearest, negative(nearest) ? 1 : -1);
    }
  } else if constexpr (M == up) {
    if (error > 0) {
      if (nearest == 0) return neighbour(T(0), 1);
      return neighbour(nearest, negative(nearest) ? -1 : 1);
    }
  } else {
    if ((nearest > 0 && error < 0) || (nearest < 0 && error > 0)) return neighbour(nearest, -1);
  }
  return nearest;
}

// A sum that is exactly zero is negative when rounding down, unless both terms are positive.
template <mode M, class T>
__host__ __device__ inline T zero_sum(T sum, bool negative_a, bool negative_b) {
  return M == down && sum == 0 && negative_a != negative_b ? T(-0.0) : sum;
}

__host__ __device__ inline double sum_error(double a, double b, double sum) {
#pragma clang fp contract(off) reassociate(off)
  double part = sum - a;
  return (a - (sum - part)) + (b - part);
}

template <mode M>
__host__ __device__ inline float add(float a, float b) {
#pragma clang fp contract(off) reassociate(off)
  double sum = double(a) + double(b), error = sum_error(a, b, sum);
  float nearest = a + b;
  double d = sum - double(nearest);
  return zero_sum<M>(direct<M>(nearest, d != 0 ? d : error), negative(a), negative(b));
}
template <mode M>
__host__ __device__ inline float mul(float a, float b) {
#pragma clang fp contract(off) reassociate(off)
  float nearest = a * b;
  return direct<M>(nearest, double(a) * double(b) - double(nearest));
}
template <mode M>
__host__ __device__ inline float fma(float a, float b, float c) {
#pragma clang fp contract(off) reassociate(off)
  double product = double(a) * double(b), sum = product + double(c);
  float nearest = __builtin_fmaf(a, b, c);
  double d = sum - double(nearest);
  float result = direct<M>(nearest, d != 0 ? d : sum_error(product, c, sum));
  return sum == 0 ? zero_sum<M>(result, negative(product), negative(c)) : result;  // not where it underflowed
}
template <mode M>
__host__ __device__ inline float div(float a, float b) {
#pragma clang fp contract(off) reassociate(off)
  float nearest = a / b;
  double rest = double(a) - double(nearest) * double(b);
  return direct<M>(nearest, negative(b) ? -rest : rest);
}
template <mode M>
__host__ __device__ inline float sqrt(float a) {
#pragma clang fp contract(off) reassociate(off)
  float nearest = __builtin_sqrtf(a);
  return direct<M>(nearest, double(a) - double(nearest) * double(nearest));
}

template <mode M>
__host__ __device__ inline double add(double a, double b) {
#pragma clang fp contract(off) reassociate(off)
  double nearest = a + b;
  bool swap = __builtin_fabs(a) < __builtin_fabs(b);
  double large = swap ? b : a, small = swap ? a : b;
  return zero_sum<M>(direct<M>(nearest, small - (nearest - large)), negative(a), negative(b));
}

// value * 2^exponent, where `value` is the exact one rounded to nearest and `error` the sign of its error.
template <mode M>
__host__ __device__ inline double scaled(double value, double error, int exponent) {
  double nearest = std::ldexp(value, exponent);
  double d = value - std::ldexp(nearest, -exponent);
  return direct<M>(nearest, d != 0 ? d : error);
}
__host__ __device__ inline bool regular(double x) { return x != 0 && __builtin_fabs(x) <= 0x1.fffffffffffffp1023; }

template <mode M>
__host__ __device__ inline double mul(double a, double b) {
#pragma clang fp contract(off) reassociate(off)
  if (!regular(a) || !regular(b)) return a * b;
  int ea, eb;
  a = std::frexp(a, &ea);
  b = std::frexp(b, &eb);
  double product = a * b;
  return scaled<M>(product, __builtin_fma(a, b, -product), ea + eb);
}
template <mode M>
__host__ __device__ inline double div(double a, double b) {
#pragma clang fp contract(off) reassociate(off)
  if (!regular(a) || !regular(b)) return a / b;
  int ea, eb;
  a = std::frexp(a, &ea);
  b = std::frexp(b, &eb);
  double quotient = a / b, rest = __builtin_fma(-quotient, b, a);
  return scaled<M>(quotient, negative(b) ? -rest : rest, ea - eb);
}
template <mode M>
__host__ __device__ inline double sqrt(double a) {
#pragma clang fp contract(off) reassociate(off)
  if (!regular(a) || a < 0) return __builtin_sqrt(a);
  int e;
  a = std::frexp(a, &e);
  if (e & 1) {
    a *= 2;
    --e;
  }
  double root = __builtin_sqrt(a);
  return scaled<M>(root, __builtin_fma(-root, root, a), e / 2);
}

#if defined(__HIP_DEVICE_COMPILE__)
// The hardware's own rounding mode, bits 2 and 3 of MODE for f64: 1 up, 2 down, 3 towards zero.
template <mode M>
__device__ inline double fma(double a, double b, double c) {
  double result;
  if constexpr (M == down)
    asm volatile(
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), 2\n\tv_fma_f64 %0, %1, %2, %3\n\ts_nop 0\n\t"
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), 0"
        : "=v"(result) : "v"(a), "v"(b), "v"(c));
  else if constexpr (M == up)
    asm volatile(
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), 1\n\tv_fma_f64 %0, %1, %2, %3\n\ts_nop 0\n\t"
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), 0"
        : "=v"(result) : "v"(a), "v"(b), "v"(c));
  else
    asm volatile(
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), 3\n\tv_fma_f64 %0, %1, %2, %3\n\ts_nop 0\n\t"
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), 0"
        : "=v"(result) : "v"(a), "v"(b), "v"(c));
  return result;
}
#else
template <mode M>
__host__ __device__ double fma(double, double, double);  // device code only, as in CUDA
#endif

}  // namespace rounding_detail

// Rounded to nearest and never fused with what comes before or after.
__host__ __device__ inline float fadd_rn(float a, float b) {
#pragma clang fp contract(off) reassociate(off)
  return a + b;
}
__host__ __device__ inline float fsub_rn(float a, float b) {
#pragma clang fp contract(off) reassociate(off)
  return a - b;
}
__host__ __device__ inline float fmul_rn(float a, float b) {
#pragma clang fp contract(off) reassociate(off)
  return a * b;
}
// The same of pairs, which are float2.
template <class Pair>
__device__ inline Pair fadd2_rn(Pair a, Pair b) {
  return Pair{fadd_rn(a.x, b.x), fadd_rn(a.y, b.y)};
}
template <class Pair>
__device__ inline Pair fmul2_rn(Pair a, Pair b) {
  return Pair{fmul_rn(a.x, b.x), fmul_rn(a.y, b.y)};
}
template <class Pair>
__device__ inline Pair ffma2_rn(Pair a, Pair b, Pair c) {
  return Pair{__builtin_fmaf(a.x, b.x, c.x), __builtin_fmaf(a.y, b.y, c.y)};
}
__host__ __device__ inline double dadd_rn(double a, double b) {
#pragma clang fp contract(off) reassociate(off)
  return a + b;
}
__host__ __device__ inline double dsub_rn(double a, double b) {
#pragma clang fp contract(off) reassociate(off)
  return a - b;
}
__host__ __device__ inline double dmul_rn(double a, double b) {
#pragma clang fp contract(off) reassociate(off)
  return a * b;
}

#define PORTER_ROUNDED(r, M)                                                                                       \
  __host__ __device__ inline float fadd_##r(float a, float b) { return rounding_detail::add<M>(a, b); }            \
  __host__ __device__ inline float fsub_##r(float a, float b) { return rounding_detail::add<M>(a, -b); }           \
  __host__ __device__ inline float fmul_##r(float a, float b) { return rounding_detail::mul<M>(a, b); }            \
  __host__ __device__ inline float fdiv_##r(float a, float b) { return rounding_detail::div<M>(a, b); }            \
  __host__ __device__ inline float frcp_##r(float a) { return rounding_detail::div<M>(1.0f, a); }                  \
  __host__ __device__ inline float fsqrt_##r(float a) { return rounding_detail::sqrt<M>(a); }                      \
  __host__ __device__ inline float fmaf_##r(float a, float b, float c) { return rounding_detail::fma<M>(a, b, c); } \
  __host__ __device__ inline double dadd_##r(double a, double b) { return rounding_detail::add<M>(a, b); }         \
  __host__ __device__ inline double dsub_##r(double a, double b) { return rounding_detail::add<M>(a, -b); }        \
  __host__ __device__ inline double dmul_##r(double a, double b) { return rounding_detail::mul<M>(a, b); }         \
  __host__ __device__ inline double ddiv_##r(double a, double b) { return rounding_detail::div<M>(a, b); }         \
  __host__ __device__ inline double drcp_##r(double a) { return rounding_detail::div<M>(1.0, a); }                 \
  __host__ __device__ inline double dsqrt_##r(double a) { return rounding_detail::sqrt<M>(a); }                    \
  __device__ inline double dfma_##r(double a, double b, double c) { return rounding_detail::fma<M>(a, b, c); }
PORTER_ROUNDED(rd, rounding_detail::down)
PORTER_ROUNDED(ru, rounding_detail::up)
PORTER_ROUNDED(rz, rounding_detail::zero)
#undef PORTER_ROUNDED

// 1 / sqrt(x) rounded to nearest. The double result is right but for a hair; where it is that close to
// the middle between two floats, m * m * x tells on which side of m the exact value lies.
__host__ __device__ inline float frsqrt_rn(float x) {
#pragma clang fp contract(off) reassociate(off)
  float y = float(1.0 / __builtin_sqrt(double(x)));
  if (!(y > 0 && y < 0x1p127f)) return y;  // x is 0, infinite, negative or no number
  double below = (double(y) + double(rounding_detail::neighbour(y, -1))) / 2;
  double above = (double(y) + double(rounding_detail::neighbour(y, 1))) / 2;
  if (__builtin_fma(below * below, double(x), -1.0) > 0) return rounding_detail::neighbour(y, -1);
  if (__builtin_fma(above * above, double(x), -1.0) < 0) return rounding_detail::neighbour(y, 1);
  return y;
}

#if defined(__HIP__)
// CUDA's fast division is a product with a reciprocal, HIP's a division in full.
__device__ inline float fdividef(float x, float y) { return x * __builtin_amdgcn_rcpf(y); }
#endif

}  // namespace porter

#endif  // PORTER_MATH_H
