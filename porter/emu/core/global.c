// Global memory: loads, stores, and scalar loads.
#include "image.h"
#include "memory.h"
#include "ops.h"

void global_addresses(Wave *w, const Ins *I, int vaddr, int saddr, u64 *out) {
  const u32 *v = I->s[vaddr] == NO_OPERAND ? NULL : w->R + I->s[vaddr];
  const i64 offset = I->imm;
  if (I->s[saddr] == NO_OPERAND) {
    for (int l = 0; l < LANE_COUNT; l++) out[l] = GET64(v, l) + offset;
    return;
  }
  const u64 base = scalar64(w, I->s[saddr]) + offset;
  for (int l = 0; l < LANE_COUNT; l++) out[l] = base + (v ? v[l] : 0);
}

#define EACH_LANE(mask) for (u64 m_ = (mask), l; m_ && (l = __builtin_ctzll(m_), true); m_ &= m_ - 1)

#define NATIVE_global_load(NAME, N)                                                      \
  const Ins *NAME(Wave *w, const Ins *I) {                                               \
    u64 address[LANE_COUNT];                                                             \
    const u64 lanes = EXEC;                                                              \
    global_addresses(w, I, 0, 1, address);                                               \
    const int bad = out_of_bounds(address, lanes, 4 * N, false);                         \
    if (unlikely(bad >= 0)) return fault(w, I, FAULT_OUT_OF_BOUNDS, bad, address[bad], 4 * N, -1); \
    u32 *d = w->R + I->d;                                                                \
    EACH_LANE(lanes) {                                                                   \
      u32 words[N];                                                                      \
      memcpy(words, (const void *)address[l], sizeof words);                             \
      for (int i = 0; i < N; i++) d[LANE_COUNT * i + l] = words[i];                      \
    }                                                                                    \
    NEXT;                                                                                \
  }

#define NATIVE_global_store(NAME, N)                                                     \
  const Ins *NAME(Wave *w, const Ins *I) {                                               \
    u64 address[LANE_COUNT];                                                             \
    const u64 lanes = EXEC;                                                              \
    global_addresses(w, I, 0, 2, address);                                               \
    const int bad = out_of_bounds(address, lanes, 4 * N, true);                          \
    if (unlikely(bad >= 0)) return fault(w, I, FAULT_OUT_OF_BOUNDS, bad, address[bad], 4 * N, -1); \
    const u32 *d = w->R + I->s[1];                                                       \
    EACH_LANE(lanes) {                                                                   \
      u32 words[N];                                                                      \
      for (int i = 0; i < N; i++) words[i] = d[LANE_COUNT * i + l];                      \
      memcpy((void *)address[l], words, sizeof words);                                   \
    }                                                                                    \
    NEXT;                                                                                \
  }

#define NATIVE_s_load(NAME, N)                                                           \
  const Ins *NAME(Wave *w, const Ins *I) {                                               \
    u64 address = scalar64(w, I->s[0]) + (I->s[1] == NO_OPERAND ? 0 : scalar32(w, I->s[1])) + (i64)I->imm; \
    address &= ~3ull;                                                                    \
    if (unlikely(out_of_bounds(&address, 1, 4 * N, false) >= 0))                         \
      return fault(w, I, FAULT_OUT_OF_BOUNDS, 0, address, 4 * N, -1);                    \
    memcpy(&w->s[REF_INDEX(~(u32)I->d)], (const void *)address, 4 * N);                  \
    NEXT;                                                                                \
  }

#include "natives.h"
