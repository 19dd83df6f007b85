// porter stub headers: NVTX, synchronisation.
#pragma once

#include "nvToolsExt.h"
