// Where lines lie. The emulator's addresses differ from run to run, and channels of L2 go by them: what a launch touches is
// moved together to begin at a fixed place, so that a launch has one prediction. Distances within a region stay.
#include "model.h"

enum { PAGE_LINES = 32, FAR = 1 << 16, BORDER = 256 };  // of 4 KiB; pages between two regions; regions begin at multiples

typedef struct { u64 first, end, placed; } Region;   // pages; placed: where the first one goes

static int by_number(const void *a, const void *b) {
  const u64 x = *(const u64 *)a, y = *(const u64 *)b;
  return x < y ? -1 : x > y;
}

static void sort_pages(Seen *p) {
  u64 kept = 0;
  for (u64 i = 0; i < p->room; i++)
    if (p->all[i]) p->all[kept++] = p->all[i] - 1;
  qsort(p->all, p->count, sizeof *p->all, by_number);
}

// Calls for each word that has a line.
#define EACH_LINE(WAVES, COUNT, WORD, ...)                                                                             \
  for (u64 wave_ = 0; wave_ < (COUNT); wave_++)                                                                        \
    for (u64 at_ = 0; at_ < (WAVES)[wave_].length; at_++) {                                                            \
      const u64 head_ = (WAVES)[wave_].words[at_];                                                                     \
      if (!is_access(head_) || access_kind(head_) != ACCESS_GLOBAL) continue;                                          \
      const u32 number_ = access_lines(head_);                                                                        \
      for (u32 i_ = 1; i_ <= number_; i_++) {                                                                          \
        u64 *const WORD = &(WAVES)[wave_].words[at_ + i_];                                                             \
        __VA_ARGS__                                                                                                    \
      }                                                                                                                \
      at_ += number_;                                                                                                  \
    }

void mark_executed(const RecordedWave *waves, u64 count, u8 *marks) {
  for (u64 i = 0; i < count; i++)
    for (u64 at = 0; at < waves[i].length; at++) {
      const u64 word = waves[i].words[at];
      if (!is_access(word)) memset(marks + (u32)word, 1, word >> 32);
      else if (access_kind(word) == ACCESS_GLOBAL) at += access_lines(word);
    }
}

static Region *regions_of(const Seen *p, u64 shift, u64 *number) {
  Region *all = malloc((p->count + 1) * sizeof *all);
  u64 placed = shift;
  *number = 0;
  for (u64 i = 0; i < p->count; i++) {
    Region *last = *number ? &all[*number - 1] : NULL;
    if (last && p->all[i] - last->end < FAR) {
      last->end = p->all[i] + 1;
      continue;
    }
    if (last) placed = (last->placed + (last->end - last->first) + FAR + BORDER) / BORDER * BORDER;
    all[(*number)++] = (Region){p->all[i], p->all[i] + 1, placed};
  }
  return all;
}

void place_lines(RecordedWave *waves, u64 count, u64 shift) {
  Seen pages = {0};
  u64 number = 0, last = ~0ull;
  EACH_LINE(waves, count, word, {
    const u64 page = (*word >> 2) / PAGE_LINES;
    if (page != last) seen_before(&pages, last = page);
  })
  sort_pages(&pages);
  Region *regions = regions_of(&pages, shift, &number);
  const Region *in = regions;
  EACH_LINE(waves, count, word, {
    const u64 line = *word >> 2, page = line / PAGE_LINES;
    while (page < in->first) in--;
    while (page >= in->end) in++;
    *word = (line + (in->placed - in->first) * PAGE_LINES) << 2 | (*word & 3);
  })
  free(regions), free(pages.all);
}
