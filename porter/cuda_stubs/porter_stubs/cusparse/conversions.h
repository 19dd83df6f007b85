// porter stub headers: cuSPARSE, conversions
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include "types.h"

extern "C" {
cusparseStatus_t cusparseCbsr2csr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const cuComplex *, const int *, const int *, int, cusparseMatDescr_t, cuComplex *, int *, int *);
cusparseStatus_t cusparseCcsc2dense(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, cuComplex *, int);
cusparseStatus_t cusparseCcsr2bsr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const cuComplex *, const int *, const int *, int, cusparseMatDescr_t, cuComplex *, int *, int *);
cusparseStatus_t cusparseCcsr2csr_compress(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, int, const int *, cuComplex *, int *, int *, cuComplex);
cusparseStatus_t cusparseCcsr2csru(cusparseHandle_t, int, int, int, cusparseMatDescr_t, cuComplex *,
    const int *, int *, csru2csrInfo_t, void *);
cusparseStatus_t cusparseCcsr2dense(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, cuComplex *, int);
cusparseStatus_t cusparseCcsr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const cuComplex *, const int *, const int *, cusparseMatDescr_t, cuComplex *, int *, int *, int, int,
    void *);
cusparseStatus_t cusparseCcsr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, const cuComplex *, const int *, const int *, int, int, int *);
cusparseStatus_t cusparseCcsru2csr(cusparseHandle_t, int, int, int, cusparseMatDescr_t, cuComplex *,
    const int *, int *, csru2csrInfo_t, void *);
cusparseStatus_t cusparseCcsru2csr_bufferSizeExt(cusparseHandle_t, int, int, int, cuComplex *, const int *,
    int *, csru2csrInfo_t, size_t *);
cusparseStatus_t cusparseCdense2csc(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuComplex *, int,
    const int *, cuComplex *, int *, int *);
cusparseStatus_t cusparseCdense2csr(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuComplex *, int,
    const int *, cuComplex *, int *, int *);
cusparseStatus_t cusparseCgebsr2csr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const cuComplex *, const int *, const int *, int, int, cusparseMatDescr_t, cuComplex *, int *, int *);
cusparseStatus_t cusparseCgebsr2gebsc(cusparseHandle_t, int, int, int, const cuComplex *, const int *,
    const int *, int, int, cuComplex *, int *, int *, cusparseAction_t, cusparseIndexBase_t, void *);
cusparseStatus_t cusparseCgebsr2gebsc_bufferSize(cusparseHandle_t, int, int, int, const cuComplex *,
    const int *, const int *, int, int, int *);
cusparseStatus_t cusparseCgebsr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int, int,
    cusparseMatDescr_t, const cuComplex *, const int *, const int *, int, int, cusparseMatDescr_t,
    cuComplex *, int *, int *, int, int, void *);
cusparseStatus_t cusparseCgebsr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int, int,
    cusparseMatDescr_t, const cuComplex *, const int *, const int *, int, int, int, int, int *);
cusparseStatus_t cusparseCnnz(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const cuComplex *, int, int *, int *);
cusparseStatus_t cusparseCnnz_compress(cusparseHandle_t, int, cusparseMatDescr_t, const cuComplex *,
    const int *, int *, int *, cuComplex);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t, int, int, int, const void *, const int *, const int *,
    void *, int *, int *, cudaDataType, cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t, void *);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t, int, int, int, const void *, const int *,
    const int *, void *, int *, int *, cudaDataType, cusparseAction_t, cusparseIndexBase_t,
    cusparseCsr2CscAlg_t, size_t *);
cusparseStatus_t cusparseDbsr2csr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const double *, const int *, const int *, int, cusparseMatDescr_t, double *, int *, int *);
cusparseStatus_t cusparseDcsc2dense(cusparseHandle_t, int, int, cusparseMatDescr_t, const double *,
    const int *, const int *, double *, int);
cusparseStatus_t cusparseDcsr2bsr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const double *, const int *, const int *, int, cusparseMatDescr_t, double *, int *, int *);
cusparseStatus_t cusparseDcsr2csr_compress(cusparseHandle_t, int, int, cusparseMatDescr_t, const double *,
    const int *, const int *, int, const int *, double *, int *, int *, double);
cusparseStatus_t cusparseDcsr2csru(cusparseHandle_t, int, int, int, cusparseMatDescr_t, double *, const int *,
    int *, csru2csrInfo_t, void *);
cusparseStatus_t cusparseDcsr2dense(cusparseHandle_t, int, int, cusparseMatDescr_t, const double *,
    const int *, const int *, double *, int);
cusparseStatus_t cusparseDcsr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const double *, const int *, const int *, cusparseMatDescr_t, double *, int *, int *, int, int, void *);
cusparseStatus_t cusparseDcsr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, const double *, const int *, const int *, int, int, int *);
cusparseStatus_t cusparseDcsru2csr(cusparseHandle_t, int, int, int, cusparseMatDescr_t, double *, const int *,
    int *, csru2csrInfo_t, void *);
cusparseStatus_t cusparseDcsru2csr_bufferSizeExt(cusparseHandle_t, int, int, int, double *, const int *,
    int *, csru2csrInfo_t, size_t *);
cusparseStatus_t cusparseDdense2csc(cusparseHandle_t, int, int, cusparseMatDescr_t, const double *, int,
    const int *, double *, int *, int *);
cusparseStatus_t cusparseDdense2csr(cusparseHandle_t, int, int, cusparseMatDescr_t, const double *, int,
    const int *, double *, int *, int *);
cusparseStatus_t cusparseDgebsr2csr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const double *, const int *, const int *, int, int, cusparseMatDescr_t, double *, int *, int *);
cusparseStatus_t cusparseDgebsr2gebsc(cusparseHandle_t, int, int, int, const double *, const int *,
    const int *, int, int, double *, int *, int *, cusparseAction_t, cusparseIndexBase_t, void *);
cusparseStatus_t cusparseDgebsr2gebsc_bufferSize(cusparseHandle_t, int, int, int, const double *, const int *,
    const int *, int, int, int *);
cusparseStatus_t cusparseDgebsr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int, int,
    cusparseMatDescr_t, const double *, const int *, const int *, int, int, cusparseMatDescr_t, double *,
    int *, int *, int, int, void *);
cusparseStatus_t cusparseDgebsr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int, int,
    cusparseMatDescr_t, const double *, const int *, const int *, int, int, int, int, int *);
cusparseStatus_t cusparseDpruneCsr2csr(cusparseHandle_t, int, int, int, cusparseMatDescr_t, const double *,
    const int *, const int *, const double *, cusparseMatDescr_t, double *, const int *, int *, void *);
cusparseStatus_t cusparseDpruneCsr2csrByPercentage(cusparseHandle_t, int, int, int, cusparseMatDescr_t,
    const double *, const int *, const int *, float, cusparseMatDescr_t, double *, const int *, int *,
    pruneInfo_t, void *);
cusparseStatus_t cusparseDpruneCsr2csrByPercentage_bufferSizeExt(cusparseHandle_t, int, int, int,
    cusparseMatDescr_t, const double *, const int *, const int *, float, cusparseMatDescr_t, const double *,
    const int *, const int *, pruneInfo_t, size_t *);
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
cusparseStatus_t cusparseDpruneDense2csrByPercentage_bufferSizeExt(cusparseHandle_t, int, int, const double *,
    int, float, cusparseMatDescr_t, const double *, const int *, const int *, pruneInfo_t, size_t *);
cusparseStatus_t cusparseDpruneDense2csrNnz(cusparseHandle_t, int, int, const double *, int, const double *,
    cusparseMatDescr_t, int *, int *, void *);
cusparseStatus_t cusparseDpruneDense2csrNnzByPercentage(cusparseHandle_t, int, int, const double *, int,
    float, cusparseMatDescr_t, int *, int *, pruneInfo_t, void *);
cusparseStatus_t cusparseDpruneDense2csr_bufferSizeExt(cusparseHandle_t, int, int, const double *, int,
    const double *, cusparseMatDescr_t, const double *, const int *, const int *, size_t *);
cusparseStatus_t cusparseSbsr2csr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const float *, const int *, const int *, int, cusparseMatDescr_t, float *, int *, int *);
cusparseStatus_t cusparseScsc2dense(cusparseHandle_t, int, int, cusparseMatDescr_t, const float *,
    const int *, const int *, float *, int);
cusparseStatus_t cusparseScsr2bsr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const float *, const int *, const int *, int, cusparseMatDescr_t, float *, int *, int *);
cusparseStatus_t cusparseScsr2csr_compress(cusparseHandle_t, int, int, cusparseMatDescr_t, const float *,
    const int *, const int *, int, const int *, float *, int *, int *, float);
cusparseStatus_t cusparseScsr2csru(cusparseHandle_t, int, int, int, cusparseMatDescr_t, float *, const int *,
    int *, csru2csrInfo_t, void *);
cusparseStatus_t cusparseScsr2dense(cusparseHandle_t, int, int, cusparseMatDescr_t, const float *,
    const int *, const int *, float *, int);
cusparseStatus_t cusparseScsr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const float *, const int *, const int *, cusparseMatDescr_t, float *, int *, int *, int, int, void *);
cusparseStatus_t cusparseScsr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, const float *, const int *, const int *, int, int, int *);
cusparseStatus_t cusparseScsru2csr(cusparseHandle_t, int, int, int, cusparseMatDescr_t, float *, const int *,
    int *, csru2csrInfo_t, void *);
cusparseStatus_t cusparseScsru2csr_bufferSizeExt(cusparseHandle_t, int, int, int, float *, const int *, int *,
    csru2csrInfo_t, size_t *);
cusparseStatus_t cusparseSdense2csc(cusparseHandle_t, int, int, cusparseMatDescr_t, const float *, int,
    const int *, float *, int *, int *);
cusparseStatus_t cusparseSdense2csr(cusparseHandle_t, int, int, cusparseMatDescr_t, const float *, int,
    const int *, float *, int *, int *);
cusparseStatus_t cusparseSgebsr2csr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const float *, const int *, const int *, int, int, cusparseMatDescr_t, float *, int *, int *);
cusparseStatus_t cusparseSgebsr2gebsc(cusparseHandle_t, int, int, int, const float *, const int *,
    const int *, int, int, float *, int *, int *, cusparseAction_t, cusparseIndexBase_t, void *);
cusparseStatus_t cusparseSgebsr2gebsc_bufferSize(cusparseHandle_t, int, int, int, const float *, const int *,
    const int *, int, int, int *);
cusparseStatus_t cusparseSgebsr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int, int,
    cusparseMatDescr_t, const float *, const int *, const int *, int, int, cusparseMatDescr_t, float *, int *,
    int *, int, int, void *);
cusparseStatus_t cusparseSgebsr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int, int,
    cusparseMatDescr_t, const float *, const int *, const int *, int, int, int, int, int *);
cusparseStatus_t cusparseSnnz(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const float *, int, int *, int *);
cusparseStatus_t cusparseSnnz_compress(cusparseHandle_t, int, cusparseMatDescr_t, const float *, const int *,
    int *, int *, float);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t, const int *, int, int, int *, cusparseIndexBase_t);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t, int, int, int, int *, int *, int *, void *);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t, int, int, int, int *, int *, int *, void *);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *,
    size_t *);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t, int, int, int, cusparseMatDescr_t, const int *, int *,
    int *, void *);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *,
    size_t *);
cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const int *, const int *, int, cusparseMatDescr_t, int *, int *);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t, const int *, int, int, int *, cusparseIndexBase_t);
cusparseStatus_t cusparseXcsr2gebsrNnz(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const int *, const int *, cusparseMatDescr_t, int *, int, int, int *, void *);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t, int, int, int, cusparseMatDescr_t, const int *, int *,
    int *, void *);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *,
    size_t *);
cusparseStatus_t cusparseXgebsr2gebsrNnz(cusparseHandle_t, cusparseDirection_t, int, int, int,
    cusparseMatDescr_t, const int *, const int *, int, int, cusparseMatDescr_t, int *, int, int, int *,
    void *);
cusparseStatus_t cusparseZbsr2csr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, int, cusparseMatDescr_t, cuDoubleComplex *, int *,
    int *);
cusparseStatus_t cusparseZcsc2dense(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuDoubleComplex *,
    const int *, const int *, cuDoubleComplex *, int);
cusparseStatus_t cusparseZcsr2bsr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, int, cusparseMatDescr_t, cuDoubleComplex *, int *,
    int *);
cusparseStatus_t cusparseZcsr2csr_compress(cusparseHandle_t, int, int, cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, int, const int *, cuDoubleComplex *, int *, int *,
    cuDoubleComplex);
cusparseStatus_t cusparseZcsr2csru(cusparseHandle_t, int, int, int, cusparseMatDescr_t, cuDoubleComplex *,
    const int *, int *, csru2csrInfo_t, void *);
cusparseStatus_t cusparseZcsr2dense(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuDoubleComplex *,
    const int *, const int *, cuDoubleComplex *, int);
cusparseStatus_t cusparseZcsr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, cusparseMatDescr_t, cuDoubleComplex *, int *, int *,
    int, int, void *);
cusparseStatus_t cusparseZcsr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, const cuDoubleComplex *, const int *, const int *, int, int, int *);
cusparseStatus_t cusparseZcsru2csr(cusparseHandle_t, int, int, int, cusparseMatDescr_t, cuDoubleComplex *,
    const int *, int *, csru2csrInfo_t, void *);
cusparseStatus_t cusparseZcsru2csr_bufferSizeExt(cusparseHandle_t, int, int, int, cuDoubleComplex *,
    const int *, int *, csru2csrInfo_t, size_t *);
cusparseStatus_t cusparseZdense2csc(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuDoubleComplex *,
    int, const int *, cuDoubleComplex *, int *, int *);
cusparseStatus_t cusparseZdense2csr(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuDoubleComplex *,
    int, const int *, cuDoubleComplex *, int *, int *);
cusparseStatus_t cusparseZgebsr2csr(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, int, int, cusparseMatDescr_t, cuDoubleComplex *, int *,
    int *);
cusparseStatus_t cusparseZgebsr2gebsc(cusparseHandle_t, int, int, int, const cuDoubleComplex *, const int *,
    const int *, int, int, cuDoubleComplex *, int *, int *, cusparseAction_t, cusparseIndexBase_t, void *);
cusparseStatus_t cusparseZgebsr2gebsc_bufferSize(cusparseHandle_t, int, int, int, const cuDoubleComplex *,
    const int *, const int *, int, int, int *);
cusparseStatus_t cusparseZgebsr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int, int,
    cusparseMatDescr_t, const cuDoubleComplex *, const int *, const int *, int, int, cusparseMatDescr_t,
    cuDoubleComplex *, int *, int *, int, int, void *);
cusparseStatus_t cusparseZgebsr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int, int,
    cusparseMatDescr_t, const cuDoubleComplex *, const int *, const int *, int, int, int, int, int *);
cusparseStatus_t cusparseZnnz(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    const cuDoubleComplex *, int, int *, int *);
cusparseStatus_t cusparseZnnz_compress(cusparseHandle_t, int, cusparseMatDescr_t, const cuDoubleComplex *,
    const int *, int *, int *, cuDoubleComplex);
}
