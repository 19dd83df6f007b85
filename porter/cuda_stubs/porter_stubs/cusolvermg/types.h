// porter stub headers: cuSOLVER multi-GPU, types
#pragma once
#include <stdio.h>
#include "../../cuda_runtime_api.h"
#include "../../cuComplex.h"
#include "../cusolver/types.h"

struct cusolverMgContext;
enum cusolverMgGridMapping_t { CUDALIBMG_GRID_MAPPING_COL_MAJOR = 0, CUDALIBMG_GRID_MAPPING_ROW_MAJOR };
typedef void *cudaLibMgGrid_t;
typedef void *cudaLibMgMatrixDesc_t;
typedef cusolverMgContext *cusolverMgHandle_t;
