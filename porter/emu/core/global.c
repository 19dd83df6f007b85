// Loads and stores of global, flat and private memory and of buffers, and scalar loads and stores.
#include "memory.h"
#include "ops.h"

#define PLACES_LOAD_global(w, I, size, p) global_places(w, I, 0, 1, size, ACCESS_READ, p)
#define PLACES_LOAD_flat(w, I, size, p) flat_places(w, I, 0, size, ACCESS_READ, p)
#define PLACES_LOAD_scratch(w, I, size, p) scratch_places(w, I, 0, 1, size, ACCESS_READ, p)
#define PLACES_STORE_global(w, I, size, p) global_places(w, I, 0, 2, size, ACCESS_WRITE, p)
#define PLACES_STORE_flat(w, I, size, p) flat_places(w, I, 0, size, ACCESS_WRITE, p)
#define PLACES_STORE_scratch(w, I, size, p) scratch_places(w, I, 0, 2, size, ACCESS_WRITE, p)

// ---- any memory, any EXEC -------------------------------------------------------------------------------------------

#define LOAD_LANES(NAME, SPACE, TYPE)                                     \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) { \
    Places p;                                                             \
    if (!PLACES_LOAD_##SPACE(w, I, SIZE_##TYPE, &p)) return false;        \
    u32 *d = w->R + I->d;                                                 \
    EACH_LANE(p.lanes) { LOAD_##TYPE(d, p.at[l]); }                       \
    return true;                                                          \
  }

#define STORE_LANES(NAME, SPACE, TYPE)                                    \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) { \
    Places p;                                                             \
    if (!PLACES_STORE_##SPACE(w, I, SIZE_##TYPE, &p)) return false;       \
    const u32 *d = w->R + I->s[1];                                        \
    EACH_LANE(p.lanes) { STORE_##TYPE(d, p.at[l]); }                      \
    return true;                                                          \
  }

#define BY_LANES(NAME)                           \
  const Ins *NAME(Wave *w, const Ins *I) {       \
    if (unlikely(!NAME##_lanes(w, I))) return 0; \
    NEXT_OF_MEMORY;                              \
  }

#define NATIVE_load(NAME, SPACE, TYPE) LOAD_LANES(NAME, SPACE, TYPE) BY_LANES(NAME)
#define NATIVE_store(NAME, SPACE, TYPE) STORE_LANES(NAME, SPACE, TYPE) BY_LANES(NAME)

// ---- whole dwords of a full wave ------------------------------------------------------------------------------------

// base + row[l] are the lanes' addresses; false where they have no such form.
static inline bool rows_global(Wave *w, const Ins *I, int vaddr, int saddr, u64 *base, const u32 **row) {
  if (I->s[vaddr] == NO_OPERAND) return false;
  *row = w->R + I->s[vaddr];
  if (I->s[saddr] == NO_OPERAND) {
    if (!uniform(*row + LANE_COUNT)) return false;
    *base = ((u64)(*row)[LANE_COUNT] << 32) + (u64)(i64)I->imm;
  } else {
    *base = scalar64(w, I->s[saddr]) + (u64)(i64)I->imm;
  }
  return true;
}

static inline bool rows_flat(Wave *w, const Ins *I, int vaddr, u64 *base, const u32 **row) {
  *row = w->R + I->s[vaddr];
  if (!uniform(*row + LANE_COUNT)) return false;
  *base = ((u64)(*row)[LANE_COUNT] << 32) + (u64)(i64)I->imm;
  return true;
}

// Every lane has its own part of the wave's private memory; the sums go to a spare row.
static inline bool rows_scratch(Wave *w, const Ins *I, int vaddr, int saddr, u32 size, u64 *base, const u32 **row) {
  const u64 offset = (u64)(I->s[saddr] == NO_OPERAND ? 0 : scalar32(w, I->s[saddr])) + (u64)(i64)I->imm;
  if (offset + size > w->scratch_size || offset > w->scratch_size) return false;
  static const v16 iota = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  u32 *sums = w->tmp[5];
  const u32 *v = w->R + I->s[vaddr];
  const bool given = I->s[vaddr] != NO_OPERAND;
  if (given && !within(v, 0, w->scratch_size - size - (u32)offset)) return false;
  for (int i = 0; i < 4; i++) {
    const v16 lanes = (iota + 16 * i) * w->scratch_size;
    ROW(sums, i) = given ? lanes + CROW(v, i) : lanes;
  }
  *row = sums;
  *base = (u64)(uintptr_t)w->scratch + offset;
  return true;
}

#define ROWS_LOAD_global(w, I, base, row) rows_global(w, I, 0, 1, base, row)
#define ROWS_LOAD_flat(w, I, base, row) rows_flat(w, I, 0, base, row)
#define ROWS_STORE_global(w, I, base, row) rows_global(w, I, 0, 2, base, row)
#define ROWS_STORE_flat(w, I, base, row) rows_flat(w, I, 0, base, row)

#define LOAD_ROWS(NAME, N, ROWS)                                                                  \
  static __attribute__((noinline)) bool NAME##_rows(Wave *w, const Ins *I) {                      \
    u64 base;                                                                                     \
    const u32 *row;                                                                               \
    if (!ROWS(w, I, &base, &row) || !reachable(w, I, base, row, 4 * N, false)) return false;      \
    CHECK_ROWS(SPACE_GLOBAL, base, row, 4 * N, ACCESS_READ);                                \
    load_rows(w->R + I->d, base, row, N);                                                         \
    CHECK_LOADED(w->R + I->d, N);                                                                 \
    return true;                                                                                  \
  }

#define STORE_ROWS(NAME, N, ROWS, DATA)                                                           \
  static __attribute__((noinline)) bool NAME##_rows(Wave *w, const Ins *I) {                      \
    u64 base;                                                                                     \
    const u32 *row;                                                                               \
    if (!ROWS(w, I, &base, &row) || !reachable(w, I, base, row, 4 * N, true)) return false;       \
    CHECK_ROWS(SPACE_GLOBAL, base, row, 4 * N, ACCESS_WRITE);                                     \
    store_rows(w->R + I->s[DATA], base, row, N);                                                  \
    return true;                                                                                  \
  }

#define BY_ROWS(NAME)                                                                              \
  const Ins *NAME(Wave *w, const Ins *I) {                                                         \
    if (unlikely(EXEC != ALL_LANES || !NAME##_rows(w, I)) && !NAME##_lanes(w, I)) return 0; \
    NEXT_OF_MEMORY;                                                                                \
  }

#define NATIVE_scratch_load(NAME, N, TYPE)                                                        \
  LOAD_LANES(NAME, scratch, TYPE)                                                                 \
  static __attribute__((noinline)) bool NAME##_rows(Wave *w, const Ins *I) {                      \
    u64 base;                                                                                     \
    const u32 *row;                                                                               \
    if (w->shadow || !rows_scratch(w, I, 0, 1, 4 * N, &base, &row)) return false;                              \
    load_rows(w->R + I->d, base, row, N);                                                         \
    return true;                                                                                  \
  }                                                                                               \
  BY_ROWS(NAME)

#define NATIVE_scratch_store(NAME, N, TYPE)                                                       \
  STORE_LANES(NAME, scratch, TYPE)                                                                \
  static __attribute__((noinline)) bool NAME##_rows(Wave *w, const Ins *I) {                      \
    u64 base;                                                                                     \
    const u32 *row;                                                                               \
    if (w->shadow || !rows_scratch(w, I, 0, 2, 4 * N, &base, &row)) return false;                              \
    store_rows(w->R + I->s[1], base, row, N);                                                     \
    return true;                                                                                  \
  }                                                                                               \
  BY_ROWS(NAME)

#define NATIVE_load_part(NAME, SPACE, TYPE)                                                       \
  LOAD_LANES(NAME, SPACE, TYPE)                                                                   \
  static __attribute__((noinline)) bool NAME##_rows(Wave *w, const Ins *I) {                      \
    u64 base;                                                                                     \
    const u32 *row;                                                                               \
    if (!ROWS_LOAD_##SPACE(w, I, &base, &row) || !reachable(w, I, base, row, SIZE_##TYPE, false)) return false; \
    CHECK_ROWS(SPACE_GLOBAL, base, row, SIZE_##TYPE, ACCESS_READ);                                \
    u32 *d = w->R + I->d;                                                                         \
    for (int l = 0; l < LANE_COUNT; l++) LOAD_##TYPE(d, base + row[l]);                           \
    return true;                                                                                  \
  }                                                                                               \
  BY_ROWS(NAME)

#define NATIVE_store_part(NAME, SPACE, TYPE)                                                      \
  STORE_LANES(NAME, SPACE, TYPE)                                                                  \
  static __attribute__((noinline)) bool NAME##_rows(Wave *w, const Ins *I) {                      \
    u64 base;                                                                                     \
    const u32 *row;                                                                               \
    if (!ROWS_STORE_##SPACE(w, I, &base, &row) || !reachable(w, I, base, row, SIZE_##TYPE, true)) return false; \
    CHECK_ROWS(SPACE_GLOBAL, base, row, SIZE_##TYPE, ACCESS_WRITE);                               \
    const u32 *d = w->R + I->s[1];                                                                \
    for (int l = 0; l < LANE_COUNT; l++) STORE_##TYPE(d, base + row[l]);                          \
    return true;                                                                                  \
  }                                                                                               \
  BY_ROWS(NAME)

#define NATIVE_load_words(NAME, SPACE, N, TYPE) \
  LOAD_LANES(NAME, SPACE, TYPE) LOAD_ROWS(NAME, N, ROWS_LOAD_##SPACE) BY_ROWS(NAME)
#define NATIVE_store_words(NAME, SPACE, N, TYPE) \
  STORE_LANES(NAME, SPACE, TYPE) STORE_ROWS(NAME, N, ROWS_STORE_##SPACE, 1) BY_ROWS(NAME)

// ---- loads that go to LDS -------------------------------------------------------------------------------------------

#define NATIVE_load_lds(NAME, SPACE, TYPE) LOAD_LDS_LANES(NAME, SPACE, TYPE) BY_LANES(NAME)
#define LOAD_LDS_LANES(NAME, SPACE, TYPE)                              \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) { \
    Places p;                                                                 \
    u32 base, words[LANE_COUNT];                                              \
    if (!PLACES_LOAD_##SPACE(w, I, SIZE_##TYPE, &p)) return false;            \
    if (!lds_landing(w, I, p.lanes, &base)) return false;                     \
    EACH_LANE(p.lanes) {                                                      \
      LOAD_##TYPE(words, p.at[l]);                                            \
      *(w32 *)(w->lds + (u32)(base + 4 * l)) = words[l];                             \
    }                                                                         \
    return true;                                                              \
  }

static inline bool landing_rows(Wave *w, const Ins *I, u64 base, const u32 *row) {
  const u32 to = (M0 & 0xffff) + (u32)I->imm;
  if (w->shadow || to > w->lds_size || to + 4 * LANE_COUNT > w->lds_size || !reachable(w, I, base, row, 4, false)) return false;
  load_rows((u32 *)(w->lds + to), base, row, 1);
  return true;
}

#define NATIVE_load_lds_words(NAME, SPACE)                                                        \
  LOAD_LDS_LANES(NAME, SPACE, b32)                                                         \
  static __attribute__((noinline)) bool NAME##_rows(Wave *w, const Ins *I) {                      \
    u64 base;                                                                                     \
    const u32 *row;                                                                               \
    return ROWS_LOAD_##SPACE(w, I, &base, &row) && landing_rows(w, I, base, row);                 \
  }                                                                                               \
  BY_ROWS(NAME)

// ---- buffers --------------------------------------------------------------------------------------------------------

#define BUFFER_LOAD_LANES(NAME, TYPE)                                                        \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {                \
    BufferPlaces b;                                                                          \
    if (!buffer_places(w, I, 0, SIZE_##TYPE, ACCESS_READ, false, &b)) return false;          \
    u32 *d = w->R + I->d;                                                                    \
    EACH_LANE(b.p.lanes) { LOAD_##TYPE(d, b.p.at[l]); }                                      \
    return true;                                                                             \
  }

#define BUFFER_STORE_LANES(NAME, TYPE)                                                       \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {                \
    BufferPlaces b;                                                                          \
    if (!buffer_places(w, I, 1, SIZE_##TYPE, ACCESS_WRITE, false, &b)) return false;         \
    const u32 *d = w->R + I->s[0];                                                           \
    EACH_LANE(b.p.lanes) { STORE_##TYPE(d, b.p.at[l]); }                                     \
    buffer_written(&b);                                                                      \
    return true;                                                                             \
  }

// Without stride and index the lanes are base + row, and all in range when no row is above a limit.
static inline bool rows_buffer(Wave *w, const Ins *I, int first, u32 size, u64 *base, const u32 **row) {
  if ((I->flags & (F_IDXEN | F_OFFEN)) != F_OFFEN) return false;
  const u32 *rsrc = &w->s[REF_INDEX(~(u32)I->s[first + 1])];
  if (rsrc[3] >> 23 & 1 || rsrc[1] >> 31) return false;
  const u32 soffset = I->s[first + 2] == NO_OPERAND ? 0 : scalar32(w, I->s[first + 2]);
  const i64 limit = (i64)rsrc[2] - soffset - I->imm - size;
  *row = w->R + I->s[first];
  *base = (rsrc[0] | (u64)(rsrc[1] & 0xffff) << 32) + soffset + (u32)I->imm;
  return limit >= 0 && within(*row, 0, (u32)limit);
}

#define NATIVE_buffer_load(NAME, TYPE) BUFFER_LOAD_LANES(NAME, TYPE) BY_LANES(NAME)
#define NATIVE_buffer_store(NAME, TYPE) BUFFER_STORE_LANES(NAME, TYPE) BY_LANES(NAME)
#define ROWS_LOAD_b32(w, I, base, row) rows_buffer(w, I, 0, 4, base, row)
#define ROWS_LOAD_b64(w, I, base, row) rows_buffer(w, I, 0, 8, base, row)
#define ROWS_LOAD_b96(w, I, base, row) rows_buffer(w, I, 0, 12, base, row)
#define ROWS_LOAD_b128(w, I, base, row) rows_buffer(w, I, 0, 16, base, row)
#define ROWS_STORE_b32(w, I, base, row) rows_buffer(w, I, 1, 4, base, row)
#define ROWS_STORE_b64(w, I, base, row) rows_buffer(w, I, 1, 8, base, row)
#define ROWS_STORE_b96(w, I, base, row) rows_buffer(w, I, 1, 12, base, row)
#define ROWS_STORE_b128(w, I, base, row) rows_buffer(w, I, 1, 16, base, row)
#define NATIVE_buffer_load_words(NAME, N, TYPE) \
  BUFFER_LOAD_LANES(NAME, TYPE) LOAD_ROWS(NAME, N, ROWS_LOAD_##TYPE) BY_ROWS(NAME)
#define NATIVE_buffer_store_words(NAME, N, TYPE) \
  BUFFER_STORE_LANES(NAME, TYPE) STORE_ROWS(NAME, N, ROWS_STORE_##TYPE, 0) BY_ROWS(NAME)

#define NATIVE_buffer_load_lds(NAME, TYPE) BUFFER_LOAD_LDS_LANES(NAME, TYPE) BY_LANES(NAME)
#define BUFFER_LOAD_LDS_LANES(NAME, TYPE)                                    \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {       \
    BufferPlaces b;                                                                 \
    u32 base, words[LANE_COUNT];                                                    \
    if (!buffer_places(w, I, 0, SIZE_##TYPE, ACCESS_READ, false, &b)) return false; \
    if (!lds_landing(w, I, b.p.lanes, &base)) return false;                         \
    EACH_LANE(b.p.lanes) {                                                          \
      LOAD_##TYPE(words, b.p.at[l]);                                                \
      *(w32 *)(w->lds + (u32)(base + 4 * l)) = words[l];                                   \
    }                                                                               \
    return true;                                                                    \
  }

#define NATIVE_buffer_load_lds_words(NAME)                                                        \
  BUFFER_LOAD_LDS_LANES(NAME, b32)                                                         \
  static __attribute__((noinline)) bool NAME##_rows(Wave *w, const Ins *I) {                      \
    u64 base;                                                                                     \
    const u32 *row;                                                                               \
    return rows_buffer(w, I, 0, 4, &base, &row) && landing_rows(w, I, base, row);                 \
  }                                                                                               \
  BY_ROWS(NAME)

// ---- scalar ---------------------------------------------------------------------------------------------------------

#define NATIVE_s_load(NAME, N)                                                    \
  const Ins *NAME(Wave *w, const Ins *I) {                                        \
    const u64 address = scalar_address(w, I, 0);                                  \
    if (unlikely(!scalar_good(w, I, address, 4 * N, ACCESS_READ))) return 0;      \
    memcpy(&w->s[REF_INDEX(~(u32)I->d)], (const void *)address, 4 * N);           \
    NEXT;                                                                         \
  }

#define NATIVE_s_store(NAME, N)                                                   \
  const Ins *NAME(Wave *w, const Ins *I) {                                        \
    const u64 address = scalar_address(w, I, 1);                                  \
    if (unlikely(!scalar_good(w, I, address, 4 * N, ACCESS_WRITE))) return 0;     \
    memcpy((void *)address, &w->s[REF_INDEX(~(u32)I->s[0])], 4 * N);              \
    NEXT;                                                                         \
  }

#define NATIVE_s_buffer_load(NAME, N)                                                      \
  const Ins *NAME(Wave *w, const Ins *I) {                                                 \
    u64 address;                                                                           \
    const u32 inside = scalar_buffer(w, I, 0, N, &address);                                \
    if (inside && unlikely(!scalar_good(w, I, address, 4 * inside, ACCESS_READ))) return 0; \
    u32 *d = &w->s[REF_INDEX(~(u32)I->d)];                                                 \
    memcpy(d, (const void *)address, 4 * inside);                                          \
    memset(d + inside, 0, 4 * (N - inside));                                               \
    NEXT;                                                                                  \
  }

#define NATIVE_s_buffer_store(NAME, N)                                                      \
  const Ins *NAME(Wave *w, const Ins *I) {                                                  \
    u64 address;                                                                            \
    const u32 inside = scalar_buffer(w, I, 1, N, &address);                                 \
    if (inside && unlikely(!scalar_good(w, I, address, 4 * inside, ACCESS_WRITE))) return 0; \
    memcpy((void *)address, &w->s[REF_INDEX(~(u32)I->s[0])], 4 * inside);                   \
    NEXT;                                                                                   \
  }

#include "natives.h"
