// porter's stand-in for hipSPARSE: its handle, status and version, which torch's headers name; hipSPARSE's own is taken
// where it is found. Not here, and an error by name where used: its functions.
#ifndef PORTER_HIPSPARSE
#pragma clang system_header

#if __has_include_next(<hipsparse/hipsparse.h>)
#include_next <hipsparse/hipsparse.h>
#else
#define PORTER_HIPSPARSE

#include <hip/hip_runtime_api.h>

#include <hipsparse/hipsparse-version.h>

typedef void *hipsparseHandle_t;
typedef void *hipsparseMatDescr_t;
typedef enum {
  HIPSPARSE_STATUS_SUCCESS = 0,
  HIPSPARSE_STATUS_NOT_INITIALIZED = 1,
  HIPSPARSE_STATUS_ALLOC_FAILED = 2,
  HIPSPARSE_STATUS_INVALID_VALUE = 3,
  HIPSPARSE_STATUS_ARCH_MISMATCH = 4,
  HIPSPARSE_STATUS_MAPPING_ERROR = 5,
  HIPSPARSE_STATUS_EXECUTION_FAILED = 6,
  HIPSPARSE_STATUS_INTERNAL_ERROR = 7,
  HIPSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  HIPSPARSE_STATUS_ZERO_PIVOT = 9,
  HIPSPARSE_STATUS_NOT_SUPPORTED = 10,
  HIPSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} hipsparseStatus_t;

#endif
#endif
