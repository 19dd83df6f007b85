// porter stub headers: the built-in variables of a kernel.
#pragma once
#include "vector_types.h"
#ifdef __CUDACC__
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;
#endif
