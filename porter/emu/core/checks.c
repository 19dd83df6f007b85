// Checks of registers: reads before a load has arrived (a missing s_waitcnt) and of what was never written. The checks
// of memory are called from the handlers that touch it.
#include "checks.h"

// ---- waits --------------------------------------------------------------------------------------------------------

static bool in_flight(const Shadow *s, u32 row) {
  return s->vm_pending[row] > s->vm_done || s->lds_pending[row] > s->lds_done;
}

static void use_rows(Wave *w, const Ins *I, Shadow *s, u32 row, u32 count) {
  if (likely(!rows_in(&s->flying, row, count))) return;
  for (u32 r = row; r < row + count; r++) {
    if (likely(!in_flight(s, r))) {
      set_row(&s->flying, r, false);
      continue;
    }
    note(w, I, FAULT_MISSING_WAIT, -1, r, 0, -1);
    s->vm_pending[r] = s->lds_pending[r] = 0;  // once for each load
  }
}

static void use_scalars(Wave *w, const Ins *I, Shadow *s, u32 first, u32 count) {
  for (u32 r = first; r < first + count && r < S_COUNT; r++) {
    if (likely(!s->smem_pending[r])) continue;
    note(w, I, FAULT_MISSING_WAIT, -1, 0x1000 + r, 0, -1);
    s->smem_pending[r] = 0;
  }
}

// Loads of one kind come back in order, so a later one may overwrite the register of an earlier one.
static void overwrite_rows(Wave *w, const Ins *I, Shadow *s, const Regs *r) {
  if (likely(!rows_in(&s->flying, r->v_out, r->v_out_count))) return;
  for (u32 row = r->v_out; row < r->v_out + r->v_out_count; row++) {
    const bool vm = s->vm_pending[row] > s->vm_done && !(r->role & ROLE_VMEM);
    const bool lds = s->lds_pending[row] > s->lds_done && !(r->role & ROLE_LDS);
    if (unlikely(vm || lds)) note(w, I, FAULT_MISSING_WAIT, -1, row, 0, -1);
    s->vm_pending[row] = s->lds_pending[row] = 0;
  }
}

static void wait(Shadow *s, u32 counts) {
  const u32 vm = counts & 255, lgkm = counts >> 8 & 255;
  if (vm != 255 && s->vm_issued > vm && s->vm_issued - vm > s->vm_done) s->vm_done = s->vm_issued - vm;
  // At most `lgkm` LDS and scalar operations are still under way, so at most that many LDS ones, and those are the
  // latest, because LDS answers in order. Scalar loads come back in any order: only 0 says anything about them.
  if (lgkm != 255 && s->lds_issued > lgkm && s->lds_issued - lgkm > s->lds_done) s->lds_done = s->lds_issued - lgkm;
  if (lgkm == 0 && s->smem_flying) {
    memset(s->smem_pending, 0, sizeof s->smem_pending);
    s->smem_flying = false;
  }
  if (s->vm_done == s->vm_issued && s->lds_done == s->lds_issued) s->flying = (RowSet){{0}};
}

static void issue(Wave *w, Shadow *s, const Regs *r) {
  if (r->role & (ROLE_VMEM | ROLE_FLAT)) s->vm_issued++;
  if (r->role & (ROLE_LDS | ROLE_FLAT)) s->lds_issued++;
  for (u32 row = r->v_out; row < r->v_out + r->v_out_count; row++) {
    set_row(&s->flying, row, true);
    if (r->role & ROLE_VMEM) s->vm_pending[row] = s->vm_issued;
    if (r->role & (ROLE_LDS | ROLE_FLAT)) s->lds_pending[row] = s->lds_issued;
  }
  if (r->role & ROLE_SMEM) s->smem_flying = true;
  if (r->role & ROLE_SMEM)
    for (u32 i = r->s_out[0]; i < (u32)r->s_out[0] + r->s_out_count[0] && i < S_COUNT; i++) s->smem_pending[i] = 1;
}

// ---- values that nobody wrote ---------------------------------------------------------------------------------------

// Undefined lanes travel with the values, through private memory as well; only where they decide something (an address,
// a comparison, what is stored, a matrix product) is it a finding: copying or selecting them away is what compilers do
// all the time.

static void define_row(Shadow *s, u32 row, u64 lanes) {
  s->defined[row] = lanes;
  set_row(&s->undefined, row, lanes != ALL_LANES);
}

// Shuffles through LDS touch no memory: of their data only the lanes that are taken count, and they travel.
static bool shuffles(const Ins *I) {
  return I->real == op_ds_bpermute_b32 || I->real == op_ds_permute_b32 || I->real == op_ds_swizzle_b32;
}

// The lanes of source j that the instruction looks at.
static u64 lanes_read(Wave *w, const Ins *I, const Regs *r, int j) {
  const u64 exec = EXEC;
  if (r->role & ROLE_MFMA) return ALL_LANES;
  if (I->real == op_v_readfirstlane_b32) return exec ? exec & -exec : 1;
  if (I->real == op_v_readlane_b32) return 1ull << (scalar32(w, I->s[1]) & 63);
  if (r->role & ROLE_PRIVATE && j == 1) return 0;
  return shuffles(I) && j == (I->real == op_ds_swizzle_b32 ? 0 : 1) ? 0 : exec;
}

// The low half of a 64-bit product or sum needs the low halves alone; compilers leave a high one undefined where only
// the low half of the result is used.
static bool low_apart(const Ins *I) {
  return I->real == op_v_mad_u64_u32 || I->real == op_v_mad_i64_i32 || I->real == op_v_lshl_add_u64 ||
         I->real == op_v_lshlrev_b64 || I->real == op_v_mov_b64;
}

static bool in_pairs(const Ins *I) {
  return I->real == op_v_pk_add_f32 || I->real == op_v_pk_mul_f32 || I->real == op_v_pk_fma_f32;
}

// Each half of a pair has its own half of each operand, which op_sel chooses.
static void define_pair(Wave *w, const Ins *I, Shadow *s, const Regs *r) {
  const Ext *x = &w->launch->image->ext[I->ext];
  const u64 exec = EXEC;
  u64 half[2] = {ALL_LANES, ALL_LANES};
  for (int j = 0; j < 3; j++) {
    if (r->v_count[j] != 2) continue;
    const bool chosen = I->s[j] == ~REF_EXTENDED;
    half[0] &= s->defined[r->v[j] + (chosen ? x->op_sel >> j & 1 : 0)];
    half[1] &= s->defined[r->v[j] + (chosen ? x->op_sel_hi >> j & 1 : 1)];
  }
  for (int i = 0; i < 2; i++) s->defined[r->v_out + i] = (s->defined[r->v_out + i] & ~exec) | (half[i] & exec);
}

static void define(Wave *w, const Ins *I, Shadow *s, const Regs *r) {
  if (in_pairs(I)) {
    define_pair(w, I, s, r);
    return;
  }
  u64 low = ALL_LANES;
  u64 defined = ALL_LANES, written = r->role & ROLE_MFMA ? ALL_LANES : EXEC;
  const bool matters = r->role & (ROLE_VMEM | ROLE_LDS | ROLE_COMPARE | ROLE_MFMA), moves = shuffles(I);
  const bool dpp = I->flags & F_DPP;
  if (I->real == op_v_writelane_b32) written = 1ull << (scalar32(w, I->s[1]) & 63);
  for (int j = 0; j < 4; j++) {
    if (!r->v_count[j]) continue;
    u64 of_source = ALL_LANES;
    for (u32 row = r->v[j]; row < (u32)r->v[j] + r->v_count[j]; row++) of_source &= s->defined[row];
    if (dpp && j == 0) of_source = dpp_moved(w, I, of_source, &written);
    const u64 lacking = lanes_read(w, I, r, j) & ~of_source & (dpp ? written : ALL_LANES);
    if (unlikely(lacking && matters)) {
      note(w, I, FAULT_UNINITIALISED, __builtin_ctzll(lacking), r->v[j], 0, -1);
      for (u32 row = r->v[j]; row < (u32)r->v[j] + r->v_count[j]; row++)
        define_row(s, row, s->defined[row] | (dpp ? ALL_LANES : lacking));
    }
    defined &= r->role & ROLE_SELECT ? ALL_LANES : of_source;
    low &= s->defined[r->v[j]];
    if (moves) defined = lds_moved(w, I, of_source);  // the last source is the data
  }
  if (r->role & (ROLE_VMEM | ROLE_LDS | ROLE_MFMA) && !moves) defined = ALL_LANES;
  for (u32 row = r->v_out; row < (u32)r->v_out + r->v_out_count; row++)
    define_row(s, row, (s->defined[row] & ~written) | (defined & written));
  if (r->v_out_count == 2 && low_apart(I)) define_row(s, r->v_out, s->defined[r->v_out] | (low & written));
}

// Whether any register that the instruction reads or writes is undefined in some lane.
static bool meets_undefined(const Shadow *s, const Regs *r) {
  for (int j = 0; j < 4; j++)
    if (r->v_count[j] && rows_in(&s->undefined, r->v[j], r->v_count[j])) return true;
  return r->v_out_count && rows_in(&s->undefined, r->v_out, r->v_out_count);
}

const Ins *checked(Wave *w, const Ins *I) {
  Shadow *s = w->shadow;
  const Regs *r = &w->launch->image->regs[I->index];
  if (w->checks & CHECK_WAIT) {
    for (int j = 0; j < 4; j++) {
      if (r->v_count[j]) use_rows(w, I, s, r->v[j], r->v_count[j]);
      if (r->s_count[j] && s->smem_flying) use_scalars(w, I, s, r->s[j], r->s_count[j]);
    }
    if (r->v_out_count) overwrite_rows(w, I, s, r);
    for (int j = 0; j < 2; j++)
      if (r->s_out_count[j] && s->smem_flying) use_scalars(w, I, s, r->s_out[j], r->s_out_count[j]);
    if (r->role & ROLE_WAIT) wait(s, (u32)I->imm);
    if (r->role & (ROLE_VMEM | ROLE_LDS | ROLE_SMEM)) issue(w, s, r);
  }
  if (w->checks & CHECK_UNINIT && meets_undefined(s, r)) define(w, I, s, r);
  if (w->checks & CHECK_HAZARD) check_hazards(w, I, r);
  __attribute__((musttail)) return I->real(w, I);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static void uninitialised(Wave *w, const Ins *I, const u8 *base, const u64 *addresses, u64 lanes, u32 size) {
  for (u64 m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctzll(m);
    const u8 *p = base + addresses[l];
    for (u32 at = 0; at + 4 <= size; at += 4) {
      u32 word;
      memcpy(&word, p + at, 4);
      if (unlikely(word == POISON)) {
        note(w, I, FAULT_UNINITIALISED, l, addresses[l] + at, 4, -2);
        return;
      }
    }
  }
}

// Private memory is where compilers keep values that found no register: undefined ones come back undefined.
static void keep(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  Shadow *s = w->shadow;
  const Regs *r = &w->launch->image->regs[I->index];
  for (u64 m = lanes; m; m &= m - 1) {
    const u64 lane = m & -m;
    const u64 first = addresses[__builtin_ctzll(m)];
    for (u32 at = 0; at < size; at += 4) {
      u64 *kept = &s->kept[(first + at) >> 2];
      if (access & ACCESS_ATOMIC) *kept |= lane;
      else if (access & ACCESS_READ && r->v_out_count) define_row(s, r->v_out + at / 4, s->defined[r->v_out + at / 4] & (*kept | ~lane));
      else if (access & ACCESS_WRITE) *kept = (size < 4 ? *kept : *kept & ~lane) | (s->defined[r->v[1] + at / 4] & lane);
    }
  }
}

static void examine(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  const u32 checks = w->checks;
  if (space == SPACE_LDS && checks & (CHECK_LDS_RACE | CHECK_WAIT)) race_lds(w, I, addresses, lanes, size, access);
  if (space == SPACE_GLOBAL && checks & CHECK_GLOBAL_RACE) race_global(w, I, addresses, lanes, size, access);
  AccessCount *counts = w->worker->accesses;
  if (!counts) return;
  AccessCount *c = &counts[I->index];
  c->times++;
  c->lanes += (u64)__builtin_popcountll(lanes);
  c->bytes += (u64)__builtin_popcountll(lanes) * size;
  if (space == SPACE_LDS && checks & CHECK_BANKS) {
    u32 ideal;
    c->lds_cycles += lds_cycles(addresses, lanes, size, access & ACCESS_WRITE, &ideal);
    c->lds_ideal += ideal;
  }
  if (space == SPACE_GLOBAL && checks & CHECK_COALESCING) {
    c->lines += global_lines(addresses, lanes, size);
    c->lines_ideal += ((u64)__builtin_popcountll(lanes) * size + 127) / 128;
  }
}

void check_access(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  const u32 checks = w->checks;
  if (space == SPACE_SCRATCH && checks & CHECK_UNINIT) keep(w, I, addresses, lanes, size, access);
  if (space == SPACE_SCRATCH || !lanes) return;
  if (checks & CHECK_UNINIT && access & ACCESS_READ)
    uninitialised(w, I, space == SPACE_LDS ? w->lds : (const u8 *)0, addresses, lanes, size);
  examine(w, I, space, addresses, lanes, size, access);
}

void check_rows(Wave *w, const Ins *I, Space space, u64 base, const u32 *row, u32 size, u32 access) {
  u64 addresses[LANE_COUNT];
  for (int l = 0; l < LANE_COUNT; l++) addresses[l] = base + row[l];
  examine(w, I, space, addresses, ALL_LANES, size, access);
}

void check_loaded(Wave *w, const Ins *I, const u32 *rows, u32 count) {
  if (!(w->checks & CHECK_UNINIT)) return;
  for (u32 i = 0; i < count; i++) {
    u32 found = 0;
    for (int l = 0; l < LANE_COUNT; l++) found |= rows[i * LANE_COUNT + l] == POISON;
    if (likely(!found)) continue;
    int lane = 0;
    while (rows[i * LANE_COUNT + lane] != POISON) lane++;
    note(w, I, FAULT_UNINITIALISED, lane, 0, 4 * count, -2);
    return;
  }
}

// ---- life of the state ----------------------------------------------------------------------------------------------

void checks_start_launch(Launch *launch) {
  launch->race = launch->options.checks & CHECK_GLOBAL_RACE ? race_new_launch(launch->group_count) : NULL;
}

void checks_end_launch(Launch *launch) {
  if (launch->race) race_free_launch(launch->race);
}

void checks_start_group(Group *g, Launch *launch) {
  GroupShadow *s = g->shadow;
  if (!s) {
    s = g->shadow = calloc(1, sizeof *s);
    race_new_group(s, launch->lds_bytes, launch->image->signals);
    s->epoch = 1;
  }
  s->epoch += 2;  // whatever the workgroup before this one did here is past
  s->unfinished = false;
  for (u32 a = 0; a < MAX_WAVES; a++) {
    for (u32 b = 0; b < MAX_WAVES; b++) s->known[a][b] = 0;
    s->known[a][a] = 1;
    s->lds_complete[a][0] = s->lds_complete[a][1] = ~0u;
    s->vm_complete[a][0] = s->vm_complete[a][1] = ~0u;
  }
}

void checks_start_wave(Wave *w) {
  Shadow *s = w->shadow;
  const u32 dwords = w->scratch_size / 4 + 1;
  if (!s) {
    s = w->shadow = malloc(sizeof *s);
    s->kept = malloc(8 * dwords);
  }
  u64 *kept = memset(s->kept, 0, 8 * dwords);
  *s = (Shadow){.kept = kept};
  s->group = w->group->shadow;
  memset(&s->undefined, 255, sizeof s->undefined);
  define_row(s, 0, ALL_LANES);  // the work item's number
}

void checks_arrive(Wave *w) {
  Shadow *s = w->shadow;
  const u32 parity = (s->group->epoch + 1) & 1;
  s->group->lds_complete[w->id][parity] = s->lds_done;
  s->group->vm_complete[w->id][parity] = s->vm_done;
  s->group->arrived_unfinished |= s->lds_done != s->lds_issued;
}

void checks_release(Group *g) {
  GroupShadow *s = g->shadow;
  s->epoch++;
  s->unfinished = s->arrived_unfinished;
  s->arrived_unfinished = false;
  for (u32 a = 0; a < MAX_WAVES; a++) {
    for (u32 b = 0; b < MAX_WAVES; b++) s->known[a][b] = 0;
    s->known[a][a] = 1;
  }
}

void checks_free_group(Group *g) {
  if (g->shadow) {
    race_free_group(g->shadow);
    free(g->shadow);
  }
  for (u32 i = 0; i < g->wave_count; i++) {
    if (g->waves[i].shadow) free(g->waves[i].shadow->kept);
    free(g->waves[i].shadow);
  }
}
