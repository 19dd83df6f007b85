// porter runtime: a copy that the threads of a group make together, for the asynchronous copies of cooperative groups and
// of libcu++. It is made at once, which is one of the times at which it may be made; what orders it are the waits.
#ifndef PORTER_GROUP_COPY_H
#define PORTER_GROUP_COPY_H

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>

#include "mirror_lanes.h"

namespace porter {
namespace detail {

// Groups in which lane i of a warp has a rank that is i more than a multiple of 32.
template <class Group>
constexpr bool whole_warps = false;

struct share {
  size_t rank, size;
};
// Mirrors take turns. In groups of whole warps they do so in the order of the wave's lanes, which LDS likes best.
template <class Group>
__device__ inline share share_of([[maybe_unused]] const Group& group) {
  const size_t rank = size_t(group.thread_rank()), size = size_t(group.size());
#ifdef PORTER_MIRRORED
  if constexpr (whole_warps<Group>)
    return {(rank & ~size_t(31)) * 2 + hardware_lane(), size * 2};
  else
    return {rank * 2 + mirror(), size * 2};
#else
  return {rank, size};
#endif
}

template <class Word>
__device__ inline void copy_words(share mine, void* to, const void* from, size_t bytes) {
  const auto target = static_cast<Word*>(to);
  const auto source = static_cast<const Word*>(from);
  for (size_t i = mine.rank; i < bytes / sizeof(Word); i += mine.size) target[i] = source[i];
}
__device__ inline void copy_share(share mine, void* to, const void* from, size_t bytes) {
  typedef unsigned word16 __attribute__((ext_vector_type(4)));
  const uintptr_t low = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes;
  if (low % 16 == 0)
    copy_words<word16>(mine, to, from, bytes);
  else if (low % 4 == 0)
    copy_words<unsigned>(mine, to, from, bytes);
  else
    copy_words<unsigned char>(mine, to, from, bytes);
}
template <class Group>
__device__ inline void group_copy(const Group& group, void* to, const void* from, size_t bytes) {
  copy_share(share_of(group), to, from, bytes);
}
// By one thread alone.
__device__ inline void thread_copy(void* to, const void* from, size_t bytes) { copy_share({0, 1}, to, from, bytes); }

}  // namespace detail
}  // namespace porter

#endif  // PORTER_GROUP_COPY_H
