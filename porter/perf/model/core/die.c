// The units of a die side by side, a few turns at a time, and one of them once more by itself.
#include "unit.h"

static void finish(Unit *u, Timing *out) {
  *out = *u->out;
  for (i64 i = 0; i < out->wave_count; i++) out->unfinished += !out->waves[i].end;
}

// Runs the workgroups of a die on all of its compute units. Gives the waves of one, and keeps what memory answered it.
void follow_die(const Row *rows, const RecordedWave *waves, const Machine *m, const Parameters *p, Kept *kept, Timing *out) {
  Unit *units = calloc(m->compute_units, sizeof *units);
  Dispatch dispatch = {.waves = waves, .groups = m->groups};
  Die *die = new_die(m, p);
  if (m->again) remember_launch(die, waves);
  const size_t most = (size_t)m->groups * m->waves_a_group + 1;
  *kept = (Kept){.groups = calloc(m->groups + 1, sizeof(u32)), .answers = calloc(most, sizeof(Answers)), .all = most};
  for (u32 i = 0; i < m->compute_units; i++) {
    Unit *u = &units[i];
    set_unit(u, rows, m, p, i);
    reserve_slots(u, m->compute_units, m->groups);
    u->die = die, u->dispatch = &dispatch;
    if (i == m->unit) u->kept = kept, u->out->waves = calloc(most, sizeof *u->out->waves);
    dispatch.next = m->compute_units * u->resident;
  }
  i64 cycles = 0, count = 0;
  u32 leader = 0;  // goes first; by turns, or one unit would bring in the lines for all
  for (i64 t = QUANTUM, first = 0; first < NEVER && t < m->limit; t = later(t, first) / QUANTUM * QUANTUM + QUANTUM) {
    first = NEVER;
    for (u32 i = 0; i < m->compute_units; i++) {
      Unit *u = &units[(leader + i) % m->compute_units];
      if (go_on(u, t) && u->now < first) first = u->now;
    }
    leader = (leader + 1) % m->compute_units;
  }
  for (u32 i = 0; i < m->compute_units; i++) {
    cycles = later(cycles, units[i].out->cycles), count += units[i].out->wave_count;
    if (i == m->unit) finish(&units[i], out);
    free(units[i].waves), free(units[i].out);
  }
  memcpy(out->die_lines, lines_of(die), sizeof out->die_lines);
  busy_of(die, out->busy);
  out->die_cycles = later(cycles, all_written(die));  // a kernel ends when what it wrote is there
  out->unfinished += (i64)m->groups * m->waves_a_group - count;
  free_die(die);
  free(units);
}

// Runs the workgroups of the unit that was kept once more, by itself: memory answers as it did.
void follow_again(const Row *rows, const RecordedWave *waves, const Machine *m, const Parameters *p, Kept *kept, Timing *out) {
  Unit u;
  Dispatch dispatch = {.waves = waves, .order = kept->groups, .groups = kept->count};
  set_unit(&u, rows, m, p, 0);
  reserve_slots(&u, 1, kept->count);
  dispatch.next = u.resident;
  u.dispatch = &dispatch, u.kept = kept;
  u.out->waves = calloc((size_t)kept->count * m->waves_a_group + 1, sizeof *u.out->waves);
  for (u64 i = 0; i < kept->all; i++) kept->answers[i].at = 0;
  go_on(&u, m->limit);
  finish(&u, out);
  out->die_cycles = out->cycles;
  out->unfinished += (i64)kept->count * m->waves_a_group - out->wave_count;
  free(u.waves), free(u.out);
}

void free_kept(Kept *kept) {
  for (u64 i = 0; i < kept->all; i++) free(kept->answers[i].all);
  free(kept->answers), free(kept->groups);
  *kept = (Kept){0};
}

void free_timing(Timing *t) {
  for (i64 i = 0; t->waves && i < t->wave_count; i++) free(t->waves[i].events);
  free(t->waves);
  t->waves = NULL;
}
