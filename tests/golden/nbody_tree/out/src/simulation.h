#pragma once
#include <hip/hip_runtime.h>
#include <vector>
#include "nbody/body.h"

namespace nbody {

class Simulation {
public:
    Simulation(const std::vector<float4> &posm, float eps);
    ~Simulation();
    Simulation(const Simulation &) = delete;
    void step(float dt);
    double kineticEnergy();
    std::vector<float4> velocities() const;

private:
    int n_;
    Bodies bodies_{};
    hipStream_t stream_ = nullptr;
};

}  // namespace nbody
