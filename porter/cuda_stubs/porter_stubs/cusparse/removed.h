// porter stub headers: cuSPARSE, functions that releases up to 11 had
// Older toolkits declared these; the parameters are not checked.
#pragma once
#include "types.h"

struct cusparseHybMat;
typedef cusparseHybMat *cusparseHybMat_t;
struct cusparseSolveAnalysisInfo;
typedef cusparseSolveAnalysisInfo *cusparseSolveAnalysisInfo_t;
enum cusparseHybPartition_t {
  CUSPARSE_HYB_PARTITION_AUTO = 0, CUSPARSE_HYB_PARTITION_USER, CUSPARSE_HYB_PARTITION_MAX,
};

#define CUSPARSE_ALG0 ((cusparseAlgMode_t)0)
#define CUSPARSE_ALG_NAIVE ((cusparseAlgMode_t)0)
#define CUSPARSE_ALG1 ((cusparseAlgMode_t)1)

#define PORTER_ONE(name) template <class... A> cusparseStatus_t cusparse##name(A &&...) PORTER_STUB_BODY
#define PORTER_EACH(name) PORTER_ONE(S##name) PORTER_ONE(D##name) PORTER_ONE(C##name) PORTER_ONE(Z##name)
PORTER_EACH(bsric02_bufferSizeExt) PORTER_EACH(bsrilu02_bufferSizeExt) PORTER_EACH(bsrsm2_bufferSizeExt)
PORTER_EACH(bsrsv2_bufferSizeExt) PORTER_EACH(csc2hyb) PORTER_EACH(csr2csc) PORTER_EACH(csr2gebsr_bufferSizeExt)
PORTER_EACH(csr2hyb) PORTER_EACH(csrgeam) PORTER_EACH(csrgemm) PORTER_EACH(csric0) PORTER_EACH(csric02_bufferSizeExt)
PORTER_EACH(csrilu0) PORTER_EACH(csrilu02_bufferSizeExt) PORTER_EACH(csrmm) PORTER_EACH(csrmm2) PORTER_EACH(csrmv)
PORTER_EACH(csrmv_mp) PORTER_EACH(csrsm_analysis) PORTER_EACH(csrsm_solve) PORTER_EACH(csrsv_analysis)
PORTER_EACH(csrsv_solve) PORTER_EACH(dense2hyb) PORTER_EACH(doti) PORTER_EACH(gebsr2gebsc_bufferSizeExt)
PORTER_EACH(gebsr2gebsr_bufferSizeExt) PORTER_EACH(gtsv) PORTER_EACH(gtsvStridedBatch) PORTER_EACH(gtsv_nopivot)
PORTER_EACH(hyb2csc) PORTER_EACH(hyb2csr) PORTER_EACH(hyb2dense) PORTER_EACH(hybmv) PORTER_EACH(hybsv_analysis)
PORTER_EACH(hybsv_solve)
PORTER_ONE(Cdotci) PORTER_ONE(CreateHybMat) PORTER_ONE(CreateSolveAnalysisInfo) PORTER_ONE(Csr2cscEx)
PORTER_ONE(Csrilu0Ex) PORTER_ONE(Csrsv_analysisEx) PORTER_ONE(Csrsv_solveEx) PORTER_ONE(DestroyHybMat)
PORTER_ONE(DestroySolveAnalysisInfo) PORTER_ONE(GetLevelInfo) PORTER_ONE(HpruneCsr2csr)
PORTER_ONE(HpruneCsr2csrByPercentage) PORTER_ONE(HpruneCsr2csrByPercentage_bufferSizeExt) PORTER_ONE(HpruneCsr2csrNnz)
PORTER_ONE(HpruneCsr2csrNnzByPercentage) PORTER_ONE(HpruneCsr2csr_bufferSizeExt) PORTER_ONE(HpruneDense2csr)
PORTER_ONE(HpruneDense2csrByPercentage) PORTER_ONE(HpruneDense2csrByPercentage_bufferSizeExt)
PORTER_ONE(HpruneDense2csrNnz) PORTER_ONE(HpruneDense2csrNnzByPercentage) PORTER_ONE(HpruneDense2csr_bufferSizeExt)
PORTER_ONE(SpMatGetNumBatches) PORTER_ONE(SpMatSetNumBatches) PORTER_ONE(XcsrgeamNnz) PORTER_ONE(XcsrgemmNnz)
PORTER_ONE(Xgebsr2csr) PORTER_ONE(Zdotci)
#undef PORTER_EACH
#undef PORTER_ONE
