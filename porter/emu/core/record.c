#include "record.h"

#include "check_counts.h"
#include "memory.h"

enum { SOME_WORDS = 1000, SLOTS = 8 * LANE_COUNT, MOST_LINES = 250 };

// Workgroups first, first + stride, ... of a launch, `wanted` at most
static u64 there_are(u64 first, u64 stride, u64 groups, u64 wanted) {
  const u64 there = groups > first ? (groups - first + stride - 1) / stride : 0;
  return wanted < there ? wanted : there;
}

void recording_begin(Recording *r, u64 groups, u32 waves_a_group) {
  r->count = there_are(r->first, r->stride, groups, r->count);
  r->beside = r->stride > 1 ? there_are(r->first + 1, r->stride, groups, r->beside) : 0;
  const u64 last = r->first + (r->count ? r->count - 1 : 0) * r->stride;
  const u64 beside = r->first + 1 + (r->beside ? r->beside - 1 : 0) * r->stride;
  r->runs = ((r->beside && beside > last ? beside : last) / CLUSTER + 1) * CLUSTER;
  if (r->runs > groups) r->runs = groups;
  r->waves_a_group = waves_a_group;
  r->waves = calloc((r->count + r->beside) * waves_a_group + 1, sizeof *r->waves);
}

static bool ended(const Recording *r, u64 at) {
  for (u32 i = 0; i < r->waves_a_group; i++)
    if (!r->waves[at * r->waves_a_group + i].ended) return false;
  return true;
}

// Arguments, variables, tables of addresses and memory of the host lie where the system puts them. In a recording each such
// range lies where the order says in which the waves came to them, all of them in front of the rest, whose distances stay:
// so a launch has one recording in every process.
static void settle(Recording *r) {
  enum { GAP = 1 << 29, ALIGNED = 1 << 21, HALF = CHIP_LINE_BYTES / 2 };
  const u64 rest = 1ull << 48;  // above every address
  MemoryPlace *places;
  const u64 count = memory_elsewhere(&places);
  u64 next = GAP, at = 0;
  for (u64 i = 0; i < (r->count + r->beside) * r->waves_a_group; i++) {
    RecordedWave *const w = &r->waves[i];
    for (u64 n = 0; n < w->length; n++) {
      const u64 word = w->words[n];
      if (!(word & RECORD_ACCESS) || (word >> 60 & 3) != RECORD_GLOBAL) continue;
      for (u64 left = word >> 32 & 0xffff; left; left--) {
        u64 *const line = &w->words[++n];
        // The end of the half that was touched: a range may begin within it.
        const u64 first = (*line >> 2) * CHIP_LINE_BYTES, address = first + (*line & 1 ? HALF : 2 * HALF) - 1;
        if (!count || address < places[at].start || address >= places[at].end) {
          u64 low = 0, high = count;
          while (low < high) {
            const u64 middle = (low + high) / 2;
            if (places[middle].start <= address) low = middle + 1;
            else high = middle;
          }
          at = low ? low - 1 : 0;
        }
        if (!count || address < places[at].start || first >= places[at].end) {
          *line += (rest / CHIP_LINE_BYTES) << 2;
          continue;
        }
        if (!places[at].placed) {
          places[at].placed = next;
          next = (next + places[at].end - places[at].start + GAP) / ALIGNED * ALIGNED;
        }
        *line += (places[at].placed / CHIP_LINE_BYTES - places[at].start / CHIP_LINE_BYTES) << 2;
      }
    }
  }
  free(places);
}

void recording_end(Recording *r) {
  const u64 room = r->count, each = r->waves_a_group;
  u64 whole = 0, beside = 0;
  while (whole < room && ended(r, whole)) whole++;
  while (beside < r->beside && ended(r, room + beside)) beside++;
  for (u64 i = whole * each; i < room * each; i++) free(r->waves[i].words);
  for (u64 i = (room + beside) * each; i < (room + r->beside) * each; i++) free(r->waves[i].words);
  memmove(r->waves + whole * each, r->waves + room * each, beside * each * sizeof *r->waves);
  r->count = whole, r->beside = beside;
  settle(r);
}

void record_end(Recording *r, RecordedWave *w) {
  w->ended = 1;
  __atomic_fetch_add(&r->words, w->length, __ATOMIC_RELAXED);
}

void recording_free(Recording *r) {
  for (u64 i = 0; r->waves && i < (r->count + r->beside) * r->waves_a_group; i++) free(r->waves[i].words);
  free(r->waves);
  r->waves = NULL;
}

static u64 *room(RecordedWave *w, u64 words) {
  if (w->length + words > w->capacity) {
    w->capacity = 2 * w->capacity + words + SOME_WORDS;
    w->words = realloc(w->words, w->capacity * sizeof *w->words);
  }
  u64 *at = w->words + w->length;
  w->length += words;
  return at;
}

// The place of a workgroup among the recorded ones, or -1.
static i64 place_of(const Recording *r, u64 group) {
  if (group < r->first) return -1;
  const u64 column = (group - r->first) % r->stride, row = (group - r->first) / r->stride;
  if (column == 1 && row < r->beside) return (i64)(r->count + row);
  return !column && row < r->count && record_number(r, r->beside + row) == group ? (i64)row : -1;
}

RecordedWave *record_wave(Recording *r, u64 group, u32 wave) {
  const i64 at = r ? place_of(r, group) : -1;
  if (at < 0) return NULL;
  RecordedWave *w = &r->waves[(u64)at * r->waves_a_group + wave];
  w->group = group, w->number = wave;
  w->open = 0, w->length = 0;
  *room(w, 1) = 0;
  return w;
}

void record_block(RecordedWave *w, u32 first, u32 length) {
  w->words[w->open] = (u64)length << 32 | first;
  w->open = w->length;
  *room(w, 1) = 0;
}

static u64 head(const Ins *I, u32 kind, u64 number) { return RECORD_ACCESS | (u64)kind << 60 | number << 32 | I->index; }

// L1 gives 64 bytes a cycle: a word from each of its banks. Four lanes that want different rows of one bank take turns.
static u64 turns_of_banks(const u64 *addresses, u64 lanes, u32 size) {
  enum { BANKS = 16, WORD = 4 };
  u64 rows[BANKS][4], most = 1;
  u8 counts[BANKS] = {0};
  for (; lanes; lanes &= lanes - 1) {
    const u64 first = addresses[__builtin_ctzll(lanes)];
    for (u64 word = first / WORD; word * WORD < first + size; word++) {
      const u64 bank = word % BANKS, row = word / BANKS;
      u8 i = 0;
      while (i < counts[bank] && rows[bank][i] != row) i++;
      if (i == 4 || i < counts[bank]) continue;
      rows[bank][counts[bank]++] = row;
      most = counts[bank] > most ? counts[bank] : most;
    }
  }
  return most;
}

// Cycles of the address unit: one for sixteen lanes that lie side by side, else those of each four of them.
static u64 address_cycles(const u64 *addresses, u64 lanes, u32 size) {
  u64 cycles = 0;
  for (u32 from = 0; from < LANE_COUNT; from += 16) {
    u64 low = ~0ull, high = 0;
    for (u64 own = lanes >> from & 0xffff; own; own &= own - 1) {
      const u64 at = addresses[from + (u32)__builtin_ctzll(own)];
      low = at < low ? at : low, high = at > high ? at : high;
    }
    if (low > high) continue;
    if (high - low < 16 * size) {
      cycles++;
      continue;
    }
    for (u32 four = from; four < from + 16; four += 4)
      if (lanes >> four & 15) cycles += turns_of_banks(addresses, lanes & 15ull << four, size);
  }
  return cycles;
}

// Lines in the order in which lanes meet them.
static void record_lines(RecordedWave *r, const Ins *I, u32 kind, const u64 *addresses, u64 lanes, u32 size) {
  u64 lines[4 * LANE_COUNT + 1];
  u8 slots[SLOTS] = {0};
  u32 count = 0;
  for (u64 m = lanes; m; m &= m - 1) {
    const u64 first = addresses[__builtin_ctzll(m)], last = first + size - 1;
    for (u64 half = first / 64; half <= last / 64; half++) {
      const u64 line = half >> 1, bit = 1ull << (half & 1);
      if (count && lines[count - 1] >> 2 == line) {
        lines[count - 1] |= bit;
        continue;
      }
      u32 slot = (u32)((line * 0x9e3779b97f4a7c15ull) >> 32) % SLOTS;
      while (slots[slot] && lines[slots[slot] - 1] >> 2 != line) slot = (slot + 1) % SLOTS;
      if (slots[slot]) {
        lines[slots[slot] - 1] |= bit;
      } else if (count < MOST_LINES) {
        lines[count++] = line << 2 | bit;
        slots[slot] = (u8)count;
      }
    }
  }
  *room(r, 1) = head(I, kind, address_cycles(addresses, lanes, size) << 16 | count);
  memcpy(room(r, count), lines, count * sizeof *lines);
}

void record_access(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  RecordedWave *r = w->record;
  const u32 writes = access & ACCESS_READ ? 0 : RECORD_WRITES;
  if (space == SPACE_GLOBAL) record_lines(r, I, RECORD_GLOBAL | writes, addresses, lanes, size);
  else if (space == SPACE_LDS) *room(r, 1) = head(I, RECORD_LDS | writes, lds_access_cycles(w, I, addresses, lanes, size, access));
  else *room(r, 1) = head(I, RECORD_PRIVATE | writes, (size + 3) / 4 * (LANE_COUNT * 4 / CHIP_LINE_BYTES));
}
