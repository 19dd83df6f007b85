// porter runtime: fp8 elements for gemm.h. FNUZ, the chip's own fp8, has other codes than OCP's, and no infinities.
#ifndef PORTER_GEMM_FP8_H
#define PORTER_GEMM_FP8_H

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

#include "gemm_elements.h"
#include "ptx_float.h"

namespace porter::gemm {

typedef _Float16 two_halves __attribute__((ext_vector_type(2)));

// 128 of k in a row of LDS.
template <>
struct Factors<e4m3, e4m3> : AsLoaded {
  static constexpr int kElementBytes = 1, kScale = 4;
  typedef long Operand;
  typedef float Sums __attribute__((ext_vector_type(4)));
  __device__ static Sums mma(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(a, b, c, 0, 0, 0);
  }
  // OCP's codes as codes of FNUZ that mean half, so that sums are a quarter: only -0 and the NaNs have other codes
  // there. In assembly, since the compiler spills sums when it orders these instructions, or moves them to another stage.
  static constexpr bool kConverts = true;
  static constexpr int kBesides = 450;
  __device__ static uint32_t converted(uint32_t codes) {
    uint32_t magnitudes, nans, signs;
    asm volatile("v_and_b32 %1, 0x7f7f7f7f, %0\n\t"
        "v_add_u32 %2, 0x01010101, %1\n\t"  // the upper bit of a byte: NaN
        "v_add_u32 %3, 0x7f7f7f7f, %1\n\t"  // the upper bit: not 0
        "v_and_b32 %2, 0x80808080, %2\n\t"
        "v_xor_b32 %3, %3, %2\n\t"
        "v_and_or_b32 %0, %0, %3, %1\n\t"  // no signs of zeros and NaNs
        "v_lshrrev_b32 %2, 7, %2\n\t"
        "v_add_u32 %0, %0, %2"  // 0x7f becomes 0x80
        : "+v"(codes), "=&v"(magnitudes), "=&v"(nans), "=&v"(signs));
    return codes;
  }
};

// With e5m2 LDS holds halves: 64 of k in a row.
template <class A, class B>
struct Widened {
  typedef uint32_t Loaded __attribute__((ext_vector_type(2)));  // a lane's part of a row
  using Sum = float;
  static constexpr int kElementBytes = 1, kScale = 1;
  static constexpr bool kConverts = false;  // but when it is stored
  static constexpr int kBesides = 450;
  typedef _Float16 Operand __attribute__((ext_vector_type(4)));
  typedef float Sums __attribute__((ext_vector_type(4)));
  __device__ static Sums mma(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
  }
  __device__ static uint32_t converted(uint32_t word) { return word; }
  __device__ static quad stored(Loaded codes, bool of_a) { return of_a ? widened<A>(codes) : widened<B>(codes); }

  template <class E>
  __device__ static quad widened(Loaded codes) {
    if constexpr (std::is_same_v<E, e4m3>) {
      using porter::cvt_rn_f16x2_e4m3x2;
      return quad{cvt_rn_f16x2_e4m3x2(uint16_t(codes.x)), cvt_rn_f16x2_e4m3x2(uint16_t(codes.x >> 16)),
                  cvt_rn_f16x2_e4m3x2(uint16_t(codes.y)), cvt_rn_f16x2_e4m3x2(uint16_t(codes.y >> 16))};
    } else {  // an e5m2 is the upper byte of a half
      const auto first = [](uint32_t word) { return __builtin_amdgcn_perm(word, word, 0x010c000cu); };
      const auto second = [](uint32_t word) { return __builtin_amdgcn_perm(word, word, 0x030c020cu); };
      return quad{first(codes.x), second(codes.x), first(codes.y), second(codes.y)};
    }
  }
};
template <>
struct Factors<e5m2, e5m2> : Widened<e5m2, e5m2> {};
template <>
struct Factors<e4m3, e5m2> : Widened<e4m3, e5m2> {};
template <>
struct Factors<e5m2, e4m3> : Widened<e5m2, e4m3> {};

// Of C, as cvt.rn.satfinite makes them: nearest even, what is too large the largest number, NaN 0x7f.
template <>
struct Stored<e4m3> {
  using Result = uint8_t;
  __device__ static Result result(float value) { return porter::cvt_rn_satfinite_e4m3x2(value, value); }
  __device__ static float before(Result bits) { return __builtin_bit_cast(two_halves, porter::cvt_rn_f16x2_e4m3x2(bits)).x; }
};
template <>
struct Stored<e5m2> {
  using Result = uint8_t;
  __device__ static Result result(float value) { return porter::cvt_rn_satfinite_e5m2x2(value, value); }
  __device__ static float before(Result bits) { return __builtin_bit_cast(two_halves, uint32_t(bits) << 8).x; }
};

}  // namespace porter::gemm

#endif  // PORTER_GEMM_FP8_H
