// Where the lanes of an access are, for any memory and any EXEC, and whether they may be there.
#include "memory.h"
#include "ops.h"

static bool refuse(Wave *w, const Ins *I, FaultKind kind, int lane, u64 address, u32 size) {
  fault(w, I, kind, lane, address, size, -1);
  return false;
}

// Atomics want natural alignment; anything else works at any address (unaligned access mode, as HSA sets it).
static bool aligned(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  if (!(access & ACCESS_ATOMIC)) return true;
  EACH_LANE(lanes)
    if (addresses[l] & (size - 1)) return refuse(w, I, FAULT_MISALIGNED, (int)l, addresses[l], size);
  return true;
}

static bool global_good(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  if (!lanes) return true;
  u64 low = ~0ull, high = 0;
  EACH_LANE(lanes) {
    low = addresses[l] < low ? addresses[l] : low;
    high = addresses[l] > high ? addresses[l] : high;
  }
  Near *near = &w->worker->near[I->index % NEAR_COUNT];
  const bool write = access & (ACCESS_WRITE | ACCESS_ATOMIC);
  const bool known = near->generation == __atomic_load_n(&memory_generation, __ATOMIC_RELAXED);
  if (!known || low - near->start >= near->end - near->start) memory_refill(near, low, w->launch->options.device);
  if (unlikely(near->end - near->start < size || low < near->start || high > near->end - size ||
               (write && near->flags & MEMORY_READ_ONLY))) {
    const int bad = out_of_bounds(addresses, lanes, size, write, w->launch->options.device);
    if (bad >= 0)
      return refuse(w, I, memory_fault(addresses[bad], size, w->launch->options.device), bad, addresses[bad], size);
  }
  if (!aligned(w, I, addresses, lanes, size, access)) return false;
  if (unlikely(w->shadow)) hooks.access(w, I, SPACE_GLOBAL, addresses, lanes, size, access);
  return true;
}

static bool lds_good(Wave *w, const Ins *I, const u64 *offsets, u64 lanes, u32 size, u32 access) {
  EACH_LANE(lanes)
    if (unlikely(offsets[l] + size > w->lds_size)) return refuse(w, I, FAULT_LDS_BOUNDS, (int)l, offsets[l], size);
  if (!aligned(w, I, offsets, lanes, size, access)) return false;
  if (unlikely(w->shadow) && lanes) hooks.access(w, I, SPACE_LDS, offsets, lanes, size, access);
  return true;
}

static bool scratch_good(Wave *w, const Ins *I, const u64 *offsets, u64 lanes, u32 size, u32 access) {
  EACH_LANE(lanes)
    if (unlikely(offsets[l] + size > w->scratch_size))
      return refuse(w, I, FAULT_SCRATCH_BOUNDS, (int)l, offsets[l], size);
  if (!aligned(w, I, offsets, lanes, size, access)) return false;
  if (unlikely(w->shadow) && lanes) hooks.access(w, I, SPACE_SCRATCH, offsets, lanes, size, access);
  return true;
}

bool global_places(Wave *w, const Ins *I, int vaddr, int saddr, u32 size, u32 access, Places *p) {
  p->lanes = EXEC;
  const u32 *v = I->s[vaddr] == NO_OPERAND ? NULL : w->R + I->s[vaddr];
  const u64 offset = (u64)(i64)I->imm;
  if (I->s[saddr] == NO_OPERAND) {
    for (int l = 0; l < LANE_COUNT; l++) p->at[l] = GET64(v, l) + offset;
  } else {
    const u64 base = scalar64(w, I->s[saddr]) + offset;
    for (int l = 0; l < LANE_COUNT; l++) p->at[l] = base + (v ? v[l] : 0);
  }
  return global_good(w, I, p->at, p->lanes, size, access);
}

bool flat_places(Wave *w, const Ins *I, int vaddr, u32 size, u32 access, Places *p) {
  p->lanes = EXEC;
  const u32 *v = w->R + I->s[vaddr];
  u64 shared = 0, private = 0, offsets[LANE_COUNT];
  for (int l = 0; l < LANE_COUNT; l++) {
    p->at[l] = GET64(v, l) + (u64)(i64)I->imm;
    const u64 aperture = p->at[l] & APERTURE_MASK;
    offsets[l] = p->at[l] & ~APERTURE_MASK;
    shared |= (u64)(aperture == SHARED_APERTURE) << l;
    private |= (u64)(aperture == PRIVATE_APERTURE) << l;
  }
  shared &= p->lanes;
  private &= p->lanes;
  if (!global_good(w, I, p->at, p->lanes & ~(shared | private), size, access)) return false;
  if (shared && !lds_good(w, I, offsets, shared, size, access)) return false;
  if (private && !scratch_good(w, I, offsets, private, size, access)) return false;
  EACH_LANE(shared) p->at[l] = (u64)(uintptr_t)w->lds + offsets[l];
  EACH_LANE(private) p->at[l] = (u64)(uintptr_t)w->scratch + l * w->scratch_size + offsets[l];
  return true;
}

bool scratch_places(Wave *w, const Ins *I, int vaddr, int saddr, u32 size, u32 access, Places *p) {
  p->lanes = EXEC;
  const u32 *v = I->s[vaddr] == NO_OPERAND ? NULL : w->R + I->s[vaddr];
  const u32 base = (I->s[saddr] == NO_OPERAND ? 0 : scalar32(w, I->s[saddr])) + (u32)I->imm;
  for (int l = 0; l < LANE_COUNT; l++) p->at[l] = (u32)(base + (v ? v[l] : 0));
  if (!scratch_good(w, I, p->at, p->lanes, size, access)) return false;
  for (int l = 0; l < LANE_COUNT; l++) p->at[l] += (u64)(uintptr_t)w->scratch + (u64)l * w->scratch_size;
  return true;
}

bool lds_places(Wave *w, const Ins *I, int vaddr, u32 offset, u32 size, u32 access, Places *p) {
  p->lanes = EXEC;
  const u32 *v = w->R + I->s[vaddr];
  for (int l = 0; l < LANE_COUNT; l++) p->at[l] = (u32)(v[l] + offset);
  if (!lds_good(w, I, p->at, p->lanes, size, access)) return false;
  for (int l = 0; l < LANE_COUNT; l++) p->at[l] += (u64)(uintptr_t)w->lds;
  return true;
}

bool lds_landing(Wave *w, const Ins *I, u64 lanes, u32 *base) {
  *base = (M0 & 0xffff) + (u32)I->imm;
  u64 offsets[LANE_COUNT];
  for (int l = 0; l < LANE_COUNT; l++) offsets[l] = *base + 4u * l;
  return lds_good(w, I, offsets, lanes, 4, ACCESS_WRITE);
}

// ---- buffers --------------------------------------------------------------------------------------------------------

// CDNA3 ISA 9.1.5. NUM_RECORDS counts bytes, or elements of STRIDE bytes where an index is given and STRIDE is not 0.
bool buffer_places(Wave *w, const Ins *I, int first, u32 size, u32 access, bool whole, BufferPlaces *b) {
  const i32 v_at = I->s[first];
  const u32 *v = v_at == NO_OPERAND ? NULL : w->R + v_at;
  u32 rsrc[4];
  memcpy(rsrc, &w->s[REF_INDEX(~(u32)I->s[first + 1])], sizeof rsrc);
  const u64 base = rsrc[0] | (u64)(rsrc[1] & 0xffff) << 32;
  const u32 stride = rsrc[1] >> 16 & 0x3fff, records = rsrc[2];
  const bool add_lane = rsrc[3] >> 23 & 1;
  const u32 index_stride = 8u << (rsrc[3] >> 21 & 3);
  const u32 soffset = I->s[first + 2] == NO_OPERAND ? 0 : scalar32(w, I->s[first + 2]);
  const bool idxen = I->flags & F_IDXEN, offen = I->flags & F_OFFEN;
  const bool structured = (idxen || add_lane) && stride;
  // Without an index there is nothing to swizzle: kernels that run on the hardware set the bit and use plain offsets.
  const bool swizzled = rsrc[1] >> 31 && structured;
  const u32 *index_row = idxen ? v : NULL, *offset_row = offen ? v + (idxen ? LANE_COUNT : 0) : NULL;
  const u64 lanes = EXEC;
  b->outside = b->partial = 0;
  for (u64 l = 0; l < LANE_COUNT; l++) {
    const u64 index = (index_row ? index_row[l] : 0ull) + (add_lane ? l : 0);
    const u64 offset = (offset_row ? offset_row[l] : 0ull) + (u32)I->imm;
    b->p.at[l] = base + soffset + offset + index * stride;
    u64 room = 0;  // bytes from here on that may be touched
    if (structured) {
      if (index < records && !(swizzled && offset >= stride)) room = size;
    } else {
      const u64 end = records > soffset ? records - soffset : 0;
      room = offset < end ? end - offset : 0;
    }
    if (swizzled) {
      const u64 element = offset / 4;
      b->p.at[l] = base + soffset + (index / index_stride * stride + element * 4) * index_stride +
                   index % index_stride * 4 + offset % 4;
    }
    if (room >= size) continue;
    if (whole || room < 4 || size < 4) {
      b->outside |= 1ull << l;
    } else {
      b->partial |= 1ull << l;
      b->inside[l] = (u8)((1u << room / 4) - 1);
    }
  }
  b->outside &= lanes;
  b->partial &= lanes;
  b->p.lanes = lanes & ~b->outside;
  if (!global_good(w, I, b->p.at, b->p.lanes & ~b->partial, size, access)) return false;
  EACH_LANE(b->partial) {
    const u32 bytes = 4 * (u32)__builtin_popcount(b->inside[l]);
    b->real[l] = b->p.at[l];
    if (!global_good(w, I, b->real, 1ull << l, bytes, access)) return false;
    memset(b->spill[l], 0, sizeof b->spill[l]);
    if (access == ACCESS_READ) memcpy(b->spill[l], (const void *)b->real[l], bytes);
    b->p.at[l] = (u64)(uintptr_t)b->spill[l];
  }
  if (access == ACCESS_READ) {
    static const u8 zeros[16];
    EACH_LANE(b->outside) b->p.at[l] = (u64)(uintptr_t)zeros;
    b->p.lanes = lanes;
  }
  return true;
}

void buffer_written(BufferPlaces *b) {
  EACH_LANE(b->partial) memcpy((void *)b->real[l], b->spill[l], 4 * (u32)__builtin_popcount(b->inside[l]));
}

// ---- scalar ---------------------------------------------------------------------------------------------------------

bool scalar_good(Wave *w, const Ins *I, u64 address, u32 size, u32 access) {
  const bool write = access & (ACCESS_WRITE | ACCESS_ATOMIC);
  Near *near = &w->worker->near[I->index % NEAR_COUNT];
  const bool known = near->generation == __atomic_load_n(&memory_generation, __ATOMIC_RELAXED);
  if (!known || address - near->start >= near->end - near->start) memory_refill(near, address, w->launch->options.device);
  if (unlikely(near->end - near->start < size || address > near->end - size ||
               (write && near->flags & MEMORY_READ_ONLY))) {
    fault(w, I, memory_fault(address, size, w->launch->options.device), 0, address, size, -1);
    return false;
  }
  if (access & ACCESS_ATOMIC && address & (size - 1)) {
    fault(w, I, FAULT_MISALIGNED, 0, address, size, -1);
    return false;
  }
  if (unlikely(w->shadow)) {
    const u64 addresses[LANE_COUNT] = {address};  // checks read a place for each lane
    hooks.access(w, I, SPACE_GLOBAL, addresses, 1, size, access);
  }
  return true;
}

u32 scalar_buffer(Wave *w, const Ins *I, int at, u32 n, u64 *address) {
  const u32 *rsrc = &w->s[REF_INDEX(~(u32)I->s[at])];
  const u32 stride = rsrc[1] >> 16 & 0x3fff;
  const u64 size = stride ? (u64)stride * rsrc[2] : rsrc[2];
  const u64 offset = ((I->s[at + 1] == NO_OPERAND ? 0 : scalar32(w, I->s[at + 1])) + (u64)(i64)I->imm) & ~3ull;
  *address = ((rsrc[0] | (u64)(rsrc[1] & 0xffff) << 32) + offset) & ~3ull;
  const u64 room = offset < size ? (size - offset) / 4 : 0;
  return room < n ? (u32)room : n;
}
