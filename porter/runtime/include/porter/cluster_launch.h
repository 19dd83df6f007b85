// porter runtime: launches of kernels that use clusters (cluster.h): CUDA's launch attributes, and the memory through
// which the blocks of a cluster meet.
//
// Kernels with clusters follow one another on a device, whatever their streams: two that ran beside each other could
// each hold the compute units that the other's blocks wait for. So one piece of memory a device serves all. It grows with
// the largest grid and lives as long as the program.
#ifndef PORTER_CLUSTER_LAUNCH_H
#define PORTER_CLUSTER_LAUNCH_H

#include <hip/hip_runtime.h>

#include <cstdint>
#include <mutex>
#include <type_traits>
#include <utility>

#include "cluster_messages.h"
#include "launch_config.h"

namespace porter {

namespace detail {

struct cluster_memory {
  std::mutex turn;
  void *barriers = nullptr, *parts = nullptr;
  uint64_t barrier_bytes = 0, part_bytes = 0;
  hipStream_t last = nullptr;
  hipEvent_t over = nullptr;
  bool used = false;
};
inline cluster_memory& memory_of(int device) {
  static cluster_memory memories[64];
  return memories[device & 63];
}

// Before the kernel and after what this unit's kernels were told before, as it runs in their stream.
constexpr unsigned tellers = 512;  // blocks
static __global__ void __launch_bounds__(slots) tell_cluster(cluster_launch what, uint64_t blocks) {
  if (__builtin_amdgcn_workgroup_id_x() == 0 && __builtin_amdgcn_workitem_id_x() == 0) launched_cluster = what;
  for (uint64_t b = __builtin_amdgcn_workgroup_id_x(); b < blocks; b += tellers) {
    const auto part = reinterpret_cast<cluster_part*>(what.parts + b * what.stride);
    part->messages[__builtin_amdgcn_workitem_id_x()][0] = 0;
    if (__builtin_amdgcn_workitem_id_x() == 0) part->sent = 0, *reinterpret_cast<uint64_t*>(what.barriers + b * 64) = 0;
  }
}

// The smaller piece stays: a graph may hold launches that were given it.
inline hipError_t reserve(void*& at, uint64_t& has, uint64_t bytes, hipStream_t stream) {
  if (bytes <= has) return hipSuccess;
  if (bytes < 2 * has) bytes = 2 * has;
  hipStreamCaptureStatus capturing = hipStreamCaptureStatusNone;
  if (const hipError_t error = hipStreamIsCapturing(stream, &capturing)) return error;
  if (capturing != hipStreamCaptureStatusNone) return hipErrorStreamCaptureUnsupported;  // launch once before: it is kept
  void* fresh = nullptr;
  if (const hipError_t error = hipMalloc(&fresh, bytes)) return error;
  at = fresh, has = bytes;
  return hipSuccess;
}

// This launch after all others on the device; what is captured into a graph follows the graph's own order.
inline hipError_t in_turn(cluster_memory& memory, hipStream_t stream) {
  hipStreamCaptureStatus capturing = hipStreamCaptureStatusNone;
  if (const hipError_t error = hipStreamIsCapturing(stream, &capturing)) return error;
  if (capturing != hipStreamCaptureStatusNone) return hipSuccess;
  if (memory.used && memory.last != stream) {
    if (!memory.over)
      if (const hipError_t error = hipEventCreateWithFlags(&memory.over, hipEventDisableTiming)) return error;
    hipError_t error = hipEventRecord(memory.over, memory.last);
    if (error == hipSuccess) error = hipStreamWaitEvent(stream, memory.over, 0);
    if (error != hipSuccess) error = hipDeviceSynchronize();  // the other stream is gone
    if (error != hipSuccess) return error;
  }
  memory.used = true, memory.last = stream;
  return hipSuccess;
}

// Each unit has its own from here on: what a launch tells is for the kernels of the unit that makes it.
namespace {

// Brings memory for the clusters of a launch that follows, with so many bytes of LDS a block. A grid that has no whole
// clusters becomes one without blocks, whose launch fails.
inline hipError_t bring_memory(cluster_launch what, dim3& grid, size_t lds, hipStream_t stream) {
  int device = 0;
  if (const hipError_t error = hipGetDevice(&device)) return error;
  what.stride = uint32_t((sizeof(cluster_part) + (shadows ? lds : 0) + 255) & ~size_t(255));
  if (grid.x % what.dims[0] || grid.y % what.dims[1] || grid.z % what.dims[2]) grid = dim3(0, 0, 0);
  cluster_memory& memory = memory_of(device);
  const std::lock_guard<std::mutex> turn(memory.turn);
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  if (const hipError_t error = reserve(memory.barriers, memory.barrier_bytes, 64 * blocks, stream)) return error;
  if (const hipError_t error = reserve(memory.parts, memory.part_bytes, what.stride * blocks, stream)) return error;
  if (const hipError_t error = in_turn(memory, stream)) return error;
  what.barriers = reinterpret_cast<uint64_t>(memory.barriers), what.parts = reinterpret_cast<uint64_t>(memory.parts);
  const auto count = unsigned(blocks < tellers ? blocks : tellers);  // not in the launch: torch's hipify reads no `<` there
  tell_cluster<<<count, slots, 0, stream>>>(what, blocks);
  return hipSuccess;
}

inline hipError_t launch_clusters(const cluster_launch& dims, const void* kernel, dim3 grid, dim3 block, void** arguments,
                                  size_t shared, hipStream_t stream, bool cooperative) {
#ifdef PORTER_CLUSTERS
  hipFuncAttributes attributes;
  if (const hipError_t error = hipFuncGetAttributes(&attributes, kernel)) return error;
  if (const hipError_t error = bring_memory(dims, grid, attributes.sharedSizeBytes + shared, stream)) return error;
#else  // a header's launch in a unit without: nobody reads what a launch would tell
  if (dims.dims[0] * dims.dims[1] * dims.dims[2] != 1) return hipErrorInvalidValue;
#endif
  if (cooperative) return hipLaunchCooperativeKernel(kernel, grid, block, arguments, unsigned(shared), stream);
  return hipLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

template <class F, class... A>
inline hipError_t with_pointers(F launch, A... arguments) {
  void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))..., nullptr};
  return launch(pointers);
}

}  // namespace
}  // namespace detail

namespace {

// kernel<<<grid, block, shared, stream>>>(arguments...). It has no result, as in CUDA: hipGetLastError() gives an error.
template <class... P, class... A>
inline void launch_clusters(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared, hipStream_t stream, A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "an argument for each parameter");
  const hipError_t error = detail::with_pointers<>(
      [&](void** pointers) {
        return detail::launch_clusters({0, 0, 0, {1, 1, 1}}, reinterpret_cast<const void*>(kernel), grid, block, pointers, shared, stream, false);
      },
      static_cast<std::remove_cv_t<std::remove_reference_t<P>>>(std::forward<A>(arguments))...);
  if (error != hipSuccess && hipPeekAtLastError() == hipSuccess)  // not the runtime's own: a launch without blocks fails
    (void)hipLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(0, 0, 0), block, nullptr, 0, stream);
}
// The grid of a launch whose arguments say which of a template's kernels it is: kernel<<<cluster_grid(grid), block>>>(...).
// The launch fails, having no blocks, where there is no memory for its clusters.
inline dim3 cluster_grid(dim3 grid, [[maybe_unused]] hipStream_t stream = nullptr) {
#ifdef PORTER_CLUSTERS
  constexpr size_t lds = 64 << 10;  // the most that a block has
  if (detail::bring_memory({0, 0, 0, {1, 1, 1}}, grid, lds, stream) != hipSuccess) return dim3(0, 0, 0);
#endif
  return grid;
}
inline hipError_t launch_clusters_with(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, hipStream_t stream) {
  return detail::launch_clusters({0, 0, 0, {1, 1, 1}}, kernel, grid, block, arguments, shared, stream, false);
}
inline hipError_t launch_clusters_cooperatively(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                                hipStream_t stream) {
  return detail::launch_clusters({0, 0, 0, {1, 1, 1}}, kernel, grid, block, arguments, shared, stream, true);
}

// cudaLaunchKernelExC. Programs may run after what came before them in their stream, where CUDA may let them begin earlier.
inline hipError_t launch_kernel_exc(const launch_config* config, const void* kernel, void** arguments) {
  detail::cluster_launch what = {0, 0, 0, {1, 1, 1}};
  bool cooperative = false;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const launch_attribute& one = config->attrs[i];
    if (one.id == launch_attribute_cluster_dimension) {
      what.dims[0] = one.val.clusterDim.x, what.dims[1] = one.val.clusterDim.y, what.dims[2] = one.val.clusterDim.z;
      if (what.dims[0] == 0 || what.dims[1] == 0 || what.dims[2] == 0) return hipErrorInvalidValue;
      if (what.dims[0] * what.dims[1] * what.dims[2] > 16) return hipErrorInvalidConfiguration;
    } else if (one.id == launch_attribute_cooperative) {
      cooperative = one.val.cooperative != 0;
    }
  }
  return detail::launch_clusters(what, kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream,
                                 cooperative);
}
template <class... P, class... A>
inline hipError_t launch_kernel_ex(const launch_config* config, void (*kernel)(P...), A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "an argument for each parameter");
  return detail::with_pointers<>(
      [&](void** pointers) { return launch_kernel_exc(config, reinterpret_cast<const void*>(kernel), pointers); },
      static_cast<std::remove_cv_t<std::remove_reference_t<P>>>(std::forward<A>(arguments))...);
}

}  // namespace

// How many clusters of a kernel are on the device at once: blocks of which it holds, by the blocks of a cluster.
template <class Kernel>
inline hipError_t max_active_clusters(int* count, Kernel kernel, const launch_config* config) {
  int blocks = 0, device = 0, units = 0, size = 1;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const launch_attribute& one = config->attrs[i];
    if (one.id == launch_attribute_cluster_dimension) size = int(one.val.clusterDim.x * one.val.clusterDim.y * one.val.clusterDim.z);
  }
  const dim3 block = config->blockDim;
  if (const hipError_t error = hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, int(block.x * block.y * block.z), config->dynamicSmemBytes)) return error;
  if (const hipError_t error = hipGetDevice(&device)) return error;
  if (const hipError_t error = hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device)) return error;
  *count = blocks * units / size;
  return hipSuccess;
}
// The most blocks that a cluster of a kernel may have: 8, which each device with clusters has, where a block fits.
template <class Kernel>
inline hipError_t max_potential_cluster_size(int* size, Kernel kernel, const launch_config* config) {
  int blocks = 0;
  const dim3 block = config->blockDim;
  if (const hipError_t error = hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, int(block.x * block.y * block.z), config->dynamicSmemBytes)) return error;
  if (blocks == 0) return hipErrorInvalidConfiguration;
  *size = 8;
  return hipSuccess;
}

}  // namespace porter

#endif  // PORTER_CLUSTER_LAUNCH_H
