#include "helpers.cuh"
#include <hip/hip_runtime.h>
#include <cstdio>

// Графика: tabs, a byte order mark, UTF-8 and no newline at the end
__global__ void g(int *o)
{
	if (anyLane(threadIdx.x == 3))	*o = 1;
}

int main()
{
	int	*o,	h	=	0;
	hipMallocManaged(&o,	sizeof(int));
	*o = 0;
	g<<<1, 32>>>(o);
	hipDeviceSynchronize();
	h = *o;
	hipFree(o);
	printf(h == 1 ? "PASS ✓\n" : "FAIL ✗\n");
	return h != 1;
}