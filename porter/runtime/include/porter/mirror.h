// porter runtime: what a unit of mirrored warps (mirror_lanes.h) includes: CUDA's names with the meaning they have there.
//
// The names are macros, so this header brings those that define them first. A port includes it by itself; porter's
// other headers use mirror_lanes.h.
#ifndef PORTER_MIRROR_H
#define PORTER_MIRROR_H

#include "mirror_lanes.h"

namespace porter {
// cudaOccupancyMaxPotentialBlockSize, in CUDA's threads: whole warps.
template <class F, class... Flags>
static inline hipError_t max_potential_block_size(int* blocks, int* threads, F kernel, size_t shared = 0, int limit = 0,
                                                  Flags...) {
  const hipError_t error = hipOccupancyMaxPotentialBlockSize(blocks, threads, kernel, shared, lanes_per_thread * limit);
  if (error == hipSuccess) *threads = *threads / 64 * (64 / lanes_per_thread);
  return error;
}
}  // namespace porter

#ifdef PORTER_MIRRORED
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include "atomic.h"
#include "bf16.h"
#include "half.h"
#include "warp.h"

#define threadIdx (::porter::thread_index())
#undef __launch_bounds__
#define PORTER_PLAIN_BOUNDS(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, (threads))))
#define __launch_bounds__(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, 2 * (threads))))

// Atomics, HIP's and porter's (atomic.h), happen once, or as often as plain threads say. Other functions of these names
// stay what they are.
#define PORTER_ATOMIC(space, name)                                                    \
  template <class... A>                                                               \
  __device__ inline auto porter_once_##name(A... a) -> decltype(space name(a...)) {   \
    return ::porter::once([&] { return space name(a...); });                          \
  }                                                                                   \
  template <class... A>                                                               \
  __device__ inline auto porter_plain_##name(A... a) -> decltype(space name(a...)) {  \
    return space name(a...);                                                          \
  }
PORTER_ATOMIC(, atomicAdd)
PORTER_ATOMIC(, atomicSub)
PORTER_ATOMIC(, atomicExch)
PORTER_ATOMIC(, atomicMin)
PORTER_ATOMIC(, atomicMax)
PORTER_ATOMIC(, atomicAnd)
PORTER_ATOMIC(, atomicOr)
PORTER_ATOMIC(, atomicXor)
PORTER_ATOMIC(, atomicCAS)
PORTER_ATOMIC(, atomicInc)
PORTER_ATOMIC(, atomicDec)
PORTER_ATOMIC(, atomicAdd_system)
PORTER_ATOMIC(, atomicSub_system)
PORTER_ATOMIC(, atomicExch_system)
PORTER_ATOMIC(, atomicMin_system)
PORTER_ATOMIC(, atomicMax_system)
PORTER_ATOMIC(, atomicAnd_system)
PORTER_ATOMIC(, atomicOr_system)
PORTER_ATOMIC(, atomicXor_system)
PORTER_ATOMIC(, atomicCAS_system)
PORTER_ATOMIC(, unsafeAtomicAdd)

namespace porter {
PORTER_ATOMIC(::porter::, atomicAdd)
PORTER_ATOMIC(::porter::, atomicAnd)
PORTER_ATOMIC(::porter::, atomicOr)
PORTER_ATOMIC(::porter::, atomicXor)
PORTER_ATOMIC(::porter::, atomicAdd_block)
PORTER_ATOMIC(::porter::, atomicSub_block)
PORTER_ATOMIC(::porter::, atomicExch_block)
PORTER_ATOMIC(::porter::, atomicMin_block)
PORTER_ATOMIC(::porter::, atomicMax_block)
PORTER_ATOMIC(::porter::, atomicAnd_block)
PORTER_ATOMIC(::porter::, atomicOr_block)
PORTER_ATOMIC(::porter::, atomicXor_block)
PORTER_ATOMIC(::porter::, atomicCAS_block)
PORTER_ATOMIC(::porter::, atomicInc_block)
PORTER_ATOMIC(::porter::, atomicDec_block)
PORTER_ATOMIC(::porter::, atomicInc_system)
PORTER_ATOMIC(::porter::, atomicDec_system)
}  // namespace porter
#undef PORTER_ATOMIC

#define atomicAdd porter_once_atomicAdd
#define atomicAdd_block porter_once_atomicAdd_block
#define atomicAdd_system porter_once_atomicAdd_system
#define atomicSub porter_once_atomicSub
#define atomicSub_block porter_once_atomicSub_block
#define atomicSub_system porter_once_atomicSub_system
#define atomicExch porter_once_atomicExch
#define atomicExch_block porter_once_atomicExch_block
#define atomicExch_system porter_once_atomicExch_system
#define atomicMin porter_once_atomicMin
#define atomicMin_block porter_once_atomicMin_block
#define atomicMin_system porter_once_atomicMin_system
#define atomicMax porter_once_atomicMax
#define atomicMax_block porter_once_atomicMax_block
#define atomicMax_system porter_once_atomicMax_system
#define atomicAnd porter_once_atomicAnd
#define atomicAnd_block porter_once_atomicAnd_block
#define atomicAnd_system porter_once_atomicAnd_system
#define atomicOr porter_once_atomicOr
#define atomicOr_block porter_once_atomicOr_block
#define atomicOr_system porter_once_atomicOr_system
#define atomicXor porter_once_atomicXor
#define atomicXor_block porter_once_atomicXor_block
#define atomicXor_system porter_once_atomicXor_system
#define atomicCAS porter_once_atomicCAS
#define atomicCAS_block porter_once_atomicCAS_block
#define atomicCAS_system porter_once_atomicCAS_system
#define atomicInc porter_once_atomicInc
#define atomicInc_block porter_once_atomicInc_block
#define atomicInc_system porter_once_atomicInc_system
#define atomicDec porter_once_atomicDec
#define atomicDec_block porter_once_atomicDec_block
#define atomicDec_system porter_once_atomicDec_system
#define unsafeAtomicAdd porter_once_unsafeAtomicAdd

#define __syncthreads_count(predicate) __syncthreads_count((predicate) && ::porter::mirror() == 0)

#define __shfl(...) (::porter::detail::shuffle(__VA_ARGS__))
#define __shfl_up(...) (::porter::detail::shuffle_up(__VA_ARGS__))
#define __shfl_down(...) (::porter::detail::shuffle_down(__VA_ARGS__))
#define __shfl_xor(...) (::porter::detail::shuffle_xor(__VA_ARGS__))
#endif

#endif  // PORTER_MIRROR_H
