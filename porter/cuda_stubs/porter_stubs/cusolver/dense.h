// porter stub headers: cuSOLVER, dense linear systems and the library itself
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include "types.h"

extern "C" {
cusolverStatus_t cusolverDnCCgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnCCgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t,
    void *, size_t *);
cusolverStatus_t cusolverDnCCgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnCCgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnCEgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnCEgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t,
    void *, size_t *);
cusolverStatus_t cusolverDnCEgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnCEgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnCKgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnCKgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t,
    void *, size_t *);
cusolverStatus_t cusolverDnCKgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnCKgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnCYgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnCYgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t,
    void *, size_t *);
cusolverStatus_t cusolverDnCYgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnCYgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnCgeqrf(cusolverDnHandle_t, int, int, cuComplex *, int, cuComplex *, cuComplex *,
    int, int *);
cusolverStatus_t cusolverDnCgeqrf_bufferSize(cusolverDnHandle_t, int, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgetrf(cusolverDnHandle_t, int, int, cuComplex *, int, cuComplex *, int *, int *);
cusolverStatus_t cusolverDnCgetrf_bufferSize(cusolverDnHandle_t, int, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgetrs(cusolverDnHandle_t, cublasOperation_t, int, int, const cuComplex *, int,
    const int *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnClaswp(cusolverDnHandle_t, int, cuComplex *, int, int, int, const int *, int);
cusolverStatus_t cusolverDnClauum(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int, cuComplex *,
    int, int *);
cusolverStatus_t cusolverDnClauum_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int,
    int *);
cusolverStatus_t cusolverDnCpotrf(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int, cuComplex *,
    int, int *);
cusolverStatus_t cusolverDnCpotrfBatched(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex **, int, int *,
    int);
cusolverStatus_t cusolverDnCpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int,
    int *);
cusolverStatus_t cusolverDnCpotri(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int, cuComplex *,
    int, int *);
cusolverStatus_t cusolverDnCpotri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int,
    int *);
cusolverStatus_t cusolverDnCpotrs(cusolverDnHandle_t, cublasFillMode_t, int, int, const cuComplex *, int,
    cuComplex *, int, int *);
cusolverStatus_t cusolverDnCpotrsBatched(cusolverDnHandle_t, cublasFillMode_t, int, int, cuComplex **, int,
    cuComplex **, int, int *, int);
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *);
cusolverStatus_t cusolverDnCsytrf(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int, int *,
    cuComplex *, int, int *);
cusolverStatus_t cusolverDnCsytrf_bufferSize(cusolverDnHandle_t, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCsytri(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int, const int *,
    cuComplex *, int, int *);
cusolverStatus_t cusolverDnCsytri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int,
    const int *, int *);
cusolverStatus_t cusolverDnCungqr(cusolverDnHandle_t, int, int, int, cuComplex *, int, const cuComplex *,
    cuComplex *, int, int *);
cusolverStatus_t cusolverDnCungqr_bufferSize(cusolverDnHandle_t, int, int, int, const cuComplex *, int,
    const cuComplex *, int *);
cusolverStatus_t cusolverDnCunmqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,
    const cuComplex *, int, const cuComplex *, cuComplex *, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCunmqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int,
    int, int, const cuComplex *, int, const cuComplex *, const cuComplex *, int, int *);
cusolverStatus_t cusolverDnDBgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnDBgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnDBgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnDBgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDDgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnDDgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnDDgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnDDgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDHgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnDHgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnDHgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnDHgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDSgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnDSgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnDSgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnDSgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDXgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnDXgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnDXgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnDXgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t);
cusolverStatus_t cusolverDnDgeqrf(cusolverDnHandle_t, int, int, double *, int, double *, double *, int,
    int *);
cusolverStatus_t cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t, int, int, double *, int, int *);
cusolverStatus_t cusolverDnDgetrf(cusolverDnHandle_t, int, int, double *, int, double *, int *, int *);
cusolverStatus_t cusolverDnDgetrf_bufferSize(cusolverDnHandle_t, int, int, double *, int, int *);
cusolverStatus_t cusolverDnDgetrs(cusolverDnHandle_t, cublasOperation_t, int, int, const double *, int,
    const int *, double *, int, int *);
cusolverStatus_t cusolverDnDlaswp(cusolverDnHandle_t, int, double *, int, int, int, const int *, int);
cusolverStatus_t cusolverDnDlauum(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, double *, int,
    int *);
cusolverStatus_t cusolverDnDlauum_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, int *);
cusolverStatus_t cusolverDnDorgqr(cusolverDnHandle_t, int, int, int, double *, int, const double *, double *,
    int, int *);
cusolverStatus_t cusolverDnDorgqr_bufferSize(cusolverDnHandle_t, int, int, int, const double *, int,
    const double *, int *);
cusolverStatus_t cusolverDnDormqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,
    const double *, int, const double *, double *, int, double *, int, int *);
cusolverStatus_t cusolverDnDormqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int,
    int, int, const double *, int, const double *, const double *, int, int *);
cusolverStatus_t cusolverDnDpotrf(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, double *, int,
    int *);
cusolverStatus_t cusolverDnDpotrfBatched(cusolverDnHandle_t, cublasFillMode_t, int, double **, int, int *,
    int);
cusolverStatus_t cusolverDnDpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, int *);
cusolverStatus_t cusolverDnDpotri(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, double *, int,
    int *);
cusolverStatus_t cusolverDnDpotri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, int *);
cusolverStatus_t cusolverDnDpotrs(cusolverDnHandle_t, cublasFillMode_t, int, int, const double *, int,
    double *, int, int *);
cusolverStatus_t cusolverDnDpotrsBatched(cusolverDnHandle_t, cublasFillMode_t, int, int, double **, int,
    double **, int, int *, int);
cusolverStatus_t cusolverDnDsytrf(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, int *, double *,
    int, int *);
cusolverStatus_t cusolverDnDsytrf_bufferSize(cusolverDnHandle_t, int, double *, int, int *);
cusolverStatus_t cusolverDnDsytri(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, const int *,
    double *, int, int *);
cusolverStatus_t cusolverDnDsytri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, double *, int,
    const int *, int *);
cusolverStatus_t cusolverDnGeqrf(cusolverDnHandle_t, cusolverDnParams_t, int64_t, int64_t, cudaDataType,
    void *, int64_t, cudaDataType, void *, cudaDataType, void *, size_t, int *);
cusolverStatus_t cusolverDnGeqrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t, int64_t,
    cudaDataType, const void *, int64_t, cudaDataType, const void *, cudaDataType, size_t *);
cusolverStatus_t cusolverDnGesvd(cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char, int64_t,
    int64_t, cudaDataType, void *, int64_t, cudaDataType, void *, cudaDataType, void *, int64_t, cudaDataType,
    void *, int64_t, cudaDataType, void *, size_t, int *);
cusolverStatus_t cusolverDnGesvd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char,
    int64_t, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *, cudaDataType,
    const void *, int64_t, cudaDataType, const void *, int64_t, cudaDataType, size_t *);
cusolverStatus_t cusolverDnGetEmulationStrategy(cusolverDnHandle_t, cudaEmulationStrategy_t *);
cusolverStatus_t cusolverDnGetMathMode(cusolverDnHandle_t, cusolverMathMode_t *);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t, cudaStream_t *);
cusolverStatus_t cusolverDnGetrf(cusolverDnHandle_t, cusolverDnParams_t, int64_t, int64_t, cudaDataType,
    void *, int64_t, int64_t *, cudaDataType, void *, size_t, int *);
cusolverStatus_t cusolverDnGetrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t, int64_t,
    cudaDataType, const void *, int64_t, cudaDataType, size_t *);
cusolverStatus_t cusolverDnGetrs(cusolverDnHandle_t, cusolverDnParams_t, cublasOperation_t, int64_t, int64_t,
    cudaDataType, const void *, int64_t, const int64_t *, cudaDataType, void *, int64_t, int *);
cusolverStatus_t cusolverDnPotrf(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t,
    cudaDataType, void *, int64_t, cudaDataType, void *, size_t, int *);
cusolverStatus_t cusolverDnPotrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t,
    cudaDataType, const void *, int64_t, cudaDataType, size_t *);
cusolverStatus_t cusolverDnPotrs(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t, int64_t,
    cudaDataType, const void *, int64_t, cudaDataType, void *, int64_t, int *);
cusolverStatus_t cusolverDnSBgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSBgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnSBgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *, cusolver_int_t,
    cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSBgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSHgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSHgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnSHgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *, cusolver_int_t,
    cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSHgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSSgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSSgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnSSgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *, cusolver_int_t,
    cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSSgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSXgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSXgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnSXgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *, cusolver_int_t,
    cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSXgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSetEmulationStrategy(cusolverDnHandle_t, cudaEmulationStrategy_t);
cusolverStatus_t cusolverDnSetMathMode(cusolverDnHandle_t, cusolverMathMode_t);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t, cudaStream_t);
cusolverStatus_t cusolverDnSgeqrf(cusolverDnHandle_t, int, int, float *, int, float *, float *, int, int *);
cusolverStatus_t cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t, int, int, float *, int, int *);
cusolverStatus_t cusolverDnSgetrf(cusolverDnHandle_t, int, int, float *, int, float *, int *, int *);
cusolverStatus_t cusolverDnSgetrf_bufferSize(cusolverDnHandle_t, int, int, float *, int, int *);
cusolverStatus_t cusolverDnSgetrs(cusolverDnHandle_t, cublasOperation_t, int, int, const float *, int,
    const int *, float *, int, int *);
cusolverStatus_t cusolverDnSlaswp(cusolverDnHandle_t, int, float *, int, int, int, const int *, int);
cusolverStatus_t cusolverDnSlauum(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, float *, int,
    int *);
cusolverStatus_t cusolverDnSlauum_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, int *);
cusolverStatus_t cusolverDnSorgqr(cusolverDnHandle_t, int, int, int, float *, int, const float *, float *,
    int, int *);
cusolverStatus_t cusolverDnSorgqr_bufferSize(cusolverDnHandle_t, int, int, int, const float *, int,
    const float *, int *);
cusolverStatus_t cusolverDnSormqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,
    const float *, int, const float *, float *, int, float *, int, int *);
cusolverStatus_t cusolverDnSormqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int,
    int, int, const float *, int, const float *, const float *, int, int *);
cusolverStatus_t cusolverDnSpotrf(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, float *, int,
    int *);
cusolverStatus_t cusolverDnSpotrfBatched(cusolverDnHandle_t, cublasFillMode_t, int, float **, int, int *,
    int);
cusolverStatus_t cusolverDnSpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, int *);
cusolverStatus_t cusolverDnSpotri(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, float *, int,
    int *);
cusolverStatus_t cusolverDnSpotri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, int *);
cusolverStatus_t cusolverDnSpotrs(cusolverDnHandle_t, cublasFillMode_t, int, int, const float *, int, float *,
    int, int *);
cusolverStatus_t cusolverDnSpotrsBatched(cusolverDnHandle_t, cublasFillMode_t, int, int, float **, int,
    float **, int, int *, int);
cusolverStatus_t cusolverDnSsytrf(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, int *, float *,
    int, int *);
cusolverStatus_t cusolverDnSsytrf_bufferSize(cusolverDnHandle_t, int, float *, int, int *);
cusolverStatus_t cusolverDnSsytri(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, const int *,
    float *, int, int *);
cusolverStatus_t cusolverDnSsytri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, float *, int,
    const int *, int *);
cusolverStatus_t cusolverDnSyevd(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t, cublasFillMode_t,
    int64_t, cudaDataType, void *, int64_t, cudaDataType, void *, cudaDataType, void *, size_t, int *);
cusolverStatus_t cusolverDnSyevd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
    cublasFillMode_t, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *, cudaDataType,
    size_t *);
cusolverStatus_t cusolverDnSyevdx(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
    cusolverEigRange_t, cublasFillMode_t, int64_t, cudaDataType, void *, int64_t, void *, void *, int64_t,
    int64_t, int64_t *, cudaDataType, void *, cudaDataType, void *, size_t, int *);
cusolverStatus_t cusolverDnSyevdx_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
    cusolverEigRange_t, cublasFillMode_t, int64_t, cudaDataType, const void *, int64_t, void *, void *,
    int64_t, int64_t, int64_t *, cudaDataType, const void *, cudaDataType, size_t *);
cusolverStatus_t cusolverDnZCgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t,
    void *, size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZCgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnZCgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t,
    void *, size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZCgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnZEgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t,
    void *, size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZEgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnZEgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t,
    void *, size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZEgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnZKgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t,
    void *, size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZKgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnZKgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t,
    void *, size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZKgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnZYgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t,
    void *, size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZYgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnZYgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t,
    void *, size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZYgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnZZgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t,
    void *, size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZZgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnZZgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t,
    void *, size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZZgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnZgeqrf(cusolverDnHandle_t, int, int, cuDoubleComplex *, int, cuDoubleComplex *,
    cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgeqrf_bufferSize(cusolverDnHandle_t, int, int, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgetrf(cusolverDnHandle_t, int, int, cuDoubleComplex *, int, cuDoubleComplex *,
    int *, int *);
cusolverStatus_t cusolverDnZgetrf_bufferSize(cusolverDnHandle_t, int, int, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgetrs(cusolverDnHandle_t, cublasOperation_t, int, int, const cuDoubleComplex *,
    int, const int *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZlaswp(cusolverDnHandle_t, int, cuDoubleComplex *, int, int, int, const int *,
    int);
cusolverStatus_t cusolverDnZlauum(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *, int,
    cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZlauum_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *,
    int, int *);
cusolverStatus_t cusolverDnZpotrf(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *, int,
    cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZpotrfBatched(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex **, int,
    int *, int);
cusolverStatus_t cusolverDnZpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *,
    int, int *);
cusolverStatus_t cusolverDnZpotri(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *, int,
    cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZpotri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *,
    int, int *);
cusolverStatus_t cusolverDnZpotrs(cusolverDnHandle_t, cublasFillMode_t, int, int, const cuDoubleComplex *,
    int, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZpotrsBatched(cusolverDnHandle_t, cublasFillMode_t, int, int, cuDoubleComplex **,
    int, cuDoubleComplex **, int, int *, int);
cusolverStatus_t cusolverDnZsytrf(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *, int, int *,
    cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZsytrf_bufferSize(cusolverDnHandle_t, int, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZsytri(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *, int,
    const int *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZsytri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *,
    int, const int *, int *);
cusolverStatus_t cusolverDnZungqr(cusolverDnHandle_t, int, int, int, cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZungqr_bufferSize(cusolverDnHandle_t, int, int, int, const cuDoubleComplex *, int,
    const cuDoubleComplex *, int *);
cusolverStatus_t cusolverDnZunmqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,
    const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *, int, cuDoubleComplex *, int,
    int *);
cusolverStatus_t cusolverDnZunmqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int,
    int, int, const cuDoubleComplex *, int, const cuDoubleComplex *, const cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverGetProperty(libraryPropertyType, int *);
cusolverStatus_t cusolverGetVersion(int *);
}
