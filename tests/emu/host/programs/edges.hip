// porter/graph.h: the data of edges, what an update tells, objects that a graph deletes.
#include <porter/graph.h>

#include "check.h"

static int deleted;
struct Counted {
  ~Counted() { deleted++; }
};

int main() {
  hipGraph_t graph;
  HIP(hipGraphCreate(&graph, 0));
  hipGraphNode_t a, b, from[4], to[4], next[4];
  HIP(hipGraphAddEmptyNode(&a, graph, nullptr, 0));
  HIP(hipGraphAddEmptyNode(&b, graph, nullptr, 0));

  hipGraphEdgeData data[4] = {};
  data[0].type = hipGraphDependencyTypeProgrammatic;
  size_t count = 4;
  GIVES(porter::graph_add_dependencies(graph, &a, &b, data, 1), hipErrorNotSupported);
  HIP(porter::graph_get_edges(graph, from, to, nullptr, &count));
  EXPECT(count == 0);
  data[0] = {};
  HIP(porter::graph_add_dependencies(graph, &a, &b, data, 1));
  for (auto &d : data) d.type = 7;
  count = 4;
  HIP(porter::graph_get_edges(graph, from, to, data, &count));
  EXPECT(count == 1 && from[0] == a && to[0] == b && data[0].type == 0 && data[1].type == 7);
  data[0].type = 7, count = 4;
  HIP(porter::graph_node_get_dependencies(b, next, data, &count));
  EXPECT(count == 1 && next[0] == a && data[0].type == 0);
  data[0].type = 7, count = 4;
  HIP(porter::graph_node_get_dependent_nodes(a, next, data, &count));
  EXPECT(count == 1 && next[0] == b && data[0].type == 0);

  hipGraphExec_t exec;
  HIP(hipGraphInstantiateWithFlags(&exec, graph, 0));
  porter::graph_update_info info;
  HIP(porter::graph_exec_update(exec, graph, &info));
  EXPECT(info.result == hipGraphExecUpdateSuccess);
  HIP(porter::graph_remove_dependencies(graph, &a, &b, nullptr, 1));
  GIVES(porter::graph_exec_update(exec, graph, &info), hipErrorGraphExecUpdateFailure);
  EXPECT(info.result == hipGraphExecUpdateErrorTopologyChanged);

  hipStream_t s;
  HIP(hipStreamCreate(&s));
  HIP(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  int *x = device<int>(4);
  HIP(hipMemsetAsync(x, 0, 16, s));
  hipStreamCaptureStatus status;
  unsigned long long id = 0;
  hipGraph_t captured = nullptr;
  const hipGraphNode_t *before = nullptr;
  const hipGraphEdgeData *edges = nullptr;
  HIP(porter::stream_get_capture_info(s, &status, &id, &captured, &before, &edges, &count));
  EXPECT(status == hipStreamCaptureStatusActive && captured != nullptr && count == 1 && edges != nullptr && edges[0].type == 0);
  hipGraphNode_t last = before[0];
  HIP(porter::stream_update_capture_dependencies(s, &last, edges, 1, hipStreamSetCaptureDependencies));
  data[0].type = hipGraphDependencyTypeProgrammatic;
  GIVES(porter::stream_update_capture_dependencies(s, &last, data, 1), hipErrorNotSupported);
  HIP(hipStreamEndCapture(s, &captured));

  hipUserObject_t object;
  HIP(porter::user_object_create(&object, new Counted, 1, hipUserObjectNoDestructorSync));
  HIP(hipUserObjectRelease(object, 1));
  EXPECT(deleted == 1);
  puts("end");
}
