// porter runtime: cooperative groups' cluster_group on clusters of blocks (cluster.h).
#ifndef PORTER_CLUSTER_GROUPS_H
#define PORTER_CLUSTER_GROUPS_H

#include "cluster.h"
#include "groups.h"

namespace porter {
namespace cg {

// All threads of the cluster's blocks.
class cluster_group {
 public:
  struct arrival_token {};
  __device__ static inline void sync() {
    cluster_arrive();
    cluster_wait();
  }
  __device__ static inline arrival_token barrier_arrive() {
    cluster_arrive();
    return {};
  }
  __device__ static inline void barrier_wait() { cluster_wait(); }
  __device__ static inline void barrier_wait(arrival_token&&) { cluster_wait(); }

  // Where the same variable is in the block of a rank, and the rank of an address. Pointers to mbarriers are for the
  // functions that take barriers of the cluster; what other pointers name was relocated.
  template <class T>
  __device__ static inline T* map_shared_rank(T* address, int rank) {
    return mapa(address, uint32_t(rank));
  }
  __device__ static inline unsigned query_shared_rank(const void* address) { return rank_of(address); }

  __device__ static inline unsigned block_rank() { return cluster_rank(); }
  __device__ static inline unsigned num_blocks() { return cluster_blocks(); }
  __device__ static inline dim3 block_index() { return cluster_block(); }
  __device__ static inline dim3 dim_blocks() { return cluster_dims(); }
  __device__ static inline dim3 group_index() { return cluster_index(); }

  __device__ static inline unsigned num_threads() {
    const auto block = porter::block_dim();
    return block.x * block.y * block.z * num_blocks();
  }
  __device__ static inline unsigned size() { return num_threads(); }
  __device__ static inline unsigned thread_rank() {
    const auto block = porter::block_dim();
    const auto thread = porter::thread_index();
    return (block_rank() * block.z + thread.z) * block.y * block.x + thread.y * block.x + thread.x;
  }
  __device__ static inline dim3 dim_threads() {
    const auto block = porter::block_dim();
    const dim3 blocks = dim_blocks();
    return dim3(block.x * blocks.x, block.y * blocks.y, block.z * blocks.z);
  }
  __device__ static inline dim3 thread_index() {
    const auto block = porter::block_dim();
    const auto thread = porter::thread_index();
    const dim3 at = block_index();
    return dim3(at.x * block.x + thread.x, at.y * block.y + thread.y, at.z * block.z + thread.z);
  }
};
__device__ inline cluster_group this_cluster() { return cluster_group(); }

}  // namespace cg
}  // namespace porter

#endif  // PORTER_CLUSTER_GROUPS_H
