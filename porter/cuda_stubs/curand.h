// porter stub headers: cuRAND, host side.
#pragma once
#include "cuda_runtime.h"
#include "porter_stubs/curand/functions.h"
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 3
#define CURAND_VER_PATCH 10
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)
