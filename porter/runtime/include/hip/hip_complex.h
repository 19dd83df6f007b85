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

// As in HIP nothing is scaled: the squares of large parts overflow, those of small ones are 0.
#define PORTER_COMPLEX(C, R, make, f, sqrt)                                                                          \
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
    R square = hipCsqabs##f(q);                                                                                      \
    return make((p.x * q.x + p.y * q.y) / square, (p.y * q.x - p.x * q.y) / square);                                 \
  }                                                                                                                  \
  PORTER_HD R hipCabs##f(C z) { return sqrt(hipCsqabs##f(z)); }                                                      \
  PORTER_HD C hipCfma##f(C p, C q, C r) {                                                                            \
    R real = p.x * q.x + r.x, imaginary = q.x * p.y + r.y;                                                           \
    return make(-(p.y * q.y) + real, p.x * q.y + imaginary);                                                         \
  }
PORTER_COMPLEX(hipFloatComplex, float, make_hipFloatComplex, f, sqrtf)
PORTER_COMPLEX(hipDoubleComplex, double, make_hipDoubleComplex, , sqrt)
#undef PORTER_COMPLEX

PORTER_HD hipComplex make_hipComplex(float x, float y) { return make_hipFloatComplex(x, y); }
PORTER_HD hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) { return make_hipFloatComplex((float)z.x, (float)z.y); }
PORTER_HD hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) { return make_hipDoubleComplex(z.x, z.y); }

#undef PORTER_HD
#endif
#endif
