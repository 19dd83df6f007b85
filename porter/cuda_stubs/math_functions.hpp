// porter stub headers: math functions.
#pragma once

#include "cuda_runtime.h"
