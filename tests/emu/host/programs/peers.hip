// GPUs that reach into each other's memory: flags between kernels that run at the same time, a barrier over all of them,
// and what stops a kernel that was not let in. The argument names the fault to make.
#include <hip/hip_cooperative_groups.h>

#include "check.h"

constexpr int GPUS = 3;

__global__ void ring(int *mine, int *next, int rank, int rounds) {  // passes a number round
  for (int i = 0; i < rounds; i++) {
    const int wanted = i * GPUS + rank;
    while (__hip_atomic_load(mine, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) < wanted) {
    }
    __hip_atomic_store(next, wanted + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
  }
}

__global__ void meet(int *counts, int *seen) {
  const auto all = cooperative_groups::this_multi_grid();
  if (!threadIdx.x) atomicAdd_system(&counts[all.grid_rank()], 1);
  all.sync();
  if (all.thread_rank() == all.num_threads() - 1) *seen = counts[0] + 10 * counts[1] + 100 * counts[2];
}

__global__ void fill(int *to, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value + i;
}

int fault(const char *which) {
  int *there;
  HIP(hipSetDevice(1));
  HIP(hipMalloc(&there, 4096));
  if (!strcmp(which, "pool")) HIP(hipMallocAsync(&there, 4096, nullptr));
  HIP(hipSetDevice(0));
  if (!strcmp(which, "bounds") || !strcmp(which, "pool")) HIP(hipDeviceEnablePeerAccess(1, 0));
  if (!strcmp(which, "disabled")) {
    HIP(hipDeviceEnablePeerAccess(1, 0));
    fill<<<1, 64>>>(there, 64, 0);  // before: may
    HIP(hipDeviceDisablePeerAccess(1));
  }
  fill<<<8, 256>>>(there, !strcmp(which, "bounds") ? 1025 : 1024, 0);
  printf("%s\n", hipGetErrorName(hipDeviceSynchronize()));
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1) return fault(argv[1]);
  int *flags[GPUS], *data[GPUS];
  hipStream_t streams[GPUS];
  for (int i = 0; i < GPUS; i++) {
    HIP(hipSetDevice(i));
    HIP(hipStreamCreate(&streams[i]));
    flags[i] = device<int>(1);
    data[i] = device<int>(1000);
    HIP(hipMemset(flags[i], 0, 4));
    HIP(hipDeviceSynchronize());
    for (int peer = 0; peer < GPUS; peer++)
      if (peer != i) HIP(hipDeviceEnablePeerAccess(peer, 0));
  }
  for (int i = 0; i < GPUS; i++) ring<<<1, 1, 0, streams[i]>>>(flags[i], flags[(i + 1) % GPUS], i, 5);  // device of the stream
  for (int i = 0; i < GPUS; i++) HIP(hipStreamSynchronize(streams[i]));
  int last;
  HIP(hipMemcpy(&last, flags[0], 4, hipMemcpyDefault));
  EXPECT(last == 15);

  // Each fills its neighbour's memory; then copies go on round.
  for (int i = 0; i < GPUS; i++) {
    HIP(hipSetDevice(i));
    fill<<<4, 256>>>(data[(i + 1) % GPUS], 1000, 10000 * i);
  }
  for (int i = 0; i < GPUS; i++) {
    HIP(hipSetDevice(i));
    HIP(hipDeviceSynchronize());
  }
  HIP(hipMemcpyPeerAsync(data[1], 1, data[0], 0, 2000, streams[0]));
  HIP(hipStreamSynchronize(streams[0]));
  int got[1000];
  HIP(hipMemcpy(got, data[1], sizeof got, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 20000 && got[499] == 20499 && got[500] == 500);

  int *counts, *seen;
  HIP(hipMallocManaged(&counts, GPUS * sizeof(int)));
  HIP(hipHostMalloc(&seen, sizeof(int)));
  memset(counts, 0, GPUS * sizeof(int));
  void *arguments[] = {&counts, &seen};
  hipLaunchParams launches[GPUS];
  for (int i = 0; i < GPUS; i++) launches[i] = {(void *)meet, dim3(i + 1), dim3(64), arguments, 0, streams[i]};
  HIP(hipLaunchCooperativeKernelMultiDevice(launches, GPUS, 0));
  for (int i = 0; i < GPUS; i++) HIP(hipStreamSynchronize(streams[i]));
  EXPECT(*seen == 321);
  launches[1].stream = streams[0];
  GIVES(hipLaunchCooperativeKernelMultiDevice(launches, GPUS, 0), hipErrorInvalidValue);

  // A pool's memory goes by the pool's own list.
  hipMemPool_t pool;
  int *pooled;
  HIP(hipSetDevice(1));
  HIP(hipDeviceGetDefaultMemPool(&pool, 1));
  HIP(hipMallocAsync(&pooled, 4000, streams[1]));
  hipMemAccessDesc access{};
  access.location = {hipMemLocationTypeDevice, 2};
  access.flags = hipMemAccessFlagsProtReadWrite;
  HIP(hipMemPoolSetAccess(pool, &access, 1));
  HIP(hipSetDevice(2));
  fill<<<4, 256>>>(pooled, 1000, 7);
  HIP(hipMemcpy(got, pooled, sizeof got, hipMemcpyDeviceToHost));
  EXPECT(got[999] == 1006);
  HIP(hipDeviceDisablePeerAccess(1));
  GIVES(hipDeviceDisablePeerAccess(1), hipErrorPeerAccessNotEnabled);
  puts("end");
}
