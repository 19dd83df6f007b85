// porter stub headers: device code, math functions
#pragma once
#include "../host_math.h"
#include <math.h>
#include <stdlib.h>
#include <cmath>
#include <cstdlib>
#include "../../builtin_types.h"
#ifdef __CUDACC__
// glibc declares these for the host: 2.41 the first, 2.42 the second.
#ifdef __DECL_SIMD_cospi
#define PORTER_SINPI __device__
#else
#define PORTER_SINPI __host__ __device__
#endif
#ifdef __DECL_SIMD_rsqrt
#define PORTER_RSQRT __device__
#else
#define PORTER_RSQRT __host__ __device__
#endif
PORTER_SINPI double cospi(double);
PORTER_SINPI float cospif(float);
PORTER_SINPI double sinpi(double);
PORTER_SINPI float sinpif(float);
PORTER_RSQRT double rsqrt(double);
PORTER_RSQRT float rsqrtf(float);
#undef PORTER_SINPI
#undef PORTER_RSQRT
__device__ int abs(int);
__device__ long abs(long);
__device__ long long abs(long long);
__device__ double copysign(double, float);
__device__ double copysign(float, double);
__host__ __device__ double erfcinv(double);
__host__ __device__ double erfcx(double);
__host__ __device__ double erfinv(double);
__device__ double fma(double, double, double);
__device__ float fmaf(float, float, float);
__device__ double frexp(double, int *);
__device__ float frexp(float, int *);
__device__ float frexpf(float, int *);
__device__ int ilogb(double);
__device__ int ilogbf(float);
__device__ double jn(int, double);
__host__ __device__ float jn(int, float);
__device__ float jnf(int, float);
__device__ long labs(long);
__device__ double ldexp(double, int);
__device__ float ldexpf(float, int);
__device__ long long llabs(long long);
__host__ __device__ long long llmax(long long, long long);
__host__ __device__ long long llmin(long long, long long);
__device__ long long llrint(double);
__device__ long long llrintf(float);
__device__ long long llround(double);
__device__ long long llroundf(float);
__device__ long lrint(double);
__device__ long lrintf(float);
__device__ long lround(double);
__device__ long lroundf(float);
__host__ __device__ double max(double, double);
__host__ __device__ double max(double, float);
__host__ __device__ double max(float, double);
__host__ __device__ float max(float, float);
#define PORTER_ONE(name) __device__ double name(double);
PORTER_ONE(acos) PORTER_ONE(acosh) PORTER_ONE(asin) PORTER_ONE(asinh) PORTER_ONE(atan) PORTER_ONE(atanh)
PORTER_ONE(cbrt) PORTER_ONE(ceil) PORTER_ONE(cos) PORTER_ONE(cosh) PORTER_ONE(cyl_bessel_i0) PORTER_ONE(cyl_bessel_i1)
PORTER_ONE(erf) PORTER_ONE(erfc) PORTER_ONE(exp) PORTER_ONE(exp10) PORTER_ONE(exp2) PORTER_ONE(expm1) PORTER_ONE(fabs)
PORTER_ONE(floor) PORTER_ONE(j0) PORTER_ONE(j1) PORTER_ONE(lgamma) PORTER_ONE(log) PORTER_ONE(log10) PORTER_ONE(log1p)
PORTER_ONE(log2) PORTER_ONE(logb)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ float name(float);
PORTER_ONE(acosf) PORTER_ONE(acoshf) PORTER_ONE(asinf) PORTER_ONE(asinhf) PORTER_ONE(atanf) PORTER_ONE(atanhf)
PORTER_ONE(cbrtf) PORTER_ONE(ceilf) PORTER_ONE(cosf) PORTER_ONE(coshf) PORTER_ONE(cyl_bessel_i0)
PORTER_ONE(cyl_bessel_i0f) PORTER_ONE(cyl_bessel_i1) PORTER_ONE(cyl_bessel_i1f) PORTER_ONE(erfcf) PORTER_ONE(erff)
PORTER_ONE(exp10f) PORTER_ONE(exp2f) PORTER_ONE(expf) PORTER_ONE(expm1f) PORTER_ONE(fabsf) PORTER_ONE(floorf)
PORTER_ONE(j0f) PORTER_ONE(j1f) PORTER_ONE(lgammaf) PORTER_ONE(log10f) PORTER_ONE(log1pf) PORTER_ONE(log2f)
PORTER_ONE(logbf) PORTER_ONE(logf)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ double name(double, double);
PORTER_ONE(atan2) PORTER_ONE(copysign) PORTER_ONE(fdim) PORTER_ONE(fmax) PORTER_ONE(fmin) PORTER_ONE(fmod)
PORTER_ONE(hypot)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ float name(float, float);
PORTER_ONE(atan2f) PORTER_ONE(copysignf) PORTER_ONE(fdimf) PORTER_ONE(fmaxf) PORTER_ONE(fminf) PORTER_ONE(fmodf)
PORTER_ONE(hypotf)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ float name(float);
PORTER_ONE(cospi) PORTER_ONE(erfcinv) PORTER_ONE(erfcinvf) PORTER_ONE(erfcx) PORTER_ONE(erfcxf)
PORTER_ONE(erfinv) PORTER_ONE(erfinvf) PORTER_ONE(exp10) PORTER_ONE(j0) PORTER_ONE(j1)
#undef PORTER_ONE
__host__ __device__ constexpr int max(int a, int b) { return (int)a < (int)b ? (int)b : (int)a; }
__host__ __device__ constexpr unsigned int max(int a, unsigned int b) { return (unsigned int)a < (unsigned int)b ? (unsigned int)b : (unsigned int)a; }
__host__ __device__ constexpr long max(long a, long b) { return (long)a < (long)b ? (long)b : (long)a; }
__host__ __device__ constexpr unsigned long max(long a, unsigned long b) { return (unsigned long)a < (unsigned long)b ? (unsigned long)b : (unsigned long)a; }
__host__ __device__ constexpr long long max(long long a, long long b) { return (long long)a < (long long)b ? (long long)b : (long long)a; }
__host__ __device__ constexpr unsigned long long max(long long a, unsigned long long b) { return (unsigned long long)a < (unsigned long long)b ? (unsigned long long)b : (unsigned long long)a; }
__host__ __device__ constexpr unsigned int max(unsigned int a, int b) { return (unsigned int)a < (unsigned int)b ? (unsigned int)b : (unsigned int)a; }
__host__ __device__ constexpr unsigned int max(unsigned int a, unsigned int b) { return (unsigned int)a < (unsigned int)b ? (unsigned int)b : (unsigned int)a; }
__host__ __device__ constexpr unsigned long max(unsigned long a, long b) { return (unsigned long)a < (unsigned long)b ? (unsigned long)b : (unsigned long)a; }
__host__ __device__ constexpr unsigned long max(unsigned long a, unsigned long b) { return (unsigned long)a < (unsigned long)b ? (unsigned long)b : (unsigned long)a; }
__host__ __device__ constexpr unsigned long long max(unsigned long long a, long long b) { return (unsigned long long)a < (unsigned long long)b ? (unsigned long long)b : (unsigned long long)a; }
__host__ __device__ constexpr unsigned long long max(unsigned long long a, unsigned long long b) { return (unsigned long long)a < (unsigned long long)b ? (unsigned long long)b : (unsigned long long)a; }
__host__ __device__ double min(double, double);
__host__ __device__ double min(double, float);
__host__ __device__ double min(float, double);
__host__ __device__ float min(float, float);
__host__ __device__ constexpr int min(int a, int b) { return (int)b < (int)a ? (int)b : (int)a; }
__host__ __device__ constexpr unsigned int min(int a, unsigned int b) { return (unsigned int)b < (unsigned int)a ? (unsigned int)b : (unsigned int)a; }
__host__ __device__ constexpr long min(long a, long b) { return (long)b < (long)a ? (long)b : (long)a; }
__host__ __device__ constexpr unsigned long min(long a, unsigned long b) { return (unsigned long)b < (unsigned long)a ? (unsigned long)b : (unsigned long)a; }
__host__ __device__ constexpr long long min(long long a, long long b) { return (long long)b < (long long)a ? (long long)b : (long long)a; }
__host__ __device__ constexpr unsigned long long min(long long a, unsigned long long b) { return (unsigned long long)b < (unsigned long long)a ? (unsigned long long)b : (unsigned long long)a; }
__host__ __device__ constexpr unsigned int min(unsigned int a, int b) { return (unsigned int)b < (unsigned int)a ? (unsigned int)b : (unsigned int)a; }
__host__ __device__ constexpr unsigned int min(unsigned int a, unsigned int b) { return (unsigned int)b < (unsigned int)a ? (unsigned int)b : (unsigned int)a; }
__host__ __device__ constexpr unsigned long min(unsigned long a, long b) { return (unsigned long)b < (unsigned long)a ? (unsigned long)b : (unsigned long)a; }
__host__ __device__ constexpr unsigned long min(unsigned long a, unsigned long b) { return (unsigned long)b < (unsigned long)a ? (unsigned long)b : (unsigned long)a; }
__host__ __device__ constexpr unsigned long long min(unsigned long long a, long long b) { return (unsigned long long)b < (unsigned long long)a ? (unsigned long long)b : (unsigned long long)a; }
__host__ __device__ constexpr unsigned long long min(unsigned long long a, unsigned long long b) { return (unsigned long long)b < (unsigned long long)a ? (unsigned long long)b : (unsigned long long)a; }
__device__ double modf(double, double *);
__device__ float modf(float, float *);
__device__ float modff(float, float *);
__device__ double nan(const char *);
__device__ float nanf(const char *);
__device__ double nextafter(double, double);
__device__ float nextafterf(float, float);
__device__ double norm(int, const double *);
__device__ double norm3d(double, double, double);
__device__ float norm3df(float, float, float);
__device__ double norm4d(double, double, double, double);
__device__ float norm4df(float, float, float, float);
__device__ float normf(int, const float *);
__device__ double pow(double, double);
__device__ float powf(float, float);
__device__ double remainder(double, double);
__device__ float remainderf(float, float);
__device__ double remquo(double, double, int *);
__device__ float remquo(float, float, int *);
__device__ float remquof(float, float, int *);
__device__ double rhypot(double, double);
__device__ float rhypotf(float, float);
__device__ double rnorm(int, const double *);
__device__ double rnorm3d(double, double, double);
__device__ float rnorm3df(float, float, float);
__device__ double rnorm4d(double, double, double, double);
__device__ float rnorm4df(float, float, float, float);
__device__ float rnormf(int, const float *);
__device__ double scalbln(double, long);
__device__ float scalblnf(float, long);
__device__ double scalbn(double, int);
__device__ float scalbnf(float, int);
__device__ void sincos(double, double *, double *);
__host__ __device__ void sincos(float, float *const, float *const);
__device__ void sincosf(float, float *, float *);
__host__ __device__ void sincospi(double, double *, double *);
__host__ __device__ void sincospi(float, float *const, float *const);
__host__ __device__ void sincospif(float, float *, float *);
__host__ __device__ unsigned long long ullmax(unsigned long long, unsigned long long);
__host__ __device__ unsigned long long ullmin(unsigned long long, unsigned long long);
__host__ __device__ unsigned int umax(unsigned int, unsigned int);
__host__ __device__ unsigned int umin(unsigned int, unsigned int);
__device__ double yn(int, double);
__host__ __device__ float yn(int, float);
__device__ float ynf(int, float);
#define PORTER_ONE(name) __device__ double name(double);
PORTER_ONE(nearbyint) PORTER_ONE(rint) PORTER_ONE(round) PORTER_ONE(sin) PORTER_ONE(sinh) PORTER_ONE(sqrt)
PORTER_ONE(tan) PORTER_ONE(tanh) PORTER_ONE(tgamma) PORTER_ONE(trunc) PORTER_ONE(y0) PORTER_ONE(y1)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ float name(float);
PORTER_ONE(nearbyintf) PORTER_ONE(rintf) PORTER_ONE(roundf) PORTER_ONE(sinf) PORTER_ONE(sinhf) PORTER_ONE(sqrtf)
PORTER_ONE(tanf) PORTER_ONE(tanhf) PORTER_ONE(tgammaf) PORTER_ONE(truncf) PORTER_ONE(y0f) PORTER_ONE(y1f)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ double name(double);
PORTER_ONE(normcdf) PORTER_ONE(normcdfinv) PORTER_ONE(rcbrt)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ float name(float);
PORTER_ONE(normcdf) PORTER_ONE(normcdff) PORTER_ONE(normcdfinv) PORTER_ONE(normcdfinvf) PORTER_ONE(rcbrt)
PORTER_ONE(rcbrtf) PORTER_ONE(rsqrt) PORTER_ONE(sinpi) PORTER_ONE(y0)
PORTER_ONE(y1)
#undef PORTER_ONE

// Integer overloads: the host ones of libc do not serve device code.
namespace std {
using ::abs;
using ::labs;
using ::llabs;
using ::modf;
using ::frexp;
}  // namespace std
#endif
