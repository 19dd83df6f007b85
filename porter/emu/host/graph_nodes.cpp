// The nodes of graphs: adding them, asking for their parameters, changing these in a graph or in its executable.
#include <algorithm>

#include "graphs.h"

using namespace host;

namespace {

hipError_t add(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count, Work &&work) {
  if (!out || !valid_graph(graph) || !valid_nodes(before, count)) return done(hipErrorInvalidValue);
  *out = add_node(graph, std::move(work), before, count);
  return done(hipSuccess);
}

// The node of the executable that was made from a graph's node; nullptr where the types differ.
// What is asked for is about to change: launches that have not run yet have the old one.
hipGraphNode *in_exec(hipGraphExec_t exec, hipGraphNode_t node, hipGraphNodeType type) {
  wait_for_all();
  if (!exec || !valid_graph(exec->graph)) return nullptr;
  for (const auto &own : exec->graph->nodes)
    if (own->original == node) return own->work.type == type ? own.get() : nullptr;
  return nullptr;
}

bool is(hipGraphNode_t node, hipGraphNodeType type) { return valid_node(node) && node->work.type == type; }

// ---- work from HIP's descriptions -------------------------------------------------------------------------------------

hipError_t of_kernel(const hipKernelNodeParams *p, Work *work) {
  if (!p || !p->func) return hipErrorInvalidValue;
  work->type = hipGraphNodeTypeKernel;
  return make_call(&work->kernel, p->func, p->gridDim, p->blockDim, p->kernelParams, p->extra, p->sharedMemBytes, false);
}
hipError_t of_copy(const hipMemcpy3DParms *p, Work *work) {
  if (!p) return hipErrorInvalidValue;
  work->type = hipGraphNodeTypeMemcpy;
  work->flat = false;
  work->copy3d = *p;
  return check_copy3d(*p);
}
hipError_t of_flat(void *dst, const void *src, size_t size, hipMemcpyKind kind, Work *work) {
  work->type = hipGraphNodeTypeMemcpy;
  work->flat = true;
  work->copy = {dst, src, size, kind};
  return size ? check_copy(dst, src, size, kind) : hipErrorInvalidValue;
}
hipError_t of_symbol(const void *symbol, size_t size, size_t offset, void **address) {
  u64 bytes;
  if (const hipError_t error = symbol_place(symbol, address, &bytes)) return error;
  if (offset + size > bytes) return hipErrorInvalidValue;
  *address = (u8 *)*address + offset;
  return hipSuccess;
}
hipError_t of_fill(const hipMemsetParams *p, Work *work) {
  if (!p || !p->dst || !p->width || !p->height) return hipErrorInvalidValue;
  if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) return hipErrorInvalidValue;
  work->type = hipGraphNodeTypeMemset;
  work->fill = *p;
  if (p->height == 1) work->fill.pitch = p->width * p->elementSize;
  return check_fill(work->fill);
}
hipError_t of_host(const hipHostNodeParams *p, Work *work) {
  if (!p || !p->fn) return hipErrorInvalidValue;
  work->type = hipGraphNodeTypeHost;
  work->call = *p;
  return hipSuccess;
}

// In a graph or an executable: the node's work is replaced where the new one is good.
hipError_t replace(hipGraphNode *node, hipError_t error, Work &&work) {
  if (!node) return done(hipErrorInvalidValue);
  if (error != hipSuccess) return done(error);
  node->work = std::move(work);
  return done(hipSuccess);
}

hipMemcpy3DParms as_3d(const Work &work) {
  if (!work.flat) return work.copy3d;
  hipMemcpy3DParms p{};
  p.dstPtr = {work.copy.dst, work.copy.size, work.copy.size, 1};
  p.srcPtr = {(void *)work.copy.src, work.copy.size, work.copy.size, 1};
  p.extent = {work.copy.size, 1, 1};
  p.kind = work.copy.kind;
  return p;
}

}  // namespace

extern "C" {

// ---- kernels ----------------------------------------------------------------------------------------------------------

hipError_t hipGraphAddKernelNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const hipKernelNodeParams *p) {
  Work work;
  if (const hipError_t error = of_kernel(p, &work)) return done(error);
  return add(out, graph, before, count, std::move(work));
}
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *p) {
  if (!p || !is(node, hipGraphNodeTypeKernel)) return done(hipErrorInvalidValue);
  KernelCall &call = node->work.kernel;
  *p = {call.block, nullptr, (void *)call.handle, call.grid, call.pointers.data(), call.lds};
  return done(hipSuccess);
}
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams *p) {
  Work work;
  const hipError_t error = of_kernel(p, &work);
  return replace(is(node, hipGraphNodeTypeKernel) ? node : nullptr, error, std::move(work));
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipKernelNodeParams *p) {
  Work work;
  const hipError_t error = of_kernel(p, &work);
  return replace(in_exec(exec, node, hipGraphNodeTypeKernel), error, std::move(work));
}
hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node, hipKernelNodeAttrID which, const hipKernelNodeAttrValue *value) {
  if (!value || !is(node, hipGraphNodeTypeKernel)) return done(hipErrorInvalidValue);
  if (which == hipLaunchAttributeCooperative) node->work.kernel.cooperative = value->cooperative != 0;
  return done(hipSuccess);  // the others are hints
}
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, hipKernelNodeAttrID which, hipKernelNodeAttrValue *value) {
  if (!value || !is(node, hipGraphNodeTypeKernel)) return done(hipErrorInvalidValue);
  *value = {};
  if (which == hipLaunchAttributeCooperative) value->cooperative = node->work.kernel.cooperative;
  return done(hipSuccess);
}
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t from, hipGraphNode_t to) {
  if (!is(from, hipGraphNodeTypeKernel) || !is(to, hipGraphNodeTypeKernel)) return done(hipErrorInvalidValue);
  to->work.kernel.cooperative = from->work.kernel.cooperative;
  return done(hipSuccess);
}

// ---- copies and fills ---------------------------------------------------------------------------------------------------

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const hipMemcpy3DParms *p) {
  Work work;
  if (const hipError_t error = of_copy(p, &work)) return done(error);
  return add(out, graph, before, count, std::move(work));
}
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *p) {
  if (!p || !is(node, hipGraphNodeTypeMemcpy)) return done(hipErrorInvalidValue);
  *p = as_3d(node->work);
  return done(hipSuccess);
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms *p) {
  Work work;
  const hipError_t error = of_copy(p, &work);
  return replace(is(node, hipGraphNodeTypeMemcpy) ? node : nullptr, error, std::move(work));
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipMemcpy3DParms *p) {
  Work work;
  const hipError_t error = of_copy(p, &work);
  return replace(in_exec(exec, node, hipGraphNodeTypeMemcpy), error, std::move(work));
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count, void *dst,
                                   const void *src, size_t size, hipMemcpyKind kind) {
  Work work;
  if (const hipError_t error = of_flat(dst, src, size, kind, &work)) return done(error);
  return add(out, graph, before, count, std::move(work));
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst, const void *src, size_t size, hipMemcpyKind kind) {
  Work work;
  const hipError_t error = of_flat(dst, src, size, kind, &work);
  return replace(is(node, hipGraphNodeTypeMemcpy) ? node : nullptr, error, std::move(work));
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void *dst, const void *src, size_t size,
                                             hipMemcpyKind kind) {
  Work work;
  const hipError_t error = of_flat(dst, src, size, kind, &work);
  return replace(in_exec(exec, node, hipGraphNodeTypeMemcpy), error, std::move(work));
}
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                         const void *symbol, const void *src, size_t size, size_t offset, hipMemcpyKind kind) {
  void *dst;
  if (const hipError_t error = of_symbol(symbol, size, offset, &dst)) return done(error);
  return hipGraphAddMemcpyNode1D(out, graph, before, count, dst, src, size, kind);
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                           void *dst, const void *symbol, size_t size, size_t offset, hipMemcpyKind kind) {
  void *src;
  if (const hipError_t error = of_symbol(symbol, size, offset, &src)) return done(error);
  return hipGraphAddMemcpyNode1D(out, graph, before, count, dst, src, size, kind);
}
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void *symbol, const void *src, size_t size,
                                               size_t offset, hipMemcpyKind kind) {
  void *dst;
  if (const hipError_t error = of_symbol(symbol, size, offset, &dst)) return done(error);
  return hipGraphMemcpyNodeSetParams1D(node, dst, src, size, kind);
}
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void *dst, const void *symbol, size_t size, size_t offset,
                                                 hipMemcpyKind kind) {
  void *src;
  if (const hipError_t error = of_symbol(symbol, size, offset, &src)) return done(error);
  return hipGraphMemcpyNodeSetParams1D(node, dst, src, size, kind);
}
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t exec, hipGraphNode_t node, const void *symbol, const void *src,
                                                   size_t size, size_t offset, hipMemcpyKind kind) {
  void *dst;
  if (const hipError_t error = of_symbol(symbol, size, offset, &dst)) return done(error);
  return hipGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, size, kind);
}
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t exec, hipGraphNode_t node, void *dst, const void *symbol,
                                                     size_t size, size_t offset, hipMemcpyKind kind) {
  void *src;
  if (const hipError_t error = of_symbol(symbol, size, offset, &src)) return done(error);
  return hipGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, size, kind);
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const hipMemsetParams *p) {
  Work work;
  if (const hipError_t error = of_fill(p, &work)) return done(error);
  return add(out, graph, before, count, std::move(work));
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *p) {
  if (!p || !is(node, hipGraphNodeTypeMemset)) return done(hipErrorInvalidValue);
  *p = node->work.fill;
  return done(hipSuccess);
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams *p) {
  Work work;
  const hipError_t error = of_fill(p, &work);
  return replace(is(node, hipGraphNodeTypeMemset) ? node : nullptr, error, std::move(work));
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipMemsetParams *p) {
  Work work;
  const hipError_t error = of_fill(p, &work);
  return replace(in_exec(exec, node, hipGraphNodeTypeMemset), error, std::move(work));
}

// ---- host functions, events, other graphs, nothing ------------------------------------------------------------------------

hipError_t hipGraphAddHostNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                               const hipHostNodeParams *p) {
  Work work;
  if (const hipError_t error = of_host(p, &work)) return done(error);
  return add(out, graph, before, count, std::move(work));
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *p) {
  if (!p || !is(node, hipGraphNodeTypeHost)) return done(hipErrorInvalidValue);
  *p = node->work.call;
  return done(hipSuccess);
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams *p) {
  Work work;
  const hipError_t error = of_host(p, &work);
  return replace(is(node, hipGraphNodeTypeHost) ? node : nullptr, error, std::move(work));
}
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipHostNodeParams *p) {
  Work work;
  const hipError_t error = of_host(p, &work);
  return replace(in_exec(exec, node, hipGraphNodeTypeHost), error, std::move(work));
}
hipError_t hipGraphAddEmptyNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count) {
  return add(out, graph, before, count, Work{});
}
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                     hipGraph_t child) {
  if (!valid_graph(child) || child == graph) return done(hipErrorInvalidValue);
  Work work;
  work.type = hipGraphNodeTypeGraph;
  work.child = clone(child);
  return add(out, graph, before, count, std::move(work));
}
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *graph) {
  if (!graph || !is(node, hipGraphNodeTypeGraph)) return done(hipErrorInvalidValue);
  *graph = node->work.child;
  return done(hipSuccess);
}
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipGraph_t child) {
  hipGraphNode *own = in_exec(exec, node, hipGraphNodeTypeGraph);
  if (!own || !valid_graph(child)) return done(hipErrorInvalidValue);
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
  return add(out, graph, before, count, std::move(work));
}
static hipError_t get_event(hipGraphNode_t node, hipEvent_t *event, hipGraphNodeType type) {
  if (!event || !is(node, type)) return done(hipErrorInvalidValue);
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
  return set_event(is(node, hipGraphNodeTypeEventRecord) ? node : nullptr, event);
}
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set_event(is(node, hipGraphNodeTypeWaitEvent) ? node : nullptr, event);
}
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event) {
  return set_event(in_exec(exec, node, hipGraphNodeTypeEventRecord), event);
}
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event) {
  return set_event(in_exec(exec, node, hipGraphNodeTypeWaitEvent), event);
}

// ---- memory: allocated when the node is added, as its address is known from then on ----------------------------------------

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                   hipMemAllocNodeParams *p) {
  if (!p || !p->bytesize || !valid_graph(graph)) return done(hipErrorInvalidValue);
  p->dptr = allocate(p->bytesize, Where::device, 0, "hipGraphAddMemAllocNode", current_device());
  if (!p->dptr) return done(hipErrorOutOfMemory);
  Work work;
  work.type = hipGraphNodeTypeMemAlloc;
  work.allocation = *p;
  return add(out, graph, before, count, std::move(work));
}
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams *p) {
  if (!p || !is(node, hipGraphNodeTypeMemAlloc)) return done(hipErrorInvalidValue);
  *p = node->work.allocation;
  return done(hipSuccess);
}
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count, void *pointer) {
  if (!pointer) return done(hipErrorInvalidValue);
  Work work;
  work.type = hipGraphNodeTypeMemFree;
  work.pointer = pointer;
  return add(out, graph, before, count, std::move(work));
}
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void *pointer) {
  if (!pointer || !is(node, hipGraphNodeTypeMemFree)) return done(hipErrorInvalidValue);
  *(void **)pointer = node->work.pointer;
  return done(hipSuccess);
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
    default: return not_supported("hipGraphAddNode of this type");
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
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned enabled) {
  hipGraphNode *own = valid_node(node) ? in_exec(exec, node, node->work.type) : nullptr;
  if (!own) return done(hipErrorInvalidValue);
  if (own->work.type != hipGraphNodeTypeKernel && own->work.type != hipGraphNodeTypeMemcpy &&
      own->work.type != hipGraphNodeTypeMemset)
    return done(hipErrorInvalidValue);
  own->enabled = enabled != 0;
  return done(hipSuccess);
}
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned *enabled) {
  hipGraphNode *own = valid_node(node) ? in_exec(exec, node, node->work.type) : nullptr;
  if (!own || !enabled) return done(hipErrorInvalidValue);
  *enabled = own->enabled;
  return done(hipSuccess);
}

}
