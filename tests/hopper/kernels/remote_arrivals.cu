// The address of another block's barrier goes straight to a function of cuda::ptx, from a pointer that nothing in the file
// leads back to a variable; prints "right" or what was wrong.
#include <cooperative_groups.h>
#include <cuda/ptx>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

struct Ring {
  uint64_t* full;
  int slot = 0;
  __device__ void wait(uint32_t parity) const {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, full + slot, parity)) {}
  }
};

__global__ void __cluster_dims__(2, 1, 1) exchange(int* out) {
  __shared__ uint64_t barriers[2];
  auto cluster = cg::this_cluster();
  Ring ring{barriers};
  if (threadIdx.x == 0) {
    for (auto& barrier : barriers) ptx::mbarrier_init(&barrier, 2 * blockDim.x);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  for (ring.slot = 0; ring.slot < 2; ++ring.slot) {
    for (unsigned rank = 0; rank < 2; ++rank)
      ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                           static_cast<uint64_t*>(cluster.map_shared_rank(ring.full + ring.slot, rank)));
    ring.wait(0);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = ring.slot;
  cluster.sync();
}

int main() {
  int *device, host[128] = {};
  cudaMalloc(&device, sizeof host);
  exchange<<<2, 64>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int value : host) wrong += value != 2;
  if (wrong) std::printf("%d threads are wrong\n", wrong);
  else std::printf("right\n");
}
