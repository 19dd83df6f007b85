// porter runtime: CUDA's launch attributes, with those that HIP has no counterpart of.
#ifndef PORTER_LAUNCH_CONFIG_H
#define PORTER_LAUNCH_CONFIG_H

#include <hip/hip_runtime.h>

namespace porter {

enum launch_attribute_id : unsigned {
  launch_attribute_ignore = 0,
  launch_attribute_access_policy_window = 1,
  launch_attribute_cooperative = 2,
  launch_attribute_synchronization_policy = 3,
  launch_attribute_cluster_dimension = 4,
  launch_attribute_cluster_scheduling_policy_preference = 5,
  launch_attribute_programmatic_stream_serialization = 6,
  launch_attribute_programmatic_event = 7,
  launch_attribute_priority = 8,
  launch_attribute_mem_sync_domain_map = 9,
  launch_attribute_mem_sync_domain = 10,
  launch_attribute_preferred_cluster_dimension = 11,  // a wish: clusters have the size that is always allowed
  launch_attribute_preferred_shared_memory_carveout = 14,  // a wish: LDS has one size
};
enum cluster_scheduling_policy : unsigned { cluster_scheduling_default, cluster_scheduling_spread, cluster_scheduling_load_balancing };

// A value that nobody gave is 0, in whichever member it is read.
union launch_attribute_value {
  char pad[64];
  hipAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  hipSynchronizationPolicy syncPolicy;
  struct {
    unsigned x, y, z;
  } clusterDim, preferredClusterDim;
  cluster_scheduling_policy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  int priority;
  unsigned sharedMemCarveout;
};
struct launch_attribute {
  launch_attribute_id id;
  char pad[8 - sizeof(launch_attribute_id)];
  launch_attribute_value val;
};
struct launch_config {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  hipStream_t stream;
  launch_attribute* attrs;
  unsigned numAttrs;
};

}  // namespace porter

#endif  // PORTER_LAUNCH_CONFIG_H
