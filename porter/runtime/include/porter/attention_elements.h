// porter runtime: the elements that attention.h multiplies, as LDS and the matrix instruction have them.
#ifndef PORTER_ATTENTION_ELEMENTS_H
#define PORTER_ATTENTION_ELEMENTS_H

#include <hip/hip_runtime.h>

#include <cstdint>

namespace porter::attention {

typedef uint32_t quad __attribute__((ext_vector_type(4)));
typedef uint32_t pair __attribute__((ext_vector_type(2)));
typedef float floats __attribute__((ext_vector_type(2)));
typedef float Sums __attribute__((ext_vector_type(16)));  // a lane's part of 32 x 32 sums

struct bf16;
struct f16;

// mma: 32 x 32 sums over 8. weights: two in a word, not negative. results: two in a word, rounded to nearest even.
template <class E>
struct Element;

template <>
struct Element<bf16> {
  typedef short Operand __attribute__((ext_vector_type(4)));
  __device__ static Sums mma(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, 0, 0, 0);
  }
  // Halves are rounded up: an instruction less for each.
  __device__ static uint32_t weights(float low, float high) {
    return upper(__builtin_bit_cast(uint32_t, low) + 0x8000u, __builtin_bit_cast(uint32_t, high) + 0x8000u);
  }
  __device__ static uint32_t results(float low, float high) { return upper(rounded(low), rounded(high)); }

 private:
  __device__ static uint32_t upper(uint32_t low, uint32_t high) { return __builtin_amdgcn_perm(high, low, 0x07060302u); }
  __device__ static uint32_t rounded(float value) {
    const uint32_t bits = __builtin_bit_cast(uint32_t, value);
    return value != value ? 0x7fc00000u : bits + 0x7fffu + (bits >> 16 & 1);
  }
};

template <>
struct Element<f16> {
  typedef _Float16 Operand __attribute__((ext_vector_type(4)));
  typedef _Float16 Two __attribute__((ext_vector_type(2)));
  __device__ static Sums mma(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
  }
  __device__ static uint32_t weights(float low, float high) { return results(low, high); }
  __device__ static uint32_t results(float low, float high) {
    return __builtin_bit_cast(uint32_t, Two{_Float16(low), _Float16(high)});
  }
};

}  // namespace porter::attention

#endif  // PORTER_ATTENTION_ELEMENTS_H
