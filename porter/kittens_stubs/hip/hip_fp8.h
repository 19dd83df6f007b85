// HIP's names that porter's fp8 types have, for the parser: see README.md.
#pragma once
#include <cuda_fp8.h>
using __hip_fp8_storage_t = __nv_fp8_storage_t;
using __hip_fp8x2_storage_t = __nv_fp8x2_storage_t;
using __hip_fp8x4_storage_t = __nv_fp8x4_storage_t;
using __hip_fp8_interpretation_t = __nv_fp8_interpretation_t;
using __hip_saturation_t = __nv_saturation_t;
#define __HIP_E4M3 __NV_E4M3
#define __HIP_E5M2 __NV_E5M2
#define __HIP_SATFINITE __NV_SATFINITE
