// porter stub headers: cuSPARSE, types
#pragma once
#include <stdio.h>
#include "../../cuda_runtime_api.h"
#include "../../cuComplex.h"

struct bsric02Info;
struct bsrilu02Info;
struct bsrsm2Info;
struct bsrsv2Info;
struct csrgemm2Info;
struct csric02Info;
struct csrilu02Info;
struct csrsm2Info;
struct csrsv2Info;
struct csru2csrInfo;
struct cusparseColorInfo;
struct cusparseContext;
struct cusparseDnMatDescr;
struct cusparseDnVecDescr;
struct cusparseMatDescr;
struct cusparseSpGEMMDescr;
struct cusparseSpMMOpPlan;
struct cusparseSpMatDescr;
struct cusparseSpSMDescr;
struct cusparseSpSVDescr;
struct cusparseSpVecDescr;
struct pruneInfo;
enum cusparseAction_t { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC };
enum cusparseAlgMode_t { CUSPARSE_ALG_MERGE_PATH = 0 };
enum cusparseColorAlg_t { CUSPARSE_COLOR_ALG0 = 0, CUSPARSE_COLOR_ALG1 };
enum cusparseCsr2CscAlg_t { CUSPARSE_CSR2CSC_ALG1 = 1, CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG2 };
enum cusparseDenseToSparseAlg_t { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 };
enum cusparseDiagType_t { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT };
enum cusparseDirection_t { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN };
enum cusparseFillMode_t { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER };
enum cusparseFormat_t {
  CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_COO_AOS,
  CUSPARSE_FORMAT_BLOCKED_ELL = 5, CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_SLICED_ELLPACK,
};
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE };
enum cusparseIndexType_t { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I };
enum cusparseMatrixType_t {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0, CUSPARSE_MATRIX_TYPE_SYMMETRIC, CUSPARSE_MATRIX_TYPE_HERMITIAN,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3,
};
enum cusparseOperation_t {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
};
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW };
enum cusparsePointerMode_t { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE };
enum cusparseSDDMMAlg_t { CUSPARSE_SDDMM_ALG_DEFAULT = 0 };
enum cusparseSideMode_t { CUSPARSE_SIDE_LEFT = 0, CUSPARSE_SIDE_RIGHT };
enum cusparseSolvePolicy_t { CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL };
enum cusparseSpGEMMAlg_t {
  CUSPARSE_SPGEMM_DEFAULT = 0, CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC, CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC,
  CUSPARSE_SPGEMM_ALG1 = 3, CUSPARSE_SPGEMM_ALG2, CUSPARSE_SPGEMM_ALG3,
};
enum cusparseSpMMAlg_t {
  CUSPARSE_MM_ALG_DEFAULT = 0, CUSPARSE_SPMM_ALG_DEFAULT = 0, CUSPARSE_COOMM_ALG1, CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_COOMM_ALG2 = 2, CUSPARSE_SPMM_COO_ALG2 = 2, CUSPARSE_COOMM_ALG3, CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_CSRMM_ALG1 = 4, CUSPARSE_SPMM_CSR_ALG1 = 4, CUSPARSE_SPMM_COO_ALG4, CUSPARSE_SPMM_CSR_ALG2,
  CUSPARSE_SPMM_CSR_ALG3 = 12, CUSPARSE_SPMM_BLOCKED_ELL_ALG1, CUSPARSE_SPMM_BSR_ALG1,
};
enum cusparseSpMMOpAlg_t { CUSPARSE_SPMM_OP_ALG_DEFAULT = 0 };
enum cusparseSpMVAlg_t {
  CUSPARSE_MV_ALG_DEFAULT = 0, CUSPARSE_SPMV_ALG_DEFAULT = 0, CUSPARSE_COOMV_ALG, CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_CSRMV_ALG1 = 2, CUSPARSE_SPMV_CSR_ALG1 = 2, CUSPARSE_CSRMV_ALG2, CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4, CUSPARSE_SPMV_SELL_ALG1, CUSPARSE_SPMV_BSR_ALG1,
};
enum cusparseSpMatAttribute_t { CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE };
enum cusparseSpSMAlg_t { CUSPARSE_SPSM_ALG_DEFAULT = 0 };
enum cusparseSpSMUpdate_t { CUSPARSE_SPSM_UPDATE_GENERAL = 0, CUSPARSE_SPSM_UPDATE_DIAGONAL };
enum cusparseSpSVAlg_t { CUSPARSE_SPSV_ALG_DEFAULT = 0 };
enum cusparseSpSVUpdate_t { CUSPARSE_SPSV_UPDATE_GENERAL = 0, CUSPARSE_SPSV_UPDATE_DIAGONAL };
enum cusparseSparseToDenseAlg_t { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 };
enum cusparseStatus_t {
  CUSPARSE_STATUS_SUCCESS = 0, CUSPARSE_STATUS_NOT_INITIALIZED, CUSPARSE_STATUS_ALLOC_FAILED,
  CUSPARSE_STATUS_INVALID_VALUE = 3, CUSPARSE_STATUS_ARCH_MISMATCH, CUSPARSE_STATUS_MAPPING_ERROR,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6, CUSPARSE_STATUS_INTERNAL_ERROR, CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
  CUSPARSE_STATUS_ZERO_PIVOT = 9, CUSPARSE_STATUS_NOT_SUPPORTED, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES,
};
typedef bsric02Info *bsric02Info_t;
typedef bsrilu02Info *bsrilu02Info_t;
typedef bsrsm2Info *bsrsm2Info_t;
typedef bsrsv2Info *bsrsv2Info_t;
typedef csrgemm2Info *csrgemm2Info_t;
typedef csric02Info *csric02Info_t;
typedef csrilu02Info *csrilu02Info_t;
typedef csrsm2Info *csrsm2Info_t;
typedef csrsv2Info *csrsv2Info_t;
typedef csru2csrInfo *csru2csrInfo_t;
typedef cusparseColorInfo *cusparseColorInfo_t;
typedef const cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef const cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef cusparseContext *cusparseHandle_t;
typedef void (*cusparseLoggerCallback_t)(int, const char *, const char *);
typedef cusparseMatDescr *cusparseMatDescr_t;
typedef cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef cusparseSpMMOpPlan *cusparseSpMMOpPlan_t;
typedef cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef pruneInfo *pruneInfo_t;
