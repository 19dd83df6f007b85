// porter stub headers: cuSPARSE, solvers, products and preconditioners
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include "types.h"

extern "C" {
cusparseStatus_t cusparseCaxpyi(cusparseHandle_t, int, const cuComplex *, const cuComplex *, const int *,
    cuComplex *, cusparseIndexBase_t);
cusparseStatus_t cusparseCbsric02(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    cuComplex *, const int *, const int *, int, bsric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCbsric02_analysis(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, const cuComplex *, const int *, const int *, int, bsric02Info_t,
    cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCbsric02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, cuComplex *, const int *, const int *, int, bsric02Info_t, int *);
cusparseStatus_t cusparseCbsrilu02(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    cuComplex *, const int *, const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCbsrilu02_analysis(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, cuComplex *, const int *, const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t,
    void *);
cusparseStatus_t cusparseCbsrilu02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, cuComplex *, const int *, const int *, int, bsrilu02Info_t, int *);
cusparseStatus_t cusparseCbsrilu02_numericBoost(cusparseHandle_t, bsrilu02Info_t, int, double *, cuComplex *);
cusparseStatus_t cusparseCbsrmm(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, int, const cuComplex *, cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cusparseStatus_t cusparseCbsrmv(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, int,
    const cuComplex *, cusparseMatDescr_t, const cuComplex *, const int *, const int *, int,
    const cuComplex *, const cuComplex *, cuComplex *);
cusparseStatus_t cusparseCbsrsm2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, cusparseMatDescr_t, const cuComplex *, const int *, const int *, int,
    bsrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCbsrsm2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, cusparseMatDescr_t, cuComplex *, const int *, const int *, int,
    bsrsm2Info_t, int *);
cusparseStatus_t cusparseCbsrsm2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, const cuComplex *, cusparseMatDescr_t, const cuComplex *, const int *,
    const int *, int, bsrsm2Info_t, const cuComplex *, int, cuComplex *, int, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCbsrsv2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int,
    int, cusparseMatDescr_t, const cuComplex *, const int *, const int *, int, bsrsv2Info_t,
    cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCbsrsv2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int,
    int, cusparseMatDescr_t, cuComplex *, const int *, const int *, int, bsrsv2Info_t, int *);
cusparseStatus_t cusparseCbsrsv2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int,
    const cuComplex *, cusparseMatDescr_t, const cuComplex *, const int *, const int *, int, bsrsv2Info_t,
    const cuComplex *, cuComplex *, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCbsrxmv(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, int,
    int, const cuComplex *, cusparseMatDescr_t, const cuComplex *, const int *, const int *, const int *,
    const int *, int, const cuComplex *, const cuComplex *, cuComplex *);
cusparseStatus_t cusparseCcsrcolor(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, const float *, int *, int *, int *, cusparseColorInfo_t);
cusparseStatus_t cusparseCcsrgeam2(cusparseHandle_t, int, int, const cuComplex *, cusparseMatDescr_t, int,
    const cuComplex *, const int *, const int *, const cuComplex *, cusparseMatDescr_t, int,
    const cuComplex *, const int *, const int *, cusparseMatDescr_t, cuComplex *, int *, int *, void *);
cusparseStatus_t cusparseCcsrgeam2_bufferSizeExt(cusparseHandle_t, int, int, const cuComplex *,
    cusparseMatDescr_t, int, const cuComplex *, const int *, const int *, const cuComplex *,
    cusparseMatDescr_t, int, const cuComplex *, const int *, const int *, cusparseMatDescr_t,
    const cuComplex *, const int *, const int *, size_t *);
cusparseStatus_t cusparseCcsrgemm2(cusparseHandle_t, int, int, int, const cuComplex *, cusparseMatDescr_t,
    int, const cuComplex *, const int *, const int *, cusparseMatDescr_t, int, const cuComplex *, const int *,
    const int *, const cuComplex *, cusparseMatDescr_t, int, const cuComplex *, const int *, const int *,
    cusparseMatDescr_t, cuComplex *, const int *, int *, csrgemm2Info_t, void *);
cusparseStatus_t cusparseCcsrgemm2_bufferSizeExt(cusparseHandle_t, int, int, int, const cuComplex *,
    cusparseMatDescr_t, int, const int *, const int *, cusparseMatDescr_t, int, const int *, const int *,
    const cuComplex *, cusparseMatDescr_t, int, const int *, const int *, csrgemm2Info_t, size_t *);
cusparseStatus_t cusparseCcsric02(cusparseHandle_t, int, int, cusparseMatDescr_t, cuComplex *, const int *,
    const int *, csric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCcsric02_analysis(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, csric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCcsric02_bufferSize(cusparseHandle_t, int, int, cusparseMatDescr_t, cuComplex *,
    const int *, const int *, csric02Info_t, int *);
cusparseStatus_t cusparseCcsrilu02(cusparseHandle_t, int, int, cusparseMatDescr_t, cuComplex *, const int *,
    const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCcsrilu02_analysis(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCcsrilu02_bufferSize(cusparseHandle_t, int, int, cusparseMatDescr_t, cuComplex *,
    const int *, const int *, csrilu02Info_t, int *);
cusparseStatus_t cusparseCcsrilu02_numericBoost(cusparseHandle_t, csrilu02Info_t, int, double *, cuComplex *);
cusparseStatus_t cusparseCcsrsm2_analysis(cusparseHandle_t, int, cusparseOperation_t, cusparseOperation_t,
    int, int, int, const cuComplex *, cusparseMatDescr_t, const cuComplex *, const int *, const int *,
    const cuComplex *, int, csrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCcsrsm2_bufferSizeExt(cusparseHandle_t, int, cusparseOperation_t,
    cusparseOperation_t, int, int, int, const cuComplex *, cusparseMatDescr_t, const cuComplex *, const int *,
    const int *, const cuComplex *, int, csrsm2Info_t, cusparseSolvePolicy_t, size_t *);
cusparseStatus_t cusparseCcsrsm2_solve(cusparseHandle_t, int, cusparseOperation_t, cusparseOperation_t, int,
    int, int, const cuComplex *, cusparseMatDescr_t, const cuComplex *, const int *, const int *, cuComplex *,
    int, csrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCcsrsv2_analysis(cusparseHandle_t, cusparseOperation_t, int, int, cusparseMatDescr_t,
    const cuComplex *, const int *, const int *, csrsv2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCcsrsv2_bufferSize(cusparseHandle_t, cusparseOperation_t, int, int,
    cusparseMatDescr_t, cuComplex *, const int *, const int *, csrsv2Info_t, int *);
cusparseStatus_t cusparseCcsrsv2_bufferSizeExt(cusparseHandle_t, cusparseOperation_t, int, int,
    cusparseMatDescr_t, cuComplex *, const int *, const int *, csrsv2Info_t, size_t *);
cusparseStatus_t cusparseCcsrsv2_solve(cusparseHandle_t, cusparseOperation_t, int, int, const cuComplex *,
    cusparseMatDescr_t, const cuComplex *, const int *, const int *, csrsv2Info_t, const cuComplex *,
    cuComplex *, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCgemmi(cusparseHandle_t, int, int, int, int, const cuComplex *, const cuComplex *,
    int, const cuComplex *, const int *, const int *, const cuComplex *, cuComplex *, int);
cusparseStatus_t cusparseCgemvi(cusparseHandle_t, cusparseOperation_t, int, int, const cuComplex *,
    const cuComplex *, int, int, const cuComplex *, const int *, const cuComplex *, cuComplex *,
    cusparseIndexBase_t, void *);
cusparseStatus_t cusparseCgemvi_bufferSize(cusparseHandle_t, cusparseOperation_t, int, int, int, int *);
cusparseStatus_t cusparseCgpsvInterleavedBatch(cusparseHandle_t, int, int, cuComplex *, cuComplex *,
    cuComplex *, cuComplex *, cuComplex *, cuComplex *, int, void *);
cusparseStatus_t cusparseCgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t, int, int, const cuComplex *,
    const cuComplex *, const cuComplex *, const cuComplex *, const cuComplex *, const cuComplex *, int,
    size_t *);
cusparseStatus_t cusparseCgthr(cusparseHandle_t, int, const cuComplex *, cuComplex *, const int *,
    cusparseIndexBase_t);
cusparseStatus_t cusparseCgthrz(cusparseHandle_t, int, cuComplex *, cuComplex *, const int *,
    cusparseIndexBase_t);
cusparseStatus_t cusparseCgtsv2(cusparseHandle_t, int, int, const cuComplex *, const cuComplex *,
    const cuComplex *, cuComplex *, int, void *);
cusparseStatus_t cusparseCgtsv2StridedBatch(cusparseHandle_t, int, const cuComplex *, const cuComplex *,
    const cuComplex *, cuComplex *, int, int, void *);
cusparseStatus_t cusparseCgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t, int, const cuComplex *,
    const cuComplex *, const cuComplex *, const cuComplex *, int, int, size_t *);
cusparseStatus_t cusparseCgtsv2_bufferSizeExt(cusparseHandle_t, int, int, const cuComplex *,
    const cuComplex *, const cuComplex *, const cuComplex *, int, size_t *);
cusparseStatus_t cusparseCgtsv2_nopivot(cusparseHandle_t, int, int, const cuComplex *, const cuComplex *,
    const cuComplex *, cuComplex *, int, void *);
cusparseStatus_t cusparseCgtsv2_nopivot_bufferSizeExt(cusparseHandle_t, int, int, const cuComplex *,
    const cuComplex *, const cuComplex *, const cuComplex *, int, size_t *);
cusparseStatus_t cusparseCgtsvInterleavedBatch(cusparseHandle_t, int, int, cuComplex *, cuComplex *,
    cuComplex *, cuComplex *, int, void *);
cusparseStatus_t cusparseCgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t, int, int, const cuComplex *,
    const cuComplex *, const cuComplex *, const cuComplex *, int, size_t *);
cusparseStatus_t cusparseCooAoSGet(cusparseSpMatDescr_t, int64_t *, int64_t *, int64_t *, void **, void **,
    cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseCsrmvEx(cusparseHandle_t, cusparseAlgMode_t, cusparseOperation_t, int, int, int,
    const void *, cudaDataType, cusparseMatDescr_t, const void *, cudaDataType, const int *, const int *,
    const void *, cudaDataType, const void *, cudaDataType, void *, cudaDataType, cudaDataType, void *);
cusparseStatus_t cusparseCsrmvEx_bufferSize(cusparseHandle_t, cusparseAlgMode_t, cusparseOperation_t, int,
    int, int, const void *, cudaDataType, cusparseMatDescr_t, const void *, cudaDataType, const int *,
    const int *, const void *, cudaDataType, const void *, cudaDataType, void *, cudaDataType, cudaDataType,
    size_t *);
cusparseStatus_t cusparseDaxpyi(cusparseHandle_t, int, const double *, const double *, const int *, double *,
    cusparseIndexBase_t);
cusparseStatus_t cusparseDbsric02(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    double *, const int *, const int *, int, bsric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDbsric02_analysis(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, const double *, const int *, const int *, int, bsric02Info_t, cusparseSolvePolicy_t,
    void *);
cusparseStatus_t cusparseDbsric02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, double *, const int *, const int *, int, bsric02Info_t, int *);
cusparseStatus_t cusparseDbsrilu02(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    double *, const int *, const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDbsrilu02_analysis(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, double *, const int *, const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t,
    void *);
cusparseStatus_t cusparseDbsrilu02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, double *, const int *, const int *, int, bsrilu02Info_t, int *);
cusparseStatus_t cusparseDbsrilu02_numericBoost(cusparseHandle_t, bsrilu02Info_t, int, double *, double *);
cusparseStatus_t cusparseDbsrmm(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, int, const double *, cusparseMatDescr_t, const double *, const int *,
    const int *, int, const double *, int, const double *, double *, int);
cusparseStatus_t cusparseDbsrmv(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, int,
    const double *, cusparseMatDescr_t, const double *, const int *, const int *, int, const double *,
    const double *, double *);
cusparseStatus_t cusparseDbsrsm2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, cusparseMatDescr_t, const double *, const int *, const int *, int,
    bsrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDbsrsm2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, cusparseMatDescr_t, double *, const int *, const int *, int,
    bsrsm2Info_t, int *);
cusparseStatus_t cusparseDbsrsm2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, const double *, cusparseMatDescr_t, const double *, const int *,
    const int *, int, bsrsm2Info_t, const double *, int, double *, int, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDbsrsv2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int,
    int, cusparseMatDescr_t, const double *, const int *, const int *, int, bsrsv2Info_t,
    cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDbsrsv2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int,
    int, cusparseMatDescr_t, double *, const int *, const int *, int, bsrsv2Info_t, int *);
cusparseStatus_t cusparseDbsrsv2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int,
    const double *, cusparseMatDescr_t, const double *, const int *, const int *, int, bsrsv2Info_t,
    const double *, double *, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDbsrxmv(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, int,
    int, const double *, cusparseMatDescr_t, const double *, const int *, const int *, const int *,
    const int *, int, const double *, const double *, double *);
cusparseStatus_t cusparseDcsrcolor(cusparseHandle_t, int, int, cusparseMatDescr_t, const double *,
    const int *, const int *, const double *, int *, int *, int *, cusparseColorInfo_t);
cusparseStatus_t cusparseDcsrgeam2(cusparseHandle_t, int, int, const double *, cusparseMatDescr_t, int,
    const double *, const int *, const int *, const double *, cusparseMatDescr_t, int, const double *,
    const int *, const int *, cusparseMatDescr_t, double *, int *, int *, void *);
cusparseStatus_t cusparseDcsrgeam2_bufferSizeExt(cusparseHandle_t, int, int, const double *,
    cusparseMatDescr_t, int, const double *, const int *, const int *, const double *, cusparseMatDescr_t,
    int, const double *, const int *, const int *, cusparseMatDescr_t, const double *, const int *,
    const int *, size_t *);
cusparseStatus_t cusparseDcsrgemm2(cusparseHandle_t, int, int, int, const double *, cusparseMatDescr_t, int,
    const double *, const int *, const int *, cusparseMatDescr_t, int, const double *, const int *,
    const int *, const double *, cusparseMatDescr_t, int, const double *, const int *, const int *,
    cusparseMatDescr_t, double *, const int *, int *, csrgemm2Info_t, void *);
cusparseStatus_t cusparseDcsrgemm2_bufferSizeExt(cusparseHandle_t, int, int, int, const double *,
    cusparseMatDescr_t, int, const int *, const int *, cusparseMatDescr_t, int, const int *, const int *,
    const double *, cusparseMatDescr_t, int, const int *, const int *, csrgemm2Info_t, size_t *);
cusparseStatus_t cusparseDcsric02(cusparseHandle_t, int, int, cusparseMatDescr_t, double *, const int *,
    const int *, csric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDcsric02_analysis(cusparseHandle_t, int, int, cusparseMatDescr_t, const double *,
    const int *, const int *, csric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDcsric02_bufferSize(cusparseHandle_t, int, int, cusparseMatDescr_t, double *,
    const int *, const int *, csric02Info_t, int *);
cusparseStatus_t cusparseDcsrilu02(cusparseHandle_t, int, int, cusparseMatDescr_t, double *, const int *,
    const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDcsrilu02_analysis(cusparseHandle_t, int, int, cusparseMatDescr_t, const double *,
    const int *, const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDcsrilu02_bufferSize(cusparseHandle_t, int, int, cusparseMatDescr_t, double *,
    const int *, const int *, csrilu02Info_t, int *);
cusparseStatus_t cusparseDcsrilu02_numericBoost(cusparseHandle_t, csrilu02Info_t, int, double *, double *);
cusparseStatus_t cusparseDcsrsm2_analysis(cusparseHandle_t, int, cusparseOperation_t, cusparseOperation_t,
    int, int, int, const double *, cusparseMatDescr_t, const double *, const int *, const int *,
    const double *, int, csrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDcsrsm2_bufferSizeExt(cusparseHandle_t, int, cusparseOperation_t,
    cusparseOperation_t, int, int, int, const double *, cusparseMatDescr_t, const double *, const int *,
    const int *, const double *, int, csrsm2Info_t, cusparseSolvePolicy_t, size_t *);
cusparseStatus_t cusparseDcsrsm2_solve(cusparseHandle_t, int, cusparseOperation_t, cusparseOperation_t, int,
    int, int, const double *, cusparseMatDescr_t, const double *, const int *, const int *, double *, int,
    csrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDcsrsv2_analysis(cusparseHandle_t, cusparseOperation_t, int, int, cusparseMatDescr_t,
    const double *, const int *, const int *, csrsv2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDcsrsv2_bufferSize(cusparseHandle_t, cusparseOperation_t, int, int,
    cusparseMatDescr_t, double *, const int *, const int *, csrsv2Info_t, int *);
cusparseStatus_t cusparseDcsrsv2_bufferSizeExt(cusparseHandle_t, cusparseOperation_t, int, int,
    cusparseMatDescr_t, double *, const int *, const int *, csrsv2Info_t, size_t *);
cusparseStatus_t cusparseDcsrsv2_solve(cusparseHandle_t, cusparseOperation_t, int, int, const double *,
    cusparseMatDescr_t, const double *, const int *, const int *, csrsv2Info_t, const double *, double *,
    cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDgemmi(cusparseHandle_t, int, int, int, int, const double *, const double *, int,
    const double *, const int *, const int *, const double *, double *, int);
cusparseStatus_t cusparseDgemvi(cusparseHandle_t, cusparseOperation_t, int, int, const double *,
    const double *, int, int, const double *, const int *, const double *, double *, cusparseIndexBase_t,
    void *);
cusparseStatus_t cusparseDgemvi_bufferSize(cusparseHandle_t, cusparseOperation_t, int, int, int, int *);
cusparseStatus_t cusparseDgpsvInterleavedBatch(cusparseHandle_t, int, int, double *, double *, double *,
    double *, double *, double *, int, void *);
cusparseStatus_t cusparseDgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t, int, int, const double *,
    const double *, const double *, const double *, const double *, const double *, int, size_t *);
cusparseStatus_t cusparseDgthr(cusparseHandle_t, int, const double *, double *, const int *,
    cusparseIndexBase_t);
cusparseStatus_t cusparseDgthrz(cusparseHandle_t, int, double *, double *, const int *, cusparseIndexBase_t);
cusparseStatus_t cusparseDgtsv2(cusparseHandle_t, int, int, const double *, const double *, const double *,
    double *, int, void *);
cusparseStatus_t cusparseDgtsv2StridedBatch(cusparseHandle_t, int, const double *, const double *,
    const double *, double *, int, int, void *);
cusparseStatus_t cusparseDgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t, int, const double *,
    const double *, const double *, const double *, int, int, size_t *);
cusparseStatus_t cusparseDgtsv2_bufferSizeExt(cusparseHandle_t, int, int, const double *, const double *,
    const double *, const double *, int, size_t *);
cusparseStatus_t cusparseDgtsv2_nopivot(cusparseHandle_t, int, int, const double *, const double *,
    const double *, double *, int, void *);
cusparseStatus_t cusparseDgtsv2_nopivot_bufferSizeExt(cusparseHandle_t, int, int, const double *,
    const double *, const double *, const double *, int, size_t *);
cusparseStatus_t cusparseDgtsvInterleavedBatch(cusparseHandle_t, int, int, double *, double *, double *,
    double *, int, void *);
cusparseStatus_t cusparseDgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t, int, int, const double *,
    const double *, const double *, const double *, int, size_t *);
cusparseStatus_t cusparseDroti(cusparseHandle_t, int, double *, const int *, double *, const double *,
    const double *, cusparseIndexBase_t);
cusparseStatus_t cusparseDsctr(cusparseHandle_t, int, const double *, const int *, double *,
    cusparseIndexBase_t);
cusparseStatus_t cusparseGetColorAlgs(cusparseColorInfo_t, cusparseColorAlg_t *);
cusparseStatus_t cusparseSaxpyi(cusparseHandle_t, int, const float *, const float *, const int *, float *,
    cusparseIndexBase_t);
cusparseStatus_t cusparseSbsric02(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    float *, const int *, const int *, int, bsric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseSbsric02_analysis(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, const float *, const int *, const int *, int, bsric02Info_t, cusparseSolvePolicy_t,
    void *);
cusparseStatus_t cusparseSbsric02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, float *, const int *, const int *, int, bsric02Info_t, int *);
cusparseStatus_t cusparseSbsrilu02(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    float *, const int *, const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseSbsrilu02_analysis(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, float *, const int *, const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t,
    void *);
cusparseStatus_t cusparseSbsrilu02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, float *, const int *, const int *, int, bsrilu02Info_t, int *);
cusparseStatus_t cusparseSbsrilu02_numericBoost(cusparseHandle_t, bsrilu02Info_t, int, double *, float *);
cusparseStatus_t cusparseSbsrmm(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, int, const float *, cusparseMatDescr_t, const float *, const int *,
    const int *, int, const float *, int, const float *, float *, int);
cusparseStatus_t cusparseSbsrmv(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, int,
    const float *, cusparseMatDescr_t, const float *, const int *, const int *, int, const float *,
    const float *, float *);
cusparseStatus_t cusparseSbsrsm2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, cusparseMatDescr_t, const float *, const int *, const int *, int,
    bsrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseSbsrsm2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, cusparseMatDescr_t, float *, const int *, const int *, int,
    bsrsm2Info_t, int *);
cusparseStatus_t cusparseSbsrsm2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, const float *, cusparseMatDescr_t, const float *, const int *,
    const int *, int, bsrsm2Info_t, const float *, int, float *, int, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseSbsrsv2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int,
    int, cusparseMatDescr_t, const float *, const int *, const int *, int, bsrsv2Info_t,
    cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseSbsrsv2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int,
    int, cusparseMatDescr_t, float *, const int *, const int *, int, bsrsv2Info_t, int *);
cusparseStatus_t cusparseSbsrsv2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int,
    const float *, cusparseMatDescr_t, const float *, const int *, const int *, int, bsrsv2Info_t,
    const float *, float *, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseSbsrxmv(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, int,
    int, const float *, cusparseMatDescr_t, const float *, const int *, const int *, const int *, const int *,
    int, const float *, const float *, float *);
cusparseStatus_t cusparseScsrcolor(cusparseHandle_t, int, int, cusparseMatDescr_t, const float *, const int *,
    const int *, const float *, int *, int *, int *, cusparseColorInfo_t);
cusparseStatus_t cusparseScsrgeam2(cusparseHandle_t, int, int, const float *, cusparseMatDescr_t, int,
    const float *, const int *, const int *, const float *, cusparseMatDescr_t, int, const float *,
    const int *, const int *, cusparseMatDescr_t, float *, int *, int *, void *);
cusparseStatus_t cusparseScsrgeam2_bufferSizeExt(cusparseHandle_t, int, int, const float *,
    cusparseMatDescr_t, int, const float *, const int *, const int *, const float *, cusparseMatDescr_t, int,
    const float *, const int *, const int *, cusparseMatDescr_t, const float *, const int *, const int *,
    size_t *);
cusparseStatus_t cusparseScsrgemm2(cusparseHandle_t, int, int, int, const float *, cusparseMatDescr_t, int,
    const float *, const int *, const int *, cusparseMatDescr_t, int, const float *, const int *, const int *,
    const float *, cusparseMatDescr_t, int, const float *, const int *, const int *, cusparseMatDescr_t,
    float *, const int *, int *, csrgemm2Info_t, void *);
cusparseStatus_t cusparseScsrgemm2_bufferSizeExt(cusparseHandle_t, int, int, int, const float *,
    cusparseMatDescr_t, int, const int *, const int *, cusparseMatDescr_t, int, const int *, const int *,
    const float *, cusparseMatDescr_t, int, const int *, const int *, csrgemm2Info_t, size_t *);
cusparseStatus_t cusparseScsric02(cusparseHandle_t, int, int, cusparseMatDescr_t, float *, const int *,
    const int *, csric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseScsric02_analysis(cusparseHandle_t, int, int, cusparseMatDescr_t, const float *,
    const int *, const int *, csric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseScsric02_bufferSize(cusparseHandle_t, int, int, cusparseMatDescr_t, float *,
    const int *, const int *, csric02Info_t, int *);
cusparseStatus_t cusparseScsrilu02(cusparseHandle_t, int, int, cusparseMatDescr_t, float *, const int *,
    const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseScsrilu02_analysis(cusparseHandle_t, int, int, cusparseMatDescr_t, const float *,
    const int *, const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseScsrilu02_bufferSize(cusparseHandle_t, int, int, cusparseMatDescr_t, float *,
    const int *, const int *, csrilu02Info_t, int *);
cusparseStatus_t cusparseScsrilu02_numericBoost(cusparseHandle_t, csrilu02Info_t, int, double *, float *);
cusparseStatus_t cusparseScsrsm2_analysis(cusparseHandle_t, int, cusparseOperation_t, cusparseOperation_t,
    int, int, int, const float *, cusparseMatDescr_t, const float *, const int *, const int *, const float *,
    int, csrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseScsrsm2_bufferSizeExt(cusparseHandle_t, int, cusparseOperation_t,
    cusparseOperation_t, int, int, int, const float *, cusparseMatDescr_t, const float *, const int *,
    const int *, const float *, int, csrsm2Info_t, cusparseSolvePolicy_t, size_t *);
cusparseStatus_t cusparseScsrsm2_solve(cusparseHandle_t, int, cusparseOperation_t, cusparseOperation_t, int,
    int, int, const float *, cusparseMatDescr_t, const float *, const int *, const int *, float *, int,
    csrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseScsrsv2_analysis(cusparseHandle_t, cusparseOperation_t, int, int, cusparseMatDescr_t,
    const float *, const int *, const int *, csrsv2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseScsrsv2_bufferSize(cusparseHandle_t, cusparseOperation_t, int, int,
    cusparseMatDescr_t, float *, const int *, const int *, csrsv2Info_t, int *);
cusparseStatus_t cusparseScsrsv2_bufferSizeExt(cusparseHandle_t, cusparseOperation_t, int, int,
    cusparseMatDescr_t, float *, const int *, const int *, csrsv2Info_t, size_t *);
cusparseStatus_t cusparseScsrsv2_solve(cusparseHandle_t, cusparseOperation_t, int, int, const float *,
    cusparseMatDescr_t, const float *, const int *, const int *, csrsv2Info_t, const float *, float *,
    cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseSetColorAlgs(cusparseColorInfo_t, cusparseColorAlg_t);
cusparseStatus_t cusparseSgemmi(cusparseHandle_t, int, int, int, int, const float *, const float *, int,
    const float *, const int *, const int *, const float *, float *, int);
cusparseStatus_t cusparseSgemvi(cusparseHandle_t, cusparseOperation_t, int, int, const float *, const float *,
    int, int, const float *, const int *, const float *, float *, cusparseIndexBase_t, void *);
cusparseStatus_t cusparseSgemvi_bufferSize(cusparseHandle_t, cusparseOperation_t, int, int, int, int *);
cusparseStatus_t cusparseSgpsvInterleavedBatch(cusparseHandle_t, int, int, float *, float *, float *, float *,
    float *, float *, int, void *);
cusparseStatus_t cusparseSgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t, int, int, const float *,
    const float *, const float *, const float *, const float *, const float *, int, size_t *);
cusparseStatus_t cusparseSgthr(cusparseHandle_t, int, const float *, float *, const int *,
    cusparseIndexBase_t);
cusparseStatus_t cusparseSgthrz(cusparseHandle_t, int, float *, float *, const int *, cusparseIndexBase_t);
cusparseStatus_t cusparseSgtsv2(cusparseHandle_t, int, int, const float *, const float *, const float *,
    float *, int, void *);
cusparseStatus_t cusparseSgtsv2StridedBatch(cusparseHandle_t, int, const float *, const float *,
    const float *, float *, int, int, void *);
cusparseStatus_t cusparseSgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t, int, const float *, const float *,
    const float *, const float *, int, int, size_t *);
cusparseStatus_t cusparseSgtsv2_bufferSizeExt(cusparseHandle_t, int, int, const float *, const float *,
    const float *, const float *, int, size_t *);
cusparseStatus_t cusparseSgtsv2_nopivot(cusparseHandle_t, int, int, const float *, const float *,
    const float *, float *, int, void *);
cusparseStatus_t cusparseSgtsv2_nopivot_bufferSizeExt(cusparseHandle_t, int, int, const float *,
    const float *, const float *, const float *, int, size_t *);
cusparseStatus_t cusparseSgtsvInterleavedBatch(cusparseHandle_t, int, int, float *, float *, float *, float *,
    int, void *);
cusparseStatus_t cusparseSgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t, int, int, const float *,
    const float *, const float *, const float *, int, size_t *);
cusparseStatus_t cusparseSroti(cusparseHandle_t, int, float *, const int *, float *, const float *,
    const float *, cusparseIndexBase_t);
cusparseStatus_t cusparseSsctr(cusparseHandle_t, int, const float *, const int *, float *,
    cusparseIndexBase_t);
cusparseStatus_t cusparseXbsric02_zeroPivot(cusparseHandle_t, bsric02Info_t, int *);
cusparseStatus_t cusparseXbsrilu02_zeroPivot(cusparseHandle_t, bsrilu02Info_t, int *);
cusparseStatus_t cusparseXbsrsm2_zeroPivot(cusparseHandle_t, bsrsm2Info_t, int *);
cusparseStatus_t cusparseXbsrsv2_zeroPivot(cusparseHandle_t, bsrsv2Info_t, int *);
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t, int, int, cusparseMatDescr_t, int, const int *,
    const int *, cusparseMatDescr_t, int, const int *, const int *, cusparseMatDescr_t, int *, int *, void *);
cusparseStatus_t cusparseXcsrgemm2Nnz(cusparseHandle_t, int, int, int, cusparseMatDescr_t, int, const int *,
    const int *, cusparseMatDescr_t, int, const int *, const int *, cusparseMatDescr_t, int, const int *,
    const int *, cusparseMatDescr_t, int *, int *, csrgemm2Info_t, void *);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t, csric02Info_t, int *);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t, csrilu02Info_t, int *);
cusparseStatus_t cusparseXcsrsm2_zeroPivot(cusparseHandle_t, csrsm2Info_t, int *);
cusparseStatus_t cusparseXcsrsv2_zeroPivot(cusparseHandle_t, csrsv2Info_t, int *);
cusparseStatus_t cusparseZaxpyi(cusparseHandle_t, int, const cuDoubleComplex *, const cuDoubleComplex *,
    const int *, cuDoubleComplex *, cusparseIndexBase_t);
cusparseStatus_t cusparseZbsric02(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    cuDoubleComplex *, const int *, const int *, int, bsric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZbsric02_analysis(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, const cuDoubleComplex *, const int *, const int *, int, bsric02Info_t,
    cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZbsric02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, cuDoubleComplex *, const int *, const int *, int, bsric02Info_t, int *);
cusparseStatus_t cusparseZbsrilu02(cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t,
    cuDoubleComplex *, const int *, const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZbsrilu02_analysis(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, cuDoubleComplex *, const int *, const int *, int, bsrilu02Info_t,
    cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZbsrilu02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,
    cusparseMatDescr_t, cuDoubleComplex *, const int *, const int *, int, bsrilu02Info_t, int *);
cusparseStatus_t cusparseZbsrilu02_numericBoost(cusparseHandle_t, bsrilu02Info_t, int, double *,
    cuDoubleComplex *);
cusparseStatus_t cusparseZbsrmm(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, int, const cuDoubleComplex *, cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, int, const cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int);
cusparseStatus_t cusparseZbsrmv(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, int,
    const cuDoubleComplex *, cusparseMatDescr_t, const cuDoubleComplex *, const int *, const int *, int,
    const cuDoubleComplex *, const cuDoubleComplex *, cuDoubleComplex *);
cusparseStatus_t cusparseZbsrsm2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, cusparseMatDescr_t, const cuDoubleComplex *, const int *, const int *,
    int, bsrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZbsrsm2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, cusparseMatDescr_t, cuDoubleComplex *, const int *, const int *, int,
    bsrsm2Info_t, int *);
cusparseStatus_t cusparseZbsrsm2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,
    cusparseOperation_t, int, int, int, const cuDoubleComplex *, cusparseMatDescr_t, const cuDoubleComplex *,
    const int *, const int *, int, bsrsm2Info_t, const cuDoubleComplex *, int, cuDoubleComplex *, int,
    cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZbsrsv2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int,
    int, cusparseMatDescr_t, const cuDoubleComplex *, const int *, const int *, int, bsrsv2Info_t,
    cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZbsrsv2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int,
    int, cusparseMatDescr_t, cuDoubleComplex *, const int *, const int *, int, bsrsv2Info_t, int *);
cusparseStatus_t cusparseZbsrsv2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int,
    const cuDoubleComplex *, cusparseMatDescr_t, const cuDoubleComplex *, const int *, const int *, int,
    bsrsv2Info_t, const cuDoubleComplex *, cuDoubleComplex *, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZbsrxmv(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, int,
    int, const cuDoubleComplex *, cusparseMatDescr_t, const cuDoubleComplex *, const int *, const int *,
    const int *, const int *, int, const cuDoubleComplex *, const cuDoubleComplex *, cuDoubleComplex *);
cusparseStatus_t cusparseZcsrcolor(cusparseHandle_t, int, int, cusparseMatDescr_t, const cuDoubleComplex *,
    const int *, const int *, const double *, int *, int *, int *, cusparseColorInfo_t);
cusparseStatus_t cusparseZcsrgeam2(cusparseHandle_t, int, int, const cuDoubleComplex *, cusparseMatDescr_t,
    int, const cuDoubleComplex *, const int *, const int *, const cuDoubleComplex *, cusparseMatDescr_t, int,
    const cuDoubleComplex *, const int *, const int *, cusparseMatDescr_t, cuDoubleComplex *, int *, int *,
    void *);
cusparseStatus_t cusparseZcsrgeam2_bufferSizeExt(cusparseHandle_t, int, int, const cuDoubleComplex *,
    cusparseMatDescr_t, int, const cuDoubleComplex *, const int *, const int *, const cuDoubleComplex *,
    cusparseMatDescr_t, int, const cuDoubleComplex *, const int *, const int *, cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, size_t *);
cusparseStatus_t cusparseZcsrgemm2(cusparseHandle_t, int, int, int, const cuDoubleComplex *,
    cusparseMatDescr_t, int, const cuDoubleComplex *, const int *, const int *, cusparseMatDescr_t, int,
    const cuDoubleComplex *, const int *, const int *, const cuDoubleComplex *, cusparseMatDescr_t, int,
    const cuDoubleComplex *, const int *, const int *, cusparseMatDescr_t, cuDoubleComplex *, const int *,
    int *, csrgemm2Info_t, void *);
cusparseStatus_t cusparseZcsrgemm2_bufferSizeExt(cusparseHandle_t, int, int, int, const cuDoubleComplex *,
    cusparseMatDescr_t, int, const int *, const int *, cusparseMatDescr_t, int, const int *, const int *,
    const cuDoubleComplex *, cusparseMatDescr_t, int, const int *, const int *, csrgemm2Info_t, size_t *);
cusparseStatus_t cusparseZcsric02(cusparseHandle_t, int, int, cusparseMatDescr_t, cuDoubleComplex *,
    const int *, const int *, csric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZcsric02_analysis(cusparseHandle_t, int, int, cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, csric02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZcsric02_bufferSize(cusparseHandle_t, int, int, cusparseMatDescr_t,
    cuDoubleComplex *, const int *, const int *, csric02Info_t, int *);
cusparseStatus_t cusparseZcsrilu02(cusparseHandle_t, int, int, cusparseMatDescr_t, cuDoubleComplex *,
    const int *, const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZcsrilu02_analysis(cusparseHandle_t, int, int, cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZcsrilu02_bufferSize(cusparseHandle_t, int, int, cusparseMatDescr_t,
    cuDoubleComplex *, const int *, const int *, csrilu02Info_t, int *);
cusparseStatus_t cusparseZcsrilu02_numericBoost(cusparseHandle_t, csrilu02Info_t, int, double *,
    cuDoubleComplex *);
cusparseStatus_t cusparseZcsrsm2_analysis(cusparseHandle_t, int, cusparseOperation_t, cusparseOperation_t,
    int, int, int, const cuDoubleComplex *, cusparseMatDescr_t, const cuDoubleComplex *, const int *,
    const int *, const cuDoubleComplex *, int, csrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZcsrsm2_bufferSizeExt(cusparseHandle_t, int, cusparseOperation_t,
    cusparseOperation_t, int, int, int, const cuDoubleComplex *, cusparseMatDescr_t, const cuDoubleComplex *,
    const int *, const int *, const cuDoubleComplex *, int, csrsm2Info_t, cusparseSolvePolicy_t, size_t *);
cusparseStatus_t cusparseZcsrsm2_solve(cusparseHandle_t, int, cusparseOperation_t, cusparseOperation_t, int,
    int, int, const cuDoubleComplex *, cusparseMatDescr_t, const cuDoubleComplex *, const int *, const int *,
    cuDoubleComplex *, int, csrsm2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZcsrsv2_analysis(cusparseHandle_t, cusparseOperation_t, int, int, cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, csrsv2Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZcsrsv2_bufferSize(cusparseHandle_t, cusparseOperation_t, int, int,
    cusparseMatDescr_t, cuDoubleComplex *, const int *, const int *, csrsv2Info_t, int *);
cusparseStatus_t cusparseZcsrsv2_bufferSizeExt(cusparseHandle_t, cusparseOperation_t, int, int,
    cusparseMatDescr_t, cuDoubleComplex *, const int *, const int *, csrsv2Info_t, size_t *);
cusparseStatus_t cusparseZcsrsv2_solve(cusparseHandle_t, cusparseOperation_t, int, int,
    const cuDoubleComplex *, cusparseMatDescr_t, const cuDoubleComplex *, const int *, const int *,
    csrsv2Info_t, const cuDoubleComplex *, cuDoubleComplex *, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZgemmi(cusparseHandle_t, int, int, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, const int *, const int *, const cuDoubleComplex *,
    cuDoubleComplex *, int);
cusparseStatus_t cusparseZgemvi(cusparseHandle_t, cusparseOperation_t, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, int, const cuDoubleComplex *, const int *, const cuDoubleComplex *,
    cuDoubleComplex *, cusparseIndexBase_t, void *);
cusparseStatus_t cusparseZgemvi_bufferSize(cusparseHandle_t, cusparseOperation_t, int, int, int, int *);
cusparseStatus_t cusparseZgpsvInterleavedBatch(cusparseHandle_t, int, int, cuDoubleComplex *,
    cuDoubleComplex *, cuDoubleComplex *, cuDoubleComplex *, cuDoubleComplex *, cuDoubleComplex *, int,
    void *);
cusparseStatus_t cusparseZgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *,
    const cuDoubleComplex *, const cuDoubleComplex *, int, size_t *);
cusparseStatus_t cusparseZgthr(cusparseHandle_t, int, const cuDoubleComplex *, cuDoubleComplex *, const int *,
    cusparseIndexBase_t);
cusparseStatus_t cusparseZgthrz(cusparseHandle_t, int, cuDoubleComplex *, cuDoubleComplex *, const int *,
    cusparseIndexBase_t);
cusparseStatus_t cusparseZgtsv2(cusparseHandle_t, int, int, const cuDoubleComplex *, const cuDoubleComplex *,
    const cuDoubleComplex *, cuDoubleComplex *, int, void *);
cusparseStatus_t cusparseZgtsv2StridedBatch(cusparseHandle_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, const cuDoubleComplex *, cuDoubleComplex *, int, int, void *);
cusparseStatus_t cusparseZgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t, int, const cuDoubleComplex *,
    const cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, int, int, size_t *);
cusparseStatus_t cusparseZgtsv2_bufferSizeExt(cusparseHandle_t, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, int, size_t *);
cusparseStatus_t cusparseZgtsv2_nopivot(cusparseHandle_t, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, const cuDoubleComplex *, cuDoubleComplex *, int, void *);
cusparseStatus_t cusparseZgtsv2_nopivot_bufferSizeExt(cusparseHandle_t, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, int, size_t *);
cusparseStatus_t cusparseZgtsvInterleavedBatch(cusparseHandle_t, int, int, cuDoubleComplex *,
    cuDoubleComplex *, cuDoubleComplex *, cuDoubleComplex *, int, void *);
cusparseStatus_t cusparseZgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, int,
    size_t *);
cusparseStatus_t cusparseZsctr(cusparseHandle_t, int, const cuDoubleComplex *, const int *, cuDoubleComplex *,
    cusparseIndexBase_t);
}
