// Lanes of one wave that store different values to one byte with one instruction. Which of them stays is left open:
// threads of a warp are no more ordered than those of two. The same value is what programs store on purpose.
#include "shadow.h"

typedef u32 row16 __attribute__((ext_vector_type(16), aligned(4)));

// Each lane begins where the one before it ends, or later.
static inline bool ascending(const u32 *row, u32 size) {
  static const u32 starts[4] = {0, 16, 32, 47};  // the last lane has no next: one is looked at twice
  row16 bad = {0};
  for (int i = 0; i < 4; i++) {
    const row16 a = *(const row16 *)(row + starts[i]), next = *(const row16 *)(row + starts[i] + 1);
    bad |= (row16)(next < a) | (row16)(next - a < size);
  }
  return !__builtin_reduce_or(bad);
}

static inline bool same_from_first(const u32 *row, const u32 *known) {
  row16 bad = {0};
  for (int i = 0; i < 4; i++) bad |= (*(const row16 *)(row + 16 * i) - row[0]) ^ *(const row16 *)(known + 16 * i);
  return !__builtin_reduce_or(bad);
}

// Most instructions make one pattern over and over: the last one of each in which no two lanes met.
typedef struct Apart {
  u32 from_first[LANE_COUNT];
  u64 lanes;
  u32 ins, size;
} Apart;
#define APART_COUNT 64

static Apart *apart_of(Worker *worker, const Ins *I) {
  if (!worker->apart) worker->apart = calloc(APART_COUNT, sizeof(Apart));
  return &worker->apart[I->index % APART_COUNT];
}

// ---- the values -----------------------------------------------------------------------------------------------------

typedef struct { const u32 *data; u32 high; } Stored;  // data: the lanes' first words

static Stored stored(const Wave *w, const Ins *I, u32 access) {
  const Image *image = w->launch->image;
  const Regs *regs = &image->regs[I->index];
  const char *text = image->strings + image->places[I->index].text;
  const int source = access & ACCESS_SECOND ? 2 : strncmp(text, "buffer_", 7) && strncmp(text, "tbuffer_", 8) ? 1 : 0;
  if (!(regs->role & ROLE_STORE) || !regs->v_count[source]) return (Stored){NULL, 0};
  return (Stored){w->R + regs->v[source] * LANE_COUNT, strstr(text, "_d16_hi") ? 2 : 0};
}

static inline u32 value_of(const Stored *s, int lane, u32 from, u32 unit) {
  const u32 at = from + s->high, word = s->data[(at >> 2) * LANE_COUNT + lane];
  return unit == 4 ? word : word >> 8 * (at & 3) & 0xff;
}

// By words or bytes: who stored there. An entry belongs to the access whose number it has.
#define MET 2048  // twice what 64 lanes of 16 bytes have
typedef struct { u64 at; u32 access; u16 lane; } Met;
static __thread struct { Met entries[MET]; u32 access; } met;

static Met *met_at(u64 at) {
  for (u32 i = (u32)((at * 0x9e3779b97f4a7c15ull) >> 53);; i = (i + 1) & (MET - 1)) {
    Met *m = &met.entries[i];
    if (m->access == met.access && m->at != at) continue;
    return m;
  }
}

// A bit for each word of LDS; words of other memory share them. Whether all lanes' words have bits of their own: then
// they are apart.
#define WORD_BITS (CHIP_LDS_BYTES / 4)
static bool quickly_apart(const u64 *addresses, u64 lanes, u32 size) {
  static __thread u64 taken[WORD_BITS / 64];
  u64 met_any = size & 3;
  for (u64 m = lanes; m; m &= m - 1) {
    const u64 at = addresses[__builtin_ctzll(m)];
    met_any |= at & 3;
    for (u32 from = 0; from < size; from += 4) {
      const u32 word = (u32)((at + from) >> 2) & (WORD_BITS - 1);
      met_any |= taken[word >> 6] >> (word & 63) & 1;
      taken[word >> 6] |= 1ull << (word & 63);
    }
  }
  for (u64 m = lanes; m; m &= m - 1)
    for (u32 from = 0; from < size; from += 4)
      taken[(u32)((addresses[__builtin_ctzll(m)] + from) >> 2) >> 6 & (WORD_BITS / 64 - 1)] = 0;
  return !met_any;
}

enum { NOBODY_MET, MET_ALIKE, MET_OTHER };

// Whether two lanes met, and with different values; *lane and *place: the second one of the first two that did.
static int look(const u64 *addresses, u64 lanes, u32 size, const Stored *s, int *lane, u64 *place) {
  bool odd = size & 3;
  for (u64 m = lanes; m; m &= m - 1) odd |= addresses[__builtin_ctzll(m)] & 3;
  const u32 unit = odd ? 1 : 4;
  int found = NOBODY_MET;
  if (!++met.access) memset(met.entries, 0, sizeof met.entries), met.access = 1;
  for (u64 m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctzll(m);
    for (u32 from = 0; from < size; from += unit) {
      Met *one = met_at(addresses[l] + from);
      if (one->access != met.access) {
        *one = (Met){addresses[l] + from, met.access, (u16)l};
        continue;
      }
      found = MET_ALIKE;
      const u32 theirs = (u32)(one->at - addresses[one->lane]);
      if (value_of(s, l, from, unit) == value_of(s, one->lane, theirs, unit)) continue;
      *lane = l, *place = one->at;
      return MET_OTHER;
    }
  }
  return found;
}

static void meet(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access, Apart *apart) {
  int lane = 0, found = NOBODY_MET;
  u64 place = 0;
  if (!quickly_apart(addresses, lanes, size)) {
    const Stored s = stored(w, I, access);
    if (!s.data) return;
    found = look(addresses, lanes, size, &s, &lane, &place);
  }
  if (found == MET_OTHER) {
    if (space == SPACE_LDS) note(w, I, FAULT_LDS_LANE_RACE, lane, place, size, -1);
    else note(w, I, FAULT_GLOBAL_LANE_RACE, lane, place, size, -1);
  }
  if (found != NOBODY_MET) return;
  const int first = __builtin_ctzll(lanes);
  for (int l = 0; l < LANE_COUNT; l++) apart->from_first[l] = (u32)(addresses[lanes >> l & 1 ? l : first] - addresses[first]);
  apart->lanes = lanes, apart->ins = I->index, apart->size = size;
}

void race_lanes(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  if (!(lanes & (lanes - 1))) return;
  const int first = __builtin_ctzll(lanes);
  u32 row[LANE_COUNT];
  u64 last = 0;
  bool rising = true;
  for (u64 m = lanes; m; m &= m - 1) {
    const u64 at = addresses[__builtin_ctzll(m)];
    rising &= at >= last;
    last = at + size;
  }
  if (rising) return;
  Apart *apart = apart_of(w->worker, I);
  if (apart->lanes == lanes && apart->ins == I->index && apart->size == size) {
    for (int l = 0; l < LANE_COUNT; l++) row[l] = (u32)(addresses[lanes >> l & 1 ? l : first] - addresses[first]);
    if (same_from_first(row, apart->from_first)) return;
  }
  meet(w, I, space, addresses, lanes, size, access, apart);
}

void race_lane_rows(Wave *w, const Ins *I, Space space, u64 base, const u32 *row, u32 size, u32 access) {
  if (likely(ascending(row, size))) return;
  Apart *apart = apart_of(w->worker, I);
  if (apart->lanes == ALL_LANES && apart->ins == I->index && apart->size == size &&
      likely(same_from_first(row, apart->from_first)))
    return;
  u64 addresses[LANE_COUNT];
  for (int l = 0; l < LANE_COUNT; l++) addresses[l] = base + row[l];
  meet(w, I, space, addresses, ALL_LANES, size, access, apart);
}
