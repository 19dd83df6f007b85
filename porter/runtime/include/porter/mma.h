// porter runtime: warp-level matrix products of mirrored warps: what mma.sync and wgmma stand on.
//
// One MFMA 16x16 computes 16 rows and 16 columns with its operands exchanged: its "A" is PTX's B, its "B" is PTX's A.
// Lane l of the wave (bits p1 p0 R2 R1 h R0, mirror_lanes.h) gives row R + 8 h of PTX's A, and column R of its mirror's
// tile of eight columns; it receives row R + 8 h, columns 2 p and 2 p + 1 of two tiles. That is what PTX's fragments
// ask of a thread, halved between its mirrors. The k of an operand's elements may come in any order that both share.
//
// Fragments are words of 32 bits, as in PTX. `Words` are what a mirror puts into one MFMA: two, 32 bytes of k over the
// four lanes of a row. Select (`own`) and merge (`share`) are written so that the compiler sees that one undoes the
// other: between two products of one block nothing is exchanged.
//
// For mirrored warps alone: in a unit without PORTER_MIRRORED only functions that nobody calls may use it (mirror_lanes.h).
#ifndef PORTER_MMA_H
#define PORTER_MMA_H

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

#include "mirror_lanes.h"
#include "ptx_bits.h"
#include "ptx_float.h"
#include "ptx_memory.h"
#include "warp.h"

namespace porter {
namespace mma {

// PTX's types of elements. `sign` flips the sign of all elements in a word.
struct f16 { static constexpr uint32_t sign = 0x80008000u; };
struct bf16 { static constexpr uint32_t sign = 0x80008000u; };
struct tf32 { static constexpr uint32_t sign = 0x80000000u; };
struct e4m3 { static constexpr uint32_t sign = 0x80808080u; };
struct e5m2 { static constexpr uint32_t sign = 0x80808080u; };
struct s8 {};
struct u8 {};
struct s4 {};
struct u4 {};
struct b1_and {};  // single bits: how many are set in both
struct b1_xor {};  // in one of the two
struct half_e4m3 {};  // e4m3 as gfx942 has it: the same codes mean half, there is no -0, NaN is its code

template <class T>
constexpr bool is_integer = std::is_same_v<T, s8> || std::is_same_v<T, u8> || std::is_same_v<T, s4> || std::is_same_v<T, u4> ||
                            std::is_same_v<T, b1_and> || std::is_same_v<T, b1_xor>;

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef int s32x4 __attribute__((ext_vector_type(4)));
typedef uint32_t u32x4 __attribute__((ext_vector_type(4)));
typedef double f64x4 __attribute__((ext_vector_type(4)));
typedef float f32x2 __attribute__((ext_vector_type(2)));
typedef short s16x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x2 __attribute__((ext_vector_type(2)));

// What a mirror gives to one MFMA.
struct Words {
  uint32_t low, high;
};

template <class T>
__device__ inline T as(Words words) {
  return __builtin_bit_cast(T, uint64_t(words.low) | uint64_t(words.high) << 32);
}

template <class T>
__device__ inline uint32_t bits(T value) {
  static_assert(sizeof(T) == 4, "fragments are made of 32-bit registers");
  uint32_t word;
  __builtin_memcpy(&word, &value, 4);
  return word;
}
template <class D>
__device__ inline void put(D& to, uint32_t word) {
  static_assert(sizeof(D) == 4, "fragments are made of 32-bit registers");
  __builtin_memcpy(&to, &word, 4);
}

// A word of shared memory, whatever type its bytes were stored as.
template <class T>
__device__ inline auto shared_word(uint32_t offset) {
  typedef T any_type __attribute__((may_alias));
  return (PORTER_SHARED any_type*)lds(offset);
}

// Of two registers that hold rows R and R + 8, the one of this mirror's row.
__device__ inline uint32_t own(uint32_t low, uint32_t high) { return mirror() ? high : low; }

// This mirror's value, and the other's, as the two registers of the fragment.
template <class D>
__device__ inline void share(uint32_t mine, D& low, D& high) {
  const uint32_t other = uint32_t(from_mirror(int(mine)));
  const bool second = mirror();
  put(low, second ? other : mine);
  put(high, second ? mine : other);
}

// OCP's fp8 numbers, widened to halves without loss. e5m2 is the upper byte of a half.
template <class T>
__device__ inline Words halves(uint32_t word) {
  if constexpr (std::is_same_v<T, e5m2>)
    return {__builtin_amdgcn_perm(word, word, 0x010c000cu), __builtin_amdgcn_perm(word, word, 0x030c020cu)};
  else
    return {cvt_rn_f16x2_e4m3x2(uint16_t(word)), cvt_rn_f16x2_e4m3x2(uint16_t(word >> 16))};
}

// Codes of OCP's e4m3 as codes of FNUZ's that mean half: only -0 and the two NaNs have other codes there.
__device__ inline uint32_t fnuz_half(uint32_t word) {
  const uint32_t magnitude = word & 0x7f7f7f7fu;
  const uint32_t nan = (magnitude + 0x01010101u) & 0x80808080u;
  const uint32_t sign = word & (magnitude + 0x7f7f7f7fu) & 0x80808080u;  // no sign where the magnitude is 0
  return (magnitude & ~(nan - (nan >> 7))) | sign | nan;
}
__device__ inline Words fnuz_half(Words words) { return {fnuz_half(words.low), fnuz_half(words.high)}; }

// Many words: NaNs, which cost as much as all else, are looked for together.
template <int Count>
__device__ inline void fnuz_half(Words (&words)[Count]) {
  uint32_t nan = 0;
  const auto without_minus_0 = [&](uint32_t word) {
    const uint32_t magnitude = word & 0x7f7f7f7fu;
    nan |= (magnitude + 0x01010101u) & 0x80808080u;
    return word & ((magnitude + 0x7f7f7f7fu) | 0x7f7f7f7fu);
  };
#pragma unroll
  for (int i = 0; i < Count; ++i) words[i] = {without_minus_0(words[i].low), without_minus_0(words[i].high)};
  if (__builtin_amdgcn_ballot_w64(nan != 0) != 0) {
#pragma unroll
    for (int i = 0; i < Count; ++i) words[i] = fnuz_half(words[i]);
  }
}

// Rows of a times columns of b, added to c. The sum of a product of fp8 numbers has f32's precision; Hopper keeps less.
template <class A, class B>
__device__ inline f32x4 multiply(Words a, Words b, f32x4 c) {
  if constexpr (std::is_same_v<A, f16>) {
    static_assert(std::is_same_v<B, f16>);
    return __builtin_amdgcn_mfma_f32_16x16x16f16(as<f16x4>(b), as<f16x4>(a), c, 0, 0, 0);
  } else if constexpr (std::is_same_v<A, bf16>) {
    static_assert(std::is_same_v<B, bf16>);
    return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(as<s16x4>(b), as<s16x4>(a), c, 0, 0, 0);
  } else if constexpr (std::is_same_v<A, tf32>) {
    static_assert(std::is_same_v<B, tf32>);
    constexpr uint32_t kept = 0xffffe000u;  // tensor cores do not look at the lower 13 bits
    a = {a.low & kept, a.high & kept}, b = {b.low & kept, b.high & kept};
    return __builtin_amdgcn_mfma_f32_16x16x8_xf32(as<f32x2>(b), as<f32x2>(a), c, 0, 0, 0);
  } else if constexpr (std::is_same_v<A, e4m3> && std::is_same_v<B, e4m3>) {
    return multiply<half_e4m3, half_e4m3>(fnuz_half(a), fnuz_half(b), c);
  } else if constexpr (std::is_same_v<A, half_e4m3>) {
    static_assert(std::is_same_v<B, half_e4m3>);
    const f32x4 quarter = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(as<long>(b), as<long>(a), f32x4{0, 0, 0, 0}, 0, 0, 0);
    return __builtin_elementwise_fma(quarter, f32x4{4, 4, 4, 4}, c);
  } else {  // FNUZ's e5m2 has no infinities: halves have them
    c = multiply<f16, f16>(halves<A>(a.low), halves<B>(b.low), c);
    return multiply<f16, f16>(halves<A>(a.high), halves<B>(b.high), c);
  }
}

// Integers. gfx942 multiplies signed bytes: an unsigned one is taken as u - 128, and 128 times the sum of its partners
// is added, which a product with ones gives.
template <class A, class B>
__device__ inline s32x4 multiply(Words a, Words b, s32x4 c) {
  constexpr bool above_a = std::is_same_v<A, u8>, above_b = std::is_same_v<B, u8>;
  constexpr uint32_t flip = 0x80808080u;
  if (above_a) a = {a.low ^ flip, a.high ^ flip};
  if (above_b) b = {b.low ^ flip, b.high ^ flip};
  if constexpr (above_a || above_b) {
    const long ones = 0x0101010101010101;
    s32x4 sums = {0, 0, 0, 0};
    if constexpr (above_a) sums = __builtin_amdgcn_mfma_i32_16x16x32_i8(as<long>(b), ones, sums, 0, 0, 0);
    if constexpr (above_b) sums = __builtin_amdgcn_mfma_i32_16x16x32_i8(ones, as<long>(a), sums, 0, 0, 0);
    if constexpr (above_a && above_b) sums += 128 * 32;
    c += sums * 128;
  }
  return __builtin_amdgcn_mfma_i32_16x16x32_i8(as<long>(b), as<long>(a), c, 0, 0, 0);
}
// Eight integers of 4 bits in a word are two products of bytes. Signed ones stay in the upper half of their byte, 16
// times as large, which their sum has to be divided by: it stays below 2^21.
template <class T>
__device__ inline Words nibbles(uint32_t word) {
  constexpr uint32_t low = 0x0f0f0f0fu;
  if constexpr (std::is_same_v<T, s4>)
    return {word << 4 & ~low, word & ~low};
  else
    return {word & low, word >> 4 & low};
}
template <class A, class B>
__device__ inline s32x4 multiply_nibbles(Words a, Words b, s32x4 c) {
  const s32x4 sum = multiply<s8, s8>(nibbles<A>(a.high), nibbles<B>(b.high),
                                     multiply<s8, s8>(nibbles<A>(a.low), nibbles<B>(b.low), s32x4{0, 0, 0, 0}));
  constexpr int shift = 4 * std::is_same_v<A, s4> + 4 * std::is_same_v<B, s4>;
  return (sum >> shift) + c;
}
// Single bits as bytes, one of a byte's eight after the other. Of a and b as 1 and -1 the sum of products is all bits less
// twice those that differ; words that are not there are 0 in both.
template <class Op>
__device__ inline s32x4 multiply_bits(Words a, Words b, s32x4 c) {
  constexpr uint32_t one = 0x01010101u;
  const auto part = [](uint32_t word, int i) {
    const uint32_t bits = word >> i & one;
    return std::is_same_v<Op, b1_and> ? bits : bits * 0xfeu ^ one;
  };
  s32x4 sum = {0, 0, 0, 0};
#pragma unroll
  for (int i = 0; i < 8; ++i)
    sum = multiply<s8, s8>({part(a.low, i), part(a.high, i)}, {part(b.low, i), part(b.high, i)}, sum);
  return (std::is_same_v<Op, b1_and> ? sum : (256 - sum) >> 1) + c;
}
template <>
__device__ inline s32x4 multiply<s4, s4>(Words a, Words b, s32x4 c) { return multiply_nibbles<s4, s4>(a, b, c); }
template <>
__device__ inline s32x4 multiply<s4, u4>(Words a, Words b, s32x4 c) { return multiply_nibbles<s4, u4>(a, b, c); }
template <>
__device__ inline s32x4 multiply<u4, s4>(Words a, Words b, s32x4 c) { return multiply_nibbles<u4, s4>(a, b, c); }
template <>
__device__ inline s32x4 multiply<u4, u4>(Words a, Words b, s32x4 c) { return multiply_nibbles<u4, u4>(a, b, c); }
template <>
__device__ inline s32x4 multiply<b1_and, b1_and>(Words a, Words b, s32x4 c) { return multiply_bits<b1_and>(a, b, c); }
template <>
__device__ inline s32x4 multiply<b1_xor, b1_xor>(Words a, Words b, s32x4 c) { return multiply_bits<b1_xor>(a, b, c); }
template <class A, class B, bool Saturate>
__device__ inline s32x4 multiply(Words a, Words b, s32x4 c) {
  if constexpr (Saturate)
    return __builtin_elementwise_add_sat(multiply<A, B>(a, b, s32x4{0, 0, 0, 0}), c);
  else
    return multiply<A, B>(a, b, c);
}

__device__ inline uint32_t pack_f16(float low, float high) {
  return __builtin_bit_cast(uint32_t, f16x2{_Float16(low), _Float16(high)});
}
__device__ inline f32x2 unpack_f16(uint32_t word) {
  return __builtin_convertvector(__builtin_bit_cast(f16x2, word), f32x2);
}

}  // namespace mma

// Accumulators that the source looks at seldom stay as the MFMAs have them: each mirror's own half, in the registers of
// row R; those of row R + 8 hold nothing. `keep` makes that of PTX's fragments, `present` makes those again: between
// them only products that are told so (..._kept) may use the registers, or what does the same to all of them.
template <class T>
__device__ inline void keep(T& d) {
  static_assert(sizeof(T) % 16 == 0, "four registers are a tile's");
  uint32_t words[sizeof(T) / 4];
  __builtin_memcpy(words, &d, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / 4; ++i)
    if (i % 4 < 2) words[i] = mma::own(words[i], words[i + 2]);
  __builtin_memcpy(&d, words, sizeof(T));
}
template <class T>
__device__ inline void present(T& d) {
  static_assert(sizeof(T) % 16 == 0, "four registers are a tile's");
  uint32_t words[sizeof(T) / 4];
  __builtin_memcpy(words, &d, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / 4; ++i)
    if (i % 4 < 2) mma::share(words[i], words[i], words[i + 2]);
  __builtin_memcpy(&d, words, sizeof(T));
}

}  // namespace porter

#endif  // PORTER_MMA_H
