// Addresses of memory instructions, and whether they may be touched.
#pragma once
#include "emu.h"

// Lane addresses of a global access: vaddr is 32 bits when there is a scalar base. `I->s[vaddr]`, `I->s[saddr]`.
void global_addresses(Wave *w, const Ins *I, int vaddr, int saddr, u64 *out);

// The first lane whose access is not inside one live allocation, or -1.
int out_of_bounds(const u64 *addresses, u64 lanes, u32 size, bool write);
