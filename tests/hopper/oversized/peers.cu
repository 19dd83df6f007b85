#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>
#include <cuda_runtime.h>

// Two blocks of a cluster with 100 KB each arrive at each other's mbarriers, and send each other what they have.
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

struct Shared {
  float rows[200][128];
  float from_peer[128];
  uint64_t arrived, sent;
};

__device__ uint32_t shared(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__global__ void __cluster_dims__(2, 1, 1) exchange(const float *x, float *out) {
  extern __shared__ __align__(128) unsigned char memory[];
  Shared &s = *reinterpret_cast<Shared *>(memory);
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), peer = rank ^ 1;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&s.arrived, 128);
    ptx::mbarrier_init(&s.sent, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &s.sent, 512);
  }
  cluster.sync();
  for (int row = 0; row < 200; ++row) s.rows[row][threadIdx.x] = x[blockIdx.x * 128 + threadIdx.x] + row;
  ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, cluster.map_shared_rank(&s.arrived, peer));
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &s.arrived, 0)) {}
  uint32_t to, bar;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared(&s.from_peer[threadIdx.x])), "r"(peer));
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(bar) : "r"(shared(&s.sent)), "r"(peer));
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];"
               ::"r"(to), "r"(__float_as_uint(s.rows[199][threadIdx.x])), "r"(bar) : "memory");
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &s.sent, 0)) {}
  out[blockIdx.x * 128 + threadIdx.x] = s.rows[100][threadIdx.x] + s.from_peer[threadIdx.x];
  cluster.sync();
}

int main() {
  constexpr int blocks = 6, count = blocks * 128;
  float x[count], *dx, *dout, out[count];
  for (int i = 0; i < count; ++i) x[i] = float(i * 5 % 97);
  cudaMalloc(&dx, sizeof x), cudaMalloc(&dout, sizeof out);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  cudaFuncSetAttribute(exchange, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Shared)));
  exchange<<<blocks, 128, sizeof(Shared)>>>(dx, dout);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return printf("FAILED\n"), 1;
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += out[i] != x[i] + 100 + x[i ^ 128] + 199;
  printf("%s: %d wrong\n", wrong ? "FAILED" : "PASSED", wrong);
  return wrong != 0;
}
