// Races in global memory, between the waves of a workgroup and between workgroups.
//
// Within a workgroup order comes from barriers and signals, as in LDS. A store needs no wait before a barrier of its
// workgroup: the waves share one L1 cache, which keeps their accesses in order, and compilers rely on it. A signal in global
// memory is an atomic or a polling load, of what another wave wrote there: what that wave did before is then past, and what
// it had heard of others. That is kept for the last atomics; of others it is what it has heard by now, which may be more. Of
// several waves that read one place the last one's clock is kept; any signal from another of them counts. Waves may also be
// ordered by way of another workgroup, of whose waves nothing is known: what was before a signal from there is past.
//
// Across workgroups order comes from atomics and polling alone; there a time stamp of the last signal each workgroup sent and
// received stands for it, which may miss a race between workgroups that signalled each other about something else, and never
// invents one.
//
// What is kept is who read and who wrote last, for each piece of four words: most accesses take whole pieces, and then
// it is the same for all four. A piece of which one word is used alone is split: its words have a state of their own,
// and a word of which one byte is used alone is split likewise.
#include "check_races_pages.h"

#include <sched.h>

// The pages that this thread met last; the table of all is too large for the processor's caches.
#define NEAR_PAGES 1024
static Page *near_page(GlobalRaces *r, u64 page) {
  static __thread struct { u64 page; Page *state; u32 generation; } near[NEAR_PAGES];
  if (r != &kept_races) return page_of(r, page);
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
  bool writes, atomic, polls, looks, several, clocks;  // several: threads; clocks: whether waves hear of each other's
  u64 tag, past;  // tags below `past` are of earlier launches
  const u64 *addresses;
  Writer writer;
  Reader reader;
} GlobalAccess;

// What lanes from `lane` on take without a gap between one and the next
typedef struct { u64 from, to; Page *page; int lane; } Stretch;

static inline bool signalled(const GlobalRaces *r, u32 from, u32 to, u32 time) {
  return r->sent[from - r->base - 1] > time && r->received[to - r->base - 1] > time;
}

static inline Signal *signal_at(GroupShadow *s, u64 address) { return &s->sent[address >> 2 & (SIGNALS - 1)]; }

// Of a signal by another wave of the workgroup at that clock of its
static void hear(GroupShadow *s, u32 me, u32 other, u32 clock, u64 address) {
  const Signal *kept = signal_at(s, address);
  const u32 *said = kept->epoch == s->epoch && kept->wave == other && kept->known[other] == clock ? kept->known : s->known[other];
  for (u32 b = 0; b < MAX_WAVES; b++) {
    const u32 of = b == other ? clock : said[b];
    if (b != me && s->known[me][b] < of) s->known[me][b] = of;
  }
}

// Of a signal by another workgroup, which somebody looks at
static inline void hear_outside(const GlobalAccess *x, u32 time) {
  if (!x->looks) return;
  if (x->s->outside <= time) x->s->outside = time + 1;
  __atomic_store_n(&x->r->crossed, true, __ATOMIC_RELAXED);
}

// `race`: the instruction of the access that this one races with, or -1
static inline void meet_writer(const GlobalAccess *x, const Users *k, u64 at, i64 *race) {
  const u32 other = TAG_WAVE((u32)k->write), epoch = TAG_EPOCH((u32)k->write);
  const bool signal = x->polls || (x->atomic && k->writer.atomic);
  if (TAG_GROUP(k->write) != x->group) {
    if (signal) hear_outside(x, k->writer.time);
    else if (!signalled(x->r, TAG_GROUP(k->write), x->group, k->writer.time)) *race = (i64)k->writer.ins;
  } else if (other != x->me && epoch == x->s->epoch) {
    if (signal) hear(x->s, x->me, other, k->writer.clock, at);
    else if (x->s->known[x->me][other] < k->writer.clock && k->writer.time >= x->s->outside) *race = (i64)k->writer.ins;
  }
}

static inline void meet_readers(const GlobalAccess *x, const Users *k, i64 *race) {
  const i64 found = (i64)k->reader.ins;
  if (TAG_GROUP(k->read) != x->group) {
    // Looking at a counter before one raises it oneself is common, and harmless.
    if (!x->atomic && !signalled(x->r, TAG_GROUP(k->read), x->group, k->reader.time)) *race = found;
    return;
  }
  if ((u32)k->read == MANY_GROUPS) {
    // When the others read is not known: whoever never heard a signal races with them.
    if (!x->atomic && !x->r->received[x->group - x->r->base - 1]) *race = found;
    return;
  }
  if (TAG_EPOCH((u32)k->read) != x->s->epoch) return;
  if (k->reader.time < x->s->outside) return;
  for (u32 b = 0; b < MAX_WAVES; b++) {
    const u32 wanted = b == k->reader.last ? k->reader.clock : x->s->outside ? 0 : 1;
    if (k->reader.waves >> b & 1 && b != x->me && x->s->known[x->me][b] < wanted) *race = found;
  }
}

INLINE i64 meet(const GlobalAccess *x, const Users *k, u64 at) {
  i64 race = -1;
  if (k->write >= x->past && k->write != x->tag) meet_writer(x, k, at, &race);
  if (x->writes && k->read >= x->past && k->read != x->tag && race < 0) meet_readers(x, k, &race);
  return race;
}

// The tag of a unit after this read of it
static inline u64 read_by(const GlobalAccess *x, u64 before) {
  const bool read = before >= x->past;
  if (x->polls || before == x->tag || (read && (u32)before == MANY_GROUPS)) return before;
  if (read && TAG_GROUP(before) != x->group) return (u64)x->group << 32 | MANY_GROUPS;
  if (read && TAG_EPOCH((u32)before) == x->s->epoch) return GLOBAL_TAG(x->group, x->s->epoch, SEVERAL);
  return x->tag;
}

// Readers that one more read by this wave changes nothing about
static inline bool seen(const GlobalAccess *x, u64 read) {
  return (read == x->tag && !x->clocks) || ((u32)read == MANY_GROUPS && read >= x->past);
}

// Storing what is there already is what programs do on purpose: a flag that everybody raises.
static bool same_value(const GlobalAccess *x, int lane, u64 at, u32 bytes) {
  const Image *image = x->w->launch->image;
  const Regs *regs = &image->regs[x->I->index];
  const char *text = image->strings + image->places[x->I->index].text;
  const int source = strncmp(text, "buffer_", 7) ? 1 : 0;
  const u32 high = strstr(text, "_d16_hi") ? 2 : 0;
  if (regs->role & ROLE_ATOMIC || !regs->v_count[source]) return false;
  for (u64 end = at + bytes; at < end; at++) {
    while (x->addresses[lane] + x->size <= at) lane++;
    const u64 from = at - x->addresses[lane] + high;
    const u32 word = x->w->R[(regs->v[source] + (from >> 2)) * LANE_COUNT + lane];
    if (*(const u8 *)at != (u8)(word >> 8 * (from & 3))) return false;
  }
  return true;
}

static void say(const GlobalAccess *x, i64 race, const Stretch *run, u64 at, u32 bytes) {
  int lane = run->lane;
  while (x->addresses[lane] + x->size <= at) lane++;
  if (x->writes && same_value(x, lane, at, bytes)) return;
  const Image *image = x->w->launch->image;
  if (both_atomic(image, x->I->index, (u32)race) || both_atomic(image, (u32)race, x->I->index)) return;
  if (guesses(image, x->I->index, (u32)race)) note(x->w, x->I, FAULT_GLOBAL_GUESS, lane, at, x->size, race);
  else if (guesses(image, (u32)race, x->I->index))
    note(x->w, &image->ins[race], FAULT_GLOBAL_GUESS, lane, at, x->size, x->I->index);
  else note(x->w, x->I, FAULT_GLOBAL_RACE, lane, at, x->size, race);
}

// A unit of `bytes` bytes at `at`. What is done is done and said; false where its parts have to be looked at: they are
// apart, or only some of them take part and that changes something, or a piece has something to say.
INLINE bool touch_unit(const GlobalAccess *x, const Page *page, const Stretch *run, Unit u, u64 at, u32 bytes,
                              bool whole) {
  Users k = {.read = *u.read, .write = x->writes || page->newest_writer > x->r->base ? *u.write : 0};
  if (k.read == SPLIT || k.write == SPLIT) return false;
  if (k.write >= x->past) k.writer = *u.writer;
  else if (!x->writes && seen(x, k.read)) return true;
  if (x->writes && k.read >= x->past) k.reader = *u.reader;
  const i64 race = meet(x, &k, at);
  if (unlikely(race >= 0)) {
    if (!whole || bytes == 16) return false;
    say(x, race, run, at, bytes);
  }
  if (x->writes) {
    if (whole) *u.write = x->tag, *u.writer = x->writer;
    return whole;
  }
  const u64 read = read_by(x, k.read);
  const u32 earlier = read == GLOBAL_TAG(x->group, x->s->epoch, SEVERAL) ? u.reader->waves : 0;
  const bool known = read == k.read && (!earlier || earlier & x->reader.waves);
  if (known && (x->polls || !x->clocks || (u32)read == MANY_GROUPS)) return true;
  if (whole) *u.read = read, *u.reader = x->reader, u.reader->waves |= (u16)earlier;
  return whole || known;
}

// Four parts have one state again after an access to all of them.
static void join(const GlobalAccess *x, Unit whole, Unit first) {
  Users four[4] = {0};
  for (u32 i = 0; i < 4; i++) {  // what was before this launch is no difference
    if (first.read[i] >= x->past) four[i].read = first.read[i], four[i].reader = first.reader[i];
    if (first.write[i] >= x->past) four[i].write = first.write[i], four[i].writer = first.writer[i];
  }
  if (four->read == SPLIT || memcmp(four, four + 1, 3 * sizeof *four)) return;
  *whole.reader = four->reader, *whole.writer = four->writer;
  *whole.read = four->read, *whole.write = four->write;
}

static void touch_bytes(const GlobalAccess *x, Page *page, const Stretch *run, Unit word, u64 from, u64 to) {
  Bytes *bytes = kept_at(x->r, (void **)&page->bytes[(from & (PAGE_BYTES - 1)) / BYTES], sizeof(Bytes));
  if (!bytes) return;
  split(word, UNIT(bytes, from & ~3ull & (BYTES - 1)), x->past);
  for (u64 at = from; at < to; at++) touch_unit(x, page, run, UNIT(bytes, at & (BYTES - 1)), at, 1, true);
  if (to - from == 4) join(x, word, UNIT(bytes, from & (BYTES - 1)));
}

static void touch_words(const GlobalAccess *x, Page *page, const Stretch *run, Unit piece, u64 from, u64 to) {
  Words *words = kept_at(x->r, (void **)&page->words, sizeof(Words));
  if (!words) return;
  split(piece, UNIT(words, from >> 2 & ~3ull & (WORDS - 1)), x->past);
  for (u64 at = from, end; at < to; at = end) {
    end = (at | 3) + 1 > to ? to : (at | 3) + 1;
    const Unit word = UNIT(words, at >> 2 & (WORDS - 1));
    if (!touch_unit(x, page, run, word, at, 4, end - at == 4)) touch_bytes(x, page, run, word, at, end);
  }
  if (to - from == 16) join(x, piece, UNIT(words, from >> 2 & (WORDS - 1)));
}

typedef u64 tags4 __attribute__((ext_vector_type(4), aligned(8)));

// Four pieces that nobody wrote in this launch, read by nobody yet, by several workgroups, or by this wave.
static inline bool read_four(const GlobalAccess *x, Page *page, u32 piece) {
  const tags4 *writes = (const tags4 *)(page->writes + piece);
  if (page->newest_writer > x->r->base && __builtin_reduce_max(*writes) >= x->past) return false;
  tags4 *reads = (tags4 *)(page->reads + piece);
  const tags4 old = *reads;
  const tags4 unread = (tags4)(old < x->past), mine = (tags4)(old == x->tag);
  const tags4 elsewhere = (tags4)((old >> 32) != x->group) & (tags4)(old != SPLIT) & ~unread;
  if (unlikely(__builtin_reduce_and(unread | mine | elsewhere) != ~0ull)) return false;  // waves of this workgroup
  *reads = (unread & x->tag) | (mine & old) | (elsewhere & ((u64)x->group << 32 | MANY_GROUPS));
  for (int i = 0; i < 4; i++) page->readers[piece + i] = x->reader;
  return true;
}

// Four pieces that nobody has touched in this launch but this wave in this epoch
static inline bool write_four(const GlobalAccess *x, Page *page, u32 piece) {
  const tags4 written = *(const tags4 *)(page->writes + piece), read = *(const tags4 *)(page->reads + piece);
  const tags4 own = ((tags4)(written < x->past) | (tags4)(written == x->tag)) &
                    ((tags4)(read < x->past) | (tags4)(read == x->tag));
  if (unlikely(__builtin_reduce_and(own) != ~0ull)) return false;
  *(tags4 *)(page->writes + piece) = (tags4)x->tag;
  for (int i = 0; i < 4; i++) page->writers[piece + i] = x->writer;
  return true;
}

// A read that changes nothing needs no lock: whoever writes finds the reader.
static inline bool known_four(const GlobalAccess *x, const Page *page, u32 piece) {
  const tags4 old = *(const tags4 *)(page->reads + piece), many = (tags4)((old & 0xffffffff) == MANY_GROUPS);
  const tags4 own = x->clocks ? (tags4){0} : (tags4)(old == x->tag);
  const tags4 known = ((tags4)(old >= x->past) & many) | own;
  if (__builtin_reduce_and(known) != ~0ull) return false;
  return page->newest_writer <= x->r->base || __builtin_reduce_max(*(const tags4 *)(page->writes + piece)) < x->past;
}

// From one page to the next, or none
static inline void lock(Page **locked, Page *page) {
  if (*locked) __atomic_store_n(&(*locked)->locked, false, __ATOMIC_RELEASE);
  *locked = page;
  for (u32 tries = 0; page && __atomic_exchange_n(&page->locked, true, __ATOMIC_ACQUIRE); tries++)
    tries < 100 ? __builtin_ia32_pause() : (void)sched_yield();
}

static void touch(const GlobalAccess *x, const Stretch *run, Page **locked) {
  Page *page = run->page;
  for (u64 at = run->from; at < run->to;) {
    if (unlikely(at != run->from && !(at & (PAGE_BYTES - 1))) && !(page = near_page(x->r, at >> PAGE_BITS))) return;
    const u32 piece = at >> 4 & (PIECES - 1);
    const bool four = !(at & 15) && run->to - at >= 64 && piece + 4 <= PIECES && !x->polls;
    if (four && !x->writes && known_four(x, page, piece)) {
      at += 64;
      continue;
    }
    if (x->several && *locked != page) lock(locked, page);
    if (x->writes) page->newest_writer = x->group;
    if (four && (x->writes ? write_four(x, page, piece) : read_four(x, page, piece))) {
      at += 64;
      continue;
    }
    u64 end = (at | 15) + 1;
    if (end > run->to) end = run->to;
    const Unit unit = UNIT(page, piece);
    if (!touch_unit(x, page, run, unit, at, 16, end - at == 16)) touch_words(x, page, run, unit, at, end);
    at = end;
  }
}

// Bit l: lane l + 1 begins where lane l ends, or up to `overlap` bytes before.
static inline u64 without_gap(const u64 *addresses, u64 size, u64 overlap) {
  typedef u64 eight __attribute__((ext_vector_type(8), aligned(8)));
  typedef bool bits __attribute__((ext_vector_type(8)));
  u64 all = 0;
  for (int i = 0; i < 8; i++) {
    const eight a = *(const eight *)(addresses + 8 * i);
    eight next = __builtin_shufflevector(a, a, 1, 2, 3, 4, 5, 6, 7, 7);
    if (i < 7) next[7] = addresses[8 * i + 8];
    const bits found = __builtin_convertvector(a + size - next <= overlap, bits);
    u8 byte;
    memcpy(&byte, &found, 1);
    all |= (u64)byte << 8 * i;
  }
  return all & ~(1ull << 63);
}

// What is known of the words is far away: all of it is asked for before the first is looked at.
static inline void ask_for_unit(Unit u, bool writes, bool written) {
  __builtin_prefetch(u.read, 1);
  if (writes || written) __builtin_prefetch(u.write, 1);
  if (writes || written) __builtin_prefetch(u.writer, 1);
}

static inline void ask_for(Page *page, u64 at, u32 size, bool writes, bool written) {
  ask_for_unit(UNIT(page, at >> 4 & (PIECES - 1)), writes, writes);
  if (page->words) ask_for_unit(UNIT(page->words, at >> 2 & (WORDS - 1)), writes, written);
  Bytes *bytes = size < 4 ? page->bytes[(at & (PAGE_BYTES - 1)) / BYTES] : NULL;
  if (bytes) ask_for_unit(UNIT(bytes, at & (BYTES - 1)), writes, written);
}

void race_global(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  if (unlikely(addresses[__builtin_ctzll(lanes)] - device_mailbox.start < device_mailbox.size)) return;
  GlobalRaces *r = w->launch->race;
  GroupShadow *s = w->shadow->group;
  const u32 now = __atomic_load_n(&r->time, __ATOMIC_RELAXED);
  GlobalAccess x = {.w = w, .I = I, .r = r, .s = s, .group = r->base + (u32)w->group->number + 1, .me = w->id,
                    .size = size, .writes = access & (ACCESS_WRITE | ACCESS_ATOMIC), .atomic = access & ACCESS_ATOMIC,
                    .polls = w->launch->polls[I->index], .several = w->launch->worker_count > 1,
                    .past = (u64)(r->base + 1) << 32, .addresses = addresses, .clocks = w->launch->image->signals};
  u32 *clock = &s->known[w->id][w->id];
  x.reader = (Reader){I->index, now, *clock, (u16)(1u << w->id), (u16)w->id};
  x.writer = (Writer){I->index, now, *clock, x.atomic};
  x.tag = GLOBAL_TAG(x.group, s->epoch, x.me);
  x.looks = x.polls || (x.atomic && w->launch->image->regs[I->index].v_out_count);
  // A signal may also come between this check and the access, so the next one hears of it.
  const bool hears = x.atomic || x.polls;
  if (hears || s->heard) r->received[w->group->number] = now + 1;
  if (s->heard && x.several && __atomic_load_n(&r->crossed, __ATOMIC_RELAXED)) s->outside = now;
  s->heard = hears;
  const u64 goes_on = without_gap(addresses, size, x.writes ? 0 : size) & lanes & lanes >> 1;
  Stretch runs[LANE_COUNT];
  u32 count = 0;
  u64 near = ~0ull;
  Page *page = NULL;
  for (u64 m = lanes; m;) {
    const int l = __builtin_ctzll(m), n = __builtin_ctzll(~(goes_on >> l)) + 1;
    const u64 from = addresses[l], to = addresses[l + n - 1] + size;
    if (from >> PAGE_BITS != near && !(page = near_page(r, near = from >> PAGE_BITS))) return;
    ask_for(page, from, size, x.writes, page->newest_writer > r->base);
    runs[count++] = (Stretch){from, to, page, l};
    m &= n == LANE_COUNT ? 0 : ~(((1ull << n) - 1) << l);
  }
  Page *locked = NULL;
  for (u32 i = 0; i < count; i++) touch(&x, &runs[i], &locked);
  if (locked) lock(&locked, NULL);
  // A write may be the signal that another wave, or another workgroup, polls for: what comes after it is later.
  if (!x.writes) return;
  if (x.atomic) {
    Signal *signal = signal_at(s, addresses[__builtin_ctzll(lanes)]);
    signal->epoch = s->epoch, signal->wave = w->id;
    memcpy(signal->known, s->known[w->id], sizeof signal->known);
  }
  if (*clock < UINT32_MAX) ++*clock;
  r->sent[w->group->number] = __atomic_add_fetch(&r->time, 1, __ATOMIC_RELAXED);
}
