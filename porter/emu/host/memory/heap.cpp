// The heap of kernels: malloc, free, new and delete of device code. A block is an allocation like any other, so that
// what goes beyond its end, or comes after its free, is found.
#include "host.h"

namespace host {

namespace {

struct State {
  std::mutex lock;
  HeapOwner owner;                // the kernel that runs
  std::map<int, u64> used;        // bytes by device
  std::map<u64, std::string> live;  // blocks by address, and what they are called
  bool told = false;              // what is left will be told at exit
};

State &state() {
  static State &all = *new State;
  return all;
}

// A heap may live from one kernel to the next, so what is left is no fault. A kernel that was stopped could not free.
void tell_left() {
  wait_for_all();
  for (int device = 0; device < device_count(); device++)
    if (device_fault(device)) return;
  State &s = state();
  const std::lock_guard guard(s.lock);
  u64 bytes = 0;
  for (const auto &[device, used] : s.used) bytes += used;
  if (s.live.empty()) return;
  fprintf(stderr, "porter: kernels have not freed %zu block%s of the device heap, %llu bytes, one of them from %s\n",
          s.live.size(), s.live.size() == 1 ? "" : "s", (unsigned long long)bytes, s.live.begin()->second.c_str());
}

u64 allocate_block(u64 size) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  u64 &used = s.used[s.owner.device];
  const u64 room = heap_size(s.owner.device);
  if (!size) return 0;
  if (used > room || size > room - used) {
    s.owner.refused = size;
    return 0;
  }
  if (s.owner.what.empty()) s.owner.what = "malloc of kernel " + kernel_name(s.owner.kernel);
  void *at = allocate(size, Where::heap, 0, s.owner.what.c_str(), s.owner.device);
  if (!at) return 0;
  used += size;
  s.live[(u64)at] = s.owner.what;
  if (!s.told) s.told = atexit(tell_left) == 0;
  return (u64)at;
}

// Where races are looked for, the next owner of the addresses must not meet what this one did in the same kernel.
int take_back(u64 address) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  if (!s.live.count(address)) return 0;
  const Allocation block = *find_allocation((void *)address);
  s.live.erase(address);
  s.used[block.device] -= block.size;
  release_block(address, options().checks & CHECK_GLOBAL_RACE);
  return 1;
}

const Heap HEAP = {allocate_block, take_back};

}  // namespace

void begin_heap(int device, const std::string &kernel) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  s.owner = {device, kernel, "", 0};
  device_heap = &HEAP;
}

std::string heap_refusal() {
  State &s = state();
  const std::lock_guard guard(s.lock);
  if (!s.owner.refused) return "";
  return "    malloc of " + std::to_string(s.owner.refused) + " bytes in this kernel gave null: of the device heap " +
         std::to_string(s.used[s.owner.device]) + " of " + std::to_string(heap_size(s.owner.device)) +
         " bytes are in use (hipLimitMallocHeapSize)\n";
}

HeapOwner heap_owner() {
  const std::lock_guard guard(state().lock);
  return state().owner;
}
void set_heap_owner(const HeapOwner &owner) {
  const std::lock_guard guard(state().lock);
  state().owner = owner;
}

void end_heap() { release_later(); }

}  // namespace host
