// porter runtime: CUDA's SIMD-in-a-word integer functions and the DPX functions of Hopper.
//
// A word holds two 16-bit or four 8-bit numbers. gfx942 computes on two 16-bit numbers at once, so
// bytes are spread over two such pairs, computed with 16 bits each and packed again: 16 bits hold
// every sum and difference of bytes, clamping to a byte comes after.
#ifndef PORTER_SIMD_H
#define PORTER_SIMD_H

#include <hip/hip_runtime.h>

namespace porter {

namespace simd {

typedef unsigned short u16x2 __attribute__((ext_vector_type(2)));
typedef short s16x2 __attribute__((ext_vector_type(2)));

template <class V>
__host__ __device__ inline V pair(unsigned word) {
  return __builtin_bit_cast(V, word);
}
template <class V>
__host__ __device__ inline unsigned word(V pair) {
  return __builtin_bit_cast(unsigned, pair);
}

// The even and the odd bytes, each extended to 16 bits.
__host__ __device__ inline u16x2 even_u(unsigned a) { return pair<u16x2>(a & 0x00ff00ffu); }
__host__ __device__ inline u16x2 odd_u(unsigned a) { return pair<u16x2>(a) >> u16x2(8); }
__host__ __device__ inline s16x2 even_s(unsigned a) { return pair<s16x2>((a << 8) & 0xff00ff00u) >> s16x2(8); }
__host__ __device__ inline s16x2 odd_s(unsigned a) { return pair<s16x2>(a) >> s16x2(8); }
template <class V>
__host__ __device__ inline unsigned bytes(V even, V odd) {
  return (word(even) & 0x00ff00ffu) | ((word(odd) << 8) & 0xff00ff00u);
}

__host__ __device__ inline u16x2 max(u16x2 a, u16x2 b) { return __builtin_elementwise_max(a, b); }
__host__ __device__ inline s16x2 max(s16x2 a, s16x2 b) { return __builtin_elementwise_max(a, b); }
__host__ __device__ inline u16x2 min(u16x2 a, u16x2 b) { return __builtin_elementwise_min(a, b); }
__host__ __device__ inline s16x2 min(s16x2 a, s16x2 b) { return __builtin_elementwise_min(a, b); }

__host__ __device__ inline u16x2 clamp8(u16x2 a) { return min(a, u16x2(255)); }
__host__ __device__ inline s16x2 clamp8(s16x2 a) { return max(min(a, s16x2(127)), s16x2(-128)); }

// (a + b) / 2 without a 17th bit: rounded down, and rounded up.
template <class V>
__host__ __device__ inline V half_down(V a, V b) {
  return (a & b) + ((a ^ b) >> V(1));
}
template <class V>
__host__ __device__ inline V half_up(V a, V b) {
  return (a | b) - ((a ^ b) >> V(1));
}
// CUDA's signed average rounds halves away from zero.
__host__ __device__ inline s16x2 average(s16x2 a, s16x2 b) {
  s16x2 down = half_down(a, b), negative = down < s16x2(0);
  return (down & negative) | (half_up(a, b) & ~negative);
}

}  // namespace simd

// name2 on two halves, name4 on four bytes; S is s or u: how the parts are read. `e2` and `e4` are
// expressions over vectors x and y; e4 may let 16 bits overflow a byte, only the low 8 are kept.
#define PORTER_SIMD_2(name, S, e2)                                      \
  __host__ __device__ inline unsigned name(unsigned a, unsigned b) {    \
    using V = simd::S##16x2;                                            \
    V x = simd::pair<V>(a), y = simd::pair<V>(b);                       \
    return simd::word(V(e2));                                           \
  }
#define PORTER_SIMD_4(name, S, e4)                                      \
  __host__ __device__ inline unsigned name(unsigned a, unsigned b) {    \
    using V = simd::S##16x2;                                            \
    auto part = [](V x, V y) { return V(e4); };                         \
    return simd::bytes(part(simd::even_##S(a), simd::even_##S(b)), part(simd::odd_##S(a), simd::odd_##S(b))); \
  }

PORTER_SIMD_2(vadd2, u, x + y)
PORTER_SIMD_2(vsub2, u, x - y)
PORTER_SIMD_2(vaddss2, s, __builtin_elementwise_add_sat(x, y))
PORTER_SIMD_2(vaddus2, u, __builtin_elementwise_add_sat(x, y))
PORTER_SIMD_2(vsubss2, s, __builtin_elementwise_sub_sat(x, y))
PORTER_SIMD_2(vsubus2, u, __builtin_elementwise_sub_sat(x, y))
PORTER_SIMD_2(vmaxs2, s, simd::max(x, y))
PORTER_SIMD_2(vmaxu2, u, simd::max(x, y))
PORTER_SIMD_2(vmins2, s, simd::min(x, y))
PORTER_SIMD_2(vminu2, u, simd::min(x, y))
PORTER_SIMD_2(vavgs2, s, simd::average(x, y))
PORTER_SIMD_2(vavgu2, u, simd::half_up(x, y))
PORTER_SIMD_2(vhaddu2, u, simd::half_down(x, y))
// The unsigned subtraction gives the right 16 bits for signed halves as well.
PORTER_SIMD_2(vabsdiffs2, s, simd::pair<V>(vsub2(simd::word(simd::max(x, y)), simd::word(simd::min(x, y)))))
PORTER_SIMD_2(vabsdiffu2, u, simd::max(x, y) - simd::min(x, y))

__host__ __device__ inline unsigned vadd4(unsigned a, unsigned b) {
  return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u);
}
__host__ __device__ inline unsigned vsub4(unsigned a, unsigned b) {
  return ((a | 0x80808080u) - (b & 0x7f7f7f7fu)) ^ ((a ^ ~b) & 0x80808080u);
}
PORTER_SIMD_4(vaddss4, s, simd::clamp8(x + y))
PORTER_SIMD_4(vaddus4, u, simd::clamp8(x + y))
PORTER_SIMD_4(vsubss4, s, simd::clamp8(x - y))
PORTER_SIMD_4(vsubus4, u, __builtin_elementwise_sub_sat(x, y))
PORTER_SIMD_4(vmaxs4, s, simd::max(x, y))
PORTER_SIMD_4(vmaxu4, u, simd::max(x, y))
PORTER_SIMD_4(vmins4, s, simd::min(x, y))
PORTER_SIMD_4(vminu4, u, simd::min(x, y))
PORTER_SIMD_4(vavgs4, s, simd::average(x, y))
PORTER_SIMD_4(vavgu4, u, simd::half_up(x, y))
PORTER_SIMD_4(vhaddu4, u, simd::half_down(x, y))
PORTER_SIMD_4(vabsdiffs4, s, simd::max(x, y) - simd::min(x, y))
PORTER_SIMD_4(vabsdiffu4, u, simd::max(x, y) - simd::min(x, y))

// Comparisons: vcmp gives all ones or zeros, vset 1 or 0 in each part.
#define PORTER_SIMD_COMPARE(name, S, op)                                           \
  PORTER_SIMD_2(vcmp##name##2, S, __builtin_convertvector(x op y, V))              \
  PORTER_SIMD_4(vcmp##name##4, S, __builtin_convertvector(x op y, V))              \
  __host__ __device__ inline unsigned vset##name##2(unsigned a, unsigned b) {      \
    return vcmp##name##2(a, b) & 0x00010001u;                                      \
  }                                                                                \
  __host__ __device__ inline unsigned vset##name##4(unsigned a, unsigned b) {      \
    return vcmp##name##4(a, b) & 0x01010101u;                                      \
  }
PORTER_SIMD_COMPARE(eq, u, ==)
PORTER_SIMD_COMPARE(ne, u, !=)
PORTER_SIMD_COMPARE(ges, s, >=)
PORTER_SIMD_COMPARE(geu, u, >=)
PORTER_SIMD_COMPARE(gts, s, >)
PORTER_SIMD_COMPARE(gtu, u, >)
PORTER_SIMD_COMPARE(les, s, <=)
PORTER_SIMD_COMPARE(leu, u, <=)
PORTER_SIMD_COMPARE(lts, s, <)
PORTER_SIMD_COMPARE(ltu, u, <)
#undef PORTER_SIMD_COMPARE
#undef PORTER_SIMD_2
#undef PORTER_SIMD_4

// The ss forms clamp the one value that has no positive counterpart.
__host__ __device__ inline unsigned vneg2(unsigned a) { return vsub2(0, a); }
__host__ __device__ inline unsigned vneg4(unsigned a) { return vsub4(0, a); }
__host__ __device__ inline unsigned vnegss2(unsigned a) { return vsubss2(0, a); }
__host__ __device__ inline unsigned vnegss4(unsigned a) { return vsubss4(0, a); }
__host__ __device__ inline unsigned vabs2(unsigned a) { return vmaxs2(a, vneg2(a)); }
__host__ __device__ inline unsigned vabs4(unsigned a) { return vmaxs4(a, vneg4(a)); }
__host__ __device__ inline unsigned vabsss2(unsigned a) { return vmaxs2(a, vnegss2(a)); }
__host__ __device__ inline unsigned vabsss4(unsigned a) { return vmaxs4(a, vnegss4(a)); }

__host__ __device__ inline unsigned vsadu2(unsigned a, unsigned b) {
  unsigned d = vabsdiffu2(a, b);
  return (d & 0xffffu) + (d >> 16);
}
__host__ __device__ inline unsigned vsads2(unsigned a, unsigned b) {
  unsigned d = vabsdiffs2(a, b);
  return (d & 0xffffu) + (d >> 16);
}
__host__ __device__ inline unsigned vsadu4(unsigned a, unsigned b) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_sad_u8(a, b, 0);
#else
  unsigned d = vabsdiffu4(a, b);
  return (d & 0xffu) + (d >> 8 & 0xffu) + (d >> 16 & 0xffu) + (d >> 24);
#endif
}
// Adding 128 to every byte keeps the differences and makes them unsigned.
__host__ __device__ inline unsigned vsads4(unsigned a, unsigned b) {
  return vsadu4(a ^ 0x80808080u, b ^ 0x80808080u);
}

// DPX: minimum and maximum of two or three numbers, of a sum and a number, and with 0 (relu).
#define PORTER_DPX(type, suffix, add, max, min)                                                            \
  __host__ __device__ inline type vimax3_##suffix(type a, type b, type c) { return max(max(a, b), c); }   \
  __host__ __device__ inline type vimin3_##suffix(type a, type b, type c) { return min(min(a, b), c); }   \
  __host__ __device__ inline type viaddmax_##suffix(type a, type b, type c) { return max(add(a, b), c); } \
  __host__ __device__ inline type viaddmin_##suffix(type a, type b, type c) { return min(add(a, b), c); }
#define PORTER_DPX_RELU(type, suffix, max, min)                                                            \
  __host__ __device__ inline type vimax_##suffix##_relu(type a, type b) { return max(max(a, b), 0); }     \
  __host__ __device__ inline type vimin_##suffix##_relu(type a, type b) { return max(min(a, b), 0); }     \
  __host__ __device__ inline type vimax3_##suffix##_relu(type a, type b, type c) {                        \
    return max(vimax3_##suffix(a, b, c), 0);                                                               \
  }                                                                                                        \
  __host__ __device__ inline type vimin3_##suffix##_relu(type a, type b, type c) {                        \
    return max(vimin3_##suffix(a, b, c), 0);                                                               \
  }                                                                                                        \
  __host__ __device__ inline type viaddmax_##suffix##_relu(type a, type b, type c) {                      \
    return max(viaddmax_##suffix(a, b, c), 0);                                                             \
  }                                                                                                        \
  __host__ __device__ inline type viaddmin_##suffix##_relu(type a, type b, type c) {                      \
    return max(viaddmin_##suffix(a, b, c), 0);                                                             \
  }

namespace simd {
__host__ __device__ inline int add32(int a, int b) { return int(unsigned(a) + unsigned(b)); }
__host__ __device__ inline unsigned add32(unsigned a, unsigned b) { return a + b; }
__host__ __device__ inline int max32(int a, int b) { return a < b ? b : a; }
__host__ __device__ inline unsigned max32(unsigned a, unsigned b) { return a < b ? b : a; }
__host__ __device__ inline int min32(int a, int b) { return b < a ? b : a; }
__host__ __device__ inline unsigned min32(unsigned a, unsigned b) { return b < a ? b : a; }
}  // namespace simd

PORTER_DPX(int, s32, simd::add32, simd::max32, simd::min32)
PORTER_DPX(unsigned, u32, simd::add32, simd::max32, simd::min32)
PORTER_DPX(unsigned, s16x2, vadd2, vmaxs2, vmins2)
PORTER_DPX(unsigned, u16x2, vadd2, vmaxu2, vminu2)
PORTER_DPX_RELU(int, s32, simd::max32, simd::min32)
PORTER_DPX_RELU(unsigned, s16x2, vmaxs2, vmins2)
#undef PORTER_DPX
#undef PORTER_DPX_RELU

// The vib forms say too whether it was the first number that won; ties go to it.
#define PORTER_DPX_WHICH(type, suffix)                                                       \
  __host__ __device__ inline type vibmax_##suffix(type a, type b, bool* first) {             \
    *first = a >= b;                                                                         \
    return *first ? a : b;                                                                   \
  }                                                                                          \
  __host__ __device__ inline type vibmin_##suffix(type a, type b, bool* first) {             \
    *first = a <= b;                                                                         \
    return *first ? a : b;                                                                   \
  }
#define PORTER_DPX_WHICH2(part, suffix, s)                                                           \
  __host__ __device__ inline unsigned vibmax_##suffix(unsigned a, unsigned b, bool* high, bool* low) { \
    *high = part(a >> 16) >= part(b >> 16);                                                          \
    *low = part(a) >= part(b);                                                                       \
    return vmax##s##2(a, b);                                                                         \
  }                                                                                                  \
  __host__ __device__ inline unsigned vibmin_##suffix(unsigned a, unsigned b, bool* high, bool* low) { \
    *high = part(a >> 16) <= part(b >> 16);                                                          \
    *low = part(a) <= part(b);                                                                       \
    return vmin##s##2(a, b);                                                                         \
  }
PORTER_DPX_WHICH(int, s32)
PORTER_DPX_WHICH(unsigned, u32)
PORTER_DPX_WHICH2(short, s16x2, s)
PORTER_DPX_WHICH2((unsigned short), u16x2, u)
#undef PORTER_DPX_WHICH
#undef PORTER_DPX_WHICH2

}  // namespace porter

#endif  // PORTER_SIMD_H
