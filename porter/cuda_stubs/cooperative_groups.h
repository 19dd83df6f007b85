// porter stub headers: cooperative groups.
#pragma once
#include "cuda_runtime.h"
#ifdef __CUDACC__
#include "porter_stubs/cooperative_groups/groups.h"
#include "porter_stubs/cooperative_groups/partitions.h"
#include "porter_stubs/cooperative_groups/tiles.h"
#endif
