// Memory that graphs allocate and free: there as soon as the node is added, as its address is known from then on; in use
// from the launch that allocates it to the one that frees it.
#include <algorithm>

#include "graphs/graphs.h"

using namespace host;

namespace {

struct InUse { u64 size; int device; };

struct Blocks {
  std::mutex lock;
  std::map<u64, InUse> blocks;  // by address
  std::map<int, u64> high, reserved_high;  // by device
};

Blocks &graph_blocks() {
  static Blocks &all = *new Blocks;
  return all;
}

// What is in use on a device. Blocks that hipFree has taken are none any more.
u64 used(Blocks &s, int device) {
  u64 sum = 0;
  for (auto it = s.blocks.begin(); it != s.blocks.end();) {
    const auto found = find_allocation((void *)it->first);
    if (found && found->start == it->first) {
      sum += it->second.device == device ? it->second.size : 0;
      ++it;
    } else {
      it = s.blocks.erase(it);
    }
  }
  return sum;
}

}  // namespace

namespace host {

void graph_allocates(const void *block, u64 size, int device) {
  Blocks &s = graph_blocks();
  const std::lock_guard guard(s.lock);
  s.blocks[(u64)block] = {size, device};
  const u64 now = used(s, device);
  s.high[device] = std::max(s.high[device], now);
  s.reserved_high[device] = std::max(s.reserved_high[device], now);
}
void graph_frees(const void *block) {
  const std::lock_guard guard(graph_blocks().lock);
  graph_blocks().blocks.erase((u64)block);
}

}  // namespace host

extern "C" {

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                   hipMemAllocNodeParams *p) {
  if (!p || !p->bytesize || !valid_graph(graph)) return done(hipErrorInvalidValue);
  p->dptr = allocate(p->bytesize, Where::device, 0, "hipGraphAddMemAllocNode", current_device());
  if (!p->dptr) return done(hipErrorOutOfMemory);
  Work work;
  work.type = hipGraphNodeTypeMemAlloc;
  work.allocation = *p;
  return append_node(out, graph, before, count, std::move(work));
}
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams *p) {
  if (!p || !is_node(node, hipGraphNodeTypeMemAlloc)) return done(hipErrorInvalidValue);
  *p = node->work.allocation;
  return done(hipSuccess);
}
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count, void *pointer) {
  const auto found = pointer ? find_allocation(pointer) : std::nullopt;
  if (!found || found->start != (u64)pointer) return done(hipErrorInvalidValue);
  Work work;
  work.type = hipGraphNodeTypeMemFree;
  work.pointer = pointer;
  return append_node(out, graph, before, count, std::move(work));
}
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void *pointer) {
  if (!pointer || !is_node(node, hipGraphNodeTypeMemFree)) return done(hipErrorInvalidValue);
  *(void **)pointer = node->work.pointer;
  return done(hipSuccess);
}

hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType which, void *value) {
  if (!valid_device(device)) return done(hipErrorInvalidDevice);
  if (!value) return done(hipErrorInvalidValue);
  Blocks &s = graph_blocks();
  const std::lock_guard guard(s.lock);
  switch (which) {
    case hipGraphMemAttrUsedMemCurrent: case hipGraphMemAttrReservedMemCurrent: *(u64 *)value = used(s, device); break;
    case hipGraphMemAttrUsedMemHigh: *(u64 *)value = s.high[device]; break;
    case hipGraphMemAttrReservedMemHigh: *(u64 *)value = s.reserved_high[device]; break;
    default: return done(hipErrorInvalidValue);
  }
  return done(hipSuccess);
}
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType which, void *value) {
  if (!valid_device(device)) return done(hipErrorInvalidDevice);
  const bool high = which == hipGraphMemAttrUsedMemHigh, reserved = which == hipGraphMemAttrReservedMemHigh;
  if (!value || !(high || reserved) || *(u64 *)value) return done(hipErrorInvalidValue);
  Blocks &s = graph_blocks();
  const std::lock_guard guard(s.lock);
  (high ? s.high : s.reserved_high)[device] = used(s, device);
  return done(hipSuccess);
}
hipError_t hipDeviceGraphMemTrim(int device) { return done(valid_device(device) ? hipSuccess : hipErrorInvalidDevice); }

}
