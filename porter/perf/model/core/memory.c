// Which cache holds what the waves touch. The workgroups of one die go side by side, an access of each wave in turn:
// the order of real time is not known before the caches are, and waves of like workgroups advance alike.
#include "model.h"

typedef struct {
  u64 *tags;                 // line + 1; 0: empty
  u32 *used, *filled;        // when
  u8 *halves;                // which of its two are there
  bool *far;                 // whether they came from memory
  bool *dirty;               // whether they are to be written back
  u32 sets, ways;
} Cache;

static Cache new_cache(u32 lines, u32 ways) {
  Cache c = {.sets = lines / ways, .ways = ways};
  c.tags = calloc(lines, sizeof *c.tags);
  c.used = calloc(lines, sizeof *c.used);
  c.filled = calloc(lines, sizeof *c.filled);
  c.halves = calloc(lines, sizeof *c.halves);
  c.far = calloc(lines, sizeof *c.far);
  c.dirty = calloc(lines, sizeof *c.dirty);
  return c;
}

static void free_cache(Cache *c) { free(c->tags), free(c->used), free(c->filled), free(c->halves), free(c->far), free(c->dirty); }

enum { MISS, HIT, UNDER_WAY };

// Looks a line up and keeps it. A line that was asked for at most `under_way` steps ago has not come yet.
static int look_up(Cache *c, u64 line, u8 halves, u32 now, u32 under_way, u32 *place) {
  const u64 mixed = line ^ line >> 7 ^ line >> 13;
  const u32 first = (u32)(mixed % c->sets) * c->ways;
  u32 oldest = first;
  for (u32 i = first; i < first + c->ways; i++) {
    if (c->tags[i] == line + 1) {
      c->used[i] = now;
      *place = i;
      if (halves & ~c->halves[i]) {
        c->halves[i] |= halves, c->filled[i] = now;
        return MISS;
      }
      return c->filled[i] + under_way >= now ? UNDER_WAY : HIT;
    }
    if (c->used[i] < c->used[oldest]) oldest = i;
  }
  *place = oldest;
  c->tags[oldest] = line + 1, c->used[oldest] = c->filled[oldest] = now, c->halves[oldest] = halves;
  return MISS;
}

// The lines that this die asked for before, hence in the cache behind it: a set that grows.
typedef struct { u64 *lines; u64 room, count; } Seen;

static bool is_there(const Seen *s, u64 line) {
  if (!s->room) return false;
  u64 at = (line * 0x9e3779b97f4a7c15ull) >> 20 & (s->room - 1);
  while (s->lines[at] && s->lines[at] != line + 1) at = (at + 1) & (s->room - 1);
  return s->lines[at];
}

static bool seen_before(Seen *s, u64 line) {
  if (2 * (s->count + 1) > s->room) {
    Seen larger = {.room = s->room ? 2 * s->room : 4096};
    larger.lines = calloc(larger.room, sizeof *larger.lines);
    for (u64 i = 0; i < s->room; i++)
      if (s->lines[i]) seen_before(&larger, s->lines[i] - 1);
    free(s->lines);
    *s = larger;
  }
  u64 at = (line * 0x9e3779b97f4a7c15ull) >> 20 & (s->room - 1);
  while (s->lines[at] && s->lines[at] != line + 1) at = (at + 1) & (s->room - 1);
  if (s->lines[at]) return true;
  s->lines[at] = line + 1;
  s->count++;
  return false;
}

typedef struct {
  Cache *l1, l2;
  Seen seen;
  const Machine *m;
  u32 now;
  bool together;             // all dies begin at once: what they share is under way for all of them
  double first_share;
} Caches;

// Whether this die brings a line into the last cache, and no other did before.
static bool first_of_dies(const Caches *c, u64 line) {
  return c->together || (double)(line * 0x9e3779b97f4a7c15ull >> 11) * 0x1p-53 < c->first_share;
}

// A store counts as one to memory the first time that it makes a line of L2 dirty: that is written back in the end.
static void find_line(Caches *c, u32 unit, u64 word, bool writes, Access *a) {
  const u64 line = word >> 2;
  u32 at;
  a->halves += (u16)((word & 1) + (word >> 1 & 1));
  if (!writes && look_up(&c->l1[unit], line, word & 3, c->now, 0, &at) != MISS) {
    a->l1++;
    return;
  }
  const int found = look_up(&c->l2, line, word & 3, c->now, c->m->under_way, &at);
  const bool makes_dirty = writes && (found == MISS || !c->l2.dirty[at]);
  c->l2.dirty[at] = writes || (found != MISS && c->l2.dirty[at]);
  if (found == HIT && !makes_dirty) {
    a->l2++;
  } else if (found == UNDER_WAY && !makes_dirty) {
    a->pending++;
    a->far |= c->l2.far[at];
  } else if (found != MISS) {
    a->cache++;
  } else {
    c->l2.far[at] = !seen_before(&c->seen, line) && !c->m->cached && first_of_dies(c, line);
    if (c->l2.far[at]) a->memory++;
    else a->cache++;
  }
}

// One access of a wave, from its word `at` on; returns where the next word is.
static u64 find_access(Caches *c, u32 unit, const RecordedWave *w, u64 at, Access *a) {
  const u64 head = w->words[at++];
  const u32 number = access_number(head);
  *a = (Access){0};
  if (access_kind(head) == ACCESS_LDS) {
    a->lds = (u8)(number > 255 ? 255 : number);
    return at;
  }
  if (access_kind(head) == ACCESS_PRIVATE) {
    a->halves = (u16)(2 * number), a->l2 = (u8)number;
    return at;
  }
  for (u32 i = 0; i < number; i++) find_line(c, unit, w->words[at + i], access_writes(head), a);
  return at + number;
}

static u64 accesses_of(const RecordedWave *w) {
  u64 count = 0;
  for (u64 at = 0; at < w->length; at++) {
    if (!is_access(w->words[at])) continue;
    count++;
    if (access_kind(w->words[at]) == ACCESS_GLOBAL) at += access_number(w->words[at]);
  }
  return count;
}

// The workgroups first..last at once: the n-th access of every wave, then the next one.
static void find_round(Caches *c, const RecordedWave *waves, u32 first, u32 last, WaveAccesses *out) {
  const u32 each = c->m->waves_a_group, count = (last - first) * each;
  u64 *at = calloc(count, sizeof *at), *done = calloc(count, sizeof *done);
  for (bool more = true; more; c->now++) {
    more = false;
    for (u32 n = 0; n < count; n++) {
      const u32 i = (n + c->now * 7919u) % count, number = first * each + i;  // each comes first at times
      const RecordedWave *w = &waves[number];
      while (at[i] < w->length && !is_access(w->words[at[i]])) at[i]++;
      if (at[i] >= w->length) continue;
      at[i] = find_access(c, (first + i / each) % c->m->compute_units, w, at[i], &out[number].accesses[done[i]++]);
      more = true;
    }
  }
  free(at), free(done);
}

typedef void Visit(void *to, u64 line);

static void visit_lines(const RecordedWave *w, Visit *visit, void *to) {
  for (u64 at = 0; at < w->length; at++) {
    const u64 head = w->words[at];
    if (!is_access(head) || access_kind(head) != ACCESS_GLOBAL) continue;
    const u32 number = access_number(head);
    for (u32 i = 1; i <= number; i++) visit(to, w->words[at + i] >> 2);
    at += number;
  }
}

static void enter_line(void *to, u64 line) { seen_before(to, line); }

typedef struct { const Seen *all; Seen own; u64 common; } Common;
static void look_for_line(void *to, u64 line) {
  Common *c = to;
  if (!seen_before(&c->own, line)) c->common += is_there(c->all, line);
}

// The share of the lines of a die that it brings in from memory itself: dies that use the same ones share that.
static double first_share(const RecordedWave *waves, const Machine *m) {
  const u64 count = (u64)m->groups * m->waves_a_group, beside = (u64)m->beside * m->waves_a_group;
  Seen all = {0};
  Common c = {.all = &all};
  if (!beside) return 1;
  for (u64 i = 0; i < count; i++) visit_lines(&waves[i], enter_line, &all);
  for (u64 i = count; i < count + beside; i++) visit_lines(&waves[i], look_for_line, &c);
  const double common = c.own.count ? (double)c.common / (double)c.own.count : 0;
  free(all.lines), free(c.own.lines);
  return 1 - common * (m->dies - 1) / m->dies;
}

Levels *new_levels(const RecordedWave *waves, const Machine *m) {
  Caches c = {.m = m, .now = 1 << 16};
  Levels *levels = calloc(1, sizeof *levels);
  WaveAccesses *out = levels->waves = calloc((size_t)m->groups * m->waves_a_group + 1, sizeof *out);
  c.first_share = levels->first_share = first_share(waves, m);
  c.l1 = calloc(m->compute_units, sizeof *c.l1);
  for (u32 i = 0; i < m->compute_units; i++) c.l1[i] = new_cache(m->l1_lines, m->l1_ways);
  c.l2 = new_cache(m->l2_lines, m->l2_ways);
  for (u32 i = 0; i < m->groups * m->waves_a_group; i++) {
    out[i].count = accesses_of(&waves[i]);
    out[i].accesses = calloc(out[i].count + 1, sizeof *out[i].accesses);
  }
  const u32 at_once = m->compute_units * m->resident;
  for (u32 first = 0; first < m->groups; first += at_once) {
    const u32 last = first + at_once < m->groups ? first + at_once : m->groups;
    c.together = !first;
    find_round(&c, waves, first, last, out);
  }
  for (u32 i = 0; i < m->compute_units; i++) free_cache(&c.l1[i]);
  free(c.l1);
  free_cache(&c.l2);
  free(c.seen.lines);
  return levels;
}

void free_levels(Levels *levels, const Machine *m) {
  for (u32 i = 0; i < m->groups * m->waves_a_group; i++) free(levels->waves[i].accesses);
  free(levels->waves);
  free(levels);
}
