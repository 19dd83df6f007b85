// porter's stand-in for hipBLAS: a matrix and a vector, sums of matrices, triangular systems.
#ifndef PORTER_HIPBLAS_MATRICES
#define PORTER_HIPBLAS_MATRICES

#include <hipblas/hipblas.h>

namespace porter_blas {

// What a pointer says, on the host or on the device as the handle's mode is.
template <class N> struct Scalar {
  const N *there;
  N here;
  Scalar(void *handle, const void *value) {
    const bool on_host = static_cast<Handle *>(handle)->pointers == HIPBLAS_POINTER_MODE_HOST;
    there = on_host ? nullptr : static_cast<const N *>(value);
    here = on_host ? *static_cast<const N *>(value) : N(0);
  }
  __device__ N get() const { return there ? *there : here; }
};

template <class N> Matrix<const N> given(const void *at, int rows, hipblasOperation_t operation = HIPBLAS_OP_N) {
  return {static_cast<const N *>(at), rows, operation != HIPBLAS_OP_N, 0, operation == HIPBLAS_OP_C};
}

// y = alpha op(A) x + beta y, A of m x n, for each of a batch.
template <class N>
hipblasStatus_t gemv(void *handle, hipblasOperation_t operation, int m, int n, const void *alpha, const void *a, int lda,
                     hipblasStride stride_a, const void *x, int incx, hipblasStride stride_x, const void *beta, void *y, int incy,
                     hipblasStride stride_y, int batches) {
  if (!handle) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  if (m < 0 || n < 0 || batches < 0 || lda < m || lda < 1 || !incx || !incy || !alpha || !beta) return HIPBLAS_STATUS_INVALID_VALUE;
  const Scalar<N> scale(handle, alpha), keep(handle, beta);
  const bool turned = operation != HIPBLAS_OP_N;
  const int rows = turned ? n : m, columns = turned ? m : n;
  if (!m || !n) return HIPBLAS_STATUS_SUCCESS;  // y stays, as it does in BLAS
  hipblasStatus_t status = HIPBLAS_STATUS_SUCCESS;
  for (int batch = 0; batch < batches && status == HIPBLAS_STATUS_SUCCESS; batch++) {
    const auto matrix = given<N>(static_cast<const N *>(a) + batch * stride_a, lda, operation);
    const N *from = static_cast<const N *>(x) + batch * stride_x;
    N *to = static_cast<N *>(y) + batch * stride_y;
    status = vector(handle, rows, [=] __device__(int row) {
      N sum = 0;
      for (int i = 0; i < columns; i++) sum += entry<N>(matrix, row, i) * from[place(i, columns, incx)];
      N &result = to[place(row, rows, incy)];
      const N kept = keep.get();
      result = scale.get() * sum + (kept == N(0) ? N(0) : kept * result);  // y is not read where beta is 0
    });
  }
  return status;
}

// A = A + alpha x y^T, or y^H.
template <class N, bool conjugated>
hipblasStatus_t ger(void *handle, int m, int n, const void *alpha, const void *x, int incx, const void *y, int incy, void *a,
                    int lda) {
  if (!handle) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  if (m < 0 || n < 0 || lda < m || lda < 1 || !incx || !incy || !alpha) return HIPBLAS_STATUS_INVALID_VALUE;
  const Scalar<N> scale(handle, alpha);
  const N *first = static_cast<const N *>(x), *second = static_cast<const N *>(y);
  N *to = static_cast<N *>(a);
  return vector(handle, m ? n : 0, [=] __device__(int column) {
    const N one = second[place(column, n, incy)], factor = scale.get() * (conjugated ? conjugate(one) : one);
    for (int row = 0; row < m; row++) to[row + (long long)column * lda] += first[place(row, m, incx)] * factor;
  });
}

// C = alpha op(A) + beta op(B); C may be A or B where that is as it lies.
template <class N>
hipblasStatus_t geam(void *handle, hipblasOperation_t of_a, hipblasOperation_t of_b, int m, int n, const void *alpha,
                     const void *a, int lda, const void *beta, const void *b, int ldb, void *c, int ldc) {
  if (!handle) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  const bool short_a = lda < (of_a == HIPBLAS_OP_N ? m : n), short_b = ldb < (of_b == HIPBLAS_OP_N ? m : n);
  const bool over = (c == a && (lda != ldc || of_a != HIPBLAS_OP_N)) || (c == b && (ldb != ldc || of_b != HIPBLAS_OP_N));
  if (m < 0 || n < 0 || short_a || short_b || ldc < m || over || !alpha || !beta) return HIPBLAS_STATUS_INVALID_VALUE;
  const Scalar<N> first(handle, alpha), second(handle, beta);
  const auto left = given<N>(a, lda, of_a), right = given<N>(b, ldb, of_b);
  N *to = static_cast<N *>(c);
  return vector(handle, m ? n : 0, [=] __device__(int column) {
    const N of_left = first.get(), of_right = second.get();
    for (int row = 0; row < m; row++) {  // neither is read where its factor is 0
      const N one = of_left == N(0) ? N(0) : of_left * entry<N>(left, row, column);
      const N other = of_right == N(0) ? N(0) : of_right * entry<N>(right, row, column);
      to[row + (long long)column * ldc] = one + other;
    }
  });
}

// C = A with rows (from the left) or columns times the elements of x.
template <class N>
hipblasStatus_t dgmm(void *handle, hipblasSideMode_t side, int m, int n, const void *a, int lda, const void *x, int incx,
                     void *c, int ldc) {
  if (!handle) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  if (m < 0 || n < 0 || lda < m || ldc < m) return HIPBLAS_STATUS_INVALID_VALUE;
  const auto from = given<N>(a, lda);
  const N *factors = static_cast<const N *>(x);
  const bool left = side == HIPBLAS_SIDE_LEFT;
  N *to = static_cast<N *>(c);
  return vector(handle, m ? n : 0, [=] __device__(int column) {
    for (int row = 0; row < m; row++)
      to[row + (long long)column * ldc] = from(row, column) * factors[place(left ? row : column, left ? m : n, incx)];
  });
}

// B = alpha inverse(op(A)) B, or alpha B inverse(op(A)): a thread for each column, or row, of B.
template <class N>
hipblasStatus_t trsm(void *handle, hipblasSideMode_t side, hipblasFillMode_t half, hipblasOperation_t operation,
                     hipblasDiagType_t diagonal, int m, int n, const void *alpha, const void *a, int lda, void *b, int ldb) {
  if (!handle) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  const bool left = side == HIPBLAS_SIDE_LEFT;
  const int order = left ? m : n, lines = left ? n : m;
  if (m < 0 || n < 0 || lda < order || ldb < m || !alpha) return HIPBLAS_STATUS_INVALID_VALUE;
  if (half != HIPBLAS_FILL_MODE_LOWER && half != HIPBLAS_FILL_MODE_UPPER) return HIPBLAS_STATUS_INVALID_VALUE;
  const Scalar<N> scale(handle, alpha);
  const auto matrix = given<N>(a, lda, operation);
  const bool unit = diagonal == HIPBLAS_DIAG_UNIT;
  // Is what op(A) x = b begins with its first row? From the right the same is asked of the transposed.
  const bool forward = ((half == HIPBLAS_FILL_MODE_LOWER) == (operation == HIPBLAS_OP_N)) == left;
  N *to = static_cast<N *>(b);
  return vector(handle, order ? lines : 0, [=] __device__(int line) {
    for (int step = 0; step < order; step++) {
      const int i = forward ? step : order - 1 - step;
      N &result = left ? to[i + (long long)line * ldb] : to[line + (long long)i * ldb];
      N rest = scale.get() == N(0) ? N(0) : scale.get() * result;
      for (int before = 0; before < step; before++) {
        const int j = forward ? before : order - 1 - before;
        const N known = left ? to[j + (long long)line * ldb] : to[line + (long long)j * ldb];
        rest = rest - (left ? entry<N>(matrix, i, j) : entry<N>(matrix, j, i)) * known;
      }
      result = unit ? rest : rest / entry<N>(matrix, i, i);
    }
  });
}

template <class S, class In> hipblasStatus_t dot_of(void *handle, int n, const void *x, int incx, const void *y, int incy, void *result) {
  const In *a = static_cast<const In *>(x), *b = static_cast<const In *>(y);
  return reduction(handle, static_cast<In *>(result), [=] __device__() {
    S sum = 0;
    for (int i = 0; i < n; i++) sum += number<S>(a[place(i, n, incx)]) * number<S>(b[place(i, n, incy)]);
    In out;
    put(out, sum);
    return out;
  });
}

}  // namespace porter_blas

#define PORTER_BLAS_MATRICES(letter, T, N)                                                                             \
  inline hipblasStatus_t hipblas##letter##gemv(hipblasHandle_t handle, hipblasOperation_t trans, int m, int n,         \
                                               const T *alpha, const T *a, int lda, const T *x, int incx,              \
                                               const T *beta, T *y, int incy) {                                        \
    return porter_blas::gemv<N>(handle, trans, m, n, alpha, a, lda, 0, x, incx, 0, beta, y, incy, 0, 1);               \
  }                                                                                                                    \
  inline hipblasStatus_t hipblas##letter##gemvStridedBatched(                                                          \
      hipblasHandle_t handle, hipblasOperation_t trans, int m, int n, const T *alpha, const T *a, int lda,             \
      hipblasStride stride_a, const T *x, int incx, hipblasStride stride_x, const T *beta, T *y, int incy, hipblasStride stride_y, \
      int batches) {                                                                                                   \
    return porter_blas::gemv<N>(handle, trans, m, n, alpha, a, lda, stride_a, x, incx, stride_x, beta, y, incy,        \
                                stride_y, batches);                                                                    \
  }                                                                                                                    \
  inline hipblasStatus_t hipblas##letter##geam(hipblasHandle_t handle, hipblasOperation_t transa,                      \
                                               hipblasOperation_t transb, int m, int n, const T *alpha, const T *a,    \
                                               int lda, const T *beta, const T *b, int ldb, T *c, int ldc) {           \
    return porter_blas::geam<N>(handle, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                    \
  }                                                                                                                    \
  inline hipblasStatus_t hipblas##letter##dgmm(hipblasHandle_t handle, hipblasSideMode_t side, int m, int n,           \
                                               const T *a, int lda, const T *x, int incx, T *c, int ldc) {             \
    return porter_blas::dgmm<N>(handle, side, m, n, a, lda, x, incx, c, ldc);                                          \
  }                                                                                                                    \
  inline hipblasStatus_t hipblas##letter##trsm(hipblasHandle_t handle, hipblasSideMode_t side, hipblasFillMode_t uplo, \
                                               hipblasOperation_t trans, hipblasDiagType_t diag, int m, int n,         \
                                               const T *alpha, const T *a, int lda, T *b, int ldb) {                   \
    return porter_blas::trsm<N>(handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);                         \
  }
PORTER_BLAS_MATRICES(S, float, float)
PORTER_BLAS_MATRICES(D, double, double)
PORTER_BLAS_MATRICES(C, hipComplex, porter_blas::Complex<float>)
PORTER_BLAS_MATRICES(Z, hipDoubleComplex, porter_blas::Complex<double>)
#undef PORTER_BLAS_MATRICES

#define PORTER_BLAS_GER(name, T, N, conjugated)                                                                        \
  inline hipblasStatus_t hipblas##name(hipblasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,     \
                                       const T *y, int incy, T *a, int lda) {                                          \
    return porter_blas::ger<N, conjugated>(handle, m, n, alpha, x, incx, y, incy, a, lda);                             \
  }
PORTER_BLAS_GER(Sger, float, float, false)
PORTER_BLAS_GER(Dger, double, double, false)
PORTER_BLAS_GER(Cgeru, hipComplex, porter_blas::Complex<float>, false)
PORTER_BLAS_GER(Cgerc, hipComplex, porter_blas::Complex<float>, true)
PORTER_BLAS_GER(Zgeru, hipDoubleComplex, porter_blas::Complex<double>, false)
PORTER_BLAS_GER(Zgerc, hipDoubleComplex, porter_blas::Complex<double>, true)
#undef PORTER_BLAS_GER

inline hipblasStatus_t hipblasDotEx(hipblasHandle_t handle, int n, const void *x, hipDataType type_x, int incx,
                                    const void *y, hipDataType type_y, int incy, void *result, hipDataType type_result,
                                    hipDataType type_sum) {
#define PORTER_BLAS_DOT(type, sum, S, In)                                             \
  if (type_x == type && type_y == type && type_result == type && type_sum == sum) \
    return porter_blas::dot_of<S, In>(handle, n, x, incx, y, incy, result);
  PORTER_BLAS_DOT(HIP_R_16F, HIP_R_16F, float, __half)
  PORTER_BLAS_DOT(HIP_R_16F, HIP_R_32F, float, __half)
  PORTER_BLAS_DOT(HIP_R_16BF, HIP_R_32F, float, __hip_bfloat16)
  PORTER_BLAS_DOT(HIP_R_32F, HIP_R_32F, float, float)
  PORTER_BLAS_DOT(HIP_R_64F, HIP_R_64F, double, double)
#undef PORTER_BLAS_DOT
  return HIPBLAS_STATUS_NOT_SUPPORTED;
}

#endif
