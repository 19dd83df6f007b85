#ifndef HELPERS_CUH
#define HELPERS_CUH
#include <hip/hip_runtime.h>
#include "porter/warp.h"
/* mixed line ends: this file was edited on two systems */
__device__ inline bool anyLane(bool p)
{
	return porter::any_sync(porter::activemask(), p) != 0;
}
#endif
