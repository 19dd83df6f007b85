// porter's stand-in for hipBLAS: Hermitian matrices.
#ifndef PORTER_HIPBLAS_HERMITIAN
#define PORTER_HIPBLAS_HERMITIAN

#include <hipblas/hipblas.h>

// A += alpha x x^H in one triangle; the diagonal stays real.
#define PORTER_BLAS_HER(letter, R, T)                                                                                  \
  inline hipblasStatus_t hipblas##letter##her(hipblasHandle_t handle, hipblasFillMode_t fill, int n, const R *alpha,  \
                                              const T *x, int incx, T *a, int lda) {                                  \
    if (!handle || !alpha || n < 0 || incx == 0 || lda < n) return HIPBLAS_STATUS_INVALID_VALUE;                      \
    R value = 0;                                                                                                      \
    const R *scale = porter_blas::host_value(handle, alpha, value);                                                   \
    return porter_blas::vector(handle, n, [=] __device__(int column) {                                                \
      const R by = scale ? *scale : value;                                                                            \
      const T v = x[porter_blas::place(column, n, incx)];                                                             \
      const bool upper = fill == HIPBLAS_FILL_MODE_UPPER;                                                             \
      for (int row = upper ? 0 : column; row < (upper ? column + 1 : n); row++) {                                     \
        const T u = x[porter_blas::place(row, n, incx)];                                                              \
        T &old = a[row + (long long)column * lda];                                                                    \
        old.x += by * (u.x * v.x + u.y * v.y);                                                                        \
        old.y = row == column ? R(0) : old.y + by * (u.y * v.x - u.x * v.y);                                          \
      }                                                                                                               \
    });                                                                                                               \
  }
PORTER_BLAS_HER(C, float, hipComplex)
PORTER_BLAS_HER(Z, double, hipDoubleComplex)
#undef PORTER_BLAS_HER

#endif
