// Races: two accesses to one word, one of them a write, and nothing that orders them.
//
// Within a workgroup order comes from barriers and from signals: an atomic, or a load that polls (find_polls() in image.c finds
// those), takes over what the last writer of the word knew. Across workgroups it comes from atomics and polling alone;
// there a time stamp of the last signal each workgroup sent and received stands for it, which may miss a race between
// workgroups that signalled each other about something else, and never invents one.
#include "checks.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static u32 byte_mask(u64 address, u32 size) {
  if (size >= 4) return 15;
  return ((1u << size) - 1) << (address & 3);
}

static void learn(GroupShadow *s, u32 a, u32 b, u16 clock) {
  for (u32 k = 0; k < MAX_WAVES; k++)
    if (k != a && s->known[b][k] > s->known[a][k] && k != b) s->known[a][k] = s->known[b][k];
  if (clock > s->known[a][b]) s->known[a][b] = clock;
}

// Four lanes from l on that take the four words of a quarter line together
static inline bool quad(const u64 *addresses, u64 lanes, int l, u32 size) {
  if (size != 4 || l > LANE_COUNT - 4 || (lanes >> l & 15) != 15) return false;
  const u64 a = addresses[l];
  return addresses[l + 1] == a + 4 && addresses[l + 2] == a + 8 && addresses[l + 3] == a + 12;
}

// ---- LDS ------------------------------------------------------------------------------------------------------------

static u32 write_flags(u16 clock, bool atomic, u32 bytes) { return (u32)clock << 16 | (u32)atomic << 8 | bytes; }
static u16 clock_of(u32 flags) { return (u16)(flags >> 16); }

#define SPARE 4  // words at the end, so that four may be looked at together
void race_new_group(GroupShadow *s, u32 lds_bytes, bool signals) {
  u32 **const arrays[] = {&s->write_tags, &s->write_ins, &s->write_sequence, &s->write_flags,
                          &s->read_tags,  &s->read_ins,  &s->read_sequence};
  s->words = lds_bytes / 4 + 1;
  for (u32 i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = calloc(s->words + SPARE, 4);
  if (signals) s->read_clocks = calloc(s->words + SPARE, sizeof *s->read_clocks);
}

void race_free_group(GroupShadow *s) {
  u32 *const arrays[] = {s->write_tags, s->write_ins, s->write_sequence, s->write_flags,
                         s->read_tags,  s->read_ins,  s->read_sequence};
  for (u32 i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  free(s->read_clocks);
}

// What one instruction runs into; said once for all its lanes.
typedef struct { i64 other; u64 at; int lane; } Clash;

static void clash(Clash *c, u32 other, u64 at, int lane) {
  if (c->other < 0) *c = (Clash){other, at, lane};
}

typedef struct {
  GroupShadow *s;
  u32 me, epoch, ins, sequence;
  bool atomic, polls;
  u16 now;
  Clash race, unfinished;
} LdsAccess;

// The last write of a word, against an access by another wave: of this epoch a race, unless a signal orders them; of
// the one before it was published by the barrier, if its wave had waited for it.
static void meet_write(LdsAccess *x, u32 at, u32 bytes, u64 address, int lane) {
  GroupShadow *s = x->s;
  const u32 tag = s->write_tags[at], writer = TAG_WAVE(tag), flags = s->write_flags[at];
  if (TAG_EPOCH(tag) == x->epoch) {
    if (!(flags & bytes) || clock_of(flags) <= s->known[x->me][writer]) return;
    if (x->polls || (x->atomic && flags & 0x100)) learn(s, x->me, writer, clock_of(flags));
    else clash(&x->race, s->write_ins[at], address, lane);
  } else if (s->unfinished && s->write_sequence[at] > s->lds_complete[writer][x->epoch & 1]) {
    clash(&x->unfinished, s->write_ins[at], address, lane);
  }
}

// The last reads of a word, against a write by this wave.
static void meet_reads(LdsAccess *x, u32 at, u64 address, int lane) {
  GroupShadow *s = x->s;
  const u32 tag = s->read_tags[at], reader = TAG_WAVE(tag);
  if (TAG_EPOCH(tag) == x->epoch) {
    if (!s->read_clocks) {
      clash(&x->race, s->read_ins[at], address, lane);
      return;
    }
    for (u32 b = 0; b < MAX_WAVES; b++)
      if (b != x->me && s->read_clocks[at][b] > s->known[x->me][b]) clash(&x->race, s->read_ins[at], address, lane);
  } else if (s->unfinished && reader != SEVERAL && s->read_sequence[at] > s->lds_complete[reader][x->epoch & 1]) {
    clash(&x->unfinished, s->read_ins[at], address, lane);
  }
}

static inline bool recent_of_others(u32 tag, u32 epoch, u32 me) {
  return TAG_EPOCH(tag) + 1 >= epoch && TAG_WAVE(tag) != me;
}

static void read_word(LdsAccess *x, u32 at, u32 bytes, u64 address, int lane) {
  GroupShadow *s = x->s;
  if (unlikely(recent_of_others(s->write_tags[at], x->epoch, x->me))) meet_write(x, at, bytes, address, lane);
  if (x->polls) return;
  const u32 mine = TAG(x->epoch, x->me), tag = s->read_tags[at];
  const bool fresh = TAG_EPOCH(tag) != x->epoch;
  s->read_tags[at] = fresh || tag == mine ? mine : TAG(x->epoch, SEVERAL);
  s->read_ins[at] = x->ins;
  s->read_sequence[at] = x->sequence;
  if (!s->read_clocks) return;
  if (fresh) memset(s->read_clocks[at], 0, sizeof s->read_clocks[at]);
  s->read_clocks[at][x->me] = x->now;
}

static void write_word(LdsAccess *x, u32 at, u32 bytes, u64 address, int lane) {
  GroupShadow *s = x->s;
  if (unlikely(recent_of_others(s->write_tags[at], x->epoch, x->me))) meet_write(x, at, bytes, address, lane);
  if (unlikely(recent_of_others(s->read_tags[at], x->epoch, x->me))) meet_reads(x, at, address, lane);
  s->write_tags[at] = TAG(x->epoch, x->me);
  s->write_ins[at] = x->ins;
  s->write_sequence[at] = x->sequence;
  s->write_flags[at] = write_flags(x->now, x->atomic, bytes);
}

// The same for N whole words at once, where the tags show that no other wave comes into it: false where one may.
// Writes of the epoch before count as harmless where every wave arrived at the barrier with nothing under way.
#define TOGETHER(N)                                                                                      \
  typedef u32 words##N __attribute__((ext_vector_type(N), aligned(4)));                                  \
  static inline bool read_##N(LdsAccess *x, u32 oldest, u32 at) {                                        \
    GroupShadow *s = x->s;                                                                               \
    const u32 mine = TAG(x->epoch, x->me);                                                               \
    const words##N written = *(const words##N *)(s->write_tags + at);                                    \
    const words##N harmless = (words##N)((written >> 5) < oldest) | (words##N)((written & 31) == x->me); \
    if (unlikely(__builtin_reduce_and(harmless) != ~0u)) return false;                                   \
    words##N *tags = (words##N *)(s->read_tags + at);                                                    \
    const words##N old = *tags, first = (words##N)((old >> 5) != x->epoch) | (words##N)(old == mine);    \
    *tags = (first & mine) | (~first & TAG(x->epoch, SEVERAL));                                          \
    if (!__builtin_reduce_or(first)) return true;  /* the first reader is as good as any */              \
    *(words##N *)(s->read_ins + at) = (words##N)x->ins;                                                  \
    *(words##N *)(s->read_sequence + at) = (words##N)x->sequence;                                        \
    return true;                                                                                         \
  }                                                                                                      \
  static inline bool write_##N(LdsAccess *x, u32 oldest, u32 at) {                                       \
    GroupShadow *s = x->s;                                                                               \
    const words##N written = *(const words##N *)(s->write_tags + at), read = *(const words##N *)(s->read_tags + at); \
    const words##N harmless = ((words##N)((written >> 5) < oldest) | (words##N)((written & 31) == x->me)) &          \
                              ((words##N)((read >> 5) < oldest) | (words##N)((read & 31) == x->me));     \
    if (unlikely(__builtin_reduce_and(harmless) != ~0u)) return false;                                   \
    *(words##N *)(s->write_tags + at) = (words##N)TAG(x->epoch, x->me);                                  \
    *(words##N *)(s->write_ins + at) = (words##N)x->ins;                                                 \
    *(words##N *)(s->write_sequence + at) = (words##N)x->sequence;                                       \
    *(words##N *)(s->write_flags + at) = (words##N)write_flags(x->now, x->atomic, 15);                   \
    return true;                                                                                         \
  }
TOGETHER(2)
TOGETHER(4)

static inline bool together(LdsAccess *x, bool writes, u32 at, u32 words) {
  const u32 oldest = x->s->unfinished ? x->epoch - 1 : x->epoch;
  if (words == 4) return writes ? write_4(x, oldest, at) : read_4(x, oldest, at);
  return words == 2 && (writes ? write_2(x, oldest, at) : read_2(x, oldest, at));
}

// A whole wave's reads of 8 or 16 bytes: the lanes that have to be looked at one by one.
static u64 read_all(LdsAccess *x, u32 oldest, const u64 *addresses, u32 size) {
  u64 left = 0;
  if (size == 8)
    for (int l = 0; l < LANE_COUNT; l++) left |= (u64)!read_2(x, oldest, (u32)(addresses[l] >> 2)) << l;
  else
    for (int l = 0; l < LANE_COUNT; l++) left |= (u64)!read_4(x, oldest, (u32)(addresses[l] >> 2)) << l;
  for (int l = 0; l < LANE_COUNT; l++) left |= (u64)(addresses[l] & 3 ? 1 : 0) << l;  // a fifth word
  return left;
}

void race_lds(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  GroupShadow *s = w->shadow->group;
  const bool writes = access & (ACCESS_WRITE | ACCESS_ATOMIC);
  LdsAccess x = {.s = s, .me = w->id, .epoch = s->epoch, .ins = I->index, .sequence = w->shadow->lds_issued,
                 .atomic = access & ACCESS_ATOMIC, .polls = w->launch->polls[I->index], .now = s->known[w->id][w->id],
                 .race = {-1, 0, 0}, .unfinished = {-1, 0, 0}};
  const bool quick = !s->read_clocks;
  const u32 oldest = s->unfinished ? x.epoch - 1 : x.epoch;
  if (quick && !writes && lanes == ALL_LANES && (size == 8 || size == 16)) lanes = read_all(&x, oldest, addresses, size);
  for (u64 m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctzll(m);
    const u64 address = addresses[l];
    const u32 first = (u32)(address >> 2), last = (u32)((address + size - 1) >> 2);
    if (quick && quad(addresses, m, l, size)) {
      if (together(&x, writes, first, 4)) {
        m &= ~(14ull << l);
        continue;
      }
    } else if (quick && together(&x, writes, first, last - first + 1)) {
      continue;
    }
    const u32 bytes = byte_mask(address, size);
    for (u32 at = first; at <= last && at < s->words; at++)
      writes ? write_word(&x, at, bytes, address, l) : read_word(&x, at, bytes, address, l);
  }
  // Another wave may take this write as a signal: what comes after it is later.
  if (writes && s->read_clocks && x.now < 0xffff) s->known[x.me][x.me] = x.now + 1;
  if (x.race.other >= 0 && w->checks & CHECK_LDS_RACE)
    note(w, I, FAULT_LDS_RACE, x.race.lane, x.race.at, size, x.race.other);
  if (x.unfinished.other >= 0 && w->checks & CHECK_WAIT)
    note(w, I, FAULT_MISSING_WAIT, x.unfinished.lane, x.unfinished.at, size, x.unfinished.other);
}

// ---- global memory ----------------------------------------------------------------------------------------------------

// Tags are the workgroup (+ 1), its epoch and the wave; 0 is nobody.
#define GLOBAL_TAG(group, epoch, wave) ((u64)(group) << 32 | (u32)((epoch) << 5 | (wave)))
#define TAG_GROUP(tag) ((u32)((tag) >> 32))
#define MANY_GROUPS 0xffffffffu  // in place of epoch and wave: readers of several workgroups
#define PAGE_WORDS 1024
typedef struct {
  u32 newest_writer;  // workgroup that wrote the page last: most pages are only read, and need no look at the writes
  u64 writes[PAGE_WORDS], reads[PAGE_WORDS];
  u32 write_ins[PAGE_WORDS], write_time[PAGE_WORDS], write_sequence[PAGE_WORDS], write_flags[PAGE_WORDS];
  u32 read_ins[PAGE_WORDS], read_time[PAGE_WORDS];
} Page;
typedef struct { u64 page; Page *state; } Slot;

#define SLOTS (1u << 20)
#define KEPT_PAGES 25000  // a gigabyte; more is given back before the next launch
typedef struct {
  Slot *slots;
  u32 *sent, *received;  // times of each workgroup's last signal
  u64 groups;
  u64 launched;          // workgroups of this launch
  u32 pages;             // in use
  u32 base;              // of this launch's workgroups: smaller ones in a tag are of earlier launches, and past
  u32 time;
  void **slabs;          // pages come from these, 2 MB each
  u32 slab_count, slab_used;
  pthread_mutex_t lock;
  u32 generation;        // of the pages: they are freed when it changes
  bool busy, told;       // whether the user knows that there is no room for more
} GlobalRaces;

// Kept from launch to launch: a fresh table costs more than a small kernel's run.
static GlobalRaces kept;

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
}

static void clear_races(GlobalRaces *r) {
  for (u32 i = 0; i < r->slab_count; i++) free(r->slabs[i]);
  free(r->slabs);
  free(r->slots);
  free(r->sent);
  free(r->received);
  *r = (GlobalRaces){.busy = r->busy, .generation = r->generation + 1};
}

void *race_new_launch(u64 groups) {
  GlobalRaces *r = __atomic_exchange_n(&kept.busy, true, __ATOMIC_ACQUIRE) ? calloc(1, sizeof *r) : &kept;
  if (r->base + groups > 0xfffffff0u || r->pages > KEPT_PAGES) clear_races(r);
  start_races(r, groups);
  return r;
}

void race_free_launch(void *state) {
  GlobalRaces *r = state;
  r->base += (u32)r->launched;
  if (r == &kept) {
    __atomic_store_n(&kept.busy, false, __ATOMIC_RELEASE);
    return;
  }
  clear_races(r);
  free(r);
}

// Large pages of memory, where the system has them: what is kept is ten times what the kernel touches.
#define SLAB_BYTES (2u << 20)

// A quarter of the machine's memory may go into it.
static u64 most_pages(void) {
  return (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE) / 4 / sizeof(Page);
}

static Page *new_page(GlobalRaces *r) {
  const u32 per_slab = SLAB_BYTES / sizeof(Page);
  pthread_mutex_lock(&r->lock);
  if (r->pages >= most_pages()) {
    if (!r->told) fprintf(stderr, "porter: global-race looks at the first %llu MB that the kernel touches; this one touches more\n",
                          (unsigned long long)most_pages() * PAGE_WORDS * 4 >> 20);
    r->told = true;
    pthread_mutex_unlock(&r->lock);
    return NULL;
  }
  if (!r->slab_count || r->slab_used == per_slab) {
    r->slabs = realloc(r->slabs, (r->slab_count + 1) * sizeof *r->slabs);
    void *slab = aligned_alloc(SLAB_BYTES, SLAB_BYTES);
    madvise(slab, SLAB_BYTES, MADV_HUGEPAGE);
    memset(slab, 0, SLAB_BYTES);
    r->slabs[r->slab_count++] = slab;
    r->slab_used = 0;
  }
  Page *page = (Page *)r->slabs[r->slab_count - 1] + r->slab_used++;
  r->pages++;
  pthread_mutex_unlock(&r->lock);
  return page;
}

static Page *page_of(GlobalRaces *r, u64 page) {
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
    Page *state = __atomic_load_n(&r->slots[at].state, __ATOMIC_ACQUIRE);
    if (state) return state;
    Page *fresh = new_page(r), *nothing = NULL;
    if (!fresh) return NULL;
    if (__atomic_compare_exchange_n(&r->slots[at].state, &nothing, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      return fresh;
    }
    return nothing;  // another thread was first; the page that is left over is small beside its slab
  }
  return NULL;
}

// Storing what is there already is what programs do on purpose: a flag that everybody raises.
static bool same_value(const Wave *w, const Ins *I, u64 address, u64 start, int lane, u32 size) {
  const Regs *regs = &w->launch->image->regs[I->index];
  if (size % 4 || regs->role & ROLE_ATOMIC || !regs->v_count[1]) return false;
  u32 word;
  memcpy(&word, (const void *)(address & ~3ull), 4);
  return word == w->R[(regs->v[1] + ((address - start) >> 2)) * LANE_COUNT + lane];
}

// The pages that this thread met last; the table of all is too large for the processor's caches.
#define NEAR_PAGES 256
static Page *near_page(GlobalRaces *r, u64 page) {
  static __thread struct { u64 page; Page *state; u32 generation; } near[NEAR_PAGES];
  if (r != &kept) return page_of(r, page);
  const u32 at = page & (NEAR_PAGES - 1);
  if (near[at].page != page || near[at].generation != r->generation || !near[at].state) {
    near[at].state = page_of(r, page);
    near[at].page = page, near[at].generation = r->generation;
  }
  return near[at].state;
}

typedef struct {
  Wave *w;
  const Ins *I;
  GlobalRaces *r;
  GroupShadow *s;
  u32 group, me, size;
  u32 now;
  bool writes, atomic, polls;
  u64 tag;
} GlobalAccess;

static bool signalled(const GlobalRaces *r, u32 from, u32 to, u32 time) {
  return r->sent[from - r->base - 1] > time && r->received[to - r->base - 1] > time;
}

// The instruction that a word's last write was made by, where it races with this access; -1 where it does not.
static i64 against_write(const GlobalAccess *x, const Page *page, u32 at, u32 bytes, u64 address, int lane) {
  const u64 tag = page->writes[at];
  const u32 other = TAG_WAVE((u32)tag), epoch = TAG_EPOCH((u32)tag), flags = page->write_flags[at];
  const i64 found = (i64)page->write_ins[at];
  if (!(flags & bytes) || (x->atomic && flags & 0x100)) return -1;
  if (TAG_GROUP(tag) != x->group)
    return x->polls || signalled(x->r, TAG_GROUP(tag), x->group, page->write_time[at]) ? -1 : found;
  if (other == x->me) return -1;
  if (epoch == x->s->epoch) return x->polls || x->s->known[x->me][other] ? -1 : found;
  if (epoch + 1 == x->s->epoch && x->w->checks & CHECK_WAIT &&
      page->write_sequence[at] > x->s->vm_complete[other][x->s->epoch & 1])
    note(x->w, x->I, FAULT_MISSING_WAIT, lane, address, x->size, found);
  return -1;
}

static i64 against_reads(const GlobalAccess *x, const Page *page, u32 at) {
  const u64 tag = page->reads[at];
  const u32 other = TAG_WAVE((u32)tag);
  const i64 found = (i64)page->read_ins[at];
  if ((u32)tag == MANY_GROUPS) return -1;
  // Looking at a counter before one raises it oneself is common, and harmless.
  if (TAG_GROUP(tag) != x->group) return x->atomic || signalled(x->r, TAG_GROUP(tag), x->group, page->read_time[at]) ? -1 : found;
  const bool same = TAG_EPOCH((u32)tag) == x->s->epoch && other != x->me;
  return same && (other == SEVERAL || !x->s->known[x->me][other]) ? found : -1;
}

// Tags of earlier launches are nobody's.
static inline u64 current(const GlobalAccess *x, u64 tag) { return TAG_GROUP(tag) > x->r->base ? tag : 0; }

static void touch(const GlobalAccess *x, Page *page, u64 at, u64 address, u32 bytes, int lane) {
  const u32 slot = at >> 2 & (PAGE_WORDS - 1);
  const u64 written = current(x, page->writes[slot]), read = current(x, page->reads[slot]);
  i64 other = -1;
  if (written && written != x->tag) other = against_write(x, page, slot, bytes, at, lane);
  if (x->writes && read && read != x->tag && other < 0) other = against_reads(x, page, slot);
  if (other >= 0 && !(x->writes && same_value(x->w, x->I, at, address, lane, x->size)))
    note(x->w, x->I, FAULT_GLOBAL_RACE, lane, at, x->size, other);
  if (x->writes) {
    page->newest_writer = x->group;
    page->writes[slot] = x->tag;
    page->write_ins[slot] = x->I->index, page->write_time[slot] = x->now;
    page->write_sequence[slot] = x->w->shadow->vm_issued, page->write_flags[slot] = write_flags(0, x->atomic, bytes);
    return;
  }
  if (x->polls || read == x->tag || (read && (u32)read == MANY_GROUPS)) return;
  if (read && TAG_GROUP(read) != x->group) page->reads[slot] = (u64)x->group << 32 | MANY_GROUPS;
  else if (read && TAG_EPOCH((u32)read) == x->s->epoch) page->reads[slot] = GLOBAL_TAG(x->group, x->s->epoch, SEVERAL);
  else page->reads[slot] = x->tag;
  page->read_ins[slot] = x->I->index, page->read_time[slot] = x->now;
}

// Four words that nobody wrote in this launch, read by nobody yet, by several workgroups, or by this wave.
static inline bool read_together(const GlobalAccess *x, Page *page, u32 slot) {
  typedef u64 tags4 __attribute__((ext_vector_type(4), aligned(8)));
  typedef u32 words4 __attribute__((ext_vector_type(4), aligned(4)));
  const u64 past = (u64)(x->r->base + 1) << 32;  // tags below it are of earlier launches
  if (page->newest_writer > x->r->base && __builtin_reduce_max(*(const tags4 *)(page->writes + slot)) >= past) return false;
  tags4 *reads = (tags4 *)(page->reads + slot);
  const tags4 old = *reads;
  const tags4 unread = (tags4)(old < past), mine = (tags4)(old == x->tag), many = (tags4)((old & 0xffffffff) == MANY_GROUPS);
  const tags4 elsewhere = (tags4)((old >> 32) != x->group) & ~unread;
  if (__builtin_reduce_and(~unread & (mine | many)) == ~0ull) return true;
  if (unlikely(__builtin_reduce_and(unread | mine | elsewhere) != ~0ull)) return false;  // other waves of this workgroup
  *reads = (unread & x->tag) | (mine & old) | (elsewhere & ((u64)x->group << 32 | MANY_GROUPS));
  *(words4 *)(page->read_ins + slot) = (words4)x->I->index;
  *(words4 *)(page->read_time + slot) = (words4)x->now;
  return true;
}

// Four words that nobody has touched in this launch but this wave in this epoch
static inline bool write_together(const GlobalAccess *x, Page *page, u32 slot) {
  typedef u64 tags4 __attribute__((ext_vector_type(4), aligned(8)));
  typedef u32 words4 __attribute__((ext_vector_type(4), aligned(4)));
  const u64 past = (u64)(x->r->base + 1) << 32;
  const tags4 written = *(const tags4 *)(page->writes + slot), read = *(const tags4 *)(page->reads + slot);
  const tags4 own = ((tags4)(written < past) | (tags4)(written == x->tag)) & ((tags4)(read < past) | (tags4)(read == x->tag));
  if (unlikely(__builtin_reduce_and(own) != ~0ull)) return false;
  page->newest_writer = x->group;
  *(tags4 *)(page->writes + slot) = (tags4)x->tag;
  *(words4 *)(page->write_ins + slot) = (words4)x->I->index;
  *(words4 *)(page->write_time + slot) = (words4)x->now;
  *(words4 *)(page->write_sequence + slot) = (words4)x->w->shadow->vm_issued;
  *(words4 *)(page->write_flags + slot) = (words4)write_flags(0, x->atomic, 15);
  return true;
}

void race_global(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  GlobalRaces *r = w->launch->race;
  GroupShadow *s = w->shadow->group;
  GlobalAccess x = {.w = w, .I = I, .r = r, .s = s, .group = r->base + (u32)w->group->number + 1, .me = w->id, .size = size,
                    .writes = access & (ACCESS_WRITE | ACCESS_ATOMIC), .atomic = access & ACCESS_ATOMIC,
                    .polls = w->launch->polls[I->index]};
  x.tag = GLOBAL_TAG(x.group, s->epoch, x.me);
  x.now = __atomic_load_n(&r->time, __ATOMIC_RELAXED);
  if (x.atomic || x.polls) r->received[w->group->number] = x.now + 1;
  u64 seen = ~0ull;
  Page *page = NULL;
  // What is known of the words is far away: all of it is asked for before the first is looked at.
  for (u64 m = lanes; m; m &= m - 1) {
    const u64 address = addresses[__builtin_ctzll(m)];
    if (address >> 12 != seen && !(page = near_page(r, seen = address >> 12))) return;
    const u32 slot = address >> 2 & (PAGE_WORDS - 1);
    __builtin_prefetch(&page->reads[slot], 1);
    if (x.writes || page->newest_writer > r->base) __builtin_prefetch(&page->writes[slot], 1);
  }
  for (u64 m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctzll(m);
    const u64 address = addresses[l];
    const bool four = quad(addresses, m, l, size);
    const u64 end = address + (four ? 16 : size);
    const u32 bytes = byte_mask(address, size);
    for (u64 at = address & ~3ull; at < end; at += 4) {
      if (unlikely(at >> 12 != seen) && !(page = near_page(r, seen = at >> 12))) return;
      const u32 slot = at >> 2 & (PAGE_WORDS - 1);
      if (end - at >= 16 && slot + 4 <= PAGE_WORDS && !x.polls &&
          (x.writes ? write_together(&x, page, slot) : read_together(&x, page, slot))) {
        at += 12;
        if (four) m &= ~(14ull << l);
        continue;
      }
      if (four && at > address) break;  // the other three come in their own turns
      const u64 read = page->reads[slot];
      if (!x.writes && TAG_GROUP(page->writes[slot]) <= r->base &&
          (read == x.tag || ((u32)read == MANY_GROUPS && TAG_GROUP(read) > r->base)))
        continue;
      touch(&x, page, at, address, bytes, l);
    }
  }
  // A write may be the signal that another workgroup polls for.
  if (x.writes) r->sent[w->group->number] = __atomic_add_fetch(&r->time, 1, __ATOMIC_RELAXED);
}
