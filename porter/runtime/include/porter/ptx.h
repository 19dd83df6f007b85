// porter runtime: what ported inline PTX calls. One function has one PTX instruction's meaning.
#ifndef PORTER_PTX_H
#define PORTER_PTX_H

#include <hip/hip_runtime.h>

#include "memory.h"
#include "ptx_bits.h"
#include "ptx_float.h"
#include "ptx_halves.h"
#include "ptx_memory.h"
#include "warp.h"

namespace porter {

// Stands where an instruction has no port. It does not compile where it is used: the compiler names
// the line, and the line holds the instruction and the reason.
__host__ __device__ void unsupported_ptx(const char* instruction, const char* reason)
    __attribute__((error("this inline PTX was not ported; its text and the reason are in the call")));

// Where a macro that is defined in several ways makes an instruction's text: which one it is here.
__host__ __device__ constexpr bool same_text(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

// shfl with PTX's clamp operand: bits 0-4 the last lane of a segment, bits 8-12 which bits of the lane
// number name the segment. A source outside the segment gives the lane its own value and false.
template <class T>
__device__ inline T shfl_from(unsigned mask, T value, unsigned lane, bool inside, bool& valid) {
  valid = inside;
  return shfl_sync(mask, value, int(inside ? lane : lane_id()));
}
template <class T>
__device__ inline T shfl_up(unsigned mask, T value, unsigned b, unsigned c, bool& valid) {
  unsigned lane = lane_id(), segment = c >> 8 & 31u, low = (lane & segment) | (c & 31u & ~segment);
  int from = int(lane) - int(b & 31u);
  return shfl_from(mask, value, unsigned(from), from >= int(low), valid);
}
template <class T>
__device__ inline T shfl_down(unsigned mask, T value, unsigned b, unsigned c, bool& valid) {
  unsigned lane = lane_id(), segment = c >> 8 & 31u, high = (lane & segment) | (c & 31u & ~segment);
  unsigned from = lane + (b & 31u);
  return shfl_from(mask, value, from, from <= high, valid);
}
template <class T>
__device__ inline T shfl_bfly(unsigned mask, T value, unsigned b, unsigned c, bool& valid) {
  unsigned lane = lane_id(), segment = c >> 8 & 31u, high = (lane & segment) | (c & 31u & ~segment);
  unsigned from = lane ^ (b & 31u);
  return shfl_from(mask, value, from, from <= high, valid);
}
template <class T>
__device__ inline T shfl_idx(unsigned mask, T value, unsigned b, unsigned c, bool& valid) {
  unsigned lane = lane_id(), segment = c >> 8 & 31u, high = (lane & segment) | (c & 31u & ~segment);
  unsigned from = (lane & segment) | (b & 31u & ~segment);
  return shfl_from(mask, value, from, from <= high, valid);
}
template <class T>
__device__ inline T shfl_up(unsigned mask, T value, unsigned b, unsigned c) {
  bool valid;
  return shfl_up(mask, value, b, c, valid);
}
template <class T>
__device__ inline T shfl_down(unsigned mask, T value, unsigned b, unsigned c) {
  bool valid;
  return shfl_down(mask, value, b, c, valid);
}
template <class T>
__device__ inline T shfl_bfly(unsigned mask, T value, unsigned b, unsigned c) {
  bool valid;
  return shfl_bfly(mask, value, b, c, valid);
}
template <class T>
__device__ inline T shfl_idx(unsigned mask, T value, unsigned b, unsigned c) {
  bool valid;
  return shfl_idx(mask, value, b, c, valid);
}
template <class T>
__device__ inline unsigned match_all(unsigned mask, T value, bool& same) {
  int all_equal;
  unsigned lanes = match_all_sync(mask, value, &all_equal);
  same = all_equal != 0;
  return lanes;
}
template <class T>
__device__ inline unsigned match_all(unsigned mask, T value) {
  bool same;
  return match_all(mask, value, same);
}
// elect.sync: the lowest lane of the mask is the leader.
__device__ inline unsigned elect_sync(unsigned mask, bool& leader) {
  unsigned chosen = popc_b32((mask & (0u - mask)) - 1u);
  leader = lane_id() == chosen;
  return chosen;
}

// Special registers. warpid counts logical warps.
__device__ inline unsigned linear_tid() {
  return (thread_index().z * block_dim().y + thread_index().y) * block_dim().x + thread_index().x;
}
__device__ inline unsigned warpid() { return linear_tid() / 32u; }
__device__ inline unsigned nwarpid() { return 32u; }  // 1024 threads a block
// Which compute unit: die, shader engine, unit. The numbers have gaps, as PTX allows; nsmid is past the last.
__device__ inline unsigned smid() {
  unsigned where = __builtin_amdgcn_s_getreg(4 | 8 << 6 | (8 - 1) << 11);   // HW_ID bits 8-15: unit 8-11, array 12, engine 13-15
  unsigned die = __builtin_amdgcn_s_getreg(20 | 0 << 6 | (4 - 1) << 11);    // XCC_ID bits 0-3
  return die << 8 | where;
}
__device__ inline unsigned nsmid() { return 8u << 8; }
// Sizes of shared memory: the linker knows the static part, the hidden kernel arguments (code object
// version 5 and later, byte 120) the dynamic one.
#ifdef PORTER_DEVICE_SHARED
__attribute__((error("what a launch asked for is not known where shared memory lies in device memory")))
__device__ unsigned dynamic_smem_size();
#else
__device__ inline unsigned dynamic_smem_size() {
  extern __shared__ unsigned char dynamic_shared_memory_of_any_size[];
  asm volatile("" ::"v"(uint32_t(reinterpret_cast<uintptr_t>(
      (__attribute__((address_space(3))) unsigned char*)dynamic_shared_memory_of_any_size))));  // or the size is not passed
  return *(const __attribute__((address_space(4))) unsigned*)((const __attribute__((address_space(4))) char*)__builtin_amdgcn_implicitarg_ptr() + 120);
}
#endif
__device__ inline unsigned total_smem_size() { return __builtin_amdgcn_groupstaticsize() + dynamic_smem_size(); }
// The counter of real time runs at 100 MHz on gfx942.
__device__ inline uint64_t globaltimer() { return uint64_t(__builtin_amdgcn_s_memrealtime()) * 10u; }
__device__ inline uint64_t clock64_ptx() { return uint64_t(__builtin_readcyclecounter()); }

}  // namespace porter

#endif  // PORTER_PTX_H
