// porter's stand-in for HIP's hip_cooperative_groups.h; HIP's own is taken where it is found.
//
// The groups know the 64-lane wave: masks have 64 bits, a tile has up to 64 lanes. A grid's barrier is the one of
// AMD's device library. What HIP 7 lacks (reduce, scans, memcpy_async) is lacking here; porter/groups.h
// has them.
#ifndef PORTER_HIP_COOPERATIVE_GROUPS_H  // no #pragma once: the next one may be this file again, by another folder
#pragma clang system_header

#if __has_include_next(<hip/hip_cooperative_groups.h>)
#include_next <hip/hip_cooperative_groups.h>
#else
#define PORTER_HIP_COOPERATIVE_GROUPS_H

#include <hip/hip_runtime.h>

#include <type_traits>

#define PORTER_D __device__ inline

namespace cooperative_groups {

typedef unsigned long long lane_mask;

namespace internal {

enum group_type { cg_invalid, cg_multi_grid, cg_grid, cg_workgroup, cg_tiled_group, cg_coalesced_group };

PORTER_D unsigned lane() { return __lane_id(); }
PORTER_D unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
PORTER_D unsigned block_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
// Lanes of one wave need no barrier; the fence keeps memory operations in order.
PORTER_D void wave_sync() {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  __builtin_amdgcn_wave_barrier();
}
// The lane of the n-th bit that is set.
PORTER_D int nth(lane_mask mask, unsigned n) {
  for (; n != 0; --n) mask &= mask - 1;
  return __ffsll(mask) - 1;
}
// Bits of `lanes` at the places that `members` has, moved together.
PORTER_D lane_mask packed(lane_mask lanes, lane_mask members) {
  lane_mask out = 0;
  for (unsigned at = 0; members != 0; members &= members - 1, ++at) out |= (lanes >> (__ffsll(members) - 1) & 1) << at;
  return out;
}
// Any type that can be copied, a word at a time.
template <class T>
PORTER_D T from_lane(T value, int lane) {
  static_assert(std::is_trivially_copyable<T>::value, "only what can be copied as bytes travels between lanes");
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned &word : words) word = static_cast<unsigned>(__builtin_amdgcn_ds_bpermute(lane << 2, static_cast<int>(word)));
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

}  // namespace internal

class thread_group {
 public:
  PORTER_D unsigned size() const { return size_; }
  PORTER_D unsigned num_threads() const { return size(); }
  PORTER_D unsigned cg_type() const { return type_; }
  PORTER_D unsigned thread_rank() const;
  PORTER_D bool is_valid() const;
  PORTER_D void sync() const;

 protected:
  PORTER_D thread_group(internal::group_type type, unsigned size = 0, lane_mask mask = 0)
      : type_(type), size_(size), mask_(mask) {}

  internal::group_type type_;
  unsigned size_;
  lane_mask mask_;
  unsigned meta_rank_ = 0, meta_size_ = 1;
  friend class thread_block;
  friend class coalesced_group;
  PORTER_D friend thread_group tiled_partition(const thread_group &, unsigned);
};

class multi_grid_group : public thread_group {
  friend PORTER_D multi_grid_group this_multi_grid();
  PORTER_D explicit multi_grid_group(unsigned size) : thread_group(internal::cg_multi_grid, size) {}

 public:
  PORTER_D unsigned num_grids() const { return __ockl_multi_grid_num_grids(); }
  PORTER_D unsigned grid_rank() const { return __ockl_multi_grid_grid_rank(); }
  PORTER_D unsigned thread_rank() const { return __ockl_multi_grid_thread_rank(); }
  PORTER_D bool is_valid() const { return __ockl_multi_grid_is_valid() != 0; }
  PORTER_D void sync() const { __ockl_multi_grid_sync(); }
};
PORTER_D multi_grid_group this_multi_grid() { return multi_grid_group(__ockl_multi_grid_size()); }

class grid_group : public thread_group {
  friend PORTER_D grid_group this_grid();
  PORTER_D explicit grid_group(unsigned size) : thread_group(internal::cg_grid, size) {}

 public:
  PORTER_D static dim3 grid_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  PORTER_D static dim3 group_dim() { return grid_dim(); }
  PORTER_D static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  PORTER_D static dim3 dim_blocks() { return grid_dim(); }
  PORTER_D static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  PORTER_D static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  PORTER_D unsigned thread_rank() const { return (unsigned)(block_rank() * internal::block_size() + internal::block_rank()); }
  PORTER_D bool is_valid() const { return __ockl_grid_is_valid() != 0; }
  PORTER_D void sync() const { __ockl_grid_sync(); }
};
PORTER_D grid_group this_grid() { return grid_group((unsigned)(grid_group::num_blocks() * internal::block_size())); }

class thread_block : public thread_group {
  friend PORTER_D thread_block this_thread_block();
  PORTER_D explicit thread_block(unsigned size) : thread_group(internal::cg_workgroup, size) {}

 public:
  PORTER_D static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  PORTER_D static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  PORTER_D static dim3 block_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  PORTER_D static dim3 dim_threads() { return block_dim(); }
  PORTER_D static dim3 group_dim() { return block_dim(); }
  PORTER_D static unsigned thread_rank() { return internal::block_rank(); }
  PORTER_D static unsigned size() { return internal::block_size(); }
  PORTER_D static unsigned num_threads() { return size(); }
  PORTER_D static bool is_valid() { return true; }
  PORTER_D static void sync() { __syncthreads(); }
};
PORTER_D thread_block this_thread_block() { return thread_block(internal::block_size()); }

class coalesced_group : public thread_group {
  friend PORTER_D coalesced_group coalesced_threads();
  friend PORTER_D coalesced_group binary_partition(const coalesced_group &, bool);
  template <unsigned, class>
  friend class thread_block_tile;

 public:
  PORTER_D explicit coalesced_group(lane_mask mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : thread_group(internal::cg_coalesced_group, (unsigned)__popcll(mask), mask) {
    meta_rank_ = meta_rank;
    meta_size_ = meta_size;
  }
  PORTER_D coalesced_group(const thread_group &base) : thread_group(base) {}
  PORTER_D lane_mask members() const { return mask_; }
  PORTER_D unsigned thread_rank() const { return (unsigned)__popcll(mask_ & ((1ull << internal::lane()) - 1)); }
  PORTER_D bool is_valid() const { return true; }
  PORTER_D void sync() const { internal::wave_sync(); }
  PORTER_D unsigned meta_group_rank() const { return meta_rank_; }
  PORTER_D unsigned meta_group_size() const { return meta_size_; }

  template <class T>
  PORTER_D T shfl(T value, int rank) const {
    return internal::from_lane(value, internal::nth(mask_, (unsigned)rank % size_));
  }
  // Past either end a lane gets its own value.
  template <class T>
  PORTER_D T shfl_down(T value, unsigned by) const {
    unsigned rank = thread_rank();
    return internal::from_lane(value, rank + by < size_ ? internal::nth(mask_, rank + by) : (int)internal::lane());
  }
  template <class T>
  PORTER_D T shfl_up(T value, unsigned by) const {
    unsigned rank = thread_rank();
    return internal::from_lane(value, rank >= by ? internal::nth(mask_, rank - by) : (int)internal::lane());
  }
  PORTER_D lane_mask ballot(int predicate) const { return internal::packed(__ballot(predicate) & mask_, mask_); }
  PORTER_D int any(int predicate) const { return (__ballot(predicate) & mask_) != 0; }
  PORTER_D int all(int predicate) const { return (__ballot(predicate) & mask_) == mask_; }
  template <class T>
  PORTER_D lane_mask match_any(T value) const {
    lane_mask same = 0;
    for (unsigned rank = 0; rank < size_; ++rank) same |= (lane_mask)(shfl(value, (int)rank) == value) << rank;
    return same;
  }
  template <class T>
  PORTER_D lane_mask match_all(T value, int &predicate) const {
    predicate = all(shfl(value, 0) == value);
    return predicate ? (size_ == 64 ? ~0ull : (1ull << size_) - 1) : 0;
  }
};
PORTER_D coalesced_group coalesced_threads() { return coalesced_group(__builtin_amdgcn_ballot_w64(true)); }

// A tile of a constant, power-of-two size. Its mask follows from the lane, and is not kept.
template <unsigned Size, class Parent = void>
class thread_block_tile : public thread_group {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0, "a tile's size is a power of two");
  static_assert(Size <= 64, "a tile is at most one wave");

 public:
  PORTER_D explicit thread_block_tile(unsigned parent_rank, unsigned parent_size)
      : thread_group(internal::cg_tiled_group, Size, members()) {
    meta_rank_ = parent_rank / Size;
    meta_size_ = (parent_size + Size - 1) / Size;
  }
  template <class Other>
  PORTER_D thread_block_tile(const thread_block_tile<Size, Other> &other) : thread_group(other) {}
  PORTER_D static lane_mask members() {
    return (Size == 64 ? ~0ull : (1ull << Size % 64) - 1) << (internal::lane() & ~(Size - 1));
  }
  PORTER_D static constexpr unsigned size() { return Size; }
  PORTER_D static constexpr unsigned num_threads() { return Size; }
  PORTER_D static unsigned thread_rank() { return internal::lane() & (Size - 1); }
  PORTER_D static bool is_valid() { return true; }
  PORTER_D void sync() const { internal::wave_sync(); }
  PORTER_D unsigned meta_group_rank() const { return meta_rank_; }
  PORTER_D unsigned meta_group_size() const { return meta_size_; }

  template <class T>
  PORTER_D T shfl(T value, int rank) const {
    return internal::from_lane(value, (int)((internal::lane() & ~(Size - 1)) | ((unsigned)rank & (Size - 1))));
  }
  template <class T>
  PORTER_D T shfl_down(T value, unsigned by) const {
    return internal::from_lane(value, (int)(thread_rank() + by < Size ? internal::lane() + by : internal::lane()));
  }
  template <class T>
  PORTER_D T shfl_up(T value, unsigned by) const {
    return internal::from_lane(value, (int)(thread_rank() >= by ? internal::lane() - by : internal::lane()));
  }
  template <class T>
  PORTER_D T shfl_xor(T value, unsigned mask) const {
    unsigned rank = thread_rank() ^ mask;
    return internal::from_lane(value, (int)(rank < Size ? (internal::lane() & ~(Size - 1)) | rank : internal::lane()));
  }
  PORTER_D lane_mask ballot(int predicate) const {
    lane_mask lanes = __ballot(predicate) >> (internal::lane() & ~(Size - 1));
    return Size == 64 ? lanes : lanes & ((1ull << Size % 64) - 1);
  }
  PORTER_D int any(int predicate) const { return ballot(predicate) != 0; }
  PORTER_D int all(int predicate) const { return ballot(!predicate) == 0; }
  template <class T>
  PORTER_D lane_mask match_any(T value) const {
    lane_mask same = 0;
    for (unsigned rank = 0; rank < Size; ++rank) same |= (lane_mask)(shfl(value, (int)rank) == value) << rank;
    return same;
  }
  template <class T>
  PORTER_D lane_mask match_all(T value, int &predicate) const {
    predicate = all(shfl(value, 0) == value);
    return predicate ? (Size == 64 ? ~0ull : (1ull << Size % 64) - 1) : 0;
  }
};

// Partitions.
PORTER_D thread_group tiled_partition(const thread_group &parent, unsigned size) {
  unsigned rank = parent.thread_rank(), all = parent.size(), first = rank / size * size;
  unsigned count = first + size <= all ? size : all - first;
  lane_mask mask;
  if (parent.cg_type() == internal::cg_coalesced_group) {
    mask = 0;
    for (unsigned at = first; at < first + count; ++at) mask |= 1ull << internal::nth(parent.mask_, at);
  } else {
    mask = (count == 64 ? ~0ull : (1ull << count) - 1) << (internal::lane() & ~(size - 1));
  }
  return coalesced_group(mask, rank / size, (all + size - 1) / size);
}
template <unsigned Size, class Parent>
PORTER_D thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
  static_assert(!std::is_same<Parent, coalesced_group>::value, "a coalesced group has no tiles of a constant size");
  return thread_block_tile<Size, Parent>(parent.thread_rank(), parent.size());
}
PORTER_D coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
  return coalesced_group(tiled_partition(static_cast<const thread_group &>(parent), size));
}
PORTER_D coalesced_group binary_partition(const coalesced_group &parent, bool predicate) {
  lane_mask yes = __ballot(predicate) & parent.members();
  return coalesced_group(predicate ? yes : parent.members() & ~yes, predicate ? 0 : 1, 2);
}
template <unsigned Size, class Parent>
PORTER_D coalesced_group binary_partition(const thread_block_tile<Size, Parent> &parent, bool predicate) {
  return binary_partition(coalesced_group(parent.members()), predicate);
}

// Free functions, for any group.
template <class Group>
PORTER_D void sync(Group g) {
  g.sync();
}
template <class Group>
PORTER_D unsigned thread_rank(Group g) {
  return g.thread_rank();
}
template <class Group>
PORTER_D unsigned group_size(Group g) {
  return g.size();
}
template <class Group>
PORTER_D bool is_valid(Group g) {
  return g.is_valid();
}

PORTER_D unsigned thread_group::thread_rank() const {
  switch (type_) {
    case internal::cg_multi_grid: return __ockl_multi_grid_thread_rank();
    case internal::cg_grid: return (unsigned)(grid_group::block_rank() * internal::block_size() + internal::block_rank());
    case internal::cg_workgroup: return internal::block_rank();
    default: return (unsigned)__popcll(mask_ & ((1ull << internal::lane()) - 1));
  }
}
PORTER_D bool thread_group::is_valid() const {
  switch (type_) {
    case internal::cg_multi_grid: return __ockl_multi_grid_is_valid() != 0;
    case internal::cg_grid: return __ockl_grid_is_valid() != 0;
    default: return type_ != internal::cg_invalid;
  }
}
PORTER_D void thread_group::sync() const {
  switch (type_) {
    case internal::cg_multi_grid: __ockl_multi_grid_sync(); break;
    case internal::cg_grid: __ockl_grid_sync(); break;
    case internal::cg_workgroup: __syncthreads(); break;
    default: internal::wave_sync();
  }
}

}  // namespace cooperative_groups

#undef PORTER_D
#endif
#endif
