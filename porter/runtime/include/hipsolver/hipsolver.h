// porter's stand-in for hipSOLVER: its handles and status, which torch's headers name; hipSOLVER's own is taken where it
// is found. Not here, and an error by name where used: its functions.
#ifndef PORTER_HIPSOLVER
#pragma clang system_header

#if __has_include_next(<hipsolver/hipsolver.h>)
#include_next <hipsolver/hipsolver.h>
#else
#define PORTER_HIPSOLVER

#include <hip/hip_runtime_api.h>

typedef void *hipsolverHandle_t;
typedef hipsolverHandle_t hipsolverDnHandle_t;
typedef enum {
  HIPSOLVER_STATUS_SUCCESS = 0,
  HIPSOLVER_STATUS_NOT_INITIALIZED = 1,
  HIPSOLVER_STATUS_ALLOC_FAILED = 2,
  HIPSOLVER_STATUS_INVALID_VALUE = 3,
  HIPSOLVER_STATUS_MAPPING_ERROR = 4,
  HIPSOLVER_STATUS_EXECUTION_FAILED = 5,
  HIPSOLVER_STATUS_INTERNAL_ERROR = 6,
  HIPSOLVER_STATUS_NOT_SUPPORTED = 7,
  HIPSOLVER_STATUS_ARCH_MISMATCH = 8,
  HIPSOLVER_STATUS_HANDLE_IS_NULLPTR = 9,
  HIPSOLVER_STATUS_INVALID_ENUM = 10,
  HIPSOLVER_STATUS_UNKNOWN = 11
} hipsolverStatus_t;

#endif
#endif
