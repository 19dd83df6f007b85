#pragma once
#include <cstdio>
#include <cstdlib>
#include <hip/hip_runtime_api.h>
#define NBODY_CHECK(expr)                                                                   \
    do {                                                                                    \
        const hipError_t error_ = (expr);                                                  \
        if (error_ != hipSuccess) {                                                        \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(error_)); \
            std::exit(EXIT_FAILURE);                                                        \
        }                                                                                   \
    } while (0)
