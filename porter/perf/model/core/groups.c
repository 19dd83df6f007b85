// The workgroups of a unit: where their waves go, barriers, what makes room for the next ones.
#include "unit.h"

void release(Unit *u, i32 slot, i64 t) {
  for (u32 i = 0; i < u->m->simds * u->per_simd * u->resident; i++) {
    Wave *w = &u->waves[i];
    if (!w->live || w->group != slot || !w->waiting) continue;
    const i64 end = t + whole(u->p->barrier), spent = end - w->end;
    w->waiting = false;
    w->out->by_kind[BARRIER] += spent;
    w->out->by_stall[STALL_BARRIER] += spent;
    if (w->out->event_room)
      w->out->events[w->out->event_count++] =
          (Event){w->end, BARRIER, 0, (i32)spent, (i32)w->path.pc, STALL_BARRIER, 0};
    w->ready = w->end = end;
    w->due = -1;
    u->wake[w->out->simd] = 0;
    w->path.pc++;
    if (--w->path.left == 0 && !open_block(&w->path)) w->live = false, w->out->end = end;
  }
  u->slots[slot].arrived = 0;
}

static i64 instructions_of(const RecordedWave *w) {
  i64 count = 0;
  for (u64 k = 0; k < w->length; k++) {
    if (!is_access(w->words[k])) count += (i64)(w->words[k] >> 32);
    else if (access_kind(w->words[k]) == ACCESS_GLOBAL) k += access_lines(w->words[k]);
  }
  return count;
}

// Where the times and answers of the next wave go.
static void place_wave(Unit *u, Wave *w) {
  const u64 number = (u64)u->out->wave_count++;
  w->out = u->out->waves ? &u->out->waves[number] : &w->own;
  w->answers = u->kept ? &u->kept->answers[number] : NULL;
}

// The SIMD with the fewest waves: a workgroup's first wave goes there, the others to the next ones in turn.
static u32 emptiest_simd(const Unit *u) {
  const u32 room = u->resident * u->per_simd;
  u32 best = 0, least = ~0u;
  for (u32 simd = 0; simd < u->m->simds; simd++) {
    u32 live = 0;
    for (u32 i = 0; i < room; i++) live += u->waves[simd * room + i].live;
    if (live < least) best = simd, least = live;
  }
  return best;
}

static void enter_group(Unit *u, u32 slot, u32 number, i64 t) {
  const Machine *m = u->m;
  const u32 first_simd = emptiest_simd(u);
  const i64 wait = whole(u->slots[slot].reserved < 0 ? u->p->start : u->p->first_start);
  if (u->kept && u->die) u->kept->groups[u->kept->count++] = number;
  for (u32 i = 0; i < m->waves_a_group; i++) {
    const u32 simd = (first_simd + i) % m->simds, at = i / m->simds;
    Wave *w = &u->waves[(simd * u->resident + slot) * u->per_simd + at];
    const RecordedWave *words = &u->dispatch->waves[(u64)number * m->waves_a_group + i];
    memset(w, 0, sizeof *w);
    place_wave(u, w);
    w->path.words = words;
    w->live = true;
    w->due = -1;
    w->group = (i32)slot;
    w->order = (i64)number * u->per_simd + at;
    w->line = 1 << 30;
    const i64 first = t + (i64)(TURN * m->simds) * at;
    *w->out = (WaveTime){.begin = first + TURN * simd, .group = (i64)words->group, .number = i, .simd = simd,
                         .slot = slot * u->per_simd + at};
    if (m->keep && u->out->waves)
      w->out->event_room = 1, w->out->events = malloc((size_t)(instructions_of(words) + 1) * sizeof(Event));
    w->ready = w->end = first + wait;
    if (!open_block(&w->path)) w->live = false;
  }
  u->slots[slot] = (Slot){.live = (i32)m->waves_a_group, .taken = true, .reserved = -1};
}

void leave(Unit *u, Wave *w, i64 end) {
  Slot *slot = &u->slots[w->group];
  w->live = false;
  w->out->end = end;
  u->out->cycles = later(u->out->cycles, end);
  slot->free_at = later(slot->free_at, end + whole(u->p->dispatch));
  if (--slot->live == 0) slot->taken = false;
  else if (slot->arrived && slot->arrived == slot->live) release(u, w->group, end);  // who ends counts as arrived
}

// What a workgroup takes of the dispatcher that a die's units share.
static double dispatcher_cycles(const Unit *u) {
  return fmax(u->p->group_rate, u->m->waves_a_group * u->p->wave_rate);
}

// The first workgroups go round the compute units of the die: each unit's second one comes a round later.
void reserve_slots(Unit *u, u32 units, u32 groups) {
  for (u32 s = 0; s < u->resident; s++) {
    const i64 number = (i64)s * units + u->number;
    u->slots[s].reserved = number < groups ? number : -1;
    u->slots[s].free_at = (i64)(s * units * dispatcher_cycles(u));
  }
}

void fill_slots(Unit *u, i64 t) {
  Dispatch *d = u->dispatch;
  for (u32 s = 0; s < u->resident; s++) {
    Slot *slot = &u->slots[s];
    if (slot->taken || t < slot->free_at) continue;
    if (slot->reserved < 0 && d->next >= d->groups) continue;
    memset(u->wake, 0, sizeof u->wake);
    const i64 begin = u->die ? dispatched(u->die, t, dispatcher_cycles(u)) : t;
    if (slot->reserved >= 0) enter_group(u, s, d->order ? d->order[slot->reserved] : (u32)slot->reserved, t);
    else {
      enter_group(u, s, d->order ? d->order[d->next] : d->next, later(t, begin)), d->next++;
      if (u->die) end_together(u->die);
    }
  }
}
