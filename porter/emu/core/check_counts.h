// Counts of accesses, and what LDS and the caches make of their addresses.
#pragma once
#include "image.h"

void count_access(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access);
// Bank cycles of one access of LDS.
u32 lds_access_cycles(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access);
