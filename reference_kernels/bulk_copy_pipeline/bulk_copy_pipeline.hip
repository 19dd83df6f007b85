// A step of gradient descent with momentum, in place:
//
//   momentum = mu * momentum + grad + decay * param;  param = param - rate * momentum
//
// param and momentum are f32, grad is bf16. Ten bytes come and eight go for every element, so all that matters is that
// memory is never idle: a producer warp keeps a ring of stages full by bulk copies, the other warps update a stage
// where it lies, and one of their threads sends it back by bulk copies. A stage is free when its stores have read it.
#define PORTER_MIRRORED 1
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>
#include "porter/async_copy.h"
#include "porter/mbarrier.h"
#include "porter/mirror.h"
#include "porter/named_barrier.h"
#include "porter/ptx.h"
#include "porter/ptx_memory.h"

#include <algorithm>
#include <cstdint>

namespace {

constexpr int kChunk = 1024;  // elements of a stage
constexpr int kStages = 4;
constexpr int kConsumers = 128;
constexpr int kThreads = kConsumers + 32;
constexpr int kVector = 4;
constexpr int kUnit = 8;  // elements: copies are whole 16 bytes, of bf16 too
constexpr int kBlocksPerSm = 4;
constexpr int kConsumerBarrier = 1;
static_assert(kStages >= 2, "a stage is given back when the next one has been updated");
static_assert(kChunk % (kConsumers * kVector) == 0 && kChunk % kUnit == 0);

struct alignas(128) Stage {
  float param[kChunk];
  float momentum[kChunk];
  __hip_bfloat16 grad[kChunk];
};

struct Step {
  float rate, mu, decay;
};

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(porter::cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void mbarrier_init(uint64_t* barrier, uint32_t count) {
  porter::mbarrier_init(shared_address(barrier), count);
}
__device__ __forceinline__ void mbarrier_arrive(uint64_t* barrier) {
  porter::mbarrier_arrive(shared_address(barrier));
}
__device__ __forceinline__ void mbarrier_expect_tx(uint64_t* barrier, uint32_t bytes) {
  porter::mbarrier_arrive_expect_tx(shared_address(barrier), bytes);
}
__device__ __forceinline__ void mbarrier_wait(uint64_t* barrier, uint32_t parity) {
  uint32_t done = 0;
  do {
    {
        const bool p = porter::mbarrier_try_wait_parity(shared_address(barrier), parity);
        done = p ? 1u : 0u;
    }
  } while (!done);
}

__device__ __forceinline__ void bulk_load(void* to, const void* from, uint32_t bytes, uint64_t* barrier) {
  porter::bulk_load(shared_address(to), from, bytes, shared_address(barrier));
}
__device__ __forceinline__ void bulk_store(void* to, const void* from, uint32_t bytes) {
  porter::bulk_store(to, shared_address(from), bytes);
}
__device__ __forceinline__ void bulk_commit() { /* cp.async.bulk.commit_group: nothing to do on AMD */; }
template <int kPending>
__device__ __forceinline__ void bulk_wait_read() {
  /* cp.async.bulk.wait_group.read: nothing to do on AMD */;
}
__device__ __forceinline__ void proxy_fence() { __threadfence_block(); }
__device__ __forceinline__ void consumer_sync() {
  porter::named_barrier_sync(kConsumerBarrier, kConsumers);
}

__device__ __forceinline__ void update(float& param, float& momentum, float grad, const Step& step) {
  momentum = fmaf(step.mu, momentum, fmaf(step.decay, param, grad));
  param = fmaf(-step.rate, momentum, param);
}

__device__ __forceinline__ void update(Stage& stage, int at, const Step& step) {
  float4& param = *reinterpret_cast<float4*>(&stage.param[at]);
  float4& momentum = *reinterpret_cast<float4*>(&stage.momentum[at]);
  const uint2 bits = *reinterpret_cast<const uint2*>(&stage.grad[at]);
  const float2 low = __bfloat1622float2(reinterpret_cast<const __hip_bfloat162&>(bits.x));
  const float2 high = __bfloat1622float2(reinterpret_cast<const __hip_bfloat162&>(bits.y));
  float4 p = param, v = momentum;
  update(p.x, v.x, low.x, step);
  update(p.y, v.y, low.y, step);
  update(p.z, v.z, high.x, step);
  update(p.w, v.w, high.y, step);
  param = p;
  momentum = v;
}

__global__ void __launch_bounds__(kThreads)
    momentum_step(float* __restrict__ param, float* __restrict__ momentum, const __hip_bfloat16* __restrict__ grad,
                  int64_t n, Step step) {
  porter::begin_block();
  porter::threads_at_most(kThreads);
  __shared__ Stage stages[kStages];
  __shared__ uint64_t full[kStages], empty[kStages];
  if (threadIdx.x == 0) {
#pragma unroll
    for (int s = 0; s < kStages; ++s) {
      mbarrier_init(&full[s], 1);
      mbarrier_init(&empty[s], 1);
    }
    __threadfence_block();
  }
  __syncthreads();

  const int64_t whole = n / kUnit * kUnit;
  const int64_t stride = static_cast<int64_t>(gridDim.x) * kChunk;
  int stage = 0;
  uint32_t phase = 0;
  const auto advance = [&] {
    if (++stage == kStages) {
      stage = 0;
      phase ^= 1;
    }
  };

  if (threadIdx.x >= kConsumers) {
    if (threadIdx.x != kConsumers) return;
    for (int64_t first = static_cast<int64_t>(blockIdx.x) * kChunk; first < whole; first += stride, advance()) {
      const uint32_t count = static_cast<uint32_t>(min(whole - first, static_cast<int64_t>(kChunk)));
      mbarrier_wait(&empty[stage], phase ^ 1);
      mbarrier_expect_tx(&full[stage], count * (2 * sizeof(float) + sizeof(__hip_bfloat16)));
      bulk_load(stages[stage].param, param + first, count * sizeof(float), &full[stage]);
      bulk_load(stages[stage].momentum, momentum + first, count * sizeof(float), &full[stage]);
      bulk_load(stages[stage].grad, grad + first, count * sizeof(__hip_bfloat16), &full[stage]);
    }
    return;
  }

  int before = -1;  // the stage whose stores may still be reading
  for (int64_t first = static_cast<int64_t>(blockIdx.x) * kChunk; first < whole; first += stride, advance()) {
    const int count = static_cast<int>(min(whole - first, static_cast<int64_t>(kChunk)));
    mbarrier_wait(&full[stage], phase);
#pragma unroll
    for (int at = threadIdx.x * kVector; at < kChunk; at += kConsumers * kVector) {
      if (at < count) update(stages[stage], at, step);
    }
    proxy_fence();
    consumer_sync();
    if (threadIdx.x == 0) {
      bulk_store(param + first, stages[stage].param, count * sizeof(float));
      bulk_store(momentum + first, stages[stage].momentum, count * sizeof(float));
      bulk_commit();
      if (before >= 0) {
        bulk_wait_read<1>();
        mbarrier_arrive(&empty[before]);
      }
      before = stage;
    }
  }
  if (threadIdx.x == 0) bulk_wait_read<0>();

  const int64_t rest = whole + threadIdx.x;  // fewer than kUnit
  if (blockIdx.x == 0 && rest < n) update(param[rest], momentum[rest], __bfloat162float(grad[rest]), step);
}

}  // namespace

// blocks: how many at most, 0 for as many as fit.
extern "C" hipError_t sgd_momentum(float* param, float* momentum, const __hip_bfloat16* grad, int64_t n, float rate,
                                    float mu, float decay, int blocks, hipStream_t stream) {
  if (n == 0) return hipSuccess;
  if (blocks <= 0) {
    int device = 0, multiprocessors = 0;
    hipError_t error = hipGetDevice(&device);
    if (error == hipSuccess) {
      error = hipDeviceGetAttribute(&multiprocessors, hipDeviceAttributeMultiprocessorCount, device);
    }
    if (error != hipSuccess) return error;
    blocks = kBlocksPerSm * multiprocessors;
  }
  const int grid = static_cast<int>(std::min<int64_t>((n + kChunk - 1) / kChunk, blocks));
  momentum_step<<<grid, porter::mirrored(kThreads), 0, stream>>>(param, momentum, grad, n, Step{rate, mu, decay});
  return hipGetLastError();
}
