// porter's stand-in for HIP's hip_fp16.h, for compilers that come without it (pip's clang and triton's headers).
// Where HIP's own header is found further along the include path, that one is taken.
//
// __half is _Float16: clang rounds every operation to it, and gfx942 has the instructions. What is here, on which side
// and with what meaning is HIP's, and no more: tests/toolchain/rocm_names.tbl has the names of its headers.
#ifndef PORTER_HIP_FP16_H  // no #pragma once: the next one may be this file again, by another folder
#pragma clang system_header

#if __has_include_next(<hip/hip_fp16.h>)
#include_next <hip/hip_fp16.h>
#else
#define PORTER_HIP_FP16_H

#include <hip/hip_runtime.h>

#include <cassert>  // programs count on these coming with HIP's header
#include <climits>
#include <cmath>
#include <limits>
#include <type_traits>

#define PORTER_HD __host__ __device__ inline
#define PORTER_D __device__ inline

typedef _Float16 porter_half2_data __attribute__((ext_vector_type(2)));

struct __half_raw {
  union {
    _Float16 data;
    unsigned short x;
  };
};
struct __half2_raw {
  union {
    porter_half2_data data;
    struct {
      unsigned short x, y;
    };
  };
};

namespace porter_half {

PORTER_HD unsigned short bits(_Float16 a) { return __builtin_bit_cast(unsigned short, a); }
PORTER_HD _Float16 from_bits(unsigned short a) { return __builtin_bit_cast(_Float16, a); }

}  // namespace porter_half

struct __half {
  union {
    _Float16 data;
    unsigned short __x;
  };

  __half() = default;
  PORTER_HD constexpr __half(_Float16 a) : data(a) {}
  PORTER_HD constexpr __half(const __half_raw &a) : data(a.data) {}
#if !defined(__HIP_NO_HALF_CONVERSIONS__)
  template <class T, std::enable_if_t<std::is_floating_point<T>::value && !std::is_same<T, _Float16>::value> * = nullptr>
  PORTER_HD constexpr __half(T a) : data(static_cast<_Float16>(a)) {}
  template <class T, std::enable_if_t<std::is_integral<T>::value> * = nullptr, class = void>
  PORTER_HD __half(T a) : data(static_cast<_Float16>(a)) {}
  template <class T, std::enable_if_t<std::is_floating_point<T>::value> * = nullptr>
  PORTER_HD operator T() const {
    return static_cast<T>(data);
  }
  template <class T, std::enable_if_t<std::is_integral<T>::value> * = nullptr, class = void>
  PORTER_HD operator T() const {
    if constexpr (std::is_same<T, bool>::value)
      return data != 0;
    else
      return static_cast<T>(static_cast<float>(data));
  }
#endif
  PORTER_HD operator __half_raw() const {
    __half_raw r;
    r.data = data;
    return r;
  }
  PORTER_HD operator __half_raw() const volatile {
    __half_raw r;
    r.data = data;
    return r;
  }
  PORTER_HD __half &operator=(const __half_raw &a) {
    data = a.data;
    return *this;
  }
  PORTER_HD volatile __half &operator=(const __half_raw &a) volatile {
    data = a.data;
    return *this;
  }

#if !defined(__HIP_NO_HALF_OPERATORS__)
#define PORTER_ASSIGN(op)                           \
  PORTER_HD __half &operator op##=(const __half &b) { \
    data = static_cast<_Float16>(data op b.data);   \
    return *this;                                   \
  }
  PORTER_ASSIGN(+)
  PORTER_ASSIGN(-)
  PORTER_ASSIGN(*)
  PORTER_ASSIGN(/)
#undef PORTER_ASSIGN
  PORTER_HD __half &operator++() { return *this = __half(static_cast<_Float16>(data + _Float16(1))); }
  PORTER_HD __half &operator--() { return *this = __half(static_cast<_Float16>(data - _Float16(1))); }
  PORTER_HD __half operator++(int) {
    __half before = *this;
    ++*this;
    return before;
  }
  PORTER_HD __half operator--(int) {
    __half before = *this;
    --*this;
    return before;
  }
  PORTER_HD __half operator+() const { return *this; }
  PORTER_HD __half operator-() const { return __half(static_cast<_Float16>(-data)); }
#define PORTER_BINARY(op) \
  friend PORTER_HD __half operator op(const __half &a, const __half &b) { return __half(static_cast<_Float16>(a.data op b.data)); }
  PORTER_BINARY(+)
  PORTER_BINARY(-)
  PORTER_BINARY(*)
  PORTER_BINARY(/)
#undef PORTER_BINARY
#define PORTER_COMPARE(op) \
  friend PORTER_HD bool operator op(const __half &a, const __half &b) { return a.data op b.data; }
  PORTER_COMPARE(==)
  PORTER_COMPARE(!=)
  PORTER_COMPARE(<)
  PORTER_COMPARE(<=)
  PORTER_COMPARE(>)
  PORTER_COMPARE(>=)
#undef PORTER_COMPARE
#endif
};

struct __half2 {
  union {
    porter_half2_data data;
    struct {
      __half x, y;
    };
  };

  __half2() = default;
  PORTER_HD constexpr __half2(porter_half2_data a) : data(a) {}
  PORTER_HD constexpr __half2(const __half2_raw &a) : data(a.data) {}
  PORTER_HD constexpr __half2(const __half &a, const __half &b) : data{a.data, b.data} {}
  PORTER_HD operator porter_half2_data() const { return data; }
  PORTER_HD operator __half2_raw() const {
    __half2_raw r;
    r.data = data;
    return r;
  }
  PORTER_HD __half2 &operator=(const __half2_raw &a) {
    data = a.data;
    return *this;
  }
#if !defined(__HIP_NO_HALF_OPERATORS__)
#define PORTER_BOTH(op)                                                                                       \
  PORTER_HD __half2 &operator op##=(const __half2 &b) {                                                       \
    data = data op b.data;                                                                                    \
    return *this;                                                                                             \
  }                                                                                                           \
  friend PORTER_HD __half2 operator op(const __half2 &a, const __half2 &b) { return __half2(a.data op b.data); }
  PORTER_BOTH(+)
  PORTER_BOTH(-)
  PORTER_BOTH(*)
  PORTER_BOTH(/)
#undef PORTER_BOTH
  PORTER_HD __half2 &operator++() { return *this += __half2(porter_half2_data{1, 1}); }
  PORTER_HD __half2 &operator--() { return *this -= __half2(porter_half2_data{1, 1}); }
  PORTER_HD __half2 operator++(int) {
    __half2 before = *this;
    ++*this;
    return before;
  }
  PORTER_HD __half2 operator--(int) {
    __half2 before = *this;
    --*this;
    return before;
  }
  PORTER_HD __half2 operator+() const { return *this; }
  PORTER_HD __half2 operator-() const { return __half2(-data); }
#define PORTER_COMPARE(op)                                                     \
  friend PORTER_HD bool operator op(const __half2 &a, const __half2 &b) {      \
    return a.data.x op b.data.x && a.data.y op b.data.y;                       \
  }
  PORTER_COMPARE(==)
  PORTER_COMPARE(<)
  PORTER_COMPARE(<=)
  PORTER_COMPARE(>)
  PORTER_COMPARE(>=)
#undef PORTER_COMPARE
  friend PORTER_HD bool operator!=(const __half2 &a, const __half2 &b) { return !(a == b); }
#endif
};

static_assert(sizeof(__half) == 2 && sizeof(__half2) == 4 && alignof(__half2) == 4);

#if !defined(HIP_NO_HALF)
typedef __half half;
typedef __half2 half2;
#endif

// Parts and pairs.
PORTER_HD __half2 make_half2(__half a, __half b) { return __half2(a, b); }
PORTER_HD __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
PORTER_HD __half2 __half2half2(__half a) { return __half2(a, a); }
PORTER_HD __half __low2half(__half2 a) { return __half(a.data.x); }
PORTER_HD __half __high2half(__half2 a) { return __half(a.data.y); }
PORTER_HD __half2 __low2half2(__half2 a) { return __half2(a.data.xx); }
PORTER_HD __half2 __high2half2(__half2 a) { return __half2(a.data.yy); }
PORTER_HD __half2 __lows2half2(__half2 a, __half2 b) { return __half2(porter_half2_data{a.data.x, b.data.x}); }
PORTER_HD __half2 __highs2half2(__half2 a, __half2 b) { return __half2(porter_half2_data{a.data.y, b.data.y}); }
PORTER_HD __half2 __lowhigh2highlow(__half2 a) { return __half2(a.data.yx); }
PORTER_HD short __half_as_short(__half a) { return static_cast<short>(porter_half::bits(a.data)); }
PORTER_HD unsigned short __half_as_ushort(__half a) { return porter_half::bits(a.data); }
PORTER_HD __half __short_as_half(short a) { return __half(porter_half::from_bits(static_cast<unsigned short>(a))); }
PORTER_HD __half __ushort_as_half(unsigned short a) { return __half(porter_half::from_bits(a)); }

// To and from float.
PORTER_HD float __half2float(__half a) { return static_cast<float>(a.data); }
PORTER_HD float __low2float(__half2 a) { return static_cast<float>(a.data.x); }
PORTER_HD float __high2float(__half2 a) { return static_cast<float>(a.data.y); }
PORTER_HD float2 __half22float2(__half2 a) { return make_float2(a.data.x, a.data.y); }
PORTER_HD __half __float2half(float a) { return __half(static_cast<_Float16>(a)); }
PORTER_HD __half __float2half_rn(float a) { return __half(static_cast<_Float16>(a)); }
// On the device as the name says; on the host HIP rounds them to nearest, too.
inline __host__ __half __float2half_rz(float a) { return __half(static_cast<_Float16>(a)); }
inline __host__ __half __float2half_rd(float a) { return __half(static_cast<_Float16>(a)); }
inline __host__ __half __float2half_ru(float a) { return __half(static_cast<_Float16>(a)); }
PORTER_D __half __float2half_rz(float a) { return __half(__ocml_cvtrtz_f16_f32(a)); }
PORTER_D __half __float2half_rd(float a) { return __half(__ocml_cvtrtn_f16_f32(a)); }
PORTER_D __half __float2half_ru(float a) { return __half(__ocml_cvtrtp_f16_f32(a)); }
PORTER_HD __half2 __float2half2_rn(float a) { return __half2half2(__float2half(a)); }
PORTER_HD __half2 __floats2half2_rn(float a, float b) { return __half2(__float2half(a), __float2half(b)); }
PORTER_HD __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }

// To and from integers: all truncate, and all round to nearest, whatever the name says, as in HIP.
#define PORTER_INTEGER_BY(name, type, suffix)                                                   \
  PORTER_D type __half2##name##_##suffix(__half a) { return static_cast<type>(a.data); }        \
  PORTER_D __half __##name##2half_##suffix(type a) { return __half(static_cast<_Float16>(a)); }
#define PORTER_INTEGER(name, type)  \
  PORTER_INTEGER_BY(name, type, rn) \
  PORTER_INTEGER_BY(name, type, rz) \
  PORTER_INTEGER_BY(name, type, rd) \
  PORTER_INTEGER_BY(name, type, ru)
PORTER_INTEGER(int, int)
PORTER_INTEGER(uint, unsigned int)
PORTER_INTEGER(short, short)
PORTER_INTEGER(ushort, unsigned short)
PORTER_INTEGER(ll, long long)
PORTER_INTEGER(ull, unsigned long long)
#undef PORTER_INTEGER
#undef PORTER_INTEGER_BY

// Arithmetic.
#define PORTER_ARITHMETIC(name, op)                                                                              \
  PORTER_HD __half __h##name(__half a, __half b) { return __half(static_cast<_Float16>(a.data op b.data)); }     \
  PORTER_HD __half2 __h##name##2(__half2 a, __half2 b) { return __half2(a.data op b.data); }
PORTER_ARITHMETIC(add, +)
PORTER_ARITHMETIC(sub, -)
PORTER_ARITHMETIC(mul, *)
#undef PORTER_ARITHMETIC
PORTER_HD __half __hdiv(__half a, __half b) { return __half(static_cast<_Float16>(a.data / b.data)); }
PORTER_HD __half2 __h2div(__half2 a, __half2 b) { return __half2(a.data / b.data); }
PORTER_HD __half __hneg(__half a) { return __half(static_cast<_Float16>(-a.data)); }
PORTER_HD __half2 __hneg2(__half2 a) { return __half2(-a.data); }
PORTER_HD __half __habs(__half a) { return __half(porter_half::from_bits(porter_half::bits(a.data) & 0x7fff)); }
PORTER_HD __half2 __habs2(__half2 a) { return __half2(__habs(__low2half(a)), __habs(__high2half(a))); }
PORTER_D __half __hfma(__half a, __half b, __half c) { return __half(__builtin_elementwise_fma(a.data, b.data, c.data)); }
PORTER_D __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return __half2(__builtin_elementwise_fma(a.data, b.data, c.data)); }

namespace porter_half {
// To [0, 1]; NaN stays, as in HIP.
PORTER_HD __half saturate(__half a) {
  return __half(a.data < _Float16(0) ? _Float16(0) : a.data > _Float16(1) ? _Float16(1) : a.data);
}
PORTER_HD __half2 saturate(__half2 a) { return __half2(saturate(__low2half(a)), saturate(__high2half(a))); }
PORTER_HD bool nan(_Float16 a) { return (bits(a) & 0x7fff) > 0x7c00; }
}  // namespace porter_half
PORTER_D __half __hadd_sat(__half a, __half b) { return porter_half::saturate(__hadd(a, b)); }
PORTER_D __half __hsub_sat(__half a, __half b) { return porter_half::saturate(__hsub(a, b)); }
PORTER_D __half __hmul_sat(__half a, __half b) { return porter_half::saturate(__hmul(a, b)); }
PORTER_D __half __hfma_sat(__half a, __half b, __half c) { return porter_half::saturate(__hfma(a, b, c)); }
PORTER_D __half2 __hadd2_sat(__half2 a, __half2 b) { return porter_half::saturate(__hadd2(a, b)); }
PORTER_D __half2 __hsub2_sat(__half2 a, __half2 b) { return porter_half::saturate(__hsub2(a, b)); }
PORTER_D __half2 __hmul2_sat(__half2 a, __half2 b) { return porter_half::saturate(__hmul2(a, b)); }
PORTER_D __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) { return porter_half::saturate(__hfma2(a, b, c)); }

// Comparisons. The u forms hold for NaN as well; of pairs, the 2 forms give 1.0 or 0.0 each, the b2 forms one bool. As in HIP
// ne holds for NaN, and the bu2 forms are the b2 forms.
#define PORTER_COMPARE(name, ordered, unordered)                                                                  \
  PORTER_HD bool __h##name(__half a, __half b) { return ordered; }                                                \
  PORTER_HD bool __h##name##u(__half a, __half b) { return unordered; }                                           \
  PORTER_HD __half2 __h##name##2(__half2 a, __half2 b) {                                                          \
    return __half2(__half(static_cast<_Float16>(__h##name(__low2half(a), __low2half(b)))),                         \
                   __half(static_cast<_Float16>(__h##name(__high2half(a), __high2half(b)))));                      \
  }                                                                                                               \
  PORTER_HD __half2 __h##name##u2(__half2 a, __half2 b) {                                                         \
    return __half2(__half(static_cast<_Float16>(__h##name##u(__low2half(a), __low2half(b)))),                      \
                   __half(static_cast<_Float16>(__h##name##u(__high2half(a), __high2half(b)))));                   \
  }                                                                                                               \
  PORTER_HD bool __hb##name##2(__half2 a, __half2 b) {                                                            \
    return __h##name(__low2half(a), __low2half(b)) && __h##name(__high2half(a), __high2half(b));                  \
  }                                                                                                               \
  PORTER_HD bool __hb##name##u2(__half2 a, __half2 b) { return __hb##name##2(a, b); }
PORTER_COMPARE(eq, a.data == b.data, !(a.data < b.data || a.data > b.data))
PORTER_COMPARE(ne, a.data != b.data, a.data != b.data)
PORTER_COMPARE(lt, a.data < b.data, !(a.data >= b.data))
PORTER_COMPARE(le, a.data <= b.data, !(a.data > b.data))
PORTER_COMPARE(gt, a.data > b.data, !(a.data <= b.data))
PORTER_COMPARE(ge, a.data >= b.data, !(a.data < b.data))
#undef PORTER_COMPARE
PORTER_HD bool __hisnan(__half a) { return porter_half::nan(a.data); }
PORTER_HD __half2 __hisnan2(__half2 a) {
  return __half2(porter_half2_data{_Float16(porter_half::nan(a.data.x)), _Float16(porter_half::nan(a.data.y))});
}
PORTER_HD bool __hisinf(__half a) { return (porter_half::bits(a.data) & 0x7fff) == 0x7c00; }
PORTER_D __half2 __hisinf2(__half2 a) {
  return __half2(porter_half2_data{_Float16(__hisinf(__half(a.data.x))), _Float16(__hisinf(__half(a.data.y)))});
}
// A NaN loses, and in the _nan forms wins.
PORTER_HD __half __hmax(__half a, __half b) { return __half(__builtin_fmaxf16(a.data, b.data)); }
PORTER_HD __half __hmin(__half a, __half b) { return __half(__builtin_fminf16(a.data, b.data)); }
PORTER_HD __half __hmax_nan(__half a, __half b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
PORTER_HD __half __hmin_nan(__half a, __half b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }
// Mathematics, on the device.
#define PORTER_MATH(name)                                                                        \
  PORTER_D __half h##name(__half a) { return __half(__ocml_##name##_f16(a.data)); }              \
  PORTER_D __half2 h2##name(__half2 a) {                                                         \
    return __half2(porter_half2_data{__ocml_##name##_f16(a.data.x), __ocml_##name##_f16(a.data.y)}); \
  }
PORTER_MATH(ceil)
PORTER_MATH(floor)
PORTER_MATH(trunc)
PORTER_MATH(rint)
PORTER_MATH(sqrt)
PORTER_MATH(rsqrt)
PORTER_MATH(exp)
PORTER_MATH(exp2)
PORTER_MATH(exp10)
PORTER_MATH(log)
PORTER_MATH(log2)
PORTER_MATH(log10)
PORTER_MATH(sin)
PORTER_MATH(cos)
#undef PORTER_MATH
PORTER_D __half hrcp(__half a) { return __half(__builtin_amdgcn_rcph(a.data)); }
PORTER_D __half2 h2rcp(__half2 a) { return __half2(porter_half2_data{__builtin_amdgcn_rcph(a.data.x), __builtin_amdgcn_rcph(a.data.y)}); }
PORTER_D float amd_mixed_dot(__half2 a, __half2 b, float c, bool saturate) {
  return __ockl_fdot2(__builtin_bit_cast(__2f16, a.data), __builtin_bit_cast(__2f16, b.data), c, saturate);
}

// Memory and other lanes. A half travels in the low bits of an int.
#define PORTER_LOAD(name)                                       \
  PORTER_D __half name(const __half *p) { return *p; }          \
  PORTER_D __half2 name(const __half2 *p) { return *p; }
PORTER_LOAD(__ldg)
PORTER_LOAD(__ldca)
PORTER_LOAD(__ldcg)
PORTER_LOAD(__ldcs)
#undef PORTER_LOAD
#define PORTER_SHUFFLE(name, type)                                                                                 \
  PORTER_D __half name(__half a, type lane, int width = warpSize) {                                                \
    return __ushort_as_half(static_cast<unsigned short>(name(static_cast<int>(__half_as_ushort(a)), lane, width))); \
  }                                                                                                                \
  PORTER_D __half2 name(__half2 a, type lane, int width = warpSize) {                                              \
    return __half2(__builtin_bit_cast(porter_half2_data, name(__builtin_bit_cast(int, a.data), lane, width)));     \
  }
PORTER_SHUFFLE(__shfl, int)
PORTER_SHUFFLE(__shfl_up, unsigned int)
PORTER_SHUFFLE(__shfl_down, unsigned int)
PORTER_SHUFFLE(__shfl_xor, int)
#undef PORTER_SHUFFLE
PORTER_D __half2 unsafeAtomicAdd(__half2 *p, __half2 a) {
#if defined(__HIP_DEVICE_COMPILE__)
  using pair = __fp16 __attribute__((ext_vector_type(2)));  // what the builtin is declared with
  return __half2(__builtin_bit_cast(
      porter_half2_data,
      __builtin_amdgcn_flat_atomic_fadd_v2f16(reinterpret_cast<pair *>(p), __builtin_bit_cast(pair, a.data))));
#else
  return *p;  // never called: a __device__ function
#endif
}
PORTER_D __half2 atomicAdd(__half2 *p, __half2 a) { return unsafeAtomicAdd(p, a); }

#undef PORTER_HD
#undef PORTER_D
#endif
#endif
