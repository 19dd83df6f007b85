// Attention forward in bf16: out = softmax(scale q k^T) v, with a causal mask or without, and the logarithm of each
// row's sum of exponentials for a backward pass.
//
//   q, out: batch x heads x seq x dim     k, v: batch x kv_heads x seq x dim     lse: batch x heads x seq, in f32
//
// dim is 64 or 128. Four warps have 16 rows of q each and walk over blocks of keys; scores never leave the registers:
// mma.sync's result layout is its left operand's, so probabilities go straight into the second product. Keys and values
// come by cp.async, a block ahead.
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>
#include "porter/attention.h"

#include <cmath>
#include <cstdint>

namespace {

constexpr int kBlockQ = 64;
constexpr int kWarps = kBlockQ / 16;
constexpr int kThreads = 32 * kWarps;

// porter[native-schedule]: attention computes out = softmax(scale q k^T) v in bf16, each query with all keys or those up to its own number, and the logarithm of each row's sum to lse: it was executed on small problems to find that out, and is written anew for CDNA. Its barriers and copies are gone; grid, block and shared memory of its launches follow
// softmax(scale Q K^T) V on gfx942, in the place of a kernel written for NVIDIA's chips; porter/attention.h has the schedule.
using attention_native = porter::attention::Launch;
template <int kDim, bool kCausal>
struct attention_native_problem : porter::attention::Problem {
  using Element = porter::attention::bf16;
  static constexpr int kHead = kDim;
  static constexpr bool kMasked = kCausal;
};

template <int kDim, bool kCausal>
__global__ void __launch_bounds__(attention_native::kThreads, 2)
    attention(const __hip_bfloat16* __restrict__ q, const __hip_bfloat16* __restrict__ k,
              const __hip_bfloat16* __restrict__ v, __hip_bfloat16* __restrict__ out, float* __restrict__ lse, int heads,
              int kv_heads, int seq, float scale) {
  porter::attention::Schedule<attention_native_problem<kDim, kCausal>>::run(
      {seq, seq, scale},
      [&](unsigned y, unsigned z) {
        return porter::attention::head(
            q + int64_t(z) * heads * seq * kDim + int64_t(y) * seq * kDim, kDim,
            k + int64_t(z) * kv_heads * seq * kDim + int64_t(y / (heads / kv_heads)) * seq * kDim, kDim,
            v + int64_t(z) * kv_heads * seq * kDim + int64_t(y / (heads / kv_heads)) * seq * kDim, kDim,
            out + int64_t(z) * heads * seq * kDim + int64_t(y) * seq * kDim, kDim);
      },
      [&](int row, unsigned y, unsigned z, float log2_sum) {
        (lse + int64_t(z) * heads * seq + int64_t(y) * seq)[row] = log2_sum * 0.6931472f;
      });
}

template <int kDim, bool kCausal>
hipError_t launch(const __hip_bfloat16* q, const __hip_bfloat16* k, const __hip_bfloat16* v, __hip_bfloat16* out,
                   float* lse, int batch, int heads, int kv_heads, int seq, float scale, hipStream_t stream) {
  const hipError_t error = hipFuncSetAttribute(reinterpret_cast<const void*>(attention<kDim, kCausal>), hipFuncAttributeMaxDynamicSharedMemorySize, 0);
  if (error != hipSuccess) return error;
  const dim3 grid((seq + kBlockQ - 1) / kBlockQ, heads, batch);
  attention<kDim, kCausal>
      <<<attention_native::grid(seq, dim3(grid)), attention_native::kThreads, 0, stream>>>(q, k, v, out, lse, heads, kv_heads, seq, scale);
  return hipGetLastError();
}

}  // namespace

extern "C" hipError_t flash_attention_fwd(const __hip_bfloat16* q, const __hip_bfloat16* k, const __hip_bfloat16* v,
                                           __hip_bfloat16* out, float* lse, int batch, int heads, int kv_heads, int seq,
                                           int dim, int causal, float scale, hipStream_t stream) {
  if (batch == 0 || heads == 0 || seq == 0) return hipSuccess;
  if (kv_heads == 0 || heads % kv_heads != 0 || (dim != 64 && dim != 128)) return hipErrorInvalidValue;
  const auto function = dim == 64 ? (causal ? launch<64, true> : launch<64, false>)
                                  : (causal ? launch<128, true> : launch<128, false>);
  return function(q, k, v, out, lse, batch, heads, kv_heads, seq, scale, stream);
}
