// The pretended devices: how many, which is current, and who may reach whom.
#include <sched.h>
#include <unistd.h>

#include "host.h"

namespace host {

namespace {

u64 number(const char *name, u64 fallback) {
  const char *text = getenv(name);
  if (!text || !*text) return fallback;
  char *end;
  const u64 value = strtoull(text, &end, 0);
  if (!*end) return value;
  fprintf(stderr, "porter: %s=%s is not a number\n", name, text);
  return fallback;
}

u64 machine_memory() {  // of the machine, or of the group that this process is confined to
  u64 bytes = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE);
  for (const char *name : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (FILE *file = fopen(name, "r")) {
      unsigned long long limit;
      if (fscanf(file, "%llu", &limit) == 1 && limit < bytes) bytes = limit;
      fclose(file);
    }
  return bytes;
}

// A list of numbers ends at the first that is none of a device.
std::vector<int> visible_devices(int count) {
  std::vector<int> found;
  const char *list = getenv("HIP_VISIBLE_DEVICES");
  if (!list) list = getenv("CUDA_VISIBLE_DEVICES");
  for (int i = 0; !list && i < count; i++) found.push_back(i);
  while (list && *list) {
    char *end;
    const long device = strtol(list, &end, 10);
    if (end == list || device < 0 || device >= count) break;
    found.push_back((int)device);
    list = *end == ',' ? end + 1 : "";
  }
  return found;
}

unsigned processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

struct Device {
  std::atomic<int> fault{hipSuccess};
  unsigned flags = hipDeviceScheduleAuto;
  size_t stack = 1024, heap = 8u << 20, fifo = 1u << 20;
  hipSharedMemConfig banks = hipSharedMemBankSizeFourByte;
};

std::vector<Device> &devices() {
  static std::vector<Device> &all = *new std::vector<Device>(options().visible.size());
  return all;
}

thread_local int current = 0;

}  // namespace

const Options &options() {
  static const Options &read = *new Options([] {
    Options o;
    o.devices = (unsigned)number("PORTER_EMU_DEVICES", 1);
    if (o.devices > 64) o.devices = 64;
    o.visible = visible_devices((int)o.devices);
    o.threads = (unsigned)number("PORTER_EMU_THREADS", 0);
    if (!o.threads) o.threads = processors();
    o.checks = (unsigned)number("PORTER_EMU_CHECKS", CHECK_DEFAULT);
    o.count = number("PORTER_EMU_COUNT", 0) != 0;
    o.seed = number("PORTER_EMU_SEED", 0);
    o.max_instructions = number("PORTER_EMU_MAX_INSTRUCTIONS", 0);
    o.memory = number("PORTER_EMU_MEMORY", machine_memory() / 8 * 7);
    o.apart = number("PORTER_EMU_APART", 0);
    o.synchronous = number("PORTER_EMU_SYNCHRONOUS", 0) != 0;
    o.patience = (double)number("PORTER_EMU_PATIENCE", 10);
    const char *report = getenv("PORTER_EMU_REPORT");
    o.report = report ? report : "";
    const char *recordings = getenv("PORTER_EMU_RECORDINGS");
    o.recordings = recordings ? recordings : "";
    o.recorded_alone = number("PORTER_EMU_RECORDED_ALONE", 0) != 0;
    o.recorded_dies = number("PORTER_EMU_RECORDED_DIES", CHIP_XCDS);
    o.recorded_words = number("PORTER_EMU_RECORDED_WORDS", 32u << 20);
    return o;
  }());
  return read;
}

int device_count() { return (int)options().visible.size(); }
int physical_device(int device) { return options().visible[(size_t)device]; }
int current_device() { return current; }
bool valid_device(int device) { return device >= 0 && device < device_count(); }
hipError_t device_fault(int device) {
  if (!device_count()) return hipErrorNoDevice;
  return valid_device(device) ? (hipError_t)devices()[device].fault.load() : hipSuccess;
}
u64 heap_size(int device) { return devices()[device].heap; }
void set_device_fault(int device, hipError_t error) {
  int none = hipSuccess;
  devices()[device].fault.compare_exchange_strong(none, error);
}

namespace {

hipError_t with_device(int device, hipError_t error = hipSuccess) {
  return done(valid_device(device) ? error : hipErrorInvalidDevice);
}

}  // namespace

}  // namespace host

using namespace host;

extern "C" {

hipError_t hipInit(unsigned flags) { return done(flags ? hipErrorInvalidValue : hipSuccess); }
hipError_t hipDriverGetVersion(int *version) {
  if (!version) return done(hipErrorInvalidValue);
  *version = HIP_VERSION;
  return done(hipSuccess);
}
hipError_t hipRuntimeGetVersion(int *version) { return hipDriverGetVersion(version); }

hipError_t hipGetDeviceCount(int *count) {
  if (!count) return done(hipErrorInvalidValue);
  *count = device_count();
  return done(*count ? hipSuccess : hipErrorNoDevice);
}
hipError_t hipGetDevice(int *device) {
  if (!device) return done(hipErrorInvalidValue);
  *device = current;
  return done(hipSuccess);
}
hipError_t hipSetDevice(int device) {
  if (valid_device(device)) current = device;
  return with_device(device);
}
hipError_t hipSetValidDevices(int *list, int count) {
  if (!list || count <= 0) return done(hipErrorInvalidValue);
  for (int i = 0; i < count; i++)
    if (!valid_device(list[i])) return done(hipErrorInvalidDevice);
  return done(hipSuccess);
}
hipError_t hipSetDeviceFlags(unsigned flags) {
  devices()[current].flags = flags & hipDeviceScheduleMask;  // all that the runtime keeps
  return done(hipSuccess);
}
hipError_t hipGetDeviceFlags(unsigned *flags) {
  if (!flags) return done(hipErrorInvalidValue);
  *flags = devices()[current].flags;
  return done(hipSuccess);
}
hipError_t hipDeviceSynchronize() {
  if (const hipError_t refused = refuse_in_capture()) return done(refused);
  wait_for_device(current);
  release_kept(current);
  return done(device_fault(current));
}
hipError_t hipDeviceReset() {
  if (!device_count()) return done(hipErrorNoDevice);
  wait_for_all();
  devices()[current].fault = hipSuccess;
  return done(hipSuccess);
}

hipError_t hipDeviceGet(hipDevice_t *handle, int device) {
  if (!handle) return done(hipErrorInvalidValue);
  *handle = device;
  return with_device(device);
}
hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device) {
  if (!major || !minor) return done(hipErrorInvalidValue);
  *major = 9, *minor = 4;
  return with_device(device);
}
hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
  if (!bytes) return done(hipErrorInvalidValue);
  *bytes = DEVICE_BYTES;
  return with_device(device);
}
hipError_t hipDeviceGetPCIBusId(char *text, int size, int device) {
  if (!text || size < 13) return done(hipErrorInvalidValue);
  snprintf(text, (size_t)size, "0000:%02x:00.0", 1 + (valid_device(device) ? physical_device(device) : 0));
  return with_device(device);
}
hipError_t hipDeviceGetByPCIBusId(int *device, const char *text) {
  unsigned domain, bus, slot, function;
  if (!device || !text) return done(hipErrorInvalidValue);
  if (sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) != 4) return done(hipErrorInvalidValue);
  for (int i = 0; i < device_count(); i++)
    if (physical_device(i) == (int)bus - 1) {
      *device = i;
      return done(hipSuccess);
    }
  return done(hipErrorInvalidValue);
}

hipError_t hipDeviceGetLimit(size_t *value, hipLimit_t which) {
  if (!value) return done(hipErrorInvalidValue);
  const Device &device = devices()[current];
  switch (which) {
    case hipLimitStackSize: *value = device.stack; break;
    case hipLimitMallocHeapSize: *value = device.heap; break;
    case hipLimitPrintfFifoSize: *value = device.fifo; break;
    default: return done(hipErrorUnsupportedLimit);
  }
  return done(hipSuccess);
}
hipError_t hipDeviceSetLimit(hipLimit_t which, size_t value) {
  if ((unsigned)which >= hipLimitRange) return done(hipErrorUnsupportedLimit);
  Device &device = devices()[current];
  switch (which) {
    case hipLimitStackSize: device.stack = value; break;
    case hipLimitMallocHeapSize:
      wait_for_all();
      device.heap = value;
      break;
    case hipLimitPrintfFifoSize: device.fifo = value; break;
    default: return done(hipErrorUnsupportedLimit);
  }
  return done(hipSuccess);
}
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *config) {
  if (!config) return done(hipErrorInvalidValue);
  *config = hipFuncCachePreferNone;
  return done(hipSuccess);
}
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) { return done(hipSuccess); }  // ignored by HIP as well
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *config) {
  if (!config) return done(hipErrorInvalidValue);
  *config = devices()[current].banks;
  return done(hipSuccess);
}
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {  // ignored by HIP as well
  const bool known = config >= hipSharedMemBankSizeDefault && config <= hipSharedMemBankSizeEightByte;
  return done(known ? hipSuccess : hipErrorInvalidValue);
}
hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = 1;
  if (greatest) *greatest = -1;
  return done(hipSuccess);
}

}
