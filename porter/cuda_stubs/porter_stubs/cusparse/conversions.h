// porter stub headers: cuSPARSE, conversions
#pragma once
#include "types.h"

extern "C" {
#define PORTER_ROUTINES "cusparse/conversions.inc"
#define PORTER_NAME(name) cusparse##name
#include "../each_type.inc"
#undef PORTER_NAME
#undef PORTER_ROUTINES
cusparseStatus_t cusparseCnnz(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t, const cuComplex *,
    int, int *, int *);
cusparseStatus_t cusparseCnnz_compress(cusparseHandle_t, int, cusparseMatDescr_t, const cuComplex *, const int *, int *,
    int *, cuComplex);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t, int, int, int, const void *, const int *, const int *, void *,
    int *, int *, cudaDataType, cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t, void *);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t, int, int, int, const void *, const int *, const int *,
    void *, int *, int *, cudaDataType, cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t, size_t *);
cusparseStatus_t cusparseDpruneCsr2csr(cusparseHandle_t, int, int, int, cusparseMatDescr_t, const double *, const int *,
    const int *, const double *, cusparseMatDescr_t, double *, const int *, int *, void *);
cusparseStatus_t cusparseDpruneCsr2csrByPercentage(cusparseHandle_t, int, int, int, cusparseMatDescr_t, const double *,
    const int *, const int *, float, cusparseMatDescr_t, double *, const int *, int *, pruneInfo_t, void *);
cusparseStatus_t cusparseDpruneCsr2csrByPercentage_bufferSizeExt(cusparseHandle_t, int, int, int, cusparseMatDescr_t,
    const double *, const int *, const int *, float, cusparseMatDescr_t, const double *, const int *, const int *,
    pruneInfo_t, size_t *);
cusparseStatus_t cusparseDpruneCsr2csrNnz(cusparseHandle_t, int, int, int, cusparseMatDescr_t, const double *,
    const int *, const int *, const double *, cusparseMatDescr_t, int *, int *, void *);
cusparseStatus_t cusparseDpruneCsr2csrNnzByPercentage(cusparseHandle_t, int, int, int, cusparseMatDescr_t,
    const double *, const int *, const int *, float, cusparseMatDescr_t, int *, int *, pruneInfo_t, void *);
cusparseStatus_t cusparseDpruneCsr2csr_bufferSizeExt(cusparseHandle_t, int, int, int, cusparseMatDescr_t,
    const double *, const int *, const int *, const double *, cusparseMatDescr_t, const double *, const int *,
    const int *, size_t *);
cusparseStatus_t cusparseDpruneDense2csr(cusparseHandle_t, int, int, const double *, int, const double *,
    cusparseMatDescr_t, double *, const int *, int *, void *);
cusparseStatus_t cusparseDpruneDense2csrByPercentage(cusparseHandle_t, int, int, const double *, int, float,
    cusparseMatDescr_t, double *, const int *, int *, pruneInfo_t, void *);
cusparseStatus_t cusparseDpruneDense2csrByPercentage_bufferSizeExt(cusparseHandle_t, int, int, const double *, int,
    float, cusparseMatDescr_t, const double *, const int *, const int *, pruneInfo_t, size_t *);
cusparseStatus_t cusparseDpruneDense2csrNnz(cusparseHandle_t, int, int, const double *, int, const double *,
    cusparseMatDescr_t, int *, int *, void *);
cusparseStatus_t cusparseDpruneDense2csrNnzByPercentage(cusparseHandle_t, int, int, const double *, int, float,
    cusparseMatDescr_t, int *, int *, pruneInfo_t, void *);
cusparseStatus_t cusparseDpruneDense2csr_bufferSizeExt(cusparseHandle_t, int, int, const double *, int, const double *,
    cusparseMatDescr_t, const double *, const int *, const int *, size_t *);
cusparseStatus_t cusparseSnnz(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t, const float *, int,
    int *, int *);
cusparseStatus_t cusparseSnnz_compress(cusparseHandle_t, int, cusparseMatDescr_t, const float *, const int *, int *,
    int *, float);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t, const int *, int, int, int *, cusparseIndexBase_t);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t, int, int, int, int *, int *, int *, void *);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t, int, int, int, int *, int *, int *, void *);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *, size_t *);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t, int, int, int, cusparseMatDescr_t, const int *, int *, int *,
    void *);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *, size_t *);
cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t, const int *,
    const int *, int, cusparseMatDescr_t, int *, int *);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t, const int *, int, int, int *, cusparseIndexBase_t);
cusparseStatus_t cusparseXcsr2gebsrNnz(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t, const int *,
    const int *, cusparseMatDescr_t, int *, int, int, int *, void *);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t, int, int, int, cusparseMatDescr_t, const int *, int *, int *,
    void *);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *, size_t *);
cusparseStatus_t cusparseXgebsr2gebsrNnz(cusparseHandle_t, cusparseDirection_t, int, int, int, cusparseMatDescr_t,
    const int *, const int *, int, int, cusparseMatDescr_t, int *, int, int, int *, void *);
cusparseStatus_t cusparseZnnz(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const cuDoubleComplex *, int, int *, int *);
cusparseStatus_t cusparseZnnz_compress(cusparseHandle_t, int, cusparseMatDescr_t, const cuDoubleComplex *, const int *,
    int *, int *, cuDoubleComplex);
}
