// porter stub headers: cuBLAS, level 3
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include "types.h"

extern "C" {
cublasStatus_t cublasCgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const cuComplex *, const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCgemm_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *,
    int64_t);
cublasStatus_t cublasCgemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const cuComplex *, const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCgemm_v2_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t,
    int64_t, const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *,
    cuComplex *, int64_t);
cublasStatus_t cublasChemm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasChemm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *,
    int64_t);
cublasStatus_t cublasChemm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasChemm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *,
    int64_t);
cublasStatus_t cublasCher2k(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const float *, cuComplex *, int);
cublasStatus_t cublasCher2k_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const float *, cuComplex *,
    int64_t);
cublasStatus_t cublasCher2k_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
    const cuComplex *, const cuComplex *, int, const cuComplex *, int, const float *, cuComplex *, int);
cublasStatus_t cublasCher2k_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const float *, cuComplex *,
    int64_t);
cublasStatus_t cublasCherk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *,
    const cuComplex *, int, const float *, cuComplex *, int);
cublasStatus_t cublasCherk_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const float *, const cuComplex *, int64_t, const float *, cuComplex *, int64_t);
cublasStatus_t cublasCherk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *,
    const cuComplex *, int, const float *, cuComplex *, int);
cublasStatus_t cublasCherk_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const float *, const cuComplex *, int64_t, const float *, cuComplex *, int64_t);
cublasStatus_t cublasCherkx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const float *, cuComplex *, int);
cublasStatus_t cublasCherkx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const float *, cuComplex *,
    int64_t);
cublasStatus_t cublasCsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCsymm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *,
    int64_t);
cublasStatus_t cublasCsymm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCsymm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *,
    int64_t);
cublasStatus_t cublasCsyr2k(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCsyr2k_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *,
    int64_t);
cublasStatus_t cublasCsyr2k_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
    const cuComplex *, const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCsyr2k_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *,
    int64_t);
cublasStatus_t cublasCsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCsyrk_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCsyrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
    const cuComplex *, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCsyrk_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCsyrkx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCsyrkx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *,
    int64_t);
cublasStatus_t cublasCtrmm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const cuComplex *, const cuComplex *, int, const cuComplex *, int,
    cuComplex *, int);
cublasStatus_t cublasCtrmm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const cuComplex *, const cuComplex *, int64_t, const cuComplex *,
    int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCtrmm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const cuComplex *, const cuComplex *, int, const cuComplex *, int,
    cuComplex *, int);
cublasStatus_t cublasCtrmm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const cuComplex *, const cuComplex *, int64_t, const cuComplex *,
    int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCtrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const cuComplex *, const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCtrsm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const cuComplex *, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCtrsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const cuComplex *, const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCtrsm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const cuComplex *, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasDgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const double *, const double *, int, const double *, int, const double *, double *, int);
cublasStatus_t cublasDgemm_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const double *, const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDgemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const double *, const double *, int, const double *, int, const double *, double *, int);
cublasStatus_t cublasDgemm_v2_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t,
    int64_t, const double *, const double *, int64_t, const double *, int64_t, const double *, double *,
    int64_t);
cublasStatus_t cublasDsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const double *,
    const double *, int, const double *, int, const double *, double *, int);
cublasStatus_t cublasDsymm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const double *, const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDsymm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const double *,
    const double *, int, const double *, int, const double *, double *, int);
cublasStatus_t cublasDsymm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const double *, const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDsyr2k(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const double *,
    const double *, int, const double *, int, const double *, double *, int);
cublasStatus_t cublasDsyr2k_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const double *, const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDsyr2k_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const double *,
    const double *, int, const double *, int, const double *, double *, int);
cublasStatus_t cublasDsyr2k_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const double *, const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const double *,
    const double *, int, const double *, double *, int);
cublasStatus_t cublasDsyrk_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const double *, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDsyrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const double *,
    const double *, int, const double *, double *, int);
cublasStatus_t cublasDsyrk_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const double *, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDsyrkx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const double *,
    const double *, int, const double *, int, const double *, double *, int);
cublasStatus_t cublasDsyrkx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const double *, const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDtrmm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const double *, const double *, int, const double *, int, double *, int);
cublasStatus_t cublasDtrmm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const double *, const double *, int64_t, const double *, int64_t,
    double *, int64_t);
cublasStatus_t cublasDtrmm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const double *, const double *, int, const double *, int, double *, int);
cublasStatus_t cublasDtrmm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const double *, const double *, int64_t, const double *, int64_t,
    double *, int64_t);
cublasStatus_t cublasDtrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const double *, const double *, int, double *, int);
cublasStatus_t cublasDtrsm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const double *, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDtrsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const double *, const double *, int, double *, int);
cublasStatus_t cublasDtrsm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const double *, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasSgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const float *,
    const float *, int, const float *, int, const float *, float *, int);
cublasStatus_t cublasSgemm_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const float *, const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSgemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const float *, const float *, int, const float *, int, const float *, float *, int);
cublasStatus_t cublasSgemm_v2_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t,
    int64_t, const float *, const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const float *,
    const float *, int, const float *, int, const float *, float *, int);
cublasStatus_t cublasSsymm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const float *, const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSsymm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const float *,
    const float *, int, const float *, int, const float *, float *, int);
cublasStatus_t cublasSsymm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const float *, const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSsyr2k(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *,
    const float *, int, const float *, int, const float *, float *, int);
cublasStatus_t cublasSsyr2k_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const float *, const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSsyr2k_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *,
    const float *, int, const float *, int, const float *, float *, int);
cublasStatus_t cublasSsyr2k_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const float *, const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *,
    const float *, int, const float *, float *, int);
cublasStatus_t cublasSsyrk_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const float *, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSsyrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *,
    const float *, int, const float *, float *, int);
cublasStatus_t cublasSsyrk_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const float *, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSsyrkx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *,
    const float *, int, const float *, int, const float *, float *, int);
cublasStatus_t cublasSsyrkx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const float *, const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasStrmm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const float *, const float *, int, const float *, int, float *, int);
cublasStatus_t cublasStrmm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const float *, const float *, int64_t, const float *, int64_t,
    float *, int64_t);
cublasStatus_t cublasStrmm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const float *, const float *, int, const float *, int, float *, int);
cublasStatus_t cublasStrmm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const float *, const float *, int64_t, const float *, int64_t,
    float *, int64_t);
cublasStatus_t cublasStrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const float *, const float *, int, float *, int);
cublasStatus_t cublasStrsm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const float *, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasStrsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const float *, const float *, int, float *, int);
cublasStatus_t cublasStrsm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const float *, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasZgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZgemm_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZgemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZgemm_v2_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t,
    int64_t, const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZhemm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZhemm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZhemm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZhemm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZher2k(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int, const double *,
    cuDoubleComplex *, int);
cublasStatus_t cublasZher2k_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const double *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZher2k_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int, const double *,
    cuDoubleComplex *, int);
cublasStatus_t cublasZher2k_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const double *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZherk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const double *,
    const cuDoubleComplex *, int, const double *, cuDoubleComplex *, int);
cublasStatus_t cublasZherk_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const double *, const cuDoubleComplex *, int64_t, const double *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZherk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const double *,
    const cuDoubleComplex *, int, const double *, cuDoubleComplex *, int);
cublasStatus_t cublasZherk_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const double *, const cuDoubleComplex *, int64_t, const double *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZherkx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int, const double *,
    cuDoubleComplex *, int);
cublasStatus_t cublasZherkx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const double *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZsymm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZsymm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZsymm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZsyr2k(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZsyr2k_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZsyr2k_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZsyr2k_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZsyrk_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, cuDoubleComplex *,
    int64_t);
cublasStatus_t cublasZsyrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZsyrk_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, cuDoubleComplex *,
    int64_t);
cublasStatus_t cublasZsyrkx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZsyrkx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtrmm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const cuDoubleComplex *, const cuDoubleComplex *, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZtrmm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const cuDoubleComplex *, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtrmm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const cuDoubleComplex *, const cuDoubleComplex *, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZtrmm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const cuDoubleComplex *, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const cuDoubleComplex *, const cuDoubleComplex *, int, cuDoubleComplex *,
    int);
cublasStatus_t cublasZtrsm_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const cuDoubleComplex *, const cuDoubleComplex *, int64_t,
    cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtrsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const cuDoubleComplex *, const cuDoubleComplex *, int, cuDoubleComplex *,
    int);
cublasStatus_t cublasZtrsm_v2_64(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int64_t, int64_t, const cuDoubleComplex *, const cuDoubleComplex *, int64_t,
    cuDoubleComplex *, int64_t);
}
