// porter stub headers: cuSPARSE, functions that releases up to 11 had
// Older toolkits declared these; the parameters are not checked.
#pragma once

#include "types.h"

struct cusparseHybMat;
typedef cusparseHybMat *cusparseHybMat_t;
struct cusparseSolveAnalysisInfo;
typedef cusparseSolveAnalysisInfo *cusparseSolveAnalysisInfo_t;

enum cusparseHybPartition_t {
  CUSPARSE_HYB_PARTITION_AUTO = 0,
  CUSPARSE_HYB_PARTITION_USER = 1,
  CUSPARSE_HYB_PARTITION_MAX = 2,
};

#define CUSPARSE_ALG0 ((cusparseAlgMode_t)0)
#define CUSPARSE_ALG_NAIVE ((cusparseAlgMode_t)0)
#define CUSPARSE_ALG1 ((cusparseAlgMode_t)1)

template <class... A>
cusparseStatus_t cusparseCbsric02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCbsrilu02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCbsrsm2_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCbsrsv2_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsc2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsr2csc(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsr2gebsr_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsr2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrgeam(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrgemm(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsric0(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsric02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrilu0(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrilu02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrmm(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrmm2(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrmv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrmv_mp(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrsm_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrsm_solve(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrsv_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCcsrsv_solve(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCdense2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCdotci(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCdoti(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCgebsr2gebsc_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCgebsr2gebsr_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCgtsv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCgtsvStridedBatch(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCgtsv_nopivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseChyb2csc(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseChyb2csr(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseChyb2dense(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseChybmv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseChybsv_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseChybsv_solve(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCreateHybMat(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCreateSolveAnalysisInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCsr2cscEx(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCsrilu0Ex(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCsrsv_analysisEx(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseCsrsv_solveEx(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDbsric02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDbsrilu02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDbsrsm2_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDbsrsv2_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsc2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsr2csc(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsr2gebsr_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsr2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrgeam(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrgemm(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsric0(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsric02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrilu0(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrilu02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrmm(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrmm2(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrmv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrmv_mp(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrsm_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrsm_solve(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrsv_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDcsrsv_solve(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDdense2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDdoti(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDestroyHybMat(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDestroySolveAnalysisInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDgebsr2gebsc_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDgebsr2gebsr_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDgtsv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDgtsvStridedBatch(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDgtsv_nopivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDhyb2csc(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDhyb2csr(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDhyb2dense(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDhybmv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDhybsv_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseDhybsv_solve(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseGetLevelInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneCsr2csr(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneCsr2csrByPercentage(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneCsr2csrByPercentage_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneCsr2csrNnz(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneCsr2csrNnzByPercentage(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneCsr2csr_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneDense2csr(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneDense2csrByPercentage(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneDense2csrByPercentage_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneDense2csrNnz(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneDense2csrNnzByPercentage(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseHpruneDense2csr_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSbsric02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSbsrilu02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSbsrsm2_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSbsrsv2_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsc2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsr2csc(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsr2gebsr_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsr2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrgeam(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrgemm(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsric0(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsric02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrilu0(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrilu02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrmm(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrmm2(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrmv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrmv_mp(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrsm_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrsm_solve(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrsv_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseScsrsv_solve(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSdense2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSdoti(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSgebsr2gebsc_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSgebsr2gebsr_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSgtsv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSgtsvStridedBatch(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSgtsv_nopivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseShyb2csc(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseShyb2csr(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseShyb2dense(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseShybmv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseShybsv_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseShybsv_solve(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSpMatGetNumBatches(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseSpMatSetNumBatches(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseXcsrgeamNnz(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseXcsrgemmNnz(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseXgebsr2csr(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZbsric02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZbsrilu02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZbsrsm2_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZbsrsv2_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsc2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsr2csc(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsr2gebsr_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsr2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrgeam(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrgemm(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsric0(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsric02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrilu0(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrilu02_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrmm(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrmm2(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrmv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrmv_mp(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrsm_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrsm_solve(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrsv_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZcsrsv_solve(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZdense2hyb(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZdotci(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZdoti(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZgebsr2gebsc_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZgebsr2gebsr_bufferSizeExt(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZgtsv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZgtsvStridedBatch(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZgtsv_nopivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZhyb2csc(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZhyb2csr(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZhyb2dense(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZhybmv(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZhybsv_analysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusparseStatus_t cusparseZhybsv_solve(A &&...) PORTER_STUB_BODY
