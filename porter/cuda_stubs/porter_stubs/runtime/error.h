// porter stub headers: CUDA runtime, functions for error codes
#pragma once
#include "../../builtin_types.h"

extern "C" {
const char *cudaGetErrorName(cudaError_t);
const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
}
