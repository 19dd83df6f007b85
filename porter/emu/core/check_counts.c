// LDS bank cycles and lines of global memory of one access.
#include "check_counts.h"

// Conflicts count within a phase. A 16-byte read takes its lanes in this order (porter/chip.py);
// every other access takes them in a row: 32 lanes of 4 bytes, 16 of 8, 8 of 16.
#define BANKS CHIP_LDS_BANKS
static const u8 read_b128[8][8] = CHIP_LDS_READ_B128;

static u32 lds_cycles(const u64 *addresses, u64 lanes, u32 size, bool write, u32 *ideal) {
  const u32 words = size <= 4 ? 1 : size / 4;
  const u32 phases = words == 1 ? 2 : words == 2 ? 4 : 8, in_phase = LANE_COUNT / phases;
  u32 total = 0, least = 0;
  for (u32 p = 0; p < phases; p++) {
    u8 used[BANKS] = {0};
    u32 seen[BANKS][4];
    u32 most = 0;
    for (u32 q = 0; q < in_phase; q++) {
      const u32 l = words == 4 && !write ? read_b128[p][q] : p * in_phase + q;
      if (!(lanes >> l & 1)) continue;
      const u32 first = (u32)(addresses[l] >> 2);
      for (u32 word = first; word < first + words; word++) {
        const u32 bank = word % BANKS;
        u32 at = 0;
        while (at < used[bank] && at < 4 && seen[bank][at] != word) at++;
        if (at < used[bank] && at < 4) continue;  // the same word is read once for all
        if (used[bank] < 4) seen[bank][used[bank]] = word;
        used[bank]++;
        if (used[bank] > most) most = used[bank];
      }
    }
    total += most;
    least += most ? 1 : 0;
  }
  *ideal = least;
  return total;
}

static u32 global_lines(const u64 *addresses, u64 lanes, u32 size) {
  u64 table[256] = {0};
  u32 lines = 0;
  u64 previous = 0;
  for (u64 m = lanes; m; m &= m - 1) {
    const u64 a = addresses[__builtin_ctzll(m)];
    for (u64 line = a / CHIP_LINE_BYTES; line <= (a + size - 1) / CHIP_LINE_BYTES; line++) {
      if (line == previous) continue;
      previous = line;
      u32 slot = (u32)((line * 0x9e3779b97f4a7c15ull) >> 56);
      while (table[slot] && table[slot] != line) slot = (slot + 1) & 255;
      if (!table[slot]) table[slot] = line, lines++;
    }
  }
  return lines;
}

// Most instructions make one pattern over and over: what was counted for an instruction's last one is kept.
typedef struct Pattern {
  u64 from_first[LANE_COUNT];  // of lanes that take no part: 0
  u64 lanes;
  u32 ins, size, within, access;
  Space space;
  u32 cycles, ideal;           // or lines
} Pattern;
#define PATTERNS 512

static bool same_pattern(const Pattern *a, const Pattern *b) {
  u64 differ = (a->lanes ^ b->lanes) | (a->ins ^ b->ins) | (a->size ^ b->size) | (a->within ^ b->within) |
               (a->access ^ b->access) | (a->space ^ b->space);
  for (int l = 0; l < LANE_COUNT; l++) differ |= a->from_first[l] ^ b->from_first[l];
  return !differ;
}

static const Pattern *pattern_of(Worker *worker, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size,
                                 u32 access) {
  const u64 first = addresses[__builtin_ctzll(lanes)];
  Pattern now = {.lanes = lanes, .ins = I->index + 1, .size = size, .access = access, .space = space};
  now.within = first & (space == SPACE_LDS ? 3 : CHIP_LINE_BYTES - 1);  // banks go round: what lies a word further is as good
  for (int l = 0; l < LANE_COUNT; l++) now.from_first[l] = (addresses[l] - first) & -(lanes >> l & 1);
  if (!worker->patterns) worker->patterns = calloc(PATTERNS, sizeof *worker->patterns);
  Pattern *known = &worker->patterns[I->index % PATTERNS];
  if (!same_pattern(&now, known)) {
    if (space == SPACE_LDS) {
      now.cycles = lds_cycles(addresses, lanes, size, access & ACCESS_WRITE, &now.ideal);
    } else {
      now.cycles = global_lines(addresses, lanes, size);
      now.ideal = ((u32)__builtin_popcountll(lanes) * size + CHIP_LINE_BYTES - 1) / CHIP_LINE_BYTES;
    }
    *known = now;
  }
  return known;
}

u32 lds_access_cycles(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  return pattern_of(w->worker, I, SPACE_LDS, addresses, lanes, size, access)->cycles;
}

void count_access(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  AccessCount *c = &w->worker->accesses[I->index];
  const u32 count = (u32)__builtin_popcountll(lanes);
  c->times++;
  c->lanes += count;
  c->bytes += (u64)count * size;
  if (!(w->checks & (space == SPACE_LDS ? CHECK_BANKS : CHECK_COALESCING))) return;
  const Pattern *known = pattern_of(w->worker, I, space, addresses, lanes, size, access);
  if (space == SPACE_LDS) c->lds_cycles += known->cycles, c->lds_ideal += known->ideal;
  else c->lines += known->cycles, c->lines_ideal += known->ideal;
}
