// porter stub headers: device code, functions that old toolkits had and new ones dropped.
#pragma once
#include "../../builtin_types.h"
#include "../../device_launch_parameters.h"
#ifdef __CUDACC__
// Warp primitives without a mask, removed for Volta.
__device__ int __all(int);
__device__ int __any(int);
__device__ unsigned int __ballot(int);
template <class T> __device__ T __shfl(T, int, int = warpSize) PORTER_STUB_BODY
template <class T> __device__ T __shfl_up(T, unsigned int, int = warpSize) PORTER_STUB_BODY
template <class T> __device__ T __shfl_down(T, unsigned int, int = warpSize) PORTER_STUB_BODY
template <class T> __device__ T __shfl_xor(T, int, int = warpSize) PORTER_STUB_BODY
#endif
