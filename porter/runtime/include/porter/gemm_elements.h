// porter runtime: the elements that gemm.h multiplies, as memory, LDS and the matrix instruction have them. fp8 is in
// gemm_fp8.h.
#ifndef PORTER_GEMM_ELEMENTS_H
#define PORTER_GEMM_ELEMENTS_H

#include <hip/hip_runtime.h>

#include <cstdint>

namespace porter::gemm {

typedef uint32_t quad __attribute__((ext_vector_type(4)));
typedef uint32_t pair __attribute__((ext_vector_type(2)));

struct bf16;
struct f16;
struct tf32;  // f32 in memory
struct e4m3;
struct e5m2;
struct s8;
struct f32;  // of C alone, as is s32
struct s32;

// LDS holds what memory holds, unless Factors say otherwise.
struct AsLoaded {
  using Loaded = quad;  // a lane's part of a row
  using Sum = float;
  static constexpr int kScale = 1;  // of sums, where the factors in LDS are not the source's
  static constexpr bool kConverts = false;
  static constexpr int kBesides = 80;  // rows of a tile that take as long as what else a step costs
  __device__ static uint32_t converted(uint32_t word) { return word; }
  __device__ static quad stored(quad loaded, bool /*of_a*/) { return loaded; }
};

// Elements of A and B.
template <class A, class B>
struct Factors;

// 64 of k in a row of LDS.
template <>
struct Factors<bf16, bf16> : AsLoaded {
  static constexpr int kElementBytes = 2;
  typedef short Operand __attribute__((ext_vector_type(4)));
  typedef float Sums __attribute__((ext_vector_type(4)));
  __device__ static Sums mma(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0);
  }
};
template <>
struct Factors<f16, f16> : AsLoaded {
  static constexpr int kElementBytes = 2;
  typedef _Float16 Operand __attribute__((ext_vector_type(4)));
  typedef float Sums __attribute__((ext_vector_type(4)));
  __device__ static Sums mma(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
  }
};

// 32 of k in a row of LDS.
template <>
struct Factors<tf32, tf32> : AsLoaded {
  static constexpr int kElementBytes = 4;
  typedef float Operand __attribute__((ext_vector_type(2)));
  typedef float Sums __attribute__((ext_vector_type(4)));
  __device__ static Sums mma(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_16x16x8_xf32(a, b, c, 0, 0, 0);
  }
  static constexpr bool kConverts = true;
  __device__ static uint32_t converted(uint32_t word) { return word & 0xffffe000u; }  // Hopper does not look at the rest
};

// 128 of k in a row of LDS.
template <>
struct Factors<s8, s8> : AsLoaded {
  using Sum = int;
  static constexpr int kElementBytes = 1;
  typedef long Operand;
  typedef int Sums __attribute__((ext_vector_type(4)));
  __device__ static Sums mma(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_i32_16x16x32_i8(a, b, c, 0, 0, 0);
  }
};

// Elements of C. before: the value that C has had.
template <class C>
struct Stored;

template <>
struct Stored<bf16> {
  using Result = uint16_t;
  // A float's upper half, rounded to nearest even; what is NaN stays NaN.
  __device__ static Result result(float value) {
    const uint32_t bits = __builtin_bit_cast(uint32_t, value);
    const uint32_t rounded = bits + 0x7fffu + (bits >> 16 & 1);
    return (__builtin_unpredictable(value != value) ? 0x7fc00000u : rounded) >> 16;  // a branch would cost more
  }
  __device__ static float before(Result bits) { return __builtin_bit_cast(float, uint32_t(bits) << 16); }
};
template <>
struct Stored<f16> {
  using Result = uint16_t;
  __device__ static Result result(float value) { return __builtin_bit_cast(Result, _Float16(value)); }
  __device__ static float before(Result bits) { return __builtin_bit_cast(_Float16, bits); }
};
template <>
struct Stored<f32> {
  using Result = uint32_t;
  __device__ static Result result(float value) { return __builtin_bit_cast(Result, value); }
  __device__ static float before(Result bits) { return __builtin_bit_cast(float, bits); }
};
template <>
struct Stored<s32> {
  using Result = uint32_t;
  __device__ static Result result(int value) { return value; }
  __device__ static int before(Result bits) { return bits; }
};

}  // namespace porter::gemm

#endif  // PORTER_GEMM_ELEMENTS_H
