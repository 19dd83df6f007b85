// Work and graphs of it: running, copying, ordering.
#include "graphs/graphs.h"

#include <algorithm>

namespace host {

namespace {

struct State {
  std::mutex lock;
  std::set<const ihipGraph *> graphs;
  std::set<const hipGraphNode *> nodes;
  u64 ids = 0;
};

State &state() {
  static State &all = *new State;
  return all;
}

}  // namespace

hipError_t run_work(const Work &work, int device) {
  if (const hipError_t fault = device_fault(device)) return fault;
  switch (work.type) {
    case hipGraphNodeTypeKernel: return run_kernel(work.kernel, device);
    case hipGraphNodeTypeMemcpy:
      if (work.flat) {
        stream_touches(work.copy.src, work.copy.size, false);
        stream_touches(work.copy.dst, work.copy.size, true);
        if (work.copy.size) memmove(work.copy.dst, work.copy.src, work.copy.size);  // else there may be no pointers
      }
      else run_copy3d(work.copy3d);
      break;
    case hipGraphNodeTypeMemset: run_fill(work.fill); break;
    case hipGraphNodeTypeHost:
      if (work.action) (*work.action)();
      else work.call.fn(work.call.userData);
      break;
    case hipGraphNodeTypeGraph: return work.exec ? run_graph(work.exec->order, device) : run_graph(in_order(work.child), device);
    case hipGraphNodeTypeEventRecord:
      if (work.action) (*work.action)();
      else record_event(work.event, device);
      break;
    case hipGraphNodeTypeBatchMemOp: (*work.action)(); break;
    case hipGraphNodeTypeMemFree:
      if (work.action) (*work.action)();
      else graph_frees(work.pointer);
      break;
    case hipGraphNodeTypeMemAlloc: graph_allocates(work.allocation.dptr, work.allocation.bytesize, device); break;
    default: break;  // empty; waits, which come after what they wait for
  }
  return hipSuccess;
}

hipError_t run_graph(const std::vector<hipGraphNode *> &order, int device) {
  for (const hipGraphNode *node : order)
    if (node->enabled)
      if (const hipError_t error = run_work(node->work, device)) return error;
  return hipSuccess;
}

// The events that a graph records, and the operations that record those it waits for.
static void events_of(const std::vector<hipGraphNode *> &order, std::vector<hipEvent_t> *records, std::vector<u64> *waits) {
  for (const hipGraphNode *node : order) {
    if (!node->enabled) continue;
    if (node->work.child) events_of(in_order(node->work.child), records, waits);
    if (node->work.type == hipGraphNodeTypeEventRecord && node->work.event) records->push_back(node->work.event);
    const bool earlier = std::find(records->begin(), records->end(), node->work.event) == records->end();
    if (node->work.type == hipGraphNodeTypeWaitEvent && earlier) waits->push_back(ticket_of(node->work.event));
  }
}

hipGraphExecUpdateResult same_shape(const ihipGraph *graph, const ihipGraph *other, hipGraphNode_t *different) {
  const auto &mine = graph->nodes, &theirs = other->nodes;
  if (mine.size() != theirs.size()) return hipGraphExecUpdateErrorTopologyChanged;
  const auto numbers = [](const std::vector<std::unique_ptr<hipGraphNode>> &nodes, const std::vector<hipGraphNode *> &before) {
    std::set<size_t> found;
    for (size_t i = 0; i < nodes.size(); i++)
      if (std::find(before.begin(), before.end(), nodes[i].get()) != before.end()) found.insert(i);
    return found;
  };
  for (size_t i = 0; i < mine.size(); i++) {
    *different = theirs[i].get();
    if (mine[i]->work.type != theirs[i]->work.type) return hipGraphExecUpdateErrorNodeTypeChanged;
    if (numbers(mine, mine[i]->before) != numbers(theirs, theirs[i]->before)) return hipGraphExecUpdateErrorTopologyChanged;
  }
  *different = nullptr;
  return hipGraphExecUpdateSuccess;
}

ihipGraph *new_graph() {
  ihipGraph *graph = new ihipGraph;
  const std::lock_guard guard(state().lock);
  graph->id = ++state().ids;
  state().graphs.insert(graph);
  return graph;
}

void delete_graph(ihipGraph *graph) {
  std::vector<ihipGraph *> children;
  {
    const std::lock_guard guard(state().lock);
    state().graphs.erase(graph);
    for (const auto &node : graph->nodes) {
      state().nodes.erase(node.get());
      if (node->work.child) children.push_back(node->work.child);
    }
  }
  for (ihipGraph *child : children) delete_graph(child);
  release_objects(graph);
  delete graph;
}

bool valid_graph(const ihipGraph *graph) {
  const std::lock_guard guard(state().lock);
  return state().graphs.count(graph) != 0;
}
bool valid_node(const hipGraphNode *node) {
  const std::lock_guard guard(state().lock);
  return state().nodes.count(node) != 0;
}

hipGraphNode *add_node(ihipGraph *graph, Work &&work, const hipGraphNode_t *before, size_t count) {
  auto node = std::make_unique<hipGraphNode>();
  node->work = std::move(work);
  node->before.assign(before, before + count);
  node->graph = graph;
  hipGraphNode *made = node.get();
  graph->nodes.push_back(std::move(node));
  const std::lock_guard guard(state().lock);
  state().nodes.insert(made);
  return made;
}

ihipGraph *clone(const ihipGraph *graph) {
  ihipGraph *copy = new_graph();
  std::map<const hipGraphNode *, hipGraphNode *> made;
  for (const auto &node : graph->nodes) {
    Work work = node->work;
    // The pointers lead into the copy's own arguments.
    for (size_t i = 0; i < work.kernel.pointers.size(); i++)
      work.kernel.pointers[i] = work.kernel.arguments.data() + ((u8 *)node->work.kernel.pointers[i] - node->work.kernel.arguments.data());
    if (work.child) work.child = clone(work.child);
    hipGraphNode *twin = add_node(copy, std::move(work), nullptr, 0);
    twin->original = node.get();
    twin->enabled = node->enabled;
    made[node.get()] = twin;
  }
  for (const auto &node : graph->nodes)
    for (const hipGraphNode *before : node->before) made[node.get()]->before.push_back(made[before]);
  return copy;
}

std::vector<hipGraphNode *> in_order(const ihipGraph *graph) {
  std::vector<hipGraphNode *> order;
  std::set<const hipGraphNode *> placed;
  while (order.size() < graph->nodes.size()) {
    const size_t before = order.size();
    for (const auto &node : graph->nodes) {
      if (placed.count(node.get())) continue;
      if (!std::all_of(node->before.begin(), node->before.end(), [&](hipGraphNode *n) { return placed.count(n) != 0; })) continue;
      order.push_back(node.get());
      placed.insert(node.get());
    }
    if (order.size() == before) return {};
  }
  return order;
}

bool precedes(const hipGraphNode *node, const std::vector<hipGraphNode *> &ends) {
  std::set<const hipGraphNode *> seen;
  std::vector<const hipGraphNode *> open(ends.begin(), ends.end());
  while (!open.empty()) {
    const hipGraphNode *at = open.back();
    open.pop_back();
    if (at == node) return true;
    if (!seen.insert(at).second) continue;
    open.insert(open.end(), at->before.begin(), at->before.end());
  }
  return false;
}

hipError_t capture(ihipStream_t *stream, Work &&work) {
  hipGraphNode *node = add_node(stream->capture, std::move(work), stream->tail.data(), stream->tail.size());
  stream->tail = {node};
  return hipSuccess;
}

}  // namespace host

using namespace host;

extern "C" {

hipError_t hipGraphCreate(hipGraph_t *graph, unsigned flags) {
  if (!graph || flags) return done(hipErrorInvalidValue);
  *graph = new_graph();
  return done(hipSuccess);
}
hipError_t hipGraphDestroy(hipGraph_t graph) {
  if (!valid_graph(graph)) return done(hipErrorInvalidValue);
  delete_graph(graph);
  return done(hipSuccess);
}
hipError_t hipGraphClone(hipGraph_t *out, hipGraph_t graph) {
  if (!out || !valid_graph(graph)) return done(hipErrorInvalidValue);
  *out = clone(graph);
  return done(hipSuccess);
}
hipError_t hipGraphNodeFindInClone(hipGraphNode_t *out, hipGraphNode_t original, hipGraph_t graph) {
  if (!out || !original || !valid_graph(graph)) return done(hipErrorInvalidValue);
  for (const auto &node : graph->nodes)
    if (node->original == original) {
      *out = node.get();
      return done(hipSuccess);
    }
  return done(hipErrorInvalidValue);
}

static hipError_t instantiate(hipGraphExec_t *out, hipGraph_t graph, u64 flags) {
  if (!out || !valid_graph(graph)) return done(hipErrorInvalidValue);
  const u64 known = hipGraphInstantiateFlagAutoFreeOnLaunch | hipGraphInstantiateFlagUpload |
                    hipGraphInstantiateFlagDeviceLaunch | hipGraphInstantiateFlagUseNodePriority;
  if (flags & ~known) return done(hipErrorInvalidValue);
  if (flags & hipGraphInstantiateFlagDeviceLaunch) return not_supported("the launch of a graph by a kernel");
  if (!graph->nodes.empty() && in_order(graph).empty()) return done(hipErrorInvalidValue);
  hipGraphExec *exec = new hipGraphExec;
  exec->graph = clone(graph);
  exec->order = in_order(exec->graph);
  exec->flags = flags;
  *out = exec;
  return done(hipSuccess);
}
hipError_t hipGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph, hipGraphNode_t *error, char *log, size_t size) {
  if (error) *error = nullptr;
  if (log && size) *log = 0;
  return instantiate(exec, graph, 0);
}
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph, unsigned long long flags) {
  return instantiate(exec, graph, flags);
}
hipError_t hipGraphInstantiateWithParams(hipGraphExec_t *exec, hipGraph_t graph, hipGraphInstantiateParams *params) {
  if (!params) return done(hipErrorInvalidValue);
  params->errNode_out = nullptr;
  const hipError_t error = instantiate(exec, graph, params->flags);
  params->result_out = error == hipSuccess ? hipGraphInstantiateSuccess : hipGraphInstantiateError;
  return error;
}
hipError_t hipGraphExecGetFlags(hipGraphExec_t exec, unsigned long long *flags) {
  if (!exec || !flags) return done(hipErrorInvalidValue);
  *flags = exec->flags;
  return done(hipSuccess);
}
hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  if (!exec || !valid_graph(exec->graph)) return done(hipErrorInvalidValue);
  wait_for_all();
  delete_graph(exec->graph);
  delete exec;
  return done(hipSuccess);
}
hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream) {
  return done(exec && stream_of(stream) ? hipSuccess : hipErrorInvalidValue);
}
hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t handle) {
  if (!exec || !valid_graph(exec->graph)) return done(hipErrorInvalidValue);
  ihipStream_t *stream = stream_of(handle);
  if (!stream) return done(hipErrorContextIsDestroyed);
  if (stream->capture) {
    Work work;
    work.type = hipGraphNodeTypeGraph;
    work.child = clone(exec->graph);
    return done(submit(handle, std::move(work)));
  }
  std::vector<hipEvent_t> records;
  std::vector<u64> waits;
  events_of(exec->order, &records, &waits);
  Work work;
  work.type = hipGraphNodeTypeGraph;
  work.exec = exec;
  u64 launch = 0;
  if (const hipError_t error = submit(handle, std::move(work), &launch, waits)) return done(error);
  for (hipEvent_t event : records) will_record(event, launch);
  return done(hipSuccess);
}

// The same graph with other parameters, node for node.
hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t *error, hipGraphExecUpdateResult *result) {
  if (!exec || !valid_graph(graph) || !error || !result) return done(hipErrorInvalidValue);
  *error = nullptr;
  *result = same_shape(exec->graph, graph, error);
  if (*result != hipGraphExecUpdateSuccess) return done(hipErrorGraphExecUpdateFailure);
  wait_for_all();
  ihipGraph *old = exec->graph;
  exec->graph = clone(graph);
  // Nodes are still known by those that the graph was first instantiated from.
  for (size_t i = 0; i < old->nodes.size(); i++) exec->graph->nodes[i]->original = old->nodes[i]->original;
  exec->order = in_order(exec->graph);
  delete_graph(old);
  return done(hipSuccess);
}

}
