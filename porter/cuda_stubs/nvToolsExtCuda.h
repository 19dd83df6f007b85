// porter stub headers: NVTX.
#pragma once

#include "nvtx3/nvToolsExtCuda.h"
