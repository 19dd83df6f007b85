// porter stub headers: device code, clusters and Hopper
#pragma once
#include "../../builtin_types.h"
#ifdef __CUDACC__
__device__ dim3 __clusterDim();
__device__ unsigned int __clusterDimIsSpecified();
__device__ dim3 __clusterGridDimInClusters();
__device__ dim3 __clusterIdx();
__device__ dim3 __clusterRelativeBlockIdx();
__device__ unsigned int __clusterRelativeBlockRank();
__device__ unsigned int __clusterSizeInBlocks();
__device__ void __cluster_barrier_arrive();
__device__ void __cluster_barrier_arrive_relaxed();
__device__ void __cluster_barrier_wait();
__device__ uint2 __cluster_map_shared_multicast(const void *, unsigned int);
__device__ void *__cluster_map_shared_rank(const void *, unsigned int);
__device__ unsigned int __cluster_query_shared_rank(const void *);
__device__ unsigned int __isClusterShared(const void *);
__device__ unsigned int __isCtaShared(const void *);
__device__ void __threadfence_cluster();
#endif
