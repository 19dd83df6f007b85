#include <cmath>
#include <cstdio>
#include <cstdlib>
#include "host_math.hpp"
#include "simulation.h"

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    std::vector<float4> posm(n);
    for (int i = 0; i < n; ++i)
        posm[i] = make_float4(std::sin(i * 1.3f), std::cos(i * 0.7f), std::sin(i * 0.3f), 1.0f / n);
    nbody::Simulation simulation(posm, 0.1f);
    for (int s = 0; s < 3; ++s) simulation.step(0.01f);

    const std::vector<float4> vel = simulation.velocities();
    const double expected = total_kinetic(posm, vel), got = simulation.kineticEnergy();
    const bool ok = got > 0 && std::fabs(got - expected) <= 1e-5 * expected && momentum(posm, vel) < 1e-4;
    std::printf("%s: kinetic energy %g on the device, %g on the host\n", ok ? "PASS" : "FAIL", got, expected);
    return ok ? 0 : 1;
}
