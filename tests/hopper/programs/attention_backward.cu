// Backward of attention in bf16 for heads of 128 values: dQ, dK and dV from Q, K, V, dO, the logarithms of the sums and
// delta = sum(dO * O). A block owns 128 keys and runs over the queries; its part of dQ is added in global memory by the
// copy engine, in the order of registers, and a last kernel puts it in order.
//
//   attention_backward [heads length causal repeats]
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef __nv_bfloat16 bf16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define CUDA_OK(call)                                                                    \
  {                                                                                      \
    const cudaError_t error = call;                                                      \
    if (error != cudaSuccess) {                                                          \
      fprintf(stderr, #call " in line %d: %s\n", __LINE__, cudaGetErrorName(error));     \
      exit(3);                                                                           \
    }                                                                                    \
  }

constexpr int HEAD = 128;         // values of a head
constexpr int KV = 128;           // keys of a block
constexpr int QB = 64;            // queries of a step
constexpr int SLOTS = 2;          // steps on their way
constexpr int WARPGROUPS = 3;     // one loads, two multiply
constexpr int TILE_Q = QB * HEAD; // elements

struct Smem {
  bf16 k[2][KV * 64];             // [half of the head][key][64]
  bf16 v[2][KV * 64];
  bf16 q[SLOTS][2][QB * 64];
  bf16 dout[SLOTS][2][QB * 64];
  bf16 ds[KV * QB];               // [key][query]
  float dq[2][QB * 64];           // of each warpgroup, in the order of registers
  float lse[SLOTS][QB];
  float delta[SLOTS][QB];
  u64 kv_ready;
  u64 ready[SLOTS];
  u64 released[SLOTS];
};

// ---------------------------------------------------------------- instructions

__device__ inline u32 s32(const void* p) { return (u32)__cvta_generic_to_shared(p); }

__device__ inline void bar_init(u64& b, int n) { asm("mbarrier.init.shared.b64 [%0], %1;" :: "r"(s32(&b)), "r"(n)); }

__device__ inline void bar_expect(u64& b, u32 bytes) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t, [%0], %1; }" :: "r"(s32(&b)), "r"(bytes) : "memory");
}

__device__ inline void bar_arrive(u64& b) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" :: "r"(s32(&b)) : "memory");
}

__device__ inline void bar_wait(u64& b, int phase) {
  int done = 0;
  do {
    asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2, 10000000; selp.s32 %0, 1, 0, p; }"
      : "=r"(done) : "r"(s32(&b)), "r"(phase) : "memory");
  } while (!done);
}

// Both halves of a tile of [rows][HEAD]; the map has dimensions 64, length, halves, heads.
__device__ inline void load_halves(bf16* to, int elements_of_half, const CUtensorMap& map, u64& bar, int row, int head) {
  #pragma unroll
  for (int half = 0; half < 2; half++) {
    asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6];"
      :: "r"(s32(to + half * elements_of_half)), "l"(&map), "r"(0), "r"(row), "r"(half), "r"(head), "r"(s32(&bar))
      : "memory");
  }
}

__device__ inline void load_line(float* to, const float* from, int count, u64& bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               :: "r"(s32(to)), "l"(__cvta_generic_to_global(from)), "r"(count * 4), "r"(s32(&bar)) : "memory");
}

// The matrix is 64 values wide, rows of 128 bytes. `columns` is the distance of blocks of 64 columns if rows are k.
__device__ inline u64 matrix(const bf16* p, u32 columns = 16) {
  u64 d = 1;
  d <<= 62;
  d |= (u64)(1024 / 16) << 32;
  d |= (u64)(columns / 16) << 16;
  return d | (u64)((s32(p) & 0x3ffff) >> 4);
}

#define F8(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define F32(d, i) F8(d, i), F8(d, i + 8), F8(d, i + 16), F8(d, i + 24)
#define LIST32 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"
#define LIST64 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"

template <int N> struct Gemm;

// A and B from shared memory; Ta and Tb say whose rows are k.
template <> struct Gemm<64> {
  template <int Ta, int Tb>
  static __device__ inline void ss(float (&d)[32], u64 a, u64 b, bool add) {
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " LIST32
                 ", %32, %33, p, 1, 1, %35, %36; }"
                 : F32(d, 0) : "l"(a), "l"(b), "r"((int)add), "n"(Ta), "n"(Tb));
  }
};

template <> struct Gemm<128> {
  template <int Tb>
  static __device__ inline void rs(float (&d)[64], const u32 (&a)[4], u64 b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " LIST64
                 ", {%64, %65, %66, %67}, %68, 1, 1, 1, %69;"
                 : F32(d, 0), F32(d, 32) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(Tb));
  }
};

__device__ inline void mma_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void mma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int Left> __device__ inline void mma_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(Left) : "memory"); }

__device__ inline u32 two(float low, float high) {
  u32 r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}

__device__ inline float exp2_fast(float x) {
  float r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}

// Accumulators of 64 columns as operands A of four products of 16.
__device__ inline void as_operand(u32 (&a)[4][4], const float (&d)[32]) {
  #pragma unroll
  for (int k = 0; k < 4; k++)
    #pragma unroll
    for (int i = 0; i < 4; i++) a[k][i] = two(d[8 * k + 2 * i], d[8 * k + 2 * i + 1]);
}

// ---------------------------------------------------------------- kernels

struct Arguments {
  int length;
  float scale;
  const float* lse;    // [head][length], of base 2
  const float* delta;  // [head][length]
  float* dq;           // [head][length / QB][2][QB * 64]
  bf16* dk;            // [head][length][HEAD]
  bf16* dv;
};

template <bool Causal>
__global__ __launch_bounds__(WARPGROUPS * 128, 1)
void backward(const Arguments g, const __grid_constant__ CUtensorMap q_map, const __grid_constant__ CUtensorMap k_map,
              const __grid_constant__ CUtensorMap v_map, const __grid_constant__ CUtensorMap do_map) {
  extern __shared__ u32 dynamic[];
  Smem& s = *(Smem*)(((u64)dynamic + 1023) / 1024 * 1024);
  const int warpgroup = threadIdx.x >> 7, head = blockIdx.y, key0 = blockIdx.x * KV;
  const int steps = g.length / QB, first = Causal ? key0 / QB : 0;

  if (threadIdx.x == 0) {
    bar_init(s.kv_ready, 1);
    for (int i = 0; i < SLOTS; i++) {
      bar_init(s.ready[i], 1);
      bar_init(s.released[i], 8);
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();

  if (warpgroup == WARPGROUPS - 1) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x % 128 == 0) {
      bar_expect(s.kv_ready, 2 * sizeof(s.k));
      load_halves(s.k[0], KV * 64, k_map, s.kv_ready, key0, head);
      load_halves(s.v[0], KV * 64, v_map, s.kv_ready, key0, head);
      for (int step = first; step < steps; step++) {
        const int n = step - first, slot = n % SLOTS;
        if (n >= SLOTS) bar_wait(s.released[slot], n / SLOTS - 1 & 1);
        bar_expect(s.ready[slot], 2 * TILE_Q * sizeof(bf16) + 2 * QB * sizeof(float));
        load_halves(s.q[slot][0], QB * 64, q_map, s.ready[slot], step * QB, head);
        load_halves(s.dout[slot][0], QB * 64, do_map, s.ready[slot], step * QB, head);
        load_line(s.lse[slot], g.lse + head * g.length + step * QB, QB, s.ready[slot]);
        load_line(s.delta[slot], g.delta + head * g.length + step * QB, QB, s.ready[slot]);
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    const int t = threadIdx.x & 127, warp = t / 32, lane = t % 32;
    const int my_key = warpgroup * 64 + warp * 16 + lane / 4, my_query = lane % 4 * 2;
    const float scale2 = g.scale * 1.4426950408889634f;
    float dk[64], dv[64];
    #pragma unroll
    for (int i = 0; i < 64; i++) dk[i] = dv[i] = 0;
    bar_wait(s.kv_ready, 0);

    for (int step = first; step < steps; step++) {
      const int n = step - first, slot = n % SLOTS;
      bar_wait(s.ready[slot], n / SLOTS & 1);

      // S^T = K Q^T and dP^T = V dO^T, of 64 keys by 64 queries
      float p[32], dp[32];
      mma_begin();
      #pragma unroll
      for (int i = 0; i < HEAD / 16; i++)
        Gemm<64>::ss<0, 0>(p, matrix(s.k[i / 4] + warpgroup * 64 * 64 + i % 4 * 16), matrix(s.q[slot][i / 4] + i % 4 * 16), i > 0);
      mma_commit();
      #pragma unroll
      for (int i = 0; i < HEAD / 16; i++)
        Gemm<64>::ss<0, 0>(dp, matrix(s.v[i / 4] + warpgroup * 64 * 64 + i % 4 * 16), matrix(s.dout[slot][i / 4] + i % 4 * 16), i > 0);
      mma_commit();

      mma_wait<1>();
      #pragma unroll
      for (int i = 0; i < 32; i++) {
        const int query = i / 4 * 8 + my_query + (i & 1), key = my_key + (i & 2) * 4;
        p[i] = exp2_fast(p[i] * scale2 - s.lse[slot][query]);
        if (Causal && key0 + key > step * QB + query) p[i] = 0;
      }
      u32 a[4][4];
      as_operand(a, p);

      mma_wait<0>();
      #pragma unroll
      for (int i = 0; i < 32; i++) p[i] *= dp[i] - s.delta[slot][i / 4 * 8 + my_query + (i & 1)];

      // dV += P^T dO
      mma_begin();
      #pragma unroll
      for (int i = 0; i < QB / 16; i++)
        Gemm<128>::rs<1>(dv, a[i], matrix(s.dout[slot][0] + i * 16 * 64, QB * 64 * sizeof(bf16)));
      mma_commit();

      // dS to shared memory, for both warpgroups
      u32 b[4][4];
      as_operand(b, p);
      asm volatile("bar.sync 1, 256;" ::: "memory");
      #pragma unroll
      for (int i = 0; i < 4; i++) {
        const int row = warpgroup * 64 + warp * 16 + lane % 16, piece = (i * 2 + lane / 16) ^ (row & 7);
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                     :: "r"(s32(s.ds + row * QB + piece * 8)), "r"(b[i][0]), "r"(b[i][1]), "r"(b[i][2]), "r"(b[i][3])
                     : "memory");
      }
      asm volatile("fence.proxy.async;" ::: "memory");
      asm volatile("bar.sync 2, 256;" ::: "memory");

      // dK += dS^T Q, and 64 columns of dQ = dS K
      float dq[32];
      mma_begin();
      #pragma unroll
      for (int i = 0; i < QB / 16; i++)
        Gemm<128>::rs<1>(dk, b[i], matrix(s.q[slot][0] + i * 16 * 64, QB * 64 * sizeof(bf16)));
      mma_commit();
      #pragma unroll
      for (int i = 0; i < KV / 16; i++)
        Gemm<64>::ss<1, 1>(dq, matrix(s.ds + i * 16 * QB), matrix(s.k[warpgroup] + i * 16 * 64), i > 0);
      mma_commit();
      mma_wait<1>();
      __syncwarp();
      if (lane == 0) bar_arrive(s.released[slot]);
      mma_wait<0>();

      if (t == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      asm volatile("bar.sync %0, 128;" :: "r"(3 + warpgroup) : "memory");
      #pragma unroll
      for (int i = 0; i < 8; i++)
        ((float4*)s.dq[warpgroup])[i * 128 + t] = make_float4(dq[4 * i], dq[4 * i + 1], dq[4 * i + 2], dq[4 * i + 3]);
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      asm volatile("bar.sync %0, 128;" :: "r"(3 + warpgroup) : "memory");
      if (t == 0) {
        float* to = g.dq + (((long)head * steps + step) * 2 + warpgroup) * (QB * 64);
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;\n"
                     "cp.async.bulk.commit_group;"
                     :: "l"(to), "r"(s32(s.dq[warpgroup])), "n"(sizeof(s.dq[0])) : "memory");
      }
    }

    #pragma unroll
    for (int i = 0; i < 64; i += 2) {
      const long row = (long)head * g.length + key0 + my_key + (i & 2) * 4;
      const long at = row * HEAD + i / 4 * 8 + my_query;
      *(u32*)(g.dk + at) = two(dk[i] * g.scale, dk[i + 1] * g.scale);
      *(u32*)(g.dv + at) = two(dv[i], dv[i + 1]);
    }
    if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// delta = sum(dO * O), one warp for a row.
__global__ void row_sums(int rows, const bf16* out, const bf16* dout, float* delta) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const uint2 x = ((const uint2*)out)[row * 32 + lane], y = ((const uint2*)dout)[row * 32 + lane];
  const float2 x0 = __bfloat1622float2(*(const __nv_bfloat162*)&x.x), x1 = __bfloat1622float2(*(const __nv_bfloat162*)&x.y);
  const float2 y0 = __bfloat1622float2(*(const __nv_bfloat162*)&y.x), y1 = __bfloat1622float2(*(const __nv_bfloat162*)&y.y);
  float sum = x0.x * y0.x + x0.y * y0.y + x1.x * y1.x + x1.y * y1.y;
  for (int mask = 16; mask; mask /= 2) sum += __shfl_xor_sync(~0u, sum, mask);
  if (lane == 0) delta[row] = sum;
}

// dQ from the order of registers to rows, scaled, in bf16.
__global__ void finish_dq(const float* from, bf16* to, float scale, long count) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < count; i += (long)gridDim.x * blockDim.x) {
    const long tile = i / TILE_Q;
    const int in = i % TILE_Q, half = in / (QB * 64), four = in % (QB * 64) / 512, t = in % 512 / 4, c = in % 4;
    const int query = t / 32 * 16 + t % 32 / 4 + (c & 2) * 4, column = half * 64 + four * 8 + t % 4 * 2 + (c & 1);
    to[(tile * QB + query) * HEAD + column] = __float2bfloat16(from[i] * scale);
  }
}

// ---------------------------------------------------------------- host

static CUtensorMap map_of(bf16* data, int heads, int length, int rows) {
  typedef CUresult Encode(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                          const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
  void* entry;
  cudaDriverEntryPointQueryResult state;
  CUDA_OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &state));
  CUtensorMap map;
  cuuint64_t sizes[4] = {64, (cuuint64_t)length, 2, (cuuint64_t)heads};
  cuuint64_t pitches[3] = {HEAD * 2, 64 * 2, (cuuint64_t)length * HEAD * 2};
  cuuint32_t box[4] = {64, (cuuint32_t)rows, 1, 1}, ones[4] = {1, 1, 1, 1};
  if (((Encode*)entry)(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 4, data, sizes, pitches, box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE,
                       CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)) {
    fprintf(stderr, "the tensor map is refused\n");
    exit(3);
  }
  return map;
}

struct Tensor {
  std::vector<bf16> host;
  bf16* device;
  explicit Tensor(size_t n) : host(n) { CUDA_OK(cudaMalloc((void**)&device, n * sizeof(bf16))); }
  void up() { CUDA_OK(cudaMemcpy(device, host.data(), host.size() * sizeof(bf16), cudaMemcpyHostToDevice)); }
  void down() { CUDA_OK(cudaMemcpy(host.data(), device, host.size() * sizeof(bf16), cudaMemcpyDeviceToHost)); }
  float operator[](size_t i) const { return __bfloat162float(host[i]); }
};

int main(int argc, char** argv) {
  int heads = 1, length = 256, causal = 1, repeats = 0;
  int* const settings[] = {&heads, &length, &causal, &repeats};
  for (int i = 1; i < argc && i <= 4; i++) *settings[i - 1] = atoi(argv[i]);
  if (length % KV) {
    fprintf(stderr, "the length must be a multiple of %d\n", KV);
    return 3;
  }
  const size_t rows = (size_t)heads * length, n = rows * HEAD;
  Tensor q(n), k(n), v(n), o(n), dout(n), dq(n), dk(n), dv(n);
  unsigned seed = 1;
  for (Tensor* tensor : {&q, &k, &v, &dout}) {
    for (bf16& x : tensor->host) {
      seed = seed * 1103515245u + 12345u;
      x = __float2bfloat16((seed >> 9 & 0xffff) / 32768.f - 1.f);
    }
    tensor->up();
  }

  // Forward and backward on the host for the first head; longer sequences are timed alone.
  const bool checked = length <= 1024;
  const float scale = 1 / sqrtf(HEAD);
  std::vector<float> lse(rows, 0.f);
  std::vector<double> want_q(length * HEAD), want_k(length * HEAD), want_v(length * HEAD);
  const int heads_checked = checked ? 1 : 0;
  std::vector<double> p(length);
  for (int h = 0; h < (checked ? heads : 0); h++)
    for (int i = 0; i < length; i++) {
      const size_t row = (size_t)h * length + i;
      const int visible = causal ? i + 1 : length;
      double most = -1e30, sum = 0, delta = 0;
      for (int j = 0; j < visible; j++) {
        p[j] = 0;
        for (int c = 0; c < HEAD; c++) p[j] += (double)q[row * HEAD + c] * k[((size_t)h * length + j) * HEAD + c];
        p[j] *= scale;
        most = p[j] > most ? p[j] : most;
      }
      for (int j = 0; j < visible; j++) sum += p[j] = exp(p[j] - most);
      lse[row] = (float)((most + log(sum)) * 1.4426950408889634);
      for (int c = 0; c < HEAD; c++) {
        double out = 0;
        for (int j = 0; j < visible; j++) out += p[j] / sum * v[((size_t)h * length + j) * HEAD + c];
        o.host[row * HEAD + c] = __float2bfloat16((float)out);
        delta += out * dout[row * HEAD + c];
      }
      if (h >= heads_checked) continue;
      for (int j = 0; j < visible; j++) {
        double dp = 0;
        for (int c = 0; c < HEAD; c++) {
          dp += (double)dout[row * HEAD + c] * v[(size_t)j * HEAD + c];
          want_v[j * HEAD + c] += p[j] / sum * dout[row * HEAD + c];
        }
        const double ds = p[j] / sum * (dp - delta) * scale;
        for (int c = 0; c < HEAD; c++) {
          want_q[i * HEAD + c] += ds * k[(size_t)j * HEAD + c];
          want_k[j * HEAD + c] += ds * q[row * HEAD + c];
        }
      }
    }
  o.up();

  float *device_lse, *delta, *dq_sums;
  CUDA_OK(cudaMalloc((void**)&device_lse, rows * sizeof(float)));
  CUDA_OK(cudaMalloc((void**)&delta, rows * sizeof(float)));
  CUDA_OK(cudaMalloc((void**)&dq_sums, n * sizeof(float)));
  CUDA_OK(cudaMemcpy(device_lse, lse.data(), rows * sizeof(float), cudaMemcpyHostToDevice));

  const CUtensorMap q_map = map_of(q.device, heads, length, QB), k_map = map_of(k.device, heads, length, KV);
  const CUtensorMap v_map = map_of(v.device, heads, length, KV), do_map = map_of(dout.device, heads, length, QB);
  const Arguments arguments = {length, scale, device_lse, delta, dq_sums, dk.device, dv.device};
  const size_t shared = sizeof(Smem) + 1024;
  const auto kernel = causal ? backward<true> : backward<false>;
  CUDA_OK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));

  auto run = [&]() {
    CUDA_OK(cudaMemsetAsync(dq_sums, 0, n * sizeof(float)));
    row_sums<<<(rows + 7) / 8, 256>>>((int)rows, o.device, dout.device, delta);
    kernel<<<dim3(length / KV, heads), WARPGROUPS * 128, shared>>>(arguments, q_map, k_map, v_map, do_map);
    finish_dq<<<256, 256>>>(dq_sums, dq.device, scale, (long)n);
    CUDA_OK(cudaGetLastError());
  };
  run();
  CUDA_OK(cudaDeviceSynchronize());

  int bad = 0;
  struct { const char* name; Tensor* is; std::vector<double>* want; } const results[] =
      {{"dQ", &dq, &want_q}, {"dK", &dk, &want_k}, {"dV", &dv, &want_v}};
  for (const auto& r : results) {
    r.is->down();
    double off = 0, norm = 0;
    for (size_t i = 0; i < (checked ? r.want->size() : 0); i++) {
      const double d = (*r.is)[i] - (*r.want)[i];
      off += d * d, norm += (*r.want)[i] * (*r.want)[i];
    }
    const double relative = sqrt(off / (norm + 1e-30));
    if (checked) printf("%s: %.5f off\n", r.name, relative);
    if (!(relative < 0.02)) bad++;
  }

  if (repeats > 0) {
    cudaEvent_t t0, t1;
    CUDA_OK(cudaEventCreate(&t0));
    CUDA_OK(cudaEventCreate(&t1));
    CUDA_OK(cudaEventRecord(t0, 0));
    for (int i = 0; i < repeats; i++) run();
    CUDA_OK(cudaEventRecord(t1, 0));
    CUDA_OK(cudaEventSynchronize(t1));
    float ms;
    CUDA_OK(cudaEventElapsedTime(&ms, t0, t1));
    printf("%.1f TFLOP/s\n", 10. * heads * length * length * HEAD * (causal ? .5 : 1) * repeats / ms * 1e-9);
  }
  printf("attention backward, %d heads, length %d%s: %s\n", heads, length, causal ? ", causal" : "", bad ? "FAIL" : "PASS");
  return bad;
}
