// Races in LDS: two accesses to one word, one of them a write, and nothing that orders them: a barrier, or a signal. An
// atomic, or a load that polls (find_polls() in image.c finds those), takes over what the last writer of the word knew.
//
// Most workgroups keep the waves' parts of LDS apart between two barriers, or only read. So an access is first written
// down in a list (LdsRecord), with the blocks of LDS that it touches; only where blocks and ranges of two waves meet is
// what the list holds entered by word, and the rest up to the next barrier with it.
#include "check_races.h"

static u32 byte_mask(u32 address, u32 size) {
  if (size >= 4) return 15;
  return ((1u << size) - 1) << (address & 3);
}

static void learn(GroupShadow *s, u32 a, u32 b, u16 clock) {
  for (u32 k = 0; k < MAX_WAVES; k++)
    if (k != a && s->known[b][k] > s->known[a][k] && k != b) s->known[a][k] = s->known[b][k];
  if (clock > s->known[a][b]) s->known[a][b] = clock;
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
void race_new_group(GroupShadow *s, u32 lds_bytes, bool signals) {
  u32 **const arrays[] = {&s->write_tags, &s->write_ins, &s->write_sequence, &s->write_flags,
                          &s->read_tags,  &s->read_ins,  &s->read_sequence};
  s->words = lds_bytes / 4 + 1;
  for (u32 i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = calloc(s->words + SPARE, 4);
  if (signals) s->read_clocks = calloc(s->words + SPARE, sizeof *s->read_clocks);
  while (4 * s->words >> s->block_shift >= 64) s->block_shift++;
  s->records = malloc(RECORDS * sizeof *s->records);
}

void race_free_group(GroupShadow *s) {
  u32 *const arrays[] = {s->write_tags, s->write_ins, s->write_sequence, s->write_flags,
                         s->read_tags,  s->read_ins,  s->read_sequence};
  for (u32 i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  free(s->read_clocks);
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
    const words##N written = *(const words##N *)(s->write_tags + at);                                    \
    const words##N read = *(const words##N *)(s->read_tags + at);                                        \
    const words##N harmless = ((words##N)((written >> 5) < oldest) | (words##N)((written & 31) == x->me)) & \
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

static inline bool together(LdsAccess *x, bool writes, u32 oldest, u32 at, u32 words) {
  if (words == 4) return writes ? write_4(x, oldest, at) : read_4(x, oldest, at);
  return words == 2 && (writes ? write_2(x, oldest, at) : read_2(x, oldest, at));
}

// Four lanes from l on that take the four words of a quarter line together
static inline bool quad(const u32 *row, u64 lanes, int l, u32 size) {
  if (size != 4 || l > LANE_COUNT - 4 || (lanes >> l & 15) != 15) return false;
  const u32 a = row[l];
  return row[l + 1] == a + 4 && row[l + 2] == a + 8 && row[l + 3] == a + 12;
}

// A whole wave's reads of 8 or 16 bytes: the lanes that have to be looked at one by one.
static u64 read_all(LdsAccess *x, u32 oldest, u32 base, const u32 *row, u32 size) {
  u64 left = 0;
  if (size == 8)
    for (int l = 0; l < LANE_COUNT; l++) left |= (u64)!read_2(x, oldest, (base + row[l]) >> 2) << l;
  else
    for (int l = 0; l < LANE_COUNT; l++) left |= (u64)!read_4(x, oldest, (base + row[l]) >> 2) << l;
  for (int l = 0; l < LANE_COUNT; l++) left |= (u64)((base + row[l]) & 3 ? 1 : 0) << l;  // a fifth word
  return left;
}

static void by_word(LdsAccess *x, bool writes, u32 base, const u32 *row, u64 lanes, u32 size) {
  GroupShadow *s = x->s;
  const bool quick = !s->read_clocks;
  const u32 oldest = s->unfinished ? x->epoch - 1 : x->epoch;
  if (quick && !writes && lanes == ALL_LANES && (size == 8 || size == 16)) lanes = read_all(x, oldest, base, row, size);
  for (u64 m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctzll(m);
    const u32 address = base + row[l], first = address >> 2, last = (address + size - 1) >> 2;
    if (quick && quad(row, m, l, size)) {
      if (together(x, writes, oldest, first, 4)) {
        m &= ~(14ull << l);
        continue;
      }
    } else if (quick && together(x, writes, oldest, first, last - first + 1)) {
      continue;
    }
    const u32 bytes = byte_mask(address, size);
    for (u32 at = first; at <= last && at < s->words; at++)
      writes ? write_word(x, at, bytes, address, l) : read_word(x, at, bytes, address, l);
  }
}

// ---- by list --------------------------------------------------------------------------------------------------------

static void enter_records(GroupShadow *s) {
  for (u32 i = 0; i < s->record_count; i++) {
    const LdsRecord *e = &s->records[i];
    LdsAccess x = {.s = s, .me = e->me, .epoch = s->epoch, .ins = e->ins, .sequence = e->sequence, .atomic = e->atomic,
                   .now = s->known[e->me][e->me], .race = {-1, 0, 0}, .unfinished = {-1, 0, 0}};
    by_word(&x, e->writes, e->base, e->row, e->lanes, e->size);
  }
  s->record_count = 0;
}

void race_barrier(GroupShadow *s, bool unfinished) {
  // What was under way at the barrier is looked at in the epoch that begins.
  if (unfinished) enter_records(s);
  s->record_count = 0;
  s->full = false;
  s->by_word = unfinished || s->read_clocks;
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
  LdsAccess x = {.s = s, .me = w->id, .epoch = s->epoch, .ins = I->index, .sequence = w->shadow->lds_issued,
                 .atomic = atomic, .polls = w->launch->polls[I->index], .now = s->known[w->id][w->id],
                 .race = {-1, 0, 0}, .unfinished = {-1, 0, 0}};
  by_word(&x, writes, base, row, lanes, size);
  // Another wave may take this write as a signal: what comes after it is later.
  if (writes && s->read_clocks && x.now < 0xffff) s->known[x.me][x.me] = x.now + 1;
  if (x.race.other >= 0 && w->checks & CHECK_LDS_RACE)
    note(w, I, FAULT_LDS_RACE, x.race.lane, x.race.at, size, x.race.other);
  if (x.unfinished.other >= 0 && w->checks & CHECK_WAIT)
    note(w, I, FAULT_MISSING_WAIT, x.unfinished.lane, x.unfinished.at, size, x.unfinished.other);
}
