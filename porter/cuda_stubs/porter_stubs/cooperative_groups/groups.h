// porter stub headers: cooperative groups, the groups that follow from the launch.
#pragma once
#include "../../cuda_runtime.h"

namespace cooperative_groups {
class thread_group {
 public:
  __device__ void sync() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned int get_type() const;
};

template <unsigned int MaxBlockSize>
struct block_tile_memory {
  unsigned char storage[MaxBlockSize];
};

class thread_block : public thread_group {
 public:
  typedef unsigned int arrival_token;
  __device__ static void sync();
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&) const;
  __device__ static unsigned int thread_rank();
  __device__ static dim3 group_index();
  __device__ static dim3 thread_index();
  __device__ static dim3 group_dim();
  __device__ static dim3 dim_threads();
  __device__ static unsigned int size();
  __device__ static unsigned int num_threads();
};

class cluster_group : public thread_group {
 public:
  typedef unsigned int arrival_token;
  __device__ static void sync();
  __device__ static arrival_token barrier_arrive();
  __device__ static void barrier_wait();
  __device__ static void barrier_wait(arrival_token &&);
  __device__ static unsigned int query_shared_rank(const void *);
  template <class T>
  __device__ static T *map_shared_rank(T *, int) PORTER_STUB_BODY
  __device__ static dim3 block_index();
  __device__ static unsigned int block_rank();
  __device__ static dim3 thread_index();
  __device__ static unsigned int thread_rank();
  __device__ static dim3 dim_blocks();
  __device__ static unsigned int num_blocks();
  __device__ static dim3 dim_threads();
  __device__ static unsigned int num_threads();
  __device__ static unsigned int size();
};

class grid_group : public thread_group {
 public:
  typedef unsigned int arrival_token;
  __device__ bool is_valid() const;
  __device__ void sync() const;
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&) const;
  __device__ static unsigned long long size();
  __device__ static unsigned long long num_threads();
  __device__ static unsigned long long thread_rank();
  __device__ static dim3 group_dim();
  __device__ static dim3 dim_blocks();
  __device__ static unsigned long long num_blocks();
  __device__ static dim3 block_index();
  __device__ static unsigned long long block_rank();
  __device__ static dim3 thread_index();
  __device__ static dim3 dim_clusters();
  __device__ static unsigned long long num_clusters();
  __device__ static dim3 cluster_index();
  __device__ static unsigned long long cluster_rank();
};

class multi_grid_group : public thread_group {
 public:
  __device__ bool is_valid() const;
  __device__ void sync() const;
  __device__ unsigned int grid_rank() const;
  __device__ unsigned int num_grids() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned long long size() const;
};

__device__ thread_block this_thread_block();
template <unsigned int MaxBlockSize>
__device__ thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) PORTER_STUB_BODY
__device__ grid_group this_grid();
__device__ multi_grid_group this_multi_grid();
__device__ cluster_group this_cluster();

template <class Group> __device__ void sync(const Group &) PORTER_STUB_BODY
template <class Group> __device__ unsigned long long thread_rank(const Group &) PORTER_STUB_BODY
template <class Group> __device__ unsigned long long group_size(const Group &) PORTER_STUB_BODY

namespace this_cluster_functions {
}

namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
}  // namespace experimental
}  // namespace cooperative_groups
