// Nodes that are functions of the host, events, other graphs, nothing; and what all nodes have.
#include <algorithm>

#include "graphs/graphs.h"

namespace host {

hipError_t append_node(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count, Work &&work) {
  if (!out || !valid_graph(graph) || !valid_nodes(before, count)) return done(hipErrorInvalidValue);
  *out = add_node(graph, std::move(work), before, count);
  return done(hipSuccess);
}

hipGraphNode *in_exec(hipGraphExec_t exec, hipGraphNode_t node, hipGraphNodeType type) {
  wait_for_all();
  if (!exec || !valid_graph(exec->graph)) return nullptr;
  for (const auto &own : exec->graph->nodes)
    if (own->original == node) return own->work.type == type ? own.get() : nullptr;
  return nullptr;
}

bool is_node(hipGraphNode_t node, hipGraphNodeType type) { return valid_node(node) && node->work.type == type; }

hipError_t replace_work(hipGraphNode *node, hipError_t error, Work &&work) {
  if (!node) return done(hipErrorInvalidValue);
  if (error != hipSuccess) return done(error);
  node->work = std::move(work);
  return done(hipSuccess);
}

}  // namespace host

using namespace host;

namespace {

hipError_t of_host(const hipHostNodeParams *p, Work *work) {
  if (!p || !p->fn) return hipErrorInvalidValue;
  work->type = hipGraphNodeTypeHost;
  work->call = *p;
  return hipSuccess;
}

}  // namespace

extern "C" {

// ---- host functions, events, other graphs, nothing ------------------------------------------------------------------------

hipError_t hipGraphAddHostNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                               const hipHostNodeParams *p) {
  Work work;
  if (const hipError_t error = of_host(p, &work)) return done(error);
  return append_node(out, graph, before, count, std::move(work));
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *p) {
  if (!p || !is_node(node, hipGraphNodeTypeHost)) return done(hipErrorInvalidValue);
  *p = node->work.call;
  return done(hipSuccess);
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams *p) {
  Work work;
  const hipError_t error = of_host(p, &work);
  return replace_work(is_node(node, hipGraphNodeTypeHost) ? node : nullptr, error, std::move(work));
}
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipHostNodeParams *p) {
  Work work;
  const hipError_t error = of_host(p, &work);
  return replace_work(in_exec(exec, node, hipGraphNodeTypeHost), error, std::move(work));
}
hipError_t hipGraphAddEmptyNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count) {
  return append_node(out, graph, before, count, Work{});
}
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                     hipGraph_t child) {
  if (!valid_graph(child) || child == graph) return done(hipErrorInvalidValue);
  Work work;
  work.type = hipGraphNodeTypeGraph;
  work.child = clone(child);
  return append_node(out, graph, before, count, std::move(work));
}
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *graph) {
  if (!graph || !is_node(node, hipGraphNodeTypeGraph)) return done(hipErrorInvalidValue);
  *graph = node->work.child;
  return done(hipSuccess);
}
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipGraph_t child) {
  hipGraphNode *own = in_exec(exec, node, hipGraphNodeTypeGraph);
  if (!own || !valid_graph(child)) return done(hipErrorInvalidValue);
  hipGraphNode_t different;
  if (same_shape(own->work.child, child, &different) != hipGraphExecUpdateSuccess) return done(hipErrorInvalidValue);
  delete_graph(own->work.child);
  own->work.child = clone(child);
  return done(hipSuccess);
}

static hipError_t add_event(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count, hipEvent_t event,
                            hipGraphNodeType type) {
  if (!event) return done(hipErrorInvalidValue);
  Work work;
  work.type = type;
  work.event = event;
  return append_node(out, graph, before, count, std::move(work));
}
static hipError_t get_event(hipGraphNode_t node, hipEvent_t *event, hipGraphNodeType type) {
  if (!event || !is_node(node, type)) return done(hipErrorInvalidValue);
  *event = node->work.event;
  return done(hipSuccess);
}
static hipError_t set_event(hipGraphNode_t node, hipEvent_t event) {
  if (!node || !event) return done(hipErrorInvalidValue);
  node->work.event = event;
  return done(hipSuccess);
}
hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                      hipEvent_t event) {
  return add_event(out, graph, before, count, event, hipGraphNodeTypeEventRecord);
}
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                    hipEvent_t event) {
  return add_event(out, graph, before, count, event, hipGraphNodeTypeWaitEvent);
}
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t *event) {
  return get_event(node, event, hipGraphNodeTypeEventRecord);
}
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t *event) {
  return get_event(node, event, hipGraphNodeTypeWaitEvent);
}
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set_event(is_node(node, hipGraphNodeTypeEventRecord) ? node : nullptr, event);
}
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set_event(is_node(node, hipGraphNodeTypeWaitEvent) ? node : nullptr, event);
}
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event) {
  return set_event(in_exec(exec, node, hipGraphNodeTypeEventRecord), event);
}
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event) {
  return set_event(in_exec(exec, node, hipGraphNodeTypeWaitEvent), event);
}

// ---- any node ---------------------------------------------------------------------------------------------------------------

hipError_t hipGraphAddNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                           hipGraphNodeParams *p) {
  if (!p) return done(hipErrorInvalidValue);
  switch (p->type) {
    case hipGraphNodeTypeKernel: return hipGraphAddKernelNode(out, graph, before, count, &p->kernel);
    case hipGraphNodeTypeMemcpy: return hipGraphAddMemcpyNode(out, graph, before, count, &p->memcpy.copyParams);
    case hipGraphNodeTypeMemset: return hipGraphAddMemsetNode(out, graph, before, count, &p->memset);
    case hipGraphNodeTypeHost: return hipGraphAddHostNode(out, graph, before, count, &p->host);
    case hipGraphNodeTypeGraph: return hipGraphAddChildGraphNode(out, graph, before, count, p->graph.graph);
    case hipGraphNodeTypeEmpty: return hipGraphAddEmptyNode(out, graph, before, count);
    case hipGraphNodeTypeWaitEvent: return hipGraphAddEventWaitNode(out, graph, before, count, p->eventWait.event);
    case hipGraphNodeTypeEventRecord: return hipGraphAddEventRecordNode(out, graph, before, count, p->eventRecord.event);
    case hipGraphNodeTypeMemAlloc: return hipGraphAddMemAllocNode(out, graph, before, count, &p->alloc);
    case hipGraphNodeTypeMemFree: return hipGraphAddMemFreeNode(out, graph, before, count, p->free.dptr);
    case hipGraphNodeTypeExtSemaphoreSignal:
    case hipGraphNodeTypeExtSemaphoreWait: return not_supported("hipGraphAddNode of this type");
    default: return done(hipErrorInvalidValue);
  }
}
hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams *p) {
  if (!p) return done(hipErrorInvalidValue);
  switch (p->type) {
    case hipGraphNodeTypeKernel: return hipGraphKernelNodeSetParams(node, &p->kernel);
    case hipGraphNodeTypeMemcpy: return hipGraphMemcpyNodeSetParams(node, &p->memcpy.copyParams);
    case hipGraphNodeTypeMemset: return hipGraphMemsetNodeSetParams(node, &p->memset);
    case hipGraphNodeTypeHost: return hipGraphHostNodeSetParams(node, &p->host);
    default: return not_supported("hipGraphNodeSetParams of this type");
  }
}
hipError_t hipGraphExecNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipGraphNodeParams *p) {
  if (!p) return done(hipErrorInvalidValue);
  switch (p->type) {
    case hipGraphNodeTypeKernel: return hipGraphExecKernelNodeSetParams(exec, node, &p->kernel);
    case hipGraphNodeTypeMemcpy: return hipGraphExecMemcpyNodeSetParams(exec, node, &p->memcpy.copyParams);
    case hipGraphNodeTypeMemset: return hipGraphExecMemsetNodeSetParams(exec, node, &p->memset);
    case hipGraphNodeTypeHost: return hipGraphExecHostNodeSetParams(exec, node, &p->host);
    default: return not_supported("hipGraphExecNodeSetParams of this type");
  }
}
hipError_t hipGraphDestroyNode(hipGraphNode_t node) {
  if (!valid_node(node)) return done(hipErrorInvalidValue);
  auto &nodes = node->graph->nodes;
  for (const auto &other : nodes)
    other->before.erase(std::remove(other->before.begin(), other->before.end(), node), other->before.end());
  nodes.erase(std::find_if(nodes.begin(), nodes.end(), [&](const auto &own) { return own.get() == node; }));
  return done(hipSuccess);
}
hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type) {
  if (!type || !valid_node(node)) return done(hipErrorInvalidValue);
  *type = node->work.type;
  return done(hipSuccess);
}
// Only these can be switched off.
static bool switchable(const hipGraphNode *own) {
  return own && (own->work.type == hipGraphNodeTypeKernel || own->work.type == hipGraphNodeTypeMemcpy ||
                 own->work.type == hipGraphNodeTypeMemset);
}
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned enabled) {
  hipGraphNode *own = valid_node(node) ? in_exec(exec, node, node->work.type) : nullptr;
  if (!switchable(own)) return done(hipErrorInvalidValue);
  own->enabled = enabled != 0;
  return done(hipSuccess);
}
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned *enabled) {
  hipGraphNode *own = valid_node(node) ? in_exec(exec, node, node->work.type) : nullptr;
  if (!switchable(own) || !enabled) return done(hipErrorInvalidValue);
  *enabled = own->enabled;
  return done(hipSuccess);
}

}
