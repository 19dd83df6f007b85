// porter stub headers: device code, warp primitives
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include "../../builtin_types.h"

#ifdef __CUDACC__
__device__ unsigned int __activemask();
__device__ int __all_sync(unsigned int, int);
__device__ int __any_sync(unsigned int, int);
__device__ unsigned int __ballot_sync(unsigned int, int);
__device__ void __barrier_sync(unsigned int);
__device__ void __barrier_sync_count(unsigned int, unsigned int);
__device__ unsigned int __fns(unsigned int, unsigned int, int);
__device__ unsigned int __match_all_sync(unsigned int, double, int *);
__device__ unsigned int __match_all_sync(unsigned int, float, int *);
__device__ unsigned int __match_all_sync(unsigned int, int, int *);
__device__ unsigned int __match_all_sync(unsigned int, long, int *);
__device__ unsigned int __match_all_sync(unsigned int, long long, int *);
__device__ unsigned int __match_all_sync(unsigned int, unsigned int, int *);
__device__ unsigned int __match_all_sync(unsigned int, unsigned long, int *);
__device__ unsigned int __match_all_sync(unsigned int, unsigned long long, int *);
__device__ unsigned int __match_any_sync(unsigned int, double);
__device__ unsigned int __match_any_sync(unsigned int, float);
__device__ unsigned int __match_any_sync(unsigned int, int);
__device__ unsigned int __match_any_sync(unsigned int, long);
__device__ unsigned int __match_any_sync(unsigned int, long long);
__device__ unsigned int __match_any_sync(unsigned int, unsigned int);
__device__ unsigned int __match_any_sync(unsigned int, unsigned long);
__device__ unsigned int __match_any_sync(unsigned int, unsigned long long);
__device__ void __nanosleep(unsigned int);
__device__ int __reduce_add_sync(unsigned int, int);
__device__ unsigned int __reduce_add_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_and_sync(unsigned int, unsigned int);
__device__ int __reduce_max_sync(unsigned int, int);
__device__ unsigned int __reduce_max_sync(unsigned int, unsigned int);
__device__ int __reduce_min_sync(unsigned int, int);
__device__ unsigned int __reduce_min_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_or_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_xor_sync(unsigned int, unsigned int);
__device__ double __shfl_down_sync(unsigned int, double, unsigned int, int = 32);
__device__ float __shfl_down_sync(unsigned int, float, unsigned int, int = 32);
__device__ int __shfl_down_sync(unsigned int, int, unsigned int, int = 32);
__device__ long __shfl_down_sync(unsigned int, long, unsigned int, int = 32);
__device__ long long __shfl_down_sync(unsigned int, long long, unsigned int, int = 32);
__device__ unsigned int __shfl_down_sync(unsigned int, unsigned int, unsigned int, int = 32);
__device__ unsigned long __shfl_down_sync(unsigned int, unsigned long, unsigned int, int = 32);
__device__ unsigned long long __shfl_down_sync(unsigned int, unsigned long long, unsigned int, int = 32);
__device__ double __shfl_sync(unsigned int, double, int, int = 32);
__device__ float __shfl_sync(unsigned int, float, int, int = 32);
__device__ int __shfl_sync(unsigned int, int, int, int = 32);
__device__ long __shfl_sync(unsigned int, long, int, int = 32);
__device__ long long __shfl_sync(unsigned int, long long, int, int = 32);
__device__ unsigned int __shfl_sync(unsigned int, unsigned int, int, int = 32);
__device__ unsigned long __shfl_sync(unsigned int, unsigned long, int, int = 32);
__device__ unsigned long long __shfl_sync(unsigned int, unsigned long long, int, int = 32);
__device__ double __shfl_up_sync(unsigned int, double, unsigned int, int = 32);
__device__ float __shfl_up_sync(unsigned int, float, unsigned int, int = 32);
__device__ int __shfl_up_sync(unsigned int, int, unsigned int, int = 32);
__device__ long __shfl_up_sync(unsigned int, long, unsigned int, int = 32);
__device__ long long __shfl_up_sync(unsigned int, long long, unsigned int, int = 32);
__device__ unsigned int __shfl_up_sync(unsigned int, unsigned int, unsigned int, int = 32);
__device__ unsigned long __shfl_up_sync(unsigned int, unsigned long, unsigned int, int = 32);
__device__ unsigned long long __shfl_up_sync(unsigned int, unsigned long long, unsigned int, int = 32);
__device__ double __shfl_xor_sync(unsigned int, double, int, int = 32);
__device__ float __shfl_xor_sync(unsigned int, float, int, int = 32);
__device__ int __shfl_xor_sync(unsigned int, int, int, int = 32);
__device__ long __shfl_xor_sync(unsigned int, long, int, int = 32);
__device__ long long __shfl_xor_sync(unsigned int, long long, int, int = 32);
__device__ unsigned int __shfl_xor_sync(unsigned int, unsigned int, int, int = 32);
__device__ unsigned long __shfl_xor_sync(unsigned int, unsigned long, int, int = 32);
__device__ unsigned long long __shfl_xor_sync(unsigned int, unsigned long long, int, int = 32);
__device__ void __syncwarp(unsigned int = 0xFFFFFFFF);
__device__ int __uni_sync(unsigned int, int);
#endif
