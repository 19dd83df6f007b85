// porter runtime: the conversions between dim3 and uint3, which CUDA's dim3 has.
#ifndef PORTER_GRID_VECTOR_H
#define PORTER_GRID_VECTOR_H

#include <hip/hip_runtime.h>

namespace porter {

__host__ __device__ inline dim3 dimensions(uint3 v) { return dim3(v.x, v.y, v.z); }
__host__ __device__ inline uint3 indices(dim3 v) { return make_uint3(v.x, v.y, v.z); }

}  // namespace porter

#endif  // PORTER_GRID_VECTOR_H
