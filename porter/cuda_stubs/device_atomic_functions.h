// porter stub headers: atomic functions.
#pragma once

#include "cuda_runtime.h"
