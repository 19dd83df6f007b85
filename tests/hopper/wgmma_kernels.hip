// Forms of wgmma, one warpgroup. a and b are the bytes of shared memory, `descriptors` A's and B's (their addresses
// count from the beginning of that memory), registers of A as in mma_kernels.hip, [register][thread of the warpgroup];
// c and out [register][thread of the warpgroup, of the block].
#define PORTER_MIRRORED 1
#include <hip/hip_runtime.h>

#include "porter/mirror.h"
#include "porter/wgmma.h"

using namespace porter;

__shared__ __attribute__((aligned(1024))) uint32_t memory[16384 - 256];

__device__ void fill(const uint32_t* from) {
  begin_warpgroups();
  for (unsigned i = threadIdx.x; i < sizeof(memory) / 4; i += 128) memory[i] = from[i];
  __syncthreads();
}
__device__ uint64_t placed(uint64_t descriptor) {
  return descriptor + (cvta_generic_to_shared(memory) >> 4);
}
__device__ unsigned wave_thread() { return threadIdx.x / 32 * 64 + wave_lane(); }

template <int Count, class Call>
__device__ void with(const uint32_t* from, const uint32_t* c, uint32_t* out, Call call) {
  uint32_t d[Count];
  fill(from);
  for (int i = 0; i < Count; ++i) d[i] = c[i * 128 + threadIdx.x];
  wgmma_fence();
  call(d);
  wgmma_commit_group();
  wgmma_wait_group<0>();
  for (int i = 0; i < Count; ++i) out[i * 256 + wave_thread()] = d[i];
}
// The accumulators as the arguments that inline PTX has.
template <size_t... I, class F, class D>
__device__ void spread(std::index_sequence<I...>, F f, D& d) {
  f(d[I]...);
}

#define PARAMETERS \
  const uint32_t *from, const uint64_t *descriptors, const uint32_t *a, const uint32_t *c, uint32_t *out, int add
#define FORM(name, count, call)                                                                        \
  extern "C" __global__ void name(PARAMETERS) {                                                        \
    with<count>(from, c, out, [&](uint32_t(&d)[count]) {                                               \
      spread(std::make_index_sequence<count>(), [&](auto&... r) { call; }, d);                         \
    });                                                                                                \
  }
#define AREG(i) a[(i) * 128 + threadIdx.x]
#define SHARED(name, count, kind, n, ...) \
  FORM(name##_shared_##n, count,          \
       (wgmma<kind, n, ##__VA_ARGS__>(placed(descriptors[0]), placed(descriptors[1]), add != 0, r...)))
#define REGISTERS(name, count, kind, n, ...) \
  FORM(name##_registers_##n, count,          \
       (wgmma_a<kind, n, ##__VA_ARGS__>(AREG(0), AREG(1), AREG(2), AREG(3), placed(descriptors[1]), add != 0, r...)))
#define BOTH(name, count, kind, n) SHARED(name, count, kind, n) REGISTERS(name, count, kind, n)

using mma::e4m3, mma::e5m2, mma::s8, mma::u8;
using fp8_33 = wgmma_f32_fp8<e4m3, e4m3>;
using fp8_35 = wgmma_f32_fp8<e4m3, e5m2>;
using fp8_53 = wgmma_f32_fp8<e5m2, e4m3>;
using fp8_55 = wgmma_f32_fp8<e5m2, e5m2>;
using half_33 = wgmma_f16_fp8<e4m3, e4m3>;
using ss = wgmma_s32<s8, s8>;
using su = wgmma_s32<s8, u8>;
using us = wgmma_s32<u8, s8>;
using uu = wgmma_s32<u8, u8>;
using ss_sat = wgmma_s32<s8, s8, true>;

BOTH(bf16, 32, wgmma_f32_bf16, 64)
BOTH(bf16, 4, wgmma_f32_bf16, 8)
BOTH(bf16, 12, wgmma_f32_bf16, 24)
BOTH(bf16, 128, wgmma_f32_bf16, 256)
BOTH(f16, 16, wgmma_f32_f16, 32)
BOTH(half, 8, wgmma_f16_f16, 32)
BOTH(half, 6, wgmma_f16_f16, 24)
BOTH(tf32, 16, wgmma_f32_tf32, 32)
BOTH(e4m3_e4m3, 16, fp8_33, 32)
BOTH(e4m3_e5m2, 16, fp8_35, 32)
BOTH(e5m2_e4m3, 16, fp8_53, 32)
BOTH(e5m2_e5m2, 16, fp8_55, 32)
BOTH(half_e4m3_e4m3, 8, half_33, 32)
BOTH(s8_s8, 16, ss, 32)
BOTH(s8_u8, 16, su, 32)
BOTH(u8_s8, 16, us, 32)
BOTH(u8_u8, 16, uu, 32)
BOTH(s8_s8_sat, 16, ss_sat, 32)

// A and B as rows of m or n, and signs.
SHARED(bf16_kk_nn, 64, wgmma_f32_bf16, 128, -1, -1, 0, 0)
SHARED(bf16_kk_pn, 64, wgmma_f32_bf16, 128, 1, -1, 0, 0)
SHARED(bf16_mk, 64, wgmma_f32_bf16, 128, -1, 1, 1, 0)
SHARED(bf16_kn, 64, wgmma_f32_bf16, 128, 1, 1, 0, 1)
SHARED(bf16_mn, 64, wgmma_f32_bf16, 128, 1, 1, 1, 1)
REGISTERS(bf16_n, 64, wgmma_f32_bf16, 128, 1, -1, 1)
SHARED(f16_mn, 16, wgmma_f32_f16, 32, 1, -1, 1, 1)
SHARED(tf32_n, 16, wgmma_f32_tf32, 32, -1, 1)
SHARED(e4m3_n, 16, fp8_33, 32, -1, 1)
SHARED(e5m2_n, 16, fp8_55, 32, 1, -1)

// Two products: through the fragments between them, and kept as the MFMAs have them.
#define TWICE(name, ...) name<kind, n>(placed(descriptors[0]), placed(descriptors[1]), add != 0, __VA_ARGS__); \
  name<kind, n>(placed(descriptors[0]), placed(descriptors[1]), true, __VA_ARGS__)
template <class kind, int n, class... D>
__device__ void held(const uint64_t* descriptors, int add, D&... d) {
  uint32_t all[] = {d...};
  keep(all);
  spread(std::index_sequence_for<D...>{}, [&](auto&... kept) { TWICE(wgmma_kept, kept...); }, all);
  present(all);
  int i = 0;
  ((d = all[i++]), ...);
}
template <class kind, int n, class... D>
__device__ void direct(const uint64_t* descriptors, int add, D&... d) {
  TWICE(wgmma, d...);
}
FORM(twice_bf16_24, 12, (direct<wgmma_f32_bf16, 24>(descriptors, add, r...)))
FORM(held_bf16_24, 12, (held<wgmma_f32_bf16, 24>(descriptors, add, r...)))
FORM(twice_half_24, 6, (direct<wgmma_f16_f16, 24>(descriptors, add, r...)))
FORM(held_u8_u8_32, 16, (held<uu, 32>(descriptors, add, r...)))
