// porter runtime: __dp4a and __dp2a for every argument type that CUDA allows.
#ifndef PORTER_DOT_H
#define PORTER_DOT_H

#include <hip/hip_runtime.h>

#include "ptx_bits.h"

namespace porter {

__host__ __device__ inline int dp4a(int a, int b, int c) {
  return int(dp4a_s32_s32(unsigned(a), unsigned(b), unsigned(c)));
}
__host__ __device__ inline unsigned dp4a(unsigned a, unsigned b, unsigned c) { return dp4a_u32_u32(a, b, c); }
__host__ __device__ inline int dp2a_lo(int a, int b, int c) {
  return int(dp2a_lo_s32_s32(unsigned(a), unsigned(b), unsigned(c)));
}
__host__ __device__ inline unsigned dp2a_lo(unsigned a, unsigned b, unsigned c) { return dp2a_lo_u32_u32(a, b, c); }
__host__ __device__ inline int dp2a_hi(int a, int b, int c) {
  return int(dp2a_hi_s32_s32(unsigned(a), unsigned(b), unsigned(c)));
}
__host__ __device__ inline unsigned dp2a_hi(unsigned a, unsigned b, unsigned c) { return dp2a_hi_u32_u32(a, b, c); }

// The forms on vectors: the same words.
__host__ __device__ inline int dp4a(char4 a, char4 b, int c) {
  return dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
__host__ __device__ inline unsigned dp4a(uchar4 a, uchar4 b, unsigned c) {
  return dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
__host__ __device__ inline int dp2a_lo(short2 a, char4 b, int c) {
  return dp2a_lo(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
__host__ __device__ inline unsigned dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
  return dp2a_lo(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
__host__ __device__ inline int dp2a_hi(short2 a, char4 b, int c) {
  return dp2a_hi(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
__host__ __device__ inline unsigned dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
  return dp2a_hi(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}

}  // namespace porter

#endif  // PORTER_DOT_H
