#ifndef HELPERS_CUH
#define HELPERS_CUH
/* mixed line ends: this file was edited on two systems */
__device__ inline bool anyLane(bool p)
{
	return __any_sync(__activemask(), p) != 0;
}
#endif
