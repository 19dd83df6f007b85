// porter stub headers: texture reads.
#pragma once

#include "cuda_runtime.h"
