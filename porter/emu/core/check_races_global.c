// Races in global memory, between the waves of a workgroup and between workgroups.
//
// Within a workgroup order comes from barriers and signals, as in LDS. Across workgroups it comes from atomics and
// polling alone; there a time stamp of the last signal each workgroup sent and received stands for it, which may miss a
// race between workgroups that signalled each other about something else, and never invents one.
//
// What is kept is who read and who wrote last, for each piece of four words: most accesses take whole pieces, and then
// it is the same for all four. A piece of which one word is used alone is split: its words have a state of their own.
#include "check_races.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

// Tags are the workgroup (+ 1), its epoch and the wave; 0 is nobody.
#define GLOBAL_TAG(group, epoch, wave) ((u64)(group) << 32 | (u32)((epoch) << 5 | (wave)))
#define TAG_GROUP(tag) ((u32)((tag) >> 32))
#define MANY_GROUPS 0xffffffffu    // in place of epoch and wave: readers of several workgroups
#define SPLIT 0xffffffff00000000u  // both tags of a piece whose words are apart; no workgroup has this number

typedef struct { u32 ins, time, sequence, flags; } Writer;
typedef struct { u32 ins, time; } Reader;
typedef struct {
  u64 write, read;
  Writer writer;
  Reader reader;
} Word;

#define PAGE_BITS 12
#define PAGE_BYTES (1u << PAGE_BITS)
#define PIECES (PAGE_BYTES / 16)
typedef struct {
  u32 newest_writer;  // workgroup that wrote the page last: most pages are only read, and need no look at the writes
  Word (*words)[4];   // of split pieces; made on first need
  u64 writes[PIECES], reads[PIECES];
  Writer writers[PIECES];
  Reader readers[PIECES];
} Page;
typedef struct { u64 page; Page *state; } Slot;

#define SLOTS (1u << 20)
#define KEPT_BYTES (1ull << 30)  // more is given back before the next launch
typedef struct {
  Slot *slots;
  u32 *sent, *received;  // times of each workgroup's last signal
  u64 groups;
  u64 launched;          // workgroups of this launch
  u32 base;              // of this launch's workgroups: smaller ones in a tag are of earlier launches, and past
  u32 time;
  u8 **slabs;            // pages and words come from these, 2 MB each
  u32 slab_count, slab_used;
  u32 pages;
  pthread_mutex_t lock;
  u32 generation;        // of the pages: they are freed when it changes
  bool busy, told;       // whether the user knows that there is no room for more
} GlobalRaces;

// Kept from launch to launch: a fresh table costs more than a small kernel's run.
static GlobalRaces kept;

// ---- what is kept ---------------------------------------------------------------------------------------------------

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
  if (r->base + groups > 0xfffffff0u || (u64)r->slab_count * SLAB_BYTES > KEPT_BYTES) clear_races(r);
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
      if (!r->told) fprintf(stderr, "porter: global-race looks at the first %llu MB that the kernel touches; this one touches more\n",
                            (unsigned long long)r->pages * PAGE_BYTES >> 20);
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
    Page *fresh = room(r, sizeof *fresh), *nothing = NULL;
    if (!fresh) return NULL;
    if (__atomic_compare_exchange_n(&r->slots[at].state, &nothing, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      return fresh;
    }
    return nothing;  // another thread was first; the page that is left over is small beside its slab
  }
  return NULL;
}

// The pages that this thread met last; the table of all is too large for the processor's caches.
#define NEAR_PAGES 1024
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

// The words of a piece, which is split now if it was not; NULL where there is no room.
static Word *split(GlobalRaces *r, Page *page, u32 piece) {
  Word (*words)[4] = __atomic_load_n(&page->words, __ATOMIC_ACQUIRE);
  if (!words) {
    Word (*fresh)[4] = room(r, PIECES * sizeof *fresh), (*none)[4] = NULL;
    if (!fresh) return NULL;
    words = __atomic_compare_exchange_n(&page->words, &none, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ? fresh : none;
  }
  Word *four = words[piece];
  if (page->writes[piece] == SPLIT) return four;
  for (int i = 0; i < 4; i++)
    four[i] = (Word){page->writes[piece], page->reads[piece], page->writers[piece], page->readers[piece]};
  page->writes[piece] = page->reads[piece] = SPLIT;
  return four;
}

// ---- one access -----------------------------------------------------------------------------------------------------

typedef struct {
  Wave *w;
  const Ins *I;
  GlobalRaces *r;
  GroupShadow *s;
  u32 group, me, size;
  bool writes, atomic, polls;
  u64 tag, past;  // tags below `past` are of earlier launches
  Writer writer;
  Reader reader;
} GlobalAccess;

// Lanes from `lane` on that take from .. to, one after the other
typedef struct { u64 from, to; Page *page; int lane; } Stretch;

// Storing what is there already is what programs do on purpose: a flag that everybody raises.
static bool same_value(const Wave *w, const Ins *I, u64 address, u64 start, int lane, u32 size) {
  const Regs *regs = &w->launch->image->regs[I->index];
  if (size % 4 || regs->role & ROLE_ATOMIC || !regs->v_count[1]) return false;
  u32 word;
  memcpy(&word, (const void *)(address & ~3ull), 4);
  return word == w->R[(regs->v[1] + ((address - start) >> 2)) * LANE_COUNT + lane];
}

static bool signalled(const GlobalRaces *r, u32 from, u32 to, u32 time) {
  return r->sent[from - r->base - 1] > time && r->received[to - r->base - 1] > time;
}

// The instructions of accesses that this one meets, or -1: it races with `race`; `late` was not waited for.
typedef struct { i64 race, late; } Met;

static void meet_writer(const GlobalAccess *x, const Word *k, u32 bytes, Met *met) {
  const u32 other = TAG_WAVE((u32)k->write), epoch = TAG_EPOCH((u32)k->write);
  const i64 found = (i64)k->writer.ins;
  if (!(k->writer.flags & bytes) || (x->atomic && k->writer.flags & 0x100)) return;
  if (TAG_GROUP(k->write) != x->group) {
    if (!x->polls && !signalled(x->r, TAG_GROUP(k->write), x->group, k->writer.time)) met->race = found;
    return;
  }
  if (other == x->me) return;
  if (epoch == x->s->epoch) {
    if (!x->polls && !x->s->known[x->me][other]) met->race = found;
  } else if (epoch + 1 == x->s->epoch && x->w->checks & CHECK_WAIT &&
             k->writer.sequence > x->s->vm_complete[other][x->s->epoch & 1]) {
    met->late = found;
  }
}

static void meet_readers(const GlobalAccess *x, const Word *k, Met *met) {
  const u32 other = TAG_WAVE((u32)k->read);
  const i64 found = (i64)k->reader.ins;
  if ((u32)k->read == MANY_GROUPS) return;
  if (TAG_GROUP(k->read) != x->group) {
    // Looking at a counter before one raises it oneself is common, and harmless.
    if (!x->atomic && !signalled(x->r, TAG_GROUP(k->read), x->group, k->reader.time)) met->race = found;
    return;
  }
  const bool same = TAG_EPOCH((u32)k->read) == x->s->epoch && other != x->me;
  if (same && (other == SEVERAL || !x->s->known[x->me][other])) met->race = found;
}

static Met meet(const GlobalAccess *x, const Word *k, u32 bytes) {
  Met met = {-1, -1};
  if (k->write >= x->past && k->write != x->tag) meet_writer(x, k, bytes, &met);
  if (x->writes && k->read >= x->past && k->read != x->tag && met.race < 0) meet_readers(x, k, &met);
  return met;
}

static void enter(const GlobalAccess *x, Word *k, u32 bytes) {
  if (x->writes) {
    k->write = x->tag;
    k->writer = x->writer;
    k->writer.flags = write_flags(0, x->atomic, bytes);
    return;
  }
  const bool read = k->read >= x->past;
  if (x->polls || k->read == x->tag || (read && (u32)k->read == MANY_GROUPS)) return;
  if (read && TAG_GROUP(k->read) != x->group) k->read = (u64)x->group << 32 | MANY_GROUPS;
  else if (read && TAG_EPOCH((u32)k->read) == x->s->epoch) k->read = GLOBAL_TAG(x->group, x->s->epoch, SEVERAL);
  else k->read = x->tag;
  k->reader = x->reader;
}

// Whole and unsplit, or a part that changes nothing; false where it has to be looked at word by word.
static bool touch_piece(const GlobalAccess *x, Page *page, u32 piece, bool whole) {
  const u64 read = page->reads[piece], write = page->writes[piece];
  if (read == SPLIT || write == SPLIT) return false;
  if (!x->writes && write < x->past && (read == x->tag || ((u32)read == MANY_GROUPS && read >= x->past))) return true;
  Word k = {write, read, page->writers[piece], page->readers[piece]};
  const Met met = meet(x, &k, 15);
  if (met.race >= 0 || met.late >= 0) return false;
  enter(x, &k, 15);
  if (!whole) return !x->writes && k.read == read;
  if (x->writes) page->writes[piece] = k.write, page->writers[piece] = k.writer;
  else page->reads[piece] = k.read, page->readers[piece] = k.reader;
  return true;
}

// The four words have one state again after an access to all of them.
static void join(const GlobalAccess *x, Page *page, u32 piece, Word *four) {
  for (int i = 0; i < 4; i++) {  // what was before this launch is no difference
    if (four[i].write < x->past) four[i].write = 0, four[i].writer = (Writer){0};
    if (four[i].read < x->past) four[i].read = 0, four[i].reader = (Reader){0};
  }
  if (memcmp(four, four + 1, 3 * sizeof *four)) return;
  page->writers[piece] = four->writer;
  page->readers[piece] = four->reader;
  page->reads[piece] = four->read;
  page->writes[piece] = four->write;
}

static void touch_words(const GlobalAccess *x, Page *page, const Stretch *run, u64 from, u64 to) {
  const u32 piece = from >> 4 & (PIECES - 1);
  Word *four = split(x->r, page, piece);
  if (!four) return;
  for (u64 at = from & ~3ull; at < to; at += 4) {
    const u64 first = at < from ? from : at, last = at + 4 > to ? to : at + 4;
    const u32 bytes = ((1u << (last - first)) - 1) << (first & 3);
    const u32 before = (u32)(first - run->from) / x->size;
    const int lane = run->lane + (int)before;
    Word *k = &four[at >> 2 & 3];
    const Met met = meet(x, k, bytes);
    if (met.late >= 0) note(x->w, x->I, FAULT_MISSING_WAIT, lane, at, x->size, met.late);
    if (met.race >= 0 && !(x->writes && same_value(x->w, x->I, at, run->from + before * x->size, lane, x->size)))
      note(x->w, x->I, FAULT_GLOBAL_RACE, lane, at, x->size, met.race);
    enter(x, k, bytes);
  }
  if (to - from == 16) join(x, page, piece, four);
}

typedef u64 tags4 __attribute__((ext_vector_type(4), aligned(8)));

// Four pieces that nobody wrote in this launch, read by nobody yet, by several workgroups, or by this wave.
static inline bool read_four(const GlobalAccess *x, Page *page, u32 piece) {
  if (page->newest_writer > x->r->base && __builtin_reduce_max(*(const tags4 *)(page->writes + piece)) >= x->past) return false;
  tags4 *reads = (tags4 *)(page->reads + piece);
  const tags4 old = *reads;
  const tags4 unread = (tags4)(old < x->past), mine = (tags4)(old == x->tag), many = (tags4)((old & 0xffffffff) == MANY_GROUPS);
  const tags4 elsewhere = (tags4)((old >> 32) != x->group) & (tags4)(old != SPLIT) & ~unread;
  if (__builtin_reduce_and(~unread & (mine | many)) == ~0ull) return true;
  if (unlikely(__builtin_reduce_and(unread | mine | elsewhere) != ~0ull)) return false;  // other waves of this workgroup
  *reads = (unread & x->tag) | (mine & old) | (elsewhere & ((u64)x->group << 32 | MANY_GROUPS));
  for (int i = 0; i < 4; i++) page->readers[piece + i] = x->reader;
  return true;
}

// Four pieces that nobody has touched in this launch but this wave in this epoch
static inline bool write_four(const GlobalAccess *x, Page *page, u32 piece) {
  const tags4 written = *(const tags4 *)(page->writes + piece), read = *(const tags4 *)(page->reads + piece);
  const tags4 own = ((tags4)(written < x->past) | (tags4)(written == x->tag)) & ((tags4)(read < x->past) | (tags4)(read == x->tag));
  if (unlikely(__builtin_reduce_and(own) != ~0ull)) return false;
  *(tags4 *)(page->writes + piece) = (tags4)x->tag;
  for (int i = 0; i < 4; i++) page->writers[piece + i] = x->writer;
  return true;
}

static void touch(const GlobalAccess *x, const Stretch *run) {
  Page *page = run->page;
  for (u64 at = run->from; at < run->to;) {
    if (unlikely(at != run->from && !(at & (PAGE_BYTES - 1))) && !(page = near_page(x->r, at >> PAGE_BITS))) return;
    const u32 piece = at >> 4 & (PIECES - 1);
    if (x->writes) page->newest_writer = x->group;
    if (!(at & 15) && run->to - at >= 64 && piece + 4 <= PIECES && !x->polls &&
        (x->writes ? write_four(x, page, piece) : read_four(x, page, piece))) {
      at += 64;
      continue;
    }
    u64 end = (at | 15) + 1;
    if (end > run->to) end = run->to;
    if (!touch_piece(x, page, piece, end - at == 16)) touch_words(x, page, run, at, end);
    at = end;
  }
}

// Bit l: lane l + 1 begins `step` bytes after lane l.
static inline u64 steps(const u64 *addresses, u64 step) {
  typedef u64 eight __attribute__((ext_vector_type(8), aligned(8)));
  typedef bool bits __attribute__((ext_vector_type(8)));
  u64 all = 0;
  for (int i = 0; i < 8; i++) {
    const eight a = *(const eight *)(addresses + 8 * i);
    eight next = __builtin_shufflevector(a, a, 1, 2, 3, 4, 5, 6, 7, 7);
    if (i < 7) next[7] = addresses[8 * i + 8];
    const bits found = __builtin_convertvector(next - a == step, bits);
    u8 byte;
    memcpy(&byte, &found, 1);
    all |= (u64)byte << 8 * i;
  }
  return all & ~(1ull << 63);
}

void race_global(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  GlobalRaces *r = w->launch->race;
  GroupShadow *s = w->shadow->group;
  const u32 now = __atomic_load_n(&r->time, __ATOMIC_RELAXED);
  GlobalAccess x = {.w = w, .I = I, .r = r, .s = s, .group = r->base + (u32)w->group->number + 1, .me = w->id, .size = size,
                    .writes = access & (ACCESS_WRITE | ACCESS_ATOMIC), .atomic = access & ACCESS_ATOMIC,
                    .polls = w->launch->polls[I->index], .past = (u64)(r->base + 1) << 32, .reader = {I->index, now}};
  x.writer = (Writer){I->index, now, w->shadow->vm_issued, write_flags(0, x.atomic, 15)};
  x.tag = GLOBAL_TAG(x.group, s->epoch, x.me);
  if (x.atomic || x.polls) r->received[w->group->number] = now + 1;
  if (!x.writes) lanes &= ~((steps(addresses, 0) & lanes) << 1);  // one read of a place is as good as several
  const u64 goes_on = steps(addresses, size) & lanes & lanes >> 1;
  // What is known of the words is far away: all of it is asked for before the first is looked at.
  Stretch runs[LANE_COUNT];
  u32 count = 0;
  for (u64 m = lanes; m;) {
    const int l = __builtin_ctzll(m), n = __builtin_ctzll(~(goes_on >> l)) + 1;
    const u64 from = addresses[l], to = from + (u64)n * size;
    Page *page = near_page(r, from >> PAGE_BITS);
    if (!page) return;
    const u32 piece = from >> 4 & (PIECES - 1);
    __builtin_prefetch(&page->reads[piece], 1);
    if (x.writes || page->newest_writer > r->base) __builtin_prefetch(&page->writes[piece], 1);
    if (x.writes) __builtin_prefetch(&page->writers[piece], 1);
    runs[count++] = (Stretch){from, to, page, l};
    m &= n == LANE_COUNT ? 0 : ~(((1ull << n) - 1) << l);
  }
  for (u32 i = 0; i < count; i++) touch(&x, &runs[i]);
  // A write may be the signal that another workgroup polls for.
  if (x.writes) r->sent[w->group->number] = __atomic_add_fetch(&r->time, 1, __ATOMIC_RELAXED);
}
