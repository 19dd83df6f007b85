// Checks of registers: reads before a load has arrived (a missing s_waitcnt); what is called in front of every
// instruction. The checks of memory are called from the handlers that touch it.
#include "check_counts.h"
#include "hooks.h"
#include "record.h"
#include "shadow.h"

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

// A wave with as many operations under way as vmcnt counts waits before the next, and compilers reckon with that.

static void issue(Wave *w, Shadow *s, const Regs *r) {
  if (r->role & (ROLE_VMEM | ROLE_FLAT)) s->vm_issued++;
  if (s->vm_issued - s->vm_done > CHIP_VMCNT) s->vm_done = s->vm_issued - CHIP_VMCNT;
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

// ---- every instruction ----------------------------------------------------------------------------------------------

static const Ins *checked(Wave *w, const Ins *I) {
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
  if (w->checks & CHECK_UNINIT && meets_undefined(s, r, w->launch->image->scalars[I->index])) uninit_instruction(w, I, s, r);
  if (w->checks & CHECK_HAZARD) check_hazards(w, I, r);
  __attribute__((musttail)) return I->real(w, I);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static bool checks_races(const Wave *w, Space space) {
  return w->checks & (space == SPACE_LDS ? CHECK_LDS_RACE | CHECK_WAIT : CHECK_GLOBAL_RACE);
}

// Whether lanes may store different values to one place: atomics may not.
static bool checks_lanes(const Wave *w, Space space, u32 access) {
  return (access & (ACCESS_WRITE | ACCESS_ATOMIC)) == ACCESS_WRITE &&
         w->checks & (space == SPACE_LDS ? CHECK_LDS_RACE : CHECK_GLOBAL_RACE);
}

static void check_access(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  const u32 checks = w->checks;
  if (w->record && lanes) record_access(w, I, space, addresses, lanes, size, access);
  if (space == SPACE_SCRATCH && checks & CHECK_UNINIT) uninit_private(w, I, addresses, lanes, size, access);
  if (space == SPACE_SCRATCH || !lanes) return;
  if (checks & CHECK_UNINIT && access & ACCESS_READ)
    uninit_read(w, I, space == SPACE_LDS ? w->lds : (const u8 *)0, addresses, lanes, size);
  if (checks_lanes(w, space, access)) race_lanes(w, I, space, addresses, lanes, size, access);
  if (checks_races(w, space)) {
    u32 row[LANE_COUNT];
    for (int l = 0; l < LANE_COUNT; l++) row[l] = (u32)addresses[l];
    if (space == SPACE_LDS) race_lds(w, I, 0, row, lanes, size, access);
    else race_global(w, I, addresses, lanes, size, access);
  }
  if (w->launch->touched && space == SPACE_GLOBAL) stream_access(w, I, addresses, lanes, size, access);
  if (w->worker->accesses) count_access(w, I, space, addresses, lanes, size, access);
}

static void check_rows(Wave *w, const Ins *I, Space space, u64 base, const u32 *row, u32 size, u32 access) {
  const bool races = checks_races(w, space);
  if (checks_lanes(w, space, access)) race_lane_rows(w, I, space, base, row, size, access);
  if (races && space == SPACE_LDS) race_lds(w, I, (u32)base, row, ALL_LANES, size, access);
  const bool touches = w->launch->touched && space == SPACE_GLOBAL;
  if (!w->worker->accesses && !w->record && !touches && !(races && space == SPACE_GLOBAL)) return;
  u64 addresses[LANE_COUNT];
  for (int l = 0; l < LANE_COUNT; l++) addresses[l] = base + row[l];
  if (w->record) record_access(w, I, space, addresses, ALL_LANES, size, access);
  if (races && space == SPACE_GLOBAL) race_global(w, I, addresses, ALL_LANES, size, access);
  if (touches) stream_access(w, I, addresses, ALL_LANES, size, access);
  if (w->worker->accesses) count_access(w, I, space, addresses, ALL_LANES, size, access);
}

static void check_loaded(Wave *w, const Ins *I, const u32 *rows, u32 count) {
  if (w->checks & CHECK_UNINIT) uninit_loaded(w, I, rows, count);
}

// ---- life of the state ----------------------------------------------------------------------------------------------

static void checks_start_launch(Launch *launch) {
  launch->race = launch->options.checks & CHECK_GLOBAL_RACE ? race_new_launch(launch->group_count) : NULL;
}

static void checks_end_launch(Launch *launch) {
  if (launch->race) race_free_launch(launch->race);
}

static void checks_start_group(Group *g, Launch *launch) {
  GroupShadow *s = g->shadow;
  if (!s) {
    s = g->shadow = calloc(1, sizeof *s);
    race_new_group(s, launch->lds_bytes, launch->image->signals);
    s->epoch = 1;
  }
  s->image = launch->image;
  s->epoch += 2;  // whatever the workgroup before this one did here is past
  s->unfinished = s->heard = false;
  s->outside = 0;
  race_barrier(s, false);
  for (u32 a = 0; a < MAX_WAVES; a++) {
    for (u32 b = 0; b < MAX_WAVES; b++) s->known[a][b] = 0;
    s->known[a][a] = 1;
    s->lds_complete[a][0] = s->lds_complete[a][1] = ~0u;
  }
}

static void checks_start_wave(Wave *w) {
  Shadow *s = w->shadow;
  const u32 dwords = w->scratch_size / 4 + 1;
  if (!s) {
    s = w->shadow = malloc(sizeof *s);
    s->kept = malloc(8 * dwords);
  }
  u64 *kept = memset(s->kept, 0, 8 * dwords);
  *s = (Shadow){.kept = kept};
  s->group = w->group->shadow;
  uninit_start(w);
}

static void checks_arrive(Wave *w) {
  Shadow *s = w->shadow;
  const u32 parity = (s->group->epoch + 1) & 1;
  s->group->lds_complete[w->id][parity] = s->lds_done;
  s->group->arrived_unfinished |= s->lds_done != s->lds_issued;
}

static void checks_release(Group *g) {
  GroupShadow *s = g->shadow;
  race_barrier(s, s->arrived_unfinished);
  s->epoch++;
  s->unfinished = s->arrived_unfinished;
  s->arrived_unfinished = false;
  for (u32 a = 0; a < MAX_WAVES; a++) {
    for (u32 b = 0; b < MAX_WAVES; b++) s->known[a][b] = 0;
    s->known[a][a] = 1;
  }
}

static void checks_free_group(Group *g) {
  if (g->shadow) {
    race_free_group(g->shadow);
    free(g->shadow);
  }
  for (u32 i = 0; i < g->wave_count; i++) {
    if (g->waves[i].shadow) free(g->waves[i].shadow->kept);
    free(g->waves[i].shadow);
  }
}

static void checks_prepare(Image *image) {
  find_guesses(image);
  uninit_prepare(image);
  image->hazards = hazards_possible(image);
}

const Hooks hooks = {
  .instruction = checked, .access = check_access, .rows = check_rows, .loaded = check_loaded, .moved = uninit_moved,
  .prepare = checks_prepare, .start_launch = checks_start_launch, .end_launch = checks_end_launch,
  .start_group = checks_start_group, .start_wave = checks_start_wave, .arrive = checks_arrive,
  .release = checks_release, .free_group = checks_free_group,
};
