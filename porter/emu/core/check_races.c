// Races: two accesses to one word, one of them a write, and nothing that orders them.
//
// Within a workgroup order comes from barriers and from signals: an atomic, or a load that polls (image_polls() finds
// those), takes over what the last writer of the word knew. Across workgroups it comes from atomics and polling alone;
// there a time stamp of the last signal each workgroup sent and received stands for it, which may miss a race between
// workgroups that signalled each other about something else, and never invents one.
#include "checks.h"

static u32 byte_mask(u64 address, u32 size) {
  if (size >= 4) return 15;
  return ((1u << size) - 1) << (address & 3);
}

static void learn(GroupShadow *s, u32 a, u32 b, u16 clock) {
  for (u32 k = 0; k < MAX_WAVES; k++)
    if (k != a && s->known[b][k] > s->known[a][k] && k != b) s->known[a][k] = s->known[b][k];
  if (clock > s->known[a][b]) s->known[a][b] = clock;
}

void race_lds(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  Shadow *shadow = w->shadow;
  GroupShadow *s = shadow->group;
  const u32 me = w->id, epoch = s->epoch;
  const bool writes = access & (ACCESS_WRITE | ACCESS_ATOMIC), atomic = access & ACCESS_ATOMIC;
  const bool polls = w->launch->polls[I->index];
  const u32 checks = w->checks;
  const u16 now = s->known[me][me];
  i64 race_with = -1, unfinished = -1;
  u64 race_at = 0, unfinished_at = 0;
  int race_lane = 0, unfinished_lane = 0;
  for (u64 m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctzll(m);
    const u64 address = addresses[l];
    const u32 last = (u32)((address + size - 1) >> 2);
    for (u32 at = (u32)(address >> 2); at <= last && at < s->words; at++) {
      LdsWord *word = &s->lds[at];
      const u32 bytes = byte_mask(address, size);
      if (word->write_epoch == epoch) {
        if (word->writer != me && word->bytes & bytes && word->write_clock > s->known[me][word->writer]) {
          if (polls || (atomic && word->atomic)) learn(s, me, word->writer, word->write_clock);
          else if (race_with < 0) race_with = word->write_ins, race_at = address, race_lane = l;
        }
      } else if (word->write_epoch + 1 == epoch && word->writer != me &&
                 word->write_sequence > s->lds_complete[word->writer][epoch & 1] && unfinished < 0) {
        unfinished = word->write_ins, unfinished_at = address, unfinished_lane = l;
      }
      if (writes) {
        if (word->read_epoch == epoch) {
          for (u32 b = 0; b < MAX_WAVES; b++)
            if (b != me && word->read_clock[b] > s->known[me][b] && race_with < 0 && !atomic)
              race_with = word->read_ins, race_at = address, race_lane = l;
        } else if (word->read_epoch + 1 == epoch && word->reader != me &&
                   word->read_sequence > s->lds_complete[word->reader][epoch & 1] && unfinished < 0) {
          unfinished = word->read_ins, unfinished_at = address, unfinished_lane = l;
        }
        word->write_epoch = epoch;
        word->write_clock = now;
        word->write_ins = I->index;
        word->write_sequence = shadow->lds_issued;
        word->writer = (u8)me;
        word->bytes = (u8)bytes;
        word->atomic = atomic;
      } else if (!polls) {
        if (word->read_epoch != epoch) {
          memset(word->read_clock, 0, sizeof word->read_clock);
          word->read_epoch = epoch;
        }
        word->read_clock[me] = now;
        word->read_ins = I->index;
        word->reader = (u8)me;
        word->read_sequence = shadow->lds_issued;
      }
    }
  }
  // Another wave may take this write as a signal: what comes after it is later.
  if (writes && now < 0xffff) s->known[me][me] = now + 1;
  if (race_with >= 0 && checks & CHECK_LDS_RACE) note(w, I, FAULT_LDS_RACE, race_lane, race_at, size, race_with);
  if (unfinished >= 0 && checks & CHECK_WAIT)
    note(w, I, FAULT_MISSING_WAIT, unfinished_lane, unfinished_at, size, unfinished);
}

// ---- global memory ----------------------------------------------------------------------------------------------------

typedef struct {
  u32 write_group, read_group;  // + 1; 0 nobody, readers from several workgroups: ~0
  u32 write_epoch, read_epoch;
  u32 write_ins, read_ins;
  u32 write_time, read_time;
  u32 write_sequence;
  u8 writer, reader, bytes, atomic;
} GlobalWord;

#define PAGE_WORDS 1024
typedef struct { u64 page; GlobalWord *words; } Slot;

#define SLOTS (1u << 20)
typedef struct {
  Slot *slots;
  u32 *sent, *received;  // times of each workgroup's last signal
  u64 groups;
  u32 time;
} GlobalRaces;

void *race_new_launch(u64 groups) {
  GlobalRaces *r = calloc(1, sizeof *r);
  r->slots = calloc(SLOTS, sizeof(Slot));
  r->sent = calloc(groups, 4);
  r->received = calloc(groups, 4);
  r->groups = groups;
  r->time = 1;
  return r;
}

void race_free_launch(void *state) {
  GlobalRaces *r = state;
  for (u32 i = 0; i < SLOTS; i++) free(r->slots[i].words);
  free(r->slots);
  free(r->sent);
  free(r->received);
  free(r);
}

static GlobalWord *page_of(GlobalRaces *r, u64 page) {
  u32 at = (u32)((page * 0x9e3779b97f4a7c15ull) >> 44);
  for (u32 tries = 0; tries < SLOTS; tries++, at = (at + 1) & (SLOTS - 1)) {
    u64 found = __atomic_load_n(&r->slots[at].page, __ATOMIC_ACQUIRE);
    if (!found) {
      u64 none = 0;
      if (!__atomic_compare_exchange_n(&r->slots[at].page, &none, page, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        if (none != page) continue;
      }
      found = page;
    }
    if (found != page) continue;
    GlobalWord *words = __atomic_load_n(&r->slots[at].words, __ATOMIC_ACQUIRE);
    if (words) return words;
    GlobalWord *fresh = calloc(PAGE_WORDS, sizeof *fresh), *nothing = NULL;
    if (__atomic_compare_exchange_n(&r->slots[at].words, &nothing, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return fresh;
    free(fresh);
    return nothing;
  }
  return NULL;
}

// Storing what is there already is what programs do on purpose: a flag that everybody raises.
static bool same_value(const Wave *w, const Ins *I, u64 address, u64 start, int lane, u32 size) {
  const Regs *regs = &w->launch->image->regs[I->index];
  if (size % 4 || regs->role & ROLE_ATOMIC || !regs->v_count[1]) return false;
  u32 word;
  memcpy(&word, (const void *)(address & ~3ull), 4);
  return word == w->R[(regs->v[1] + ((address - start) >> 2)) * LANE_COUNT + lane];
}

void race_global(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  GlobalRaces *r = w->launch->race;
  Shadow *shadow = w->shadow;
  GroupShadow *s = shadow->group;
  const u32 group = (u32)w->group->number + 1, epoch = s->epoch, me = w->id;
  const bool writes = access & (ACCESS_WRITE | ACCESS_ATOMIC), atomic = access & ACCESS_ATOMIC;
  const bool polls = w->launch->polls[I->index];
  const u32 now = __atomic_load_n(&r->time, __ATOMIC_RELAXED);
  if (atomic || polls) r->received[group - 1] = now + 1;
  u64 seen = ~0ull;
  GlobalWord *page = NULL;
  for (u64 m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctzll(m);
    const u64 address = addresses[l], end = address + size;
    for (u64 at = address & ~3ull; at < end; at += 4) {
      if (at >> 12 != seen) page = page_of(r, seen = at >> 12);
      if (!page) return;
      GlobalWord *word = &page[at >> 2 & (PAGE_WORDS - 1)];
      const u32 bytes = byte_mask(address, size);
      i64 other = -1;
      if (word->write_group && word->bytes & bytes && !(atomic && word->atomic)) {
        if (word->write_group == group) {
          if (word->writer != me && word->write_epoch == epoch && !polls && !s->known[me][word->writer]) other = word->write_ins;
          if (word->writer != me && word->write_epoch + 1 == epoch && w->checks & CHECK_WAIT &&
              word->write_sequence > s->vm_complete[word->writer][epoch & 1])
            note(w, I, FAULT_MISSING_WAIT, l, at, size, word->write_ins);
        } else {
          const bool ordered = r->sent[word->write_group - 1] > word->write_time && r->received[group - 1] > word->write_time;
          if (!ordered && !polls) other = word->write_ins;
        }
      }
      if (writes && word->read_group && other < 0 && !atomic) {
        if (word->read_group == group) {
          if (word->reader != me && word->read_epoch == epoch && !s->known[me][word->reader]) other = word->read_ins;
        } else if (word->read_group != ~0u) {
          const bool ordered = r->sent[word->read_group - 1] > word->read_time && r->received[group - 1] > word->read_time;
          if (!ordered) other = word->read_ins;
        }
      }
      if (other >= 0 && !(writes && same_value(w, I, at, address, l, size)))
        note(w, I, FAULT_GLOBAL_RACE, l, at, size, other);
      if (writes) {
        *word = (GlobalWord){.write_group = group, .write_epoch = epoch, .write_ins = I->index, .write_time = now,
                             .write_sequence = shadow->vm_issued, .writer = (u8)me, .bytes = (u8)bytes, .atomic = atomic};
      } else if (!polls) {
        word->read_group = word->read_group && word->read_group != group ? ~0u : group;
        word->read_epoch = epoch;
        word->read_ins = I->index;
        word->read_time = now;
        word->reader = (u8)me;
      }
    }
  }
  // A write may be the signal that another workgroup polls for.
  if (writes) r->sent[group - 1] = __atomic_add_fetch(&r->time, 1, __ATOMIC_RELAXED);
}
