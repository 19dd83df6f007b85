// Runs the tensor copies of tensor_cases.py on a Hopper GPU: nvcc -std=c++17 -arch=sm_90a -o probe tensor_probe.cu
// python tensor_cases.py | while read c; do echo "$c" | ./probe; done; ./probe encodings < /dev/null
// Prints for each case (a process each, as a refused instruction ends the context): the result of cuTensorMapEncodeTiled, whether the phase completed, the checksum of the memory.
// Then results of encodings with arguments that are off, and states of an mbarrier.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <vector>
constexpr int SHARED = 1 << 14, GLOBAL = 1 << 16;
struct Coordinates { int c[5]; };
__device__ uint32_t saddr(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }
__global__ void copy(const __grid_constant__ CUtensorMap map, int op, int rank, Coordinates at, int offset, int bytes, const uint8_t* before, uint8_t* after, int* completed) {
  extern __shared__ __align__(1024) uint8_t smem[];
  __shared__ __align__(8) uint64_t bar;
  for (int i = threadIdx.x; i < SHARED; i += blockDim.x) smem[i] = before[i];
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(saddr(&bar)));
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    uint32_t s = saddr(smem + offset), b = saddr(&bar);
    const int* c = at.c;
    if (op == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(bytes) : "memory");
#define LOAD(n, list, ...) asm volatile("cp.async.bulk.tensor." #n "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {" list "}], [%2];" ::"r"(s), "l"(&map), "r"(b), __VA_ARGS__ : "memory")
      if (rank == 1) LOAD(1, "%3", "r"(c[0]));
      if (rank == 2) LOAD(2, "%3, %4", "r"(c[0]), "r"(c[1]));
      if (rank == 3) LOAD(3, "%3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]));
      if (rank == 4) LOAD(4, "%3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
      if (rank == 5) LOAD(5, "%3, %4, %5, %6, %7", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]));
      uint32_t done = 0;
      for (int i = 0; i < 2000 && !done; i++)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0, 1000; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(b) : "memory");
      *completed = done;
    } else {
#define STORE(n, list, ...) if (op == 1) asm volatile("cp.async.bulk.tensor." #n "d.global.shared::cta.bulk_group [%1, {" list "}], [%0];" ::"r"(s), "l"(&map), __VA_ARGS__ : "memory"); \
      else asm volatile("cp.reduce.async.bulk.tensor." #n "d.global.shared::cta.add.bulk_group [%1, {" list "}], [%0];" ::"r"(s), "l"(&map), __VA_ARGS__ : "memory")
      if (rank == 1) { STORE(1, "%2", "r"(c[0])); }
      if (rank == 2) { STORE(2, "%2, %3", "r"(c[0]), "r"(c[1])); }
      if (rank == 3) { STORE(3, "%2, %3, %4", "r"(c[0]), "r"(c[1]), "r"(c[2])); }
      if (rank == 4) { STORE(4, "%2, %3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])); }
      if (rank == 5) { STORE(5, "%2, %3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])); }
      asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
      *completed = 1;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < SHARED; i += blockDim.x) after[i] = smem[i];
}
__global__ void states(unsigned long long* out) {
  __shared__ __align__(8) uint64_t bar;
  uint32_t b = saddr(&bar), n, p;
  uint64_t s;
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 5;" ::"r"(b));
  out[0] = bar;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(s) : "r"(b));
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(s)); out[1] = n;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], 3;" : "=l"(s) : "r"(b));
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(s)); out[2] = n;
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];" : "=l"(s) : "r"(b));
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(s)); out[3] = n;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(p) : "r"(b), "l"(s)); out[4] = p;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(s) : "r"(b));
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(s)); out[5] = n;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(p) : "r"(b)); out[6] = p;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 1; selp.u32 %0, 1, 0, p; }" : "=r"(p) : "r"(b)); out[7] = p;
}
static void pattern(uint8_t* to, int count, int seed) {
  for (int i = 0; i < count / 4; i++) {
    uint32_t w = uint32_t(((uint64_t(i) + seed * 7919ull) * 2654435761ull) >> 7) & 0xBF7FBF7Fu;
    if (i % 5 == 0) w &= 0x807F807Fu;
    memcpy(to + 4 * i, &w, 4);
  }
}
static uint32_t crc(const uint8_t* p, int n) {
  uint32_t c = ~0u;
  for (int i = 0; i < n; i++) { c ^= p[i]; for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? 0xEDB88320u : 0); }
  return ~c;
}
using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
int main(int argc, char**) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult q;
#if CUDART_VERSION >= 13000
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &q);
#else
  cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &q);
#endif
  Encode encode = (Encode)entry;
  uint8_t *memory, *before, *after; int* completed;
  cudaMalloc(&memory, GLOBAL); cudaMalloc(&before, SHARED); cudaMalloc(&after, SHARED); cudaMalloc(&completed, 4);
  std::vector<uint8_t> g(GLOBAL), s(SHARED);
  std::string line;
  FILE* raw = fopen("images.bin", "ab");
  while (std::getline(std::cin, line)) {
    std::istringstream in(line);
    int op, type, rank, swizzle, offset, bytes;
    cuuint64_t dims[5], strides[4]; cuuint32_t box[5], steps[5]; Coordinates at{};
    in >> op >> type >> rank;
    for (int i = 0; i < rank; i++) in >> dims[i];
    for (int i = 0; i + 1 < rank; i++) in >> strides[i];
    for (int i = 0; i < rank; i++) in >> box[i];
    for (int i = 0; i < rank; i++) in >> steps[i];
    in >> swizzle >> offset;
    for (int i = 0; i < rank; i++) in >> at.c[i];
    in >> bytes;
    pattern(g.data(), GLOBAL, 1); pattern(s.data(), SHARED, 2);
    cudaMemcpy(memory, g.data(), GLOBAL, cudaMemcpyHostToDevice);
    cudaMemcpy(before, s.data(), SHARED, cudaMemcpyHostToDevice);
    CUtensorMap map;
    CUresult r = encode(&map, CUtensorMapDataType(type), rank, memory, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CUtensorMapSwizzle(swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    int done = 0; uint32_t sum = 0;
    if (r == CUDA_SUCCESS) {
      copy<<<1, 128, SHARED>>>(map, op, rank, at, offset, bytes, before, after, completed);
      cudaError_t e = cudaDeviceSynchronize();
      if (e != cudaSuccess) {  // the instruction is refused: the context is lost
        printf("image %d -1 0 %s\n", int(r), cudaGetErrorString(e));
        if (raw) fwrite(s.data(), 1, SHARED, raw);
        return 0;
      }
      cudaMemcpy(&done, completed, 4, cudaMemcpyDeviceToHost);
      cudaMemcpy(g.data(), memory, GLOBAL, cudaMemcpyDeviceToHost);
      cudaMemcpy(s.data(), after, SHARED, cudaMemcpyDeviceToHost);
      sum = op ? crc(g.data(), GLOBAL) : crc(s.data(), SHARED);
    }
    if (raw) fwrite(op ? g.data() : s.data(), 1, SHARED, raw);
    printf("image %d %d %08x\n", int(r), done, sum);
  }
  if (raw) fclose(raw);
  if (argc == 1) return 0;
  // Encodings with one argument changed: name and result.
  struct Arguments { int type = 9, rank = 2; uint64_t base = 0; cuuint64_t dims[5] = {128, 64, 4, 4, 4}, strides[4] = {256, 16384, 65536, 262144}; cuuint32_t box[5] = {32, 16, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1}; int interleave = 0, swizzle = 0, promotion = 0, fill = 0; };
  auto check = [&](const char* name, auto change) {
    Arguments a; a.base = (uint64_t)memory; change(a);
    alignas(64) CUtensorMap map;
    CUresult r = encode(&map, CUtensorMapDataType(a.type), a.rank, (void*)a.base, a.dims, a.strides, a.box, a.steps, CUtensorMapInterleave(a.interleave), CUtensorMapSwizzle(a.swizzle), CUtensorMapL2promotion(a.promotion), CUtensorMapFloatOOBfill(a.fill));
    printf("encode %d %s\n", int(r), name);
  };
#define CHECK(change) check(#change, [](Arguments& a) { change; })
#include "encodings.h"
  unsigned long long* out; cudaMalloc(&out, 64); states<<<1, 1>>>(out);
  unsigned long long h[8]; cudaMemcpy(h, out, 64, cudaMemcpyDeviceToHost);
  printf("states"); for (auto v : h) printf(" %llx", v); printf("\n");
}
