// What a kernel touches in global memory, for races between the operations of streams (host/streams/stream_races.cpp).
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check_streams.h"
#include "shadow.h"

#define FIRST_SLOTS 1024
#define NEAR_PAGES 64
#define MOST_PAGES (1u << 18)  // 1 GiB that one operation touches

Touched *touched_new(void) {
  static u64 ids;
  Touched *t = calloc(1, sizeof *t);
  t->id = __atomic_add_fetch(&ids, 1, __ATOMIC_RELAXED);
  t->slot_count = FIRST_SLOTS;
  t->slots = calloc(t->slot_count, sizeof *t->slots);
  pthread_mutex_init(&t->lock, NULL);
  return t;
}

void touched_free(Touched *t) {
  if (!t) return;
  for (u32 i = 0; i < t->slot_count; i++) free(t->slots[i]);
  free(t->slots);
  pthread_mutex_destroy(&t->lock);
  free(t);
}

static u32 slot_of(const Touched *t, u64 key) {
  u32 at = (u32)(key * 0x9e3779b97f4a7c15ull >> 32) & (t->slot_count - 1);
  while (t->slots[at] && t->slots[at]->page != key) at = (at + 1) & (t->slot_count - 1);
  return at;
}

static void grow(Touched *t) {
  TouchedPage **old = t->slots;
  const u32 count = t->slot_count;
  t->slot_count *= 2;
  t->slots = calloc(t->slot_count, sizeof *t->slots);
  for (u32 i = 0; i < count; i++)
    if (old[i]) t->slots[slot_of(t, old[i]->page)] = old[i];
  free(old);
}

// Under the lock; NULL where there are too many.
static TouchedPage *page_at(Touched *t, u64 address) {
  const u64 key = (address >> TOUCHED_BITS) + 1;
  u32 at = slot_of(t, key);
  if (t->slots[at]) return t->slots[at];
  if (t->page_count >= MOST_PAGES) {
    t->full = 1;
    return NULL;
  }
  if (2 * ++t->page_count > t->slot_count) {
    grow(t);
    at = slot_of(t, key);
  }
  t->slots[at] = calloc(1, sizeof(TouchedPage));
  t->slots[at]->page = key;
  return t->slots[at];
}

// The pages that this thread met last: a page stays where it is as long as its operation is known.
static TouchedPage *near_page(Touched *t, u64 address) {
  static __thread struct { u64 id, key; TouchedPage *page; } near[NEAR_PAGES];
  const u64 key = (address >> TOUCHED_BITS) + 1, at = key % NEAR_PAGES;
  if (likely(near[at].id == t->id && near[at].key == key)) return near[at].page;
  pthread_mutex_lock(&t->lock);
  TouchedPage *page = page_at(t, address);
  pthread_mutex_unlock(&t->lock);
  near[at].id = t->id, near[at].key = key, near[at].page = page;
  return page;
}

static void set_bits(u64 *bits, u32 from, u32 to) {
  for (u32 at = from; at < to;) {
    const u32 end = (at | 63) + 1 < to ? (at | 63) + 1 : to;
    const u64 some = (end - at == 64 ? ~0ull : (1ull << (end - at)) - 1) << (at & 63);
    u64 *word = &bits[at / 64];
    if ((__atomic_load_n(word, __ATOMIC_RELAXED) & some) != some) __atomic_fetch_or(word, some, __ATOMIC_RELAXED);
    at = end;
  }
}

static void touch(Touched *t, u64 from, u64 to, u32 access, u32 ins) {
  for (u64 at = from, end; at < to; at = end) {
    end = (at | (TOUCHED_BYTES - 1)) + 1 < to ? (at | (TOUCHED_BYTES - 1)) + 1 : to;
    TouchedPage *page = near_page(t, at);
    if (!page) return;
    const u32 first = (u32)at & (TOUCHED_BYTES - 1), last = first + (u32)(end - at);
    const bool writes = access & ACCESS_WRITE;
    set_bits(writes ? page->written : page->read, first, last);
    u32 *who = writes ? &page->writer : &page->reader;
    if (!__atomic_load_n(who, __ATOMIC_RELAXED)) __atomic_store_n(who, ins, __ATOMIC_RELAXED);
  }
}

void touched_pages(const Touched *t, void (*each)(void *to, const TouchedPage *page), void *to) {
  for (u32 i = 0; i < t->slot_count; i++)
    if (t->slots[i]) each(to, t->slots[i]);
}

u64 touched_first(const TouchedPage *page) {
  for (u32 i = 0; i < TOUCHED_WORDS; i++)
    if (page->read[i] | page->written[i])
      return ((page->page - 1) << TOUCHED_BITS) + i * 64 + (u32)__builtin_ctzll(page->read[i] | page->written[i]);
  return 0;
}

bool touched_at(const Touched *t, u64 address, bool *writes, u32 *ins) {
  const TouchedPage *page = t->slots[slot_of(t, (address >> TOUCHED_BITS) + 1)];
  if (!page) return false;
  const u32 at = (u32)address & (TOUCHED_BYTES - 1);
  *writes = page->written[at / 64] >> (at & 63) & 1;
  *ins = *writes ? page->writer : page->reader;
  return *writes || page->read[at / 64] >> (at & 63) & 1;
}

void touched_range(Touched *t, u64 address, u64 size, bool writes) {
  touch(t, address, address + size, writes ? ACCESS_WRITE : ACCESS_READ, 0);
}

void touched_forget(Touched *t, u64 address, u64 size) {
  for (u32 i = 0; i < t->slot_count; i++) {
    TouchedPage *page = t->slots[i];
    const u64 start = page ? (page->page - 1) << TOUCHED_BITS : 0, end = address + size;
    if (!page || start >= end || start + TOUCHED_BYTES <= address) continue;
    for (u32 at = 0; at < TOUCHED_BYTES; at++)
      if (start + at >= address && start + at < end)
        page->read[at / 64] &= ~(1ull << at % 64), page->written[at / 64] &= ~(1ull << at % 64);
  }
}

// Loads and stores past all caches, as those of volatile values and of system scope are.
static bool reaches_host(const Image *image, u32 ins) { return strstr(image->strings + image->places[ins].text, " sc1"); }

static void signals(Touched *t, const u64 *addresses, u64 lanes) {
  u64 last = 0;
  for (u64 m = lanes; m; m &= m - 1) {
    const u64 address = addresses[__builtin_ctzll(m)];
    if (address >> TOUCHED_BITS == last) continue;
    last = address >> TOUCHED_BITS;
    TouchedPage *page = near_page(t, address);
    if (page && !page->signals) __atomic_store_n(&page->signals, ((u32)address & (TOUCHED_BYTES - 1)) + 1, __ATOMIC_RELAXED);
  }
}

// Loads that wait for somebody's signal are no race with it; after them, and after atomics that give back what was there,
// the kernel may know what others have done.
void stream_access(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  Touched *t = w->launch->touched;
  const bool polls = w->launch->polls[I->index];
  if (polls || (access & ACCESS_ATOMIC && w->launch->image->regs[I->index].v_out_count)) t->heard = 1;
  const bool atomic = access & ACCESS_ATOMIC;
  if (atomic || reaches_host(w->launch->image, I->index)) signals(t, addresses, lanes);
  if (atomic || (polls && !(access & ACCESS_WRITE))) return;
  const u32 ins = I->index + 1;
  for (u64 m = lanes; m;) {
    const int first = __builtin_ctzll(m);
    int last = first;
    m &= m - 1;
    while (m >> 1 >> last & 1 && addresses[last + 1] == addresses[last] + size) m &= m - 1, last++;
    touch(t, addresses[first], addresses[last] + size, access, ins);
  }
}

// Of one page: bits of `a` that meet bits of `b`.
static bool meet(const u64 *a, const u64 *b, u64 start, StreamRace *out) {
  for (u32 i = 0; i < TOUCHED_WORDS; i++) {
    const u64 both = a[i] & b[i];
    if (!both) continue;
    const u32 first = i * 64 + (u32)__builtin_ctzll(both);
    u32 end = first;
    while (end < TOUCHED_BYTES && a[end / 64] & b[end / 64] & 1ull << (end & 63)) end++;
    out->address = start + first;
    out->size = end - first;
    return true;
  }
  return false;
}

bool touched_race(const Touched *a, const Touched *b, StreamRace *out) {
  for (u32 i = 0; i < a->slot_count; i++) {
    const TouchedPage *p = a->slots[i];
    const TouchedPage *q = p ? b->slots[slot_of(b, p->page)] : NULL;
    if (!q) continue;
    const u64 start = (p->page - 1) << TOUCHED_BITS;
    out->ins_a = p->writer, out->a_writes = true, out->ins_b = q->writer, out->b_writes = true;
    if (meet(p->written, q->written, start, out)) return true;
    out->ins_b = q->reader, out->b_writes = false;
    if (meet(p->written, q->read, start, out)) return true;
    out->ins_a = p->reader, out->a_writes = false, out->ins_b = q->writer, out->b_writes = true;
    if (meet(p->read, q->written, start, out)) return true;
  }
  return false;
}
