// porter runtime: the way from half to bf16 and back, in templates for any of them.
#ifndef PORTER_HALF_FROM_BF16_H
#define PORTER_HALF_FROM_BF16_H

#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

namespace porter {

// The float of a half or a bf16, which is exact; any other value as it is.
template <class T>
__host__ __device__ inline const T &widened(const T &value) { return value; }
__host__ __device__ inline float widened(const __half &value) { return __half2float(value); }
__host__ __device__ inline float widened(const __hip_bfloat16 &value) { return __bfloat162float(value); }

}  // namespace porter

#endif  // PORTER_HALF_FROM_BF16_H
