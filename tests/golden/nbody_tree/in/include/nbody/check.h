#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#define NBODY_CHECK(expr)                                                                   \
    do {                                                                                    \
        const cudaError_t error_ = (expr);                                                  \
        if (error_ != cudaSuccess) {                                                        \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
            std::exit(EXIT_FAILURE);                                                        \
        }                                                                                   \
    } while (0)
