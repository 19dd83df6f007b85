// porter stub headers: asynchronous copies without a class.
#pragma once
#include "cuda_runtime.h"
#ifdef __CUDACC__
typedef unsigned long long __mbarrier_t;
__device__ void __pipeline_memcpy_async(void *, const void *, size_t, size_t = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t);
__device__ void __pipeline_arrive_on(__mbarrier_t *);
#endif
