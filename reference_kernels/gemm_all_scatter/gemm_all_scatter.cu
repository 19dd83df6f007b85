// C = A B in bf16 with f32 sums over several GPUs, and C whole on each of them: GEMM + all-scatter in one kernel.
//
//   A: m x k     B: k x n     C: gpus x m x n, all row-major; n and k multiples of 8, m one of gpus
//
// A GPU has its rows of A and all of B. It computes its rows of C and stores each tile from registers to every GPU, its
// own included: 16 bytes a lane, after lanes of a quad have exchanged what mma.sync leaves them. A block that has stored
// adds one to a counter on every GPU. The kernel behind it waits for all blocks of all GPUs, and takes the largest element
// of each row, as a softmax would.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

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
  __nv_bfloat16* c[kMostGpus];  // the whole matrix on each GPU
  unsigned* arrived[kMostGpus];
};

// Offsets in bytes within a stage. Two rows of A fill the 32 banks, so the swizzle changes every second row.
__device__ __forceinline__ int offset_a(int row, int chunk) { return (row * kChunksA + (chunk ^ (row / 2 % 4))) * 16; }
__device__ __forceinline__ int offset_b(int row, int chunk) { return (row * kChunksB + (chunk ^ (row % 8))) * 16; }

// 16 bytes, or zeros.
__device__ __forceinline__ void copy_async(uint32_t to, const void* from, bool there) {
  const int bytes = there ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
__device__ __forceinline__ void copy_commit() { asm volatile("cp.async.commit_group;\n" ::: "memory"); }
template <int kPending>
__device__ __forceinline__ void copy_wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(kPending) : "memory");
}

__device__ __forceinline__ void load_matrices(uint32_t (&r)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void load_matrices_transposed(uint32_t (&r)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void mma(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// What other GPUs see.
__device__ __forceinline__ void arrive(unsigned* counter) {
  asm volatile("red.release.sys.global.add.u32 [%0], 1;\n" ::"l"(counter) : "memory");
}
__device__ __forceinline__ unsigned arrivals(const unsigned* counter) {
  unsigned value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];\n" : "=r"(value) : "l"(counter) : "memory");
  return value;
}

__device__ __forceinline__ uint32_t pair(float left, float right) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(left, right);
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
      const uint32_t got = __shfl_xor_sync(0xffffffffu, given, step);
      if (upper) v[i] = got;
      else v[i + step] = got;
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    gemm_scatter(const __nv_bfloat16* __restrict__ a, const __nv_bfloat16* __restrict__ b, Peers peers, int gpus, int rank,
                 int m, int n, int k) {
  __shared__ __align__(128) uint8_t memory[kStages * (kBytesA + kBytesB)];
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(memory));
  const int row0 = blockIdx.y * kBlockM, column0 = blockIdx.x * kBlockN;
  const int steps = (k + kBlockK - 1) / kBlockK;

  const auto stage_a = [&](int stage) { return base + stage * (kBytesA + kBytesB); };
  const auto stage_b = [&](int stage) { return stage_a(stage) + kBytesA; };

  const auto load = [&](int step) {
    const int stage = step % kStages, k0 = step * kBlockK;
#pragma unroll
    for (int i = threadIdx.x; i < kBlockM * kChunksA; i += kThreads) {
      const int row = i / kChunksA, chunk = i % kChunksA;
      const bool there = row0 + row < m && k0 + chunk * kChunk < k;
      const __nv_bfloat16* from = there ? a + static_cast<size_t>(row0 + row) * k + k0 + chunk * kChunk : a;
      copy_async(stage_a(stage) + offset_a(row, chunk), from, there);
    }
#pragma unroll
    for (int i = threadIdx.x; i < kBlockK * kChunksB; i += kThreads) {
      const int row = i / kChunksB, chunk = i % kChunksB;
      const bool there = k0 + row < k && column0 + chunk * kChunk < n;
      const __nv_bfloat16* from = there ? b + static_cast<size_t>(k0 + row) * n + column0 + chunk * kChunk : b;
      copy_async(stage_b(stage) + offset_b(row, chunk), from, there);
    }
  };

  for (int step = 0; step < kStages - 1; ++step) {
    if (step < steps) load(step);
    copy_commit();  // a group a step, even an empty one: waiting counts groups
  }

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warp_row = warp / kWarpsN * kWarpM, warp_column = warp % kWarpsN * kWarpN;
  float sum[kTilesM][kTilesN][4] = {};

  for (int step = 0; step < steps; ++step) {
    copy_wait<kStages - 2>();
    __syncthreads();  // the step's data are there, and nobody reads the stage that is filled next
    if (step + kStages - 1 < steps) load(step + kStages - 1);
    copy_commit();

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
#pragma unroll
      for (int i = 0; i < kTilesM; ++i) {
#pragma unroll
        for (int j = 0; j < kTilesN; ++j) {
          mma(sum[i][j], fragments_a[i], fragments_b[j / 2][j % 2 * 2], fragments_b[j / 2][j % 2 * 2 + 1]);
        }
      }
    }
  }

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
    row_largest(const __nv_bfloat16* c, const unsigned* arrived, unsigned blocks, __nv_bfloat16* __restrict__ largest, int n) {
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
  for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, step));
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
  cudaStream_t stream = nullptr;
  __nv_bfloat16 *a = nullptr, *b = nullptr, *c = nullptr;
  __nv_bfloat16* largest = nullptr;
  unsigned* arrived = nullptr;

  cudaError_t make(int number, size_t a_bytes, size_t b_bytes, size_t c_bytes, size_t row_bytes) {
    device = number;
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (error == cudaSuccess) error = cudaMalloc(&a, a_bytes);
    if (error == cudaSuccess) error = cudaMalloc(&b, b_bytes);
    if (error == cudaSuccess) error = cudaMalloc(&c, c_bytes);
    if (error == cudaSuccess) error = cudaMalloc(&largest, row_bytes);
    if (error == cudaSuccess) error = cudaMalloc(&arrived, sizeof(unsigned));
    if (error == cudaSuccess) error = cudaMemsetAsync(arrived, 0, sizeof(unsigned), stream);
    return error;
  }
  void free_all() {
    cudaSetDevice(device);
    for (void* memory : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c), static_cast<void*>(largest),
                         static_cast<void*>(arrived)}) {
      cudaFree(memory);
    }
    if (stream) cudaStreamDestroy(stream);
  }
};

cudaError_t let_all_reach_all(int gpus) {
  for (int i = 0; i < gpus; ++i) {
    cudaSetDevice(i);
    for (int peer = 0; peer < gpus; ++peer) {
      int can = 0;
      if (peer == i) continue;
      cudaError_t error = cudaDeviceCanAccessPeer(&can, i, peer);
      if (error == cudaSuccess && !can) return cudaErrorNotSupported;
      if (error == cudaSuccess) error = cudaDeviceEnablePeerAccess(peer, 0);
      if (error == cudaErrorPeerAccessAlreadyEnabled) error = cudaGetLastError() == error ? cudaSuccess : error;
      if (error != cudaSuccess) return error;
    }
  }
  return cudaSuccess;
}

cudaError_t run(std::vector<Rank>& ranks, const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c,
                __nv_bfloat16* largest, int m, int n, int k) {
  const int gpus = static_cast<int>(ranks.size()), rows = m / gpus;
  const size_t a_bytes = sizeof(*a) * rows * k, b_bytes = sizeof(*b) * k * n, c_bytes = sizeof(*c) * m * n;
  const size_t row_bytes = sizeof(*largest) * m;
  cudaError_t error = let_all_reach_all(gpus);
  Peers peers = {};
  for (int i = 0; i < gpus && error == cudaSuccess; ++i) {
    Rank& r = ranks[i];
    error = r.make(i, a_bytes, b_bytes, c_bytes, row_bytes);
    peers.c[i] = r.c, peers.arrived[i] = r.arrived;
    if (error == cudaSuccess) error = cudaMemcpyPeerAsync(r.a, i, a + static_cast<size_t>(i) * rows * k, 0, a_bytes, r.stream);
    if (error == cudaSuccess) error = cudaMemcpyPeerAsync(r.b, i, b, 0, b_bytes, r.stream);
    // Nobody may arrive before the counter is zero.
    if (error == cudaSuccess) error = cudaStreamSynchronize(r.stream);
  }
  const dim3 grid((n + kBlockN - 1) / kBlockN, (rows + kBlockM - 1) / kBlockM);
  for (int i = 0; i < gpus && error == cudaSuccess; ++i) {
    Rank& r = ranks[i];
    cudaSetDevice(i);
    gemm_scatter<<<grid, kThreads, 0, r.stream>>>(r.a, r.b, peers, gpus, i, rows, n, k);
    row_largest<<<m, kThreads, 0, r.stream>>>(r.c, r.arrived, gpus * grid.x * grid.y, r.largest, n);
    error = cudaGetLastError();
  }
  for (int i = 0; i < gpus && error == cudaSuccess; ++i) {
    Rank& r = ranks[i];
    error = cudaMemcpyPeerAsync(c + static_cast<size_t>(i) * m * n, 0, r.c, i, c_bytes, r.stream);
    if (error == cudaSuccess) {
      error = cudaMemcpyPeerAsync(largest + static_cast<size_t>(i) * m, 0, r.largest, i, row_bytes, r.stream);
    }
    if (error == cudaSuccess) error = cudaStreamSynchronize(r.stream);
  }
  return error;
}

}  // namespace

// All four are memory of the first GPU; C and the largest of its rows are what each GPU has in the end.
extern "C" cudaError_t gemm_all_scatter(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C,
                                        __nv_bfloat16* largest, int gpus, int m, int n, int k) {
  if (gpus < 1 || gpus > kMostGpus || m % gpus != 0 || n % kChunk != 0 || k % kChunk != 0) return cudaErrorInvalidValue;
  cudaError_t error = cudaSetDevice(0);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();  // the arguments are there
  std::vector<Rank> ranks(gpus);
  if (error == cudaSuccess) error = run(ranks, A, B, C, largest, m, n, k);
  for (Rank& r : ranks) r.free_all();
  cudaSetDevice(0);
  return error;
}
