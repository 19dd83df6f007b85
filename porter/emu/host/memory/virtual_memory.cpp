// Addresses and memory apart: a range is reserved, memory is made, mapped into it, and opened for devices.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/ipc.h"

struct ihipMemGenericAllocationHandle {
  hipMemAllocationProp properties;
  u64 size;
  int file;
  u32 users;  // the handle itself, and each mapping
};

using namespace host;

namespace {

constexpr u64 GRANULE = 4096, RECOMMENDED = 2ull << 20;
const std::string MEMORY_NAME = "porter-memory-";  // of files; the device's number follows

struct Mapping {
  u64 size;
  hipMemGenericAllocationHandle_t handle;
  std::map<int, hipMemAccessFlags> access;  // of devices that have any
};

struct Ranges {
  std::mutex lock;
  std::map<u64, u64> reserved;
  std::map<u64, Mapping> mapped;
  std::set<hipMemGenericAllocationHandle_t> handles;
};

Ranges &ranges() {
  static Ranges &all = *new Ranges;
  return all;
}

bool good(const hipMemAllocationProp *p) {
  return p && p->type == hipMemAllocationTypePinned && p->location.type == hipMemLocationTypeDevice && valid_device(p->location.id);
}

// Of a file that hipMemCreate made, here or elsewhere; -1 for any other.
int device_of_file(int file) {
  char path[64], name[128];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(path, name, sizeof name - 1);
  name[length < 0 ? 0 : length] = 0;
  const std::string start = "/memfd:" + MEMORY_NAME;
  return strncmp(name, start.c_str(), start.size()) ? -1 : local_device(atoi(name + start.size()));
}

bool fill_with_poison(int file, u64 size) {
  void *view = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (view == MAP_FAILED) return false;
  for (u64 i = 0; i < size / 4; i++) ((u32 *)view)[i] = POISON;
  munmap(view, size);
  return true;
}

void drop(hipMemGenericAllocationHandle_t handle) {
  if (--handle->users) return;
  ranges().handles.erase(handle);
  close(handle->file);
  delete handle;
}

void set_access(u64 start, Mapping &m, const std::map<int, hipMemAccessFlags> &changes) {
  if (!m.access.empty()) {
    memory_remove(start);
    forget(start);
  }
  u64 readers = 0, writers = 0;
  for (const auto &[device, flags] : changes) {
    if (flags == hipMemAccessFlagsProtNone) m.access.erase(device);
    else m.access[device] = flags;
  }
  for (const auto &[device, flags] : m.access) {
    readers |= 1ull << device;
    if (flags == hipMemAccessFlagsProtReadWrite) writers |= 1ull << device;
  }
  mprotect((void *)start, m.size, readers ? PROT_READ | PROT_WRITE : PROT_NONE);
  if (!readers) return;
  remember({start, m.size, Where::mapped, m.handle->properties.location.id, 0, 0, nullptr, "hipMemMap"});
  memory_add(start, m.size, writers ? 0 : MEMORY_READ_ONLY);
  memory_reach(start, m.size, readers, writers);
}

// The mapping that an address lies in, its first or another; nullptr where there is none
const Mapping *mapping_at(u64 address) {
  auto at = ranges().mapped.upper_bound(address);
  if (at == ranges().mapped.begin()) return nullptr;
  --at;
  return address - at->first < at->second.size ? &at->second : nullptr;
}

void close_for_all(u64 start, Mapping &m) {
  std::map<int, hipMemAccessFlags> changes;
  for (const auto &[device, flags] : m.access) changes[device] = hipMemAccessFlagsProtNone;
  set_access(start, m, changes);
}

}  // namespace

extern "C" {

hipError_t hipMemGetAllocationGranularity(size_t *granule, const hipMemAllocationProp *properties,
                                          hipMemAllocationGranularity_flags which) {
  if (!granule || !good(properties)) return done(hipErrorInvalidValue);
  *granule = which == hipMemAllocationGranularityMinimum ? GRANULE : RECOMMENDED;
  return done(hipSuccess);
}
hipError_t hipMemAddressReserve(void **out, size_t size, size_t, void *, unsigned long long flags) {
  if (!out || flags) return done(hipErrorInvalidValue);
  if (!size || size % GRANULE) return done(hipErrorOutOfMemory);  // as AMD's runtime has it
  // It begins at the first whole granule inside.
  void *got = mmap(nullptr, size + RECOMMENDED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return done(hipErrorOutOfMemory);
  const u64 start = ((u64)got + RECOMMENDED - 1) / RECOMMENDED * RECOMMENDED;
  if (start > (u64)got) munmap(got, start - (u64)got);
  if (start + size < (u64)got + size + RECOMMENDED) munmap((void *)(start + size), (u64)got + RECOMMENDED - start);
  const std::lock_guard guard(ranges().lock);
  ranges().reserved[start] = size;
  *out = (void *)start;
  return done(hipSuccess);
}
hipError_t hipMemAddressFree(void *start, size_t size) {
  wait_for_all();
  const std::lock_guard guard(ranges().lock);
  const auto found = ranges().reserved.find((u64)start);
  if (found == ranges().reserved.end() || found->second != size) return done(hipErrorInvalidValue);
  const auto mapped = ranges().mapped.lower_bound((u64)start);
  if (mapped != ranges().mapped.end() && mapped->first < (u64)start + size) return done(hipErrorInvalidValue);
  munmap(start, size);
  ranges().reserved.erase(found);
  return done(hipSuccess);
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *out, size_t size, const hipMemAllocationProp *properties,
                        unsigned long long flags) {
  if (!out || !size || size % GRANULE || flags || !good(properties)) return done(hipErrorInvalidValue);
  if (properties->requestedHandleType != hipMemHandleTypeNone &&
      properties->requestedHandleType != hipMemHandleTypePosixFileDescriptor)
    return not_supported("a shareable handle that is no file descriptor");
  u64 free;
  memory_info(properties->location.id, &free, nullptr);
  if (size > free) return done(hipErrorOutOfMemory);
  const int file = memfd_create((MEMORY_NAME + std::to_string(physical_device(properties->location.id))).c_str(), MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, (off_t)size) || !fill_with_poison(file, size)) {
    if (file >= 0) close(file);
    return done(hipErrorOutOfMemory);
  }
  *out = new ihipMemGenericAllocationHandle{*properties, size, file, 1};
  const std::lock_guard guard(ranges().lock);
  ranges().handles.insert(*out);
  return done(hipSuccess);
}
hipError_t hipMemExportToShareableHandle(void *out, hipMemGenericAllocationHandle_t handle, hipMemAllocationHandleType type,
                                         unsigned long long flags) {
  const std::lock_guard guard(ranges().lock);
  if (!out || flags || type != hipMemHandleTypePosixFileDescriptor || !ranges().handles.count(handle) ||
      handle->properties.requestedHandleType != type)
    return done(hipErrorInvalidValue);
  const int file = dup(handle->file);
  if (file < 0) return done(hipErrorOutOfMemory);
  note_sharing();
  *(int *)out = file;
  return done(hipSuccess);
}
hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *out, void *from, hipMemAllocationHandleType type) {
  if (!out || !from || type != hipMemHandleTypePosixFileDescriptor) return done(hipErrorInvalidValue);
  const int device = device_of_file(shared_file_of(from));
  struct stat about {};
  const int file = device < 0 ? -1 : dup(shared_file_of(from));
  if (file < 0 || fstat(file, &about)) return done(hipErrorInvalidValue);
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.requestedHandleType = type;
  properties.location = {hipMemLocationTypeDevice, device};
  note_sharing();
  *out = new ihipMemGenericAllocationHandle{properties, (u64)about.st_size, file, 1};
  const std::lock_guard guard(ranges().lock);
  ranges().handles.insert(*out);
  return done(hipSuccess);
}
hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
  const std::lock_guard guard(ranges().lock);
  if (!ranges().handles.count(handle)) return done(hipErrorInvalidValue);
  drop(handle);
  return done(hipSuccess);
}
hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *properties, hipMemGenericAllocationHandle_t handle) {
  const std::lock_guard guard(ranges().lock);
  if (!properties || !ranges().handles.count(handle)) return done(hipErrorInvalidValue);
  *properties = handle->properties;
  return done(hipSuccess);
}

hipError_t hipMemMap(void *pointer, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle, unsigned long long flags) {
  Ranges &s = ranges();
  const std::lock_guard guard(s.lock);
  const u64 start = (u64)pointer;
  if (!pointer || !size || size % GRANULE || start % GRANULE || offset || flags) return done(hipErrorInvalidValue);
  if (!s.handles.count(handle) || size > handle->size) return done(hipErrorInvalidValue);
  auto range = s.reserved.upper_bound(start);
  if (range == s.reserved.begin()) return done(hipErrorInvalidValue);
  --range;
  if (start + size > range->first + range->second) return done(hipErrorInvalidValue);
  const auto next = s.mapped.lower_bound(start);
  const bool overlaps = (next != s.mapped.end() && next->first < start + size) ||
                        (next != s.mapped.begin() && std::prev(next)->first + std::prev(next)->second.size > start);
  if (overlaps) return done(hipErrorInvalidValue);
  if (mmap(pointer, size, PROT_NONE, MAP_SHARED | MAP_FIXED, handle->file, 0) == MAP_FAILED) return done(hipErrorMapFailed);
  handle->users++;
  s.mapped[start] = {size, handle, {}};
  return done(hipSuccess);
}
hipError_t hipMemUnmap(void *pointer, size_t size) {
  wait_for_all();
  Ranges &s = ranges();
  const std::lock_guard guard(s.lock);
  const u64 end = (u64)pointer + size;
  auto at = s.mapped.find((u64)pointer);
  if (at == s.mapped.end()) return done(hipErrorInvalidValue);
  for (; at != s.mapped.end() && at->first < end; at = s.mapped.erase(at)) {
    close_for_all(at->first, at->second);
    mmap((void *)at->first, at->second.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    drop(at->second.handle);
  }
  return done(hipSuccess);
}
hipError_t hipMemSetAccess(void *pointer, size_t size, const hipMemAccessDesc *list, size_t count) {
  Ranges &s = ranges();
  const std::lock_guard guard(s.lock);
  if (!pointer || !size || !list || !count) return done(hipErrorInvalidValue);
  std::map<int, hipMemAccessFlags> changes;
  for (size_t i = 0; i < count; i++) {
    if (list[i].location.type != hipMemLocationTypeDevice || !valid_device(list[i].location.id)) return done(hipErrorInvalidValue);
    changes[list[i].location.id] = list[i].flags;
  }
  auto at = s.mapped.find((u64)pointer);
  if (at == s.mapped.end()) return done(hipErrorInvalidValue);
  for (; at != s.mapped.end() && at->first < (u64)pointer + size; ++at) set_access(at->first, at->second, changes);
  return done(hipSuccess);
}
hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location, void *pointer) {
  const std::lock_guard guard(ranges().lock);
  const Mapping *at = mapping_at((u64)pointer);
  if (!flags || !location || !at || location->type != hipMemLocationTypeDevice || !valid_device(location->id))
    return done(hipErrorInvalidValue);
  const auto found = at->access.find(location->id);
  *flags = found == at->access.end() ? hipMemAccessFlagsProtNone : found->second;
  return done(hipSuccess);
}
hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *out, void *pointer) {
  const std::lock_guard guard(ranges().lock);
  const Mapping *at = mapping_at((u64)pointer);
  if (!out || !at) return done(hipErrorInvalidValue);
  *out = at->handle;
  (*out)->users++;
  return done(hipSuccess);
}

}
