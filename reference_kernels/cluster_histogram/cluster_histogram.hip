// A histogram whose bins are spread over the shared memory of a cluster's blocks: more bins than one block could hold.
//
// Each block owns a part of the bins and every block adds to the parts of all, through pointers into the others' shared
// memory. The number of blocks in a cluster comes with the launch.
#define PORTER_CLUSTERS 1
#define PORTER_CLUSTERS_SHADOW 1
#include "porter/groups.h"
#include <hip/hip_runtime.h>
#include "porter/cluster.h"
#include "porter/cluster_groups.h"
#include "porter/cluster_launch.h"

namespace cg = porter::cg;

namespace {

constexpr int kThreads = 128;

// The shared counter of a value, in whichever block of the cluster it is.
__device__ int* counter(porter::cg::cluster_group& cluster, int* own, int bin, int each) {
  return cluster.map_shared_rank(own, bin / each) + bin % each;
}

__global__ void __launch_bounds__(kThreads) histogram_kernel(const int* values, int count, int* out, int bins, int each) {
  const porter::cluster_member cluster_member;
  extern __align__(1024) __shared__ int part_lds[]; auto *const part = porter::relocated(part_lds);
  porter::cg::cluster_group cluster = porter::cg::this_cluster();
  for (int i = threadIdx.x; i < each; i += blockDim.x) part[i] = 0;
  cluster.sync();  // all counters are zero before anybody adds

  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    const int bin = min(max(values[i], 0), bins - 1);
    atomicAdd(counter(cluster, part, bin, each), 1);
  }
  cluster.sync();  // and all is added before anybody reads, or leaves

  const int first = cluster.block_rank() * each;
  for (int i = threadIdx.x; i < each && first + i < bins; i += blockDim.x) atomicAdd(&out[first + i], part[i]);
}

}  // namespace

extern "C" hipError_t cluster_histogram(const int* values, int* out, int count, int bins, int blocks, int clusters,
                                         hipStream_t stream) {
  const int each = (bins + blocks - 1) / blocks;
  porter::launch_attribute attribute[1];
  attribute[0].id = porter::launch_attribute_cluster_dimension;
  attribute[0].val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
  porter::launch_config config = {};
  config.gridDim = dim3(clusters * blocks);
  config.blockDim = kThreads;
  config.dynamicSmemBytes = each * sizeof(int);
  config.stream = stream;
  config.attrs = attribute;
  config.numAttrs = 1;
  return porter::launch_kernel_ex(&config, histogram_kernel, values, count, out, bins, each);
}
