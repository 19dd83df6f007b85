// porter runtime: cudaLaunchKernelEx where attributes say that a kernel may begin before the one in front of it has ended
// (programmatic dependent launch). A kernel on an AMD GPU begins afterwards, so the attribute is dropped; the others that
// HIP has go on to it.
#ifndef PORTER_LAUNCH_H
#define PORTER_LAUNCH_H

#include <utility>

#include "launch_config.h"

namespace porter {

inline hipError_t launch_in_order_with(const launch_config* config, const void* kernel, void** arguments) {
  if (config == nullptr) return hipErrorInvalidValue;
  hipLaunchAttribute attributes[4] = {};
  hipLaunchConfig_t plain = {};
  plain.gridDim = config->gridDim, plain.blockDim = config->blockDim;
  plain.dynamicSmemBytes = config->dynamicSmemBytes, plain.stream = config->stream;
  plain.attrs = attributes;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const launch_attribute& one = config->attrs[i];
    hipLaunchAttribute& next = attributes[plain.numAttrs];
    if (one.id == launch_attribute_cooperative) {
      next.id = hipLaunchAttributeCooperative, next.val.cooperative = one.val.cooperative;
    } else if (one.id == launch_attribute_priority) {
      next.id = hipLaunchAttributePriority, next.val.priority = one.val.priority;
    } else if (one.id == launch_attribute_access_policy_window) {
      next.id = hipLaunchAttributeAccessPolicyWindow, next.val.accessPolicyWindow = one.val.accessPolicyWindow;
    } else if (one.id == launch_attribute_cluster_dimension && one.val.clusterDim.x * one.val.clusterDim.y * one.val.clusterDim.z != 1) {
      return hipErrorInvalidValue;  // the kernels of this unit were ported without clusters
    } else {
      continue;
    }
    if (++plain.numAttrs == 4) return hipErrorInvalidValue;  // one of them twice
  }
  return hipLaunchKernelExC(&plain, kernel, arguments);
}
template <class... P, class... A>
inline hipError_t launch_in_order(const launch_config* config, void (*kernel)(P...), A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "an argument for each parameter");
  return [&](P... converted) {
    void* pointers[] = {&converted..., nullptr};
    return launch_in_order_with(config, reinterpret_cast<const void*>(kernel), pointers);
  }(std::forward<A>(arguments)...);
}

}  // namespace porter

#endif  // PORTER_LAUNCH_H
