// Launches with attributes that HIP has, and one that it has not: all run, in order.
#include <hip/hip_runtime.h>
#include <cstdio>
#include "porter/launch.h"
__global__ void add(int *x, int step, float times) { x[blockIdx.x * blockDim.x + threadIdx.x] += int(step * times); }
__global__ void doubled(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
int main() {
  int *x, h[128], bad = 0;
  hipMalloc(&x, sizeof h), hipMemset(x, 0, sizeof h);
  porter::launch_attribute some[3] = {};
  some[0].id = porter::launch_attribute_programmatic_stream_serialization, some[0].val.programmaticStreamSerializationAllowed = 1;
  some[1].id = porter::launch_attribute_priority, some[1].val.priority = 0;
  some[2].id = porter::launch_attribute_cooperative, some[2].val.cooperative = 1;
  porter::launch_config config = {};
  config.gridDim = 2, config.blockDim = 64, config.attrs = some, config.numAttrs = 3;
  bad += porter::launch_in_order(&config, add, x, 3u, 2) != hipSuccess;  // arguments become what the kernel takes
  void *arguments[] = {&x};
  bad += porter::launch_in_order_with(&config, reinterpret_cast<const void *>(doubled), arguments) != hipSuccess;
  bad += porter::launch_in_order_with(nullptr, reinterpret_cast<const void *>(doubled), arguments) != hipErrorInvalidValue;
  some[2].id = porter::launch_attribute_cluster_dimension, some[2].val.clusterDim = {2, 1, 1};
  bad += porter::launch_in_order(&config, doubled, x) != hipErrorInvalidValue;  // a cluster where nobody expects one
  hipMemcpy(h, x, sizeof h, hipMemcpyDeviceToHost);
  for (int i = 0; i < 128; i++) bad += h[i] != 12;
  printf("%d wrong\n", bad);
  return bad != 0;
}
