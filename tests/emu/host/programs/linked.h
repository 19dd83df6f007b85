// What linked_first.hip and linked_second.hip share: device functions and variables of the other file (-fgpu-rdc).
#include <hip/hip_runtime.h>

extern __device__ int total;
extern __constant__ int factors[4];
__device__ int scaled(int value);
__global__ void add(int by);
int read_total();
