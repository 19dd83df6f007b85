// porter stub headers: cuBLAS, batched, mixed precision and extended routines
#pragma once
#include "types.h"

extern "C" {
#define PORTER_ROUTINES "cublas/extensions.inc"
#include "each_size.inc"
#undef PORTER_ROUTINES
cublasStatus_t cublasAsumEx(cublasHandle_t, int, const void *, cudaDataType, int, void *, cudaDataType, cudaDataType);
cublasStatus_t cublasAsumEx_64(cublasHandle_t, int64_t, const void *, cudaDataType, int64_t, void *, cudaDataType,
    cudaDataType);
cublasStatus_t cublasAxpyEx(cublasHandle_t, int, const void *, cudaDataType, const void *, cudaDataType, int, void *,
    cudaDataType, int, cudaDataType);
cublasStatus_t cublasAxpyEx_64(cublasHandle_t, int64_t, const void *, cudaDataType, const void *, cudaDataType, int64_t,
    void *, cudaDataType, int64_t, cudaDataType);
cublasStatus_t cublasCgelsBatched(cublasHandle_t, cublasOperation_t, int, int, int, cuComplex *const *, int,
    cuComplex *const *, int, int *, int *, int);
cublasStatus_t cublasCgemm3mBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const cuComplex *, const cuComplex *const *, int, const cuComplex *const *, int, const cuComplex *,
    cuComplex *const *, int, int);
cublasStatus_t cublasCgemm3mBatched_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *const *, int64_t, const cuComplex *const *, int64_t, const cuComplex *,
    cuComplex *const *, int64_t, int64_t);
cublasStatus_t cublasCgemm3mEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const cuComplex *,
    const void *, cudaDataType, int, const void *, cudaDataType, int, const cuComplex *, void *, cudaDataType, int);
cublasStatus_t cublasCgemm3mEx_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const cuComplex *, const void *, cudaDataType, int64_t, const void *, cudaDataType, int64_t, const cuComplex *,
    void *, cudaDataType, int64_t);
cublasStatus_t cublasCgemm3mStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const cuComplex *, const cuComplex *, int, long long, const cuComplex *, int, long long, const cuComplex *,
    cuComplex *, int, long long, int);
cublasStatus_t cublasCgemm3mStridedBatched_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t,
    int64_t, const cuComplex *, const cuComplex *, int64_t, long long, const cuComplex *, int64_t, long long,
    const cuComplex *, cuComplex *, int64_t, long long, int64_t);
cublasStatus_t cublasCgemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const cuComplex *,
    const void *, cudaDataType, int, const void *, cudaDataType, int, const cuComplex *, void *, cudaDataType, int);
cublasStatus_t cublasCgemmEx_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const cuComplex *, const void *, cudaDataType, int64_t, const void *, cudaDataType, int64_t, const cuComplex *,
    void *, cudaDataType, int64_t);
cublasStatus_t cublasCgeqrfBatched(cublasHandle_t, int, int, cuComplex *const *, int, cuComplex *const *, int *, int);
cublasStatus_t cublasCgetrfBatched(cublasHandle_t, int, cuComplex *const *, int, int *, int *, int);
cublasStatus_t cublasCgetriBatched(cublasHandle_t, int, const cuComplex *const *, int, const int *, cuComplex *const *,
    int, int *, int);
cublasStatus_t cublasCgetrsBatched(cublasHandle_t, cublasOperation_t, int, int, const cuComplex *const *, int,
    const int *, cuComplex *const *, int, int *, int);
cublasStatus_t cublasCherk3mEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *,
    const void *, cudaDataType, int, const float *, void *, cudaDataType, int);
cublasStatus_t cublasCherk3mEx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t, const float *,
    const void *, cudaDataType, int64_t, const float *, void *, cudaDataType, int64_t);
cublasStatus_t cublasCherkEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *, const void *,
    cudaDataType, int, const float *, void *, cudaDataType, int);
cublasStatus_t cublasCherkEx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t, const float *,
    const void *, cudaDataType, int64_t, const float *, void *, cudaDataType, int64_t);
cublasStatus_t cublasCmatinvBatched(cublasHandle_t, int, const cuComplex *const *, int, cuComplex *const *, int, int *,
    int);
cublasStatus_t cublasCopyEx(cublasHandle_t, int, const void *, cudaDataType, int, void *, cudaDataType, int);
cublasStatus_t cublasCopyEx_64(cublasHandle_t, int64_t, const void *, cudaDataType, int64_t, void *, cudaDataType,
    int64_t);
cublasStatus_t cublasCsyrk3mEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const cuComplex *,
    const void *, cudaDataType, int, const cuComplex *, void *, cudaDataType, int);
cublasStatus_t cublasCsyrk3mEx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const void *, cudaDataType, int64_t, const cuComplex *, void *, cudaDataType, int64_t);
cublasStatus_t cublasCsyrkEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const cuComplex *,
    const void *, cudaDataType, int, const cuComplex *, void *, cudaDataType, int);
cublasStatus_t cublasCsyrkEx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const void *, cudaDataType, int64_t, const cuComplex *, void *, cudaDataType, int64_t);
cublasStatus_t cublasCtpttr(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCtrttp(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, int, cuComplex *);
cublasStatus_t cublasDgelsBatched(cublasHandle_t, cublasOperation_t, int, int, int, double *const *, int,
    double *const *, int, int *, int *, int);
cublasStatus_t cublasDgeqrfBatched(cublasHandle_t, int, int, double *const *, int, double *const *, int *, int);
cublasStatus_t cublasDgetrfBatched(cublasHandle_t, int, double *const *, int, int *, int *, int);
cublasStatus_t cublasDgetriBatched(cublasHandle_t, int, const double *const *, int, const int *, double *const *, int,
    int *, int);
cublasStatus_t cublasDgetrsBatched(cublasHandle_t, cublasOperation_t, int, int, const double *const *, int, const int *,
    double *const *, int, int *, int);
cublasStatus_t cublasDmatinvBatched(cublasHandle_t, int, const double *const *, int, double *const *, int, int *, int);
cublasStatus_t cublasDotEx(cublasHandle_t, int, const void *, cudaDataType, int, const void *, cudaDataType, int,
    void *, cudaDataType, cudaDataType);
cublasStatus_t cublasDotEx_64(cublasHandle_t, int64_t, const void *, cudaDataType, int64_t, const void *, cudaDataType,
    int64_t, void *, cudaDataType, cudaDataType);
cublasStatus_t cublasDotcEx(cublasHandle_t, int, const void *, cudaDataType, int, const void *, cudaDataType, int,
    void *, cudaDataType, cudaDataType);
cublasStatus_t cublasDotcEx_64(cublasHandle_t, int64_t, const void *, cudaDataType, int64_t, const void *, cudaDataType,
    int64_t, void *, cudaDataType, cudaDataType);
cublasStatus_t cublasDtpttr(cublasHandle_t, cublasFillMode_t, int, const double *, double *, int);
cublasStatus_t cublasDtrttp(cublasHandle_t, cublasFillMode_t, int, const double *, int, double *);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
    const void *const *, cudaDataType, int, const void *const *, cudaDataType, int, const void *, void *const *,
    cudaDataType, int, int, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmBatchedEx_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const void *, const void *const *, cudaDataType, int64_t, const void *const *, cudaDataType, int64_t, const void *,
    void *const *, cudaDataType, int64_t, int64_t, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
    const void *, cudaDataType, int, const void *, cudaDataType, int, const void *, void *, cudaDataType, int,
    cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmEx_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const void *, const void *, cudaDataType, int64_t, const void *, cudaDataType, int64_t, const void *, void *,
    cudaDataType, int64_t, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmGroupedBatchedEx(cublasHandle_t, const cublasOperation_t *, const cublasOperation_t *,
    const int *, const int *, const int *, const void *, const void *const *, cudaDataType_t, const int *,
    const void *const *, cudaDataType_t, const int *, const void *, void *const *, cudaDataType_t, const int *, int,
    const int *, cublasComputeType_t);
cublasStatus_t cublasGemmGroupedBatchedEx_64(cublasHandle_t, const cublasOperation_t *, const cublasOperation_t *,
    const int64_t *, const int64_t *, const int64_t *, const void *, const void *const *, cudaDataType_t,
    const int64_t *, const void *const *, cudaDataType_t, const int64_t *, const void *, void *const *, cudaDataType_t,
    const int64_t *, int64_t, const int64_t *, cublasComputeType_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const void *, const void *, cudaDataType, int, long long, const void *, cudaDataType, int, long long, const void *,
    void *, cudaDataType, int, long long, int, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t,
    int64_t, const void *, const void *, cudaDataType, int64_t, long long, const void *, cudaDataType, int64_t,
    long long, const void *, void *, cudaDataType, int64_t, long long, int64_t, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasIamaxEx(cublasHandle_t, int, const void *, cudaDataType, int, int *);
cublasStatus_t cublasIamaxEx_64(cublasHandle_t, int64_t, const void *, cudaDataType, int64_t, int64_t *);
cublasStatus_t cublasIaminEx(cublasHandle_t, int, const void *, cudaDataType, int, int *);
cublasStatus_t cublasIaminEx_64(cublasHandle_t, int64_t, const void *, cudaDataType, int64_t, int64_t *);
cublasStatus_t cublasNrm2Ex(cublasHandle_t, int, const void *, cudaDataType, int, void *, cudaDataType, cudaDataType);
cublasStatus_t cublasNrm2Ex_64(cublasHandle_t, int64_t, const void *, cudaDataType, int64_t, void *, cudaDataType,
    cudaDataType);
cublasStatus_t cublasRotEx(cublasHandle_t, int, void *, cudaDataType, int, void *, cudaDataType, int, const void *,
    const void *, cudaDataType, cudaDataType);
cublasStatus_t cublasRotEx_64(cublasHandle_t, int64_t, void *, cudaDataType, int64_t, void *, cudaDataType, int64_t,
    const void *, const void *, cudaDataType, cudaDataType);
cublasStatus_t cublasRotgEx(cublasHandle_t, void *, void *, cudaDataType, void *, void *, cudaDataType, cudaDataType);
cublasStatus_t cublasRotmEx(cublasHandle_t, int, void *, cudaDataType, int, void *, cudaDataType, int, const void *,
    cudaDataType, cudaDataType);
cublasStatus_t cublasRotmEx_64(cublasHandle_t, int64_t, void *, cudaDataType, int64_t, void *, cudaDataType, int64_t,
    const void *, cudaDataType, cudaDataType);
cublasStatus_t cublasRotmgEx(cublasHandle_t, void *, cudaDataType, void *, cudaDataType, void *, cudaDataType,
    const void *, cudaDataType, void *, cudaDataType, cudaDataType);
cublasStatus_t cublasScalEx(cublasHandle_t, int, const void *, cudaDataType, void *, cudaDataType, int, cudaDataType);
cublasStatus_t cublasScalEx_64(cublasHandle_t, int64_t, const void *, cudaDataType, void *, cudaDataType, int64_t,
    cudaDataType);
cublasStatus_t cublasSgelsBatched(cublasHandle_t, cublasOperation_t, int, int, int, float *const *, int, float *const *,
    int, int *, int *, int);
cublasStatus_t cublasSgemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const float *,
    const void *, cudaDataType, int, const void *, cudaDataType, int, const float *, void *, cudaDataType, int);
cublasStatus_t cublasSgemmEx_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const float *, const void *, cudaDataType, int64_t, const void *, cudaDataType, int64_t, const float *, void *,
    cudaDataType, int64_t);
cublasStatus_t cublasSgeqrfBatched(cublasHandle_t, int, int, float *const *, int, float *const *, int *, int);
cublasStatus_t cublasSgetrfBatched(cublasHandle_t, int, float *const *, int, int *, int *, int);
cublasStatus_t cublasSgetriBatched(cublasHandle_t, int, const float *const *, int, const int *, float *const *, int,
    int *, int);
cublasStatus_t cublasSgetrsBatched(cublasHandle_t, cublasOperation_t, int, int, const float *const *, int, const int *,
    float *const *, int, int *, int);
cublasStatus_t cublasSmatinvBatched(cublasHandle_t, int, const float *const *, int, float *const *, int, int *, int);
cublasStatus_t cublasStpttr(cublasHandle_t, cublasFillMode_t, int, const float *, float *, int);
cublasStatus_t cublasStrttp(cublasHandle_t, cublasFillMode_t, int, const float *, int, float *);
cublasStatus_t cublasSwapEx(cublasHandle_t, int, void *, cudaDataType, int, void *, cudaDataType, int);
cublasStatus_t cublasSwapEx_64(cublasHandle_t, int64_t, void *, cudaDataType, int64_t, void *, cudaDataType, int64_t);
cublasStatus_t cublasZgelsBatched(cublasHandle_t, cublasOperation_t, int, int, int, cuDoubleComplex *const *, int,
    cuDoubleComplex *const *, int, int *, int *, int);
cublasStatus_t cublasZgeqrfBatched(cublasHandle_t, int, int, cuDoubleComplex *const *, int, cuDoubleComplex *const *,
    int *, int);
cublasStatus_t cublasZgetrfBatched(cublasHandle_t, int, cuDoubleComplex *const *, int, int *, int *, int);
cublasStatus_t cublasZgetriBatched(cublasHandle_t, int, const cuDoubleComplex *const *, int, const int *,
    cuDoubleComplex *const *, int, int *, int);
cublasStatus_t cublasZgetrsBatched(cublasHandle_t, cublasOperation_t, int, int, const cuDoubleComplex *const *, int,
    const int *, cuDoubleComplex *const *, int, int *, int);
cublasStatus_t cublasZmatinvBatched(cublasHandle_t, int, const cuDoubleComplex *const *, int, cuDoubleComplex *const *,
    int, int *, int);
cublasStatus_t cublasZtpttr(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZtrttp(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *, int, cuDoubleComplex *);
}

#ifdef __cplusplus
// The type of the sums by a type of data, as before cuBLAS 11.
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
    const void *const *, cudaDataType, int, const void *const *, cudaDataType, int, const void *, void *const *,
    cudaDataType, int, int, cudaDataType, cublasGemmAlgo_t);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
    const void *, cudaDataType, int, const void *, cudaDataType, int, const void *, void *, cudaDataType, int,
    cudaDataType, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const void *, const void *, cudaDataType, int, long long, const void *, cudaDataType, int, long long, const void *,
    void *, cudaDataType, int, long long, int, cudaDataType, cublasGemmAlgo_t);
#endif
