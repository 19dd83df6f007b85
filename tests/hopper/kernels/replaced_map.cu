// A tensor map that the kernel itself fits to a part of an array, 16-byte registers, zeros in bulk and the rarer instructions on
// halves and lanes; prints "right" or what was wrong.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

constexpr int kPitch = 64, kRows = 32, kBox = 8;

__device__ uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

// Block b reads a box of 8 x 8 at (4 b, 2) of the array that begins at row 3 b; its sizes leave the box's last rows outside. A
// box has to begin at a multiple of 16 bytes.
__global__ void read_boxes(const __grid_constant__ CUtensorMap given, CUtensorMap* maps, const float* from, float* out) {
  __shared__ alignas(128) CUtensorMap map;
  __shared__ alignas(128) float box[kBox * kBox];
  __shared__ alignas(8) uint64_t bar;
  const uint32_t place = shared_address(&map), barrier = shared_address(&bar);
  CUtensorMap* const own = maps + blockIdx.x;
  if (threadIdx.x == 0) {
    map = given;
    asm volatile("st.bulk.weak.shared::cta [%0], %1, 0;" ::"r"(shared_address(box)), "l"(uint64_t{sizeof box}) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier));
    const float* const base = from + 3 * blockIdx.x * kPitch;
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(place), "l"(base));
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(place), "r"(kPitch));
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(place), "r"(blockIdx.x + 4));
    asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(place),
                 "l"(uint64_t{kPitch * sizeof(float)}));
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(own),
                 "r"(place)
                 : "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(own) : "memory");
  }
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(uint32_t(sizeof box)));
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            shared_address(box)),
        "l"(own), "r"(4 * blockIdx.x), "r"(2), "r"(barrier)
        : "memory");
  }
  asm volatile(
      "{\n .reg .pred done;\nWAIT_%=:\n mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n @done bra.uni DONE_%=;\n"
      " bra.uni WAIT_%=;\nDONE_%=:\n}\n" ::"r"(barrier)
      : "memory");
  for (int i = threadIdx.x; i < kBox * kBox; i += blockDim.x) out[blockIdx.x * kBox * kBox + i] = box[i];
}

__global__ void rare(const uint4* words, uint4* copy, uint32_t* out) {
  const int lane = threadIdx.x;
  asm volatile("{ .reg .b128 q, s; .reg .b64 lo, hi; ld.global.b128 q, [%0]; mov.b128 {lo, hi}, q; mov.b128 s, {hi, lo};"
               " st.global.b128 [%1], s; }" ::"l"(words + lane), "l"(copy + lane) : "memory");
  float largest;
  const float value = lane == 7 ? -40.0f : float(lane);
  asm("redux.sync.max.abs.f32 %0, %1, %2;" : "=f"(largest) : "f"(value), "r"(0xffffffffu));
  out[lane] = uint32_t(largest);
  uint32_t mask;
  asm("set.gtu.u32.f16x2 %0, %1, %2;" : "=r"(mask) : "r"(0x3c00c000u), "r"(0x00003c00u));  // (1, -2) > (0, 1)?
  out[32 + lane] = mask;
  uint32_t packed;
  asm("cvt.pack.sat.s4.s32.b32 %0, %1, %2, %3;" : "=r"(packed) : "r"(lane - 16), "r"(3), "r"(0xabu));
  out[64 + lane] = packed;
  uint32_t chosen;
  asm("vset2.s32.s32.lt %0, %1, %2, %3;" : "=r"(chosen) : "r"(0xffff0005u), "r"(0x00000005u), "r"(0u));
  out[96 + lane] = chosen;
}

int main() {
  float host[kRows * kPitch];
  for (int i = 0; i < kRows * kPitch; ++i) host[i] = float(i);
  float *from, *out;
  CUtensorMap* maps;
  uint4 *words, *copy;
  uint32_t* results;
  constexpr int kBlocks = 5;
  cudaMalloc(&from, sizeof host), cudaMalloc(&out, kBlocks * kBox * kBox * 4), cudaMalloc(&maps, kBlocks * sizeof(CUtensorMap));
  cudaMalloc(&words, 512), cudaMalloc(&copy, 512), cudaMalloc(&results, 512);
  cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(words, host, 512, cudaMemcpyHostToDevice);
  const cuuint64_t sizes[] = {16, 16}, strides[] = {64};
  const cuuint32_t box[] = {kBox, kBox}, steps[] = {1, 1};
  CUtensorMap map;
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, from, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                         CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  read_boxes<<<kBlocks, 64>>>(map, maps, from, out);
  rare<<<1, 32>>>(words, copy, results);
  const cudaError_t error = cudaDeviceSynchronize();
  float found[kBlocks * kBox * kBox], swapped[128];
  uint32_t rest[128];
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpy(swapped, copy, sizeof swapped, cudaMemcpyDeviceToHost);
  cudaMemcpy(rest, results, sizeof rest, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int b = 0; b < kBlocks; ++b)
    for (int r = 0; r < kBox; ++r)
      for (int c = 0; c < kBox; ++c) {
        const int row = 2 + r;
        const float want = row < b + 4 ? float((3 * b + row) * kPitch + 4 * b + c) : 0.0f;
        wrong += found[(b * kBox + r) * kBox + c] != want;
      }
  if (wrong) std::printf("%d in boxes\n", wrong);
  int others = 0;
  for (int i = 0; i < 128; ++i) others += swapped[i] != host[i ^ 2];
  for (int i = 0; i < 32; ++i) {
    const int low = i - 16 < -8 ? -8 : i - 16 > 7 ? 7 : i - 16;
    others += rest[i] != 40;
    others += rest[32 + i] != 0xffff0000u;
    others += rest[64 + i] != (0xab00u | uint32_t(low & 15) << 4 | 3);
    others += rest[96 + i] != 0x00010000u;
  }
  if (error == cudaSuccess && wrong + others == 0) std::printf("right\n");
  else std::printf("%s, %d and %d wrong\n", cudaGetErrorString(error), wrong, others);
  return error != cudaSuccess || wrong + others != 0;
}
