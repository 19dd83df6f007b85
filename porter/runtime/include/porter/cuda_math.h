// porter runtime: overloads of CUDA's mathematical functions that HIP lacks, or has with other types.
//
// CUDA has min and max for two integers of one width and any sign, in host code, too: min(-1, 5u) is 5u. HIP's mixed
// ones are double in device code, and its only one in host code takes two ints. CUDA's rsqrt, sinpi, erfinv and their
// kin of a float are float; HIP has them for double alone, and in host code not at all. CUDA's pow(float, int) is
// double as C++ has it; HIP's is float.
//
// They are global functions, as CUDA's are, so that templates find them, too. `enable_if` makes each a function of its
// own beside one of HIP's with the same parameters, and the one that is chosen.
#ifndef PORTER_CUDA_MATH_H
#define PORTER_CUDA_MATH_H

#if defined(__HIP__)

#include <hip/hip_runtime.h>
#include <math.h>  // C++'s own overloads as global functions: nvcc has them in host code without a header

#include <type_traits>

#include "host_math.h"

#pragma push_macro("min")
#pragma push_macro("max")
#undef min
#undef max

#define PORTER_CHOSEN __attribute__((enable_if(true, ""))) static inline
#define PORTER_BOTH PORTER_CHOSEN __host__ __device__
#define PORTER_DEVICE PORTER_CHOSEN __device__
#define PORTER_HOST PORTER_CHOSEN __host__

// Arguments of other types are converted, signed ones to unsigned.
#define PORTER_EXTREMA(R, smaller, larger)                              \
  PORTER_BOTH R smaller(const R a, const R b) { return b < a ? b : a; } \
  PORTER_BOTH R larger(const R a, const R b) { return a < b ? b : a; }
PORTER_EXTREMA(unsigned int, umin, umax)
PORTER_EXTREMA(long long, llmin, llmax)
PORTER_EXTREMA(unsigned long long, ullmin, ullmax)
PORTER_EXTREMA(int, min, max)
PORTER_EXTREMA(unsigned int, min, max)
PORTER_EXTREMA(long, min, max)
PORTER_EXTREMA(unsigned long, min, max)
PORTER_EXTREMA(long long, min, max)
PORTER_EXTREMA(unsigned long long, min, max)
#undef PORTER_EXTREMA


#define PORTER_EXTREMA(R, A, B)                                                                         \
  PORTER_BOTH R min(const A a, const B b) { return min(static_cast<R>(a), static_cast<R>(b)); }         \
  PORTER_BOTH R max(const A a, const B b) { return max(static_cast<R>(a), static_cast<R>(b)); }
PORTER_EXTREMA(unsigned int, int, unsigned int)
PORTER_EXTREMA(unsigned int, unsigned int, int)
PORTER_EXTREMA(unsigned long, long, unsigned long)
PORTER_EXTREMA(unsigned long, unsigned long, long)
PORTER_EXTREMA(unsigned long long, long long, unsigned long long)
PORTER_EXTREMA(unsigned long long, unsigned long long, long long)
// Narrow integers are promoted; HIP's template would keep two of one type.
PORTER_EXTREMA(int, bool, bool)
PORTER_EXTREMA(int, char, char)
PORTER_EXTREMA(int, signed char, signed char)
PORTER_EXTREMA(int, unsigned char, unsigned char)
PORTER_EXTREMA(int, short, short)
PORTER_EXTREMA(int, unsigned short, unsigned short)
#undef PORTER_EXTREMA

#define PORTER_EXTREMA(R, A, B, suffix)                                                                            \
  PORTER_BOTH R min(const A a, const B b) { return __builtin_fmin##suffix(static_cast<R>(a), static_cast<R>(b)); } \
  PORTER_BOTH R max(const A a, const B b) { return __builtin_fmax##suffix(static_cast<R>(a), static_cast<R>(b)); }
PORTER_EXTREMA(float, float, float, f)
PORTER_EXTREMA(double, double, double, )
PORTER_EXTREMA(double, float, double, )
PORTER_EXTREMA(double, double, float, )
#undef PORTER_EXTREMA

namespace porter::cuda_math {

// An integer or plain enumeration that is promoted before it is compared.
template <class T, class = void>
struct promotes : std::false_type {};
template <class T>
struct promotes<T, std::enable_if_t<!std::is_floating_point_v<T> && !std::is_same_v<decltype(+T()), T>>>
    : std::bool_constant<std::is_integral_v<T> || std::is_enum_v<T>> {};

template <class T>
constexpr bool whole = std::is_integral_v<T> || promotes<T>::value;
template <class A, class B>
using promoted = std::enable_if_t<!std::is_same_v<A, B> && whole<A> && whole<B> && (promotes<A>::value || promotes<B>::value)>;

}  // namespace porter::cuda_math

template <class A, class B, class = porter::cuda_math::promoted<A, B>>
PORTER_BOTH auto min(const A a, const B b) -> decltype(min(+a, +b)) {
  return min(+a, +b);
}
template <class A, class B, class = porter::cuda_math::promoted<A, B>>
PORTER_BOTH auto max(const A a, const B b) -> decltype(max(+a, +b)) {
  return max(+a, +b);
}

PORTER_DEVICE double pow(float base, int exponent) { return pow(double(base), double(exponent)); }
namespace std {
using ::pow;
}

#define PORTER_FLOAT(name) PORTER_DEVICE float name(float x) { return name##f(x); }
#define PORTER_FLOAT_AND_HOST(name)                                                         \
  PORTER_FLOAT(name)                                                                        \
  PORTER_HOST double name(double x) { return porter::host_math::name(x); }                  \
  PORTER_HOST float name##f(float x) { return float(porter::host_math::name(double(x))); }  \
  PORTER_HOST float name(float x) { return name##f(x); }
PORTER_FLOAT_AND_HOST(rsqrt)
PORTER_FLOAT_AND_HOST(rcbrt)
PORTER_FLOAT_AND_HOST(sinpi)
PORTER_FLOAT_AND_HOST(cospi)
PORTER_FLOAT_AND_HOST(erfinv)
PORTER_FLOAT_AND_HOST(erfcinv)
PORTER_FLOAT_AND_HOST(erfcx)
PORTER_FLOAT_AND_HOST(normcdf)
PORTER_FLOAT_AND_HOST(normcdfinv)
PORTER_FLOAT(cyl_bessel_i0)
PORTER_FLOAT(cyl_bessel_i1)
#undef PORTER_FLOAT_AND_HOST
#undef PORTER_FLOAT

// The C library of the host has these, for double and with an f.
#define PORTER_FLOAT(name)                                    \
  PORTER_DEVICE float name(float x) { return name##f(x); }    \
  PORTER_HOST float name(float x) { return name##f(x); }
PORTER_FLOAT(exp10)
PORTER_FLOAT(j0)
PORTER_FLOAT(j1)
PORTER_FLOAT(y0)
PORTER_FLOAT(y1)
#undef PORTER_FLOAT
#define PORTER_FLOAT(name)                                             \
  PORTER_DEVICE float name(int n, float x) { return name##f(n, x); }   \
  PORTER_HOST float name(int n, float x) { return name##f(n, x); }
PORTER_FLOAT(jn)
PORTER_FLOAT(yn)
#undef PORTER_FLOAT

PORTER_DEVICE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
PORTER_HOST void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
PORTER_DEVICE void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
PORTER_HOST void sincospi(double x, double* s, double* c) { porter::host_math::sincospi(x, s, c); }
PORTER_HOST void sincospif(float x, float* s, float* c) {
  double sine, cosine;
  porter::host_math::sincospi(x, &sine, &cosine);
  *s = float(sine);
  *c = float(cosine);
}
PORTER_HOST void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }

#undef PORTER_HOST
#undef PORTER_DEVICE
#undef PORTER_BOTH
#undef PORTER_CHOSEN

#pragma pop_macro("max")
#pragma pop_macro("min")

#endif  // __HIP__

#endif  // PORTER_CUDA_MATH_H
