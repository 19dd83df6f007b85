// <cuda/ptx> and libcu++ without barriers: loads and stores with hints, bits, shuffles, a tensor map that the kernel
// changes, access properties; names through `using namespace` and namespaces' other names.
#include <cuda.h>
#include <cuda/annotated_ptr>
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/ptx>
#include <cstdint>
#include <cstdio>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace ptx = cuda::ptx;
namespace dev = cuda::device;

constexpr int kRows = 8, kCols = 32;

__global__ void moved(const int4 *in, int4 *out, const double *far, double *back, unsigned char *bytes) {
  const int t = threadIdx.x;
  uint64_t policy = 0;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  int4 a = ptx::ld_nc_L1_no_allocate_L2_128B(ptx::space_global, in + t);
  const int4 b = ptx::ld_L1_evict_last(ptx::space_global, in + t);
  const int4 c = ptx::ld_nc_L2_cache_hint(ptx::space_global, in + t, policy);
  a.x += b.y, a.z += c.w;
  ptx::st_L1_no_allocate(ptx::space_global, out + t, a);
  ptx::st_L2_cache_hint(ptx::space_global, back + t, 2 * ptx::ld(ptx::space_global, far + t), policy);
  ptx::st(ptx::space_global, bytes + t, static_cast<unsigned char>(ptx::ld_nc(ptx::space_global, bytes + t) + 1));
}

__global__ void counted(const unsigned *in, unsigned *out) {
  using namespace cuda::ptx;
  const unsigned t = threadIdx.x, x = in[t];
  bool inside = false;
  unsigned *mine = out + 8 * t;
  mine[0] = bfind(x) + 100 * bfind(static_cast<int64_t>(-1 - int64_t(x))) + bfind_shiftamt(x) * 10000;
  mine[1] = bmsk_clamp(t, 8) ^ bmsk_wrap(t + 3, 5);
  mine[2] = prmt(x, ~x, 0x4150u) ^ prmt_ecl(x, x, t);
  mine[3] = shl(x, t) + static_cast<unsigned>(cuda::ptx::shr(static_cast<int>(x), t + 1));
  mine[4] = shl(x, 40u) + static_cast<unsigned>(shr(static_cast<int64_t>(x) << 32, 200u));
  mine[5] = shfl_sync_up(x, inside, 3u, 0u, 0xffffffffu);
  mine[6] = inside;
  mine[7] = shfl_sync_bfly(x, 5u, 31u, 0xffffffffu) + shfl_sync_idx(x, 2u, 0x181fu, 0xffffffffu);
}

// The map of rows in `from` becomes one of fewer rows in `to`: changed in shared memory, copied, used.
__global__ void turned(const __grid_constant__ CUtensorMap map, CUtensorMap *changed, const int *to, int rows, int *out) {
  using namespace cuda;
  __shared__ alignas(128) CUtensorMap mine;
  __shared__ alignas(128) int tile[kRows][kCols];
  __shared__ barrier<thread_scope_block> bar;
  if (threadIdx.x == 0) {
    mine = map;
    init(&bar, blockDim.x);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) {
      ptx::tensormap_replace_global_address(ptx::space_shared, &mine, to);
      ptx::tensormap_replace_global_dim(ptx::space_shared, &mine, ptx::n32_t<1>(), rows);
      ptx::tensormap_replace_global_stride(ptx::space_shared, &mine, ptx::n32_t<0>(), uint64_t(2 * kCols * sizeof(int)));
    }
    __syncwarp();
    ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, changed, &mine, ptx::n32_t<128>());
    ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, changed, ptx::n32_t<128>());
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const int32_t at[2] = {0, 0};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, &tile, changed, at, dev::barrier_native_handle(bar));
    dev::barrier_expect_tx(bar, sizeof(tile));
  }
  bar.arrive_and_wait();
  for (int i = threadIdx.x; i < kRows * kCols; i += blockDim.x) out[i] = tile[i / kCols][i % kCols];
}

__global__ void kept(const float *in, float *out) {
  using namespace cuda;
  annotated_ptr<const float, access_property::persisting> often{in};
  cuda::annotated_ptr<float, access_property> once(out, access_property(access_property::streaming{}, 0.5f));
  cuda::apply_access_property(in, 128, cuda::access_property::persisting{});
  const int t = threadIdx.x;
  once[t] = maximum<float>{}(often[t], minimum<>{}(*often, 3.0f));
  if (t == 0) *(once.get() + 32) = *cuda::associate_access_property(in, access_property::streaming{});
}

static unsigned mask(unsigned at, unsigned bits) { return unsigned(((uint64_t(1) << bits) - 1) << at); }

int main() {
  char *memory;
  cudaMalloc(&memory, 1 << 16);
  int4 ints[32], sums[32];
  double far[32], back[32];
  unsigned char bytes[32];
  for (int i = 0; i < 32; ++i) ints[i] = {i, 2 * i, 3 * i, 4 * i}, far[i] = i / 4.0, bytes[i] = 9 * i;
  auto *in = (int4 *)memory, *out = in + 32;
  auto *from = (double *)(out + 32);
  auto *small = (unsigned char *)(from + 64);
  cudaMemcpy(in, ints, sizeof ints, cudaMemcpyHostToDevice);
  cudaMemcpy(from, far, sizeof far, cudaMemcpyHostToDevice);
  cudaMemcpy(small, bytes, sizeof bytes, cudaMemcpyHostToDevice);
  moved<<<1, 32>>>(in, out, from, from + 32, small);
  cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
  cudaMemcpy(back, from + 32, sizeof back, cudaMemcpyDeviceToHost);
  cudaMemcpy(bytes, small, sizeof bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 32; ++i) {
    wrong += sums[i].x != 3 * i || sums[i].y != 2 * i || sums[i].z != 7 * i || sums[i].w != 4 * i;
    wrong += back[i] != i / 2.0 || bytes[i] != (unsigned char)(9 * i + 1);
  }
  printf("moved: %d wrong\n", wrong);

  unsigned given[32], got[256];
  for (unsigned i = 0; i < 32; ++i) given[i] = 2654435761u * (i + 1) >> i | 1;
  cudaMemcpy(memory, given, sizeof given, cudaMemcpyHostToDevice);
  counted<<<1, 32>>>((unsigned *)memory, (unsigned *)memory + 64);
  cudaMemcpy(got, memory + 256, sizeof got, cudaMemcpyDeviceToHost);
  int off = 0;
  for (unsigned t = 0; t < 32; ++t) {
    const unsigned x = given[t], *mine = got + 8 * t, n = t & 3;
    unsigned top = 31, bytes8[8];
    while (!(x >> top & 1)) --top;
    for (int i = 0; i < 4; ++i) bytes8[i] = x >> 8 * i & 255, bytes8[4 + i] = ~x >> 8 * i & 255;
    const unsigned picked = bytes8[0] | bytes8[5] << 8 | bytes8[1] << 16 | bytes8[4] << 24;
    const unsigned clamped = bytes8[n] | bytes8[n > 1 ? n : 1] << 8 | bytes8[n > 2 ? n : 2] << 16 | bytes8[3] << 24;
    off += mine[0] != top + 100 * top + (31 - top) * 10000;
    off += mine[1] != (mask(t, 8) ^ ((31u) << ((t + 3) & 31)));
    off += mine[2] != (picked ^ clamped);
    off += mine[3] != (x << t) + unsigned(t + 1 > 31 ? int(x) >> 31 : int(x) >> (t + 1));
    off += mine[4] != (int64_t(uint64_t(x) << 32) < 0 ? ~0u : 0);
    off += mine[5] != given[t < 3 ? t : t - 3] || mine[6] != (t >= 3);
    off += mine[7] != given[t ^ 5] + given[(t & 24) | 2];
  }
  printf("counted: %d wrong\n", off);

  static int rows[2][16][kCols], tile[kRows][kCols];
  for (int i = 0; i < 2 * 16 * kCols; ++i) rows[0][0][i] = i + 1;
  auto *tensor = (int *)memory;
  auto *changed = (CUtensorMap *)(memory + 32768);
  cudaMemcpy(tensor, rows, sizeof rows, cudaMemcpyHostToDevice);
  CUtensorMap map;
  const cuuint64_t sizes[2] = {kCols, 16}, strides[1] = {kCols * 4};
  const cuuint32_t box[2] = {kCols, kRows}, steps[2] = {1, 1};
  int bad = cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, tensor, sizes, strides, box, steps,
                                   CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                   CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS;
  turned<<<1, 64>>>(map, changed, tensor + 16 * kCols, 5, tensor + 2048);
  cudaMemcpy(tile, tensor + 2048, sizeof tile, cudaMemcpyDeviceToHost);
  for (int r = 0; r < kRows; ++r)
    for (int c = 0; c < kCols; ++c) bad += tile[r][c] != (r < 5 ? rows[1][2 * r][c] : 0);
  printf("turned: %d wrong\n", bad);

  float values[33], results[33];
  for (int i = 0; i < 32; ++i) values[i] = i % 7 - 3.0f;
  cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice);
  kept<<<1, 32>>>((float *)memory, (float *)memory + 64);
  cudaMemcpy(results, memory + 256, sizeof results, cudaMemcpyDeviceToHost);
  int lost = results[32] != values[0];
  for (int i = 0; i < 32; ++i) lost += results[i] != (values[i] > -3.0f ? values[i] : -3.0f);
  printf("kept: %d wrong\n", lost);
  return wrong + off + bad + lost != 0;
}
