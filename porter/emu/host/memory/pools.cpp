// Stream-ordered allocation. Memory is there at once, and goes when its stream comes to that. A pool keeps what is freed
// until the host waits for work of its device, and longer below its release threshold; kept blocks are given out again.
#include <algorithm>
#include <deque>

#include "graphs/graphs.h"
#include "host.h"
#include "memory/ipc.h"

struct Kept {  // a block that was freed
  void *pointer = nullptr;
  u64 size = 0;
  // Streams that come after that: the one that freed it, and by events others; from which ticket on
  std::map<const ihipStream_t *, u64> safe;
  u64 number = 0;
  bool done = false;  // its stream has come to that: it is retired (host.h)
};

struct ihipMemPoolHandle_t {
  hipMemPoolProps props{};
  int device = 0;
  u64 threshold = 0, used = 0, high = 0, reserved_high = 0;
  int reuse[3] = {1, 1, 1};
  std::map<int, hipMemAccessFlags> access;
  std::deque<Kept> kept;  // the oldest first
  std::map<u64, void *> replaced;  // kept blocks, by number, whose room new ones took: their streams release them

  u64 reserved() const {
    u64 size = used;
    for (const Kept &block : kept) size += block.size;
    return size;
  }
  void use(u64 size) {
    used += size;
    high = std::max(high, used);
    reserved_high = std::max(reserved_high, reserved());
  }
  // Gives back blocks of which no more is to be done, until at most this much is reserved.
  void trim(u64 size) {
    u64 now = reserved();
    for (auto block = kept.begin(); block != kept.end() && now > size;) {
      if (!block->done) {
        ++block;
        continue;
      }
      now -= block->size;
      host::release_retired(block->pointer);
      block = kept.erase(block);
    }
  }
};

using namespace host;

namespace {

struct State {
  std::mutex lock;    // asks for that of allocations.cpp
  std::mutex access;  // which asks for this one
  std::set<hipMemPool_t> pools;
  std::map<int, hipMemPool_t> defaults, current;
  u64 numbers = 0;
};

State &state() {
  static State &all = *new State;
  return all;
}

hipMemPool_t default_pool(int device) {
  const std::lock_guard guard(state().lock);
  hipMemPool_t &pool = state().defaults[device];
  if (!pool) {
    pool = new ihipMemPoolHandle_t;
    pool->device = device;
    pool->props.allocType = hipMemAllocationTypePinned;
    pool->props.location = {hipMemLocationTypeDevice, device};
    state().pools.insert(pool);
    state().current[device] = pool;
  }
  return pool;
}
hipMemPool_t pool_of(int device) {
  default_pool(device);
  const std::lock_guard guard(state().lock);
  return state().current[device];
}
bool valid(hipMemPool_t pool) {
  const std::lock_guard guard(state().lock);
  return state().pools.count(pool) != 0;
}

// A block of this size that the next work of the stream may have: one that this stream freed, or one that freed before an
// event that this stream has waited for, or one whose stream has come to that. nullptr: none. What it holds is undefined
// from then on, and `pool` counts it as used. `room`: whether memory of this size may be allocated without one. AMD's
// runtime gives larger blocks too; here they make room for a new one, which has its own end.
void *kept_block(hipMemPool_t pool, u64 size, const ihipStream_t *stream, const char *what, bool *room) {
  const std::lock_guard guard(state().lock);
  const bool others = pool->reuse[hipMemPoolReuseAllowOpportunistic - hipMemPoolReuseFollowEventDependencies] != 0;
  auto found = pool->kept.end();
  for (auto block = pool->kept.begin(); block != pool->kept.end(); ++block) {
    if (block->size < size || !(block->safe.count(stream) || (block->done && others))) continue;
    if (found == pool->kept.end() || block->size < found->size) found = block;
  }
  // The high-water mark counts, as in AMD's runtime: what was given back long ago leaves no room until the mark is reset.
  *room = !pool->props.maxSize || pool->reserved_high + size <= pool->props.maxSize || found != pool->kept.end();
  if (found == pool->kept.end()) return nullptr;
  const Kept block = *found;
  pool->kept.erase(found);  // where it is not done, its stream does not retire it
  if (block.size != size) {
    if (block.done) host::release_retired(block.pointer);
    else pool->replaced[block.number] = block.pointer;
    return nullptr;
  }
  if (block.done) revive(block.pointer, what);
  pool->use(size);
  return block.pointer;
}

void release_all_kept() {
  const std::lock_guard guard(state().lock);
  for (const hipMemPool_t pool : state().pools) pool->trim(0);
}

// By the stream that freed the block.
void retire_block(hipMemPool_t pool, void *pointer, u64 number) {
  const std::lock_guard guard(state().lock);
  if (!state().pools.count(pool)) {
    release(pointer);
    return;
  }
  const auto found = std::find_if(pool->kept.begin(), pool->kept.end(), [&](const Kept &b) { return b.number == number; });
  if (pool->replaced.erase(number)) release(pointer);
  else if (found == pool->kept.end()) make_undefined(pointer);
  else if (retire(pointer)) found->done = true;
  else pool->kept.erase(found);
}

hipError_t give(void **out, size_t size, hipMemPool_t pool, hipStream_t handle, const char *what) {
  if (!out) return done(hipErrorInvalidValue);
  *out = nullptr;
  ihipStream_t *stream = stream_of(handle);
  if (!stream) return done(hipErrorInvalidHandle);
  if (!pool) pool = pool_of(stream->device);
  if (!valid(pool)) return done(hipErrorInvalidValue);
  if (const hipError_t fault = device_fault(stream->device)) return done(fault);
  if (!size) return done(hipSuccess);
  bool room = true;
  if (!stream->capture) *out = kept_block(pool, size, stream, what, &room);
  if (*out) return done(hipSuccess);
  if (!room) return done(hipErrorOutOfMemory);
  *out = allocate(size, Where::device, 0, what, pool->device, pool);
  if (!*out) {
    release_all_kept();
    *out = allocate(size, Where::device, 0, what, pool->device, pool);
  }
  if (!*out) return done(hipErrorOutOfMemory);
  {
    const std::lock_guard guard(state().lock);
    pool->use(size);
  }
  if (!stream->capture) return done(hipSuccess);
  Work work;
  work.type = hipGraphNodeTypeMemAlloc;
  work.allocation.bytesize = size;
  work.allocation.dptr = *out;
  return done(submit(handle, std::move(work)));
}

}  // namespace

namespace host {

void pool_reach(hipMemPool_t pool, u64 *readers, u64 *writers) {
  const std::lock_guard guard(state().access);
  *readers = *writers = 1ull << pool->device;
  for (const auto &[device, flags] : pool->access) {
    if (device == pool->device) continue;
    if (flags != hipMemAccessFlagsProtNone) *readers |= 1ull << device;
    if (flags == hipMemAccessFlagsProtReadWrite) *writers |= 1ull << device;
  }
}

void release_kept(int device) {
  const std::lock_guard guard(state().lock);
  for (const hipMemPool_t pool : state().pools)
    if (pool->device == device) pool->trim(pool->threshold);
}

void pools_follow(const ihipStream_t *recorded_by, u64 event, const ihipStream_t *waiting, u64 ticket) {
  const std::lock_guard guard(state().lock);
  for (const hipMemPool_t pool : state().pools) {
    if (!pool->reuse[0]) continue;  // hipMemPoolReuseFollowEventDependencies
    for (Kept &block : pool->kept) {
      const auto before = block.safe.find(recorded_by);
      if (before != block.safe.end() && before->second <= event) block.safe.emplace(waiting, ticket);
    }
  }
}

void freed_from_pool(hipMemPool_t pool, u64 size) {
  const std::lock_guard guard(state().lock);
  if (state().pools.count(pool)) pool->used -= size;
}

}  // namespace host

extern "C" {

hipError_t hipMallocAsync(void **out, size_t size, hipStream_t stream) { return give(out, size, nullptr, stream, "hipMallocAsync"); }
hipError_t hipMallocFromPoolAsync(void **out, size_t size, hipMemPool_t pool, hipStream_t stream) {
  return pool ? give(out, size, pool, stream, "hipMallocFromPoolAsync") : done(hipErrorInvalidValue);
}
hipError_t hipFreeAsync(void *pointer, hipStream_t handle) {
  if (!pointer) return done(hipErrorInvalidValue);
  ihipStream_t *stream = stream_of(handle);
  if (!stream) return done(hipErrorInvalidHandle);
  const auto found = find_allocation(pointer);
  if (!found || found->start != (u64)pointer) return done(hipErrorInvalidValue);
  if (found->where == Where::opened && found->pool) {
    Work work;
    work.type = hipGraphNodeTypeMemFree;
    work.action = std::make_shared<std::function<void()>>([start = found->start] { close_opened(start); });
    return done(submit(handle, std::move(work)));
  }
  if (found->where != Where::device) return done(hipErrorInvalidValue);
  if (stream->capture) {  // a graph may run again, so what it allocated stays
    Work work;
    work.type = hipGraphNodeTypeMemFree;
    work.pointer = pointer;
    return done(submit(handle, std::move(work)));
  }
  const hipMemPool_t pool = found->pool;
  const u64 size = found->size;
  u64 number = 0;
  {
    const std::lock_guard guard(state().lock);
    number = ++state().numbers;
    if (state().pools.count(pool)) {
      for (const Kept &block : pool->kept)
        if (block.pointer == pointer) return done(hipErrorInvalidValue);  // freed twice
      for (const auto &[before, block] : pool->replaced)
        if (block == pointer) return done(hipErrorInvalidValue);
      pool->used -= size;
      pool->kept.push_back({pointer, size, {{stream, UINT64_MAX}}, number});
    }
  }
  Work work;
  work.type = hipGraphNodeTypeMemFree;
  work.action = std::make_shared<std::function<void()>>([=] { retire_block(pool, pointer, number); });
  u64 ticket = 0;
  const hipError_t error = submit(handle, std::move(work), &ticket);
  const std::lock_guard guard(state().lock);
  if (!state().pools.count(pool)) return done(error);
  const auto block = std::find_if(pool->kept.begin(), pool->kept.end(), [&](const Kept &b) { return b.number == number; });
  if (block == pool->kept.end()) return done(error);  // somebody has taken it meanwhile
  if (!error) {
    block->safe[stream] = ticket;
  } else {  // nothing is freed
    pool->kept.erase(block);
    pool->used += size;
  }
  return done(error);
}

hipError_t hipMemPoolCreate(hipMemPool_t *out, const hipMemPoolProps *props) {
  if (!out || !props || props->allocType != hipMemAllocationTypePinned) return done(hipErrorInvalidValue);
  if (props->location.type != hipMemLocationTypeDevice || !valid_device(props->location.id)) return done(hipErrorInvalidValue);
  if (props->handleTypes != hipMemHandleTypeNone && props->handleTypes != hipMemHandleTypePosixFileDescriptor)
    return done(hipErrorInvalidValue);
  *out = new ihipMemPoolHandle_t;
  (*out)->props = *props;
  (*out)->device = props->location.id;
  const std::lock_guard guard(state().lock);
  state().pools.insert(*out);
  return done(hipSuccess);
}
hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
  if (!valid(pool)) return done(hipErrorInvalidValue);
  wait_for_all();
  const std::lock_guard guard(state().lock);
  for (const auto &[device, own] : state().defaults)
    if (own == pool) return done(hipErrorInvalidValue);
  for (auto &[device, own] : state().current)
    if (own == pool) own = state().defaults[device];
  pool->trim(0);
  state().pools.erase(pool);
  delete pool;
  return done(hipSuccess);
}
hipError_t hipMemPoolExportToShareableHandle(void *out, hipMemPool_t pool, hipMemAllocationHandleType type, unsigned flags) {
  if (!out || !valid(pool) || flags || type != hipMemHandleTypePosixFileDescriptor || pool->props.handleTypes != type)
    return done(hipErrorInvalidValue);
  return done(export_pool(pool->device, (int *)out));
}
hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t *out, void *file, hipMemAllocationHandleType type, unsigned flags) {
  if (!out || !file || flags || type != hipMemHandleTypePosixFileDescriptor) return done(hipErrorInvalidValue);
  int device = 0;
  if (const hipError_t error = open_pool(shared_file_of(file), &device)) return done(error);
  hipMemPoolProps props{};
  props.allocType = hipMemAllocationTypePinned;
  props.handleTypes = type;
  props.location = {hipMemLocationTypeDevice, device};
  return hipMemPoolCreate(out, &props);
}
hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData *out, void *pointer) {
  const auto found = pointer ? find_allocation(pointer) : std::nullopt;
  if (!out || !found || !valid(found->pool)) return done(hipErrorInvalidValue);
  if (found->pool->props.handleTypes != hipMemHandleTypePosixFileDescriptor) return done(hipErrorInvalidValue);
  return done(export_pool_pointer(pointer, out));
}
hipError_t hipMemPoolImportPointer(void **out, hipMemPool_t pool, hipMemPoolPtrExportData *data) {
  if (!out || !data || !valid(pool)) return done(hipErrorInvalidValue);
  return done(open_pool_pointer(out, pool, *data));
}
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *pool, int device) {
  if (!pool) return done(hipErrorInvalidValue);
  if (!valid_device(device)) return done(hipErrorInvalidDevice);
  *pool = default_pool(device);
  return done(hipSuccess);
}
hipError_t hipDeviceGetMemPool(hipMemPool_t *pool, int device) {
  if (!pool || !valid_device(device)) return done(hipErrorInvalidValue);
  *pool = pool_of(device);
  return done(hipSuccess);
}
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
  if (!valid_device(device) || !valid(pool)) return done(hipErrorInvalidValue);
  if (pool->device != device) return done(hipErrorInvalidDevice);
  default_pool(device);
  const std::lock_guard guard(state().lock);
  state().current[device] = pool;
  return done(hipSuccess);
}
hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t size) {
  if (!valid(pool)) return done(hipErrorInvalidValue);
  const std::lock_guard guard(state().lock);
  pool->trim(size);
  return done(hipSuccess);
}
hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr which, void *value) {
  if (!valid(pool) || !value) return done(hipErrorInvalidValue);
  const std::lock_guard guard(state().lock);
  switch (which) {
    case hipMemPoolReuseFollowEventDependencies: case hipMemPoolReuseAllowOpportunistic:
    case hipMemPoolReuseAllowInternalDependencies:
      pool->reuse[which - hipMemPoolReuseFollowEventDependencies] = *(int *)value;
      break;
    case hipMemPoolAttrReleaseThreshold: pool->threshold = *(u64 *)value; break;
    case hipMemPoolAttrReservedMemHigh: case hipMemPoolAttrUsedMemHigh:
      if (*(u64 *)value) return done(hipErrorInvalidValue);
      (which == hipMemPoolAttrUsedMemHigh ? pool->high : pool->reserved_high) = 0;  // until the next allocation
      break;
    default: return done(hipErrorInvalidValue);
  }
  return done(hipSuccess);
}
hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr which, void *value) {
  if (!valid(pool) || !value) return done(hipErrorInvalidValue);
  const std::lock_guard guard(state().lock);
  switch (which) {
    case hipMemPoolReuseFollowEventDependencies: case hipMemPoolReuseAllowOpportunistic:
    case hipMemPoolReuseAllowInternalDependencies:
      *(int *)value = pool->reuse[which - hipMemPoolReuseFollowEventDependencies];
      break;
    case hipMemPoolAttrReleaseThreshold: *(u64 *)value = pool->threshold; break;
    case hipMemPoolAttrReservedMemCurrent: *(u64 *)value = pool->reserved(); break;
    case hipMemPoolAttrUsedMemCurrent: *(u64 *)value = pool->used; break;
    case hipMemPoolAttrReservedMemHigh: *(u64 *)value = pool->reserved_high; break;
    case hipMemPoolAttrUsedMemHigh: *(u64 *)value = pool->high; break;
    default: return done(hipErrorInvalidValue);
  }
  return done(hipSuccess);
}
hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc *list, size_t count) {
  if (!valid(pool) || (count && !list)) return done(hipErrorInvalidValue);
  for (size_t i = 0; i < count; i++) {
    if (list[i].location.type != hipMemLocationTypeDevice || !valid_device(list[i].location.id)) return done(hipErrorInvalidDevice);
    const std::lock_guard guard(state().access);
    pool->access[list[i].location.id] = list[i].flags;
  }
  update_reach(pool);
  return done(hipSuccess);
}
hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t pool, hipMemLocation *location) {
  if (!flags || !valid(pool) || !location || !valid_device(location->id)) return done(hipErrorInvalidValue);
  const auto found = pool->access.find(location->id);
  *flags = found != pool->access.end()         ? found->second
           : location->id == pool->device ? hipMemAccessFlagsProtReadWrite
                                          : hipMemAccessFlagsProtNone;
  return done(hipSuccess);
}

}
