// porter stub headers: the runtime in device code.
#pragma once

#include "cuda_runtime.h"
