// Rows too wide for one block, spread over a cluster: each block keeps its part of a row in registers, and the blocks
// exchange their sums through each other's shared memory.
//
//   cluster_softmax: cooperative groups; each block reads what the others found (cluster.map_shared_rank)
//   cluster_rmsnorm: PTX; each block writes its sum into the others (mapa, st.shared::cluster), cluster size at launch
//
// x and out are bf16, rows x width, with a width of at most kPacks * 8 * kThreads times the blocks of a cluster.
#define PORTER_CLUSTERS 1
#define PORTER_CLUSTERS_SHADOW 1
#include "porter/groups.h"
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>
#include "porter/bf16.h"
#include "porter/cluster.h"
#include "porter/cluster_groups.h"
#include "porter/cluster_launch.h"
#include "porter/ptx.h"
#include "porter/ptx_memory.h"

#include <cmath>
#include <cstdint>

namespace cg = porter::cg;

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kPack = 8;   // elements in 16 bytes
constexpr int kPacks = 4;  // of a thread
constexpr int kCluster = 4;
constexpr int kLargestCluster = 8;
constexpr unsigned kAll = 0xffffffffu;
constexpr float kLog2e = 1.44269504f;

// The part of a row that a block has, in packs of eight elements.
struct Part {
  int first, end;  // packs

  __device__ __forceinline__ Part(int width, int rank, int blocks) {
    const int packs = (width + kPack - 1) / kPack;
    const int each = (packs + blocks - 1) / blocks;
    first = min(rank * each, packs);
    end = min(first + each, packs);
  }
  __device__ __forceinline__ int pack(int i) const { return first + i * kThreads + threadIdx.x; }
};

// Eight elements as floats; `fill` outside of the row. kVector: rows are whole 16 bytes.
template <bool kVector>
__device__ __forceinline__ void load_pack(float (&v)[kPack], const __hip_bfloat16* __restrict__ row, int pack, int width,
                                          float fill) {
  if constexpr (kVector) {
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(row) + pack);
    const __hip_bfloat162* pairs = reinterpret_cast<const __hip_bfloat162*>(&bits);
#pragma unroll
    for (int i = 0; i < kPack / 2; ++i) {
      const float2 pair = __bfloat1622float2(pairs[i]);
      v[2 * i] = pair.x;
      v[2 * i + 1] = pair.y;
    }
  } else {
#pragma unroll
    for (int i = 0; i < kPack; ++i) {
      v[i] = pack * kPack + i < width ? __bfloat162float(row[pack * kPack + i]) : fill;
    }
  }
}

template <bool kVector>
__device__ __forceinline__ void store_pack(__hip_bfloat16* __restrict__ row, int pack, int width,
                                           const float (&v)[kPack]) {
  if constexpr (kVector) {
    uint4 bits;
    __hip_bfloat162* pairs = reinterpret_cast<__hip_bfloat162*>(&bits);
#pragma unroll
    for (int i = 0; i < kPack / 2; ++i) pairs[i] = porter::floats2bfloat162_rn(v[2 * i], v[2 * i + 1]);
    reinterpret_cast<uint4*>(row)[pack] = bits;
  } else {
#pragma unroll
    for (int i = 0; i < kPack; ++i) {
      if (pack * kPack + i < width) row[pack * kPack + i] = __float2bfloat16(v[i]);
    }
  }
}

// For all threads of the block. `partial` is free again after the next barrier.
template <typename Combine>
__device__ __forceinline__ float block_reduce(float value, float* partial, const Combine& combine) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value = combine(value, __shfl_xor(value, offset, 32));
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  value = partial[0];
#pragma unroll
  for (int w = 1; w < kWarps; ++w) value = combine(value, partial[w]);
  return value;
}

template <bool kVector>
__global__ void __launch_bounds__(kThreads)
    softmax_kernel(const __hip_bfloat16* __restrict__ x, __hip_bfloat16* __restrict__ out, int width) {
  const porter::cluster_member cluster_member(kCluster, 1, 1);
  __shared__ float partial[2][kWarps];
  __shared__ float2 found_lds; auto &found = porter::relocated(found_lds);  // this block's largest element and its sum of exponentials
  porter::cg::cluster_group cluster = porter::cg::this_cluster();
  const Part part(width, cluster.block_rank(), kCluster);
  const size_t start = static_cast<size_t>(blockIdx.x / kCluster) * width;

  float v[kPacks][kPack];
  float highest = -INFINITY;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    if (part.pack(i) >= part.end) continue;
    load_pack<kVector>(v[i], x + start, part.pack(i), width, -INFINITY);
#pragma unroll
    for (int j = 0; j < kPack; ++j) highest = fmaxf(highest, v[i][j]);
  }
  highest = block_reduce(highest, partial[0], [](float a, float b) { return fmaxf(a, b); });

  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    if (part.pack(i) >= part.end) continue;
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
      v[i][j] = exp2f((v[i][j] - highest) * kLog2e);
      sum += v[i][j];
    }
  }
  sum = block_reduce(sum, partial[1], [](float a, float b) { return a + b; });
  if (threadIdx.x == 0) found = make_float2(highest, sum);
  cluster.sync();

  float top = -INFINITY, total = 0.0f;
  float2 theirs[kCluster];
#pragma unroll
  for (int rank = 0; rank < kCluster; ++rank) {
    theirs[rank] = *cluster.map_shared_rank(&found, rank);
    top = fmaxf(top, theirs[rank].x);
  }
  cluster.barrier_arrive();  // done with the others' memory; they may be reading this block's
#pragma unroll
  for (int rank = 0; rank < kCluster; ++rank) total += theirs[rank].y * exp2f((theirs[rank].x - top) * kLog2e);

  const float scale = exp2f((highest - top) * kLog2e) / total;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    if (part.pack(i) >= part.end) continue;
#pragma unroll
    for (int j = 0; j < kPack; ++j) v[i][j] *= scale;
    store_pack<kVector>(out + start, part.pack(i), width, v[i]);
  }
  cluster.barrier_wait();  // a block that ends takes its shared memory with it
}

namespace ptx {

__device__ __forceinline__ uint32_t cluster_rank() {
  uint32_t rank;
  rank = porter::cluster_rank();
  return rank;
}
__device__ __forceinline__ uint32_t cluster_blocks() {
  uint32_t blocks;
  blocks = porter::cluster_blocks();
  return blocks;
}
__device__ __forceinline__ uint32_t cluster_id() {
  uint32_t id;
  id = porter::cluster_index().x;
  return id;
}
__device__ __forceinline__ void cluster_arrive() {
  porter::cluster_arrive();
}
__device__ __forceinline__ void cluster_arrive_relaxed() {
  porter::cluster_arrive_relaxed();
}
__device__ __forceinline__ void cluster_wait() { porter::cluster_wait(); }

// The address in the cluster's shared memory of what block `rank` has at `pointer`.
__device__ __forceinline__ uint32_t map_to_rank(const void* pointer, uint32_t rank) {
  uint32_t address;
  address = porter::mapa(static_cast<uint32_t>(porter::cvta_generic_to_shared(pointer)), rank);
  return address;
}
__device__ __forceinline__ void store_remote(uint32_t address, float value) {
  porter::cluster_st<float>(address, value);
}

}  // namespace ptx

template <bool kVector>
__global__ void __launch_bounds__(kThreads)
    rmsnorm_kernel(const __hip_bfloat16* __restrict__ x, const __hip_bfloat16* __restrict__ weight,
                   __hip_bfloat16* __restrict__ out, int width, float epsilon) {
  const porter::cluster_member cluster_member;
  __shared__ float partial[kWarps];
  __shared__ float sums[kLargestCluster];  // one a block, written by its owner
  ptx::cluster_arrive_relaxed();  // that this block has begun is all that the others must know
  const int rank = ptx::cluster_rank(), blocks = ptx::cluster_blocks();
  const Part part(width, rank, blocks);
  const size_t start = static_cast<size_t>(ptx::cluster_id()) * width;

  float v[kPacks][kPack];
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    if (part.pack(i) >= part.end) continue;
    load_pack<kVector>(v[i], x + start, part.pack(i), width, 0.0f);
#pragma unroll
    for (int j = 0; j < kPack; ++j) squares = fmaf(v[i][j], v[i][j], squares);
  }
  squares = block_reduce(squares, partial, [](float a, float b) { return a + b; });

  ptx::cluster_wait();
  if (static_cast<int>(threadIdx.x) < blocks) {
    ptx::store_remote(ptx::map_to_rank(&sums[rank], threadIdx.x), squares);
  }
  ptx::cluster_arrive();
  ptx::cluster_wait();
  float total = 0.0f;
  for (int block = 0; block < blocks; ++block) total += sums[block];

  const float scale = rsqrtf(total / width + epsilon);
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    if (part.pack(i) >= part.end) continue;
    float w[kPack];
    load_pack<kVector>(w, weight, part.pack(i), width, 0.0f);
#pragma unroll
    for (int j = 0; j < kPack; ++j) v[i][j] *= scale * w[j];
    store_pack<kVector>(out + start, part.pack(i), width, v[i]);
  }
}

constexpr int largest_width(int blocks) { return blocks * kThreads * kPacks * kPack; }

}  // namespace

extern "C" hipError_t cluster_softmax(const __hip_bfloat16* x, __hip_bfloat16* out, int rows, int width,
                                       hipStream_t stream) {
  if (rows == 0 || width == 0) return hipSuccess;
  if (width > largest_width(kCluster)) return hipErrorInvalidValue;
  const auto kernel = width % kPack == 0 ? softmax_kernel<true> : softmax_kernel<false>;
  porter::launch_clusters(kernel, rows * kCluster, kThreads, 0, stream, x, out, width);
  return hipGetLastError();
}

// blocks: of a cluster, 1, 2, 4 or 8.
extern "C" hipError_t cluster_rmsnorm(const __hip_bfloat16* x, const __hip_bfloat16* weight, __hip_bfloat16* out,
                                       int rows, int width, float epsilon, int blocks, hipStream_t stream) {
  if (rows == 0 || width == 0) return hipSuccess;
  if (blocks < 1 || blocks > kLargestCluster || width > largest_width(blocks)) return hipErrorInvalidValue;
  porter::launch_attribute cluster = {};
  cluster.id = porter::launch_attribute_cluster_dimension;
  cluster.val.clusterDim.x = blocks;
  cluster.val.clusterDim.y = 1;
  cluster.val.clusterDim.z = 1;
  porter::launch_config config = {};
  config.gridDim = dim3(rows * blocks);
  config.blockDim = dim3(kThreads);
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  return width % kPack == 0 ? porter::launch_kernel_ex(&config, rmsnorm_kernel<true>, x, weight, out, width, epsilon)
                            : porter::launch_kernel_ex(&config, rmsnorm_kernel<false>, x, weight, out, width, epsilon);
}
