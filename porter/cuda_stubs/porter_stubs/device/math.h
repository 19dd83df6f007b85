// porter stub headers: device code, math functions
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include <math.h>
#include <stdlib.h>

#include <cmath>
#include <cstdlib>

#include "../../builtin_types.h"

#ifdef __CUDACC__
__device__ int abs(int);
__device__ long abs(long);
__device__ long long abs(long long);
__device__ double acos(double);
__device__ float acosf(float);
__device__ double acosh(double);
__device__ float acoshf(float);
__device__ double asin(double);
__device__ float asinf(float);
__device__ double asinh(double);
__device__ float asinhf(float);
__device__ double atan(double);
__device__ double atan2(double, double);
__device__ float atan2f(float, float);
__device__ float atanf(float);
__device__ double atanh(double);
__device__ float atanhf(float);
__device__ double cbrt(double);
__device__ float cbrtf(float);
__device__ double ceil(double);
__device__ float ceilf(float);
__device__ double copysign(double, double);
__device__ double copysign(double, float);
__device__ double copysign(float, double);
__device__ float copysignf(float, float);
__device__ double cos(double);
__device__ float cosf(float);
__device__ double cosh(double);
__device__ float coshf(float);
__host__ __device__ double cospi(double);
__host__ __device__ float cospi(float);
__host__ __device__ float cospif(float);
__device__ double cyl_bessel_i0(double);
__device__ float cyl_bessel_i0(float);
__device__ float cyl_bessel_i0f(float);
__device__ double cyl_bessel_i1(double);
__device__ float cyl_bessel_i1(float);
__device__ float cyl_bessel_i1f(float);
__device__ double erf(double);
__device__ double erfc(double);
__device__ float erfcf(float);
__host__ __device__ double erfcinv(double);
__host__ __device__ float erfcinv(float);
__host__ __device__ float erfcinvf(float);
__host__ __device__ double erfcx(double);
__host__ __device__ float erfcx(float);
__host__ __device__ float erfcxf(float);
__device__ float erff(float);
__host__ __device__ double erfinv(double);
__host__ __device__ float erfinv(float);
__host__ __device__ float erfinvf(float);
__device__ double exp(double);
__device__ double exp10(double);
__host__ __device__ float exp10(float);
__device__ float exp10f(float);
__device__ double exp2(double);
__device__ float exp2f(float);
__device__ float expf(float);
__device__ double expm1(double);
__device__ float expm1f(float);
__device__ double fabs(double);
__device__ float fabsf(float);
__device__ double fdim(double, double);
__device__ float fdimf(float, float);
__device__ double floor(double);
__device__ float floorf(float);
__device__ double fma(double, double, double);
__device__ float fmaf(float, float, float);
__device__ double fmax(double, double);
__device__ float fmaxf(float, float);
__device__ double fmin(double, double);
__device__ float fminf(float, float);
__device__ double fmod(double, double);
__device__ float fmodf(float, float);
__device__ double frexp(double, int *);
__device__ float frexp(float, int *);
__device__ float frexpf(float, int *);
__device__ double hypot(double, double);
__device__ float hypotf(float, float);
__device__ int ilogb(double);
__device__ int ilogbf(float);
__device__ double j0(double);
__host__ __device__ float j0(float);
__device__ float j0f(float);
__device__ double j1(double);
__host__ __device__ float j1(float);
__device__ float j1f(float);
__device__ double jn(int, double);
__host__ __device__ float jn(int, float);
__device__ float jnf(int, float);
__device__ long labs(long);
__device__ double ldexp(double, int);
__device__ float ldexpf(float, int);
__device__ double lgamma(double);
__device__ float lgammaf(float);
__device__ long long llabs(long long);
__host__ __device__ long long llmax(long long, long long);
__host__ __device__ long long llmin(long long, long long);
__device__ long long llrint(double);
__device__ long long llrintf(float);
__device__ long long llround(double);
__device__ long long llroundf(float);
__device__ double log(double);
__device__ double log10(double);
__device__ float log10f(float);
__device__ double log1p(double);
__device__ float log1pf(float);
__device__ double log2(double);
__device__ float log2f(float);
__device__ double logb(double);
__device__ float logbf(float);
__device__ float logf(float);
__device__ long lrint(double);
__device__ long lrintf(float);
__device__ long lround(double);
__device__ long lroundf(float);
__host__ __device__ double max(double, double);
__host__ __device__ double max(double, float);
__host__ __device__ double max(float, double);
__host__ __device__ float max(float, float);
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
__device__ double nearbyint(double);
__device__ float nearbyintf(float);
__device__ double nextafter(double, double);
__device__ float nextafterf(float, float);
__device__ double norm(int, const double *);
__device__ double norm3d(double, double, double);
__device__ float norm3df(float, float, float);
__device__ double norm4d(double, double, double, double);
__device__ float norm4df(float, float, float, float);
__host__ __device__ double normcdf(double);
__host__ __device__ float normcdf(float);
__host__ __device__ float normcdff(float);
__host__ __device__ double normcdfinv(double);
__host__ __device__ float normcdfinv(float);
__host__ __device__ float normcdfinvf(float);
__device__ float normf(int, const float *);
__device__ double pow(double, double);
__device__ float powf(float, float);
__host__ __device__ double rcbrt(double);
__host__ __device__ float rcbrt(float);
__host__ __device__ float rcbrtf(float);
__device__ double remainder(double, double);
__device__ float remainderf(float, float);
__device__ double remquo(double, double, int *);
__device__ float remquo(float, float, int *);
__device__ float remquof(float, float, int *);
__device__ double rhypot(double, double);
__device__ float rhypotf(float, float);
__device__ double rint(double);
__device__ float rintf(float);
__device__ double rnorm(int, const double *);
__device__ double rnorm3d(double, double, double);
__device__ float rnorm3df(float, float, float);
__device__ double rnorm4d(double, double, double, double);
__device__ float rnorm4df(float, float, float, float);
__device__ float rnormf(int, const float *);
__device__ double round(double);
__device__ float roundf(float);
__host__ __device__ double rsqrt(double);
__host__ __device__ float rsqrt(float);
__host__ __device__ float rsqrtf(float);
__device__ double scalbln(double, long);
__device__ float scalblnf(float, long);
__device__ double scalbn(double, int);
__device__ float scalbnf(float, int);
__device__ double sin(double);
__device__ void sincos(double, double *, double *);
__host__ __device__ void sincos(float, float *const, float *const);
__device__ void sincosf(float, float *, float *);
__host__ __device__ void sincospi(double, double *, double *);
__host__ __device__ void sincospi(float, float *const, float *const);
__host__ __device__ void sincospif(float, float *, float *);
__device__ float sinf(float);
__device__ double sinh(double);
__device__ float sinhf(float);
__host__ __device__ double sinpi(double);
__host__ __device__ float sinpi(float);
__host__ __device__ float sinpif(float);
__device__ double sqrt(double);
__device__ float sqrtf(float);
__device__ double tan(double);
__device__ float tanf(float);
__device__ double tanh(double);
__device__ float tanhf(float);
__device__ double tgamma(double);
__device__ float tgammaf(float);
__device__ double trunc(double);
__device__ float truncf(float);
__host__ __device__ unsigned long long ullmax(unsigned long long, unsigned long long);
__host__ __device__ unsigned long long ullmin(unsigned long long, unsigned long long);
__host__ __device__ unsigned int umax(unsigned int, unsigned int);
__host__ __device__ unsigned int umin(unsigned int, unsigned int);
__device__ double y0(double);
__host__ __device__ float y0(float);
__device__ float y0f(float);
__device__ double y1(double);
__host__ __device__ float y1(float);
__device__ float y1f(float);
__device__ double yn(int, double);
__host__ __device__ float yn(int, float);
__device__ float ynf(int, float);

// Integer overloads: the host ones of libc do not serve device code.
namespace std {
using ::abs;
using ::labs;
using ::llabs;
using ::modf;
using ::frexp;
}  // namespace std
#endif
