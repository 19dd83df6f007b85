// porter runtime: one spelling of hipBLAS's complex and mixed-type calls for ROCm 6 and ROCm 7.
//
// hipBLAS 2 has them twice: without a suffix for its own complex types, with _v2 for HIP's. hipBLAS 3 kept
// only the latter and dropped the suffix.
#ifndef PORTER_HIPBLAS_H
#define PORTER_HIPBLAS_H

#include <hipblas/hipblas.h>

#if hipblasVersionMajor >= 3
#define hipblasAxpyEx_v2 hipblasAxpyEx
#define hipblasAxpyEx_v2_64 hipblasAxpyEx_64
#define hipblasCaxpy_v2 hipblasCaxpy
#define hipblasCaxpy_v2_64 hipblasCaxpy_64
#define hipblasCcopy_v2 hipblasCcopy
#define hipblasCcopy_v2_64 hipblasCcopy_64
#define hipblasCdgmm_v2 hipblasCdgmm
#define hipblasCdotc_v2 hipblasCdotc
#define hipblasCdotc_v2_64 hipblasCdotc_64
#define hipblasCdotu_v2 hipblasCdotu
#define hipblasCdotu_v2_64 hipblasCdotu_64
#define hipblasCgbmv_v2 hipblasCgbmv
#define hipblasCgbmv_v2_64 hipblasCgbmv_64
#define hipblasCgeam_v2 hipblasCgeam
#define hipblasCgelsBatched_v2 hipblasCgelsBatched
#define hipblasCgemmBatched_v2 hipblasCgemmBatched
#define hipblasCgemmBatched_v2_64 hipblasCgemmBatched_64
#define hipblasCgemmStridedBatched_v2 hipblasCgemmStridedBatched
#define hipblasCgemmStridedBatched_v2_64 hipblasCgemmStridedBatched_64
#define hipblasCgemm_v2 hipblasCgemm
#define hipblasCgemm_v2_64 hipblasCgemm_64
#define hipblasCgemvBatched_v2 hipblasCgemvBatched
#define hipblasCgemvBatched_v2_64 hipblasCgemvBatched_64
#define hipblasCgemvStridedBatched_v2 hipblasCgemvStridedBatched
#define hipblasCgemvStridedBatched_v2_64 hipblasCgemvStridedBatched_64
#define hipblasCgemv_v2 hipblasCgemv
#define hipblasCgemv_v2_64 hipblasCgemv_64
#define hipblasCgeqrfBatched_v2 hipblasCgeqrfBatched
#define hipblasCgerc_v2 hipblasCgerc
#define hipblasCgerc_v2_64 hipblasCgerc_64
#define hipblasCgeru_v2 hipblasCgeru
#define hipblasCgeru_v2_64 hipblasCgeru_64
#define hipblasCgetrfBatched_v2 hipblasCgetrfBatched
#define hipblasCgetriBatched_v2 hipblasCgetriBatched
#define hipblasCgetrsBatched_v2 hipblasCgetrsBatched
#define hipblasChbmv_v2 hipblasChbmv
#define hipblasChbmv_v2_64 hipblasChbmv_64
#define hipblasChemm_v2 hipblasChemm
#define hipblasChemv_v2 hipblasChemv
#define hipblasChemv_v2_64 hipblasChemv_64
#define hipblasCher2_v2 hipblasCher2
#define hipblasCher2_v2_64 hipblasCher2_64
#define hipblasCher2k_v2 hipblasCher2k
#define hipblasCher2k_v2_64 hipblasCher2k_64
#define hipblasCher_v2 hipblasCher
#define hipblasCher_v2_64 hipblasCher_64
#define hipblasCherk_v2 hipblasCherk
#define hipblasCherk_v2_64 hipblasCherk_64
#define hipblasCherkx_v2 hipblasCherkx
#define hipblasCherkx_v2_64 hipblasCherkx_64
#define hipblasChpmv_v2 hipblasChpmv
#define hipblasChpmv_v2_64 hipblasChpmv_64
#define hipblasChpr2_v2 hipblasChpr2
#define hipblasChpr2_v2_64 hipblasChpr2_64
#define hipblasChpr_v2 hipblasChpr
#define hipblasChpr_v2_64 hipblasChpr_64
#define hipblasCrot_v2 hipblasCrot
#define hipblasCrot_v2_64 hipblasCrot_64
#define hipblasCrotg_v2 hipblasCrotg
#define hipblasCscal_v2 hipblasCscal
#define hipblasCscal_v2_64 hipblasCscal_64
#define hipblasCsrot_v2 hipblasCsrot
#define hipblasCsrot_v2_64 hipblasCsrot_64
#define hipblasCsscal_v2 hipblasCsscal
#define hipblasCsscal_v2_64 hipblasCsscal_64
#define hipblasCswap_v2 hipblasCswap
#define hipblasCswap_v2_64 hipblasCswap_64
#define hipblasCsymm_v2 hipblasCsymm
#define hipblasCsymv_v2 hipblasCsymv
#define hipblasCsymv_v2_64 hipblasCsymv_64
#define hipblasCsyr2_v2 hipblasCsyr2
#define hipblasCsyr2_v2_64 hipblasCsyr2_64
#define hipblasCsyr2k_v2 hipblasCsyr2k
#define hipblasCsyr_v2 hipblasCsyr
#define hipblasCsyr_v2_64 hipblasCsyr_64
#define hipblasCsyrk_v2 hipblasCsyrk
#define hipblasCsyrkx_v2 hipblasCsyrkx
#define hipblasCtbmv_v2 hipblasCtbmv
#define hipblasCtbmv_v2_64 hipblasCtbmv_64
#define hipblasCtbsv_v2 hipblasCtbsv
#define hipblasCtbsv_v2_64 hipblasCtbsv_64
#define hipblasCtpmv_v2 hipblasCtpmv
#define hipblasCtpmv_v2_64 hipblasCtpmv_64
#define hipblasCtpsv_v2 hipblasCtpsv
#define hipblasCtpsv_v2_64 hipblasCtpsv_64
#define hipblasCtrmm_v2 hipblasCtrmm
#define hipblasCtrmv_v2 hipblasCtrmv
#define hipblasCtrmv_v2_64 hipblasCtrmv_64
#define hipblasCtrsmBatched_v2 hipblasCtrsmBatched
#define hipblasCtrsm_v2 hipblasCtrsm
#define hipblasCtrsv_v2 hipblasCtrsv
#define hipblasCtrsv_v2_64 hipblasCtrsv_64
#define hipblasDotEx_v2 hipblasDotEx
#define hipblasDotEx_v2_64 hipblasDotEx_64
#define hipblasDotcEx_v2 hipblasDotcEx
#define hipblasDotcEx_v2_64 hipblasDotcEx_64
#define hipblasDzasum_v2 hipblasDzasum
#define hipblasDzasum_v2_64 hipblasDzasum_64
#define hipblasDznrm2_v2 hipblasDznrm2
#define hipblasDznrm2_v2_64 hipblasDznrm2_64
#define hipblasGemmBatchedEx_v2 hipblasGemmBatchedEx
#define hipblasGemmEx_v2 hipblasGemmEx
#define hipblasGemmStridedBatchedEx_v2 hipblasGemmStridedBatchedEx
#define hipblasIcamax_v2 hipblasIcamax
#define hipblasIcamax_v2_64 hipblasIcamax_64
#define hipblasIcamin_v2 hipblasIcamin
#define hipblasIcamin_v2_64 hipblasIcamin_64
#define hipblasIzamax_v2 hipblasIzamax
#define hipblasIzamax_v2_64 hipblasIzamax_64
#define hipblasIzamin_v2 hipblasIzamin
#define hipblasIzamin_v2_64 hipblasIzamin_64
#define hipblasNrm2Ex_v2 hipblasNrm2Ex
#define hipblasNrm2Ex_v2_64 hipblasNrm2Ex_64
#define hipblasRotEx_v2 hipblasRotEx
#define hipblasRotEx_v2_64 hipblasRotEx_64
#define hipblasScalEx_v2 hipblasScalEx
#define hipblasScalEx_v2_64 hipblasScalEx_64
#define hipblasScasum_v2 hipblasScasum
#define hipblasScasum_v2_64 hipblasScasum_64
#define hipblasScnrm2_v2 hipblasScnrm2
#define hipblasScnrm2_v2_64 hipblasScnrm2_64
#define hipblasZaxpy_v2 hipblasZaxpy
#define hipblasZaxpy_v2_64 hipblasZaxpy_64
#define hipblasZcopy_v2 hipblasZcopy
#define hipblasZcopy_v2_64 hipblasZcopy_64
#define hipblasZdgmm_v2 hipblasZdgmm
#define hipblasZdotc_v2 hipblasZdotc
#define hipblasZdotc_v2_64 hipblasZdotc_64
#define hipblasZdotu_v2 hipblasZdotu
#define hipblasZdotu_v2_64 hipblasZdotu_64
#define hipblasZdrot_v2 hipblasZdrot
#define hipblasZdrot_v2_64 hipblasZdrot_64
#define hipblasZdscal_v2 hipblasZdscal
#define hipblasZdscal_v2_64 hipblasZdscal_64
#define hipblasZgbmv_v2 hipblasZgbmv
#define hipblasZgbmv_v2_64 hipblasZgbmv_64
#define hipblasZgeam_v2 hipblasZgeam
#define hipblasZgelsBatched_v2 hipblasZgelsBatched
#define hipblasZgemmBatched_v2 hipblasZgemmBatched
#define hipblasZgemmBatched_v2_64 hipblasZgemmBatched_64
#define hipblasZgemmStridedBatched_v2 hipblasZgemmStridedBatched
#define hipblasZgemmStridedBatched_v2_64 hipblasZgemmStridedBatched_64
#define hipblasZgemm_v2 hipblasZgemm
#define hipblasZgemm_v2_64 hipblasZgemm_64
#define hipblasZgemvBatched_v2 hipblasZgemvBatched
#define hipblasZgemvBatched_v2_64 hipblasZgemvBatched_64
#define hipblasZgemvStridedBatched_v2 hipblasZgemvStridedBatched
#define hipblasZgemvStridedBatched_v2_64 hipblasZgemvStridedBatched_64
#define hipblasZgemv_v2 hipblasZgemv
#define hipblasZgemv_v2_64 hipblasZgemv_64
#define hipblasZgeqrfBatched_v2 hipblasZgeqrfBatched
#define hipblasZgerc_v2 hipblasZgerc
#define hipblasZgerc_v2_64 hipblasZgerc_64
#define hipblasZgeru_v2 hipblasZgeru
#define hipblasZgeru_v2_64 hipblasZgeru_64
#define hipblasZgetrfBatched_v2 hipblasZgetrfBatched
#define hipblasZgetriBatched_v2 hipblasZgetriBatched
#define hipblasZgetrsBatched_v2 hipblasZgetrsBatched
#define hipblasZhbmv_v2 hipblasZhbmv
#define hipblasZhbmv_v2_64 hipblasZhbmv_64
#define hipblasZhemm_v2 hipblasZhemm
#define hipblasZhemv_v2 hipblasZhemv
#define hipblasZhemv_v2_64 hipblasZhemv_64
#define hipblasZher2_v2 hipblasZher2
#define hipblasZher2_v2_64 hipblasZher2_64
#define hipblasZher2k_v2 hipblasZher2k
#define hipblasZher2k_v2_64 hipblasZher2k_64
#define hipblasZher_v2 hipblasZher
#define hipblasZher_v2_64 hipblasZher_64
#define hipblasZherk_v2 hipblasZherk
#define hipblasZherk_v2_64 hipblasZherk_64
#define hipblasZherkx_v2 hipblasZherkx
#define hipblasZherkx_v2_64 hipblasZherkx_64
#define hipblasZhpmv_v2 hipblasZhpmv
#define hipblasZhpmv_v2_64 hipblasZhpmv_64
#define hipblasZhpr2_v2 hipblasZhpr2
#define hipblasZhpr2_v2_64 hipblasZhpr2_64
#define hipblasZhpr_v2 hipblasZhpr
#define hipblasZhpr_v2_64 hipblasZhpr_64
#define hipblasZrot_v2 hipblasZrot
#define hipblasZrot_v2_64 hipblasZrot_64
#define hipblasZrotg_v2 hipblasZrotg
#define hipblasZscal_v2 hipblasZscal
#define hipblasZscal_v2_64 hipblasZscal_64
#define hipblasZswap_v2 hipblasZswap
#define hipblasZswap_v2_64 hipblasZswap_64
#define hipblasZsymm_v2 hipblasZsymm
#define hipblasZsymv_v2 hipblasZsymv
#define hipblasZsymv_v2_64 hipblasZsymv_64
#define hipblasZsyr2_v2 hipblasZsyr2
#define hipblasZsyr2_v2_64 hipblasZsyr2_64
#define hipblasZsyr2k_v2 hipblasZsyr2k
#define hipblasZsyr_v2 hipblasZsyr
#define hipblasZsyr_v2_64 hipblasZsyr_64
#define hipblasZsyrk_v2 hipblasZsyrk
#define hipblasZsyrkx_v2 hipblasZsyrkx
#define hipblasZtbmv_v2 hipblasZtbmv
#define hipblasZtbmv_v2_64 hipblasZtbmv_64
#define hipblasZtbsv_v2 hipblasZtbsv
#define hipblasZtbsv_v2_64 hipblasZtbsv_64
#define hipblasZtpmv_v2 hipblasZtpmv
#define hipblasZtpmv_v2_64 hipblasZtpmv_64
#define hipblasZtpsv_v2 hipblasZtpsv
#define hipblasZtpsv_v2_64 hipblasZtpsv_64
#define hipblasZtrmm_v2 hipblasZtrmm
#define hipblasZtrmv_v2 hipblasZtrmv
#define hipblasZtrmv_v2_64 hipblasZtrmv_64
#define hipblasZtrsmBatched_v2 hipblasZtrsmBatched
#define hipblasZtrsm_v2 hipblasZtrsm
#define hipblasZtrsv_v2 hipblasZtrsv
#define hipblasZtrsv_v2_64 hipblasZtrsv_64
#endif

// cuBLAS 10 named the type of the sums by a type of data, and its header takes that in C++ still.
namespace porter::hipblas {
inline bool computes_in(hipDataType data, hipblasComputeType_t& sums) {
  switch (data) {
    case HIP_R_16F: sums = HIPBLAS_COMPUTE_16F; return true;
    case HIP_R_32F:
    case HIP_C_32F: sums = HIPBLAS_COMPUTE_32F; return true;
    case HIP_R_64F:
    case HIP_C_64F: sums = HIPBLAS_COMPUTE_64F; return true;
    case HIP_R_32I: sums = HIPBLAS_COMPUTE_32I; return true;
    default: return false;
  }
}
}  // namespace porter::hipblas

inline hipblasStatus_t hipblasGemmEx_v2(hipblasHandle_t handle, hipblasOperation_t op_a, hipblasOperation_t op_b, int m,
                                        int n, int k, const void* alpha, const void* a, hipDataType type_a, int lda,
                                        const void* b, hipDataType type_b, int ldb, const void* beta, void* c,
                                        hipDataType type_c, int ldc, hipDataType sums, hipblasGemmAlgo_t algorithm) {
  hipblasComputeType_t compute;
  if (!porter::hipblas::computes_in(sums, compute)) return HIPBLAS_STATUS_NOT_SUPPORTED;
  return hipblasGemmEx_v2(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc,
                          compute, algorithm);
}
// hipBLAS's takes arrays of pointers to what is const; these take those of pointers to anything, as cuBLAS does.
inline hipblasStatus_t hipblasGemmBatchedEx_v2(hipblasHandle_t handle, hipblasOperation_t op_a, hipblasOperation_t op_b,
                                               int m, int n, int k, const void* alpha, const void* const a[],
                                               hipDataType type_a, int lda, const void* const b[], hipDataType type_b,
                                               int ldb, const void* beta, void* const c[], hipDataType type_c, int ldc,
                                               int batches, hipblasComputeType_t sums, hipblasGemmAlgo_t algorithm) {
  return hipblasGemmBatchedEx_v2(handle, op_a, op_b, m, n, k, alpha, const_cast<const void**>(a), type_a, lda,
                                 const_cast<const void**>(b), type_b, ldb, beta, const_cast<void**>(c), type_c, ldc,
                                 batches, sums, algorithm);
}
inline hipblasStatus_t hipblasGemmBatchedEx_v2(hipblasHandle_t handle, hipblasOperation_t op_a, hipblasOperation_t op_b,
                                               int m, int n, int k, const void* alpha, const void* const a[],
                                               hipDataType type_a, int lda, const void* const b[], hipDataType type_b,
                                               int ldb, const void* beta, void* const c[], hipDataType type_c, int ldc,
                                               int batches, hipDataType sums, hipblasGemmAlgo_t algorithm) {
  hipblasComputeType_t compute;
  if (!porter::hipblas::computes_in(sums, compute)) return HIPBLAS_STATUS_NOT_SUPPORTED;
  return hipblasGemmBatchedEx_v2(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c,
                                 ldc, batches, compute, algorithm);
}
inline hipblasStatus_t hipblasGemmStridedBatchedEx_v2(
    hipblasHandle_t handle, hipblasOperation_t op_a, hipblasOperation_t op_b, int m, int n, int k, const void* alpha,
    const void* a, hipDataType type_a, int lda, long long stride_a, const void* b, hipDataType type_b, int ldb,
    long long stride_b, const void* beta, void* c, hipDataType type_c, int ldc, long long stride_c, int batches,
    hipDataType sums, hipblasGemmAlgo_t algorithm) {
  hipblasComputeType_t compute;
  if (!porter::hipblas::computes_in(sums, compute)) return HIPBLAS_STATUS_NOT_SUPPORTED;
  return hipblasGemmStridedBatchedEx_v2(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, stride_a, b, type_b, ldb,
                                        stride_b, beta, c, type_c, ldc, stride_c, batches, compute, algorithm);
}

// A half of hipBLAS's is a number of 16 bits, unless HIPBLAS_USE_HIP_HALF is defined before its header.
#if !defined(HIPBLAS_USE_HIP_HALF)
#include <hip/hip_fp16.h>
#include <stdint.h>

#define PORTER_HALVES(p) reinterpret_cast<const hipblasHalf*>(p)
#define PORTER_HGEMM(suffix, Int)                                                                                      \
  inline hipblasStatus_t hipblasHgemm##suffix(hipblasHandle_t handle, hipblasOperation_t op_a, hipblasOperation_t op_b, \
                                              Int m, Int n, Int k, const __half* alpha, const __half* a, Int lda,      \
                                              const __half* b, Int ldb, const __half* beta, __half* c, Int ldc) {      \
    return hipblasHgemm##suffix(handle, op_a, op_b, m, n, k, PORTER_HALVES(alpha), PORTER_HALVES(a), lda,              \
                                PORTER_HALVES(b), ldb, PORTER_HALVES(beta), reinterpret_cast<hipblasHalf*>(c), ldc);   \
  }                                                                                                                    \
  inline hipblasStatus_t hipblasHgemmStridedBatched##suffix(                                                           \
      hipblasHandle_t handle, hipblasOperation_t op_a, hipblasOperation_t op_b, Int m, Int n, Int k,                   \
      const __half* alpha, const __half* a, Int lda, long long stride_a, const __half* b, Int ldb, long long stride_b, \
      const __half* beta, __half* c, Int ldc, long long stride_c, Int batches) {                                       \
    return hipblasHgemmStridedBatched##suffix(handle, op_a, op_b, m, n, k, PORTER_HALVES(alpha), PORTER_HALVES(a),     \
                                              lda, stride_a, PORTER_HALVES(b), ldb, stride_b, PORTER_HALVES(beta),     \
                                              reinterpret_cast<hipblasHalf*>(c), ldc, stride_c, batches);              \
  }                                                                                                                    \
  inline hipblasStatus_t hipblasHgemmBatched##suffix(                                                                  \
      hipblasHandle_t handle, hipblasOperation_t op_a, hipblasOperation_t op_b, Int m, Int n, Int k,                   \
      const __half* alpha, const __half* const a[], Int lda, const __half* const b[], Int ldb, const __half* beta,     \
      __half* const c[], Int ldc, Int batches) {                                                                       \
    return hipblasHgemmBatched##suffix(                                                                                \
        handle, op_a, op_b, m, n, k, PORTER_HALVES(alpha), reinterpret_cast<const hipblasHalf* const*>(a), lda,        \
        reinterpret_cast<const hipblasHalf* const*>(b), ldb, PORTER_HALVES(beta),                                      \
        reinterpret_cast<hipblasHalf* const*>(c), ldc, batches);                                                       \
  }
PORTER_HGEMM(, int)
#if (hipblasVersionMajor > 2 || hipblasVersionMinor >= 2) && !defined(PORTER_HIPBLAS)
PORTER_HGEMM(_64, int64_t)
#endif
#undef PORTER_HGEMM
#undef PORTER_HALVES
#endif

#endif  // PORTER_HIPBLAS_H
