// What the checks of races in LDS and in global memory share.
#pragma once
#include "checks.h"

// Of a word's last write: its wave's clock, whether it was an atomic, the bytes it wrote
static inline u32 write_flags(u16 clock, bool atomic, u32 bytes) { return (u32)clock << 16 | (u32)atomic << 8 | bytes; }
static inline u16 clock_of(u32 flags) { return (u16)(flags >> 16); }
