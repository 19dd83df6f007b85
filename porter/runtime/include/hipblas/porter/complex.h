// porter's stand-in for hipBLAS: vectors of complex numbers.
#ifndef PORTER_HIPBLAS_COMPLEX
#define PORTER_HIPBLAS_COMPLEX

#include <hipblas/hipblas.h>

namespace porter_blas {

template <class R> hipblasStatus_t axpy(void *handle, int n, const void *alpha, const void *x, int incx, void *y, int incy) {
  if (!handle || !alpha) return HIPBLAS_STATUS_INVALID_VALUE;
  Complex<R> value;
  const auto *scale = host_value(handle, static_cast<const Complex<R> *>(alpha), value);
  const auto *from = static_cast<const Complex<R> *>(x);
  auto *to = static_cast<Complex<R> *>(y);
  return vector(handle, n, [=] __device__(int i) { to[place(i, n, incy)] += (scale ? *scale : value) * from[place(i, n, incx)]; });
}

template <class R, class S> hipblasStatus_t scal(void *handle, int n, const S *alpha, void *x, int incx) {
  if (!handle || !alpha) return HIPBLAS_STATUS_INVALID_VALUE;
  S value = 0;
  const S *scale = host_value(handle, alpha, value);
  auto *own = static_cast<Complex<R> *>(x);
  return vector(handle, incx > 0 ? n : 0, [=] __device__(int i) { own[(long long)i * incx] *= Complex<R>(scale ? *scale : value); });
}

template <class R, bool conjugated>
hipblasStatus_t dot(void *handle, int n, const void *x, int incx, const void *y, int incy, void *result) {
  const auto *a = static_cast<const Complex<R> *>(x), *b = static_cast<const Complex<R> *>(y);
  return reduction(handle, static_cast<Complex<R> *>(result), [=] __device__() {
    Complex<R> sum;
    for (int i = 0; i < n; i++) {
      const Complex<R> one = a[place(i, n, incx)];
      sum += (conjugated ? conjugate(one) : one) * b[place(i, n, incy)];
    }
    return sum;
  });
}

template <class R> hipblasStatus_t nrm2(void *handle, int n, const void *x, int incx, R *result) {
  const auto *own = static_cast<const Complex<R> *>(x);
  return reduction(handle, result, [=] __device__() {
    double sum = 0;
    for (int i = 0; i < n && incx > 0; i++) {
      const Complex<R> one = own[(long long)i * incx];
      sum += (double)one.x * one.x + (double)one.y * one.y;
    }
    return (R)sqrt(sum);
  });
}

// hipBLAS, as all of BLAS, takes |x| + |y| for the size of a number here.
template <class R> __device__ R size_of(const Complex<R> &one) { return fabs(one.x) + fabs(one.y); }

template <class R> hipblasStatus_t asum(void *handle, int n, const void *x, int incx, R *result) {
  const auto *own = static_cast<const Complex<R> *>(x);
  return reduction(handle, result, [=] __device__() {
    R sum = 0;
    for (int i = 0; i < n && incx > 0; i++) sum += size_of(own[(long long)i * incx]);
    return sum;
  });
}

template <class R> hipblasStatus_t amax(void *handle, int n, const void *x, int incx, int *result) {
  const auto *own = static_cast<const Complex<R> *>(x);
  return reduction(handle, result, [=] __device__() {
    int best = 0;  // counted from 1
    for (int i = 0; i < n && incx > 0; i++)
      if (!best || size_of(own[(long long)i * incx]) > size_of(own[(long long)(best - 1) * incx])) best = i + 1;
    return best;
  });
}

}  // namespace porter_blas

#define PORTER_BLAS_COMPLEX(letter, low, real, T, R)                                                                   \
  inline hipblasStatus_t hipblas##letter##axpy(hipblasHandle_t handle, int n, const T *alpha, const T *x, int incx,    \
                                               T *y, int incy) {                                                       \
    return porter_blas::axpy<R>(handle, n, alpha, x, incx, y, incy);                                                   \
  }                                                                                                                    \
  inline hipblasStatus_t hipblas##letter##scal(hipblasHandle_t handle, int n, const T *alpha, T *x, int incx) {        \
    return porter_blas::scal<R>(handle, n, reinterpret_cast<const porter_blas::Complex<R> *>(alpha), x, incx);         \
  }                                                                                                                    \
  inline hipblasStatus_t hipblas##letter##real##scal(hipblasHandle_t handle, int n, const R *alpha, T *x, int incx) {  \
    return porter_blas::scal<R>(handle, n, alpha, x, incx);                                                            \
  }                                                                                                                    \
  inline hipblasStatus_t hipblas##letter##dotu(hipblasHandle_t handle, int n, const T *x, int incx, const T *y,        \
                                               int incy, T *result) {                                                  \
    return porter_blas::dot<R, false>(handle, n, x, incx, y, incy, result);                                            \
  }                                                                                                                    \
  inline hipblasStatus_t hipblas##letter##dotc(hipblasHandle_t handle, int n, const T *x, int incx, const T *y,        \
                                               int incy, T *result) {                                                  \
    return porter_blas::dot<R, true>(handle, n, x, incx, y, incy, result);                                             \
  }                                                                                                                    \
  inline hipblasStatus_t hipblasI##low##amax(hipblasHandle_t handle, int n, const T *x, int incx, int *result) {       \
    return porter_blas::amax<R>(handle, n, x, incx, result);                                                           \
  }
PORTER_BLAS_COMPLEX(C, c, s, hipComplex, float)
PORTER_BLAS_COMPLEX(Z, z, d, hipDoubleComplex, double)
#undef PORTER_BLAS_COMPLEX

#define PORTER_BLAS_SIZES(name, T, R)                                                                                  \
  inline hipblasStatus_t hipblas##name##nrm2(hipblasHandle_t handle, int n, const T *x, int incx, R *result) {         \
    return porter_blas::nrm2<R>(handle, n, x, incx, result);                                                           \
  }                                                                                                                    \
  inline hipblasStatus_t hipblas##name##asum(hipblasHandle_t handle, int n, const T *x, int incx, R *result) {         \
    return porter_blas::asum<R>(handle, n, x, incx, result);                                                           \
  }
PORTER_BLAS_SIZES(Sc, hipComplex, float)
PORTER_BLAS_SIZES(Dz, hipDoubleComplex, double)
#undef PORTER_BLAS_SIZES

#endif
