// porter stub headers: NVRTC.
#pragma once

#include "porter_stubs/nvrtc/functions.h"
