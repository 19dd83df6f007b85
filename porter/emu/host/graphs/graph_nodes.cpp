// Nodes that are kernels, copies and fills: adding them, asking for their parameters, changing these in a graph or in its
// executable.
#include <algorithm>

#include "graphs/graphs.h"

using namespace host;

namespace {

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

// A change of a copy that is in a graph or in its executable. An executable's keeps its direction, and the GPU of what it
// writes.
hipError_t of_change(const hipGraphNode *old, bool executable, const Work &work) {
  if (work.flat && work.copy.dst == work.copy.src) return hipErrorInvalidValue;
  if (!executable || !old) return hipSuccess;
  const auto kind = [](const Work &w) { return w.flat ? w.copy.kind : w.copy3d.kind; };
  const auto target = [](const Work &w) { return find_allocation(w.flat ? w.copy.dst : w.copy3d.dstPtr.ptr); };
  if (kind(work) != kind(old->work)) return hipErrorInvalidValue;
  const auto now = target(work), before = target(old->work);
  return now && before && now->device != before->device ? hipErrorInvalidValue : hipSuccess;
}

// Where memory lies decides which directions a copy from or to a variable may name. `to_variable`: `other` is read.
hipError_t of_variable(const void *other, bool to_variable, hipMemcpyKind kind) {
  void *place;
  u64 bytes;
  if (!other) return hipErrorInvalidValue;
  if (!find_allocation(other) && symbol_place(other, &place, &bytes) == hipSuccess) return hipErrorInvalidValue;
  if (kind == hipMemcpyDefault) return hipSuccess;
  const auto memory = find_allocation(other);
  const bool between = kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDeviceToDeviceNoCU;
  const bool crosses = kind == (to_variable ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost);
  if (!between && !crosses) return hipErrorInvalidMemcpyDirection;
  if (!memory) return crosses ? hipSuccess : hipErrorInvalidMemcpyDirection;
  return memory->where == Where::device && !between ? hipErrorInvalidMemcpyDirection : hipSuccess;
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
  return append_node(out, graph, before, count, std::move(work));
}
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *p) {
  if (!p || !is_node(node, hipGraphNodeTypeKernel)) return done(hipErrorInvalidValue);
  KernelCall &call = node->work.kernel;
  *p = {call.block, nullptr, (void *)call.handle, call.grid, call.pointers.data(), call.lds};
  return done(hipSuccess);
}
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams *p) {
  Work work;
  const hipError_t error = of_kernel(p, &work);
  return replace_work(is_node(node, hipGraphNodeTypeKernel) ? node : nullptr, error, std::move(work));
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipKernelNodeParams *p) {
  Work work;
  const hipError_t error = of_kernel(p, &work);
  return replace_work(in_exec(exec, node, hipGraphNodeTypeKernel), error, std::move(work));
}
hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node, hipKernelNodeAttrID which, const hipKernelNodeAttrValue *value) {
  if (!value || !is_node(node, hipGraphNodeTypeKernel)) return done(hipErrorInvalidValue);
  if (which == hipLaunchAttributeCooperative) node->work.kernel.cooperative = value->cooperative != 0;
  return done(hipSuccess);  // the others are hints
}
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, hipKernelNodeAttrID which, hipKernelNodeAttrValue *value) {
  if (!value || !is_node(node, hipGraphNodeTypeKernel)) return done(hipErrorInvalidValue);
  *value = {};
  if (which == hipLaunchAttributeCooperative) value->cooperative = node->work.kernel.cooperative;
  return done(hipSuccess);
}
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t from, hipGraphNode_t to) {
  if (!is_node(from, hipGraphNodeTypeKernel) || !is_node(to, hipGraphNodeTypeKernel)) return done(hipErrorInvalidValue);
  to->work.kernel.cooperative = from->work.kernel.cooperative;
  return done(hipSuccess);
}

// ---- copies and fills ---------------------------------------------------------------------------------------------------

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const hipMemcpy3DParms *p) {
  Work work;
  if (const hipError_t error = of_copy(p, &work)) return done(error);
  return append_node(out, graph, before, count, std::move(work));
}
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *p) {
  if (!p || !is_node(node, hipGraphNodeTypeMemcpy)) return done(hipErrorInvalidValue);
  *p = as_3d(node->work);
  return done(hipSuccess);
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms *p) {
  Work work;
  const hipError_t error = of_copy(p, &work);
  return replace_work(is_node(node, hipGraphNodeTypeMemcpy) ? node : nullptr, error, std::move(work));
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipMemcpy3DParms *p) {
  Work work;
  hipGraphNode *own = in_exec(exec, node, hipGraphNodeTypeMemcpy);
  hipError_t error = of_copy(p, &work);
  if (!error) error = of_change(own, true, work);
  return replace_work(own, error, std::move(work));
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count, void *dst,
                                   const void *src, size_t size, hipMemcpyKind kind) {
  Work work;
  if (const hipError_t error = of_flat(dst, src, size, kind, &work)) return done(error);
  return append_node(out, graph, before, count, std::move(work));
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst, const void *src, size_t size, hipMemcpyKind kind) {
  Work work;
  hipGraphNode *own = is_node(node, hipGraphNodeTypeMemcpy) ? node : nullptr;
  hipError_t error = of_flat(dst, src, size, kind, &work);
  if (!error) error = of_change(own, false, work);
  return replace_work(own, error, std::move(work));
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void *dst, const void *src, size_t size,
                                             hipMemcpyKind kind) {
  Work work;
  hipGraphNode *own = in_exec(exec, node, hipGraphNodeTypeMemcpy);
  hipError_t error = of_flat(dst, src, size, kind, &work);
  if (!error) error = of_change(own, true, work);
  return replace_work(own, error, std::move(work));
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
  if (const hipError_t error = of_variable(src, true, kind)) return done(error);
  return hipGraphMemcpyNodeSetParams1D(node, dst, src, size, kind);
}
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void *dst, const void *symbol, size_t size, size_t offset,
                                                 hipMemcpyKind kind) {
  void *src;
  if (const hipError_t error = of_symbol(symbol, size, offset, &src)) return done(error);
  if (const hipError_t error = of_variable(dst, false, kind)) return done(error);
  return hipGraphMemcpyNodeSetParams1D(node, dst, src, size, kind);
}
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t exec, hipGraphNode_t node, const void *symbol, const void *src,
                                                   size_t size, size_t offset, hipMemcpyKind kind) {
  void *dst;
  if (const hipError_t error = of_symbol(symbol, size, offset, &dst)) return done(error);
  const hipGraphNode *own = in_exec(exec, node, hipGraphNodeTypeMemcpy);
  if (own && own->work.flat && own->work.copy.kind != kind) return done(hipErrorInvalidValue);
  if (const hipError_t error = of_variable(src, true, kind)) return done(error);
  return hipGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, size, kind);
}
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t exec, hipGraphNode_t node, void *dst, const void *symbol,
                                                     size_t size, size_t offset, hipMemcpyKind kind) {
  void *src;
  if (const hipError_t error = of_symbol(symbol, size, offset, &src)) return done(error);
  const hipGraphNode *own = in_exec(exec, node, hipGraphNodeTypeMemcpy);
  if (own && own->work.flat && own->work.copy.kind != kind) return done(hipErrorInvalidValue);
  if (const hipError_t error = of_variable(dst, false, kind)) return done(error);
  return hipGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, size, kind);
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const hipMemsetParams *p) {
  Work work;
  if (const hipError_t error = of_fill(p, &work)) return done(error);
  return append_node(out, graph, before, count, std::move(work));
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *p) {
  if (!p || !is_node(node, hipGraphNodeTypeMemset)) return done(hipErrorInvalidValue);
  *p = node->work.fill;
  return done(hipSuccess);
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams *p) {
  Work work;
  const hipError_t error = of_fill(p, &work);
  return replace_work(is_node(node, hipGraphNodeTypeMemset) ? node : nullptr, error, std::move(work));
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipMemsetParams *p) {
  Work work;
  const hipError_t error = of_fill(p, &work);
  return replace_work(in_exec(exec, node, hipGraphNodeTypeMemset), error, std::move(work));
}

}
