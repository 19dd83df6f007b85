// The pages of global-race, their memory, and its life.
#include "check_races_pages.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

GlobalRaces kept_races;

#define KEPT_BYTES (1ull << 30)  // more is given back before the next launch

// Large pages of memory, where the system has them: what is kept is several times what the kernel touches.
#define SLAB_BYTES (2u << 20)

static void start_races(GlobalRaces *r, u64 groups) {
  if (!r->slots) r->slots = calloc(SLOTS, sizeof(Slot));
  if (groups > r->groups) {
    free(r->sent);
    free(r->received);
    r->sent = malloc(4 * groups);
    r->received = malloc(4 * groups);
    r->groups = groups;
  }
  memset(r->sent, 0, 4 * groups);
  memset(r->received, 0, 4 * groups);
  r->launched = groups;
  r->time = 1;
  r->crossed = false;
}

static void clear_races(GlobalRaces *r) {
  for (u32 i = 0; i < r->slab_count; i++) free(r->slabs[i]);
  free(r->slabs);
  free(r->slots);
  free(r->sent);
  free(r->received);
  *r = (GlobalRaces){.busy = r->busy, .generation = r->generation + 1};
}

// Of a launch beside another one. Threads know pages by a number that no other state has had.
static GlobalRaces *new_races(void) {
  static u32 generations = 1u << 31;
  GlobalRaces *r = calloc(1, sizeof *r);
  r->generation = __atomic_add_fetch(&generations, 1, __ATOMIC_RELAXED);
  return r;
}

void *race_new_launch(u64 groups) {
  GlobalRaces *r = __atomic_exchange_n(&kept_races.busy, true, __ATOMIC_ACQUIRE) ? new_races() : &kept_races;
  if (r->base + groups > 0xfffffff0u || (u64)r->slab_count * SLAB_BYTES > KEPT_BYTES) clear_races(r);
  start_races(r, groups);
  return r;
}

void race_free_launch(void *state) {
  GlobalRaces *r = state;
  r->base += (u32)r->launched;
  if (r == &kept_races) {
    __atomic_store_n(&kept_races.busy, false, __ATOMIC_RELEASE);
    return;
  }
  clear_races(r);
  free(r);
}

// A quarter of the machine's memory may go into it.
static u64 most_slabs(void) {
  return (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE) / 4 / SLAB_BYTES;
}

// Zeroed memory; NULL where there is no room for more.
static void *room(GlobalRaces *r, u32 bytes) {
  u8 *at = NULL;
  pthread_mutex_lock(&r->lock);
  if (!r->slab_count || r->slab_used + bytes > SLAB_BYTES) {
    if (r->slab_count >= most_slabs()) {
      const unsigned long long megabytes = (unsigned long long)r->pages * PAGE_BYTES >> 20;
      if (!r->told)
        fprintf(stderr, "porter: global-race looks at the first %llu MB that the kernel touches; this one touches more\n",
                megabytes);
      r->told = true;
      pthread_mutex_unlock(&r->lock);
      return NULL;
    }
    r->slabs = realloc(r->slabs, (r->slab_count + 1) * sizeof *r->slabs);
    u8 *slab = aligned_alloc(SLAB_BYTES, SLAB_BYTES);
    madvise(slab, SLAB_BYTES, MADV_HUGEPAGE);
    memset(slab, 0, SLAB_BYTES);
    r->slabs[r->slab_count++] = slab;
    r->slab_used = 0;
  }
  at = r->slabs[r->slab_count - 1] + r->slab_used;
  r->slab_used += (bytes + 63) & ~63u;
  r->pages += bytes == sizeof(Page);
  pthread_mutex_unlock(&r->lock);
  return at;
}

void *race_state(GlobalRaces *r, void **at, u32 bytes) {
  void *found = NULL;
  void *fresh = room(r, bytes);
  if (!fresh) return NULL;
  // Where another thread was first, what is left over is small beside its slab.
  return __atomic_compare_exchange_n(at, &found, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ? fresh : found;
}

Page *page_of(GlobalRaces *r, u64 page) {
  u32 at = (u32)((page * 0x9e3779b97f4a7c15ull) >> 44);
  for (u32 tries = 0; tries < SLOTS; tries++, at = (at + 1) & (SLOTS - 1)) {
    u64 found = __atomic_load_n(&r->slots[at].page, __ATOMIC_ACQUIRE);
    if (!found) {
      u64 none = 0;
      if (!__atomic_compare_exchange_n(&r->slots[at].page, &none, page, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        if (none != page) continue;
      }
      found = page;
    }
    if (found != page) continue;
    return kept_at(r, (void **)&r->slots[at].state, sizeof(Page));
  }
  return NULL;
}
