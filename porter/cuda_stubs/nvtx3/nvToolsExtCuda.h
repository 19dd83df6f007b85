// porter stub headers: NVTX, names for objects of the driver.
#pragma once
#include "nvToolsExt.h"

extern "C" {
void nvtxNameCuDeviceA(CUdevice, const char *);
void nvtxNameCuContextA(CUcontext, const char *);
void nvtxNameCuStreamA(CUstream, const char *);
void nvtxNameCuEventA(CUevent, const char *);
}
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
