// Rings of tiles that cp.async fills, in the orders in which kernels issue, commit and wait; zeros past the end of the source.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

constexpr int kThreads = 64;
enum Order { kWaitFirst, kIssueFirst, kTwoGroups, kRolled, kByHalves, kWaitAll, kUncommitted };

template <int Bytes>
__device__ void copy(uint32_t to, const void *from, int size) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(Bytes), "r"(size) : "memory");
}
#define COPY_UNLESS(to, from, bytes, ignore)                                                                    \
  asm volatile("{.reg .pred p;\n setp.ne.u32 p, %3, 0;\n cp.async.ca.shared.global [%0], [%1], %2, p;}" ::"r"(to), \
               "l"(from), "n"(bytes), "r"(uint32_t(ignore)) : "memory")
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Pending>
__device__ void wait(void) {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}
#define WAIT_ALL() asm volatile("cp.async.wait_all;" ::: "memory")

// 8 by 8 halves of the tile through ldmatrix, so that a warp works as one.
__device__ uint32_t matrix(uint32_t address) {
  uint32_t word;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(word) : "r"(address) : "memory");
  return word;
}

template <int Bytes, int Each, int Stages, Order How>
__global__ void ring(const char *in, char *out, uint32_t *matrices, int steps, int end) {
  constexpr int kTile = Bytes * Each * kThreads;
  extern __shared__ __align__(16) char tiles[];
  const uint32_t base = uint32_t(__cvta_generic_to_shared(tiles));
  const auto one = [=](int step, int at) {
    const int place = step * kTile + at, left = end - place;
    copy<Bytes>(base + step % Stages * kTile + at, in + (left > 0 ? place : 0), left < 0 ? 0 : left < Bytes ? left : Bytes);
  };
  const auto load = [&](int step) {
    if (How == kRolled) {
#pragma unroll 1
      for (int i = 0; i < Each; ++i) one(step, (i * kThreads + threadIdx.x) * Bytes);
    } else if (How == kByHalves) {  // the first threads copy more than the others
      for (int at = threadIdx.x; at < Each * kThreads; at += threadIdx.x < 32 ? 32 : kThreads * Each)
        if (threadIdx.x < 32 || at >= Each * kThreads) one(step, at * Bytes);
    } else {
#pragma unroll
      for (int i = 0; i < Each; ++i) {
        const int at = (i * kThreads + threadIdx.x) * Bytes, place = step * kTile + at;
        if (How == kIssueFirst && end % Bytes == 0)
          COPY_UNLESS(base + step % Stages * kTile + at, in + (place < end ? place : 0), Bytes, place >= end);
        else one(step, at);
        if (How == kTwoGroups && i == Each / 2 - 1) commit();
      }
    }
  };
  constexpr int kGroups = How == kTwoGroups ? 2 : 1;
  for (int step = 0; step < Stages - 1; ++step) {
    if (step < steps) load(step);
    else if (How == kTwoGroups) commit();
    if (How != kUncommitted) commit();
  }
  for (int step = 0; step < steps; ++step) {
    if (How == kIssueFirst || How == kTwoGroups) {
      if (step + Stages - 1 < steps) load(step + Stages - 1);
      else if (How == kTwoGroups) commit();
      commit();
      wait<kGroups *(Stages - 1)>();
    } else if (How == kWaitAll || How == kUncommitted) {
      WAIT_ALL();
    } else {
      wait<Stages - 2>();
    }
    __syncthreads();
    if (How != kIssueFirst && How != kTwoGroups) {
      if (step + Stages - 1 < steps) load(step + Stages - 1);
      if (How != kUncommitted) commit();
    }
    const char *tile = tiles + step % Stages * kTile;
    for (int at = threadIdx.x * 4; at < kTile; at += kThreads * 4)
      *reinterpret_cast<uint32_t *>(out + step * kTile + at) = *reinterpret_cast<const uint32_t *>(tile + kTile - 4 - at);
    matrices[step * kThreads + threadIdx.x] = matrix(base + step % Stages * kTile + threadIdx.x % 8 * 16);
    __syncthreads();
  }
}

template <int Bytes, int Each, int Stages, Order How>
int check(int steps, int cut) {
  constexpr int kTile = Bytes * Each * kThreads;
  static char numbers[1 << 18], found[1 << 18];
  static uint32_t words[64 * kThreads];
  const int size = steps * kTile, end = size - cut;
  for (int i = 0; i < size; ++i) numbers[i] = char(i * 7 + i / 256 + 1);
  char *in, *out;
  uint32_t *matrices;
  cudaMalloc(&in, size);
  cudaMalloc(&out, size);
  cudaMalloc(&matrices, sizeof words);
  cudaMemcpy(in, numbers, size, cudaMemcpyHostToDevice);
  ring<Bytes, Each, Stages, How><<<1, kThreads, Stages * kTile>>>(in, out, matrices, steps, end);
  cudaMemcpy(found, out, size, cudaMemcpyDeviceToHost);
  cudaMemcpy(words, matrices, steps * kThreads * 4, cudaMemcpyDeviceToHost);
  cudaFree(in), cudaFree(out), cudaFree(matrices);
  if (cudaGetLastError() != cudaSuccess) return printf("%d\n", int(cudaGetLastError())), 1;
  memset(numbers + end, 0, cut);
  for (int step = 0; step < steps; ++step) {
    const char *tile = numbers + step * kTile;
    for (int i = 0; i < kTile; i += 4)
      if (memcmp(found + step * kTile + i, tile + kTile - 4 - i, 4))
        return printf("%d bytes, %d each, %d stages, order %d: step %d, byte %d\n", Bytes, Each, Stages, How, step, i), 1;
    for (int t = 0; t < kThreads; ++t)
      if (memcmp(&words[step * kThreads + t], tile + t % 32 * 4, 4))
        return printf("%d bytes, %d each, %d stages, order %d: step %d, thread %d\n", Bytes, Each, Stages, How, step, t), 1;
  }
  return 0;
}

template <int Bytes, int Each, int Stages, Order How, int Cut>
int lengths() {
  return check<Bytes, Each, Stages, How>(1, Cut) | check<Bytes, Each, Stages, How>(2, Cut) | check<Bytes, Each, Stages, How>(7, Cut);
}

int main() {
  int wrong = lengths<16, 3, 2, kWaitFirst, 37>() | lengths<4, 5, 4, kWaitFirst, 37>();
  wrong |= lengths<16, 20, 3, kIssueFirst, 37>() | lengths<8, 2, 2, kIssueFirst, 64>();  // by sizes, and by predicates
  wrong |= lengths<16, 4, 3, kTwoGroups, 5>() | lengths<16, 7, 2, kRolled, 0>() | lengths<4, 5, 3, kByHalves, 0>();
  return wrong | lengths<16, 3, 2, kWaitAll, 0>() | lengths<8, 3, 2, kUncommitted, 37>();
}
