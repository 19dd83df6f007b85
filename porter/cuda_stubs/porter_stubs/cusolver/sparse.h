// porter stub headers: cuSOLVER, sparse solvers
#pragma once
#include "types.h"

extern "C" {
#define PORTER_ROUTINES "cusolver/sparse.inc"
#define PORTER_NAME(name) cusolverSp##name
#include "../each_type.inc"
#undef PORTER_NAME
#undef PORTER_ROUTINES
cusolverStatus_t cusolverSpCcsreigsHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, cuComplex, cuComplex, int *);
cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *);
cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t *);
cusolverStatus_t cusolverSpDcsreigsHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const double *, const int *,
    const int *, cuDoubleComplex, cuDoubleComplex, int *);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t);
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t, cudaStream_t *);
cusolverStatus_t cusolverSpScsreigsHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const float *, const int *,
    const int *, cuComplex, cuComplex, int *);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t, cudaStream_t);
cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const int *, const int *,
    const int *, int *);
cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const int *, const int *,
    const int64_t *, int *);
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t, int, int, int, cusparseMatDescr_t, int *, int *,
    const int *, const int *, int *, void *);
cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t, int, int, int, cusparseMatDescr_t, const int *,
    const int *, const int *, const int *, size_t *);
cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t, int, int, int, cusparseMatDescr_t, const int *,
    const int *, csrqrInfo_t);
cusolverStatus_t cusolverSpXcsrsymamdHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const int *, const int *,
    int *);
cusolverStatus_t cusolverSpXcsrsymmdqHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const int *, const int *,
    int *);
cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const int *, const int *,
    int *);
cusolverStatus_t cusolverSpZcsreigsHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const cuDoubleComplex *,
    const int *, const int *, cuDoubleComplex, cuDoubleComplex, int *);
}
