// porter stub headers: NVTX.
#pragma once

#include "nvtx3/nvToolsExtCudaRt.h"
