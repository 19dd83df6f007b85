// porter stub headers: cooperative groups, tiles of a block and groups of active lanes.
#pragma once
#include "groups.h"

namespace cooperative_groups {
// The operations that lanes of one warp share.
class coalesced_group : public thread_group {
 public:
  __device__ void sync() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned long long meta_group_size() const;
  __device__ unsigned long long meta_group_rank() const;
  template <class T>
  __device__ T shfl(T, int) const PORTER_STUB_BODY
  template <class T>
  __device__ T shfl_up(T, int) const PORTER_STUB_BODY
  template <class T>
  __device__ T shfl_down(T, int) const PORTER_STUB_BODY
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned int ballot(int) const;
  template <class T>
  __device__ unsigned int match_any(T) const PORTER_STUB_BODY
  template <class T>
  __device__ unsigned int match_all(T, int &) const PORTER_STUB_BODY
};

template <unsigned int Size, class Parent = void>
class thread_block_tile : public thread_group {
 public:
  template <unsigned int S, class P>
  __device__ thread_block_tile(const thread_block_tile<S, P> &) PORTER_STUB_BODY
  thread_block_tile() = default;
  __device__ operator thread_block_tile<Size, void>() const PORTER_STUB_BODY
  __device__ static void sync() PORTER_STUB_BODY
  __device__ static unsigned int thread_rank() PORTER_STUB_BODY
  __device__ static constexpr unsigned int size() { return Size; }
  __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ unsigned long long meta_group_size() const PORTER_STUB_BODY
  __device__ unsigned long long meta_group_rank() const PORTER_STUB_BODY
  template <class T>
  __device__ T shfl(T, int) const PORTER_STUB_BODY
  template <class T>
  __device__ T shfl_up(T, int) const PORTER_STUB_BODY
  template <class T>
  __device__ T shfl_down(T, int) const PORTER_STUB_BODY
  template <class T>
  __device__ T shfl_xor(T, unsigned int) const PORTER_STUB_BODY
  __device__ int any(int) const PORTER_STUB_BODY
  __device__ int all(int) const PORTER_STUB_BODY
  __device__ unsigned int ballot(int) const PORTER_STUB_BODY
  template <class T>
  __device__ unsigned int match_any(T) const PORTER_STUB_BODY
  template <class T>
  __device__ unsigned int match_all(T, int &) const PORTER_STUB_BODY
};

__device__ coalesced_group coalesced_threads();
}  // namespace cooperative_groups
