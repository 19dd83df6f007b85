#pragma once
// Nothing in this file is CUDA's but the vector types: it must come out as it went in.
#include <cmath>
#include <vector>
#include "nbody/body.h"

inline double total_kinetic(const std::vector<float4> &posm, const std::vector<float4> &vel)
{
    double e = 0;
    for (std::size_t i = 0; i < posm.size(); ++i) e += 0.5 * posm[i].w * norm2(vel[i].x, vel[i].y, vel[i].z);
    return e;
}

inline double momentum(const std::vector<float4> &posm, const std::vector<float4> &vel)
{
    double p[3] = {0, 0, 0};
    for (std::size_t i = 0; i < posm.size(); ++i) {
        p[0] += posm[i].w * vel[i].x;
        p[1] += posm[i].w * vel[i].y;
        p[2] += posm[i].w * vel[i].z;
    }
    return std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}
