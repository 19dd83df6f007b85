// C = A B in bf16 with f32 sums over several GPUs, and C whole on each of them: GEMM + all-scatter in one kernel.
//
//   A: m x k     B: k x n     C: gpus x m x n, all row-major; n and k multiples of 8, m one of gpus
//
// A GPU has its rows of A and all of B. It computes its rows of C and stores each tile from registers to every GPU, its
// own included: 16 bytes a lane, after lanes of a quad have exchanged what mma.sync leaves them. A block that has stored
// adds one to a counter on every GPU. The kernel behind it waits for all blocks of all GPUs, and takes the largest element
// of each row, as a softmax would.
#define PORTER_MIRRORED 1
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>
#include "porter/bf16.h"
#include "porter/held_copies.h"
#include "porter/ldmatrix.h"
#include "porter/mirror.h"
#include "porter/mma_sync.h"
#include "porter/ptx.h"
#include "porter/ptx_memory.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace {

constexpr int kMostGpus = 8;
constexpr int kBlockM = 64, kBlockN = 64, kBlockK = 32;
constexpr int kStages = 3;
constexpr int kWarpsN = 2;
constexpr int kWarpM = 32, kWarpN = 32;
constexpr int kThreads = 128;
constexpr int kTilesM = kWarpM / 16, kTilesN = kWarpN / 8;
static_assert(kTilesN == 4, "a quad of lanes exchanges four tiles");

constexpr int kChunk = 8;  // elements in 16 bytes
constexpr int kChunksA = kBlockK / kChunk, kChunksB = kBlockN / kChunk;
constexpr int kBytesA = kBlockM * kBlockK * 2, kBytesB = kBlockK * kBlockN * 2;

struct Peers {
  __hip_bfloat16* c[kMostGpus];  // the whole matrix on each GPU
  unsigned* arrived[kMostGpus];
};

// Offsets in bytes within a stage. Two rows of A fill the 32 banks, so the swizzle changes every second row.
__device__ __forceinline__ int offset_a(int row, int chunk) { return (row * kChunksA + (chunk ^ (row / 2 % 4))) * 16; }
__device__ __forceinline__ int offset_b(int row, int chunk) { return (row * kChunksB + (chunk ^ (row % 8))) * 16; }

// 16 bytes, or zeros.
__device__ __forceinline__ void copy_async(porter::HeldCopies<16>& porter_copies, uint32_t to, const void* from, bool there) {
  const int bytes = there ? 16 : 0;
  porter::cp_async<16>(porter_copies, to, from, bytes);
}
__device__ __forceinline__ void copy_commit(porter::HeldCopies<16>& porter_copies) { porter::cp_async_commit(porter_copies); }
template <int kPending>
__device__ __forceinline__ void copy_wait(porter::HeldCopies<16>& porter_copies) {
  porter::cp_async_wait<kPending>(porter_copies);
}

__device__ __forceinline__ void load_matrices(uint32_t (&r)[4], uint32_t address) {
  {
    const uint32_t in4 = address;
    porter::ldmatrix<false>(in4, r[0], r[1], r[2], r[3]);
  }
}
__device__ __forceinline__ void load_matrices_transposed(uint32_t (&r)[4], uint32_t address) {
  {
    const uint32_t in4 = address;
    porter::ldmatrix<true>(in4, r[0], r[1], r[2], r[3]);
  }
}
__device__ __forceinline__ void mma(porter::MmaPairs& porter_pairs, float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  {
    const uint32_t in4 = a[0];
    const uint32_t in5 = a[1];
    const uint32_t in6 = a[2];
    const uint32_t in7 = a[3];
    const uint32_t in8 = b0;
    const uint32_t in9 = b1;
    porter::mma_f32_kept<porter::mma::bf16, porter::mma::bf16>(porter_pairs, d[0], d[1], d[2], d[3], in4, in5, in6, in7, in8, in9, d[0], d[1], d[2], d[3]);
  }
}

// What other GPUs see.
__device__ __forceinline__ void arrive(unsigned* counter) {
  porter::atom_add<uint32_t, porter::sys, porter::release>(porter::global(counter), 1);
}
__device__ __forceinline__ unsigned arrivals(const unsigned* counter) {
  unsigned value;
  value = porter::ld_acquire<uint32_t, porter::sys>(porter::global(counter));
  return value;
}

__device__ __forceinline__ uint32_t pair(float left, float right) {
  const __hip_bfloat162 both = porter::floats2bfloat162_rn(left, right);
  return *reinterpret_cast<const uint32_t*>(&both);
}

// Lane q of a quad brings two columns of each of four tiles and gets the eight columns of tile q.
__device__ __forceinline__ void exchange(uint32_t (&v)[4], int q) {
#pragma unroll
  for (int step = 1; step < 4; step *= 2) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (i & step) continue;
      const bool upper = q & step;
      const uint32_t given = upper ? v[i] : v[i + step];
      const uint32_t got = __shfl_xor(given, step, 32);
      if (upper) v[i] = got;
      else v[i + step] = got;
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    gemm_scatter(const __hip_bfloat16* __restrict__ a, const __hip_bfloat16* __restrict__ b, Peers peers, int gpus, int rank,
                 int m, int n, int k) {
  porter::HeldCopies<16> porter_copies(porter::copying::by_turns);
  porter::threads_at_most(kThreads);
  __shared__ __align__(128) uint8_t memory[kStages * (kBytesA + kBytesB)];
  const uint32_t base = static_cast<uint32_t>(porter::cvta_generic_to_shared(memory));
  const int row0 = blockIdx.y * kBlockM, column0 = blockIdx.x * kBlockN;
  const int steps = (k + kBlockK - 1) / kBlockK;

  const auto stage_a = [&](int stage) { return base + stage * (kBytesA + kBytesB); };
  const auto stage_b = [&](int stage) { return stage_a(stage) + kBytesA; };

  const auto load = [&] __attribute__((always_inline))(int step) {
    const int stage = step % kStages, k0 = step * kBlockK;
#pragma unroll
    for (int i = threadIdx.x; i < kBlockM * kChunksA; i += kThreads) {
      const int row = i / kChunksA, chunk = i % kChunksA;
      const bool there = row0 + row < m && k0 + chunk * kChunk < k;
      const __hip_bfloat16* from = there ? a + static_cast<size_t>(row0 + row) * k + k0 + chunk * kChunk : a;
      copy_async(porter_copies, stage_a(stage) + offset_a(row, chunk), from, there);
    }
#pragma unroll
    for (int i = threadIdx.x; i < kBlockK * kChunksB; i += kThreads) {
      const int row = i / kChunksB, chunk = i % kChunksB;
      const bool there = k0 + row < k && column0 + chunk * kChunk < n;
      const __hip_bfloat16* from = there ? b + static_cast<size_t>(k0 + row) * n + column0 + chunk * kChunk : b;
      copy_async(porter_copies, stage_b(stage) + offset_b(row, chunk), from, there);
    }
  };

  for (int step = 0; step < kStages - 1; ++step) {
    if (step < steps) load(step);
    copy_commit(porter_copies);  // a group a step, even an empty one: waiting counts groups
  }

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warp_row = warp / kWarpsN * kWarpM, warp_column = warp % kWarpsN * kWarpN;
  float sum[kTilesM][kTilesN][4] = {};

  porter::keep(sum);
  for (int step = 0; step < steps; ++step) {
    copy_wait<kStages - 2>(porter_copies);
    __syncthreads();  // the step's data are there, and nobody reads the stage that is filled next
    if (step + kStages - 1 < steps) load(step + kStages - 1);
    copy_commit(porter_copies);

    const uint32_t tile_a = stage_a(step % kStages), tile_b = stage_b(step % kStages);
#pragma unroll
    for (int k0 = 0; k0 < kBlockK; k0 += 16) {
      uint32_t fragments_a[kTilesM][4], fragments_b[kTilesN / 2][4];
#pragma unroll
      for (int i = 0; i < kTilesM; ++i) {
        load_matrices(fragments_a[i], tile_a + offset_a(warp_row + i * 16 + lane % 16, k0 / kChunk + lane / 16));
      }
#pragma unroll
      for (int j = 0; j < kTilesN / 2; ++j) {  // two tiles of eight columns at a time
        load_matrices_transposed(fragments_b[j],
                                 tile_b + offset_b(k0 + lane % 16, warp_column / kChunk + 2 * j + lane / 16));
      }
      { porter::MmaPairs porter_pairs;
#pragma unroll
      for (int i = 0; i < kTilesM; ++i) {
#pragma unroll
        for (int j = 0; j < kTilesN; ++j) {
          mma(porter_pairs, sum[i][j], fragments_a[i], fragments_b[j / 2][j % 2 * 2], fragments_b[j / 2][j % 2 * 2 + 1]);
        }
      }
      }
    }
  }
  porter::present(sum);

  const int q = lane % 4;
#pragma unroll
  for (int i = 0; i < kTilesM; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      uint32_t v[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) v[j] = pair(sum[i][j][2 * half], sum[i][j][2 * half + 1]);
      exchange(v, q);
      const int row = row0 + warp_row + i * 16 + lane / 4 + 8 * half;
      const int column = column0 + warp_column + q * 8;
      if (row < m && column < n) {
        const size_t at = static_cast<size_t>(rank * m + row) * n + column;
        for (int peer = 0; peer < gpus; ++peer) {
          *reinterpret_cast<uint4*>(peers.c[(rank + peer) % gpus] + at) = make_uint4(v[0], v[1], v[2], v[3]);
        }
      }
    }
  }

  __threadfence_system();
  __syncthreads();
  if (threadIdx.x < gpus) arrive(peers.arrived[threadIdx.x]);
}

__global__ void __launch_bounds__(kThreads)
    row_largest(const __hip_bfloat16* c, const unsigned* arrived, unsigned blocks, __hip_bfloat16* __restrict__ largest, int n) {
  porter::threads_at_most(kThreads);
  if (threadIdx.x == 0) {
    while (arrivals(arrived) < blocks) {
    }
  }
  __syncthreads();
  float most = -INFINITY;
  for (int i = threadIdx.x; i < n; i += kThreads) {
    most = fmaxf(most, __bfloat162float(c[static_cast<size_t>(blockIdx.x) * n + i]));
  }
#pragma unroll
  for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor(most, step, 32));
  __shared__ float part[kThreads / 32];
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = most;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (float one : part) most = fmaxf(most, one);
    largest[blockIdx.x] = __float2bfloat16(most);
  }
}

// One GPU's part: memory, and a stream that its work is in.
struct Rank {
  int device = 0;
  hipStream_t stream = nullptr;
  __hip_bfloat16 *a = nullptr, *b = nullptr, *c = nullptr;
  __hip_bfloat16* largest = nullptr;
  unsigned* arrived = nullptr;

  hipError_t make(int number, size_t a_bytes, size_t b_bytes, size_t c_bytes, size_t row_bytes) {
    device = number;
    hipError_t error = hipSetDevice(device);
    if (error == hipSuccess) error = hipStreamCreateWithFlags(&stream, hipStreamNonBlocking);
    if (error == hipSuccess) error = hipMalloc(&a, a_bytes);
    if (error == hipSuccess) error = hipMalloc(&b, b_bytes);
    if (error == hipSuccess) error = hipMalloc(&c, c_bytes);
    if (error == hipSuccess) error = hipMalloc(&largest, row_bytes);
    if (error == hipSuccess) error = hipMalloc(&arrived, sizeof(unsigned));
    if (error == hipSuccess) error = hipMemsetAsync(arrived, 0, sizeof(unsigned), stream);
    return error;
  }
  void free_all() {
    hipSetDevice(device);
    for (void* memory : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c), static_cast<void*>(largest),
                         static_cast<void*>(arrived)}) {
      hipFree(memory);
    }
    if (stream) hipStreamDestroy(stream);
  }
};

hipError_t let_all_reach_all(int gpus) {
  for (int i = 0; i < gpus; ++i) {
    hipSetDevice(i);
    for (int peer = 0; peer < gpus; ++peer) {
      int can = 0;
      if (peer == i) continue;
      hipError_t error = hipDeviceCanAccessPeer(&can, i, peer);
      if (error == hipSuccess && !can) return hipErrorNotSupported;
      if (error == hipSuccess) error = hipDeviceEnablePeerAccess(peer, 0);
      if (error == hipErrorPeerAccessAlreadyEnabled) error = hipGetLastError() == error ? hipSuccess : error;
      if (error != hipSuccess) return error;
    }
  }
  return hipSuccess;
}

hipError_t run(std::vector<Rank>& ranks, const __hip_bfloat16* a, const __hip_bfloat16* b, __hip_bfloat16* c,
                __hip_bfloat16* largest, int m, int n, int k) {
  const int gpus = static_cast<int>(ranks.size()), rows = m / gpus;
  const size_t a_bytes = sizeof(*a) * rows * k, b_bytes = sizeof(*b) * k * n, c_bytes = sizeof(*c) * m * n;
  const size_t row_bytes = sizeof(*largest) * m;
  hipError_t error = let_all_reach_all(gpus);
  Peers peers = {};
  for (int i = 0; i < gpus && error == hipSuccess; ++i) {
    Rank& r = ranks[i];
    error = r.make(i, a_bytes, b_bytes, c_bytes, row_bytes);
    peers.c[i] = r.c, peers.arrived[i] = r.arrived;
    if (error == hipSuccess) error = hipMemcpyPeerAsync(r.a, i, a + static_cast<size_t>(i) * rows * k, 0, a_bytes, r.stream);
    if (error == hipSuccess) error = hipMemcpyPeerAsync(r.b, i, b, 0, b_bytes, r.stream);
    // Nobody may arrive before the counter is zero.
    if (error == hipSuccess) error = hipStreamSynchronize(r.stream);
  }
  const dim3 grid((n + kBlockN - 1) / kBlockN, (rows + kBlockM - 1) / kBlockM);
  for (int i = 0; i < gpus && error == hipSuccess; ++i) {
    Rank& r = ranks[i];
    hipSetDevice(i);
    gemm_scatter<<<grid, porter::mirrored(kThreads), 0, r.stream>>>(r.a, r.b, peers, gpus, i, rows, n, k);
    row_largest<<<m, porter::mirrored(kThreads), 0, r.stream>>>(r.c, r.arrived, gpus * grid.x * grid.y, r.largest, n);
    error = hipGetLastError();
  }
  for (int i = 0; i < gpus && error == hipSuccess; ++i) {
    Rank& r = ranks[i];
    error = hipMemcpyPeerAsync(c + static_cast<size_t>(i) * m * n, 0, r.c, i, c_bytes, r.stream);
    if (error == hipSuccess) {
      error = hipMemcpyPeerAsync(largest + static_cast<size_t>(i) * m, 0, r.largest, i, row_bytes, r.stream);
    }
    if (error == hipSuccess) error = hipStreamSynchronize(r.stream);
  }
  return error;
}

}  // namespace

// All four are memory of the first GPU; C and the largest of its rows are what each GPU has in the end.
extern "C" hipError_t gemm_all_scatter(const __hip_bfloat16* A, const __hip_bfloat16* B, __hip_bfloat16* C,
                                        __hip_bfloat16* largest, int gpus, int m, int n, int k) {
  if (gpus < 1 || gpus > kMostGpus || m % gpus != 0 || n % kChunk != 0 || k % kChunk != 0) return hipErrorInvalidValue;
  hipError_t error = hipSetDevice(0);
  if (error == hipSuccess) error = hipDeviceSynchronize();  // the arguments are there
  std::vector<Rank> ranks(gpus);
  if (error == hipSuccess) error = run(ranks, A, B, C, largest, m, n, k);
  for (Rank& r : ranks) r.free_all();
  hipSetDevice(0);
  return error;
}
