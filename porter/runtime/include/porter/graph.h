// porter runtime: calls about graphs that CUDA gives the data of edges, and results that HIP returns elsewhere.
//
// The edges of HIP's graphs have no data: each waits until what it leads from is complete. CUDA says that with zeros.
// Asked for the data these functions give zeros; given others they fail with hipErrorNotSupported.
#ifndef PORTER_GRAPH_H
#define PORTER_GRAPH_H

#include <hip/hip_runtime_api.h>

#include <cstring>
#include <vector>

namespace porter {

namespace graph {

inline bool plain(const hipGraphEdgeData* data, size_t count) {
  static const hipGraphEdgeData zero = {};
  for (size_t at = 0; data != nullptr && at < count; at++) {
    if (std::memcmp(data + at, &zero, sizeof zero) != 0) return false;
  }
  return true;
}

// The number that was asked for holds for the array of data as it does for the nodes.
inline hipError_t with_zeros(hipError_t result, hipGraphEdgeData* data, const size_t* count) {
  if (result == hipSuccess && data != nullptr && count != nullptr) std::memset(data, 0, *count * sizeof *data);
  return result;
}

}  // namespace graph

struct graph_update_info {
  hipGraphExecUpdateResult result;
  hipGraphNode_t errorNode;
  hipGraphNode_t errorFromNode;  // HIP names no second node
};

inline hipError_t graph_exec_update(hipGraphExec_t exec, hipGraph_t graph, graph_update_info* info) {
  *info = {hipGraphExecUpdateSuccess, nullptr, nullptr};
  return hipGraphExecUpdate(exec, graph, &info->errorNode, &info->result);
}

inline hipError_t graph_add_dependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                         const hipGraphEdgeData* data, size_t count) {
  return graph::plain(data, count) ? hipGraphAddDependencies(graph, from, to, count) : hipErrorNotSupported;
}

inline hipError_t graph_remove_dependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                            const hipGraphEdgeData* data, size_t count) {
  return graph::plain(data, count) ? hipGraphRemoveDependencies(graph, from, to, count) : hipErrorNotSupported;
}

inline hipError_t graph_add_node(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* before,
                                 const hipGraphEdgeData* data, size_t count, hipGraphNodeParams* parameters) {
  return graph::plain(data, count) ? hipGraphAddNode(node, graph, before, count, parameters) : hipErrorNotSupported;
}

inline hipError_t graph_get_edges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to, hipGraphEdgeData* data,
                                  size_t* count) {
  return graph::with_zeros(hipGraphGetEdges(graph, from, to, count), data, count);
}

inline hipError_t graph_node_get_dependencies(hipGraphNode_t node, hipGraphNode_t* before, hipGraphEdgeData* data,
                                              size_t* count) {
  return graph::with_zeros(hipGraphNodeGetDependencies(node, before, count), data, count);
}

inline hipError_t graph_node_get_dependent_nodes(hipGraphNode_t node, hipGraphNode_t* after, hipGraphEdgeData* data,
                                                 size_t* count) {
  return graph::with_zeros(hipGraphNodeGetDependentNodes(node, after, count), data, count);
}

// The data belong to the runtime, as in CUDA; they hold until the thread asks again.
inline hipError_t stream_get_capture_info(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id,
                                          hipGraph_t* graph, const hipGraphNode_t** before, const hipGraphEdgeData** data,
                                          size_t* count) {
  size_t own = 0;
  size_t* const there = count != nullptr ? count : &own;
  const hipError_t result = hipStreamGetCaptureInfo_v2(stream, status, id, graph, before, there);
  if (result == hipSuccess && data != nullptr && *status == hipStreamCaptureStatusActive) {
    static thread_local std::vector<hipGraphEdgeData> zeros;
    zeros.assign(*there, hipGraphEdgeData{});
    *data = zeros.data();
  }
  return result;
}

inline hipError_t stream_update_capture_dependencies(hipStream_t stream, hipGraphNode_t* nodes,
                                                     const hipGraphEdgeData* data, size_t count, unsigned flags = 0) {
  return graph::plain(data, count) ? hipStreamUpdateCaptureDependencies(stream, nodes, count, flags)
                                   : hipErrorNotSupported;
}

// CUDA's C++ form: the object is deleted with the last graph that refers to it.
template <class T>
hipError_t user_object_create(hipUserObject_t* object, T* wrapped, unsigned references, unsigned flags) {
  return hipUserObjectCreate(object, wrapped, [](void* it) { delete static_cast<T*>(it); }, references, flags);
}

}  // namespace porter

#endif  // PORTER_GRAPH_H
