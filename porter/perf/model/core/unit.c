// The compute unit. Time steps by a turn of four cycles, in which each SIMD may issue one instruction of a kind, from
// different waves. Queues are closed form: when an access begins, its end is known, so waits become known times and
// nothing is polled. Memory is asked at the time that an access begins: units go on side by side, a few turns at a time.
#include "unit.h"

// ---- registers ------------------------------------------------------------------------------------------------------
// Cycles from the issue of a producer to the first issue of its consumer
static i64 latency(const Unit *u, const Written *by, const Row *r, bool added_to) {
  if (by->kind == MFMA) {
    if (r->kind == MFMA && added_to) return 4 * by->passes;
    return 4 * by->passes + whole(u->p->matrix_out);
  }
  if (by->kind == VALU) {
    if (r->kind == SALU || r->kind == BRANCH || r->kind == SMEM) return whole(u->p->valu_to_scalar);
    return r->kind >= LDS_READ && r->kind <= STORE ? 12 : 4;
  }
  return r->kind == SALU || r->kind == SMEM ? 4 : 8;
}

static i64 registers_ready(const Unit *u, const Wave *w, const Row *r) {
  i64 when = 0;
  for (int i = 0; i < SOURCES; i++) {
    const Range *range = &r->source[i];
    for (i32 n = range->first; n < range->first + range->count; n++) {
      const Written *by = &w->written[n];
      if (by->time) when = later(when, by->time + latency(u, by, r, i == r->accumulator));
    }
  }
  return when;
}

// Results of memory are guarded by waits, not by interlocks.
static void write_registers(Wave *w, const Row *r, i64 t) {
  const bool interlocked = r->kind == SALU || r->kind == VALU || r->kind == MFMA;
  for (int i = 0; i < TARGETS; i++)
    for (i32 n = r->target[i].first; n < r->target[i].first + r->target[i].count; n++)
      w->written[n] = (Written){interlocked ? t + r->cycles - TURN : 0, r->kind, r->passes};
}
// ---- issue ----------------------------------------------------------------------------------------------------------
static i32 port_of(i32 kind) {
  switch (kind) {
  case MFMA: return VALU;
  case LDS_WRITE: return LDS_READ;
  case STORE: return LOAD;
  case SMEM: return SALU;
  default: return kind;
  }
}

static i64 fetch_ready(const Unit *u, const Wave *w, const Row *r) {
  const i32 last = (r->address + r->size - 1) >> 5;
  return last <= w->line ? 0 : w->line_time + (i64)whole(u->p->fetch_line) * (last - w->line);
}

static void branch(Unit *u, Wave *w, const Row *r, i64 t, i64 *end) {
  const Cursor *c = &w->path;
  const u64 next = c->left > 1 ? c->pc + 1 : c->at < c->words->length ? (u32)c->words->words[c->at] : c->pc;
  if (next != c->pc + 1) {
    *end = t + whole(u->p->branch);
    w->line = u->rows[next].address >> 5;
    w->line_time = *end;
  } else {
    w->line = (r->address + r->size - 1) >> 5;
    w->line_time = t + TURN;
  }
}

static bool stalled(Wave *w, Stall why) {
  w->reason = (i32)why;
  return false;
}

// Finds when the code and the registers of the next instruction are there.
static void look_at(const Unit *u, Wave *w, const Row *r) {
  const i64 fetch = fetch_ready(u, w, r);
  i64 when = registers_ready(u, w, r);
  w->due = later(fetch, when);
  w->due_stall = fetch > when ? STALL_FETCH : STALL_REGISTER;
}

// A scalar load brings a line that other waves and turns of a loop find.
static i64 scalar_latency(Unit *u, u32 pc) {
  bool *there = &u->scalar_there[pc % SCALAR_PLACES];
  const double cycles = *there ? u->p->scalar_hit : u->p->scalar_latency;
  *there = true;
  return whole(cycles);
}

// Tries to issue the wave's next instruction at t; false where it has to wait, with w->ready moved where that is known.
static bool issue(Unit *u, Wave *w, u32 simd, i64 t, u32 *used) {
  const Row *r = &u->rows[w->path.pc];
  const i32 kind = r->kind, port = port_of(kind);
  if (port < PORT_KINDS && *used >> port & 1) return stalled(w, STALL_PORT);
  if (port == VALU && u->vector_free[simd] > t) return w->ready = u->vector_free[simd], stalled(w, STALL_PORT);
  if (w->due < 0) look_at(u, w, r);
  if (w->due > t) return w->ready = w->due, stalled(w, w->due_stall);
  i64 end = t + r->cycles, next = 0;
  switch (kind) {
  case MFMA:
    if (u->matrix_free[simd] > t) return w->ready = u->matrix_free[simd], stalled(w, STALL_MATRIX);
    u->matrix_free[simd] = t + 4 * r->passes;
    u->out->matrix_busy += 4 * r->passes;
    break;
  case VALU:  // exp, rcp and their like keep the SIMD's lanes; a wide product's wave alone waits longer
    if (r->cycles > WIDE) u->vector_free[simd] = t + r->cycles;
    u->out->vector_busy += r->cycles > WIDE ? r->cycles : TURN;
    break;
  case SMEM:
    remember(w->lds, &w->lds_count, &w->lds_last, t + scalar_latency(u, w->path.pc));
    break;
  case LDS_READ: case LDS_WRITE:
    if (!issue_lds(u, w, r, simd, t, &end)) return stalled(w, STALL_LDS);
    break;
  case LOAD: case STORE:
    if (!issue_memory(u, w, r, t)) return stalled(w, STALL_MEMORY);
    break;
  case BRANCH:
    next = end;
    branch(u, w, r, t, &next);
    break;
  case WAIT: case END: {  // a wave ends, and leaves its place to another, when what it stored is done
    const i32 left = kind == END ? 0 : r->vm;
    if (is_open(w, left)) {
      if (!w->parked_at) w->parked_at = t;
      return w->parked = true, w->ready = NEVER, stalled(w, STALL_WAIT_MEMORY);
    }
    if (w->parked_at) t = w->parked_at, w->parked_at = 0;
    const i64 memory = counted_down(w->memory, w->memory_count, left);
    const i64 lds = counted_down(w->lds, w->lds_count, kind == END ? -1 : r->lgkm);
    w->reason = memory > lds ? STALL_WAIT_MEMORY : STALL_WAIT_LDS;
    end = ((later(t, later(memory, lds)) + TURN - 1) & ~(i64)(TURN - 1)) + TURN;
    if (end > t + TURN) w->out->by_stall[w->reason] += end - t - TURN;
    break;
  }
  case NOP: end = t + TURN * (r->number + 1); break;
  case SLEEP: end = t + 64 * (i64)r->number; break;
  case PRIORITY: w->priority = r->number; break;
  case BARRIER:
    skip_accesses(&w->path);
    w->waiting = true;
    w->reason = STALL_NONE;
    Slot *slot = &u->slots[w->group];
    if (++slot->arrived == slot->live) release(u, w->group, t);
    return true;
  default: break;
  }
  if (port < PORT_KINDS) *used |= 1u << port;
  if (kind != LDS_READ && kind != LDS_WRITE && kind != LOAD && kind != STORE) skip_accesses(&w->path);
  write_registers(w, r, t);
  const i64 stall = t - w->end;
  WaveTime *o = w->out;
  o->by_kind[kind] += end - w->end;
  if (stall > 0) o->by_stall[w->reason == STALL_NONE ? STALL_PORT : w->reason] += stall;
  if (o->event_room)
    o->events[o->event_count++] =
        (Event){w->end, kind, (i32)stall, (i32)(end - w->end), (i32)w->path.pc, w->reason, 0};
  w->reason = STALL_NONE;
  w->due = -1;
  w->end = end;
  w->ready = next ? next : end;
  w->path.pc++;
  if (--w->path.left == 0 && !open_block(&w->path)) leave(u, w, end);
  else if (kind == END) leave(u, w, end);
  return true;
}

static Wave *next_wave(Unit *u, u32 simd, i64 t, const bool *tried, u32 *at) {
  Wave *best = NULL;
  i64 best_key = NEVER;
  const u32 count = u->resident * u->per_simd;
  for (u32 i = 0; i < count; i++) {
    Wave *w = &u->waves[simd * count + i];
    if (!w->live || tried[i] || w->waiting || w->ready > t) continue;
    const i64 key = (i64)(3 - w->priority) << 40 | w->order;
    if (key < best_key) best = w, best_key = key, *at = i;
  }
  return best;
}

static void turn_of(Unit *u, u32 simd, i64 t) {
  bool tried[SLOTS] = {false};
  u32 used = 0, at = 0;
  for (Wave *w; (w = next_wave(u, simd, t, tried, &at));) {
    tried[at] = true;
    issue(u, w, simd, t, &used);
  }
  const u32 count = u->resident * u->per_simd;
  u->wake[simd] = NEVER;
  for (u32 i = 0; i < count; i++) {
    const Wave *w = &u->waves[simd * count + i];
    if (w->live && !w->waiting && w->ready < u->wake[simd]) u->wake[simd] = w->ready;
  }
}

// The next time at which a wave may issue, or a workgroup begin: turns in which all wait are passed over.
static i64 next_turn(const Unit *u, i64 t) {
  i64 first = u->entry_begins;
  for (u32 i = 0; i < u->m->simds; i++)
    if (u->wake[i] < first) first = u->wake[i];
  for (u32 s = 0; s < u->resident; s++) {
    const Slot *slot = &u->slots[s];
    if (!slot->taken && (slot->reserved >= 0 || u->dispatch->next < u->dispatch->groups) && slot->free_at < first)
      first = slot->free_at;
  }
  if (first == NEVER) return NEVER;
  return later(t + TURN, (first + TURN - 1) & ~(i64)(TURN - 1));
}

// ---- the unit -------------------------------------------------------------------------------------------------------
void set_unit(Unit *u, const Row *rows, const Machine *m, const Parameters *p, u32 number) {
  *u = (Unit){.rows = rows, .p = p, .m = m, .number = number, .entry_begins = NEVER};
  u->resident = m->resident > SLOTS ? SLOTS : m->resident;
  u->per_simd = (m->waves_a_group + m->simds - 1) / m->simds;
  if (u->resident * u->per_simd > SLOTS) u->resident = SLOTS / u->per_simd;
  u->waves = calloc((size_t)m->simds * u->resident * u->per_simd, sizeof *u->waves);
  u->out = calloc(1, sizeof *u->out);
  for (u32 i = 0; i < PAIRS; i++) u->last_simd[i] = 1;
}

// Goes on until `end`; whether the unit has work then.
bool go_on(Unit *u, i64 end) {
  for (; u->now < end; u->now = next_turn(u, u->now)) {
    fill_slots(u, u->now);
    serve_memory(u, u->now);
    for (u32 i = 0; i < u->m->simds; i++) {  // within a pair, the SIMD that used LDS last comes second
      const u32 pair = i / 2, simd = pair * 2 + ((i & 1) ^ (u32)!u->last_simd[pair]);
      if (u->wake[simd] <= u->now) turn_of(u, simd, u->now);
    }
  }
  return u->now < NEVER;
}
