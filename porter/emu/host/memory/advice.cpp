// What a program advises about managed memory, kept by page and told when it is asked for. It changes nothing else:
// managed memory is in one place for everybody.
#include "host.h"

namespace {

using namespace host;

constexpr u64 PAGE = 4096;

struct Page {
  bool read_mostly = false, coarse = false;
  int preferred = hipInvalidDeviceId, prefetched = hipInvalidDeviceId;
  std::set<int> accessed;
};

struct Advice {
  std::mutex lock;
  std::map<u64, Page> pages;  // those of which something was said
};

Advice &advice() {
  static Advice &all = *new Advice;
  return all;
}

bool a_place(int device) { return device == hipCpuDeviceId || valid_device(device); }

// Managed memory, or memory that no call of HIP made.
bool advisable(const void *pointer, u64 size) {
  if (!pointer || !size) return false;
  const auto found = find_allocation(pointer);
  return !found || found->where == Where::managed;
}

template <class Change>
void change(const void *pointer, u64 size, Change &&to) {
  const std::lock_guard guard(advice().lock);
  for (u64 page = (u64)pointer / PAGE; page <= ((u64)pointer + size - 1) / PAGE; page++) to(advice().pages[page]);
}

// The value that all pages have; `other` where they differ.
template <class T, class Value>
T common(const void *pointer, u64 size, T other, Value &&of) {
  const std::lock_guard guard(advice().lock);
  std::optional<T> value;
  for (u64 page = (u64)pointer / PAGE; page <= ((u64)pointer + size - 1) / PAGE; page++) {
    const auto found = advice().pages.find(page);
    const T here = of(found == advice().pages.end() ? Page{} : found->second);
    if (value && *value != here) return other;
    value = here;
  }
  return *value;
}

hipError_t attribute(void *data, size_t size, hipMemRangeAttribute which, const void *pointer, size_t count) {
  const auto found = find_allocation(pointer);
  if (!data || !size || !pointer || !count || !found) return hipErrorInvalidValue;
  if (found->where == Where::device && which == hipMemRangeAttributeCoherencyMode && size == sizeof(int)) {
    *(int *)data = hipMemRangeCoherencyModeCoarseGrain;
    return hipSuccess;
  }
  if (found->where != Where::managed) return hipErrorInvalidValue;
  if (size % sizeof(int) || (which != hipMemRangeAttributeAccessedBy && size != sizeof(int))) return hipErrorInvalidValue;
  int *out = (int *)data;
  switch (which) {
    case hipMemRangeAttributeReadMostly:
      *out = common(pointer, count, 0, [](const Page &p) { return (int)p.read_mostly; });
      break;
    case hipMemRangeAttributePreferredLocation:
      *out = common(pointer, count, (int)hipInvalidDeviceId, [](const Page &p) { return p.preferred; });
      break;
    case hipMemRangeAttributeLastPrefetchLocation:
      *out = common(pointer, count, (int)hipInvalidDeviceId, [](const Page &p) { return p.prefetched; });
      break;
    case hipMemRangeAttributeCoherencyMode:
      *out = common(pointer, count, (int)hipMemRangeCoherencyModeIndeterminate, [](const Page &p) {
        return (int)(p.coarse ? hipMemRangeCoherencyModeCoarseGrain : hipMemRangeCoherencyModeFineGrain);
      });
      break;
    case hipMemRangeAttributeAccessedBy: {
      const std::set<int> by = common(pointer, count, std::set<int>(), [](const Page &p) { return p.accessed; });
      auto next = by.begin();
      for (size_t i = 0; i < size / sizeof(int); i++) out[i] = next == by.end() ? hipInvalidDeviceId : *next++;
      break;
    }
    default: return hipErrorInvalidValue;
  }
  return hipSuccess;
}

}  // namespace

namespace host {

void forget_advice(u64 start, u64 size) {
  Advice &s = ::advice();
  const std::lock_guard guard(s.lock);
  s.pages.erase(s.pages.lower_bound(start / PAGE), s.pages.upper_bound((start + size - 1) / PAGE));
}

}  // namespace host

extern "C" {

hipError_t hipMemAdvise(const void *pointer, size_t size, hipMemoryAdvise what, int device) {
  if (!advisable(pointer, size)) return done(hipErrorInvalidValue);
  const bool anywhere = what == hipMemAdviseSetReadMostly || what == hipMemAdviseUnsetReadMostly ||
                        what == hipMemAdviseUnsetPreferredLocation;
  if (!anywhere && !a_place(device)) return done(hipErrorInvalidDevice);
  switch (what) {
    case hipMemAdviseSetReadMostly: change(pointer, size, [](Page &p) { p.read_mostly = true; }); break;
    case hipMemAdviseUnsetReadMostly: change(pointer, size, [](Page &p) { p.read_mostly = false; }); break;
    case hipMemAdviseSetPreferredLocation: change(pointer, size, [=](Page &p) { p.preferred = device; }); break;
    case hipMemAdviseUnsetPreferredLocation:
      change(pointer, size, [](Page &p) { p.preferred = hipInvalidDeviceId; });
      break;
    case hipMemAdviseSetAccessedBy: change(pointer, size, [=](Page &p) { p.accessed.insert(device); }); break;
    case hipMemAdviseUnsetAccessedBy: change(pointer, size, [=](Page &p) { p.accessed.erase(device); }); break;
    case hipMemAdviseSetCoarseGrain: change(pointer, size, [](Page &p) { p.coarse = true; }); break;
    case hipMemAdviseUnsetCoarseGrain: change(pointer, size, [](Page &p) { p.coarse = false; }); break;
    default: return done(hipErrorInvalidValue);
  }
  return done(hipSuccess);
}
hipError_t hipMemAdvise_v2(const void *pointer, size_t size, hipMemoryAdvise what, hipMemLocation location) {
  return hipMemAdvise(pointer, size, what, location.type == hipMemLocationTypeDevice ? location.id : hipCpuDeviceId);
}
hipError_t hipMemPrefetchAsync(const void *pointer, size_t size, int device, hipStream_t stream) {
  if (!advisable(pointer, size) || !fits(pointer, size)) return done(hipErrorInvalidValue);
  if (!a_place(device)) return done(hipErrorInvalidDevice);
  if (!stream_of(stream)) return done(hipErrorContextIsDestroyed);
  change(pointer, size, [=](Page &p) { p.prefetched = device; });
  return done(hipSuccess);
}
hipError_t hipMemPrefetchAsync_v2(const void *pointer, size_t size, hipMemLocation location, unsigned, hipStream_t stream) {
  return hipMemPrefetchAsync(pointer, size, location.type == hipMemLocationTypeDevice ? location.id : hipCpuDeviceId, stream);
}
hipError_t hipMemRangeGetAttribute(void *data, size_t size, hipMemRangeAttribute which, const void *pointer, size_t count) {
  return done(attribute(data, size, which, pointer, count));
}
hipError_t hipMemRangeGetAttributes(void **data, size_t *sizes, hipMemRangeAttribute *which, size_t attributes,
                                    const void *pointer, size_t count) {
  if (!data || !sizes || !which || !attributes) return done(hipErrorInvalidValue);
  for (size_t i = 0; i < attributes; i++)
    if (const hipError_t error = attribute(data[i], sizes[i], which[i], pointer, count)) return done(error);
  return done(hipSuccess);
}

}
