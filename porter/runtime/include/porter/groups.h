// porter runtime: CUDA's cooperative groups on gfx942, with reductions, scans and copies.
//
// Groups within a warp are groups of CUDA's 32-lane warps, two of which share a wave. Their members are
// a 32-bit mask of the caller's own warp; ballots and ranks are what CUDA gives. HIP's own header knows
// the 64-lane wave alone: there coalesced_threads() takes in both warps, tiles cannot be partitioned
// again, shuffles take nothing but numbers, and reductions, scans and labeled partitions are missing.
// In mirrored units (mirror_lanes.h) a wave holds one warp; ranks, sizes and masks are CUDA's there too.
#ifndef PORTER_GROUPS_H
#define PORTER_GROUPS_H

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "group_copy.h"
#include "warp.h"

#define PORTER_CG __device__ inline

namespace porter {
namespace cg {

namespace detail {

enum class kind : unsigned { thread, lanes, block, grid, multi_grid };

PORTER_CG unsigned block_size() {
  const auto block = block_dim();
  return block.x * block.y * block.z;
}
PORTER_CG unsigned rank_in_block() {
  const auto block = block_dim();
  const auto thread = porter::thread_index();
  return (thread.z * block.y + thread.y) * block.x + thread.x;
}
PORTER_CG unsigned long long grid_blocks() { return (unsigned long long)(gridDim.x) * gridDim.y * gridDim.z; }
PORTER_CG unsigned long long rank_of_block() {
  return ((unsigned long long)(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
// `size` lanes, from the caller's lane rounded down to a multiple of it.
PORTER_CG unsigned tile_mask(unsigned size) {
  return (size >= 32 ? ~0u : (1u << size) - 1u) << (lane_id() & ~(size - 1) & 31u);
}
// The lane of the member with this rank, and the members' bits of `lanes` moved together.
PORTER_CG int lane_of(unsigned members, unsigned rank) {
  if (members == ~0u) return int(rank);
  for (; rank != 0; --rank) members &= members - 1;
  return __ffs(int(members)) - 1;
}
PORTER_CG unsigned packed(unsigned lanes, unsigned members) {
  if (members == ~0u) return lanes;
  unsigned out = 0;
  for (unsigned at = 0; members != 0; members &= members - 1, ++at)
    out |= (lanes >> (__ffs(int(members)) - 1) & 1u) << at;
  return out;
}
PORTER_CG unsigned rank_of_lane(unsigned members) { return unsigned(__popc(members & lanemask_lt())); }

template <class T>
PORTER_CG T from_lane(unsigned members, T value, int lane) {
  return shfl_sync(members, value, lane, 32);
}

}  // namespace detail

// Any group. Functions that take one by value or reference get all that they need: the other groups
// add no data that these members would miss.
class thread_group {
 public:
  PORTER_CG void sync() const;
  PORTER_CG unsigned long long size() const;
  PORTER_CG unsigned long long num_threads() const { return size(); }
  PORTER_CG unsigned long long thread_rank() const;
  PORTER_CG bool is_valid() const { return true; }
  // The lanes of the caller's warp that belong to the group.
  PORTER_CG unsigned members() const { return mask_; }
  PORTER_CG unsigned meta_group_rank() const { return meta_rank_; }
  PORTER_CG unsigned meta_group_size() const { return meta_size_; }

 protected:
  PORTER_CG thread_group(detail::kind kind, unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : kind_(kind), mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

  detail::kind kind_;
  unsigned mask_, meta_rank_, meta_size_;

  friend __device__ thread_group this_thread();
  friend __device__ thread_group tiled_partition(const thread_group& parent, unsigned size);
};

template <unsigned MaxThreads>
struct block_tile_memory {};  // scratch that tiles within a warp do not need

class thread_block : public thread_group {
 public:
  struct arrival_token {};
  PORTER_CG static void sync() { __syncthreads(); }
  // gfx942 has no barrier in two parts: whoever waits meets the others there.
  PORTER_CG arrival_token barrier_arrive() const {
    __threadfence_block();
    return {};
  }
  PORTER_CG void barrier_wait(arrival_token&&) const { __syncthreads(); }
  PORTER_CG static unsigned thread_rank() { return detail::rank_in_block(); }
  PORTER_CG static unsigned size() { return detail::block_size(); }
  PORTER_CG static unsigned num_threads() { return detail::block_size(); }
  PORTER_CG static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  PORTER_CG static dim3 thread_index() { return porter::thread_index(); }
  PORTER_CG static dim3 group_dim() { return block_dim(); }
  PORTER_CG static dim3 dim_threads() { return group_dim(); }

 private:
  PORTER_CG thread_block() : thread_group(detail::kind::block, ~0u) {}
  friend __device__ thread_block this_thread_block();
};
PORTER_CG thread_block this_thread_block() { return thread_block(); }
template <unsigned MaxThreads>
PORTER_CG thread_block this_thread_block(block_tile_memory<MaxThreads>&) {
  return this_thread_block();
}

// The kernel must be launched with hipLaunchCooperativeKernel, as in CUDA.
class grid_group : public thread_group {
 public:
  struct arrival_token {};
  PORTER_CG static void sync() { __ockl_grid_sync(); }
  PORTER_CG arrival_token barrier_arrive() const {
    __threadfence();
    return {};
  }
  PORTER_CG void barrier_wait(arrival_token&&) const { sync(); }
  PORTER_CG static bool is_valid() { return __ockl_grid_is_valid() != 0; }
  PORTER_CG static unsigned long long size() { return num_blocks() * detail::block_size(); }
  PORTER_CG static unsigned long long num_threads() { return size(); }
  PORTER_CG static unsigned long long thread_rank() {
    return block_rank() * detail::block_size() + detail::rank_in_block();
  }
  PORTER_CG static unsigned long long num_blocks() { return detail::grid_blocks(); }
  PORTER_CG static unsigned long long block_rank() { return detail::rank_of_block(); }
  PORTER_CG static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  PORTER_CG static dim3 group_dim() { return dim_blocks(); }
  PORTER_CG static dim3 block_index() { return thread_block::group_index(); }
  PORTER_CG static dim3 thread_index() { return thread_block::thread_index(); }

 private:
  PORTER_CG grid_group() : thread_group(detail::kind::grid, ~0u) {}
  friend __device__ grid_group this_grid();
};
PORTER_CG grid_group this_grid() { return grid_group(); }

class multi_grid_group : public thread_group {
 public:
  PORTER_CG static void sync() { __ockl_multi_grid_sync(); }
  PORTER_CG static bool is_valid() { return __ockl_multi_grid_is_valid() != 0; }
  PORTER_CG static unsigned grid_rank() { return __ockl_multi_grid_grid_rank(); }
  PORTER_CG static unsigned num_grids() { return __ockl_multi_grid_num_grids(); }
  PORTER_CG static unsigned long long size() { return __ockl_multi_grid_size(); }
  PORTER_CG static unsigned long long num_threads() { return size(); }
  PORTER_CG static unsigned long long thread_rank() { return __ockl_multi_grid_thread_rank(); }

 private:
  PORTER_CG multi_grid_group() : thread_group(detail::kind::multi_grid, ~0u) {}
  friend __device__ multi_grid_group this_multi_grid();
};
PORTER_CG multi_grid_group this_multi_grid() { return multi_grid_group(); }

PORTER_CG thread_group this_thread() { return thread_group(detail::kind::thread, lanemask_eq()); }

// Some lanes of a warp, in the order of their lane numbers.
class coalesced_group : public thread_group {
 public:
  PORTER_CG explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : thread_group(detail::kind::lanes, mask, meta_rank, meta_size) {}
  PORTER_CG void sync() const { syncwarp(); }
  PORTER_CG unsigned long long size() const { return unsigned(__popc(mask_)); }
  PORTER_CG unsigned long long num_threads() const { return size(); }
  PORTER_CG unsigned long long thread_rank() const { return detail::rank_of_lane(mask_); }

  template <class T>
  PORTER_CG T shfl(T value, unsigned rank) const {
    return detail::from_lane(mask_, value, detail::lane_of(mask_, rank));
  }
  template <class T>
  PORTER_CG T shfl_up(T value, unsigned delta) const {
    unsigned rank = detail::rank_of_lane(mask_);
    return detail::from_lane(mask_, value, detail::lane_of(mask_, rank < delta ? rank : rank - delta));
  }
  template <class T>
  PORTER_CG T shfl_down(T value, unsigned delta) const {
    unsigned rank = detail::rank_of_lane(mask_), other = rank + delta;
    return detail::from_lane(mask_, value, detail::lane_of(mask_, other < unsigned(__popc(mask_)) ? other : rank));
  }
  PORTER_CG int any(int predicate) const { return any_sync(mask_, predicate != 0); }
  PORTER_CG int all(int predicate) const { return all_sync(mask_, predicate != 0); }
  PORTER_CG unsigned ballot(int predicate) const {
    return detail::packed(ballot_sync(mask_, predicate != 0), mask_);
  }
  template <class T>
  PORTER_CG unsigned match_any(T value) const {
    return detail::packed(match_any_sync(mask_, value), mask_);
  }
  template <class T>
  PORTER_CG unsigned match_all(T value, int& predicate) const {
    return detail::packed(match_all_sync(mask_, value, &predicate), mask_);
  }
};

// The active lanes of the caller's own warp; those of the wave's other warp do not count.
PORTER_CG coalesced_group coalesced_threads() { return coalesced_group(activemask()); }

template <unsigned Size, class Parent = void>
class thread_block_tile;

// A tile knows its size at compile time. Tiles of every parent convert to this one.
template <unsigned Size>
class thread_block_tile<Size, void> : public thread_group {
  static_assert(Size <= 32 && (Size & (Size - 1)) == 0, "tiles have 1 to 32 threads, a power of two");

 public:
  PORTER_CG static void sync() { syncwarp(); }
  PORTER_CG static unsigned thread_rank() { return lane_id() & (Size - 1); }
  PORTER_CG static constexpr unsigned size() { return Size; }
  PORTER_CG static constexpr unsigned num_threads() { return Size; }

  template <class T>
  PORTER_CG T shfl(T value, int rank) const {
    return shfl_sync(detail::tile_mask(Size), value, rank, int(Size));
  }
  template <class T>
  PORTER_CG T shfl_up(T value, unsigned delta) const {
    return shfl_up_sync(detail::tile_mask(Size), value, delta, int(Size));
  }
  template <class T>
  PORTER_CG T shfl_down(T value, unsigned delta) const {
    return shfl_down_sync(detail::tile_mask(Size), value, delta, int(Size));
  }
  template <class T>
  PORTER_CG T shfl_xor(T value, unsigned lanes) const {
    return shfl_xor_sync(detail::tile_mask(Size), value, int(lanes), int(Size));
  }
  PORTER_CG int any(int predicate) const { return ballot(predicate) != 0; }
  PORTER_CG int all(int predicate) const { return ballot(predicate == 0) == 0; }
  PORTER_CG unsigned ballot(int predicate) const { return own(porter::ballot(predicate != 0)); }
  template <class T>
  PORTER_CG unsigned match_any(T value) const {
    return own(match_any_sync(detail::tile_mask(Size), value));
  }
  template <class T>
  PORTER_CG unsigned match_all(T value, int& predicate) const {
    return own(match_all_sync(detail::tile_mask(Size), value, &predicate));
  }

 protected:
  PORTER_CG thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : thread_group(detail::kind::lanes, detail::tile_mask(Size), meta_rank, meta_size) {}

 private:
  // The tile's part of a mask of the warp, from bit 0.
  PORTER_CG static unsigned own(unsigned lanes) {
    return (lanes >> (lane_id() & ~(Size - 1) & 31u)) & (Size >= 32 ? ~0u : (1u << (Size & 31u)) - 1u);
  }
};

template <unsigned Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {
 public:
  PORTER_CG explicit thread_block_tile(const Parent& parent)
      : thread_block_tile<Size, void>(unsigned(parent.thread_rank()) / Size,
                                      (unsigned(parent.size()) + Size - 1) / Size) {}
};

template <unsigned Size, class Parent>
PORTER_CG thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>(parent);
}
// Tiles whose size is known at run time: of a block, or of lanes in the order of their ranks.
PORTER_CG thread_group tiled_partition(const thread_group& parent, unsigned size) {
  unsigned rank = unsigned(parent.thread_rank()), total = unsigned(parent.size());
  unsigned first = rank / size * size, count = total - first < size ? total - first : size, mask = 0;
  if (parent.kind_ == detail::kind::lanes) {
    unsigned rest = parent.members();
    for (unsigned i = 0; i < first; ++i) rest &= rest - 1;
    for (unsigned i = 0; i < count; ++i, rest &= rest - 1) mask |= rest & (0u - rest);
  } else {
    mask = (count >= 32 ? ~0u : (1u << count) - 1u) << (first & 31u);
  }
  return thread_group(detail::kind::lanes, mask, rank / size, (total + size - 1) / size);
}
PORTER_CG coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  thread_group part = tiled_partition(static_cast<const thread_group&>(parent), size);
  return coalesced_group(part.members(), part.meta_group_rank(), part.meta_group_size());
}

// The members that hold the same label; the parts are numbered by their lowest lanes.
template <class Group, class Label>
PORTER_CG coalesced_group labeled_partition(const Group& group, Label label) {
  unsigned mask = match_any_sync(group.members(), label), lowest = mask & (0u - mask);
  unsigned leaders = ballot_sync(group.members(), lanemask_eq() == lowest);
  return coalesced_group(mask, unsigned(__popc(leaders & (lowest - 1u))), unsigned(__popc(leaders)));
}
template <class Group>
PORTER_CG coalesced_group binary_partition(const Group& group, bool predicate) {
  unsigned yes = ballot_sync(group.members(), predicate);
  return coalesced_group(predicate ? yes : group.members() & ~yes, predicate ? 1u : 0u, 2u);
}

PORTER_CG void thread_group::sync() const {
  if (kind_ == detail::kind::block)
    thread_block::sync();
  else if (kind_ == detail::kind::grid)
    grid_group::sync();
  else if (kind_ == detail::kind::multi_grid)
    multi_grid_group::sync();
  else
    syncwarp();
}
PORTER_CG unsigned long long thread_group::size() const {
  if (kind_ == detail::kind::block) return thread_block::size();
  if (kind_ == detail::kind::grid) return grid_group::size();
  if (kind_ == detail::kind::multi_grid) return multi_grid_group::size();
  return unsigned(__popc(mask_));
}
PORTER_CG unsigned long long thread_group::thread_rank() const {
  if (kind_ == detail::kind::block) return thread_block::thread_rank();
  if (kind_ == detail::kind::grid) return grid_group::thread_rank();
  if (kind_ == detail::kind::multi_grid) return multi_grid_group::thread_rank();
  return detail::rank_of_lane(mask_);
}

template <class Group>
PORTER_CG void sync(const Group& group) {
  group.sync();
}
template <class Group>
PORTER_CG void synchronize(const Group& group) {
  group.sync();
}
template <class Group>
PORTER_CG unsigned long long thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
PORTER_CG unsigned long long group_size(const Group& group) {
  return group.size();
}

// One thread calls; with _broadcast every thread gets the result.
template <class Group, class F, class... A>
PORTER_CG void invoke_one(const Group& group, F&& f, A&&... arguments) {
  if (group.thread_rank() == 0) std::forward<F>(f)(std::forward<A>(arguments)...);
}
template <class Group, class F, class... A>
PORTER_CG auto invoke_one_broadcast(const Group& group, F&& f, A&&... arguments) {
  std::decay_t<decltype(f(arguments...))> result{};
  if (group.thread_rank() == 0) result = std::forward<F>(f)(std::forward<A>(arguments)...);
  return group.shfl(result, 0);
}

// cooperative_groups/reduce.h and scan.h

#define PORTER_CG_OPERATOR(name, expression)                                 \
  template <class T>                                                         \
  struct name {                                                              \
    __host__ __device__ T operator()(T a, T b) const { return expression; }  \
  };
PORTER_CG_OPERATOR(plus, a + b)
PORTER_CG_OPERATOR(less, b < a ? b : a)
PORTER_CG_OPERATOR(greater, a < b ? b : a)
PORTER_CG_OPERATOR(bit_and, a& b)
PORTER_CG_OPERATOR(bit_or, a | b)
PORTER_CG_OPERATOR(bit_xor, a ^ b)
#undef PORTER_CG_OPERATOR

namespace detail {

// What the first thread of an exclusive scan gets.
template <class Op, class T>
struct identity {
  __device__ static T value() { return T(); }
};
template <class T>
struct identity<less<T>, T> {
  __device__ static T value() { return std::numeric_limits<T>::max(); }
};
template <class T>
struct identity<greater<T>, T> {
  __device__ static T value() { return std::numeric_limits<T>::lowest(); }
};
template <class T>
struct identity<bit_and<T>, T> {
  __device__ static T value() { return T(~T()); }
};

template <class T, class Op, unsigned Size>
PORTER_CG T reduce(const thread_block_tile<Size, void>& group, T value, Op op) {
#pragma unroll
  for (unsigned lanes = Size / 2; lanes > 0; lanes /= 2) value = op(value, group.shfl_xor(value, lanes));
  return value;
}
// In the order of the ranks; every thread computes the same.
template <class T, class Op>
PORTER_CG T reduce(const thread_group& group, T value, Op op) {
  const unsigned members = group.members();
  T result = from_lane(members, value, __ffs(int(members)) - 1);
  for (unsigned rest = members & (members - 1); rest != 0; rest &= rest - 1)
    result = op(result, from_lane(members, value, __ffs(int(rest)) - 1));
  return result;
}

template <class Group, class T, class Op>
PORTER_CG T scan(const Group& group, T value, Op op) {
  unsigned rank = unsigned(group.thread_rank());
  for (unsigned delta = 1; delta < unsigned(group.size()); delta *= 2) {
    T other = group.shfl_up(value, delta);
    if (rank >= delta) value = op(other, value);
  }
  return value;
}

// One update of an atomic by the whole group.
template <class Atomic, class T>
PORTER_CG T update(Atomic& to, T value, const plus<T>&) { return to.fetch_add(value); }
template <class Atomic, class T>
PORTER_CG T update(Atomic& to, T value, const less<T>&) { return to.fetch_min(value); }
template <class Atomic, class T>
PORTER_CG T update(Atomic& to, T value, const greater<T>&) { return to.fetch_max(value); }
template <class Atomic, class T>
PORTER_CG T update(Atomic& to, T value, const bit_and<T>&) { return to.fetch_and(value); }
template <class Atomic, class T>
PORTER_CG T update(Atomic& to, T value, const bit_or<T>&) { return to.fetch_or(value); }
template <class Atomic, class T>
PORTER_CG T update(Atomic& to, T value, const bit_xor<T>&) { return to.fetch_xor(value); }

template <class Group, class Atomic, class T, class Op>
PORTER_CG T scan_from(const Group& group, Atomic& to, T value, Op op, T& inclusive) {
  inclusive = scan(group, value, op);
  unsigned last = unsigned(group.size()) - 1;
  T before{};
  if (group.thread_rank() == last) before = update(to, inclusive, op);
  return group.shfl(before, int(last));
}

}  // namespace detail

template <class Group, class T, class Op>
PORTER_CG auto reduce(const Group& group, T&& value, Op&& op) {
  return detail::reduce(group, std::decay_t<T>(value), std::decay_t<Op>(op));
}
template <class Group, class T, class Op>
PORTER_CG auto inclusive_scan(const Group& group, T&& value, Op&& op) {
  return detail::scan(group, std::decay_t<T>(value), std::decay_t<Op>(op));
}
template <class Group, class T>
PORTER_CG auto inclusive_scan(const Group& group, T&& value) {
  return inclusive_scan(group, value, plus<std::decay_t<T>>());
}
template <class Group, class T, class Op>
PORTER_CG auto exclusive_scan(const Group& group, T&& value, Op&& op) {
  using V = std::decay_t<T>;
  V before = group.shfl_up(detail::scan(group, V(value), std::decay_t<Op>(op)), 1);
  return group.thread_rank() == 0 ? detail::identity<std::decay_t<Op>, V>::value() : before;
}
template <class Group, class T>
PORTER_CG auto exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, value, plus<std::decay_t<T>>());
}
// Done at once, which is one of the times at which they may be done.
template <class Group, class Atomic, class T, class Op>
PORTER_CG void reduce_update_async(const Group& group, Atomic& to, T&& value, Op&& op) {
  auto total = reduce(group, value, op);
  if (group.thread_rank() == 0) detail::update(to, total, std::decay_t<Op>(op));
}
template <class Group, class To, class T, class Op>
PORTER_CG void reduce_store_async(const Group& group, To& to, T&& value, Op&& op) {
  auto total = reduce(group, value, op);
  if (group.thread_rank() == 0) to = total;
}
template <class Group, class To, class T, class Op>
PORTER_CG void reduce_store_async(const Group& group, To* to, T&& value, Op&& op) {
  auto total = reduce(group, value, op);
  if (group.thread_rank() == 0) *to = total;
}
template <class Group, class Atomic, class T, class Op>
PORTER_CG auto inclusive_scan_update(const Group& group, Atomic& to, T&& value, Op&& op) {
  std::decay_t<T> inclusive;
  auto before = detail::scan_from(group, to, std::decay_t<T>(value), std::decay_t<Op>(op), inclusive);
  return op(before, inclusive);
}
template <class Group, class Atomic, class T, class Op>
PORTER_CG auto exclusive_scan_update(const Group& group, Atomic& to, T&& value, Op&& op) {
  std::decay_t<T> inclusive;
  auto before = detail::scan_from(group, to, std::decay_t<T>(value), std::decay_t<Op>(op), inclusive);
  auto other = group.shfl_up(inclusive, 1);
  return group.thread_rank() == 0 ? before : op(before, other);
}
template <class Group, class Atomic, class T>
PORTER_CG auto inclusive_scan_update(const Group& group, Atomic& to, T&& value) {
  return inclusive_scan_update(group, to, value, plus<std::decay_t<T>>());
}
template <class Group, class Atomic, class T>
PORTER_CG auto exclusive_scan_update(const Group& group, Atomic& to, T&& value) {
  return exclusive_scan_update(group, to, value, plus<std::decay_t<T>>());
}

// cooperative_groups/memcpy_async.h: the threads copy at once, each its share of the words; wait() and
// wait_prior() are the group's sync.

// `bytes` may be a cuda::aligned_size_t, which converts.
template <class Group, class T, class U, class Bytes>
PORTER_CG void memcpy_async(const Group& group, T* to, const U* from, const Bytes& bytes) {
  porter::detail::group_copy(group, to, from, size_t(bytes));
}
// Both layouts count elements; the smaller number is copied.
template <class Group, class T, class ToLayout, class FromLayout>
PORTER_CG void memcpy_async(const Group& group, T* to, const ToLayout& to_layout, const T* from,
                            const FromLayout& from_layout) {
  size_t a = size_t(to_layout), b = size_t(from_layout);
  porter::detail::group_copy(group, to, from, sizeof(T) * (a < b ? a : b));
}
template <class Group>
PORTER_CG void wait(const Group& group) {
  group.sync();
}
template <unsigned Stages, class Group>
PORTER_CG void wait_prior(const Group& group) {
  group.sync();
}

namespace experimental {
using cg::block_tile_memory;
using cg::this_thread_block;
using cg::tiled_partition;
}  // namespace experimental

}  // namespace cg

namespace detail {
template <>
inline constexpr bool whole_warps<cg::thread_block> = true;
template <class Parent>
inline constexpr bool whole_warps<cg::thread_block_tile<32, Parent>> = true;
}  // namespace detail

}  // namespace porter

#undef PORTER_CG

#endif  // PORTER_GROUPS_H
