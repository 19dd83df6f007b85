// porter stub headers: cuSPARSE, solvers, products and preconditioners
#pragma once
#include "types.h"

extern "C" {
#define PORTER_ROUTINES "cusparse/routines.inc"
#define PORTER_NAME(name) cusparse##name
#include "../each_type.inc"
#undef PORTER_NAME
#undef PORTER_ROUTINES
cusparseStatus_t cusparseCooAoSGet(cusparseSpMatDescr_t, int64_t *, int64_t *, int64_t *, void **, void **,
    cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseCsrmvEx(cusparseHandle_t, cusparseAlgMode_t, cusparseOperation_t, int, int, int, const void *,
    cudaDataType, cusparseMatDescr_t, const void *, cudaDataType, const int *, const int *, const void *, cudaDataType,
    const void *, cudaDataType, void *, cudaDataType, cudaDataType, void *);
cusparseStatus_t cusparseCsrmvEx_bufferSize(cusparseHandle_t, cusparseAlgMode_t, cusparseOperation_t, int, int, int,
    const void *, cudaDataType, cusparseMatDescr_t, const void *, cudaDataType, const int *, const int *, const void *,
    cudaDataType, const void *, cudaDataType, void *, cudaDataType, cudaDataType, size_t *);
cusparseStatus_t cusparseDsctr(cusparseHandle_t, int, const double *, const int *, double *, cusparseIndexBase_t);
cusparseStatus_t cusparseGetColorAlgs(cusparseColorInfo_t, cusparseColorAlg_t *);
cusparseStatus_t cusparseSetColorAlgs(cusparseColorInfo_t, cusparseColorAlg_t);
cusparseStatus_t cusparseSsctr(cusparseHandle_t, int, const float *, const int *, float *, cusparseIndexBase_t);
cusparseStatus_t cusparseXbsric02_zeroPivot(cusparseHandle_t, bsric02Info_t, int *);
cusparseStatus_t cusparseXbsrilu02_zeroPivot(cusparseHandle_t, bsrilu02Info_t, int *);
cusparseStatus_t cusparseXbsrsm2_zeroPivot(cusparseHandle_t, bsrsm2Info_t, int *);
cusparseStatus_t cusparseXbsrsv2_zeroPivot(cusparseHandle_t, bsrsv2Info_t, int *);
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t, int, int, cusparseMatDescr_t, int, const int *, const int *,
    cusparseMatDescr_t, int, const int *, const int *, cusparseMatDescr_t, int *, int *, void *);
cusparseStatus_t cusparseXcsrgemm2Nnz(cusparseHandle_t, int, int, int, cusparseMatDescr_t, int, const int *,
    const int *, cusparseMatDescr_t, int, const int *, const int *, cusparseMatDescr_t, int, const int *, const int *,
    cusparseMatDescr_t, int *, int *, csrgemm2Info_t, void *);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t, csric02Info_t, int *);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t, csrilu02Info_t, int *);
cusparseStatus_t cusparseXcsrsm2_zeroPivot(cusparseHandle_t, csrsm2Info_t, int *);
cusparseStatus_t cusparseXcsrsv2_zeroPivot(cusparseHandle_t, csrsv2Info_t, int *);
cusparseStatus_t cusparseZsctr(cusparseHandle_t, int, const cuDoubleComplex *, const int *, cuDoubleComplex *,
    cusparseIndexBase_t);
}
