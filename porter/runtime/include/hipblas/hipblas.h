// porter's stand-in for hipBLAS: what programs use to check their own matrix products; hipBLAS's own is taken where it
// is found.
//
// Handles, streams, pointer modes; vectors and matrices to the device and back; axpy, scal, copy, swap, dot, nrm2, asum,
// amax, gemv, ger, gemm, geam, dgmm and trsm for float, double and complex numbers, her, gemm for half, GemmEx, DotEx,
// batches. One thread an element, and one a sum: right, not fast. Not here, and an error by name where used: the rest.
#ifndef PORTER_HIPBLAS
#pragma clang system_header

#if __has_include_next(<hipblas/hipblas.h>)
#include_next <hipblas/hipblas.h>
#else
#define PORTER_HIPBLAS

#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <hipblas-common/hipblas-common.h>

#include <porter/standin_said.h>

#include <type_traits>

#define hipblasVersionMajor 3
#define hipblasVersionMinor 0
#define hipblasVersionPatch 0

enum hipblasPointerMode_t { HIPBLAS_POINTER_MODE_HOST, HIPBLAS_POINTER_MODE_DEVICE };
enum hipblasFillMode_t { HIPBLAS_FILL_MODE_UPPER = 121, HIPBLAS_FILL_MODE_LOWER = 122, HIPBLAS_FILL_MODE_FULL = 123 };
enum hipblasDiagType_t { HIPBLAS_DIAG_NON_UNIT = 131, HIPBLAS_DIAG_UNIT = 132 };
enum hipblasSideMode_t { HIPBLAS_SIDE_LEFT = 141, HIPBLAS_SIDE_RIGHT = 142, HIPBLAS_SIDE_BOTH = 143 };
enum hipblasGemmAlgo_t { HIPBLAS_GEMM_DEFAULT = 160 };
enum hipblasAtomicsMode_t { HIPBLAS_ATOMICS_NOT_ALLOWED = 0, HIPBLAS_ATOMICS_ALLOWED = 1 };
enum hipblasMath_t {
  HIPBLAS_DEFAULT_MATH, HIPBLAS_XF32_XDL_MATH, HIPBLAS_PEDANTIC_MATH, HIPBLAS_TF32_TENSOR_OP_MATH,
  HIPBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION, HIPBLAS_TENSOR_OP_MATH,
};
namespace porter_blas {

struct Handle {
  hipStream_t stream = nullptr;
  hipblasPointerMode_t pointers = HIPBLAS_POINTER_MODE_HOST;
  hipblasMath_t math = HIPBLAS_DEFAULT_MATH;
  hipblasAtomicsMode_t atomics = HIPBLAS_ATOMICS_ALLOWED;
};

template <class T> struct Matrix {
  T *at;
  int rows;  // the leading dimension
  bool transposed;
  long long stride;  // between matrices of a batch
  bool conjugated = false;

  // Column-major, as all of BLAS is.
  __host__ __device__ T &operator()(int row, int column) const {
    return transposed ? at[column + (long long)row * rows] : at[row + (long long)column * rows];
  }
};

template <class T> __device__ inline T number(__half x) { return (T)__half2float(x); }
template <class T> __device__ inline T number(__hip_bfloat16 x) { return (T)__bfloat162float(x); }
template <class T, class U> __device__ inline T number(U x) { return (T)x; }
template <class T, class U> __device__ inline void put(T &place, U x) { place = (T)x; }
template <class U> __device__ inline void put(__half &place, U x) { place = __float2half((float)x); }
template <class U> __device__ inline void put(__hip_bfloat16 &place, U x) { place = __float2bfloat16((float)x); }

// Laid out as hipComplex and hipDoubleComplex, whose operators work by element.
template <class R> struct alignas(2 * sizeof(R)) Complex {
  R x = 0, y = 0;
  Complex() = default;
  __host__ __device__ Complex(R a, R b = 0) : x(a), y(b) {}
  __host__ __device__ Complex operator+(Complex o) const { return {x + o.x, y + o.y}; }
  __host__ __device__ Complex operator-(Complex o) const { return {x - o.x, y - o.y}; }
  __host__ __device__ Complex operator*(Complex o) const { return {x * o.x - y * o.y, x * o.y + y * o.x}; }
  __host__ __device__ Complex operator/(Complex o) const {
    const R size = o.x * o.x + o.y * o.y;
    return {(x * o.x + y * o.y) / size, (y * o.x - x * o.y) / size};
  }
  __host__ __device__ void operator+=(Complex o) { x += o.x, y += o.y; }
  __host__ __device__ void operator*=(Complex o) { *this = *this * o; }
  __host__ __device__ bool operator==(Complex o) const { return x == o.x && y == o.y; }
};
template <class S> __device__ inline S conjugate(S value) { return value; }
template <class R> __device__ inline Complex<R> conjugate(Complex<R> value) { return {value.x, -value.y}; }
template <class S, class T> __device__ inline S entry(const Matrix<T> &m, int row, int column) {
  const S value = number<S>(m(row, column));
  return m.conjugated ? conjugate(value) : value;
}

template <class S, class In, class Out>
__global__ void product(int m, int n, int k, const S *alpha, S alpha_value, Matrix<const In> a, Matrix<const In> b,
                        const S *beta, S beta_value, Matrix<Out> c) {
  const long long element = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (element >= (long long)m * n) return;
  a.at += blockIdx.y * a.stride, b.at += blockIdx.y * b.stride, c.at += blockIdx.y * c.stride;
  const int row = (int)(element % m), column = (int)(element / m);
  const S scale = alpha ? *alpha : alpha_value, keep = beta ? *beta : beta_value;
  S sum = 0;
  for (int i = 0; i < k; i++) sum += entry<S>(a, row, i) * entry<S>(b, i, column);
  const S old = keep == S(0) ? S(0) : keep * number<S>(c(row, column));  // C is not read where beta is 0
  put(c(row, column), scale * sum + old);
}

template <class S, class In, class Out>
hipblasStatus_t gemm(void *handle, hipblasOperation_t first, hipblasOperation_t second, int m, int n, int k,
                     const void *alpha, const void *a, int lda, long long stride_a, const void *b, int ldb,
                     long long stride_b, const void *beta, void *c, int ldc, long long stride_c, int batches) {
  if (!handle) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  const bool at = first != HIPBLAS_OP_N, bt = second != HIPBLAS_OP_N;
  if (m < 0 || n < 0 || k < 0 || batches < 0 || lda < (at ? k : m) || ldb < (bt ? n : k) || ldc < m || !alpha || !beta)
    return HIPBLAS_STATUS_INVALID_VALUE;
  if (!m || !n || !batches) return HIPBLAS_STATUS_SUCCESS;
  const Handle &own = *static_cast<Handle *>(handle);
  const S *scale = static_cast<const S *>(alpha), *keep = static_cast<const S *>(beta);
  const bool here = own.pointers == HIPBLAS_POINTER_MODE_HOST;
  const long long blocks = ((long long)m * n + 255) / 256;
  product<S, In, Out><<<dim3((unsigned)blocks, batches), 256, 0, own.stream>>>(
      m, n, k, here ? nullptr : scale, here ? *scale : S(0),
      Matrix<const In>{static_cast<const In *>(a), lda, at, stride_a, first == HIPBLAS_OP_C},
      Matrix<const In>{static_cast<const In *>(b), ldb, bt, stride_b, second == HIPBLAS_OP_C}, here ? nullptr : keep, here ? *keep : S(0),
      Matrix<Out>{static_cast<Out *>(c), ldc, false, stride_c});
  return hipGetLastError() == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_EXECUTION_FAILED;
}

// x[i] and y[i] as f wants them; increments below 0 go through a vector from its end.
template <class F> __global__ void each(int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
template <class F> __global__ void once(F f) { f(); }
__host__ __device__ inline long long place(int i, int n, int step) {
  return (long long)(step < 0 ? i - n + 1 : i) * step;
}
template <class F> hipblasStatus_t vector(void *handle, int n, F f) {
  if (!handle) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  if (n <= 0) return HIPBLAS_STATUS_SUCCESS;
  each<<<(n + 255) / 256, 256, 0, static_cast<Handle *>(handle)->stream>>>(n, f);
  return hipGetLastError() == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_EXECUTION_FAILED;
}
// f(sum) adds up on the device; the result goes where the pointer mode says.
template <class T, class F> hipblasStatus_t reduction(void *handle, T *result, F f) {
  if (!handle) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  if (!result) return HIPBLAS_STATUS_INVALID_VALUE;
  const Handle &own = *static_cast<Handle *>(handle);
  T *there = result;
  const bool here = own.pointers == HIPBLAS_POINTER_MODE_HOST;
  if (here && hipMalloc(reinterpret_cast<void **>(&there), sizeof(T)) != hipSuccess) return HIPBLAS_STATUS_ALLOC_FAILED;
  once<<<1, 1, 0, own.stream>>>([=] __device__() { *there = f(); });
  hipError_t error = hipGetLastError();
  if (here) {
    if (error == hipSuccess) error = hipStreamSynchronize(own.stream);
    if (error == hipSuccess) error = hipMemcpy(result, there, sizeof(T), hipMemcpyDeviceToHost);
    (void)hipFree(there);
  }
  return error == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_EXECUTION_FAILED;
}
template <class T> __host__ __device__ const T *host_value(void *handle, const T *value, T &kept) {
  if (static_cast<Handle *>(handle)->pointers != HIPBLAS_POINTER_MODE_HOST) return value;
  kept = *value;
  return nullptr;
}

}  // namespace porter_blas

typedef void *hipblasHandle_t;
typedef long hipblasStride;  // int64_t
#if defined(HIPBLAS_USE_HIP_HALF)
typedef __half hipblasHalf;
#else
typedef unsigned short hipblasHalf;
#endif

inline hipblasStatus_t hipblasCreate(hipblasHandle_t *handle) {
  [[maybe_unused]] static const bool said = porter::say_standin("hipBLAS", "a thread for each element, right and not fast");
  if (!handle) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  *handle = new porter_blas::Handle();
  return HIPBLAS_STATUS_SUCCESS;
}
inline hipblasStatus_t hipblasDestroy(hipblasHandle_t handle) {
  delete static_cast<porter_blas::Handle *>(handle);
  return handle ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
}

#define PORTER_BLAS_SETTING(Name, Type, field)                                                                        \
  inline hipblasStatus_t hipblasSet##Name(hipblasHandle_t handle, Type value) {                                       \
    if (!handle) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;                                                             \
    static_cast<porter_blas::Handle *>(handle)->field = value;                                                        \
    return HIPBLAS_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                   \
  inline hipblasStatus_t hipblasGet##Name(hipblasHandle_t handle, Type *value) {                                      \
    if (!handle || !value) return HIPBLAS_STATUS_INVALID_VALUE;                                                       \
    *value = static_cast<porter_blas::Handle *>(handle)->field;                                                       \
    return HIPBLAS_STATUS_SUCCESS;                                                                                    \
  }
PORTER_BLAS_SETTING(Stream, hipStream_t, stream)
PORTER_BLAS_SETTING(PointerMode, hipblasPointerMode_t, pointers)
PORTER_BLAS_SETTING(MathMode, hipblasMath_t, math)
PORTER_BLAS_SETTING(AtomicsMode, hipblasAtomicsMode_t, atomics)
#undef PORTER_BLAS_SETTING

inline const char *hipblasStatusToString(hipblasStatus_t status) {
  static const char *const names[] = {
      "HIPBLAS_STATUS_SUCCESS", "HIPBLAS_STATUS_NOT_INITIALIZED", "HIPBLAS_STATUS_ALLOC_FAILED",
      "HIPBLAS_STATUS_INVALID_VALUE", "HIPBLAS_STATUS_MAPPING_ERROR", "HIPBLAS_STATUS_EXECUTION_FAILED",
      "HIPBLAS_STATUS_INTERNAL_ERROR", "HIPBLAS_STATUS_NOT_SUPPORTED", "HIPBLAS_STATUS_ARCH_MISMATCH",
      "HIPBLAS_STATUS_HANDLE_IS_NULLPTR", "HIPBLAS_STATUS_INVALID_ENUM", "HIPBLAS_STATUS_UNKNOWN"};
  return names[status < 0 || status > 11 ? 11 : status];
}

inline hipblasStatus_t hipblasSetMatrix(int rows, int columns, int size, const void *from, int lda, void *to, int ldb) {
  const hipError_t error = hipMemcpy2D(to, (size_t)ldb * size, from, (size_t)lda * size, (size_t)rows * size, columns, hipMemcpyHostToDevice);
  return error == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_MAPPING_ERROR;
}
inline hipblasStatus_t hipblasGetMatrix(int rows, int columns, int size, const void *from, int lda, void *to, int ldb) {
  const hipError_t error = hipMemcpy2D(to, (size_t)ldb * size, from, (size_t)lda * size, (size_t)rows * size, columns, hipMemcpyDeviceToHost);
  return error == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_MAPPING_ERROR;
}
inline hipblasStatus_t hipblasSetVector(int n, int size, const void *from, int incx, void *to, int incy) {
  return hipblasSetMatrix(1, n, size, from, incx, to, incy);
}
inline hipblasStatus_t hipblasGetVector(int n, int size, const void *from, int incx, void *to, int incy) {
  return hipblasGetMatrix(1, n, size, from, incx, to, incy);
}

#define PORTER_BLAS_MOVES(letter, T)                                                                                  \
  inline hipblasStatus_t hipblas##letter##copy(hipblasHandle_t handle, int n, const T *x, int incx, T *y, int incy) { \
    return porter_blas::vector(handle, n, [=] __device__(int i) {                                                     \
      y[porter_blas::place(i, n, incy)] = x[porter_blas::place(i, n, incx)];                                          \
    });                                                                                                               \
  }                                                                                                                   \
  inline hipblasStatus_t hipblas##letter##swap(hipblasHandle_t handle, int n, T *x, int incx, T *y, int incy) {       \
    return porter_blas::vector(handle, n, [=] __device__(int i) {                                                     \
      T &a = x[porter_blas::place(i, n, incx)], &b = y[porter_blas::place(i, n, incy)];                               \
      const T old = a;                                                                                                \
      a = b, b = old;                                                                                                 \
    });                                                                                                               \
  }
PORTER_BLAS_MOVES(S, float)
PORTER_BLAS_MOVES(D, double)
PORTER_BLAS_MOVES(C, hipComplex)
PORTER_BLAS_MOVES(Z, hipDoubleComplex)
#undef PORTER_BLAS_MOVES

#define PORTER_BLAS_VECTORS(letter, low, T)                                                                              \
  inline hipblasStatus_t hipblas##letter##axpy(hipblasHandle_t handle, int n, const T *alpha, const T *x, int incx,   \
                                               T *y, int incy) {                                                      \
    if (!handle || !alpha) return HIPBLAS_STATUS_INVALID_VALUE;                                                       \
    T value = 0;                                                                                                      \
    const T *scale = porter_blas::host_value(handle, alpha, value);                                                   \
    return porter_blas::vector(handle, n, [=] __device__(int i) {                                                     \
      y[porter_blas::place(i, n, incy)] += (scale ? *scale : value) * x[porter_blas::place(i, n, incx)];              \
    });                                                                                                               \
  }                                                                                                                   \
  inline hipblasStatus_t hipblas##letter##scal(hipblasHandle_t handle, int n, const T *alpha, T *x, int incx) {       \
    if (!handle || !alpha) return HIPBLAS_STATUS_INVALID_VALUE;                                                       \
    T value = 0;                                                                                                      \
    const T *scale = porter_blas::host_value(handle, alpha, value);                                                   \
    return porter_blas::vector(handle, incx > 0 ? n : 0,                                                              \
                               [=] __device__(int i) { x[(long long)i * incx] *= scale ? *scale : value; });          \
  }                                                                                                                   \
  inline hipblasStatus_t hipblas##letter##dot(hipblasHandle_t handle, int n, const T *x, int incx, const T *y,        \
                                              int incy, T *result) {                                                  \
    return porter_blas::reduction(handle, result, [=] __device__() {                                                  \
      T sum = 0;                                                                                                      \
      for (int i = 0; i < n; i++) sum += x[porter_blas::place(i, n, incx)] * y[porter_blas::place(i, n, incy)];       \
      return sum;                                                                                                     \
    });                                                                                                               \
  }                                                                                                                   \
  inline hipblasStatus_t hipblas##letter##nrm2(hipblasHandle_t handle, int n, const T *x, int incx, T *result) {      \
    return porter_blas::reduction(handle, result, [=] __device__() {                                                  \
      double sum = 0;                                                                                                 \
      for (int i = 0; i < n && incx > 0; i++) sum += (double)x[(long long)i * incx] * x[(long long)i * incx];         \
      return (T)sqrt(sum);                                                                                            \
    });                                                                                                               \
  }                                                                                                                   \
  inline hipblasStatus_t hipblas##letter##asum(hipblasHandle_t handle, int n, const T *x, int incx, T *result) {      \
    return porter_blas::reduction(handle, result, [=] __device__() {                                                  \
      T sum = 0;                                                                                                      \
      for (int i = 0; i < n && incx > 0; i++) sum += x[(long long)i * incx] < 0 ? -x[(long long)i * incx] : x[(long long)i * incx]; \
      return sum;                                                                                                     \
    });                                                                                                               \
  }                                                                                                                   \
  inline hipblasStatus_t hipblasI##low##amax(hipblasHandle_t handle, int n, const T *x, int incx, int *result) {   \
    return porter_blas::reduction(handle, result, [=] __device__() {                                                  \
      int best = 0; /* counted from 1 */                                                                              \
      T most = 0;                                                                                                     \
      for (int i = 0; i < n && incx > 0; i++) {                                                                       \
        const T size = x[(long long)i * incx] < 0 ? -x[(long long)i * incx] : x[(long long)i * incx];                 \
        if (!best || size > most) best = i + 1, most = size;                                                          \
      }                                                                                                               \
      return best;                                                                                                    \
    });                                                                                                               \
  }
PORTER_BLAS_VECTORS(S, s, float)
PORTER_BLAS_VECTORS(D, d, double)
#undef PORTER_BLAS_VECTORS

#define PORTER_BLAS_GEMM(letter, T, S)                                                                                 \
  inline hipblasStatus_t hipblas##letter##gemmStridedBatched(                                                         \
      hipblasHandle_t handle, hipblasOperation_t transa, hipblasOperation_t transb, int m, int n, int k,              \
      const T *alpha, const T *a, int lda, hipblasStride stride_a, const T *b, int ldb, hipblasStride stride_b,               \
      const T *beta, T *c, int ldc, hipblasStride stride_c, int batches) {                                                \
    return porter_blas::gemm<S, S, S>(handle, transa, transb, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b,     \
                                      beta, c, ldc, stride_c, batches);                                               \
  }                                                                                                                   \
  inline hipblasStatus_t hipblas##letter##gemm(hipblasHandle_t handle, hipblasOperation_t transa,                     \
                                               hipblasOperation_t transb, int m, int n, int k, const T *alpha,        \
                                               const T *a, int lda, const T *b, int ldb, const T *beta, T *c,         \
                                               int ldc) {                                                             \
    return porter_blas::gemm<S, S, S>(handle, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0,  \
                                      1);                                                                             \
  }
PORTER_BLAS_GEMM(S, float, float)
PORTER_BLAS_GEMM(D, double, double)
PORTER_BLAS_GEMM(C, hipComplex, porter_blas::Complex<float>)
PORTER_BLAS_GEMM(Z, hipDoubleComplex, porter_blas::Complex<double>)
#undef PORTER_BLAS_GEMM

// Sums of half precision are made in float here, and their alpha and beta are __half.
inline hipblasStatus_t hipblasGemmStridedBatchedEx(
    hipblasHandle_t handle, hipblasOperation_t transa, hipblasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *a, hipDataType type_a, int lda, hipblasStride stride_a, const void *b,
    hipDataType type_b, int ldb, hipblasStride stride_b, const void *beta, void *c, hipDataType type_c, int ldc,
    hipblasStride stride_c, int batches, hipblasComputeType_t compute, hipblasGemmAlgo_t) {
  const bool single = compute >= HIPBLAS_COMPUTE_32F && compute <= HIPBLAS_COMPUTE_32F_FAST_TF32;
  const bool wide = compute == HIPBLAS_COMPUTE_64F || compute == HIPBLAS_COMPUTE_64F_PEDANTIC;
  const bool whole = compute == HIPBLAS_COMPUTE_32I || compute == HIPBLAS_COMPUTE_32I_PEDANTIC;
  float halves[2];
  hipblasPointerMode_t pointers = HIPBLAS_POINTER_MODE_HOST;
  if (!single && !wide && !whole) {
    if (!handle || !alpha || !beta) return HIPBLAS_STATUS_INVALID_VALUE;
    hipblasGetPointerMode(handle, &pointers);
    if (pointers != HIPBLAS_POINTER_MODE_HOST) return HIPBLAS_STATUS_NOT_SUPPORTED;
    halves[0] = __half2float(*static_cast<const __half *>(alpha));
    halves[1] = __half2float(*static_cast<const __half *>(beta));
    alpha = &halves[0], beta = &halves[1];
  }
  const bool floats = !wide && !whole;
#define PORTER_BLAS_TYPES(when, in, out, S, In, Out)                                                                  \
  if (when && type_a == in && type_b == in && type_c == out)                                                          \
    return porter_blas::gemm<S, In, Out>(handle, transa, transb, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b,  \
                                         beta, c, ldc, stride_c, batches);
  PORTER_BLAS_TYPES(floats, HIP_R_16F, HIP_R_16F, float, __half, __half)
  PORTER_BLAS_TYPES(single, HIP_R_16F, HIP_R_32F, float, __half, float)
  PORTER_BLAS_TYPES(single, HIP_R_16BF, HIP_R_16BF, float, __hip_bfloat16, __hip_bfloat16)
  PORTER_BLAS_TYPES(single, HIP_R_16BF, HIP_R_32F, float, __hip_bfloat16, float)
  PORTER_BLAS_TYPES(single, HIP_R_32F, HIP_R_32F, float, float, float)
  PORTER_BLAS_TYPES(wide, HIP_R_64F, HIP_R_64F, double, double, double)
  PORTER_BLAS_TYPES(whole, HIP_R_8I, HIP_R_32I, int, signed char, int)
#undef PORTER_BLAS_TYPES
  return HIPBLAS_STATUS_NOT_SUPPORTED;
}

inline hipblasStatus_t hipblasGemmEx(hipblasHandle_t handle, hipblasOperation_t transa, hipblasOperation_t transb,
                                     int m, int n, int k, const void *alpha, const void *a, hipDataType type_a,
                                     int lda, const void *b, hipDataType type_b, int ldb, const void *beta, void *c,
                                     hipDataType type_c, int ldc, hipblasComputeType_t compute,
                                     hipblasGemmAlgo_t algorithm) {
  return hipblasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, type_a, lda, 0, b, type_b, ldb, 0,
                                     beta, c, type_c, ldc, 0, 1, compute, algorithm);
}

inline hipblasStatus_t hipblasHgemmStridedBatched(hipblasHandle_t handle, hipblasOperation_t transa,
                                                  hipblasOperation_t transb, int m, int n, int k, const hipblasHalf *alpha,
                                                  const hipblasHalf *a, int lda, hipblasStride stride_a, const hipblasHalf *b,
                                                  int ldb, hipblasStride stride_b, const hipblasHalf *beta, hipblasHalf *c, int ldc,
                                                  hipblasStride stride_c, int batches) {
  return hipblasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, HIP_R_16F, lda, stride_a, b, HIP_R_16F,
                                     ldb, stride_b, beta, c, HIP_R_16F, ldc, stride_c, batches, HIPBLAS_COMPUTE_16F,
                                     HIPBLAS_GEMM_DEFAULT);
}
inline hipblasStatus_t hipblasHgemm(hipblasHandle_t handle, hipblasOperation_t transa, hipblasOperation_t transb,
                                    int m, int n, int k, const hipblasHalf *alpha, const hipblasHalf *a, int lda,
                                    const hipblasHalf *b, int ldb, const hipblasHalf *beta, hipblasHalf *c, int ldc) {
  return hipblasHgemmStridedBatched(handle, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1);
}

#define PORTER_BLAS_BATCHED(letter, T)                                                                                \
  inline hipblasStatus_t hipblas##letter##gemmBatched(                                                                \
      hipblasHandle_t handle, hipblasOperation_t transa, hipblasOperation_t transb, int m, int n, int k,              \
      const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, const T *beta, T *const c[], int ldc, \
      int batches) {                                                                                                  \
    hipblasStatus_t status = HIPBLAS_STATUS_SUCCESS;                                                                  \
    for (int i = 0; i < batches && status == HIPBLAS_STATUS_SUCCESS; i++) {                                           \
      T *one[3];                                                                                                      \
      hipMemcpy(&one[0], a + i, sizeof(T *), hipMemcpyDefault);                                                       \
      hipMemcpy(&one[1], b + i, sizeof(T *), hipMemcpyDefault);                                                       \
      hipMemcpy(&one[2], c + i, sizeof(T *), hipMemcpyDefault);                                                       \
      status = hipblas##letter##gemm(handle, transa, transb, m, n, k, alpha, one[0], lda, one[1], ldb, beta, one[2],  \
                                     ldc);                                                                            \
    }                                                                                                                 \
    return status;                                                                                                    \
  }
PORTER_BLAS_BATCHED(S, float)
PORTER_BLAS_BATCHED(D, double)
PORTER_BLAS_BATCHED(C, hipComplex)
PORTER_BLAS_BATCHED(Z, hipDoubleComplex)
PORTER_BLAS_BATCHED(H, hipblasHalf)
#undef PORTER_BLAS_BATCHED

inline hipblasStatus_t hipblasGemmBatchedEx(hipblasHandle_t handle, hipblasOperation_t transa, hipblasOperation_t transb,
                                            int m, int n, int k, const void *alpha, const void *a[], hipDataType type_a,
                                            int lda, const void *b[], hipDataType type_b, int ldb, const void *beta,
                                            void *c[], hipDataType type_c, int ldc, int batches,
                                            hipblasComputeType_t compute, hipblasGemmAlgo_t algorithm) {
  hipblasStatus_t status = HIPBLAS_STATUS_SUCCESS;
  for (int i = 0; i < batches && status == HIPBLAS_STATUS_SUCCESS; i++) {
    void *one[3];
    hipMemcpy(&one[0], a + i, sizeof(void *), hipMemcpyDefault);
    hipMemcpy(&one[1], b + i, sizeof(void *), hipMemcpyDefault);
    hipMemcpy(&one[2], c + i, sizeof(void *), hipMemcpyDefault);
    status = hipblasGemmEx(handle, transa, transb, m, n, k, alpha, one[0], type_a, lda, one[1], type_b, ldb, beta, one[2],
                           type_c, ldc, compute, algorithm);
  }
  return status;
}

#include "porter/complex.h"
#include "porter/hermitian.h"
#include "porter/matrices.h"

#endif
#endif
