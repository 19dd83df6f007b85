// Bulk copies, tensor copies and numbered barriers among warps that wait for one another.
#define PORTER_MIRRORED 1
#include <porter/named_barrier.h>
#include <porter/tensor_map.h>
#include <porter/wgmma.h>
#include <porter/mirror.h>

using namespace porter;

// Warp 0 has one lane fetch rows of `words` words into a ring of two; the others add them up and one adds the sum to `out`.
extern "C" __global__ void bulk_ring(unsigned *out, const unsigned *from, int words, int rounds) {
  __shared__ __align__(16) unsigned buffer[2][2048];
  __shared__ uint64_t full[2], empty[2];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, consumers = block_dim().x / 32 - 1;
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; i++) {
      mbarrier_init(&full[i], 1);
      mbarrier_init(&empty[i], consumers);
    }
  __syncthreads();
  if (warp == 0) {
    if (lane == 0)
      for (int i = 0; i < rounds; i++) {
        while (!mbarrier_try_wait_parity(&empty[i & 1], (i / 2 & 1) ^ 1)) {}
        mbarrier_arrive_expect_tx(&full[i & 1], words * 4);
        bulk_load(buffer[i & 1], from + i * words, words * 4, &full[i & 1]);
      }
    return;
  }
  unsigned sum = 0;
  for (int i = 0; i < rounds; i++) {
    while (!mbarrier_try_wait_parity(&full[i & 1], i / 2 & 1)) {}
    for (int k = threadIdx.x - 32; k < words; k += 32 * consumers) sum += buffer[i & 1][k] * (i + 1);
    if (lane == 0) mbarrier_arrive(&empty[i & 1]);
  }
  atomicAdd(out + blockIdx.x, sum);
}

// One lane has a copy made and reads it, while nobody waits for it. What the other lanes hold stays.
extern "C" __global__ void landed(unsigned *out, const unsigned *from, int words) {
  __shared__ __align__(128) unsigned buffer[2048];
  __shared__ uint64_t bar;
  unsigned kept[8];
  for (int i = 0; i < 8; i++) kept[i] = from[8 * threadIdx.x + i];
  if (threadIdx.x == 5) {
    mbarrier_init(&bar, 1);
    mbarrier_arrive_expect_tx(&bar, words * 4);
    bulk_load(buffer, from, words * 4, &bar);
    for (int k = 0; k < words; k++) out[k] = buffer[k];
  }
  unsigned sum = 0;
  for (int i = 0; i < 8; i++) sum += kept[i] * (i + 1);
  out[2048 + threadIdx.x] = sum;
}

// Every lane of a warp copies 64 bytes of its own, in and out again, and adds them to what is behind.
extern "C" __global__ void each_lane(unsigned *out, const unsigned *from) {
  __shared__ __align__(16) unsigned buffer[64][16];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) mbarrier_init(&bar, block_dim().x);
  __syncthreads();
  mbarrier_arrive_expect_tx(&bar, 64);
  bulk_load(buffer[threadIdx.x], from + 16 * threadIdx.x, 64, &bar);
  while (!mbarrier_try_wait_parity(&bar, 0)) {}
  const unsigned other = block_dim().x - 1 - threadIdx.x;
  bulk_store(out + 16 * threadIdx.x, buffer[other], 64);
  bulk_reduce<reduce::add, uint32_t>(out + 1024 + 4 * (threadIdx.x & 1), buffer[other], 16);
}

// One lane stores while others of its wave are on another way, with values of their own in registers.
extern "C" __global__ void one_stores(unsigned *out, const unsigned *from, int words, int rounds) {
  __shared__ __align__(16) unsigned buffer[4096];
  unsigned own[24];
  for (int i = 0; i < 24; i++) own[i] = from[threadIdx.x * 24 + i];
  for (int r = 0; r < rounds; r++) {
    for (int i = threadIdx.x; i < words; i += 64) buffer[i] = from[i] + r;
    __syncthreads();
    unsigned other;
    if (threadIdx.x % 32 == 5) {
      if (threadIdx.x == 37) bulk_store(out + 2048 + r * words, buffer, words * 4);
      other = own[3] * 2;
    } else {
      other = own[7] + threadIdx.x;
    }
    for (int i = 0; i < 24; i++) own[i] = own[i] * 3 + other;
    __syncthreads();
  }
  for (int i = 0; i < 24; i++) out[threadIdx.x * 24 + i] = own[i];
}

// Where to, and how much, each lane has from memory: it is the same in all, but the compiler does not know.
extern "C" __global__ void each_knows_where(unsigned *out, const unsigned *from, const unsigned *offsets) {
  __shared__ __align__(16) unsigned buffer[2048];
  for (int i = threadIdx.x; i < 2048; i += 32) buffer[i] = from[i];
  __syncthreads();
  const unsigned offset = offsets[threadIdx.x], words = offsets[32 + threadIdx.x];
  if (threadIdx.x < 3) detail::rows_from_shared(detail::bytes_in_a_row(address(out + offset)), cvta_generic_to_shared(buffer), words / 4);
}

// Two groups of two warps meet at barriers of their own; a warp that only arrives; votes over a group.
extern "C" __global__ void numbered(unsigned *out, int rounds) {
  begin_block();
  __shared__ unsigned value[4], flag;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = warp / 2;
  unsigned sum = 0;
  if (warp == 4) {
    if (lane == 0) flag = 77;
    named_barrier_arrive(5, 64);
    return;
  }
  for (int i = 0; i < rounds; i++) {
    if (lane == 0) value[warp] = i * 10 + warp;
    named_barrier_sync(1 + group, 64);
    sum += value[warp ^ 1];
    sum += named_barrier_popc(1 + group, 64, lane < 3 + warp) << 16;
  }
  if (warp == 3) {
    named_barrier_sync(5, 64);
    sum += flag;
  }
  if (!named_barrier_and(3, 128, true) || named_barrier_and(3, 128, threadIdx.x != 40) || !named_barrier_or(3, 128, threadIdx.x == 9)) sum = 0;
  out[threadIdx.x] = sum;
}

// A warp fills tiles with a number of bf16 for a warpgroup that multiplies ones with them. One thread alone says for all
// four warps that a tile may be filled again, as soon as it has waited for the product: of this round or the last.
template <int Pending>
__device__ void products(float *out, int rounds) {
  begin_warpgroups();
  __shared__ __align__(128) unsigned tiles[1 + Pending][64];
  __shared__ uint64_t full[1 + Pending], empty[1 + Pending];
  constexpr int depth = 1 + Pending;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < depth; i++) {
      mbarrier_init(&full[i], 32);
      mbarrier_init(&empty[i], 1);
    }
  __syncthreads();
  if (warp == 4) {
    for (int i = 0; i < rounds; i++) {
      while (!mbarrier_try_wait_parity(&empty[i % depth], (i / depth & 1) ^ 1)) {}
      const unsigned number = __float_as_uint(float(i + 1)) >> 16;
      for (unsigned k = lane; k < 64; k += 32) tiles[i % depth][k] = number | number << 16;
      mbarrier_arrive(&full[i % depth]);
    }
    return;
  }
  float d[4] = {};
  for (int i = 0; i < rounds; i++) {
    while (!mbarrier_try_wait_parity(&full[i % depth], i / depth & 1)) {}
    const uint64_t place = cvta_generic_to_shared(tiles[i % depth]) >> 4;
    wgmma_fence();
    wgmma_a<wgmma_f32_bf16, 8, 1, 1, 0>(0x3f803f80u, 0x3f803f80u, 0x3f803f80u, 0x3f803f80u, place | 8u << 16, true,
                                       d[0], d[1], d[2], d[3]);
    wgmma_commit_group();
    wgmma_wait_group<Pending>();
    if (threadIdx.x == 0 && i >= Pending) mbarrier_arrive(&empty[(i - Pending) % depth]);
  }
  wgmma_wait_group<0>();
  for (int i = 0; i < 4; i++) out[4 * threadIdx.x + i] = d[i];
}
extern "C" __global__ void products_waited_for(float *out, int rounds) { products<0>(out, rounds); }
extern "C" __global__ void products_pending(float *out, int rounds) { products<1>(out, rounds); }
