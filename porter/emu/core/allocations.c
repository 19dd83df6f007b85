// The ranges of memory that device code may touch: one sorted table, replaced as a whole when it changes, so that
// threads that look something up never wait for one that allocates.
#include "image.h"
#include "memory.h"

#include <pthread.h>

typedef struct { u64 start, end; u32 flags; } Range;
typedef struct { u32 count; Range ranges[]; } Table;

static Table *volatile current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void publish(Table *table) {
  // Old tables stay: a reader may still hold one, and they are small beside what they describe.
  __atomic_store_n(&current, table, __ATOMIC_RELEASE);
}

void memory_add(u64 start, u64 size, u32 flags) {
  if (!size) return;
  pthread_mutex_lock(&lock);
  const Table *old = current;
  const u32 count = old ? old->count : 0;
  Table *table = malloc(sizeof *table + (count + 1) * sizeof(Range));
  u32 at = 0;
  while (at < count && old->ranges[at].start < start) at++;
  if (at) memcpy(table->ranges, old->ranges, at * sizeof(Range));
  table->ranges[at] = (Range){start, start + size, flags};
  if (count > at) memcpy(table->ranges + at + 1, old->ranges + at, (count - at) * sizeof(Range));
  table->count = count + 1;
  publish(table);
  pthread_mutex_unlock(&lock);
}

int memory_remove(u64 start) {
  pthread_mutex_lock(&lock);
  const Table *old = current;
  int found = 0;
  for (u32 at = 0; old && at < old->count; at++) {
    if (old->ranges[at].start != start) continue;
    Table *table = malloc(sizeof *table + old->count * sizeof(Range));
    memcpy(table->ranges, old->ranges, at * sizeof(Range));
    memcpy(table->ranges + at, old->ranges + at + 1, (old->count - at - 1) * sizeof(Range));
    table->count = old->count - 1;
    publish(table);
    found = 1;
    break;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

static const Range *find(const Table *table, u64 address) {
  u32 low = 0, high = table->count;
  while (low < high) {
    const u32 middle = (low + high) / 2;
    if (table->ranges[middle].start <= address) low = middle + 1;
    else high = middle;
  }
  return low && address < table->ranges[low - 1].end ? &table->ranges[low - 1] : NULL;
}

int out_of_bounds(const u64 *addresses, u64 lanes, u32 size, bool write) {
  static __thread Range last;
  (void)write;
  u64 low = ~0ull, high = 0;
  if (lanes == ALL_LANES) {
    for (int l = 0; l < LANE_COUNT; l++) {
      low = addresses[l] < low ? addresses[l] : low;
      high = addresses[l] > high ? addresses[l] : high;
    }
  } else {
    for (u64 m = lanes; m; m &= m - 1) {
      const u64 a = addresses[__builtin_ctzll(m)];
      low = a < low ? a : low;
      high = a > high ? a : high;
    }
  }
  if (!lanes) return -1;
  const Table *table = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
  static __thread const Table *seen;
  if (likely(table == seen && low >= last.start && high + size <= last.end)) return -1;
  if (!table) return __builtin_ctzll(lanes);
  const Range *range = find(table, low);
  if (range && high + size <= range->end) {
    seen = table;
    last = *range;
    return -1;
  }
  for (u64 m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctzll(m);
    const Range *own = find(table, addresses[l]);
    if (!own || addresses[l] + size > own->end) return l;
  }
  return -1;
}
