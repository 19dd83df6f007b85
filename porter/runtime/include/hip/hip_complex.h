// porter's stand-in for HIP's hip_complex.h; HIP's own is taken where it is found.
#ifndef PORTER_HIP_COMPLEX_H  // no #pragma once: the next one may be this file again, by another folder
#pragma clang system_header

#if __has_include_next(<hip/hip_complex.h>)
#include_next <hip/hip_complex.h>
#else
#define PORTER_HIP_COMPLEX_H

#include <hip/hip_vector_types.h>

#include <math.h>

#define PORTER_HD __host__ __device__ static inline

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

// The larger part is taken out before squaring, so that nothing overflows that need not.
#define PORTER_COMPLEX(C, R, make, f, one, fabs, sqrt, fma)                                                          \
  PORTER_HD R hipCreal##f(C z) { return z.x; }                                                                       \
  PORTER_HD R hipCimag##f(C z) { return z.y; }                                                                       \
  PORTER_HD C make(R a, R b) {                                                                                       \
    C z;                                                                                                             \
    z.x = a;                                                                                                         \
    z.y = b;                                                                                                         \
    return z;                                                                                                        \
  }                                                                                                                  \
  PORTER_HD C hipConj##f(C z) { return make(z.x, -z.y); }                                                            \
  PORTER_HD R hipCsqabs##f(C z) { return z.x * z.x + z.y * z.y; }                                                    \
  PORTER_HD C hipCadd##f(C p, C q) { return make(p.x + q.x, p.y + q.y); }                                            \
  PORTER_HD C hipCsub##f(C p, C q) { return make(p.x - q.x, p.y - q.y); }                                            \
  PORTER_HD C hipCmul##f(C p, C q) { return make(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y); }                    \
  PORTER_HD C hipCdiv##f(C p, C q) {                                                                                 \
    R scale = one / (fabs(q.x) + fabs(q.y));                                                                         \
    R a = p.x * scale, b = p.y * scale, c = q.x * scale, d = q.y * scale;                                            \
    R inverse = one / (c * c + d * d);                                                                               \
    return make((a * c + b * d) * inverse, (b * c - a * d) * inverse);                                               \
  }                                                                                                                  \
  PORTER_HD R hipCabs##f(C z) {                                                                                      \
    R a = fabs(z.x), b = fabs(z.y), large = a > b ? a : b, small = a > b ? b : a;                                    \
    if (__builtin_isinf(a) || __builtin_isinf(b)) return (R)__builtin_inf();                                         \
    if (large == 0) return large;                                                                                    \
    R t = small / large;                                                                                             \
    return large * sqrt(one + t * t);                                                                                \
  }                                                                                                                  \
  PORTER_HD C hipCfma##f(C p, C q, C r) {                                                                            \
    return make(fma(p.x, q.x, fma(-p.y, q.y, r.x)), fma(p.y, q.x, fma(p.x, q.y, r.y)));                              \
  }
PORTER_COMPLEX(hipFloatComplex, float, make_hipFloatComplex, f, 1.0f, fabsf, sqrtf, fmaf)
PORTER_COMPLEX(hipDoubleComplex, double, make_hipDoubleComplex, , 1.0, fabs, sqrt, fma)
#undef PORTER_COMPLEX

PORTER_HD hipComplex make_hipComplex(float x, float y) { return make_hipFloatComplex(x, y); }
PORTER_HD hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) { return make_hipFloatComplex((float)z.x, (float)z.y); }
PORTER_HD hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) { return make_hipDoubleComplex(z.x, z.y); }

#undef PORTER_HD
#endif
#endif
