// What is kept of who used which global memory: by pages of 4 KB, made as they are touched.
#pragma once
#include "check_races.h"

// Tags are the workgroup (+ 1), its epoch and the wave; 0 is nobody.
#define GLOBAL_TAG(group, epoch, wave) ((u64)(group) << 32 | (u32)((epoch) << 5 | (wave)))
#define TAG_GROUP(tag) ((u32)((tag) >> 32))
#define MANY_GROUPS 0xffffffffu    // in place of epoch and wave: readers of several workgroups
#define SPLIT 0xffffffff00000000u  // both tags of a piece whose words are apart; no workgroup has this number

typedef struct { u32 ins, time, sequence, flags; } Writer;
typedef struct { u32 ins, time; } Reader;
typedef struct {
  u64 write, read;  // tags
  Writer writer;
  Reader reader;
} Users;

#define PAGE_BITS 12
#define PAGE_BYTES (1u << PAGE_BITS)
#define PIECES (PAGE_BYTES / 16)
#define WORDS (PAGE_BYTES / 4)
typedef struct {
  u64 reads[WORDS], writes[WORDS];
  Reader readers[WORDS];
  Writer writers[WORDS];
} Words;
typedef struct {
  u32 newest_writer;  // workgroup that wrote the page last: most pages are only read, and need no look at the writes
  Words *words;       // of split pieces; made on first need
  u64 reads[PIECES], writes[PIECES];
  Reader readers[PIECES];
  Writer writers[PIECES];
} Page;
typedef struct { u64 page; Page *state; } Slot;

#define SLOTS (1u << 20)
typedef struct {
  Slot *slots;
  u32 *sent, *received;  // times of each workgroup's last signal
  u64 groups;
  u64 launched;          // workgroups of this launch
  u32 base;              // of this launch's workgroups: smaller ones in a tag are of earlier launches, and past
  u32 time;
  u8 **slabs;            // pages and words come from these, 2 MB each
  u32 slab_count, slab_used;
  u32 pages;
  pthread_mutex_t lock;
  u32 generation;        // of the pages: they are freed when it changes
  bool busy, told;       // whether the user knows that there is no room for more
} GlobalRaces;

// Kept from launch to launch: a fresh table costs more than a small kernel's run.
extern GlobalRaces kept_races __attribute__((visibility("hidden")));

// Both are NULL where there is no room for more.
Page *page_of(GlobalRaces *r, u64 page);
// The words of the page, of which this piece has its own from now on.
Words *split_piece(GlobalRaces *r, Page *page, u32 piece);
