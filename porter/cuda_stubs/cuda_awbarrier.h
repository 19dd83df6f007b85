// porter stub headers: barriers.
#pragma once

#include "cuda_awbarrier_primitives.h"
