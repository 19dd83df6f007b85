// Warps that wait for one another by mbarriers; every kernel is launched with twice the threads that it names.
#define PORTER_MIRRORED 1
#include <porter/async_copy.h>
#include <porter/cluster.h>
#include <porter/mirror.h>

using namespace porter;

// h200/tensor_probe.cu does the same on an H200.
extern "C" __global__ void states(unsigned *out) {
  __shared__ uint64_t bar;
  const uint32_t b = cvta_generic_to_shared(&bar);
  if (threadIdx.x != 0) return;
  mbarrier_init(b, 5);
  uint64_t s = mbarrier_arrive(b);
  out[0] = mbarrier_pending_count(s);
  s = mbarrier_arrive(b, 3);
  out[1] = mbarrier_pending_count(s);
  s = mbarrier_arrive_drop(b);
  out[2] = mbarrier_pending_count(s);
  out[3] = mbarrier_test_wait(b, s);
  s = mbarrier_arrive(b);
  out[4] = mbarrier_pending_count(s);
  out[5] = mbarrier_test_wait_parity(b, 0);
  out[6] = mbarrier_test_wait_parity(b, 1);
}

// Warp 0 fills `stages` buffers in turn, the others add them up; all lanes arrive, or one of each warp.
extern "C" __global__ void ring(unsigned *out, int stages, int rounds, int elected) {
  __shared__ unsigned buffer[4][256];
  __shared__ uint64_t full[4], empty[4];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, consumers = block_dim().x / 32 - 1;
  if (threadIdx.x == 0)
    for (int i = 0; i < stages; i++) {
      mbarrier_init(&full[i], elected ? 1 : 32);
      mbarrier_init(&empty[i], elected ? consumers : 32 * consumers);
    }
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < rounds; i++) {
    const int stage = i % stages, phase = i / stages & 1;
    if (warp == 0) {
      while (!mbarrier_try_wait_parity(&empty[stage], phase ^ 1)) {}
      for (unsigned k = lane; k < 256; k += 32) buffer[stage][k] = i * 1000 + k;
      if (elected) syncwarp();
      if (!elected || lane == 0) mbarrier_arrive(&full[stage]);
    } else {
      while (!mbarrier_try_wait_parity(&full[stage], phase)) {}
      for (unsigned k = 0; k < 8; k++) sum += buffer[stage][(lane * 8 + k + warp) % 256];
      if (elected) syncwarp();
      if (!elected || lane == 0) mbarrier_arrive(&empty[stage]);
    }
  }
  out[blockIdx.x * block_dim().x + threadIdx.x] = sum;
}

// Bytes are expected by one warp and arrive by another's words, one at a time.
extern "C" __global__ void bytes(unsigned *out) {
  __shared__ unsigned words[32];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) mbarrier_init(&bar, 2);
  __syncthreads();
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0 && lane == 0) {
    mbarrier_expect_tx(&bar, 64);
    mbarrier_arrive_expect_tx(&bar, 64);
    mbarrier_arrive(&bar);
  }
  if (warp == 1) st_async(&words[lane], 7 * lane, &bar);
  while (!mbarrier_test_wait_parity(&bar, 0)) {}
  out[threadIdx.x] = words[31 - lane];
}

// Warp w takes part in w + 1 rounds and then leaves; the last one is alone in the end.
extern "C" __global__ void drops(unsigned *out) {
  __shared__ uint64_t bar;
  __shared__ unsigned count;
  const unsigned warp = threadIdx.x / 32, warps = block_dim().x / 32;
  if (threadIdx.x == 0) {
    mbarrier_init(&bar, block_dim().x);
    count = 0;
  }
  __syncthreads();
  for (unsigned i = 0; i < warps; i++) {
    if (i == warp) {
      mbarrier_arrive_drop(&bar);
      break;
    }
    atomicAdd(&count, 1u);
    const uint64_t state = mbarrier_arrive(&bar);
    while (!mbarrier_try_wait(&bar, state)) {}
  }
  out[threadIdx.x] = warp + 1 == warps ? atomicAdd(&count, 0u) : 0;
}

// Each lane of warp 0 waits for a barrier of its own, which a lane of warp 1 completes, the highest first.
extern "C" __global__ void apart(unsigned *out) {
  __shared__ uint64_t bars[32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) mbarrier_init(&bars[lane], 1);
  __syncthreads();
  if (warp == 1) {
    for (unsigned i = 32; i-- > 0;)
      if (i == lane) mbarrier_arrive(&bars[i]);
  } else {
    while (!mbarrier_try_wait_parity(&bars[lane], 0)) {}
  }
  out[threadIdx.x] = mbarrier_test_wait_parity(&bars[31 - lane], 1);
}

// Nobody arrives.
extern "C" __global__ void forgotten(unsigned *out) {
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) mbarrier_init(&bar, 1);
  __syncthreads();
  while (!mbarrier_try_wait_parity(&bar, 0)) {}
  out[threadIdx.x] = 1;
}
