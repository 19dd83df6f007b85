// porter stub headers: cuBLAS, routines on half precision.
#pragma once
#include "../../cuda_bf16.h"
#include "../../cuda_fp16.h"
#include "types.h"

extern "C" {
cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const __half *,
    const __half *, int, const __half *, int, const __half *, __half *, int);
cublasStatus_t cublasHgemm_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const __half *, const __half *, int64_t, const __half *, int64_t, const __half *, __half *, int64_t);
cublasStatus_t cublasHgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const __half *,
    const __half *const *, int, const __half *const *, int, const __half *, __half *const *, int, int);
cublasStatus_t cublasHgemmBatched_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const __half *, const __half *const *, int64_t, const __half *const *, int64_t, const __half *, __half *const *,
    int64_t, int64_t);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const __half *, const __half *, int, long long, const __half *, int, long long, const __half *, __half *, int,
    long long, int);
cublasStatus_t cublasHgemmStridedBatched_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t,
    int64_t, const __half *, const __half *, int64_t, long long, const __half *, int64_t, long long, const __half *,
    __half *, int64_t, long long, int64_t);
cublasStatus_t cublasHSHgemvBatched(cublasHandle_t, cublasOperation_t, int, int, const float *, const __half *const *,
    int, const __half *const *, int, const float *, __half *const *, int, int);
cublasStatus_t cublasHSSgemvBatched(cublasHandle_t, cublasOperation_t, int, int, const float *, const __half *const *,
    int, const __half *const *, int, const float *, float *const *, int, int);
cublasStatus_t cublasTSTgemvBatched(cublasHandle_t, cublasOperation_t, int, int, const float *,
    const __nv_bfloat16 *const *, int, const __nv_bfloat16 *const *, int, const float *, __nv_bfloat16 *const *, int,
    int);
cublasStatus_t cublasTSSgemvBatched(cublasHandle_t, cublasOperation_t, int, int, const float *,
    const __nv_bfloat16 *const *, int, const __nv_bfloat16 *const *, int, const float *, float *const *, int, int);
cublasStatus_t cublasHSHgemvStridedBatched(cublasHandle_t, cublasOperation_t, int, int, const float *, const __half *,
    int, long long, const __half *, int, long long, const float *, __half *, int, long long, int);
cublasStatus_t cublasHSSgemvStridedBatched(cublasHandle_t, cublasOperation_t, int, int, const float *, const __half *,
    int, long long, const __half *, int, long long, const float *, float *, int, long long, int);
cublasStatus_t cublasTSTgemvStridedBatched(cublasHandle_t, cublasOperation_t, int, int, const float *,
    const __nv_bfloat16 *, int, long long, const __nv_bfloat16 *, int, long long, const float *, __nv_bfloat16 *, int,
    long long, int);
cublasStatus_t cublasTSSgemvStridedBatched(cublasHandle_t, cublasOperation_t, int, int, const float *,
    const __nv_bfloat16 *, int, long long, const __nv_bfloat16 *, int, long long, const float *, float *, int,
    long long, int);
}
