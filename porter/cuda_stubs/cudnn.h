// porter stub headers: cuDNN.
#pragma once
#include "cuda_runtime.h"
#include "porter_stubs/cudnn/convolution.h"
#include "porter_stubs/cudnn/helpers.h"
#include "porter_stubs/cudnn/operations.h"
#include "porter_stubs/cudnn/recurrent.h"
#include "porter_stubs/cudnn/removed.h"
#define CUDNN_MAJOR 9
#define CUDNN_MINOR 10
#define CUDNN_PATCHLEVEL 2
#define CUDNN_VERSION (CUDNN_MAJOR * 10000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)
#define CUDNN_DIM_MAX 8
#define CUDNN_LRN_MIN_N 1
#define CUDNN_LRN_MAX_N 16
#define CUDNN_LRN_MIN_K 1e-5
#define CUDNN_LRN_MIN_BETA 0.01
#define CUDNN_BN_MIN_EPSILON 0.0
#define CUDNN_SEV_ERROR_EN 2
#define CUDNN_SEV_WARNING_EN 4
#define CUDNN_SEV_INFO_EN 8
#define CUDNN_SEQDATA_DIM_COUNT 4
