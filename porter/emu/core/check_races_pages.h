// What is kept of who used which global memory: by pages of 4 KB, made as they are touched.
#pragma once
#include "shadow.h"

// Tags are the workgroup (+ 1), its epoch and the wave; 0 is nobody.
#define GLOBAL_TAG(group, epoch, wave) ((u64)(group) << 32 | (u32)((epoch) << 5 | (wave)))
#define TAG_GROUP(tag) ((u32)((tag) >> 32))
#define MANY_GROUPS 0xffffffffu    // in place of epoch and wave: readers of several workgroups
#define SPLIT 0xffffffff00000000u  // both tags of a piece whose words, or a word whose bytes, are apart

// clock: of the wave, at the access
typedef struct { u32 ins, time, clock, atomic; } Writer;
typedef struct { u32 ins, time, clock; u16 waves, last; } Reader;  // a bit for each of the workgroup's waves that read in this epoch
typedef struct {
  u64 write, read;  // tags
  Writer writer;
  Reader reader;
} Users;

#define PAGE_BITS 12
#define PAGE_BYTES (1u << PAGE_BITS)
#define PIECES (PAGE_BYTES / 16)
#define WORDS (PAGE_BYTES / 4)
#define BYTES 256  // kept together: few pages have words whose bytes are used apart, and those seldom everywhere
#define STATE_OF(N) \
  u64 reads[N], writes[N]; \
  Reader readers[N]; \
  Writer writers[N]
typedef struct { STATE_OF(WORDS); } Words;
typedef struct { STATE_OF(BYTES); } Bytes;
typedef struct {
  u32 newest_writer;  // workgroup that wrote the page last: most pages are only read, and need no look at the writes
  Words *words;       // of split pieces; made on first need, as the bytes of split words are
  Bytes *bytes[PAGE_BYTES / BYTES];
  STATE_OF(PIECES);
  bool locked __attribute__((aligned(64)));  // by a thread that changes what is kept
} Page;
// What is kept of one piece, word or byte
typedef struct {
  u64 *read, *write;
  Reader *reader;
  Writer *writer;
} Unit;
// Functions that take one are inlined: it has to stay in registers.
#define INLINE static inline __attribute__((always_inline))
#define UNIT(of, i) ((Unit){&(of)->reads[i], &(of)->writes[i], &(of)->readers[i], &(of)->writers[i]})
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
  bool crossed;          // whether a workgroup has looked at what another one wrote to tell it something
  bool busy, told;       // whether the user knows that there is no room for more
} GlobalRaces;

// Kept from launch to launch: a fresh table costs more than a small kernel's run.
extern GlobalRaces kept_races __attribute__((visibility("hidden")));

// State of `bytes` bytes, made on first need; NULL where there is no room for more.
void *race_state(GlobalRaces *r, void **at, u32 bytes);
static inline void *kept_at(GlobalRaces *r, void **at, u32 bytes) {
  void *found = __atomic_load_n(at, __ATOMIC_ACQUIRE);
  return likely(found != NULL) ? found : race_state(r, at, bytes);
}
Page *page_of(GlobalRaces *r, u64 page);

// Four parts have a state of their own from now on: that of the whole. Of tags below `past` nothing else is kept.
INLINE void split(Unit whole, Unit first, u64 past) {
  const u64 read = *whole.read, write = *whole.write;
  if (write == SPLIT) return;
  for (u32 i = 0; i < 4; i++) first.read[i] = read, first.write[i] = write;
  if (read >= past)
    for (u32 i = 0; i < 4; i++) first.reader[i] = *whole.reader;
  if (write >= past)
    for (u32 i = 0; i < 4; i++) first.writer[i] = *whole.writer;
  *whole.write = *whole.read = SPLIT;
}
