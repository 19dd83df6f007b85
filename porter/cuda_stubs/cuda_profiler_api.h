// porter stub headers: profiler control.
#pragma once
#include "driver_types.h"

extern "C" {
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
}
cudaError_t cudaProfilerInitialize(const char *, const char *, cudaOutputMode_t);
