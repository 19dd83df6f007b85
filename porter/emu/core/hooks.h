// What a run tells the checks. The core calls through this table, so that none of its files has a check's header.
#pragma once
#include "emu.h"

typedef struct Hooks {
  const Ins *(*instruction)(Wave *w, const Ins *I);  // stands in front of every instruction of a checked run
  // Every memory handler calls this after its bounds are known to be good, when w->shadow is set: one address a lane
  // (LDS: offsets), `size` bytes each, `lanes` those that take part.
  void (*access)(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access);
  // The same for all lanes of a wave at base + row[l], before the access; and what it loaded, `count` rows, after it.
  void (*rows)(Wave *w, const Ins *I, Space space, u64 base, const u32 *row, u32 size, u32 access);
  void (*loaded)(Wave *w, const Ins *I, const u32 *rows, u32 count);
  // An instruction whose registers `which` (bits: three sources, the destination) are `by` further on.
  void (*moved)(Wave *w, const Ins *I, u32 by, u32 which);
  void (*prepare)(Image *image);  // before its first checked run
  void (*start_launch)(Launch *launch);
  void (*end_launch)(Launch *launch);
  void (*start_group)(Group *g, Launch *launch);
  void (*start_wave)(Wave *w);
  void (*arrive)(Wave *w);    // at a barrier
  void (*release)(Group *g);  // of a barrier
  void (*free_group)(Group *g);
} Hooks;
extern const Hooks hooks __attribute__((visibility("hidden")));  // checks.c

#define CHECK_LOADED(...) \
  do { if (unlikely(w->shadow)) hooks.loaded(w, I, __VA_ARGS__); } while (0)
#define CHECK_ROWS(...) \
  do { if (unlikely(w->shadow)) hooks.rows(w, I, __VA_ARGS__); } while (0)
