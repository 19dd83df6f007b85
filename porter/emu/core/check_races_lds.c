// Races in LDS: two accesses to one byte, one of them a write, and nothing that orders them: a barrier, or a signal. An
// atomic, or a load that polls (find_polls() in image.c finds those), takes over what the last writer there knew when it
// wrote, and no more: what that wave heard later is not in what it left there.
//
// Most workgroups keep the waves' parts of LDS apart between two barriers, or only read. So an access is first written
// down in a list (LdsRecord), with the blocks of LDS that it touches; only where blocks and ranges of two waves meet is
// what the list holds entered by word, and the rest up to the next barrier with it. A word of which an access takes a
// part is split: its bytes have a state of their own until one that takes them all finds or leaves them alike.
#include "shadow.h"

#define SPLIT ~0u  // both tags of a word whose bytes are apart; later than any epoch

typedef u32 clocks __attribute__((ext_vector_type(MAX_WAVES), aligned(4)));

static inline void learn(u32 *known, const u32 *said) {
  *(clocks *)known = __builtin_elementwise_max(*(const clocks *)known, *(const clocks *)said);
}

struct LdsRecord {
  u32 row[LANE_COUNT];  // lane l is at base + row[l]
  u64 lanes;
  u32 base, low, high;  // every lane lies in low .. high
  u32 ins, sequence, me;
  u8 size;
  bool writes, atomic;
};
#define RECORDS 128

#define SPARE 4  // words at the end, so that four may be looked at together
static void new_users(LdsUsers *k, u32 count, bool signals) {
  u32 **const arrays[] = {&k->write_tags, &k->write_ins, &k->write_sequence, &k->write_atomic,
                          &k->read_tags,  &k->read_ins,  &k->read_sequence};
  for (u32 i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = calloc(count, 4);
  if (!signals) return;
  k->write_known = calloc(count, sizeof *k->write_known);
  k->read_clocks = calloc(count, sizeof *k->read_clocks);
}

static void free_users(LdsUsers *k) {
  u32 *const arrays[] = {k->write_tags, k->write_ins, k->write_sequence, k->write_atomic,
                         k->read_tags,  k->read_ins,  k->read_sequence};
  for (u32 i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  free(k->write_known);
  free(k->read_clocks);
}

void race_new_group(GroupShadow *s, u32 lds_bytes, bool signals) {
  s->word_count = lds_bytes / 4 + 1;
  s->signals = signals;
  new_users(&s->words, s->word_count + SPARE, signals);
  while (4 * s->word_count >> s->block_shift >= 64) s->block_shift++;
  s->records = malloc(RECORDS * sizeof *s->records);
}

void race_free_group(GroupShadow *s) {
  free_users(&s->words);
  free_users(&s->bytes);
  free(s->records);
}

// ---- by word --------------------------------------------------------------------------------------------------------

// What one instruction runs into; said once for all its lanes.
typedef struct { i64 other; u64 at; int lane; } Clash;

static void clash(Clash *c, u32 other, u64 at, int lane) {
  if (c->other < 0) *c = (Clash){other, at, lane};
}

typedef struct {
  GroupShadow *s;
  u32 me, size, epoch, oldest, ins, sequence;  // of what was before the oldest epoch nothing matters
  bool atomic, polls;
  u32 now;
  Clash race, guess, unfinished;
} LdsAccess;

static void race_with(LdsAccess *x, u32 other, u64 at, int lane) {
  const Image *image = x->s->image;
  const bool guess = guesses(image, x->ins, other) || guesses(image, other, x->ins);
  clash(guess ? &x->guess : &x->race, other, at, lane);
}

// The last write of a word or byte, against an access by another wave: of this epoch a race, unless a signal orders
// them; of the one before it was published by the barrier, if its wave had waited for it.
static void meet_write(LdsAccess *x, const LdsUsers *k, u32 at, u64 address, int lane) {
  GroupShadow *s = x->s;
  const u32 tag = k->write_tags[at], writer = TAG_WAVE(tag);
  if (TAG_EPOCH(tag) == x->epoch) {
    const u32 *said = k->write_known ? k->write_known[at] : s->known[writer];
    if (x->polls || (x->atomic && k->write_atomic[at])) learn(s->known[x->me], said);
    else if (said[writer] > s->known[x->me][writer]) race_with(x, k->write_ins[at], address, lane);
  } else if (s->unfinished && k->write_sequence[at] > s->lds_complete[writer][x->epoch & 1]) {
    clash(&x->unfinished, k->write_ins[at], address, lane);
  }
}

// The last reads, against a write by this wave.
static void meet_reads(LdsAccess *x, const LdsUsers *k, u32 at, u64 address, int lane) {
  GroupShadow *s = x->s;
  const u32 tag = k->read_tags[at], reader = TAG_WAVE(tag);
  if (TAG_EPOCH(tag) == x->epoch) {
    if (!k->read_clocks) {
      race_with(x, k->read_ins[at], address, lane);
      return;
    }
    for (u32 b = 0; b < MAX_WAVES; b++)
      if (b != x->me && k->read_clocks[at][b] > s->known[x->me][b]) race_with(x, k->read_ins[at], address, lane);
  } else if (s->unfinished && reader != SEVERAL && k->read_sequence[at] > s->lds_complete[reader][x->epoch & 1]) {
    clash(&x->unfinished, k->read_ins[at], address, lane);
  }
}

static inline bool recent_of_others(const LdsAccess *x, u32 tag) {
  return TAG_EPOCH(tag) >= x->oldest && TAG_WAVE(tag) != x->me;
}

static void read_one(LdsAccess *x, const LdsUsers *k, u32 at, u64 address, int lane) {
  if (unlikely(recent_of_others(x, k->write_tags[at]))) meet_write(x, k, at, address, lane);
  if (x->polls) return;
  const u32 mine = TAG(x->epoch, x->me), tag = k->read_tags[at];
  const bool fresh = TAG_EPOCH(tag) != x->epoch;
  k->read_tags[at] = fresh || tag == mine ? mine : TAG(x->epoch, SEVERAL);
  k->read_ins[at] = x->ins;
  k->read_sequence[at] = x->sequence;
  if (!k->read_clocks) return;
  if (fresh) memset(k->read_clocks[at], 0, sizeof k->read_clocks[at]);
  k->read_clocks[at][x->me] = x->now;
}

static void write_one(LdsAccess *x, const LdsUsers *k, u32 at, u64 address, int lane) {
  if (unlikely(recent_of_others(x, k->write_tags[at]))) meet_write(x, k, at, address, lane);
  if (unlikely(recent_of_others(x, k->read_tags[at]))) meet_reads(x, k, at, address, lane);
  k->write_tags[at] = TAG(x->epoch, x->me);
  k->write_ins[at] = x->ins;
  k->write_sequence[at] = x->sequence;
  k->write_atomic[at] = x->atomic;
  if (k->write_known) memcpy(k->write_known[at], x->s->known[x->me], sizeof *k->write_known);
}

static void split(LdsAccess *x, u32 at) {
  GroupShadow *s = x->s;
  LdsUsers *k = &s->words, *b = &s->bytes;
  if (!b->write_tags) new_users(b, 4 * s->word_count, s->signals);
  const bool written = TAG_EPOCH(k->write_tags[at]) >= x->oldest, read = TAG_EPOCH(k->read_tags[at]) >= x->oldest;
  for (u32 i = 4 * at; i < 4 * at + 4; i++) {
    b->write_tags[i] = k->write_tags[at], b->read_tags[i] = k->read_tags[at];
    if (written) {
      b->write_ins[i] = k->write_ins[at], b->write_sequence[i] = k->write_sequence[at];
      b->write_atomic[i] = k->write_atomic[at];
      if (s->signals) memcpy(b->write_known[i], k->write_known[at], sizeof *b->write_known);
    }
    if (read) b->read_ins[i] = k->read_ins[at], b->read_sequence[i] = k->read_sequence[at];
    if (read && s->signals) memcpy(b->read_clocks[i], k->read_clocks[at], sizeof *b->read_clocks);
  }
  k->write_tags[at] = k->read_tags[at] = SPLIT;
}

static inline bool alike(const u32 *four) { return four[0] == four[1] && four[0] == four[2] && four[0] == four[3]; }

static inline bool all_past(const LdsAccess *x, const u32 *tags) {
  for (u32 i = 0; i < 4; i++)
    if (TAG_EPOCH(tags[i]) >= x->oldest) return false;
  return true;
}

static void join(LdsAccess *x, u32 at) {
  LdsUsers *k = &x->s->words, *b = &x->s->bytes;
  const u32 i = 4 * at;
  if (!all_past(x, b->write_tags + i)) {
    if (!alike(b->write_tags + i) || !alike(b->write_ins + i) || !alike(b->write_sequence + i)) return;
    if (!alike(b->write_atomic + i)) return;
    if (k->write_known && memcmp(b->write_known[i], b->write_known[i + 1], 3 * sizeof *b->write_known)) return;
  }
  if (!all_past(x, b->read_tags + i)) {
    if (!alike(b->read_tags + i) || !alike(b->read_ins + i) || !alike(b->read_sequence + i)) return;
    if (k->read_clocks && memcmp(b->read_clocks[i], b->read_clocks[i + 1], 3 * sizeof *b->read_clocks)) return;
  }
  k->write_tags[at] = b->write_tags[i], k->write_ins[at] = b->write_ins[i];
  k->write_sequence[at] = b->write_sequence[i], k->write_atomic[at] = b->write_atomic[i];
  k->read_tags[at] = b->read_tags[i], k->read_ins[at] = b->read_ins[i], k->read_sequence[at] = b->read_sequence[i];
  if (k->write_known) memcpy(k->write_known[at], b->write_known[i], sizeof *k->write_known);
  if (k->read_clocks) memcpy(k->read_clocks[at], b->read_clocks[i], sizeof *k->read_clocks);
}

// A word or byte of lane l, which begins at `start`, or of one that follows
static inline void touch_one(LdsAccess *x, bool writes, const LdsUsers *k, u32 at, u32 place, u32 start, int l) {
  const u32 lane = x->size < 4 ? (place - start) / x->size : 0, address = start + lane * x->size;
  writes ? write_one(x, k, at, address, l + (int)lane) : read_one(x, k, at, address, l + (int)lane);
}

static __attribute__((noinline)) void touch_bytes(LdsAccess *x, bool writes, u32 from, u32 to, u32 start, int l) {
  const LdsUsers *words = &x->s->words;
  const u32 at = from >> 2;
  const bool whole = to - from == 4;
  if (whole) join(x, at);
  if (whole && words->write_tags[at] != SPLIT) {
    touch_one(x, writes, words, at, from, start, l);
    return;
  }
  if (words->write_tags[at] != SPLIT) split(x, at);
  for (u32 i = from; i < to; i++) touch_one(x, writes, &x->s->bytes, i, i, start, l);
  if (whole) join(x, at);
}

// The bytes from .. to of one word
static inline void touch_word(LdsAccess *x, bool writes, u32 from, u32 to, u32 start, int l) {
  if (unlikely(to - from < 4 || x->s->words.write_tags[from >> 2] == SPLIT)) touch_bytes(x, writes, from, to, start, l);
  else touch_one(x, writes, &x->s->words, from >> 2, from, start, l);
}

// The same for N whole words at once, where the tags show that no other wave comes into it: false where one may.
// Writes of the epoch before count as harmless where every wave arrived at the barrier with nothing under way.
#define TOGETHER(N)                                                                                            \
  typedef u32 words##N __attribute__((ext_vector_type(N), aligned(4)));                                        \
  static inline bool read_##N(LdsAccess *x, u32 at) {                                                          \
    const LdsUsers *k = &x->s->words;                                                                          \
    const u32 mine = TAG(x->epoch, x->me);                                                                     \
    const words##N written = *(const words##N *)(k->write_tags + at);                                          \
    const words##N harmless = (words##N)((written >> 5) < x->oldest) | (words##N)((written & 31) == x->me);    \
    if (unlikely(__builtin_reduce_and(harmless) != ~0u)) return false;                                         \
    words##N *tags = (words##N *)(k->read_tags + at);                                                          \
    const words##N old = *tags, first = (words##N)((old >> 5) != x->epoch) | (words##N)(old == mine);          \
    *tags = (first & mine) | (~first & TAG(x->epoch, SEVERAL));                                                \
    if (!__builtin_reduce_or(first)) return true;  /* the first reader is as good as any */                    \
    *(words##N *)(k->read_ins + at) = (words##N)x->ins;                                                        \
    *(words##N *)(k->read_sequence + at) = (words##N)x->sequence;                                              \
    return true;                                                                                               \
  }                                                                                                            \
  static inline bool write_##N(LdsAccess *x, u32 at) {                                                         \
    const LdsUsers *k = &x->s->words;                                                                          \
    const words##N written = *(const words##N *)(k->write_tags + at);                                          \
    const words##N read = *(const words##N *)(k->read_tags + at);                                              \
    const words##N harmless = ((words##N)((written >> 5) < x->oldest) | (words##N)((written & 31) == x->me)) & \
                              ((words##N)((read >> 5) < x->oldest) | (words##N)((read & 31) == x->me));        \
    if (unlikely(__builtin_reduce_and(harmless) != ~0u)) return false;                                         \
    *(words##N *)(k->write_tags + at) = (words##N)TAG(x->epoch, x->me);                                        \
    *(words##N *)(k->write_ins + at) = (words##N)x->ins;                                                       \
    *(words##N *)(k->write_sequence + at) = (words##N)x->sequence;                                             \
    *(words##N *)(k->write_atomic + at) = (words##N)(u32)x->atomic;                                            \
    return true;                                                                                               \
  }
TOGETHER(2)
TOGETHER(4)

static inline bool together(LdsAccess *x, bool writes, u32 at, u32 words) {
  if (words == 4) return writes ? write_4(x, at) : read_4(x, at);
  return words == 2 && (writes ? write_2(x, at) : read_2(x, at));
}

// A whole wave's reads of 8 or 16 bytes: the lanes that have to be looked at one by one.
static u64 read_all(LdsAccess *x, u32 base, const u32 *row, u32 size) {
  u64 left = 0;
  u32 odd = 0;
  for (int l = 0; l < LANE_COUNT; l++) odd |= base + row[l];
  if (odd & 3) return ALL_LANES;
  if (size == 8)
    for (int l = 0; l < LANE_COUNT; l++) left |= (u64)!read_2(x, (base + row[l]) >> 2) << l;
  else
    for (int l = 0; l < LANE_COUNT; l++) left |= (u64)!read_4(x, (base + row[l]) >> 2) << l;
  return left;
}

// Four lanes from l on that take the four words of a quarter line together
static inline bool quad(const u32 *row, u64 lanes, int l) {
  if (l > LANE_COUNT - 4 || (lanes >> l & 15) != 15) return false;
  const u32 a = row[l];
  return row[l + 1] == a + 4 && row[l + 2] == a + 8 && row[l + 3] == a + 12;
}

// How many lanes from l on take less than a word each, one after the other, up to the end of a word at most 16 bytes on
static u32 in_a_row(u32 base, const u32 *row, u64 lanes, int l, u32 size) {
  const u32 most = 16 - ((base + row[l]) & 3);
  u32 n = 1;
  while ((n + 1) * size <= most && l + n < LANE_COUNT && lanes >> (l + n) & 1 && row[l + n] == row[l] + n * size) n++;
  return n;
}

static void by_word(LdsAccess *x, bool writes, u32 base, const u32 *row, u64 lanes, u32 size) {
  GroupShadow *s = x->s;
  const bool quick = !s->signals;
  if (quick && !writes && lanes == ALL_LANES && (size == 8 || size == 16)) lanes = read_all(x, base, row, size);
  for (u64 m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctzll(m);
    const u32 address = base + row[l];
    if (size == 4 && !(address & 3) && address >> 2 < s->word_count) {
      if (quick && quad(row, m, l) && together(x, writes, address >> 2, 4)) m &= ~(14ull << l);
      else touch_word(x, writes, address, address + 4, address, l);
      continue;
    }
    const u32 n = size < 4 ? in_a_row(base, row, m, l, size) : 1, end = address + n * size;
    if (n > 1) m &= ~(((1ull << (n - 1)) - 1) << (l + 1));
    if (quick && !((address | end) & 3) && together(x, writes, address >> 2, (end - address) >> 2)) continue;
    for (u32 from = address, to; from < end && from >> 2 < s->word_count; from = to) {
      to = (from | 3) + 1 > end ? end : (from | 3) + 1;
      touch_word(x, writes, from, to, address, l);
    }
  }
}

// ---- by list --------------------------------------------------------------------------------------------------------

static void enter_records(GroupShadow *s) {
  for (u32 i = 0; i < s->record_count; i++) {
    const LdsRecord *e = &s->records[i];
    LdsAccess x = {.s = s, .me = e->me, .size = e->size, .epoch = s->epoch, .oldest = s->epoch - s->unfinished,
                   .ins = e->ins, .sequence = e->sequence, .atomic = e->atomic, .now = s->known[e->me][e->me],
                   .race = {-1, 0, 0}, .guess = {-1, 0, 0}, .unfinished = {-1, 0, 0}};
    by_word(&x, e->writes, e->base, e->row, e->lanes, e->size);
  }
  s->record_count = 0;
}

void race_barrier(GroupShadow *s, bool unfinished) {
  // What was under way at the barrier is looked at in the epoch that begins.
  if (unfinished) enter_records(s);
  s->record_count = 0;
  s->full = false;
  s->by_word = unfinished || s->signals;
  memset(s->blocks_read, 0, sizeof s->blocks_read);
  memset(s->blocks_written, 0, sizeof s->blocks_written);
}

typedef u32 row16 __attribute__((ext_vector_type(16), aligned(4)));

static void fill_record(LdsRecord *e, u32 base, const u32 *row, u64 lanes, u32 size) {
  row16 *to = (row16 *)e->row;
  for (int i = 0; i < 4; i++) to[i] = ((const row16 *)row)[i];
  if (unlikely(lanes != ALL_LANES)) {  // those that take no part are where another is
    const u32 somewhere = row[__builtin_ctzll(lanes)];
    for (int l = 0; l < LANE_COUNT; l++)
      if (!(lanes >> l & 1)) e->row[l] = somewhere;
  }
  row16 low = to[0], high = to[0];
  for (int i = 1; i < 4; i++) {
    low = __builtin_elementwise_min(low, to[i]);
    high = __builtin_elementwise_max(high, to[i]);
  }
  e->low = base + __builtin_reduce_min(low);
  e->high = base + __builtin_reduce_max(high) + size;
  e->base = base, e->lanes = lanes, e->size = (u8)size;
}

// Whether it is certain that no other wave's access since the barrier meets this one.
static bool apart(const GroupShadow *s, u32 waves, const LdsRecord *x, u64 blocks) {
  u64 theirs = 0;
  for (u32 b = 0; b < waves; b++)
    if (b != x->me) theirs |= s->blocks_written[b] | (x->writes ? s->blocks_read[b] : 0);
  if (likely(!(theirs & blocks))) return true;
  if (s->full) return false;
  for (u32 i = 0; i < s->record_count; i++) {
    const LdsRecord *e = &s->records[i];
    if (e->me != x->me && (e->writes || x->writes) && e->low < x->high && x->low < e->high) return false;
  }
  return true;
}

static bool listed(GroupShadow *s, u32 waves, LdsRecord *x) {
  u32 first = (x->low & ~3u) >> s->block_shift, last = ((x->high - 1) | 3) >> s->block_shift;
  if (last > 63) last = 63;
  const u64 blocks = first > last ? 0 : (~0ull << first) & (~0ull >> (63 - last));
  if (!apart(s, waves, x, blocks)) return false;
  (x->writes ? s->blocks_written : s->blocks_read)[x->me] |= blocks;
  if (++s->record_count == RECORDS) {
    enter_records(s);
    s->full = true;
  }
  return true;
}

void race_lds(Wave *w, const Ins *I, u32 base, const u32 *row, u64 lanes, u32 size, u32 access) {
  GroupShadow *s = w->shadow->group;
  const u32 waves = w->group->wave_count;
  const bool writes = access & (ACCESS_WRITE | ACCESS_ATOMIC), atomic = access & ACCESS_ATOMIC;
  if (waves == 1) return;
  if (!s->by_word) {
    LdsRecord *e = &s->records[s->record_count];
    fill_record(e, base, row, lanes, size);
    e->ins = I->index, e->sequence = w->shadow->lds_issued, e->me = w->id, e->writes = writes, e->atomic = atomic;
    if (likely(listed(s, waves, e))) return;
    enter_records(s);
    s->by_word = true;
  }
  LdsAccess x = {.s = s, .me = w->id, .size = size, .epoch = s->epoch, .oldest = s->epoch - s->unfinished,
                 .ins = I->index, .sequence = w->shadow->lds_issued, .atomic = atomic,
                 .polls = w->launch->polls[I->index], .now = s->known[w->id][w->id],
                 .race = {-1, 0, 0}, .guess = {-1, 0, 0}, .unfinished = {-1, 0, 0}};
  by_word(&x, writes, base, row, lanes, size);
  // Another wave may take this write as a signal: what comes after it is later. A clock that stood at its end would
  // order what is not ordered, and never the other way round.
  if (writes && s->signals && x.now < UINT32_MAX) s->known[x.me][x.me] = x.now + 1;
  if (x.race.other >= 0 && w->checks & CHECK_LDS_RACE)
    note(w, I, FAULT_LDS_RACE, x.race.lane, x.race.at, size, x.race.other);
  if (x.guess.other >= 0 && w->checks & CHECK_LDS_RACE) {
    const Ins *other = &w->launch->image->ins[x.guess.other], *load = atomic ? other : I, *by = atomic ? I : other;
    note(w, load, FAULT_LDS_GUESS, x.guess.lane, x.guess.at, size, by->index);
  }
  if (x.unfinished.other >= 0 && w->checks & CHECK_WAIT)
    note(w, I, FAULT_BARRIER_WAIT, x.unfinished.lane, x.unfinished.at, size, x.unfinished.other);
}
