// The functions of HIP that allocate, free, register and describe memory.
#include "memory/ipc.h"

using namespace host;

namespace {

hipError_t give(void **out, size_t size, Where where, unsigned flags, const char *what) {
  if (!out) return done(hipErrorInvalidValue);
  *out = nullptr;
  if (const hipError_t fault = device_fault(current_device())) return done(fault);
  if (!size) return done(hipSuccess);
  *out = allocate(size, where, flags, what, current_device());
  return done(*out ? hipSuccess : hipErrorOutOfMemory);
}

// What streams still have to do may need it.
hipError_t take(void *pointer, bool host_memory) {
  if (!pointer) return done(hipSuccess);
  wait_for_all();
  const auto found = find_allocation(pointer);
  const bool host = found && (found->where == Where::pinned);
  if (!found || found->start != (u64)pointer || (host_memory && !host)) {
    fprintf(stderr, "porter: nothing is freed at 0x%llx: %s\n", (unsigned long long)pointer, describe_address((u64)pointer).c_str());
    return done(hipErrorInvalidValue);
  }
  if (found->where == Where::opened && found->pool) return done(close_opened(found->start) ? hipSuccess : hipErrorInvalidValue);
  if (!release(pointer)) return done(hipErrorInvalidValue);
  if (found->pool) freed_from_pool(found->pool, found->size);
  return done(hipSuccess);
}

hipError_t pitched(void **out, size_t *pitch, size_t width, size_t rows, const char *what) {
  if (!out || !pitch) return done(hipErrorInvalidValue);
  *pitch = (width + 255) / 256 * 256;
  return give(out, *pitch * rows, Where::device, 0, what);
}

// Whether the system lets the process write to all pages of a range; yes where it does not say.
bool writable(u64 start, u64 size) {
  FILE *maps = fopen("/proc/self/maps", "r");
  bool found = true;
  char line[512], mode[8];
  unsigned long long first, end;
  while (maps && fgets(line, sizeof line, maps))
    if (sscanf(line, "%llx-%llx %7s", &first, &end, mode) == 3 && first < start + size && start < end)
      found = found && mode[1] == 'w';
  if (maps) fclose(maps);
  return found;
}

}  // namespace

// Of textures' types; the header declares it for C++ alone.
extern "C" hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

namespace {

// Allocations, by id, that have HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS.
struct Synchronous {
  std::mutex lock;
  std::set<u64> ids;

  bool has(u64 id) {
    const std::lock_guard guard(lock);
    return ids.count(id) != 0;
  }
  void set(u64 id, bool on) {
    const std::lock_guard guard(lock);
    if (on) ids.insert(id);
    else ids.erase(id);
  }
};

Synchronous &synchronous() {
  static Synchronous &all = *new Synchronous;
  return all;
}

}  // namespace

namespace host {

bool synchronous_memory(const Allocation &allocation) { return synchronous().has(allocation.id); }

}  // namespace host

namespace {

hipError_t attribute(void *data, hipPointer_attribute which, hipDeviceptr_t pointer) {
  if (!data || !pointer) return hipErrorInvalidValue;
  const auto found = find_allocation(pointer);
  if (!found && which == HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS) return *(unsigned *)data = 0, hipSuccess;
  if (!found) return hipErrorInvalidValue;
  const bool device = found->of_device();
  switch (which) {
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *(hipMemoryType *)data = device                          ? hipMemoryTypeDevice
                               : found->where == Where::managed ? hipMemoryTypeManaged
                                                                : hipMemoryTypeHost;
      break;
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER: *(void **)data = pointer; break;
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
      if (device) return hipErrorInvalidValue;
      *(void **)data = pointer;
      break;
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID: *(uint32_t *)data = found->id; break;  // AMD's runtime: 32 bits, and of the size
    // too. More would go past the variables of programs that count on it.
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED: *(bool *)data = found->where == Where::managed; break;
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)data = found->device; break;
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(u64 *)data = found->start; break;
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE: *(uint32_t *)data = found->size; break;
    case HIP_POINTER_ATTRIBUTE_MAPPED: *(bool *)data = true; break;
    case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS: *(bool *)data = synchronous().has(found->id); break;
    case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS: *(unsigned *)data = found->flags; break;  // AMD's runtime: those of the allocation
    default: return not_supported("hipPointerGetAttribute of this attribute");
  }
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipMalloc(void **out, size_t size) { return give(out, size, Where::device, 0, "hipMalloc"); }
hipError_t hipExtMallocWithFlags(void **out, size_t size, unsigned flags) {
  return give(out, size, Where::device, flags, "hipExtMallocWithFlags");
}
hipError_t hipMallocManaged(void **out, size_t size, unsigned flags) {
  if (!out || !size || (flags != hipMemAttachGlobal && flags != hipMemAttachHost)) return done(hipErrorInvalidValue);
  return give(out, size, Where::managed, flags, "hipMallocManaged");
}
hipError_t hipHostMalloc(void **out, size_t size, unsigned flags) {
  constexpr unsigned BOTH = hipHostMallocCoherent | hipHostMallocNonCoherent;
  if ((flags & BOTH) == BOTH) return done(hipErrorInvalidValue);
  return give(out, size, Where::pinned, flags, "hipHostMalloc");
}
hipError_t hipHostAlloc(void **out, size_t size, unsigned flags) {
  return give(out, size, Where::pinned, flags, "hipHostAlloc");
}
hipError_t hipMallocHost(void **out, size_t size) { return give(out, size, Where::pinned, 0, "hipMallocHost"); }
hipError_t hipMemAllocHost(void **out, size_t size) { return give(out, size, Where::pinned, 0, "hipMemAllocHost"); }
hipError_t hipMallocPitch(void **out, size_t *pitch, size_t width, size_t height) {
  return pitched(out, pitch, width, height, "hipMallocPitch");
}
hipError_t hipMemAllocPitch(hipDeviceptr_t *out, size_t *pitch, size_t width, size_t height, unsigned element) {
  if (element != 4 && element != 8 && element != 16) return done(hipErrorInvalidValue);
  return pitched(out, pitch, width, height, "hipMemAllocPitch");
}
hipError_t hipMalloc3D(hipPitchedPtr *out, hipExtent extent) {
  if (!out) return done(hipErrorInvalidValue);
  out->xsize = extent.width, out->ysize = extent.height;
  return pitched(&out->ptr, &out->pitch, extent.width, extent.height * extent.depth, "hipMalloc3D");
}

hipError_t hipFree(void *pointer) { return take(pointer, false); }
hipError_t hipHostFree(void *pointer) { return take(pointer, true); }
hipError_t hipFreeHost(void *pointer) { return take(pointer, true); }

hipError_t hipHostRegister(void *pointer, size_t size, unsigned flags) {
  if (!pointer || !size) return done(hipErrorInvalidValue);
  if (const auto found = find_allocation(pointer)) {
    if (found->where != Where::registered || found->start != (u64)pointer) return done(hipErrorHostMemoryAlreadyRegistered);
    if (size <= found->size) return done(hipSuccess);  // AMD's runtime takes it twice, and forgets it once
    memory_remove(found->start);
    forget(found->start);
  }
  remember({(u64)pointer, size, Where::registered, current_device(), flags, 0, nullptr, "hipHostRegister"});
  const bool read_only = flags & hipHostRegisterReadOnly || !writable((u64)pointer, size);
  memory_add((u64)pointer, size, MEMORY_ELSEWHERE | (read_only ? MEMORY_READ_ONLY : 0));
  return done(hipSuccess);
}
hipError_t hipHostUnregister(void *pointer) {
  if (!pointer) return done(hipErrorInvalidValue);
  const auto found = find_allocation(pointer);
  if (!found || found->where != Where::registered || found->start != (u64)pointer)
    return done(hipErrorHostMemoryNotRegistered);
  wait_for_all();
  memory_remove(found->start);
  forget(found->start);
  return done(hipSuccess);
}
hipError_t hipHostGetDevicePointer(void **device, void *pointer, unsigned flags) {
  if (!device || !pointer || flags) return done(hipErrorInvalidValue);
  const auto found = find_allocation(pointer);
  if (!found || found->where == Where::device || found->where == Where::heap || found->where == Where::opened) return done(hipErrorInvalidValue);
  *device = pointer;
  return done(hipSuccess);
}
hipError_t hipHostGetFlags(unsigned *flags, void *pointer) {
  if (!flags || !pointer) return done(hipErrorInvalidValue);
  const auto found = find_allocation(pointer);
  if (!found || (found->where != Where::pinned && found->where != Where::registered)) return done(hipErrorInvalidValue);
  *flags = found->flags;
  return done(hipSuccess);
}

hipError_t hipMemGetInfo(size_t *free, size_t *total) {
  u64 f, t;
  memory_info(current_device(), &f, &t);
  if (free) *free = f;
  if (total) *total = t;
  return done(hipSuccess);
}
hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *size, hipDeviceptr_t pointer) {
  const auto found = find_allocation(pointer);
  if (!found) return done(hipErrorNotFound);
  if (base) *base = (void *)found->start;
  if (size) *size = found->size;
  return done(hipSuccess);
}
hipError_t hipMemPtrGetInfo(void *pointer, size_t *size) {
  if (!size) return done(hipErrorInvalidValue);
  const auto found = find_allocation(pointer);
  if (pointer && !found) return done(hipErrorInvalidValue);
  *size = found ? found->size : 0;
  return done(hipSuccess);
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer) {
  if (!attributes) return done(hipErrorInvalidValue);
  *attributes = {};
  attributes->device = hipInvalidDeviceId;
  if (!pointer) return done(hipErrorInvalidValue);
  const auto found = find_allocation(pointer);
  if (!found) {
    attributes->type = hipMemoryTypeUnregistered;
    attributes->device = hipCpuDeviceId;
    return done(hipSuccess);
  }
  attributes->device = found->device;
  attributes->allocationFlags = found->flags;
  attributes->devicePointer = (void *)pointer;
  switch (found->where) {
    case Where::device: case Where::heap: case Where::variables: case Where::mapped: case Where::opened:
      attributes->type = hipMemoryTypeDevice; break;
    case Where::managed:
      attributes->type = hipMemoryTypeManaged;
      attributes->isManaged = 1;
      attributes->hostPointer = (void *)pointer;
      break;
    default:
      attributes->type = hipMemoryTypeHost;
      attributes->hostPointer = (void *)pointer;
  }
  return done(hipSuccess);
}
hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute which, hipDeviceptr_t pointer) {
  return done(attribute(data, which, pointer));
}
// A program can ask that copies between such memory return when they are done.
hipError_t hipPointerSetAttribute(const void *value, hipPointer_attribute which, hipDeviceptr_t pointer) {
  if (!value || !pointer || which != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS || *(const unsigned *)value > 1)
    return done(hipErrorInvalidValue);
  const auto found = find_allocation(pointer);
  if (!found) return done(hipErrorInvalidDevicePointer);
  synchronous().set(found->id, *(const unsigned *)value);
  return done(hipSuccess);
}
hipError_t hipDrvPointerGetAttributes(unsigned count, hipPointer_attribute *which, void **data, hipDeviceptr_t pointer) {
  if (!count || !which || !data || !pointer) return done(hipErrorInvalidValue);
  for (unsigned i = 0; i < count; i++) {  // what a pointer has not is no error
    const bool address = which[i] == HIP_POINTER_ATTRIBUTE_HOST_POINTER || which[i] == HIP_POINTER_ATTRIBUTE_DEVICE_POINTER;
    if (attribute(data[i], which[i], pointer) != hipSuccess && address) *(void **)data[i] = nullptr;
  }
  return done(hipSuccess);
}

// Nothing to do: managed memory is everybody's at all times.
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *pointer, size_t size, unsigned flags) {
  if (!pointer) return done(hipErrorInvalidValue);
  if (!stream_of(stream)) return done(hipErrorContextIsDestroyed);
  if (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle) return done(hipErrorInvalidValue);
  if (flags == hipMemAttachSingle && !stream) return done(hipErrorInvalidValue);
  const auto found = find_allocation(pointer);
  if (!found || found->where != Where::managed || (size && size != found->size)) return done(hipErrorInvalidValue);
  return done(hipSuccess);
}

}
