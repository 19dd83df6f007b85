// porter stub headers: double intrinsics.
#pragma once

#include "cuda_runtime.h"
