// porter runtime: quotients and absolute values of complex numbers, scaled as cuComplex.h does. HIP's square the parts
// as they are: 3e200 + 4e200i has the absolute value infinity there.
#ifndef PORTER_COMPLEX_H
#define PORTER_COMPLEX_H

#include <hip/hip_runtime.h>
#include <hip/hip_complex.h>

namespace porter {

namespace complex_detail {

__host__ __device__ inline float magnitude(float a) { return __builtin_fabsf(a); }
__host__ __device__ inline double magnitude(double a) { return __builtin_fabs(a); }
__host__ __device__ inline float root(float a) { return __builtin_sqrtf(a); }
__host__ __device__ inline double root(double a) { return __builtin_sqrt(a); }

template <class C, class R>
__host__ __device__ inline C quotient(C x, C y, R one) {
  R scale = one / (magnitude(y.x) + magnitude(y.y));
  R a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
  R inverse = one / (c * c + d * d);
  C result;
  result.x = (a * c + b * d) * inverse;
  result.y = (b * c - a * d) * inverse;
  return result;
}

template <class R>
__host__ __device__ inline R absolute(R a, R b, R one) {
  a = magnitude(a), b = magnitude(b);
  R large = a > b ? a : b, small = a > b ? b : a, ratio = small / large;
  if (large == 0 || __builtin_isinf(large) || __builtin_isinf(small)) return large + small;
  return large * root(one + ratio * ratio);
}

}  // namespace complex_detail

__host__ __device__ inline hipFloatComplex cdivf(hipFloatComplex x, hipFloatComplex y) {
  return complex_detail::quotient(x, y, 1.0f);
}
__host__ __device__ inline hipDoubleComplex cdiv(hipDoubleComplex x, hipDoubleComplex y) {
  return complex_detail::quotient(x, y, 1.0);
}
__host__ __device__ inline float cabsf(hipFloatComplex z) { return complex_detail::absolute(z.x, z.y, 1.0f); }
__host__ __device__ inline double cabs(hipDoubleComplex z) { return complex_detail::absolute(z.x, z.y, 1.0); }

}  // namespace porter

#endif  // PORTER_COMPLEX_H
