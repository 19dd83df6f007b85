#ifndef NBODY_BODY_H
#define NBODY_BODY_H

// Included by host compilers too: no device code here.
#include <hip/hip_runtime.h>
#include <cstddef>
#include <hip/hip_vector_types.h>

struct Bodies {
    float4 *posm;      // position and mass
    float4 *vel;
    std::size_t count;
};

#ifdef __HIPCC__
#define NBODY_HD __host__ __device__
#else
#define NBODY_HD
#endif

NBODY_HD inline float norm2(float x, float y, float z) { return x * x + y * y + z * z; }

#endif  // NBODY_BODY_H
