// porter runtime: PTX's integer instructions, each with exactly the result that the PTX ISA gives it.
// Plain C++, for the GPU and the CPU alike. 8- and 16-bit parts are counted from the low end.
#ifndef PORTER_PTX_BITS_H
#define PORTER_PTX_BITS_H

#include <cstdint>

#if !defined(__HIP__) && !defined(__host__)
#define __host__
#define __device__
#endif

namespace porter {

#define PORTER_FN __host__ __device__ inline

using u128 = unsigned __int128;  // a .b128 register

// Shifts: an amount of the register's width or more shifts everything out.
PORTER_FN uint16_t shl_b16(uint16_t a, uint32_t b) { return b > 15 ? 0 : uint16_t(a << b); }
PORTER_FN uint32_t shl_b32(uint32_t a, uint32_t b) { return b > 31 ? 0 : a << b; }
PORTER_FN uint64_t shl_b64(uint64_t a, uint32_t b) { return b > 63 ? 0 : a << b; }
PORTER_FN uint16_t shr_u16(uint16_t a, uint32_t b) { return b > 15 ? 0 : uint16_t(a >> b); }
PORTER_FN uint32_t shr_u32(uint32_t a, uint32_t b) { return b > 31 ? 0 : a >> b; }
PORTER_FN uint64_t shr_u64(uint64_t a, uint32_t b) { return b > 63 ? 0 : a >> b; }
PORTER_FN int16_t shr_s16(int16_t a, uint32_t b) { return int16_t(a >> (b > 15 ? 15 : b)); }
PORTER_FN int32_t shr_s32(int32_t a, uint32_t b) { return a >> (b > 31 ? 31 : b); }
PORTER_FN int64_t shr_s64(int64_t a, uint32_t b) { return a >> (b > 63 ? 63 : b); }

// Funnel shifts of the pair {b, a}: left gives the upper word, right the lower one.
PORTER_FN uint32_t shf_l_wrap(uint32_t a, uint32_t b, uint32_t c) {
  return uint32_t(((uint64_t(b) << 32 | a) << (c & 31)) >> 32);
}
PORTER_FN uint32_t shf_r_wrap(uint32_t a, uint32_t b, uint32_t c) {
  return uint32_t((uint64_t(b) << 32 | a) >> (c & 31));
}
PORTER_FN uint32_t shf_l_clamp(uint32_t a, uint32_t b, uint32_t c) {
  return uint32_t(((uint64_t(b) << 32 | a) << (c > 32 ? 32 : c)) >> 32);
}
PORTER_FN uint32_t shf_r_clamp(uint32_t a, uint32_t b, uint32_t c) {
  return uint32_t((uint64_t(b) << 32 | a) >> (c > 32 ? 32 : c));
}

// Any function of three bits: bit (a << 2 | b << 1 | c) of Lut is the result.
template <unsigned Lut>
PORTER_FN uint32_t lop3(uint32_t a, uint32_t b, uint32_t c) {
  static_assert(Lut < 256, "a table of eight bits");
  uint32_t d = 0;
  if (Lut & 0x01) d |= ~a & ~b & ~c;
  if (Lut & 0x02) d |= ~a & ~b & c;
  if (Lut & 0x04) d |= ~a & b & ~c;
  if (Lut & 0x08) d |= ~a & b & c;
  if (Lut & 0x10) d |= a & ~b & ~c;
  if (Lut & 0x20) d |= a & ~b & c;
  if (Lut & 0x40) d |= a & b & ~c;
  if (Lut & 0x80) d |= a & b & c;
  return d;
}

// Picks four bytes out of {b, a}; selector bit 3 spreads the picked byte's sign instead.
PORTER_FN uint32_t prmt(uint32_t a, uint32_t b, uint32_t selector) {
  uint32_t index = (selector & 0x7u) | (selector & 0x70u) << 4 | (selector & 0x700u) << 8 | (selector & 0x7000u) << 12;
#if defined(__HIP_DEVICE_COMPILE__)
  uint32_t bytes = __builtin_amdgcn_perm(b, a, index);
#else
  uint64_t pair = uint64_t(b) << 32 | a;
  uint32_t bytes = 0;
  for (int i = 0; i < 4; ++i) bytes |= (uint32_t(pair >> (8 * (index >> (8 * i) & 7))) & 0xffu) << (8 * i);
#endif
  uint32_t spread = (selector >> 3 & 1u) | (selector >> 7 & 1u) << 8 | (selector >> 11 & 1u) << 16 | (selector >> 15 & 1u) << 24;
  spread *= 0xffu;
  uint32_t signs = (bytes >> 7 & 0x01010101u) * 0xffu;
  return (bytes & ~spread) | (signs & spread);
}
PORTER_FN uint32_t prmt_f4e(uint32_t a, uint32_t b, uint32_t c) { return prmt(a, b, 0x3210u + 0x1111u * (c & 3)); }
PORTER_FN uint32_t prmt_b4e(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t n = c & 3;
  return prmt(a, b, n | ((n - 1) & 7) << 4 | ((n - 2) & 7) << 8 | ((n - 3) & 7) << 12);
}
PORTER_FN uint32_t prmt_rc8(uint32_t a, uint32_t b, uint32_t c) { return prmt(a, b, 0x1111u * (c & 3)); }
PORTER_FN uint32_t prmt_ecl(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t n = c & 3;
  return prmt(a, b, 0x3000u | (n > 2 ? n : 2u) << 8 | (n > 1 ? n : 1u) << 4 | n);
}
PORTER_FN uint32_t prmt_ecr(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t n = c & 3;
  return prmt(a, b, n << 12 | (n < 2 ? n : 2u) << 8 | (n < 1 ? n : 1u) << 4);
}
PORTER_FN uint32_t prmt_rc16(uint32_t a, uint32_t b, uint32_t c) { return prmt(a, b, c & 1 ? 0x3232u : 0x1010u); }

// Bit fields: position and length are the low 8 bits of their operands; what reaches beyond the
// register is zero, or copies of the sign (of the field's top bit, or the register's).
PORTER_FN uint64_t bfe_u64(uint64_t a, uint32_t position, uint32_t length) {
  uint32_t p = position & 0xff, n = length & 0xff;
  if (p > 63 || n == 0) return 0;
  uint64_t field = a >> p;
  return n > 63 ? field : field & ((uint64_t(1) << n) - 1);
}
PORTER_FN uint32_t bfe_u32(uint32_t a, uint32_t position, uint32_t length) {
  uint32_t p = position & 0xff, n = length & 0xff;
  if (p > 31 || n == 0) return 0;
  uint32_t field = a >> p;
  return n > 31 ? field : field & ((1u << n) - 1);
}
PORTER_FN int64_t bfe_s64(int64_t a, uint32_t position, uint32_t length) {
  uint32_t p = position & 0xff, n = length & 0xff;
  if (n == 0) return 0;
  if (p + n >= 64) return a >> (p > 63 ? 63 : p);
  return int64_t(uint64_t(a) << (64 - p - n)) >> (64 - n);
}
PORTER_FN int32_t bfe_s32(int32_t a, uint32_t position, uint32_t length) {
  uint32_t p = position & 0xff, n = length & 0xff;
  if (n == 0) return 0;
  if (p + n >= 32) return a >> (p > 31 ? 31 : p);
  return int32_t(uint32_t(a) << (32 - p - n)) >> (32 - n);
}
PORTER_FN uint32_t bfi_b32(uint32_t a, uint32_t b, uint32_t position, uint32_t length) {
  uint32_t p = position & 0xff, n = length & 0xff;
  if (p > 31) return b;
  uint32_t mask = (n > 31 ? ~0u : (1u << n) - 1) << p;
  return (a << p & mask) | (b & ~mask);
}
PORTER_FN uint64_t bfi_b64(uint64_t a, uint64_t b, uint32_t position, uint32_t length) {
  uint32_t p = position & 0xff, n = length & 0xff;
  if (p > 63) return b;
  uint64_t mask = (n > 63 ? ~uint64_t(0) : (uint64_t(1) << n) - 1) << p;
  return (a << p & mask) | (b & ~mask);
}
PORTER_FN uint32_t bmsk_clamp(uint32_t a, uint32_t b) {
  if (a > 31 || b == 0) return 0;
  return (b > 31 ? ~0u : (1u << b) - 1) << a;
}
PORTER_FN uint32_t bmsk_wrap(uint32_t a, uint32_t b) { return ((1u << (b & 31)) - 1) << (a & 31); }
PORTER_FN uint32_t szext_u32(uint32_t a, uint32_t n, bool wrap) {
  n = wrap ? n & 31 : n;
  return n > 31 ? a : a & ((1u << n) - 1);
}
PORTER_FN int32_t szext_s32(int32_t a, uint32_t n, bool wrap) {
  n = wrap ? n & 31 : n;
  if (n == 0) return 0;
  return n > 31 ? a : int32_t(uint32_t(a) << (32 - n)) >> (32 - n);
}

PORTER_FN uint32_t clz_b32(uint32_t a) { return a == 0 ? 32 : uint32_t(__builtin_clz(a)); }
PORTER_FN uint32_t clz_b64(uint64_t a) { return a == 0 ? 64 : uint32_t(__builtin_clzll(a)); }
PORTER_FN uint32_t popc_b32(uint32_t a) { return uint32_t(__builtin_popcount(a)); }
PORTER_FN uint32_t popc_b64(uint64_t a) { return uint32_t(__builtin_popcountll(a)); }
PORTER_FN uint32_t brev_b32(uint32_t a) {
#if defined(__clang__)
  return __builtin_bitreverse32(a);
#else
  uint32_t d = 0;
  for (int i = 0; i < 32; ++i) d |= (a >> i & 1u) << (31 - i);
  return d;
#endif
}
PORTER_FN uint64_t brev_b64(uint64_t a) { return uint64_t(brev_b32(uint32_t(a))) << 32 | brev_b32(uint32_t(a >> 32)); }

// The highest bit that is set (for signed types: that differs from the sign), ~0 if none.
// The shift amount would bring that bit to the top.
PORTER_FN uint32_t bfind_u32(uint32_t a) { return a == 0 ? ~0u : 31 - clz_b32(a); }
PORTER_FN uint32_t bfind_u64(uint64_t a) { return a == 0 ? ~0u : 63 - clz_b64(a); }
PORTER_FN uint32_t bfind_s32(int32_t a) { return bfind_u32(uint32_t(a < 0 ? ~a : a)); }
PORTER_FN uint32_t bfind_s64(int64_t a) { return bfind_u64(uint64_t(a < 0 ? ~a : a)); }
PORTER_FN uint32_t bfind_shiftamt_u32(uint32_t a) { return a == 0 ? ~0u : clz_b32(a); }
PORTER_FN uint32_t bfind_shiftamt_u64(uint64_t a) { return a == 0 ? ~0u : clz_b64(a); }
PORTER_FN uint32_t bfind_shiftamt_s32(int32_t a) { return bfind_shiftamt_u32(uint32_t(a < 0 ? ~a : a)); }
PORTER_FN uint32_t bfind_shiftamt_s64(int64_t a) { return bfind_shiftamt_u64(uint64_t(a < 0 ? ~a : a)); }

// The n-th set bit of mask from bit `base` on, upwards for n > 0, downwards for n < 0; ~0 if none.
PORTER_FN uint32_t fns(uint32_t mask, uint32_t base, int32_t n) {
  if (n == 0) return mask >> (base & 31) & 1u ? base : ~0u;
  int32_t position = int32_t(base), step = n > 0 ? 1 : -1, count = 0, wanted = n > 0 ? n : -n;
  for (; position >= 0 && position < 32; position += step)
    if (mask >> position & 1u)
      if (++count == wanted) return uint32_t(position);
  return ~0u;
}

// Arithmetic.
PORTER_FN int32_t saturate_s32(int64_t v) {
  return v > 0x7fffffffll ? 0x7fffffff : v < -0x80000000ll ? int32_t(-0x7fffffff - 1) : int32_t(v);
}
PORTER_FN int32_t add_sat_s32(int32_t a, int32_t b) { return saturate_s32(int64_t(a) + b); }
PORTER_FN int32_t sub_sat_s32(int32_t a, int32_t b) { return saturate_s32(int64_t(a) - b); }
PORTER_FN uint32_t mul_hi_u32(uint32_t a, uint32_t b) { return uint32_t(uint64_t(a) * b >> 32); }
PORTER_FN int32_t mul_hi_s32(int32_t a, int32_t b) { return int32_t(int64_t(a) * b >> 32); }
PORTER_FN uint64_t mul_hi_u64(uint64_t a, uint64_t b) { return uint64_t((unsigned __int128)a * b >> 64); }
PORTER_FN int64_t mul_hi_s64(int64_t a, int64_t b) { return int64_t((__int128)a * b >> 64); }
PORTER_FN uint16_t mul_hi_u16(uint16_t a, uint16_t b) { return uint16_t(uint32_t(a) * b >> 16); }
PORTER_FN int16_t mul_hi_s16(int16_t a, int16_t b) { return int16_t(int32_t(a) * b >> 16); }
PORTER_FN uint32_t mad_hi_u32(uint32_t a, uint32_t b, uint32_t c) { return mul_hi_u32(a, b) + c; }
PORTER_FN int32_t mad_hi_s32(int32_t a, int32_t b, int32_t c) { return int32_t(uint32_t(mul_hi_s32(a, b)) + uint32_t(c)); }
PORTER_FN uint64_t mad_hi_u64(uint64_t a, uint64_t b, uint64_t c) { return mul_hi_u64(a, b) + c; }
PORTER_FN int64_t mad_hi_s64(int64_t a, int64_t b, int64_t c) { return int64_t(uint64_t(mul_hi_s64(a, b)) + uint64_t(c)); }
PORTER_FN int32_t mad_hi_sat_s32(int32_t a, int32_t b, int32_t c) { return saturate_s32(int64_t(mul_hi_s32(a, b)) + c); }
PORTER_FN uint32_t low24_u32(uint32_t a) { return a & 0xffffffu; }
PORTER_FN int32_t low24_s32(int32_t a) { return int32_t(uint32_t(a) << 8) >> 8; }
PORTER_FN uint32_t mul24_lo_u32(uint32_t a, uint32_t b) { return low24_u32(a) * low24_u32(b); }
PORTER_FN int32_t mul24_lo_s32(int32_t a, int32_t b) { return int32_t(int64_t(low24_s32(a)) * low24_s32(b)); }
PORTER_FN uint32_t mul24_hi_u32(uint32_t a, uint32_t b) { return uint32_t(uint64_t(low24_u32(a)) * low24_u32(b) >> 16); }
PORTER_FN int32_t mul24_hi_s32(int32_t a, int32_t b) { return int32_t(int64_t(low24_s32(a)) * low24_s32(b) >> 16); }
PORTER_FN int32_t mad24_hi_sat_s32(int32_t a, int32_t b, int32_t c) { return saturate_s32(int64_t(mul24_hi_s32(a, b)) + c); }

#define PORTER_PER_TYPE(T, name, U)                                                              \
  PORTER_FN T min_##name(T a, T b) { return b < a ? b : a; }                                     \
  PORTER_FN T max_##name(T a, T b) { return a < b ? b : a; }                                     \
  PORTER_FN T sad_##name(T a, T b, T c) { return T(U(c) + (a < b ? U(U(b) - U(a)) : U(U(a) - U(b)))); }
PORTER_PER_TYPE(uint16_t, u16, uint16_t)
PORTER_PER_TYPE(int16_t, s16, uint16_t)
PORTER_PER_TYPE(uint32_t, u32, uint32_t)
PORTER_PER_TYPE(int32_t, s32, uint32_t)
PORTER_PER_TYPE(uint64_t, u64, uint64_t)
PORTER_PER_TYPE(int64_t, s64, uint64_t)
#undef PORTER_PER_TYPE
PORTER_FN int16_t abs_s16(int16_t a) { return a < 0 ? int16_t(0u - uint16_t(a)) : a; }
PORTER_FN int32_t abs_s32(int32_t a) { return a < 0 ? int32_t(0u - uint32_t(a)) : a; }
PORTER_FN int64_t abs_s64(int64_t a) { return a < 0 ? int64_t(uint64_t(0) - uint64_t(a)) : a; }
PORTER_FN int32_t relu_s32(int32_t a) { return a < 0 ? 0 : a; }

// Two 16-bit halves at a time.
#define PORTER_PER_PAIR(T, name)                                                                          \
  PORTER_FN uint32_t add_##name##x2(uint32_t a, uint32_t b) {                                             \
    return ((a + b) & 0xffffu) | ((a & 0xffff0000u) + (b & 0xffff0000u));                                 \
  }                                                                                                       \
  PORTER_FN uint32_t min_##name##x2(uint32_t a, uint32_t b) {                                             \
    return uint32_t(uint16_t(min_##name(T(a), T(b)))) | uint32_t(uint16_t(min_##name(T(a >> 16), T(b >> 16)))) << 16; \
  }                                                                                                       \
  PORTER_FN uint32_t max_##name##x2(uint32_t a, uint32_t b) {                                             \
    return uint32_t(uint16_t(max_##name(T(a), T(b)))) | uint32_t(uint16_t(max_##name(T(a >> 16), T(b >> 16)))) << 16; \
  }
PORTER_PER_PAIR(uint16_t, u16)
PORTER_PER_PAIR(int16_t, s16)
#undef PORTER_PER_PAIR
PORTER_FN uint32_t relu_s16x2(uint32_t a) { return max_s16x2(a, 0); }

// Carry chains. `carry` is PTX's CC.CF: the carry out, or for subtractions the borrow.
#define PORTER_CARRY(T, W, bits)                                                            \
  PORTER_FN T add_cc_u##bits(T a, T b, uint32_t& carry) {                                   \
    T d = a + b;                                                                            \
    carry = d < a;                                                                          \
    return d;                                                                               \
  }                                                                                         \
  PORTER_FN T addc_cc_u##bits(T a, T b, uint32_t& carry) {                                  \
    W d = W(a) + b + carry;                                                                 \
    carry = uint32_t(d >> bits);                                                            \
    return T(d);                                                                            \
  }                                                                                         \
  PORTER_FN T sub_cc_u##bits(T a, T b, uint32_t& borrow) {                                  \
    borrow = a < b;                                                                         \
    return a - b;                                                                           \
  }                                                                                         \
  PORTER_FN T subc_cc_u##bits(T a, T b, uint32_t& borrow) {                                 \
    W d = W(a) - b - borrow;                                                                \
    borrow = uint32_t(d >> bits) & 1u;                                                      \
    return T(d);                                                                            \
  }
PORTER_CARRY(uint32_t, uint64_t, 32)
using wide_integer = unsigned __int128;
PORTER_CARRY(uint64_t, wide_integer, 64)
#undef PORTER_CARRY

// Dot products of bytes (dp4a) and of two 16-bit with two 8-bit parts (dp2a).
template <class A, class B>
PORTER_FN uint32_t dp4a_parts(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 4; ++i) c += uint32_t(int32_t(A(a >> (8 * i))) * int32_t(B(b >> (8 * i))));
  return c;
}
PORTER_FN uint32_t dp4a_u32_u32(uint32_t a, uint32_t b, uint32_t c) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_udot4(a, b, c, false);
#else
  return dp4a_parts<uint8_t, uint8_t>(a, b, c);
#endif
}
PORTER_FN uint32_t dp4a_s32_s32(uint32_t a, uint32_t b, uint32_t c) {
#if defined(__HIP_DEVICE_COMPILE__)
  return uint32_t(__builtin_amdgcn_sdot4(int(a), int(b), int(c), false));
#else
  return dp4a_parts<int8_t, int8_t>(a, b, c);
#endif
}
PORTER_FN uint32_t dp4a_s32_u32(uint32_t a, uint32_t b, uint32_t c) { return dp4a_parts<int8_t, uint8_t>(a, b, c); }
PORTER_FN uint32_t dp4a_u32_s32(uint32_t a, uint32_t b, uint32_t c) { return dp4a_parts<uint8_t, int8_t>(a, b, c); }

template <class A, class B>
PORTER_FN uint32_t dp2a_parts(uint32_t a, uint32_t b, uint32_t c, int first) {
  for (int i = 0; i < 2; ++i) c += uint32_t(int32_t(A(a >> (16 * i))) * int32_t(B(b >> (8 * (first + i)))));
  return c;
}
PORTER_FN uint32_t dp2a_lo_u32_u32(uint32_t a, uint32_t b, uint32_t c) { return dp2a_parts<uint16_t, uint8_t>(a, b, c, 0); }
PORTER_FN uint32_t dp2a_lo_u32_s32(uint32_t a, uint32_t b, uint32_t c) { return dp2a_parts<uint16_t, int8_t>(a, b, c, 0); }
PORTER_FN uint32_t dp2a_lo_s32_u32(uint32_t a, uint32_t b, uint32_t c) { return dp2a_parts<int16_t, uint8_t>(a, b, c, 0); }
PORTER_FN uint32_t dp2a_lo_s32_s32(uint32_t a, uint32_t b, uint32_t c) { return dp2a_parts<int16_t, int8_t>(a, b, c, 0); }
PORTER_FN uint32_t dp2a_hi_u32_u32(uint32_t a, uint32_t b, uint32_t c) { return dp2a_parts<uint16_t, uint8_t>(a, b, c, 2); }
PORTER_FN uint32_t dp2a_hi_u32_s32(uint32_t a, uint32_t b, uint32_t c) { return dp2a_parts<uint16_t, int8_t>(a, b, c, 2); }
PORTER_FN uint32_t dp2a_hi_s32_u32(uint32_t a, uint32_t b, uint32_t c) { return dp2a_parts<int16_t, uint8_t>(a, b, c, 2); }
PORTER_FN uint32_t dp2a_hi_s32_s32(uint32_t a, uint32_t b, uint32_t c) { return dp2a_parts<int16_t, int8_t>(a, b, c, 2); }

// Per-byte and per-half absolute differences, minima and maxima, summed into c for the *_add forms.
template <class P, int Bits>
PORTER_FN uint32_t vabsdiff_parts(uint32_t a, uint32_t b, uint32_t c, bool accumulate) {
  uint32_t packed = 0, sum = c;
  for (int i = 0; i < 32 / Bits; ++i) {
    int32_t x = P(a >> (Bits * i)), y = P(b >> (Bits * i));
    uint32_t difference = uint32_t(x < y ? y - x : x - y);
    sum += difference;
    packed |= (difference & ((1u << Bits) - 1)) << (Bits * i);
  }
  return accumulate ? sum : packed;
}
PORTER_FN uint32_t vabsdiff4_u32(uint32_t a, uint32_t b, uint32_t) { return vabsdiff_parts<uint8_t, 8>(a, b, 0, false); }
PORTER_FN uint32_t vabsdiff4_add_u32(uint32_t a, uint32_t b, uint32_t c) { return vabsdiff_parts<uint8_t, 8>(a, b, c, true); }
PORTER_FN uint32_t vabsdiff2_u32(uint32_t a, uint32_t b, uint32_t) { return vabsdiff_parts<uint16_t, 16>(a, b, 0, false); }
PORTER_FN uint32_t vabsdiff2_add_u32(uint32_t a, uint32_t b, uint32_t c) { return vabsdiff_parts<uint16_t, 16>(a, b, c, true); }

// Conversions between integers that clamp to the range of D.
template <class D, class A>
PORTER_FN D cvt_sat(A a) {
  constexpr bool d_signed = D(-1) < D(0), a_signed = A(-1) < A(0);
  constexpr int bits = int(sizeof(D)) * 8;
  constexpr uint64_t top = d_signed ? (uint64_t(1) << (bits - 1)) - 1 : ~uint64_t(0) >> (64 - bits);
  if (a_signed && a < A(0)) {
    if (!d_signed) return D(0);
    constexpr int64_t bottom = -int64_t(top) - 1;
    return int64_t(a) < bottom ? D(bottom) : D(a);
  }
  return uint64_t(a) > top ? D(top) : D(a);
}
PORTER_FN uint32_t cvt_pack_sat_u8(int32_t a, int32_t b, uint32_t c) { return c << 16 | uint32_t(cvt_sat<uint8_t>(a)) << 8 | cvt_sat<uint8_t>(b); }
PORTER_FN uint32_t cvt_pack_sat_s8(int32_t a, int32_t b, uint32_t c) {
  return c << 16 | uint32_t(uint8_t(cvt_sat<int8_t>(a))) << 8 | uint8_t(cvt_sat<int8_t>(b));
}
PORTER_FN uint32_t cvt_pack_sat_u16(int32_t a, int32_t b) { return uint32_t(cvt_sat<uint16_t>(a)) << 16 | cvt_sat<uint16_t>(b); }
PORTER_FN uint32_t cvt_pack_sat_s16(int32_t a, int32_t b) {
  return uint32_t(uint16_t(cvt_sat<int16_t>(a))) << 16 | uint16_t(cvt_sat<int16_t>(b));
}

}  // namespace porter

#endif  // PORTER_PTX_BITS_H
