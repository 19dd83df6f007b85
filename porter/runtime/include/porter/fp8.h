// porter runtime: OCP's fp8 numbers on gfx942, two at a time, without a branch.
//
// gfx942 converts FNUZ's formats, whose exponents have a bias one higher: a code means half of what it means in
// OCP's. So x is encoded as half of it. Neither a NaN nor -0 comes out of the instruction as OCP has them.
#ifndef PORTER_FP8_H
#define PORTER_FP8_H

#if defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
#define PORTER_FP8_BY_FNUZ 1  // the functions below are there; elsewhere, and on the host, integers do it

namespace porter {
namespace fp8 {

using ushort2_t = unsigned short __attribute__((ext_vector_type(2)));
using short2_t = short __attribute__((ext_vector_type(2)));
using half2_t = _Float16 __attribute__((ext_vector_type(2)));

// What becomes of a number for the instruction. Largest is the largest that is not to be clamped; the code of NaN
// is FNUZ's of Nan / 2.
template <int Largest, int Nan>
__device__ inline float prepared(float x) {
  bool nan = (__builtin_bit_cast(unsigned, x) & 0x7fffffffu) > 0x7f800000u;
  float clamped = __builtin_amdgcn_fmed3f(x, float(Largest), -float(Largest));
  return nan ? float(Nan) : clamped;
}
// The codes with their signs: -0, and what rounds to it, lost its own.
__device__ inline unsigned signed_codes(int word, float low, float high) {
  unsigned tops = __builtin_amdgcn_perm(__builtin_bit_cast(unsigned, high), __builtin_bit_cast(unsigned, low), 0x0c0c0703u);
  return (tops & 0x8080u) | static_cast<unsigned>(word);
}

// Nearest even; low comes first in memory. NaN has the code 0x7f, with the number's sign if SignedNan.
template <bool Saturate, bool SignedNan>
__device__ inline unsigned encode_e4m3x2(float low, float high) {
  // unsaturated, 480 is what would be the next number and is NaN's code
  float l = prepared<Saturate ? 448 : 480, 480>(low), h = prepared<Saturate ? 448 : 480, 480>(high);
  int word = __builtin_amdgcn_cvt_pk_fp8_f32(0.5f * l, 0.5f * h, 0, false);
  return SignedNan ? signed_codes(word, low, high) : signed_codes(word, l, h);
}
template <bool Saturate, bool SignedNan>
__device__ inline unsigned encode_e5m2x2(float low, float high) {
  // unsaturated, 65536 has infinity's code
  float l = prepared<Saturate ? 57344 : 65536, 114688>(low), h = prepared<Saturate ? 57344 : 65536, 114688>(high);
  int word = __builtin_amdgcn_cvt_pk_bf8_f32(0.5f * l, 0.5f * h, 0, false);
  return SignedNan ? signed_codes(word, low, high) : signed_codes(word, l, h);
}

// One number by the instruction; NaN is what the half 0x7fff becomes.
__device__ inline float decode_e4m3(unsigned char code) {
  unsigned magnitude = code & 0x7fu;
  float number = __builtin_copysignf(2.0f * __builtin_amdgcn_cvt_f32_fp8(int(magnitude), 0),
                                     __builtin_bit_cast(float, unsigned(code) << 24));
  return magnitude == 0x7f ? __builtin_bit_cast(float, 0x7fffe000u) : number;
}
// Two numbers as halves; NaN is 0x7fff. A code shifted to where a half has its exponent is 1/256 of the number.
__device__ inline unsigned decode_e4m3x2(unsigned codes) {
  unsigned spread = __builtin_amdgcn_perm(codes, codes, 0x010c000cu);
  short2_t shifted = __builtin_bit_cast(short2_t, spread) >> 1;  // the sign twice
  half2_t part = __builtin_bit_cast(half2_t, __builtin_bit_cast(unsigned, shifted) & 0xbfffbfffu);
  short2_t number = __builtin_bit_cast(short2_t, part * half2_t{256, 256});
  // 1 where all seven bits below the sign are set; from that the largest integer, or the least
  ushort2_t set = __builtin_elementwise_sub_sat(__builtin_bit_cast(ushort2_t, spread) << 1, ushort2_t{0xfdff, 0xfdff});
  short2_t nan = __builtin_bit_cast(short2_t, ushort2_t{0x8000, 0x8000} - set);
  return __builtin_bit_cast(unsigned, __builtin_elementwise_max(number, nan));
}

// The same for e5m2, which is the upper half of a half's bits: 0x7d and above are NaN.
__device__ inline unsigned decode_e5m2x2(unsigned codes) {
  unsigned spread = __builtin_amdgcn_perm(codes, codes, 0x010c000cu);
  ushort2_t over = __builtin_elementwise_sub_sat(__builtin_bit_cast(ushort2_t, spread) << 1, ushort2_t{0xf9ff, 0xf9ff});
  short2_t nan = __builtin_bit_cast(short2_t, ushort2_t{0x8000, 0x8000} - __builtin_elementwise_min(over, ushort2_t{1, 1}));
  return __builtin_bit_cast(unsigned, __builtin_elementwise_max(__builtin_bit_cast(short2_t, spread), nan));
}

}  // namespace fp8
}  // namespace porter

#endif
#endif  // PORTER_FP8_H
