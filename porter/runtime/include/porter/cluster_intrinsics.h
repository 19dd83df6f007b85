// porter runtime: the compiler's own functions for clusters (__cluster_barrier_arrive and its kin) on cluster.h.
#ifndef PORTER_CLUSTER_INTRINSICS_H
#define PORTER_CLUSTER_INTRINSICS_H

#include "cluster.h"

namespace porter {

__device__ inline bool cluster_is_specified() { return cluster_blocks() > 1; }
__device__ inline dim3 clusters_of_grid() {
  const dim3 blocks = cluster_dims();
  return dim3(gridDim.x / blocks.x, gridDim.y / blocks.y, gridDim.z / blocks.z);
}
__device__ inline void* cluster_map_shared_rank(const void* variable, uint32_t rank) {
  return const_cast<void*>(mapa(variable, rank));
}
__device__ inline uint32_t cluster_rank_of(const void* variable) { return rank_of(variable); }

}  // namespace porter

#endif  // PORTER_CLUSTER_INTRINSICS_H
