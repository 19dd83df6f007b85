// porter stub headers: the implementation part has nothing of its own here.
#pragma once

#include "cuda_fp8.h"
