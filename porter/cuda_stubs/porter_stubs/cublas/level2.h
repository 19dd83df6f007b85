// porter stub headers: cuBLAS, level 2
#pragma once
#include "types.h"

extern "C" {
#define PORTER_ROUTINES "cublas/level2.inc"
#include "each_index.inc"
#undef PORTER_ROUTINES
}
