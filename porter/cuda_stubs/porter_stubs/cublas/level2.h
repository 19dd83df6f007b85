// porter stub headers: cuBLAS, level 2
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include "types.h"

extern "C" {
cublasStatus_t cublasCgbmv(cublasHandle_t, cublasOperation_t, int, int, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCgbmv_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *,
    int64_t);
cublasStatus_t cublasCgbmv_v2(cublasHandle_t, cublasOperation_t, int, int, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCgbmv_v2_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, int64_t, int64_t,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *,
    int64_t);
cublasStatus_t cublasCgemv(cublasHandle_t, cublasOperation_t, int, int, const cuComplex *, const cuComplex *,
    int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCgemv_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, const cuComplex *,
    const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCgemv_v2(cublasHandle_t, cublasOperation_t, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCgemv_v2_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, const cuComplex *,
    const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCgerc(cublasHandle_t, int, int, const cuComplex *, const cuComplex *, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCgerc_64(cublasHandle_t, int64_t, int64_t, const cuComplex *, const cuComplex *, int64_t,
    const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCgerc_v2(cublasHandle_t, int, int, const cuComplex *, const cuComplex *, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCgerc_v2_64(cublasHandle_t, int64_t, int64_t, const cuComplex *, const cuComplex *,
    int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCgeru(cublasHandle_t, int, int, const cuComplex *, const cuComplex *, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCgeru_64(cublasHandle_t, int64_t, int64_t, const cuComplex *, const cuComplex *, int64_t,
    const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCgeru_v2(cublasHandle_t, int, int, const cuComplex *, const cuComplex *, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCgeru_v2_64(cublasHandle_t, int64_t, int64_t, const cuComplex *, const cuComplex *,
    int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasChbmv(cublasHandle_t, cublasFillMode_t, int, int, const cuComplex *, const cuComplex *,
    int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasChbmv_64(cublasHandle_t, cublasFillMode_t, int64_t, int64_t, const cuComplex *,
    const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasChbmv_v2(cublasHandle_t, cublasFillMode_t, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasChbmv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, int64_t, const cuComplex *,
    const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasChemv(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *, int,
    const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasChemv_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *, const cuComplex *,
    int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasChemv_v2(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *,
    int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasChemv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *,
    const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCher(cublasHandle_t, cublasFillMode_t, int, const float *, const cuComplex *, int,
    cuComplex *, int);
cublasStatus_t cublasCher2(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCher2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *, const cuComplex *,
    int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCher2_v2(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *,
    int, const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCher2_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *,
    const cuComplex *, int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCher_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const cuComplex *,
    int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCher_v2(cublasHandle_t, cublasFillMode_t, int, const float *, const cuComplex *, int,
    cuComplex *, int);
cublasStatus_t cublasCher_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const cuComplex *,
    int64_t, cuComplex *, int64_t);
cublasStatus_t cublasChpmv(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *,
    const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasChpmv_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *, const cuComplex *,
    const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasChpmv_v2(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *,
    const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasChpmv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *,
    const cuComplex *, const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasChpr(cublasHandle_t, cublasFillMode_t, int, const float *, const cuComplex *, int,
    cuComplex *);
cublasStatus_t cublasChpr2(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *, int,
    const cuComplex *, int, cuComplex *);
cublasStatus_t cublasChpr2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *, const cuComplex *,
    int64_t, const cuComplex *, int64_t, cuComplex *);
cublasStatus_t cublasChpr2_v2(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *,
    int, const cuComplex *, int, cuComplex *);
cublasStatus_t cublasChpr2_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *,
    const cuComplex *, int64_t, const cuComplex *, int64_t, cuComplex *);
cublasStatus_t cublasChpr_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const cuComplex *,
    int64_t, cuComplex *);
cublasStatus_t cublasChpr_v2(cublasHandle_t, cublasFillMode_t, int, const float *, const cuComplex *, int,
    cuComplex *);
cublasStatus_t cublasChpr_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const cuComplex *,
    int64_t, cuComplex *);
cublasStatus_t cublasCsymv(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *, int,
    const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCsymv_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *, const cuComplex *,
    int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCsymv_v2(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *,
    int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCsymv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *,
    const cuComplex *, int64_t, const cuComplex *, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCsyr(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *, int,
    cuComplex *, int);
cublasStatus_t cublasCsyr2(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCsyr2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *, const cuComplex *,
    int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCsyr2_v2(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *,
    int, const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCsyr2_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *,
    const cuComplex *, int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCsyr_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *, const cuComplex *,
    int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCsyr_v2(cublasHandle_t, cublasFillMode_t, int, const cuComplex *, const cuComplex *, int,
    cuComplex *, int);
cublasStatus_t cublasCsyr_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuComplex *,
    const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCtbmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCtbmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCtbmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCtbmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCtbsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCtbsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCtbsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCtbsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCtpmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCtpmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCtpmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCtpmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCtpsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCtpsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCtpsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCtpsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCtrmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCtrmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCtrmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCtrmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCtrsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCtrsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCtrsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCtrsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasDgbmv(cublasHandle_t, cublasOperation_t, int, int, int, int, const double *,
    const double *, int, const double *, int, const double *, double *, int);
cublasStatus_t cublasDgbmv_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, int64_t, int64_t,
    const double *, const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDgbmv_v2(cublasHandle_t, cublasOperation_t, int, int, int, int, const double *,
    const double *, int, const double *, int, const double *, double *, int);
cublasStatus_t cublasDgbmv_v2_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, int64_t, int64_t,
    const double *, const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDgemv(cublasHandle_t, cublasOperation_t, int, int, const double *, const double *, int,
    const double *, int, const double *, double *, int);
cublasStatus_t cublasDgemv_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, const double *,
    const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDgemv_v2(cublasHandle_t, cublasOperation_t, int, int, const double *, const double *,
    int, const double *, int, const double *, double *, int);
cublasStatus_t cublasDgemv_v2_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, const double *,
    const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDger(cublasHandle_t, int, int, const double *, const double *, int, const double *, int,
    double *, int);
cublasStatus_t cublasDger_64(cublasHandle_t, int64_t, int64_t, const double *, const double *, int64_t,
    const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDger_v2(cublasHandle_t, int, int, const double *, const double *, int, const double *,
    int, double *, int);
cublasStatus_t cublasDger_v2_64(cublasHandle_t, int64_t, int64_t, const double *, const double *, int64_t,
    const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDsbmv(cublasHandle_t, cublasFillMode_t, int, int, const double *, const double *, int,
    const double *, int, const double *, double *, int);
cublasStatus_t cublasDsbmv_64(cublasHandle_t, cublasFillMode_t, int64_t, int64_t, const double *,
    const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDsbmv_v2(cublasHandle_t, cublasFillMode_t, int, int, const double *, const double *, int,
    const double *, int, const double *, double *, int);
cublasStatus_t cublasDsbmv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, int64_t, const double *,
    const double *, int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDspmv(cublasHandle_t, cublasFillMode_t, int, const double *, const double *,
    const double *, int, const double *, double *, int);
cublasStatus_t cublasDspmv_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDspmv_v2(cublasHandle_t, cublasFillMode_t, int, const double *, const double *,
    const double *, int, const double *, double *, int);
cublasStatus_t cublasDspmv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDspr(cublasHandle_t, cublasFillMode_t, int, const double *, const double *, int,
    double *);
cublasStatus_t cublasDspr2(cublasHandle_t, cublasFillMode_t, int, const double *, const double *, int,
    const double *, int, double *);
cublasStatus_t cublasDspr2_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    int64_t, const double *, int64_t, double *);
cublasStatus_t cublasDspr2_v2(cublasHandle_t, cublasFillMode_t, int, const double *, const double *, int,
    const double *, int, double *);
cublasStatus_t cublasDspr2_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    int64_t, const double *, int64_t, double *);
cublasStatus_t cublasDspr_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    int64_t, double *);
cublasStatus_t cublasDspr_v2(cublasHandle_t, cublasFillMode_t, int, const double *, const double *, int,
    double *);
cublasStatus_t cublasDspr_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    int64_t, double *);
cublasStatus_t cublasDsymv(cublasHandle_t, cublasFillMode_t, int, const double *, const double *, int,
    const double *, int, const double *, double *, int);
cublasStatus_t cublasDsymv_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDsymv_v2(cublasHandle_t, cublasFillMode_t, int, const double *, const double *, int,
    const double *, int, const double *, double *, int);
cublasStatus_t cublasDsymv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    int64_t, const double *, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDsyr(cublasHandle_t, cublasFillMode_t, int, const double *, const double *, int,
    double *, int);
cublasStatus_t cublasDsyr2(cublasHandle_t, cublasFillMode_t, int, const double *, const double *, int,
    const double *, int, double *, int);
cublasStatus_t cublasDsyr2_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    int64_t, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDsyr2_v2(cublasHandle_t, cublasFillMode_t, int, const double *, const double *, int,
    const double *, int, double *, int);
cublasStatus_t cublasDsyr2_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    int64_t, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDsyr_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    int64_t, double *, int64_t);
cublasStatus_t cublasDsyr_v2(cublasHandle_t, cublasFillMode_t, int, const double *, const double *, int,
    double *, int);
cublasStatus_t cublasDsyr_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *, const double *,
    int64_t, double *, int64_t);
cublasStatus_t cublasDtbmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const double *, int, double *, int);
cublasStatus_t cublasDtbmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    int64_t, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDtbmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const double *, int, double *, int);
cublasStatus_t cublasDtbmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, int64_t, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDtbsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const double *, int, double *, int);
cublasStatus_t cublasDtbsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    int64_t, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDtbsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const double *, int, double *, int);
cublasStatus_t cublasDtbsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, int64_t, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDtpmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const double *, double *, int);
cublasStatus_t cublasDtpmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const double *, double *, int64_t);
cublasStatus_t cublasDtpmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const double *, double *, int);
cublasStatus_t cublasDtpmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDtpsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const double *, double *, int);
cublasStatus_t cublasDtpsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const double *, double *, int64_t);
cublasStatus_t cublasDtpsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const double *, double *, int);
cublasStatus_t cublasDtpsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDtrmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const double *, int, double *, int);
cublasStatus_t cublasDtrmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDtrmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const double *, int, double *, int);
cublasStatus_t cublasDtrmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDtrsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const double *, int, double *, int);
cublasStatus_t cublasDtrsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDtrsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const double *, int, double *, int);
cublasStatus_t cublasDtrsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasSgbmv(cublasHandle_t, cublasOperation_t, int, int, int, int, const float *,
    const float *, int, const float *, int, const float *, float *, int);
cublasStatus_t cublasSgbmv_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, int64_t, int64_t,
    const float *, const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSgbmv_v2(cublasHandle_t, cublasOperation_t, int, int, int, int, const float *,
    const float *, int, const float *, int, const float *, float *, int);
cublasStatus_t cublasSgbmv_v2_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, int64_t, int64_t,
    const float *, const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSgemv(cublasHandle_t, cublasOperation_t, int, int, const float *, const float *, int,
    const float *, int, const float *, float *, int);
cublasStatus_t cublasSgemv_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, const float *,
    const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSgemv_v2(cublasHandle_t, cublasOperation_t, int, int, const float *, const float *, int,
    const float *, int, const float *, float *, int);
cublasStatus_t cublasSgemv_v2_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, const float *,
    const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSger(cublasHandle_t, int, int, const float *, const float *, int, const float *, int,
    float *, int);
cublasStatus_t cublasSger_64(cublasHandle_t, int64_t, int64_t, const float *, const float *, int64_t,
    const float *, int64_t, float *, int64_t);
cublasStatus_t cublasSger_v2(cublasHandle_t, int, int, const float *, const float *, int, const float *, int,
    float *, int);
cublasStatus_t cublasSger_v2_64(cublasHandle_t, int64_t, int64_t, const float *, const float *, int64_t,
    const float *, int64_t, float *, int64_t);
cublasStatus_t cublasSsbmv(cublasHandle_t, cublasFillMode_t, int, int, const float *, const float *, int,
    const float *, int, const float *, float *, int);
cublasStatus_t cublasSsbmv_64(cublasHandle_t, cublasFillMode_t, int64_t, int64_t, const float *,
    const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSsbmv_v2(cublasHandle_t, cublasFillMode_t, int, int, const float *, const float *, int,
    const float *, int, const float *, float *, int);
cublasStatus_t cublasSsbmv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, int64_t, const float *,
    const float *, int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSspmv(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, const float *,
    int, const float *, float *, int);
cublasStatus_t cublasSspmv_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *,
    const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSspmv_v2(cublasHandle_t, cublasFillMode_t, int, const float *, const float *,
    const float *, int, const float *, float *, int);
cublasStatus_t cublasSspmv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *,
    const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSspr(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, int, float *);
cublasStatus_t cublasSspr2(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, int,
    const float *, int, float *);
cublasStatus_t cublasSspr2_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *,
    int64_t, const float *, int64_t, float *);
cublasStatus_t cublasSspr2_v2(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, int,
    const float *, int, float *);
cublasStatus_t cublasSspr2_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *,
    int64_t, const float *, int64_t, float *);
cublasStatus_t cublasSspr_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *, int64_t,
    float *);
cublasStatus_t cublasSspr_v2(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, int,
    float *);
cublasStatus_t cublasSspr_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *,
    int64_t, float *);
cublasStatus_t cublasSsymv(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, int,
    const float *, int, const float *, float *, int);
cublasStatus_t cublasSsymv_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *,
    int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSsymv_v2(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, int,
    const float *, int, const float *, float *, int);
cublasStatus_t cublasSsymv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *,
    int64_t, const float *, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSsyr(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, int, float *,
    int);
cublasStatus_t cublasSsyr2(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, int,
    const float *, int, float *, int);
cublasStatus_t cublasSsyr2_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *,
    int64_t, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasSsyr2_v2(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, int,
    const float *, int, float *, int);
cublasStatus_t cublasSsyr2_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *,
    int64_t, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasSsyr_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *, int64_t,
    float *, int64_t);
cublasStatus_t cublasSsyr_v2(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, int,
    float *, int);
cublasStatus_t cublasSsyr_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const float *, const float *,
    int64_t, float *, int64_t);
cublasStatus_t cublasStbmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const float *, int, float *, int);
cublasStatus_t cublasStbmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    int64_t, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasStbmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const float *, int, float *, int);
cublasStatus_t cublasStbmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, int64_t, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasStbsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const float *, int, float *, int);
cublasStatus_t cublasStbsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    int64_t, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasStbsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const float *, int, float *, int);
cublasStatus_t cublasStbsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, int64_t, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasStpmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const float *, float *, int);
cublasStatus_t cublasStpmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const float *, float *, int64_t);
cublasStatus_t cublasStpmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const float *, float *, int);
cublasStatus_t cublasStpmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const float *, float *, int64_t);
cublasStatus_t cublasStpsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const float *, float *, int);
cublasStatus_t cublasStpsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const float *, float *, int64_t);
cublasStatus_t cublasStpsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const float *, float *, int);
cublasStatus_t cublasStpsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const float *, float *, int64_t);
cublasStatus_t cublasStrmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const float *, int, float *, int);
cublasStatus_t cublasStrmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const float *, int64_t, float *, int64_t);
cublasStatus_t cublasStrmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const float *, int, float *, int);
cublasStatus_t cublasStrmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasStrsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const float *, int, float *, int);
cublasStatus_t cublasStrsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const float *, int64_t, float *, int64_t);
cublasStatus_t cublasStrsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const float *, int, float *, int);
cublasStatus_t cublasStrsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasZgbmv(cublasHandle_t, cublasOperation_t, int, int, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *,
    int);
cublasStatus_t cublasZgbmv_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZgbmv_v2(cublasHandle_t, cublasOperation_t, int, int, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *,
    int);
cublasStatus_t cublasZgbmv_v2_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, int64_t, int64_t,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZgemv(cublasHandle_t, cublasOperation_t, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *,
    int);
cublasStatus_t cublasZgemv_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, const cuDoubleComplex *,
    cuDoubleComplex *, int64_t);
cublasStatus_t cublasZgemv_v2(cublasHandle_t, cublasOperation_t, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *,
    int);
cublasStatus_t cublasZgemv_v2_64(cublasHandle_t, cublasOperation_t, int64_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, const cuDoubleComplex *,
    cuDoubleComplex *, int64_t);
cublasStatus_t cublasZgerc(cublasHandle_t, int, int, const cuDoubleComplex *, const cuDoubleComplex *, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZgerc_64(cublasHandle_t, int64_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZgerc_v2(cublasHandle_t, int, int, const cuDoubleComplex *, const cuDoubleComplex *, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZgerc_v2_64(cublasHandle_t, int64_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZgeru(cublasHandle_t, int, int, const cuDoubleComplex *, const cuDoubleComplex *, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZgeru_64(cublasHandle_t, int64_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZgeru_v2(cublasHandle_t, int, int, const cuDoubleComplex *, const cuDoubleComplex *, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZgeru_v2_64(cublasHandle_t, int64_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZhbmv(cublasHandle_t, cublasFillMode_t, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *,
    int);
cublasStatus_t cublasZhbmv_64(cublasHandle_t, cublasFillMode_t, int64_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, const cuDoubleComplex *,
    cuDoubleComplex *, int64_t);
cublasStatus_t cublasZhbmv_v2(cublasHandle_t, cublasFillMode_t, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *,
    int);
cublasStatus_t cublasZhbmv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, const cuDoubleComplex *,
    cuDoubleComplex *, int64_t);
cublasStatus_t cublasZhemv(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *,
    int);
cublasStatus_t cublasZhemv_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, const cuDoubleComplex *,
    cuDoubleComplex *, int64_t);
cublasStatus_t cublasZhemv_v2(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *,
    int);
cublasStatus_t cublasZhemv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, const cuDoubleComplex *,
    cuDoubleComplex *, int64_t);
cublasStatus_t cublasZher(cublasHandle_t, cublasFillMode_t, int, const double *, const cuDoubleComplex *, int,
    cuDoubleComplex *, int);
cublasStatus_t cublasZher2(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZher2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZher2_v2(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZher2_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZher_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZher_v2(cublasHandle_t, cublasFillMode_t, int, const double *, const cuDoubleComplex *,
    int, cuDoubleComplex *, int);
cublasStatus_t cublasZher_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZhpmv(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZhpmv_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, cuDoubleComplex *,
    int64_t);
cublasStatus_t cublasZhpmv_v2(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZhpmv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, const cuDoubleComplex *, int64_t, const cuDoubleComplex *, cuDoubleComplex *,
    int64_t);
cublasStatus_t cublasZhpr(cublasHandle_t, cublasFillMode_t, int, const double *, const cuDoubleComplex *, int,
    cuDoubleComplex *);
cublasStatus_t cublasZhpr2(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, cuDoubleComplex *);
cublasStatus_t cublasZhpr2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *);
cublasStatus_t cublasZhpr2_v2(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, cuDoubleComplex *);
cublasStatus_t cublasZhpr2_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *);
cublasStatus_t cublasZhpr_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *);
cublasStatus_t cublasZhpr_v2(cublasHandle_t, cublasFillMode_t, int, const double *, const cuDoubleComplex *,
    int, cuDoubleComplex *);
cublasStatus_t cublasZhpr_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const double *,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *);
cublasStatus_t cublasZsymv(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *,
    int);
cublasStatus_t cublasZsymv_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, const cuDoubleComplex *,
    cuDoubleComplex *, int64_t);
cublasStatus_t cublasZsymv_v2(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *,
    int);
cublasStatus_t cublasZsymv_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, const cuDoubleComplex *,
    cuDoubleComplex *, int64_t);
cublasStatus_t cublasZsyr(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZsyr2(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZsyr2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZsyr2_v2(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZsyr2_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZsyr_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZsyr_v2(cublasHandle_t, cublasFillMode_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZsyr_v2_64(cublasHandle_t, cublasFillMode_t, int64_t, const cuDoubleComplex *,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtbmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZtbmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtbmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZtbmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtbsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZtbsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtbsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZtbsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtpmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZtpmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtpmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZtpmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtpsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZtpsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtpsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZtpsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtrmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZtrmv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtrmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZtrmv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtrsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZtrsv_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZtrsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
    const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZtrsv_v2_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
    int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t);
}
