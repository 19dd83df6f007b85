// Allocations: memory of this process that device code may touch, filled with a pattern that shows a missing
// initialisation, and not given out again soon after it was freed, so that a late access is caught.
#include <sys/mman.h>
#include <unistd.h>

#include <deque>

#include "memory/ipc.h"

namespace host {

namespace {

constexpr u64 PAGE = 4096, ARENA = 1ull << 42, CHUNK = 4ull << 20, SMALL = 32768, SMALLEST = 256;
constexpr u64 SHEET = 64ull << 20;   // of poison, mapped again and again under large allocations
constexpr u64 ZONE = 1024;            // that no allocation has, behind each small block
constexpr size_t QUARANTINE = 256;   // freed small blocks of one size that wait before they are used again
constexpr size_t REMEMBERED = 4096;  // freed allocations that messages can name

struct State {
  std::mutex lock;
  std::map<u64, Allocation> live;
  std::deque<Allocation> freed;
  std::map<u64, Allocation> retired;  // a pool has them: nobody may touch them, but their pages are not given back
  // Small blocks, those of the host apart: free ones by size, what is left of the last chunk, and all chunks
  std::map<u64, std::deque<u64>> blocks[2];
  u64 chunk[2] = {}, chunk_end[2] = {};
  std::set<u64> chunks;
  std::map<u64, std::pair<u64, int>> shared;  // pages that are in a file: their size, and the file
  std::vector<std::pair<u64, u64>> later;  // size and address of those that are free after this kernel
  u64 arena = 0, arena_end = 0, next = 0;
  u64 ids = 0;
  int sheet = -1;
  u64 sheet_size = 0;
  std::map<int, u64> used;
  u64 total = 0;
};

State &state() {
  static State &all = *new State;
  return all;
}

u64 round_up(u64 value, u64 to) { return (value + to - 1) / to * to; }

void poison(u64 start, u64 size) {
  u32 *words = (u32 *)start;
  for (u64 i = 0; i < size / 4; i++) words[i] = POISON;
}

// Between two allocations: no kernel may touch it, and the table of allocations says so to the byte.
u64 gap() { return options().apart > PAGE ? round_up(options().apart, PAGE) : PAGE; }

// Blocks of the same few pages; none where allocations are wanted far apart.
// Managed memory has pages of its own, as advice is about pages.
bool is_small(u64 size, Where where) { return size <= SMALL && where != Where::managed && !options().apart; }

u64 reserve(State &s, u64 size) {  // address space alone; the first pages of what is freed are never reused
  if (!s.arena) {
    for (u64 wanted = ARENA; wanted >= 1ull << 32; wanted /= 2) {
      void *got = mmap(nullptr, wanted, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (got == MAP_FAILED) continue;
      s.arena = s.next = (u64)got;
      s.arena_end = s.arena + wanted;
      break;
    }
  }
  if (s.next + size + gap() <= s.arena_end) {
    const u64 at = s.next;
    s.next += size + gap();  // pages that are never there lie between two allocations
    return at;
  }
  void *got = mmap(nullptr, size + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? 0 : (u64)got;
}

bool plain_pages(u64 at, u64 size) {
  return mmap((void *)at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) !=
         MAP_FAILED;
}

// Pages that read as poison and cost memory only when they are written.
bool poisoned_pages(State &s, u64 at, u64 size) {
  const u64 wanted = size < SHEET ? size : SHEET;
  if (s.sheet < 0) s.sheet = memfd_create("porter-poison", MFD_CLOEXEC);
  if (s.sheet < 0) return false;
  if (s.sheet_size < wanted) {
    if (ftruncate(s.sheet, (off_t)wanted)) return false;
    void *view = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, s.sheet, 0);
    if (view == MAP_FAILED) return false;
    poison((u64)view + s.sheet_size, wanted - s.sheet_size);
    munmap(view, wanted);
    s.sheet_size = wanted;
  }
  for (u64 offset = 0; offset < size; offset += SHEET) {
    const u64 part = size - offset < SHEET ? size - offset : SHEET;
    if (mmap((void *)(at + offset), part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, s.sheet, 0) ==
        MAP_FAILED)
      return false;
  }
  return true;
}

u64 small_class(u64 size) {
  u64 block = SMALLEST;
  while (block < size) block *= 2;
  return block;
}

u64 small_block(State &s, u64 size, bool host) {
  const u64 block = small_class(size);
  std::deque<u64> &free = s.blocks[host][block];
  if (free.size() > QUARANTINE) {
    const u64 at = free.front();
    free.pop_front();
    return at;
  }
  if (s.chunk[host] + block + ZONE > s.chunk_end[host]) {
    const u64 at = reserve(s, CHUNK);
    if (!at || !plain_pages(at, CHUNK)) return 0;
    s.chunk[host] = at, s.chunk_end[host] = at + CHUNK;
    s.chunks.insert(at);
  }
  const u64 at = s.chunk[host];
  s.chunk[host] += block + ZONE;
  return at;
}

bool on_device(Where where) { return where == Where::device || where == Where::managed || where == Where::heap; }

const Allocation *inside(const State &s, u64 address) {
  auto next = s.live.upper_bound(address);
  if (next == s.live.begin()) return nullptr;
  const Allocation &found = std::prev(next)->second;
  return address < found.end() ? &found : nullptr;
}

std::string sentence(const Allocation &a) {
  char text[256];
  snprintf(text, sizeof text, "%llu-byte allocation (%s, device %d) at 0x%llx", (unsigned long long)a.size,
           a.what.c_str(), a.device, (unsigned long long)a.start);
  return text;
}

// Memory of the host and managed memory are everybody's; what is mapped says itself who may.
void set_reach(const Allocation &a) {
  u64 readers, writers;
  if ((a.where == Where::device || a.where == Where::opened) && a.pool) pool_reach(a.pool, &readers, &writers);
  else if (a.where == Where::device || a.where == Where::heap || a.where == Where::variables)
    readers = writers = devices_reaching(a.device);
  else if (a.where == Where::opened) readers = writers = devices_reaching(a.device) | 1ull << a.opened_by;
  else return;
  memory_reach(a.start, a.size, readers, writers);
}

// From now on an access is one to freed memory.
Allocation take_away(State &s, std::map<u64, Allocation>::iterator found) {
  const Allocation a = found->second;
  memory_remove(a.start);
  if (a.where == Where::managed) forget_advice(a.start, a.size);
  s.live.erase(found);
  s.freed.push_back(a);
  if (s.freed.size() > REMEMBERED) s.freed.pop_front();
  return a;
}

void give_pages_back(State &s, const Allocation &a, bool later) {
  s.total -= a.size;
  if (on_device(a.where)) s.used[a.device] -= a.size;
  if (is_small(a.size, a.where)) {
    poison(a.start, small_class(a.size));
    if (later) s.later.emplace_back(small_class(a.size), a.start);
    else s.blocks[!on_device(a.where)][small_class(a.size)].push_back(a.start);
    return;
  }
  mmap((void *)a.start, round_up(a.size, PAGE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (const auto shared = s.shared.find(a.start); shared != s.shared.end()) {
    close(shared->second.second);
    s.shared.erase(shared);
  }
}

void give_back(State &s, std::map<u64, Allocation>::iterator found, bool later) { give_pages_back(s, take_away(s, found), later); }

// What an allocation holds is undefined again. Pages that another process sees stay the same pages.
void poison_again(State &s, const Allocation &a) {
  if (is_small(a.size, a.where)) poison(a.start, small_class(a.size));
  else if (s.shared.count(a.start) || !poisoned_pages(s, a.start, round_up(a.size, PAGE))) poison(a.start, round_up(a.size, PAGE));
}

bool mapped_here(u64 address) {  // into this process at all
  unsigned char there;
  return mincore((void *)(address & ~(PAGE - 1)), 1, &there) == 0;
}

}  // namespace

void *allocate(u64 size, Where where, unsigned flags, const char *what, int device, hipMemPool_t pool) {
  State &s = state();
  std::unique_lock guard(s.lock);
  if (size > DEVICE_BYTES || s.total + size > options().memory) return nullptr;
  if (on_device(where) && s.used[device] + size > DEVICE_BYTES) return nullptr;
  u64 at;
  if (is_small(size, where)) {
    at = small_block(s, size, !on_device(where));
    if (!at) return nullptr;
    if (on_device(where)) poison(at, small_class(size));
    else memset((void *)at, 0, small_class(size));
  } else {
    const u64 bytes = round_up(size, PAGE);
    at = reserve(s, bytes);
    if (!at) return nullptr;
    if (!on_device(where)) {
      if (!plain_pages(at, bytes)) return nullptr;
    } else if (!poisoned_pages(s, at, bytes)) {
      if (!plain_pages(at, bytes)) return nullptr;
      poison(at, bytes);
    }
  }
  Allocation a{at, size, where, device, flags, ++s.ids, pool, what};
  s.live[at] = a;
  s.total += size;
  if (on_device(where)) s.used[device] += size;
  memory_add(at, size, 0);
  if (device_count() > 1) set_reach(a);
  guard.unlock();
  stream_forgets(at, size);
  return (void *)at;
}

void update_reach(int device) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  for (const auto &[start, a] : s.live)
    if (a.device == device && !a.pool) set_reach(a);
}

void update_reach(hipMemPool_t pool) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  for (const auto &[start, a] : s.live)
    if (a.pool == pool) set_reach(a);
}

bool release(void *start) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  auto found = s.live.find((u64)start);
  if (found == s.live.end()) return false;
  const Where where = found->second.where;
  const bool foreign = where == Where::registered || where == Where::variables || where == Where::mapped ||
                       where == Where::opened;
  if (!foreign && where != Where::heap) give_back(s, found, false);
  return !foreign && where != Where::heap;
}

bool retire(void *start) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  const auto found = s.live.find((u64)start);
  if (found == s.live.end()) return false;
  const Allocation a = take_away(s, found);
  s.retired[a.start] = a;
  return true;
}

void revive(void *start, const char *what) {
  State &s = state();
  std::unique_lock guard(s.lock);
  Allocation a = s.retired.extract((u64)start).mapped();
  a.id = ++s.ids;
  a.what = what;
  s.live[a.start] = a;
  poison_again(s, a);
  memory_add(a.start, a.size, 0);
  if (device_count() > 1) set_reach(a);
  guard.unlock();
  stream_forgets(a.start, a.size);
}

void release_retired(void *start) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  if (const auto taken = s.retired.extract((u64)start)) give_pages_back(s, taken.mapped(), false);
}

void make_undefined(void *start) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  if (const auto found = s.live.find((u64)start); found != s.live.end()) poison_again(s, found->second);
}

bool share_pages(const Allocation &a, SharedFile *out) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  const bool small = is_small(a.size, a.where);
  const u64 at = small ? *std::prev(s.chunks.upper_bound(a.start)) : a.start, size = small ? CHUNK : round_up(a.size, PAGE);
  auto found = s.shared.find(at);
  if (found == s.shared.end()) {
    const int file = memfd_create("porter-shared", MFD_CLOEXEC);
    if (file < 0) return false;
    bool good = !ftruncate(file, (off_t)size);
    for (u64 done = 0; good && done < size;) {
      const ssize_t n = pwrite(file, (void *)(at + done), size - done, (off_t)done);
      good = n > 0;
      done += good ? (u64)n : 0;
    }
    if (!good || mmap((void *)at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
      close(file);
      return false;
    }
    found = s.shared.emplace(at, std::pair(size, file)).first;
  }
  *out = {found->second.second, a.start - at, a.size};
  return true;
}

void release_block(u64 start, bool later) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  give_back(s, s.live.find(start), later);
}

void release_later() {
  State &s = state();
  const std::lock_guard guard(s.lock);
  for (const auto &[size, start] : s.later) s.blocks[0][size].push_back(start);
  s.later.clear();
}

void remember(const Allocation &allocation) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  s.live[allocation.start] = allocation;
  s.live[allocation.start].id = ++s.ids;
  if (device_count() > 1) set_reach(allocation);
}

void forget(u64 start) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  s.live.erase(start);
}

std::optional<Allocation> find_allocation(const void *address) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  const Allocation *found = inside(s, (u64)address);
  return found ? std::optional(*found) : std::nullopt;
}

bool fits(const void *address, u64 size) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  const u64 at = (u64)address;
  if (const Allocation *found = inside(s, at)) {
    while (at + size > found->end()) {  // mapped memory goes on where the next piece of it is mapped
      const Allocation *next = found->where == Where::mapped ? inside(s, found->end()) : nullptr;
      if (!next || next->where != Where::mapped) return false;
      found = next;
    }
    return true;
  }
  // In the arena, but in no live allocation: freed, or past an end
  return !(at >= s.arena && at < s.arena_end);
}

std::string describe_address(u64 address) {
  if ((address & APERTURE_MASK) == CODE_APERTURE) return "code of the program, which kernels neither read nor write";
  if (in_arguments(address)) return "arguments of the kernel";
  State &s = state();
  const std::lock_guard guard(s.lock);
  char distance[64];
  if (const Allocation *found = inside(s, address)) {
    snprintf(distance, sizeof distance, "%llu bytes into a ", (unsigned long long)(address - found->start));
    return distance + sentence(*found);
  }
  for (auto freed = s.freed.rbegin(); freed != s.freed.rend(); ++freed)
    if (address >= freed->start && address < freed->end()) {
      snprintf(distance, sizeof distance, "%llu bytes into a freed ", (unsigned long long)(address - freed->start));
      return distance + sentence(*freed);
    }
  if (address < PAGE) return "a null pointer";
  const Allocation *below = nullptr, *above = nullptr;
  auto next = s.live.upper_bound(address);
  if (next != s.live.end()) above = &next->second;
  if (next != s.live.begin()) below = &std::prev(next)->second;
  const u64 past = below ? address - below->end() : ~0ull, before = above ? above->start - address : ~0ull;
  const u64 near = 1ull << 32;  // farther than this the neighbour says nothing
  if (mapped_here(address) && !(address >= s.arena && address < s.arena_end) && past > PAGE && before > PAGE)
    return "ordinary memory of the host (malloc, the stack or a variable), which a device cannot reach";
  if (past <= before && past < near) {
    snprintf(distance, sizeof distance, "%llu bytes past the end of a ", (unsigned long long)past);
    return distance + sentence(*below);
  }
  if (before < near) {
    snprintf(distance, sizeof distance, "%llu bytes before a ", (unsigned long long)before);
    return distance + sentence(*above);
  }
  return "no allocation is near";
}

void memory_info(int device, u64 *free, u64 *total) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  const u64 left = DEVICE_BYTES - s.used[device];
  const u64 machine = options().memory > s.total ? options().memory - s.total : 0;
  if (free) *free = left < machine ? left : machine;
  if (total) *total = DEVICE_BYTES;
}

}  // namespace host
