// The cases of tensor_cases.py, one a line of the input, as h200/tensor_probe.cu runs them; the memory after each goes to
// the file that is named. Without a name: results of
// cuTensorMapEncodeTiled for arguments that are off.
#define PORTER_MIRRORED 1
#include <porter/tensor_map.h>
#include <porter/mirror.h>

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

constexpr int SHARED = 1 << 14, GLOBAL = 1 << 16;
struct Coordinates { int c[5]; };

template <class F>
__device__ void with(int rank, const Coordinates &at, F f) {
  const int *c = at.c;
  if (rank == 1) f(c[0]);
  if (rank == 2) f(c[0], c[1]);
  if (rank == 3) f(c[0], c[1], c[2]);
  if (rank == 4) f(c[0], c[1], c[2], c[3]);
  if (rank == 5) f(c[0], c[1], c[2], c[3], c[4]);
}

__global__ void copy(const CUtensorMap map, int op, int rank, Coordinates at, int offset, int bytes, const uint8_t *before, uint8_t *after, int *completed) {
  extern __shared__ __align__(1024) uint8_t smem[];
  __shared__ __align__(8) uint64_t bar;
  const int lanes = porter::block_dim().x;
  for (int i = threadIdx.x; i < SHARED; i += lanes) smem[i] = before[i];
  if (threadIdx.x == 0) porter::mbarrier_init(&bar, 1);
  __syncthreads();
  if (op == 0) {
    if (threadIdx.x == 0) {
      porter::mbarrier_arrive_expect_tx(&bar, bytes);
      with(rank, at, [&](auto... c) { porter::tensor_load(smem + offset, &map, &bar, c...); });
    }
    bool done = false;
    for (int i = 0; i < 2000 && !done; i++) done = porter::mbarrier_try_wait_parity(&bar, 0);
    if (threadIdx.x == 0) *completed = done;
  } else if (threadIdx.x == 0) {
    if (op == 1) with(rank, at, [&](auto... c) { porter::tensor_store(&map, smem + offset, c...); });
    else if (op == 3) with(rank, at, [&](auto... c) { porter::tensor_reduce<porter::reduce::min>(&map, smem + offset, c...); });
    else if (op == 4) with(rank, at, [&](auto... c) { porter::tensor_reduce<porter::reduce::max>(&map, smem + offset, c...); });
    else with(rank, at, [&](auto... c) { porter::tensor_reduce<porter::reduce::add>(&map, smem + offset, c...); });
    *completed = 1;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < SHARED; i += lanes) after[i] = smem[i];
}

static void pattern(uint8_t *to, int count, int seed) {
  for (int i = 0; i < count / 4; i++) {
    uint32_t w = uint32_t(((uint64_t(i) + seed * 7919ull) * 2654435761ull) >> 7) & 0xBF7FBF7Fu;
    if (i % 5 == 0) w &= 0x807F807Fu;
    memcpy(to + 4 * i, &w, 4);
  }
}

static void encodings() {
  struct Arguments {
    int type = 9, rank = 2;
    uint64_t base = 0;
    uint64_t dims[5] = {128, 64, 4, 4, 4}, strides[4] = {256, 16384, 65536, 262144};
    uint32_t box[5] = {32, 16, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
    int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
  };
  auto check = [&](const char *name, auto change) {
    Arguments a;
    a.base = 1 << 20;
    change(a);
    CUtensorMap map;
    const hipError_t r = cuTensorMapEncodeTiled(&map, CUtensorMapDataType(a.type), a.rank, (void *)a.base, a.dims, a.strides, a.box, a.steps,
                                                CUtensorMapInterleave(a.interleave), CUtensorMapSwizzle(a.swizzle), CUtensorMapL2promotion(a.promotion), CUtensorMapFloatOOBfill(a.fill));
    printf("encode %d %s\n", int(r), name);
  };
#define CHECK(change) check(#change, [](Arguments &a) { change; })
#include "../h200/encodings.h"
}

#define MUST(call) if (hipError_t e = (call); e != hipSuccess) return printf("error %s\n", hipGetErrorString(e)), 1
int main(int argc, char **argv) {
  if (argc < 2) return encodings(), 0;
  uint8_t *memory, *before, *after;
  int *completed;
  MUST(hipMalloc(&memory, GLOBAL));
  MUST(hipMalloc(&before, SHARED));
  MUST(hipMalloc(&after, SHARED));
  MUST(hipMalloc(&completed, 4));
  std::vector<uint8_t> g(GLOBAL), s(SHARED);
  FILE *images = fopen(argv[1], "wb");
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    int op, type, rank, swizzle, offset, bytes, done = 0;
    uint64_t dims[5], strides[4];
    uint32_t box[5], steps[5];
    Coordinates at{};
    in >> op >> type >> rank;
    for (int i = 0; i < rank; i++) in >> dims[i];
    for (int i = 0; i + 1 < rank; i++) in >> strides[i];
    for (int i = 0; i < rank; i++) in >> box[i];
    for (int i = 0; i < rank; i++) in >> steps[i];
    in >> swizzle >> offset;
    for (int i = 0; i < rank; i++) in >> at.c[i];
    in >> bytes;
    pattern(g.data(), GLOBAL, 1);
    pattern(s.data(), SHARED, 2);
    MUST(hipMemcpy(memory, g.data(), GLOBAL, hipMemcpyHostToDevice));
    MUST(hipMemcpy(before, s.data(), SHARED, hipMemcpyHostToDevice));
    CUtensorMap map;
    const hipError_t r = cuTensorMapEncodeTiled(&map, CUtensorMapDataType(type), rank, memory, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                                CUtensorMapSwizzle(swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r == hipSuccess) {
      copy<<<1, porter::mirrored(128), SHARED>>>(map, op, rank, at, offset, bytes, before, after, completed);
      MUST(hipDeviceSynchronize());
      MUST(hipMemcpy(&done, completed, 4, hipMemcpyDeviceToHost));
      MUST(hipMemcpy(g.data(), memory, GLOBAL, hipMemcpyDeviceToHost));
      MUST(hipMemcpy(s.data(), after, SHARED, hipMemcpyDeviceToHost));
    }
    fwrite(op ? g.data() : s.data(), 1, op ? GLOBAL : SHARED, images);
    printf("image %d %d\n", int(r), done);
  }
  fclose(images);
}
