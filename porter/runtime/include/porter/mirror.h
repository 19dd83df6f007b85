// porter runtime: what a unit of mirrored warps (mirror_lanes.h) includes: CUDA's names with the meaning they have there.
//
// The names are macros, so this header brings those that define them first. A port includes it by itself; porter's
// other headers use mirror_lanes.h.
#pragma once

#include "mirror_lanes.h"

#ifdef PORTER_MIRRORED
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include "atomic.h"
#include "bf16.h"
#include "half.h"
#include "warp.h"

#define threadIdx (::porter::thread_index())
#undef __launch_bounds__
#define __launch_bounds__(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, 2 * (threads))))

#define atomicAdd(...) PORTER_ONCE(atomicAdd(__VA_ARGS__))
#define atomicSub(...) PORTER_ONCE(atomicSub(__VA_ARGS__))
#define atomicExch(...) PORTER_ONCE(atomicExch(__VA_ARGS__))
#define atomicMin(...) PORTER_ONCE(atomicMin(__VA_ARGS__))
#define atomicMax(...) PORTER_ONCE(atomicMax(__VA_ARGS__))
#define atomicInc(...) PORTER_ONCE(atomicInc(__VA_ARGS__))
#define atomicDec(...) PORTER_ONCE(atomicDec(__VA_ARGS__))
#define atomicCAS(...) PORTER_ONCE(atomicCAS(__VA_ARGS__))
#define atomicAnd(...) PORTER_ONCE(atomicAnd(__VA_ARGS__))
#define atomicOr(...) PORTER_ONCE(atomicOr(__VA_ARGS__))
#define atomicXor(...) PORTER_ONCE(atomicXor(__VA_ARGS__))
#define atomicAdd_block(...) PORTER_ONCE(atomicAdd_block(__VA_ARGS__))
#define atomicAdd_system(...) PORTER_ONCE(atomicAdd_system(__VA_ARGS__))
#define unsafeAtomicAdd(...) PORTER_ONCE(unsafeAtomicAdd(__VA_ARGS__))

#define __syncthreads_count(predicate) __syncthreads_count((predicate) && ::porter::mirror() == 0)

#define __shfl(...) (::porter::detail::shuffle(__VA_ARGS__))
#define __shfl_up(...) (::porter::detail::shuffle_up(__VA_ARGS__))
#define __shfl_down(...) (::porter::detail::shuffle_down(__VA_ARGS__))
#define __shfl_xor(...) (::porter::detail::shuffle_xor(__VA_ARGS__))
#endif
