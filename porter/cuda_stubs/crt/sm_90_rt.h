// porter stub headers: intrinsics of one architecture.
#pragma once

#include "../cuda_runtime.h"
