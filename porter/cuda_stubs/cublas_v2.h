// porter stub headers: cuBLAS.
#pragma once
#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"
#include "porter_stubs/cublas/types.h"
#include "porter_stubs/cublas/extensions.h"
#include "porter_stubs/cublas/half.h"
#include "porter_stubs/cublas/helpers.h"
#include "porter_stubs/cublas/level1.h"
#include "porter_stubs/cublas/level2.h"
#include "porter_stubs/cublas/level3.h"
#include "porter_stubs/cublas/transfers.h"
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 9
#define CUBLAS_VER_PATCH 1
#define CUBLAS_VER_BUILD 4
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)
