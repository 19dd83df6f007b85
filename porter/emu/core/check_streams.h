// What one operation of a stream touched: for each page of memory a bit for each byte that it
// read or wrote.
#pragma once
#include <pthread.h>

#include "emu.h"

#define TOUCHED_BITS 12
#define TOUCHED_BYTES (1u << TOUCHED_BITS)
#define TOUCHED_WORDS (TOUCHED_BYTES / 64)

typedef struct TouchedPage {
  u64 page;                // its address over TOUCHED_BYTES, and 1; 0: none
  u32 reader, writer;      // an instruction that did, and 1; 0: none, or no kernel
  u32 signals;             // the place of an atomic, or of an access past the caches, and 1: by these kernel and host
                           // may tell each other what is done
  u64 read[TOUCHED_WORDS], written[TOUCHED_WORDS];
} TouchedPage;

typedef struct Touched {
  u64 id;                  // which no other one has had
  TouchedPage **slots;     // by a hash of the page; their number is a power of two
  u32 slot_count, page_count;
  u32 full;                // pages were left out, since there were too many
  u32 heard;               // it may have seen a signal of somebody else
  pthread_mutex_t lock;    // of the slots
} Touched;

Touched *touched_new(void);
void touched_free(Touched *t);
// The pages, in no order: their address, and what was done to any byte of them.
void touched_pages(const Touched *t, void (*each)(void *to, const TouchedPage *page), void *to);
u64 touched_first(const TouchedPage *page);  // the address of the first byte that was read or written; 0: none was
// Bytes that an operation reads or writes without a kernel.
void touched_range(Touched *t, u64 address, u64 size, bool writes);
// These addresses are another allocation's from now on.
void touched_forget(Touched *t, u64 address, u64 size);
// The first bytes that one of the two writes and the other one uses; their number, or 0. Atomics race with nothing: they
// are how operations talk to each other.
typedef struct { u64 address, size; u32 ins_a, ins_b; bool a_writes, b_writes; } StreamRace;  // instructions: and 1
// An instruction that used this byte, and 1, or 0 where it is not known; false: nobody did. `writes`: whether one wrote it.
bool touched_at(const Touched *t, u64 address, bool *writes, u32 *ins);
bool touched_race(const Touched *a, const Touched *b, StreamRace *out);
