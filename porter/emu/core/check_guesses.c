// Plain loads whose value is only a first guess of a loop that compares and swaps:
//
//     old = *p; do { assumed = old; old = atomicCAS(p, assumed, f(assumed)); } while (old != assumed);
//
// Another wave's atomic may change *p before or after such a load. What was guessed wrong makes one more turn, with what
// the compare-and-swap gave back, and nothing else: a swap that succeeds has its value from what was there.
// A load is one of these where everything that comes of its value ends up in the operands of the first compare-and-swap
// that is met, or in a comparison with what that gave back, and where the next turn has nothing of it any more. What is
// stored, decides a branch or goes into an address is something else.
// The instructions that can follow are walked with the registers that depend on the value, once up to the first
// compare-and-swap and once behind it.
#include "shadow.h"

#define MOST_VISITS 20000  // a value that lives longer is no guess
#define SCALARS 256
#define ROW_WORDS (ROWS / 64)
#define SCALAR_WORDS (SCALARS / 64)
enum { BEFORE, BEHIND, PHASES };  // of the first compare-and-swap

// Lanes that are off, by the scalars that keep the mask which they come back with; the last set is of all others.
#define MASKS 8
#define OTHERS MASKS
#define MASK_OF(scalar) ((scalar) >> 1 & (MASKS - 1))
#define NOBODY 0
#define SHARED 255

typedef struct {
  u64 active[ROW_WORDS];           // rows that depend on the value in lanes that are on
  u64 idle[MASKS + 1][ROW_WORDS];  // and in lanes that are off
  u64 returned[ROW_WORDS];         // that hold what a compare-and-swap gave back
  u64 scalars[SCALAR_WORDS];
  u8 owner[MASKS];                 // the scalar + 1
  u32 walk;                        // which one came here last
} Facts;

typedef struct {
  const Image *image;
  Facts *facts;  // before each instruction, by phase
  u32 *todo;     // instruction and phase
  u32 load, number, count, room;
  bool again;    // the loop came round
} Walk;

static inline bool has(const u64 *set, u32 first, u32 count) {
  for (u32 i = first; i < first + count; i++)
    if (set[i >> 6] >> (i & 63) & 1) return true;
  return false;
}
static inline void put(u64 *set, u32 first, u32 count, bool on) {
  for (u32 i = first; i < first + count; i++)
    set[i >> 6] = on ? set[i >> 6] | 1ull << (i & 63) : set[i >> 6] & ~(1ull << (i & 63));
}

static const char *text_of(const Image *image, u32 i) { return image->strings + image->places[i].text; }
static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

static bool compares_and_swaps(const Image *image, u32 i) {
  if (!(image->regs[i].role & ROLE_ATOMIC)) return false;
  const char *text = text_of(image, i), *operands = strchr(text, ' ');
  const char *name = strstr(text, "_cmpswap");
  if (!name) name = strstr(text, "_cmpst");
  return name && (!operands || name < operands);
}

static bool depends(const Image *image, u32 ins, const Facts *f) {
  const Regs *r = &image->regs[ins];
  const bool other_lanes = image->ins[ins].flags & F_DPP || begins(text_of(image, ins), "v_readlane");
  for (int j = 0; j < 4; j++) {
    if (has(f->active, r->v[j], r->v_count[j]) || has(f->scalars, r->s[j], r->s_count[j])) return true;
    for (u32 m = 0; other_lanes && m <= OTHERS; m++)
      if (has(f->idle[m], r->v[j], r->v_count[j])) return true;
  }
  return false;
}

static bool reads_returned(const Regs *r, const Facts *f) {
  return has(f->returned, r->v[0], r->v_count[0]) || has(f->returned, r->v[1], r->v_count[1]);
}

static bool writes_exec(const Image *image, u32 i) {
  const Regs *r = &image->regs[i];
  const char *text = text_of(image, i);
  if (begins(text, "v_cmpx") || (text[0] == 's' && r->flow & FLOW_EXEC && r->flow != FLOW_ALL)) return true;
  for (int j = 0; j < 2; j++)
    if (r->s_out_count[j] && r->s_out[j] < S_EXEC + 2 && r->s_out[j] + r->s_out_count[j] > S_EXEC) return true;
  return false;
}

static void add(u64 *to, const u64 *from) {
  for (u32 i = 0; i < ROW_WORDS; i++) to[i] |= from[i];
}

static void own(Facts *f, u32 scalar) {
  u8 *owner = &f->owner[MASK_OF(scalar)];
  *owner = *owner == NOBODY || *owner == scalar + 1 ? (u8)(scalar + 1) : SHARED;
}

// The lanes that a mask has come back, with them those that were switched off otherwise meanwhile.
static void come_back(Facts *f, u32 scalar) {
  u64 *idle = f->idle[MASK_OF(scalar)];
  add(f->active, idle);
  add(f->active, f->idle[OTHERS]);
  memset(f->returned, 0, sizeof f->returned);
  if (f->owner[MASK_OF(scalar)] != scalar + 1) return;
  memset(idle, 0, sizeof *f->idle);
  f->owner[MASK_OF(scalar)] = NOBODY;
}

static void lanes_change(const Regs *r, const char *text, Facts *f) {
  const u32 kept = r->s_out[0], mask = r->s[r->s[0] == S_EXEC];
  const bool saves = strstr(text, "_saveexec") != NULL;
  if (saves && !begins(text, "s_and_")) come_back(f, r->s[0]);
  if (saves) {
    add(f->idle[MASK_OF(kept)], f->active);
    own(f, kept);
  } else if (begins(text, "s_or_b64 exec, exec, s[")) {
    come_back(f, mask);
  } else {
    add(f->idle[OTHERS], f->active);
    if (begins(text, "v_cmpx") || begins(text, "s_and")) return;
    for (u32 i = 0; i <= OTHERS; i++) add(f->active, f->idle[i]);
    memset(f->returned, 0, sizeof f->returned);
  }
}

// A mask is overwritten by what is none: nobody knows what brings its lanes back.
static void lose_mask(Facts *f, u32 scalar) {
  add(f->idle[OTHERS], f->idle[MASK_OF(scalar)]);
}

// What holds after instruction i; false where the value goes somewhere that no compare-and-swap looks at.
static bool step(Walk *walk, u32 i, u32 *phase, Facts *f) {
  const Image *image = walk->image;
  const Regs *r = &image->regs[i];
  const char *text = text_of(image, i);
  const bool swaps = compares_and_swaps(image, i);
  bool on = depends(image, i, f);
  if (begins(text, "s_swappc") || begins(text, "s_setpc") || begins(text, "s_call")) return false;
  if (swaps && *phase == BEHIND) walk->again |= !on;
  if (swaps && on) {
    if (*phase == BEHIND || has(f->active, r->v[0], r->v_count[0])) return false;
    *phase = BEHIND, on = false;
  }
  if (on && r->role & (ROLE_VMEM | ROLE_LDS | ROLE_SMEM | ROLE_BRANCH)) return false;
  if (on && r->role & ROLE_COMPARE && reads_returned(r, f)) on = false;  // whether the guess was right
  if (on && writes_exec(image, i)) return false;
  const bool moves = begins(text, "v_mov_b") && has(f->returned, r->v[0], r->v_count[0]);
  put(f->active, r->v_out, r->v_out_count, on);
  put(f->returned, r->v_out, r->v_out_count, swaps || moves);
  for (int j = 0; j < 2; j++) put(f->scalars, r->s_out[j], r->s_out_count[j], on);
  if (writes_exec(image, i)) lanes_change(r, text, f);
  else if (r->s_out_count[0] == 2 && !strstr(text, " exec, ") && f->owner[MASK_OF(r->s_out[0])] == r->s_out[0] + 1)
    lose_mask(f, r->s_out[0]);
  return true;
}

// Whether what is known at `to` grew by it.
static bool join(Facts *to, const Facts *from, u32 walk) {
  if (to->walk != walk) {
    *to = *from;
    to->walk = walk;
    return true;
  }
  u64 grew = 0;
  for (u32 i = 0; i < ROW_WORDS; i++) {
    grew |= (from->active[i] & ~to->active[i]) | (to->returned[i] & ~from->returned[i]);
    to->active[i] |= from->active[i], to->returned[i] &= from->returned[i];
    for (u32 m = 0; m <= OTHERS; m++) grew |= from->idle[m][i] & ~to->idle[m][i], to->idle[m][i] |= from->idle[m][i];
  }
  for (u32 m = 0; m < MASKS; m++) {
    if (from->owner[m] == to->owner[m] || from->owner[m] == NOBODY || to->owner[m] == SHARED) continue;
    to->owner[m] = to->owner[m] == NOBODY ? from->owner[m] : SHARED;
    grew = 1;
  }
  for (u32 i = 0; i < SCALAR_WORDS; i++) {
    grew |= from->scalars[i] & ~to->scalars[i];
    to->scalars[i] |= from->scalars[i];
  }
  return grew;
}

static bool go_to(Walk *walk, u32 i, u32 phase, const Facts *f) {
  if (i >= walk->image->ins_count) return false;
  if (!join(&walk->facts[PHASES * i + phase], f, walk->number)) return true;
  if (walk->count == walk->room) return false;
  walk->todo[walk->count++] = PHASES * i + phase;
  return true;
}

static bool is_guess(Walk *walk) {
  const Image *image = walk->image;
  const Regs *at = &image->regs[walk->load];
  Facts first = {.walk = walk->number};
  put(first.active, at->v_out, at->v_out_count, true);
  put(first.scalars, at->s_out[0], at->s_out_count[0], true);
  walk->count = 0, walk->again = false;
  if (!go_to(walk, walk->load + 1, BEFORE, &first)) return false;
  for (u32 visits = 0; walk->count; visits++) {
    const u32 place = walk->todo[--walk->count], i = place / PHASES;
    u32 phase = place % PHASES;
    Facts f = walk->facts[place];
    if (visits == MOST_VISITS) return false;
    if (i == walk->load) continue;  // a fresh guess
    if (!step(walk, i, &phase, &f)) return false;
    const char *text = text_of(image, i);
    const bool branch = image->regs[i].role & ROLE_BRANCH;
    if (begins(text, "s_endpgm")) continue;
    if (branch && !go_to(walk, (u32)image->ins[i].imm, phase, &f)) return false;
    if (!begins(text, "s_branch") && !go_to(walk, i + 1, phase, &f)) return false;
  }
  return walk->again;
}

void find_guesses(Image *image) {
  bool any = false;
  for (u32 i = 0; i < image->ins_count; i++) any |= compares_and_swaps(image, i);
  if (!any) return;
  Walk walk = {.image = image, .room = PHASES * image->ins_count};
  walk.facts = calloc((u64)PHASES * image->ins_count, sizeof *walk.facts);
  walk.todo = malloc(walk.room * sizeof *walk.todo);
  for (u32 load = 0; load < image->ins_count; load++) {
    const u16 role = image->regs[load].role;
    if (!(role & ROLE_LOAD) || role & ROLE_PRIVATE) continue;
    walk.load = load, walk.number++;
    image->guesses[load] = is_guess(&walk);
  }
  free(walk.facts);
  free(walk.todo);
}
