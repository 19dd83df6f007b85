// The memory that device code may touch.
#pragma once
#include "image.h"

#define EACH_LANE(mask) for (u64 m_ = (mask), l; m_ && (l = __builtin_ctzll(m_), true); m_ &= m_ - 1)

enum { MEMORY_NONE, MEMORY_LIVE, MEMORY_FREED };

// The first lane whose access is not inside one live allocation (or writes to a read-only one), or -1.
int out_of_bounds(const u64 *addresses, u64 lanes, u32 size, bool write, u32 device);
// Why out_of_bounds() refused that access.
FaultKind memory_fault(u64 address, u32 size, u32 device);

// What lies at or next to an address, for the report. `distance` is 0 inside `start, size`, n for the n-th byte past
// its end, -n for n bytes in front of it; state FREED means that the address was inside a range that is freed.
typedef struct { u32 state, flags; u64 start, size; i64 distance; } MemoryNear;
int memory_near(u64 address, MemoryNear *out);

// A hash of all that device code may write to.
u64 memory_state(void);
// The ranges that were added as MEMORY_ELSEWHERE, by their start, in memory that the caller frees; how many they are.
typedef struct { u64 start, end, placed; } MemoryPlace;
u64 memory_elsewhere(MemoryPlace **out);

extern u64 memory_generation __attribute__((visibility("hidden")));
void memory_refill(Near *near, u64 address, u32 device);
