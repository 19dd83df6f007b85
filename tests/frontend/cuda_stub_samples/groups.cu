// Cooperative groups, barriers, pipelines, scoped atomics, fragments, PTX wrappers, tensor maps.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/std/complex>
#include <cuda/std/type_traits>
#include <cudaTypedefs.h>
#include <cuda_pipeline.h>
#include <mma.h>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using namespace nvcuda;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void groups(float *a) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  auto four = cg::tiled_partition<4>(tile);
  cg::thread_block_tile<32> erased = cg::tiled_partition<32>(block);
  a[0] = cg::reduce(tile, a[0], cg::plus<float>()) + four.shfl_down(a[1], 3) + erased.size();
  block.sync();
  cg::sync(block);
  cg::this_grid().sync();
  cg::coalesced_group active = cg::coalesced_threads();
  a[1] = cg::inclusive_scan(tile, 3) + active.size();
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  a[2] = *cluster.map_shared_rank(a, 1);
  cg::thread_group group = cg::tiled_partition(block, 16);
  a[3] = group.thread_rank();
  cg::invoke_one(tile, [&] { a[4] = 1; });
  cg::memcpy_async(block, a, a + 1, 64);
  cg::wait(block);
}

__global__ void copies(float *a) {
  __shared__ block_barrier bar;
  auto block = cg::this_thread_block();
  init(&bar, 3);
  auto token = bar.arrive();
  bar.wait(std::move(token));
  bar.arrive_and_wait();
  cuda::memcpy_async(block, a, a + 1, 64, bar);
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, a, a + 1, cuda::aligned_size_t<16>(64), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  pipe.consumer_release();
  __pipeline_memcpy_async(a, a + 1, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  cuda::atomic_ref<float, cuda::thread_scope_device> ref(a[0]);
  ref.fetch_add(1.f, cuda::memory_order_relaxed);
  ref.fetch_add(1.f, cuda::std::memory_order_relaxed);
  __shared__ cuda::atomic<int, cuda::thread_scope_block> count;
  count.store(3);
  count++;
  a[1] = count.load();
  cuda::std::complex<float> c(1, 2);
  c = c * c;
  static_assert(cuda::std::is_same<int, int>::value, "");
}

__global__ void tensor(const __grid_constant__ CUtensorMap map, int n) {
  __shared__ alignas(128) float tile[64][64];
  __shared__ block_barrier bar;
  __shared__ uint64_t raw;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
    cuda::device::experimental::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, 0, 0, bar);
  }
  auto token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
  bar.wait(std::move(token));
  ptx::mbarrier_init(&raw, 1);
  const int32_t at[2] = {0, n};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, &tile, &map, at, &raw);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  while (!ptx::mbarrier_try_wait_parity(&raw, 0)) {
  }
  cudaGridDependencySynchronize();
}

__global__ void fragments(half *h, float *a) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.f);
  wmma::load_matrix_sync(fa, h, 16);
  wmma::load_matrix_sync(fb, h, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= 2;
  wmma::store_matrix_sync(a, fc, 16, wmma::mem_row_major);
}

void encode(void *p, const cuuint64_t *dims, const cuuint32_t *box) {
  CUtensorMap map{};
  void *entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found);
  auto encoder = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry);
  encoder(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, p, dims, dims, box, box, CU_TENSOR_MAP_INTERLEAVE_NONE,
          CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, p, dims, dims, box, box,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                         CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  tensor<<<1, 32>>>(map, 3);
}
