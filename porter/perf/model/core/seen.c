// A set of numbers that grows: each is kept, one higher, in the first free place behind its own.
#include "model.h"

bool is_there(const Seen *s, u64 number) {
  if (!s->room) return false;
  u64 at = hash(number) >> 20 & (s->room - 1);
  while (s->all[at] && s->all[at] != number + 1) at = (at + 1) & (s->room - 1);
  return s->all[at];
}

bool seen_before(Seen *s, u64 number) {
  if (2 * (s->count + 1) > s->room) {
    Seen larger = {.room = s->room ? 2 * s->room : 4096};
    larger.all = calloc(larger.room, sizeof *larger.all);
    for (u64 i = 0; i < s->room; i++)
      if (s->all[i]) seen_before(&larger, s->all[i] - 1);
    free(s->all);
    *s = larger;
  }
  u64 at = hash(number) >> 20 & (s->room - 1);
  while (s->all[at] && s->all[at] != number + 1) at = (at + 1) & (s->room - 1);
  if (s->all[at]) return true;
  s->all[at] = number + 1;
  s->count++;
  return false;
}
