// crlf.cu: every line of this file ends in CR LF, one of them continues.
#include <hip/hip_runtime.h>
#include "porter/warp.h"
#include <stdio.h>

#define LAUNCH(kernel, n, ...) \
    kernel<<<((n) + 127) / 128, 128>>>(__VA_ARGS__); \
    if (hipGetLastError() != hipSuccess) return 1

__global__ void fill(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned m = porter::ballot_sync(0xffffffff, i < n);	/* tab before this comment */
    if (i < n) out[i] = __popc(m);
}

int main()
{
    int *out, host[100];
    if (hipMalloc(&out, sizeof host)) return 1;
    LAUNCH(fill, 100, out, 100);
    hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost);
    hipFree(out);
    int bad = 0;
    for (int i = 0; i < 100; i++) bad += host[i] != (i < 96 ? 32 : 4);
    puts(bad ? "FAIL" : "PASS");
    return bad;
}
