// The ranges of memory that device code may touch: one sorted table. Handlers remember the range they found last
// (Near) and ask again only when the table has changed, so a lookup under the lock is rare.
#include "allocations.h"
#include "hash.h"

#include <pthread.h>
#include <sys/mman.h>

// `reach`: the furthest end of this range and all in front of it, because ranges may overlap. Devices are a bit each.
typedef struct { u64 start, end, reach, readers, writers, elsewhere; } Range;

#define FREED_COUNT 4096  // freed ranges that are remembered, the oldest forgotten first

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static Range *ranges;
static u32 count, room;
static Range freed[FREED_COUNT];
static u64 freed_total;
u64 memory_generation = 1;

// The number of ranges that start at or below the address
static u32 below(u64 address) {
  u32 low = 0, high = count;
  while (low < high) {
    const u32 middle = (low + high) / 2;
    if (ranges[middle].start <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}

static const Range *find(u64 address) {
  for (u32 at = below(address); at && address < ranges[at - 1].reach; at--)
    if (address < ranges[at - 1].end) return &ranges[at - 1];
  return NULL;
}

static void measure(u32 from) {
  for (u32 at = from; at < count; at++) {
    const u64 before = at ? ranges[at - 1].reach : 0;
    ranges[at].reach = ranges[at].end > before ? ranges[at].end : before;
  }
}

void memory_add(u64 start, u64 size, u32 flags) {
  if (!size) return;
  pthread_rwlock_wrlock(&lock);
  if (count == room) ranges = realloc(ranges, (room = room ? 2 * room : 64) * sizeof(Range));
  const u32 at = below(start);
  memmove(ranges + at + 1, ranges + at, (count - at) * sizeof(Range));
  ranges[at] = (Range){start, start + size, 0, ~0ull, flags & MEMORY_READ_ONLY ? 0 : ~0ull, flags & MEMORY_ELSEWHERE};
  count++;
  measure(at);
  __atomic_fetch_add(&memory_generation, 1, __ATOMIC_RELEASE);
  pthread_rwlock_unlock(&lock);
}

int memory_remove(u64 start) {
  pthread_rwlock_wrlock(&lock);
  const u32 at = below(start);
  const int found = at && ranges[at - 1].start == start;
  if (found) {
    freed[freed_total++ % FREED_COUNT] = ranges[at - 1];
    memmove(ranges + at - 1, ranges + at, (count - at) * sizeof(Range));
    count--;
    measure(at - 1);
    __atomic_fetch_add(&memory_generation, 1, __ATOMIC_RELEASE);
  }
  pthread_rwlock_unlock(&lock);
  return found;
}

void memory_reach(u64 start, u64 size, u64 readers, u64 writers) {
  pthread_rwlock_wrlock(&lock);
  for (u32 at = below(start - 1); at < count && ranges[at].start < start + size; at++) {
    if (ranges[at].writers) ranges[at].writers = writers;
    ranges[at].readers = readers;
  }
  __atomic_fetch_add(&memory_generation, 1, __ATOMIC_RELEASE);
  pthread_rwlock_unlock(&lock);
}

static bool has(u64 devices, u32 device) { return devices >> (device & 63) & 1; }

void memory_refill(Near *near, u64 address, u32 device) {
  pthread_rwlock_rdlock(&lock);
  const Range *range = find(address);
  if (range && !has(range->readers, device)) range = NULL;
  near->generation = memory_generation;
  near->start = range ? range->start : 0;
  near->end = range ? range->end : 0;
  near->flags = range && !has(range->writers, device) ? MEMORY_READ_ONLY : 0;
  pthread_rwlock_unlock(&lock);
}

// Pages that nobody has touched yet are zeros, and are left untouched.
static u64 pages_state(u64 hash, u64 start, u64 end) {
  enum { PAGE = 4096, MANY = 256 };
  u8 present[MANY];
  for (u64 from = start & ~(u64)(PAGE - 1); from < end; from += MANY * PAGE) {
    const u64 to = from + MANY * PAGE < end ? from + MANY * PAGE : end;
    if (mincore((void *)from, to - from, present)) continue;
    for (u64 page = from; page < to; page += PAGE) {
      if (!(present[(page - from) / PAGE] & 1)) continue;
      const u64 first = page < start ? start : page, last = page + PAGE < to ? page + PAGE : to;
      hash = hash_bytes(hash ^ first, (const void *)first, last - first);
    }
  }
  return hash;
}

u64 memory_state(void) {
  u64 hash = 1;
  pthread_rwlock_rdlock(&lock);
  for (u32 at = 0; at < count; at++)
    if (ranges[at].writers && ranges[at].readers) hash = pages_state(hash, ranges[at].start, ranges[at].end);
  pthread_rwlock_unlock(&lock);
  return hash;
}

u64 memory_elsewhere(MemoryPlace **out) {
  pthread_rwlock_rdlock(&lock);
  u64 found = 0;
  *out = malloc((count + 1) * sizeof **out);
  for (u32 at = 0; at < count; at++)
    if (ranges[at].elsewhere) (*out)[found++] = (MemoryPlace){ranges[at].start, ranges[at].end, 0};
  pthread_rwlock_unlock(&lock);
  return found;
}

int out_of_bounds(const u64 *addresses, u64 lanes, u32 size, bool write, u32 device) {
  int bad = -1;
  pthread_rwlock_rdlock(&lock);
  const Range *range = NULL;
  EACH_LANE(lanes) {
    const u64 a = addresses[l];
    if (!range || a < range->start || a >= range->end) range = find(a);
    if (!range || size > range->end - a || !has(range->readers, device) ||
        (write && !has(range->writers, device))) {
      bad = (int)l;
      break;
    }
  }
  pthread_rwlock_unlock(&lock);
  return bad;
}

FaultKind memory_fault(u64 address, u32 size, u32 device) {
  pthread_rwlock_rdlock(&lock);
  const Range *range = find(address);
  const bool inside = range && size <= range->end - address;
  const bool peers = inside && (!has(range->readers, device) || (range->writers && !has(range->writers, device)));
  pthread_rwlock_unlock(&lock);
  return peers ? FAULT_NO_PEER_ACCESS : inside ? FAULT_WRITE_TO_CONSTANT : FAULT_OUT_OF_BOUNDS;
}

int memory_near(u64 address, MemoryNear *out) {
  *out = (MemoryNear){.state = MEMORY_NONE};
  pthread_rwlock_rdlock(&lock);
  const u32 at = below(address);
  const Range *before = at ? &ranges[at - 1] : NULL, *after = at < count ? &ranges[at] : NULL;
  const Range *own = find(address);
  if (own) {
    *out = (MemoryNear){MEMORY_LIVE, !own->writers, own->start, own->end - own->start, 0};
  } else {
    for (u64 n = 0; n < freed_total && n < FREED_COUNT && out->state == MEMORY_NONE; n++) {
      const Range *r = &freed[(freed_total - 1 - n) % FREED_COUNT];
      const u32 newer = below(r->end - 1);  // memory that is in use again says nothing
      if (address >= r->start && address < r->end && !(newer && ranges[newer - 1].reach > r->start))
        *out = (MemoryNear){MEMORY_FREED, !r->writers, r->start, r->end - r->start, 0};
    }
    if (out->state == MEMORY_NONE && (before || after)) {
      // Past the end of the one before counts from its last byte + 1, so the first byte beyond has distance 1.
      const u64 past = before ? address - before->end + 1 : ~0ull, ahead = after ? after->start - address : ~0ull;
      const Range *r = past <= ahead ? before : after;
      out->start = r->start;
      out->size = r->end - r->start;
      out->flags = !r->writers;
      out->distance = past <= ahead ? (i64)past : -(i64)ahead;
    }
  }
  pthread_rwlock_unlock(&lock);
  return (int)out->state;
}
