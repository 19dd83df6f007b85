// porter runtime: CUDA's multicast objects, without NVLink's switches.
//
// The handle of an object is a piece of memory that says who has bound what, so it is exported, imported and released like
// any other. What it is mapped to holds no data: each page says where the memory of each device lies for this process
// (porter/multimem.h). It can only be read, so that a plain store to it faults.
#ifndef PORTER_MULTICAST_H
#define PORTER_MULTICAST_H

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <vector>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "multimem.h"

namespace porter {

enum multicast_granularity : unsigned { multicast_granularity_minimum = 0, multicast_granularity_recommended = 1 };
struct multicast_properties {
  unsigned int numDevices;
  size_t size;
  unsigned long long handleTypes, flags;
};

namespace multicast_detail {

using Handle = hipMemGenericAllocationHandle_t;
constexpr unsigned long long MARK[2] = {0x706f727465722d6d, 0x756c746963617374};

struct Bound {  // memory of a device, as a file of the process that bound it
  int process, file;
  unsigned long long size;
};
struct Control {  // what the handle of an object holds
  unsigned long long mark[2], number;
  unsigned long long devices, size;
  Bound bound[256];  // by the number of the device's PCI bus
};
struct View {  // of one range of addresses
  size_t size, step;
  Handle pages;
  unsigned long long number;
};
struct State {
  std::mutex lock;
  std::map<char*, View> views;
  std::map<unsigned long long, std::map<int, std::pair<void*, size_t>>> memory;  // by object and bus: mapped here
};
inline State& state() {
  static State& all = *new State;
  return all;
}

#define PORTER_TRY(call)                                  \
  if (const hipError_t error = (call); error != hipSuccess) return error

inline hipMemAllocationProp of_device(int device) {
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  properties.location = {hipMemLocationTypeDevice, device};
  return properties;
}
inline hipError_t step_of(size_t* step) {
  int device;
  PORTER_TRY(hipGetDevice(&device));
  const hipMemAllocationProp properties = of_device(device);
  return hipMemGetAllocationGranularity(step, &properties, hipMemAllocationGranularityRecommended);
}
inline hipError_t open_for_all(void* at, size_t size, hipMemAccessFlags flags) {
  int devices;
  PORTER_TRY(hipGetDeviceCount(&devices));
  std::vector<hipMemAccessDesc> access(devices);
  for (int i = 0; i < devices; i++) access[i] = {{hipMemLocationTypeDevice, i}, flags};
  return hipMemSetAccess(at, size, access.data(), access.size());
}
inline hipError_t map_somewhere(void** at, size_t size, Handle handle) {
  PORTER_TRY(hipMemAddressReserve(at, size, 0, nullptr, 0));
  hipError_t error = hipMemMap(*at, size, 0, handle, 0);
  if (error == hipSuccess) {
    error = open_for_all(*at, size, hipMemAccessFlagsProtReadWrite);
    if (error != hipSuccess) (void)hipMemUnmap(*at, size);
  }
  if (error != hipSuccess) (void)hipMemAddressFree(*at, size);
  return error;
}
inline hipError_t unmap(void* at, size_t size) {
  PORTER_TRY(hipMemUnmap(at, size));
  return hipMemAddressFree(at, size);
}

// Calls use(control) with what a handle holds, and writes it back if that returns true. hipErrorInvalidHandle: no object's.
template <class Use>
hipError_t with_control(Handle handle, const Use& use) {
  size_t step;
  void* at;
  PORTER_TRY(step_of(&step));
  if (map_somewhere(&at, step, handle) != hipSuccess) return (void)hipGetLastError(), hipErrorInvalidHandle;
  Control control;
  hipError_t error = hipMemcpy(&control, at, sizeof control, hipMemcpyDeviceToHost);
  if (error == hipSuccess && memcmp(control.mark, MARK, sizeof MARK)) error = hipErrorInvalidHandle;
  if (error == hipSuccess) {
    const int changed = use(control);
    if (changed >= 0)  // one device's alone: others write theirs
      error = hipMemcpy(static_cast<char*>(at) + offsetof(Control, bound) + changed * sizeof(Bound), &control.bound[changed],
                        sizeof(Bound), hipMemcpyHostToDevice);
  }
  const hipError_t closed = unmap(at, step);
  return error == hipSuccess ? closed : error;
}
inline hipError_t bus_of(int device, int* bus) {
  return hipDeviceGetAttribute(bus, hipDeviceAttributePciBusId, device);
}

// The memory that another process has bound, mapped here.
inline hipError_t import(const Bound& bound, void** at) {
  const int process = int(syscall(SYS_pidfd_open, bound.process, 0));
  const int file = process < 0 ? -1 : int(syscall(SYS_pidfd_getfd, process, bound.file, 0));
  if (process >= 0) close(process);
  if (file < 0) {
    fprintf(stderr, "porter: process %d does not let this one have its memory (pidfd_getfd)\n", bound.process);
    return hipErrorNotSupported;
  }
  Handle handle;
  hipError_t error = hipMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(intptr_t(file)),
                                                     hipMemHandleTypePosixFileDescriptor);
  if (error == hipSuccess) {
    error = map_somewhere(at, bound.size, handle);
    (void)hipMemRelease(handle);
  }
  close(file);
  return error;
}

// Writes the pages of a range, once every device has bound memory.
inline hipError_t fill(char* begin, const View& view, const Control& control) {
  multimem::page page{multimem::complete, reinterpret_cast<uint64_t>(begin), 0, {}};
  auto& memory = state().memory[control.number];
  for (int bus = 0; bus < 256; bus++) {
    const Bound& bound = control.bound[bus];
    if (!bound.size) continue;
    if (!memory.count(bus)) {
      void* at;
      PORTER_TRY(import(bound, &at));
      memory[bus] = {at, bound.size};
    }
    page.memory[page.devices++] = reinterpret_cast<uint64_t>(memory[bus].first);
  }
  if (page.devices < control.devices) return hipSuccess;  // not yet: its mark is missing, and a kernel that asks traps
  std::vector<char> pages(view.step);
  for (size_t at = 0; at < view.step; at += multimem::page_bytes) memcpy(pages.data() + at, &page, sizeof page);
  void* window;
  PORTER_TRY(map_somewhere(&window, view.step, view.pages));
  const hipError_t error = hipMemcpy(window, pages.data(), view.step, hipMemcpyHostToDevice);
  const hipError_t closed = unmap(window, view.step);
  return error == hipSuccess ? closed : error;
}

}  // namespace multicast_detail

inline hipError_t multicast_get_granularity(size_t* granularity, const multicast_properties*, unsigned) {
  return multicast_detail::step_of(granularity);
}
inline hipError_t multicast_create(hipMemGenericAllocationHandle_t* handle, const multicast_properties* wanted) {
  using namespace multicast_detail;
  if (!handle || !wanted || wanted->numDevices < 1 || wanted->numDevices > multimem::most_devices || !wanted->size)
    return hipErrorInvalidValue;
  std::random_device random;
  Control control{{MARK[0], MARK[1]}, random() | static_cast<unsigned long long>(random()) << 32, wanted->numDevices, wanted->size, {}};
  size_t step;
  int device;
  void* at;
  PORTER_TRY(step_of(&step));
  PORTER_TRY(hipGetDevice(&device));
  const hipMemAllocationProp properties = of_device(device);
  PORTER_TRY(hipMemCreate(handle, step, &properties, 0));
  hipError_t error = map_somewhere(&at, step, *handle);
  if (error == hipSuccess) {
    error = hipMemcpy(at, &control, sizeof control, hipMemcpyHostToDevice);
    (void)unmap(at, step);
  }
  return error;
}
inline hipError_t multicast_add_device(hipMemGenericAllocationHandle_t handle, hipDevice_t) {
  return multicast_detail::with_control(handle, [](auto&) { return -1; });
}
inline hipError_t multicast_bind_mem(hipMemGenericAllocationHandle_t handle, size_t offset,
                                     hipMemGenericAllocationHandle_t memory, size_t from, size_t size, unsigned long long) {
  using namespace multicast_detail;
  if (offset || from) {
    fprintf(stderr, "porter: memory is bound to a multicast object at offset 0 alone\n");
    return hipErrorNotSupported;
  }
  const std::lock_guard<std::mutex> guard(state().lock);
  hipMemAllocationProp properties;
  int bus, file;
  void* at;
  PORTER_TRY(hipMemGetAllocationPropertiesFromHandle(&properties, memory));
  PORTER_TRY(bus_of(properties.location.id, &bus));
  if (hipMemExportToShareableHandle(&file, memory, hipMemHandleTypePosixFileDescriptor, 0) != hipSuccess)
    (void)hipGetLastError(), file = -1;  // then no other process has it
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);  // so that processes of the same user may take the file
  PORTER_TRY(map_somewhere(&at, size, memory));
  hipError_t filled = hipSuccess;
  const hipError_t error = with_control(handle, [&](Control& control) {
    state().memory[control.number][bus] = {at, size};
    control.bound[bus] = {int(getpid()), file, size};
    for (const auto& [begin, view] : state().views)
      if (view.number == control.number && filled == hipSuccess) filled = fill(begin, view, control);
    return bus;
  });
  return error == hipSuccess ? filled : error;
}
inline hipError_t multicast_bind_addr(hipMemGenericAllocationHandle_t handle, size_t offset, hipDeviceptr_t memory, size_t size,
                                      unsigned long long flags) {
  hipMemGenericAllocationHandle_t of_memory;
  PORTER_TRY(hipMemRetainAllocationHandle(&of_memory, reinterpret_cast<void*>(memory)));
  const hipError_t error = multicast_bind_mem(handle, offset, of_memory, 0, size, flags);
  (void)hipMemRelease(of_memory);
  return error;
}
inline hipError_t multicast_unbind(hipMemGenericAllocationHandle_t handle, hipDevice_t device, size_t, size_t) {
  using namespace multicast_detail;
  const std::lock_guard<std::mutex> guard(state().lock);
  int bus;
  PORTER_TRY(bus_of(device, &bus));
  return with_control(handle, [&](Control& control) {
    auto& memory = state().memory[control.number];
    if (const auto found = memory.find(bus); found != memory.end()) {
      (void)unmap(found->second.first, found->second.second);
      memory.erase(found);
    }
    if (control.bound[bus].process == getpid() && control.bound[bus].file >= 0) close(control.bound[bus].file);
    control.bound[bus] = {};
    return bus;
  });
}

// hipMemMap, hipMemSetAccess and hipMemUnmap, which take multicast objects too.
inline hipError_t multicast_map(void* at, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle,
                                unsigned long long flags) {
  using namespace multicast_detail;
  const std::lock_guard<std::mutex> guard(state().lock);
  hipError_t mapped = hipSuccess;
  const hipError_t error = with_control(handle, [&](Control& control) {
    View view{size, 0, nullptr, control.number};
    int device = 0;
    mapped = step_of(&view.step);
    if (mapped == hipSuccess) mapped = hipGetDevice(&device);
    const hipMemAllocationProp properties = of_device(device);
    if (mapped == hipSuccess) mapped = hipMemCreate(&view.pages, view.step, &properties, 0);
    for (size_t done = 0; done < size && mapped == hipSuccess; done += view.step)
      mapped = hipMemMap(static_cast<char*>(at) + done, view.step < size - done ? view.step : size - done, 0, view.pages, 0);
    if (mapped != hipSuccess) return -1;
    state().views[static_cast<char*>(at)] = view;
    mapped = fill(static_cast<char*>(at), view, control);
    return -1;
  });
  if (error == hipErrorInvalidHandle) return hipMemMap(at, size, offset, handle, flags);
  return error == hipSuccess ? mapped : error;
}
inline hipError_t multicast_set_access(void* at, size_t size, const hipMemAccessDesc* access, size_t count) {
  using namespace multicast_detail;
  const std::lock_guard<std::mutex> guard(state().lock);
  char* const begin = static_cast<char*>(at);
  const auto view = state().views.find(begin);
  if (view == state().views.end()) return hipMemSetAccess(begin, size, access, count);
  std::vector<hipMemAccessDesc> reading(access, access + count);
  for (hipMemAccessDesc& one : reading)
    if (one.flags == hipMemAccessFlagsProtReadWrite) one.flags = hipMemAccessFlagsProtRead;
  for (size_t done = 0; done < size; done += view->second.step)
    PORTER_TRY(hipMemSetAccess(begin + done, view->second.step < size - done ? view->second.step : size - done, reading.data(), count));
  return hipSuccess;
}
inline hipError_t multicast_unmap(void* at, size_t size) {
  using namespace multicast_detail;
  const std::lock_guard<std::mutex> guard(state().lock);
  char* const begin = static_cast<char*>(at);
  const auto found = state().views.find(begin);
  if (found == state().views.end()) return hipMemUnmap(begin, size);
  const View view = found->second;
  for (size_t done = 0; done < size; done += view.step)
    PORTER_TRY(hipMemUnmap(begin + done, view.step < size - done ? view.step : size - done));
  state().views.erase(found);
  PORTER_TRY(hipMemRelease(view.pages));
  for (const auto& [other, its] : state().views)
    if (its.number == view.number) return hipSuccess;
  for (const auto& [bus, memory] : state().memory[view.number]) (void)unmap(memory.first, memory.second);
  state().memory.erase(view.number);
  return hipSuccess;
}
#undef PORTER_TRY

}  // namespace porter

// What stands below in a unit with multicast objects may map them.
#define hipMemMap(...) porter::multicast_map(__VA_ARGS__)
#define hipMemSetAccess(...) porter::multicast_set_access(__VA_ARGS__)
#define hipMemUnmap(...) porter::multicast_unmap(__VA_ARGS__)

#endif  // PORTER_MULTICAST_H
