// porter stub headers: barriers without a class.
#pragma once
#include "cuda_pipeline_primitives.h"
#ifdef __CUDACC__
typedef unsigned long long __mbarrier_token_t;
__device__ unsigned int __mbarrier_maximum_count();
__device__ void __mbarrier_init(__mbarrier_t *, unsigned int);
__device__ void __mbarrier_inval(__mbarrier_t *);
__device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *);
__device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *);
__device__ bool __mbarrier_test_wait(__mbarrier_t *, __mbarrier_token_t);
__device__ bool __mbarrier_try_wait(__mbarrier_t *, __mbarrier_token_t, unsigned int);
__device__ bool __mbarrier_try_wait_parity(__mbarrier_t *, bool, unsigned int);
__device__ unsigned int __mbarrier_token_pending_count(__mbarrier_token_t);
#endif
