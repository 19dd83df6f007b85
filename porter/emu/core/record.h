// What the waves of some workgroups did, for the model of time (porter/perf/model): the blocks that they ran, one after
// the other, and what each memory instruction touched.
//
// A wave's words: for each block one word, the number of instructions << 32 | the first one, then the accesses of the
// block in their order. An access is one word, bit 63 set, the kind << 60, a number << 32, the instruction; then, for
// global memory, as many words as the number's low 16 bits say: a line of 128 bytes << 2 | which of its halves; its other
// bits are cycles of the address unit. For LDS the number is bank cycles, for private memory lines.
#pragma once
#include "image.h"

enum { CLUSTER = 16 };  // most workgroups of a cluster, which have numbers that follow each other
enum { RECORD_ACCESS = 1ull << 63 };
enum { RECORD_GLOBAL, RECORD_LDS, RECORD_PRIVATE };
enum { RECORD_WRITES = 4 };  // added to the kind

typedef struct RecordedWave {
  u64 group;
  u64 *words;
  u64 length, capacity;
  u64 open;                  // where the running block's word goes when it ends
  u32 number, ended;
} RecordedWave;

typedef struct Recording {
  u64 first, stride, count;  // workgroups first, first + stride, ... are recorded, `count` of them
  u64 beside;                // and so many of first + 1, first + 1 + stride, ..., behind them in `waves`
  u32 alone;                 // no others run,
  u32 clusters;              // but those that they may wait for: all in front of the last one's CLUSTER, in its own
  u64 runs;                  // so many of them
  u32 waves_a_group;
  RecordedWave *waves;       // made by recording_begin
  u64 most_words;            // when there are so many no further workgroups are begun; 0: no limit
  u64 words;                 // of the workgroups that ended
} Recording;

// Makes room for the waves; `count` becomes how many of the workgroups there are.
void recording_begin(Recording *r, u64 groups, u32 waves_a_group);
// `count` becomes how many of the workgroups were recorded to their end, from the first on.
void recording_end(Recording *r);
void recording_free(Recording *r);
void record_end(Recording *r, RecordedWave *w);
void record_block(RecordedWave *w, u32 first, u32 length);
void record_access(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access);

static inline bool recorded_alone(const Recording *r) { return r && r->alone; }
static inline bool record_full(const Recording *r) {
  return r->most_words && __atomic_load_n(&r->words, __ATOMIC_RELAXED) >= r->most_words;
}
// The n-th workgroup that runs where only the recorded ones do, those beside first; past the last one a number that no
// launch has.
static inline u64 record_number(const Recording *r, u64 n) {
  const bool full = record_full(r);
  if (n < r->beside) return r->first + 1 + n * r->stride;
  n -= r->beside;
  return n < r->count && !full ? r->first + n * r->stride : ~0ull;
}
// Where a wave is recorded, or NULL.
RecordedWave *record_wave(Recording *r, u64 group, u32 wave);
